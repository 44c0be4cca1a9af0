// Bounds of the classic game by pairing: a player who answers every move in a fixed way. docs/explanation/classic.md has the proof.
#pragma once

#include <array>
#include <bit>

#include "board.hpp"

namespace maxconnect4 {

// An empty cell that would complete a four, and cannot be played yet. No player wants to play below it.
template <class B>
struct Threat {
    Bits cell, below;
    int row;

    explicit Threat(Bits cell) : cell(cell), below(cell >> 1), row(std::countr_zero(cell) % B::right) {}

    // Value for its owner if the four is made last of all: the cells above it stay empty.
    int value() const { return (B::rows - 1 - row) / 2 + 1; }
    // Of the number of cells that are left, without this one, the one below it and those above.
    int parity(int left) const { return (left - (B::rows - row + 1)) & 1; }
};

// An empty lower cell and the upper one above it are a pair, an upper cell that can be played at once is a single. One player
// answers each move of the other one, on top of it or single for single. The cells that the other one, the prey, gets in this
// way are known, apart from the singles.
template <class B>
class Pairing {
   public:
    Pairing(Bits prey, Bits empty, Bits playable)
        : sure_(prey | (empty & B::lower_cells)), singles_(playable & B::upper_cells) {}

    // The column of the threat is played only to the cell below it, and pairs are counted from there.
    Pairing(Bits prey, Bits empty, Bits playable, const Threat<B>& threat) {
        const Bits column = B::column_mask(B::column_of(threat.cell)), arena = (threat.below - 1) & column;
        const bool turned = (threat.below & B::upper_cells) != 0;
        const Bits prey_rows = turned ? B::upper_cells : B::lower_cells;
        sure_ = prey | (empty & ((B::lower_cells & ~column) | (arena & prey_rows) | threat.below));
        singles_ = playable & ((B::upper_cells & ~column) | (arena & ~prey_rows));
    }

    // Whether the prey never gets a four.
    bool holds(bool prey_to_move) const {
        if (B::has_four(sure_)) return false;
        if (singles_ == 0 || !B::has_four(sure_ | singles_)) return true;
        return prey_to_move ? holds_singles(singles_) : holds_first(singles_);
    }

   private:
    bool fatal(Bits singles) const { return B::has_four(sure_ | singles); }

    // The prey takes one, is answered with its partner, and so on.
    bool holds_singles(Bits singles) const {
        std::array<Bits, 4> one{};
        int count = 0;
        for (Bits rest = singles; rest != 0; rest &= rest - 1) {
            if (count == 4 || fatal(rest & -rest)) return false;
            one[count++] = rest & -rest;
        }
        if (count < 4) return true;
        for (int partner = 1; partner < 4; ++partner) {
            const Bits a = one[0], b = one[partner], c = one[partner == 1 ? 2 : 1], d = one[partner == 3 ? 2 : 3];
            if (!fatal(a | c) && !fatal(a | d) && !fatal(b | c) && !fatal(b | d)) return true;
        }
        return false;
    }

    // The hunter takes one first.
    bool holds_first(Bits singles) const {
        for (Bits rest = singles; rest != 0; rest &= rest - 1)
            if (holds_singles(singles & ~(rest & -rest))) return true;
        return false;
    }

    Bits sure_, singles_;
};

}  // namespace maxconnect4
