// Bounds that the player of the last move can enforce without a search. docs/explanation/solving.md has the proofs.
//
// Count the cells of each column from the top: upper, lower, upper, lower, ... An empty lower cell and the upper one
// above it are a *pair*; a move into its lower cell *starts* it. An upper cell that can be played at once is a
// *single*. The *last* player is the one who makes the last move of the game; the *other* one is to move whenever the
// number of empty cells, and with it the number of singles, is even.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "board.hpp"

namespace maxconnect4 {

// The gain of the other player if both take the singles in turn, with best play; of an odd number, at most five, the last
// player takes the first. `gain` is the gain of the other player with a set of them.
template <class Gain>
int singles_in_turn(Bits singles, int count, Gain gain) {
    const auto middle = [](int a, int b, int c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); };
    if (count <= 1) return gain(0);
    std::array<Bits, 5> single{};
    int found = 0;
    for (Bits rest = singles; rest != 0; rest &= rest - 1) single[found++] = rest & -rest;
    if (count == 2) return std::max(gain(single[0]), gain(single[1]));
    if (count == 3) return middle(gain(single[0]), gain(single[1]), gain(single[2]));
    std::array<std::array<int, 5>, 5> two{};  // the gain with two of them
    for (int a = 0; a < count; ++a)
        for (int b = a + 1; b < count; ++b) two[a][b] = gain(single[a] | single[b]);
    // Of four the other player takes one, the last player one, and then the other the better one of two. Two pairs of
    // singles that have none in common are the two ways for one coupling to end; it gets the second best.
    const auto of_four = [&](int a, int b, int c, int d) {
        return middle(std::max(two[a][b], two[c][d]), std::max(two[a][c], two[b][d]), std::max(two[a][d], two[b][c]));
    };
    if (count == 4) return of_four(0, 1, 2, 3);
    // The last player takes one first, the one that leaves the worst four.
    return std::min({of_four(0, 1, 2, 3), of_four(0, 1, 2, 4), of_four(0, 1, 3, 4), of_four(0, 2, 3, 4), of_four(1, 2, 3, 4)});
}

// The bounds of the last player for a position. All numbers are the gain of the other player on the last one, from here
// to the end of the game; `most` is the largest gain that the last player allows.
template <class B>
class LastPlayer {
   public:
    LastPlayer(Bits other, Bits last, Bits empty, Bits playable)
        : other_(other), last_(last), playable_(playable), singles_(playable & B::upper_cells),
          single_count_(std::popcount(singles_)), lower_(empty & B::lower_cells), upper_(empty & B::upper_cells & ~singles_),
          on_board_(B::margin(other, last)) {}

    // Follow-up: it answers every start with the cell on top, and takes singles in turn with the other player.
    int follow_up() const {
        const Bits others = other_ | lower_, lasts = last_ | upper_;
        const auto gain = [&](Bits taken) { return margin(others | taken, lasts | (singles_ & ~taken)); };
        if (single_count_ <= 5) return singles_in_turn(singles_, single_count_, gain);
        // More are rare: the last player takes the first one, if it is to move, and couples up the others as they stand.
        std::array<Bits, B::columns> single;
        int count = 0;
        for (Bits rest = singles_; rest != 0; rest &= rest - 1) single[count++] = rest & -rest;
        const int first = count % 2;
        int most = -1000;
        for (unsigned choice = 0; choice < 1u << count / 2; ++choice) {
            Bits taken = 0;
            for (int couple = 0; couple < count / 2; ++couple) taken |= single[first + 2 * couple + (choice >> couple & 1)];
            most = std::max(most, gain(taken));
        }
        return most;
    }

    // The last player is to move, with one single or three, and starts a pair. Ends as soon as that allows no more than
    // `enough`; with other numbers of singles it has no answer.
    int start(int enough) const {
        if (single_count_ == 1) return start_with_one_single(enough);
        if (single_count_ == 3) return start_with_three_singles(enough);
        return 1000;
    }

    // The other player is to move, with two singles: whether the last player can meet every move, by follow-up or by a
    // start, so that it allows no more than `enough`. Follow-up alone must have failed.
    bool meets_every_move(int enough) const {
        if (single_count_ != 2) return false;
        const Bits a = singles_ & -singles_, b = singles_ ^ a;
        const bool good_a = margin(other_ | lower_ | a, last_ | upper_ | b) <= enough;
        const bool good_b = margin(other_ | lower_ | b, last_ | upper_ | a) <= enough;
        if (!good_a && !good_b) return false;
        if (!meets_by_start(good_a ? b : a, enough)) return false;
        for (Bits rest = playable_ & B::lower_cells; rest != 0; rest &= rest - 1) {
            // Three singles then. One of the old ones is good for the last player; with the new one that makes two.
            const Bits landing = rest & -rest, above = landing << 1;
            const bool good = margin(other_ | lower_ | above, (last_ | upper_ | singles_) & ~above) <= enough;
            if (!good && !meets_by_start(landing, enough)) return false;
        }
        return true;
    }

   private:
    int margin(Bits others, Bits lasts) const { return B::margin(others, lasts) - on_board_; }

    // It starts one pair after another up a column, as long as the other player answers on top. If that takes the single
    // instead, the last player has both cells of a pair. At some pair it stops, and takes the single itself.
    int start_with_one_single(int enough) const {
        int most = 1000;
        for (Bits rest = playable_ & B::lower_cells; rest != 0; rest &= rest - 1) {
            Bits landing = rest & -rest;
            const Bits column = B::column_mask(B::column_of(landing));
            Bits others = other_ | lower_, lasts = last_ | upper_;
            int if_it_takes_the_single = -1000;
            for (; landing & column; landing <<= 2) {
                if_it_takes_the_single = std::max(if_it_takes_the_single, margin((others & ~landing) | singles_, lasts | landing));
                if (if_it_takes_the_single >= most) break;
                others ^= landing * 3;
                lasts ^= landing * 3;
                most = std::min(most, std::max(if_it_takes_the_single, margin(others, lasts | singles_)));
                if (most <= enough) return most;
            }
        }
        return most;
    }

    // Then there are four of them.
    int start_with_three_singles(int enough) const {
        int most = 1000;
        for (Bits rest = playable_ & B::lower_cells; rest != 0; rest &= rest - 1) {
            const Bits landing = rest & -rest, above = landing << 1, open = singles_ | above;
            const Bits others = other_ | (lower_ & ~landing), lasts = last_ | (upper_ & ~above) | landing;
            most = std::min(most, singles_in_turn(open, 4, [&](Bits taken) {
                return margin(others | taken, lasts | (open & ~taken));
            }));
            if (most <= enough) return most;
        }
        return most;
    }

    bool meets_by_start(Bits landing, int enough) const {
        const Bits empty = (lower_ | upper_ | singles_) & ~landing;
        const Bits above = landing << 1 & (lower_ | upper_);
        const LastPlayer then(other_ | landing, last_, empty, (playable_ & ~landing) | above);
        enough -= then.on_board_ - on_board_;
        return then.start(enough) <= enough;
    }

    Bits other_, last_, playable_, singles_;
    int single_count_;
    Bits lower_, upper_;  // of whole pairs
    int on_board_;
};

}  // namespace maxconnect4
