// The null-window search of the classic game. The value of a position is 0 for a draw, n if the side to move wins with its
// n-th last stone counted from the full board, -n for such a loss. docs/explanation/classic.md proves the bounds.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "classic_move_ordering.hpp"
#include "null_window_search.hpp"
#include "pairing.hpp"

namespace maxconnect4 {

template <class B>
class ClassicSearch final : public NullWindowSearch<B> {
    using Base = NullWindowSearch<B>;

   public:
    using Base::Base, Base::nodes;

    // The value for the side to move if the opponent has just made a four, with `left` cells empty.
    static int loss_value(int left) { return -(left / 2 + 1); }

    // The game is not over.
    int run(Sides sides, int alpha, const Pause& pause) override {
        this->set_pause(pause);
        const Position<B> position{sides};
        const int left = std::popcount(cells_ & ~position.stones());
        return can_win(position, cells_) ? -loss_value(left - 1) : search(position, left, alpha);
    }

    std::optional<int> value_in_layer(Sides sides) const override {
        const Position<B> position{sides};
        if (std::popcount(cells_ & ~position.stones()) != layer_left_ || can_win(position, cells_)) return std::nullopt;
        return this->layer_value(position);
    }

    // The bounds without a search, for every alpha, on a board of these cells. The game is not over.
    static Range static_bounds(Position<B> position, Bits cells) {
        const int left = std::popcount(cells & ~position.stones());
        if (can_win(position, cells)) return {-loss_value(left - 1), -loss_value(left - 1)};
        Node node(position, left, cells);
        Range soon = unbounded;
        if (decided_soon(node, soon)) return soon;
        node.my_fours = B::completing(position.mine) & node.empty;
        Range all = soon;
        for (int alpha = soon.low; alpha < soon.high; ++alpha) {
            Range range = soon;
            static_cut_off(node, alpha, range);
            all.narrow(range);
        }
        return all;
    }

   private:
    using typename Base::Best;
    using Base::cells_, Base::columns_, Base::count_node, Base::in_image, Base::layer_left_, Base::most_single_threaded,
        Base::shared_, Base::shared_key, Base::table_, Base::unbounded;

    static bool can_win(Position<B> position, Bits cells) {
        return (B::completing(position.mine) & position.landings() & cells) != 0;
    }

    // A position in which the side to move cannot make a four at once.
    struct Node {
        Position<B> position;
        int left;  // empty cells
        Bits empty, playable;
        Bits their_fours;   // the empty cells that would complete one
        Bits my_fours = 0;  // only where `decided_soon` is false
        Bits moves = 0;     // those that do not lose at once

        Node(Position<B> position, int left, Bits cells)
            : position(position), left(left), empty(cells & ~position.stones()),
              playable(position.landings() & cells), their_fours(B::completing(position.theirs) & empty) {}
        bool last_to_move() const { return left % 2 == 1; }
        bool is_forced() const { return (moves & (moves - 1)) == 0; }
    };

    int search(Position<B> position, int left, int alpha) {
        count_node();
        Node node(position, left, cells_);
        Range range = unbounded;
        if (decided_soon(node, range) || range.cuts_off(alpha)) return range.cut_off_value(alpha);
        if (left == layer_left_) return this->layer_value(position);
        if (node.is_forced()) return -search(position.after(node.moves), left - 1, -alpha - 1);
        node.my_fours = B::completing(position.mine) & node.empty;
        if (static_cut_off(node, alpha, range)) return range.cut_off_value(alpha);

        if (left <= most_without_table) return best_of_columns(node, alpha, -1).value;

        const auto [key, mirror] = shared_key(position);
        const auto slot = table_.slot(key);
        int first = -1;
        SharedTranspositionTable::Entry known;
        if (slot.find(known)) {
            range.narrow(known.range);
            if (range.cuts_off(alpha)) return range.cut_off_value(alpha);
            first = in_image(known.column, mirror);
        }
        const std::uint64_t before = nodes();
        const auto [best, landing] = best_of_columns(node, alpha, first);
        (best > alpha ? range.low : range.high) = best;
        slot.store({range, in_image(B::column_of(landing), mirror)}, nodes() - before);
        return best;
    }

    // The bounds by the next two plies. True if they are the exact value.
    static bool decided_soon(Node& node, Range& range) {
        const int left = node.left;
        const Bits threats = node.playable & node.their_fours;
        node.moves = (threats != 0 ? threats : node.playable) & ~(node.their_fours >> 1);
        if ((threats & (threats - 1)) != 0 || (node.moves == 0 && left > 0)) {
            range.low = range.high = loss_value(left - 2);
            return true;
        }
        if (left <= 2) {
            range.low = range.high = 0;
            return true;
        }
        range = {loss_value(left - 4), -loss_value(left - 3)};
        return false;
    }

