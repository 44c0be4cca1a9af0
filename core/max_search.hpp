// The null-window search of Max-Connect4. The value of a position is its future margin: the points of the side to move
// still to come, minus those of the opponent. docs/explanation/solving.md proves the bounds.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

#include "best.hpp"
#include "endings.hpp"
#include "last_player.hpp"
#include "null_window_search.hpp"
#include "running_up.hpp"

namespace maxconnect4 {

template <class B>
class MaxSearch final : public NullWindowSearch<B> {
    using Base = NullWindowSearch<B>;

   public:
    MaxSearch(int columns, const Endings<B>& endings, SharedTranspositionTable& table, SharedSearch& shared)
        : Base(columns, table, shared), endings_(endings), predict_(columns) {}

    int run(Sides position, int alpha, const Pause& pause) override {
        this->set_pause(pause);
        frozen_ = false;
        if (const auto value = value_in_layer(position)) return *value;
        return search({position}, std::popcount(cells_ & ~position.stones()), alpha, 0);
    }

    std::optional<int> value_in_layer(Sides sides) const override {
        if (std::popcount(cells_ & ~sides.stones()) != layer_left_) return std::nullopt;
        return future_margin_in_layer({sides});
    }

    using Base::nodes;

   private:
    using typename Base::Best;
    using Base::cells_, Base::columns_, Base::count_node, Base::in_image, Base::layer_left_, Base::most_single_threaded,
        Base::shared_, Base::shared_key, Base::table_, Base::unbounded;

    // A position of the search, seen from both sides.
    struct Node {
        Position<B> position;
        int left;  // empty cells
        Bits empty, playable;
        bool last_to_move;
        Bits answered;     // the cell that was played last, none at the root
        Bits other, last;  // the stones of the player who does not make the last move of the game, and of the one who does

        Node(Position<B> position, int left, Bits cells, Bits answered)
            : position(position), left(left), empty(cells & ~position.stones()),
              playable(position.landings() & cells), last_to_move(left % 2 == 1), answered(answered),
              other(last_to_move ? position.theirs : position.mine), last(last_to_move ? position.mine : position.theirs) {}
    };

    struct Move {
        Bits landing;
        int priority;
        int gain;
        Range range;  // bounds of the position after it, from the opponent's view
    };
    using Moves = std::array<Move, B::columns>;

    int search(Position<B> position, int left, int alpha, Bits answered) {
        count_node();
        const Node node(position, left, cells_, answered);
        // 1. The last cell.
        if (left <= 1) return left == 0 ? 0 : B::made(position.mine, node.empty);
        // 2. The bounds of the last player, which cost little.
        Range range = unbounded;
        if (last_player_cut_off(node, alpha, range)) return range.cut_off_value(alpha);
        return search_from_table(node, alpha, range, false);
    }

    // The steps after the bounds of the last player. `other_tried`: those of the other player did not cut off either.
    int search_from_table(const Node& node, int alpha, Range range, bool other_tried) {
        // 3. The transposition table.
        const auto [key, mirror] = shared_key(node.position);
        const auto slot = table_.slot(key);
        int first = -1;
        SharedTranspositionTable::Entry known;
        if (node.left > most_without_table && slot.find(known)) {
            range.narrow(known.range);
            if (range.cuts_off(alpha)) return range.cut_off_value(alpha);
            first = in_image(known.column, mirror);
        }

        // 4. The bounds of the other player, which cost more.
        if (!other_tried && other_player_cut_off(node, alpha, range)) return range.cut_off_value(alpha);

        // 5. A column frozen by the last player, and the search of the others.
        const std::uint64_t before = nodes();
        if (node.last_to_move && node.left > most_without_freezing && frozen_column_cut_off(node, alpha, range)) {
            const int column = first < 0 ? B::column_of(node.playable & -node.playable) : first;
            slot.store({range, in_image(column, mirror)}, nodes() - before);
            return range.low;
        }

        // 6. Search the moves, and store the bound.
        const auto [best, landing] = best_of_columns(node, alpha, first);
        (best > alpha ? range.low : range.high) = best;
        if (node.left > most_without_table) slot.store({range, in_image(B::column_of(landing), mirror)}, nodes() - before);
        return best;
    }