    // The bounds that either side can enforce by pairing. True if they cut off.
    static bool static_cut_off(const Node& node, int alpha, Range& range) {
        const auto& [mine, theirs] = node.position;
        const bool last_to_move = node.last_to_move();
        // Without an open window there is no win.
        if (alpha >= 0 && !B::has_four(mine | node.empty)) range.high = 0;
        if (alpha < 0 && !B::has_four(theirs | node.empty)) range.low = 0;
        if (range.cuts_off(alpha)) return true;
        // The last player follows up.
        if (!last_to_move && alpha >= 0 && Pairing<B>(mine, node.empty, node.playable).holds(true)) range.high = 0;
        if (last_to_move && alpha < 0 && Pairing<B>(theirs, node.empty, node.playable).holds(false)) range.low = 0;
        if (range.cuts_off(alpha)) return true;
        // One player has a cell that the opponent will have to open up.
        for (Bits rest = node.my_fours & ~node.playable; rest != 0; rest &= rest - 1) {
            const Threat<B> threat(rest & -rest);
            if (threat.value() <= alpha || threat.parity(node.left) == 0) continue;
            if (!Pairing<B>(theirs, node.empty, node.playable, threat).holds(false)) continue;
            range.low = std::max(range.low, threat.value());
            return true;
        }
        for (Bits rest = node.their_fours & ~node.playable; rest != 0; rest &= rest - 1) {
            const Threat<B> threat(rest & -rest);
            if (-threat.value() > alpha || threat.parity(node.left) != 0) continue;
            if (!Pairing<B>(mine, node.empty, node.playable, threat).holds(true)) continue;
            range.high = std::min(range.high, -threat.value());
            return true;
        }
        return false;
    }

    struct Move {
        Bits landing;
        int priority;
    };
    using Moves = std::array<Move, B::columns>;
    struct Child {
        Bits landing;
        SharedTranspositionTable::Slot slot;
    };

    Best best_of_columns(const Node& node, int alpha, int first) {
        // Prefetch the table entries of the children while the moves are ordered.
        std::array<Child, B::columns> children;
        int child_count = 0;
        if (node.left > most_without_child_bounds) {
            for (Bits rest = node.moves; rest != 0; rest &= rest - 1) {
                const Bits landing = rest & -rest;
                children[child_count] = {landing, table_.slot(shared_key(node.position.after(landing)).key)};
                children[child_count++].slot.prefetch();
            }
        }
        Moves moves;
        int count = 0;
        if (const Bits winner = order_moves(moves, count, node, first)) return {-loss_value(node.left - 3), winner};
        for (int i = 0; i < child_count; ++i) {
            SharedTranspositionTable::Entry known;
            if (children[i].slot.find(known) && -known.range.high > alpha) return {-known.range.high, children[i].landing};
        }
        Best best;
        const bool parallel = shared_.parallel && node.left > most_single_threaded;
        for (int i = 0; i < count; ++i) {
            if (parallel) this->defer_busy_moves(moves, i, count, node.position);
            const Bits landing = moves[i].landing;
            const Position<B> child = node.position.after(landing);
            const SharedSearch::Busy mark(shared_, parallel ? child.key() : 0);
            const int value = -search(child, node.left - 1, -alpha - 1);
            best.offer(value, landing);
            if (value > alpha) break;
        }
        return best;
    }

    // Move ordering. Returns a move that wins with the next stone of this side, if there is one: a move that makes two
    // threats at once, or two above each other.
    Bits order_moves(Moves& moves, int& count, const Node& node, int first) const {
        const Bits mine = node.position.mine;
        const Bits threes = making_threes<B>(mine, node.empty);
        const Bits good_rows = node.last_to_move() ? B::upper_cells : B::lower_cells;
        const MoveOrderingWeights& weights = move_ordering_weights[node.last_to_move()];
        for (Bits rest = node.moves; rest != 0; rest &= rest - 1) {
            const Bits landing = rest & -rest, above = landing << 1;
            const int cell = std::countr_zero(landing), column = cell / B::right;
            int priority = weights.cell(std::abs(2 * column - (columns_ - 1)), cell % B::right);
            if (landing & threes || above & node.my_fours) {
                const Bits fours = B::completing(mine | landing) & node.empty & ~landing;
                const Bits threats = fours & ((node.playable & ~landing) | above);
                if ((threats & (threats - 1)) != 0 || (threats << 1 & fours) != 0) return landing;
                const Bits fresh = fours & ~node.my_fours;
                priority += weights.good_four * std::popcount(fresh & good_rows) + weights.four * std::popcount(fresh & ~good_rows);
                if (threats != 0) priority += weights.threat;
            }
            if (above & node.my_fours) priority += weights.waste;
            if (column == first) priority += 1 << 28;
            int at = count++;
            for (; at > 0 && moves[at - 1].priority < priority; --at) moves[at] = moves[at - 1];
            moves[at] = {landing, priority};
        }
        return 0;
    }

    static constexpr int most_without_table = 6;    // empty cells: with fewer, the table costs more than the search
    static constexpr int most_without_child_bounds = 12;  // so do the table entries of all children
};

}  // namespace maxconnect4