    Best best_of_columns(const Node& node, int alpha, int first) {
        Moves moves;
        int count = generate_moves(moves, node);
        Best best;
        const bool wide = node.left > most_without_child_bounds;
        if (wide && transposition_cut_off(moves, count, node, alpha, best)) return best;
        order_moves(moves, count, node, first);
        if (wide && static_cut_off(moves, count, node, alpha, best)) return best;

        const bool parallel = shared_.parallel && node.left > most_single_threaded;
        for (int i = 0; i < count; ++i) {
            if (parallel) this->defer_busy_moves(moves, i, count, node.position);
            const Move& move = moves[i];
            const Position<B> child = node.position.after(move.landing);
            const SharedSearch::Busy mark(shared_, parallel ? child.key() : 0);
            const int enough = move.gain - alpha - 1;
            const int value =
                wide ? search_from_table(Node(child, node.left - 1, cells_, move.landing), enough, move.range, !node.last_to_move)
                     : search(child, node.left - 1, enough, move.landing);
            best.offer(move.gain - value, move.landing);
            if (best.value > alpha) {
                update_history(moves, i, node);
                break;
            }
        }
        return best;
    }

    // Enhanced transposition cut-off: whether the table entry of a child exceeds alpha, or its value in the opening book.
    // Copies the bounds of the others.
    bool transposition_cut_off(Moves& moves, int count, const Node& node, int alpha, Best& best) const {
        const bool in_layer = node.left - 1 == layer_left_ && !frozen_;
        for (int i = 0; i < count; ++i) {
            Move& move = moves[i];
            const Position<B> child = node.position.after(move.landing);
            SharedTranspositionTable::Entry known;
            if (in_layer) known.range.low = known.range.high = future_margin_in_layer(child);
            else if (!table_.slot(shared_key(child).key).find(known)) continue;
            move.range = known.range;
            if (move.gain - known.range.high <= alpha) continue;
            best = {move.gain - known.range.high, move.landing};
            return true;
        }
        return false;
    }

    // Whether the bounds of a child exceed alpha, before any child is searched. Moves that their bounds refute are removed.
    // The bounds of the other player are computed only where they can exceed alpha.
    bool static_cut_off(Moves& moves, int& count, const Node& node, int alpha, Best& best) {
        const int all = std::exchange(count, 0);
        for (int i = 0; i < all; ++i) {
            Move& move = moves[count] = moves[i];
            const int enough = move.gain - alpha - 1;
            if (!move.range.cuts_off(enough)) {
                count_node();
                const Node child(node.position.after(move.landing), node.left - 1, cells_, move.landing);
                if (!last_player_cut_off(child, enough, move.range) &&
                    !(child.last_to_move && other_player_cut_off(child, enough, move.range))) {
                    ++count;
                    continue;
                }
            }
            best.offer(move.gain - move.range.cut_off_value(enough), move.landing);
            if (best.value > alpha) {
                update_history(moves, count, node);
                return true;
            }
        }
        return false;
    }

    bool last_player_cut_off(const Node& node, int alpha, Range& range) const {
        const LastPlayer<B> last_player(node.other, node.last, node.empty, node.playable);
        if (node.last_to_move) {
            range.low = std::max(range.low, -last_player.follow_up());
            if (range.low > alpha) return true;
            range.low = std::max(range.low, -last_player.start(-alpha - 1));
        } else {
            range.high = std::min(range.high, last_player.follow_up());
            if (range.high > alpha && last_player.meets_every_move(alpha)) range.high = alpha;
        }
        return range.cuts_off(alpha);
    }

    bool other_player_cut_off(const Node& node, int alpha, Range& range) {
        RunningUp<B> running(endings_, refutations_[node.last_to_move], columns_, node.other, node.last, node.playable);
        if (node.last_to_move && running.proves(false, -alpha)) range.high = alpha;
        if (!node.last_to_move && running.proves(true, alpha + 1)) range.low = alpha + 1;
        return range.cuts_off(alpha);
    }

    // Whether the last player, who is to move, exceeds alpha although it *freezes* a column: it never starts a pair there,
    // and answers every move of the other player on top. With an even number of cells left in the column, it also makes the
    // last move in the rest of the board, so the position after the column is filled in this way is searched instead.
    // Only the column with the best prediction is tried, and only if that nearly exceeds alpha.
    bool frozen_column_cut_off(const Node& node, int alpha, Range& range) {
        const auto filled = [&](Bits cells) {
            return Sides{node.last | (cells & B::upper_cells), node.other | (cells & B::lower_cells)};
        };
        Bits frozen = 0;
        int least = 0;  // prediction for the other player
        for (Bits rest = node.playable & B::lower_cells; rest != 0; rest &= rest - 1) {
            const Bits cells = node.empty & B::column_mask(B::column_of(rest & -rest));
            const Sides sides = filled(cells);
            const int prediction = predict_(sides.theirs, sides.mine);
            if (frozen != 0 && prediction >= least) continue;
            frozen = cells;
            least = prediction;
        }
        const int on_board = B::margin(node.last, node.other);
        if (frozen == 0 || least > freezing_slack - 100 * (on_board + alpha + 1)) return false;
        const Position<B> rest{filled(frozen)};
        const int gain = B::margin(rest.mine, rest.theirs) - on_board;
        const bool frozen_before = std::exchange(frozen_, true);
        const int value = gain + search(rest, node.left - std::popcount(frozen), alpha - gain, 0);
        frozen_ = frozen_before;
        if (value <= alpha) return false;  // which says nothing of the position itself
        range.low = std::max(range.low, value);
        return true;
    }

    static constexpr int most_without_table = 4;          // empty cells: with fewer, the table costs more than the search
    static constexpr int most_without_child_bounds = 10;  // so do the bounds of all children
    static constexpr int most_without_prediction = 11;    // so does the prediction of `best` for the move ordering
    static constexpr int most_without_freezing = 8;       // so does a frozen column
    static constexpr int freezing_slack = 70;             // by which the prediction may miss alpha, in hundredths
    static_assert(most_without_child_bounds > most_without_table && most_without_freezing > most_without_table);

    int generate_moves(Moves& moves, const Node& node) const {
        const Bits fours = B::completing(node.position.mine);
        int count = 0;
        for (Bits rest = node.playable; rest != 0; rest &= rest - 1) {
            const Bits landing = rest & -rest;
            moves[count++] = {landing, 0, landing & fours ? B::made(node.position.mine, landing) : 0, unbounded};
        }
        return count;
    }

    void order_moves(Moves& moves, int count, const Node& node, int first) const {
        const Position<B> position = node.position;
        const Bits my_reach = position.mine | node.empty, their_reach = position.theirs | node.empty;
        std::array<Bits, 4> open_to_me, open_to_them;
        for (int i = 0; i < 4; ++i) {
            const int d = B::directions[i];
            open_to_me[i] = B::fours(my_reach, d);
            open_to_them[i] = B::fours(their_reach, d);
        }
        const Bits their_fours = B::completing(position.theirs);
        for (int next = 0; next < count; ++next) {
            Move move = moves[next];
            const Bits landing = move.landing, above = landing << 1;
            const int prevented = landing & their_fours ? B::made(position.theirs, landing) : 0;
            const int given = above & their_fours & cells_ ? B::made(position.theirs, above) : 0;
            int open = 0;
            for (int i = 0; i < 4; ++i) {
                const int d = B::directions[i];
                const Bits starts = landing | landing >> d | landing >> 2 * d | landing >> 3 * d;
                open += std::popcount(open_to_me[i] & starts) + std::popcount(open_to_them[i] & starts);
            }
            const int cell = std::countr_zero(landing);
            move.priority = (move.gain + prevented - given) * 4000 + open * 800 + shared_.history[node.left & 1][cell] / 4;
            if (node.answered != 0) move.priority += shared_.replies[node.left & 1][std::countr_zero(node.answered)][cell] / 4;
            if (node.left > most_without_prediction)
                move.priority += 300 * (node.last_to_move ? -predict_(node.other, node.last | landing)
                                                         : predict_(node.other | landing, node.last));
            if (cell / B::right == first) move.priority += 1 << 28;
            int at = next;
            for (; at > 0 && moves[at - 1].priority < move.priority; --at) moves[at] = moves[at - 1];
            moves[at] = move;
        }
    }

    // History: reward the cell that cut off, and reduce those that were searched before it; also as replies to the last cell.
    void update_history(const Moves& moves, int proved, const Node& node) {
        update_history(shared_.history[node.left & 1], 256, moves, proved);
        if (node.answered != 0)
            update_history(shared_.replies[node.left & 1][std::countr_zero(node.answered)], 32, moves, proved);
    }

    static void update_history(HistoryCounts& counters, int divisor, const Moves& moves, int proved) {
        const auto change = [&](int i, auto by) {
            auto& counter = counters[std::countr_zero(moves[i].landing)];
            const int before = counter.load(std::memory_order_relaxed);
            counter.store(before + by(before), std::memory_order_relaxed);
        };
        change(proved, [=](int count) { return (40000 - count) / divisor; });
        for (int i = 0; i < proved; ++i) change(i, [=](int count) { return -count / divisor; });
    }

    int future_margin_in_layer(Position<B> position) const {
        return this->layer_value(position) - B::margin(position.mine, position.theirs);
    }

    const Endings<B>& endings_;
    Prediction<B> predict_;
    bool frozen_ = false;  // whether a column is frozen: maybe no game leads to the position that is searched
    std::array<typename RunningUp<B>::Choice, 2> refutations_{};
};

}  // namespace maxconnect4
