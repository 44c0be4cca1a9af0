// One search of one position: the recursion behind choose().
//
// The contract of negamax(position, stones, alpha, beta), fail-soft: it returns a value v from the view of the side to
// move, and the true minimax value t of the position down to the horizon satisfies
//     v <= alpha  =>  t <= v        alpha < v < beta  =>  t = v        v >= beta  =>  t >= v.
// The horizon is a number of stones on the board, the same for all leaves: every game has the same length, so a
// position met by two routes is the same distance from it, and an entry of the table made with the same horizon holds
// exactly the requested value. Entries of earlier horizons only serve the move ordering.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

#include "board.hpp"
#include "evaluation.hpp"
#include "search_limits.hpp"
#include "search.hpp"
#include "transposition_table.hpp"

namespace maxconnect4 {

// The point of view of a leaf, which is the end of the game or estimated by an evaluation.
struct View {
    bool full;      // the horizon is the end of the game: the value is the margin
    bool searcher;  // the player who searches is to move at the leaf
    bool red;       // the player who searches is red
};

// An evaluation takes the view of the player who searches; the value is the view of the side to move.
template <class B, class Evaluation>
int leaf(Position<B> position, View view) {
    if (view.full) return B::margin(position.mine, position.theirs);
    return view.searcher ? Evaluation::before_full(position.mine, position.theirs, view.red)
                         : -Evaluation::before_full(position.theirs, position.mine, view.red);
}

// The best of the leaves after a position one ply before the horizon; `view` is theirs.
template <class B, class Evaluation>
int best_leaf(Position<B> position, View view, int beta, std::uint64_t& nodes) {
    int best = -std::numeric_limits<int>::max();
    for (Bits rest = position.landings(); rest != 0; rest &= rest - 1) {
        ++nodes;
        best = std::max(best, -leaf<B, Evaluation>(position.after(rest & -rest), view));
        if (best >= beta) break;
    }
    return best;
}

// One evaluation, as the search calls it. A call covers all the leaves after a position, so that one instance of the
// search serves all evaluations at no cost.
template <class B>
struct Leaves {
    int (*leaf)(Position<B>, View);
    int (*best_leaf)(Position<B>, View, int beta, std::uint64_t& nodes);

    template <class Evaluation>
    static constexpr Leaves of() {
        return {maxconnect4::leaf<B, Evaluation>, maxconnect4::best_leaf<B, Evaluation>};
    }
};

template <class B, bool Classic>
class Negamax {
   public:
    Negamax(Position<B> root, int stones, Leaves<B> leaves, const SearchTask& task, const ShouldStop& should_stop)
        : root_(root), root_stones_(stones), symmetric_(B::mirrored(root.key()) == root.key()), leaves_(leaves),
          limits_(task, should_stop), all_scores_(task.all_scores), table_(task.table_bytes) {
        for (int i = 0; i < B::columns; ++i) {
            const int column = from_the_centre(B::columns, i);
            if (const Bits landing = root.landings() & B::column_mask(column)) moves_.push_back({column, landing, 0});
        }
    }

    // Iterative deepening: to depth 1, 2, 3, ... until a limit is reached. Empty if the caller stopped it.
    std::optional<Choice> deepen(int depth, const OnDepth& on_depth) {
        Choice choice;
        for (int plies = 1; plies <= depth; ++plies) {
            may_run_out_ = plies > 1;
            try {
                table_.grow(4 * (visits_ - visits_before_), [this] { limits_.check(nodes_, may_run_out_); });
                visits_before_ = visits_;
                choice = search_root(plies);
            } catch (const SearchLimits::LimitReached&) {
                break;
            } catch (const SearchLimits::Stopped&) {
                return std::nullopt;
            }
            // A win or a loss in the classic game, once found, is the same at every greater depth.
            bool settled = decisive(choice.value);
            choice.exact = settled || horizon_ == B::cells;
            for (const auto& score : choice.scores) settled = settled && (!score || decisive(*score));
            choice.nodes = nodes_;
            if (on_depth) {
                choice.table_permille = table_.permille();
                if (on_depth(choice)) return std::nullopt;
            }
            if (settled || limits_.run_out(nodes_)) break;
        }
        choice.nodes = nodes_;
        return choice;
    }

   private:
    static constexpr int infinity = std::numeric_limits<int>::max();

    struct Move {
        int column;
        Bits landing;
        int value;  // or its priority in the move ordering
    };

    // Of columns with equal values the one nearest the centre is chosen.
    static constexpr auto rank = [] {
        std::array<int, B::columns> place{};
        for (int i = 0; i < B::columns; ++i) place[from_the_centre(B::columns, i)] = i;
        return place;
    }();

    Choice search_root(int plies) {
        horizon_ = root_stones_ + plies;
        // The best of the depth before comes first.
        std::stable_sort(moves_.begin(), moves_.end(), [](const Move& a, const Move& b) { return a.value > b.value; });
        const Move* best = nullptr;
        for (Move& move : moves_) {
            if (best == nullptr || all_scores_) {
                move.value = value_of(move, -infinity, infinity);
                if (best == nullptr || move.value > best->value ||
                    (move.value == best->value && rank[move.column] < rank[best->column]))
                    best = &move;
                continue;
            }
            // A preferred column wins a tie, so it has to beat one less than the best.
            const int to_beat = best->value - (rank[move.column] < rank[best->column] ? 1 : 0);
            move.value = value_of(move, to_beat, to_beat + 1);
            if (move.value > to_beat) {
                move.value = value_of(move, to_beat, infinity);
                best = &move;
            }
        }
        Choice choice{.column = best->column, .value = best->value, .depth = plies, .scores = {}, .lines = {}};
        choice.lines.resize(B::columns);
        choice.lines[best->column] = principal_variation(*best);
        if (all_scores_) {
            choice.scores.resize(B::columns);
            for (const Move& move : moves_) {
                choice.scores[move.column] = move.value;
                choice.lines[move.column] = principal_variation(move);
            }
        }
        // Columns that did not beat the best have only a bound; keep the best in front for the next depth.
        for (Move& move : moves_)
            if (&move != best) move.value = std::min(move.value, best->value - 1);
        return choice;
    }

    // The value of a move at the root, within a window.
    int value_of(const Move& move, int alpha, int beta) {
        if (Classic && (B::completing(root_.mine) & move.landing)) {
            ++nodes_;
            return classic_win - (root_stones_ + 1);
        }
        return -negamax(root_.after(move.landing), root_stones_ + 1, -beta, -alpha);
    }

    // The principal variation that begins with a move at the root, up to the end of its table entries.
    std::vector<int> principal_variation(const Move& move) const {
        std::vector<int> line{move.column};
        if (Classic && (B::completing(root_.mine) & move.landing)) return line;
        Position<B> position = root_.after(move.landing);
        for (int stones = root_stones_ + 1; stones < horizon_; ++stones) {
            const Bits landing = known_best(position);
            if (landing == 0) break;
            line.push_back(B::column_of(landing));
            if (Classic && (B::completing(position.mine) & landing)) break;
            position = position.after(landing);
        }
        return line;
    }

    // The best cell to play: a four (classic game) or the move in the transposition table; 0 if unknown.
    Bits known_best(Position<B> position) const {
        const Bits open = position.landings();
        if constexpr (Classic) {
            if (const Bits fours = B::completing(position.mine) & open) return fours & -fours;
            if (const Bits fours = B::completing(position.theirs) & open) return fours & -fours;
        }
        const auto [key, mirror] = shared_key(position);
        const Entry* known = table_.find(key);
        if (known == nullptr || known->horizon != horizon_ || known->bound != Bound::exact) return 0;
        return open & B::column_mask(mirror ? B::columns - 1 - known->column : known->column);
    }

    static bool decisive(int value) { return Classic && std::abs(value) > classic_win - 100; }

    int negamax(Position<B> position, int stones, int alpha, int beta) {
        ++nodes_;
        // 1. The horizon.
        if (stones == horizon_) return leaves_.leaf(position, view(stones));
        const int height = horizon_ - stones;
        if (height == 1) return frontier(position, stones, beta);
        if ((++visits_ & 0xFFF) == 0 || limits_.out_of_nodes(nodes_)) limits_.check(nodes_, may_run_out_);

        const auto [key, mirror] = shared_key(position);
        table_.prefetch(key);  // the bucket arrives while the threats are worked out

        // 2. In the classic game: win at once, block the only threat, or lose.
        Bits open = position.landings();
        const Bits my_fours = B::completing(position.mine) & open;
        const Bits their_fours = B::completing(position.theirs) & open;
        if constexpr (Classic) {
            if (my_fours) return classic_win - (stones + 1);
            if (their_fours & (their_fours - 1)) return -(classic_win - (stones + 2));
            if (their_fours) open = their_fours;
        }

        // 3. The transposition table.
        int table_column = -1;
        if (const Entry* known = table_.find(key)) {
            table_column = mirror ? B::columns - 1 - known->column : known->column;
            if (known->horizon == horizon_) {
                if (known->bound == Bound::exact || (known->bound == Bound::lower && known->value >= beta) ||
                    (known->bound == Bound::upper && known->value <= alpha))
                    return known->value;
            }
        }

        // 4. Order the moves.
        std::array<Move, B::columns> moves;
        auto& history = history_[stones & 1];
        const int count = order_moves(moves, open, table_column, my_fours, their_fours, history);

        // 5. Enhanced transposition cut-off: the entry of a child may already cause one.
        if (height >= 4) {
            for (int i = 0; i < count; ++i) {
                const Entry* known = table_.find(shared_key(position.after(moves[i].landing)).key);
                if (known != nullptr && known->horizon == horizon_ && known->bound != Bound::lower && -known->value >= beta)
                    return -known->value;
            }
        }

        // 6. Principal variation search: the first move with the full window, the others with a null window, and again
        //    with the full one if they exceed it.
        int best = -infinity;
        int best_column = 0;
        const int alpha_before = alpha;
        for (int i = 0; i < count; ++i) {
            const Position<B> child = position.after(moves[i].landing);
            int value;
            if (i == 0 || alpha + 1 == beta) {
                value = -negamax(child, stones + 1, -beta, -alpha);
            } else {
                value = -negamax(child, stones + 1, -alpha - 1, -alpha);
                if (value > alpha && value < beta) value = -negamax(child, stones + 1, -beta, -alpha);
            }
            if (value <= best) continue;
            best = value;
            best_column = moves[i].column;
            if (value >= beta) {
                // History: reward the cell that cut off, and reduce those that were searched before it.
                reward(history, std::countr_zero(moves[i].landing), height);
                for (int j = 0; j < i; ++j) {
                    int& counter = history[std::countr_zero(moves[j].landing)];
                    counter -= counter / 16;
                }
                break;
            }
            alpha = std::max(alpha, value);
        }

        // 7. Store the bound.
        table_.store({.key = key, .value = best,
                      .bound = best >= beta ? Bound::lower : best <= alpha_before ? Bound::upper : Bound::exact,
                      .horizon = static_cast<std::uint8_t>(horizon_),
                      .column = static_cast<std::uint8_t>(mirror ? B::columns - 1 - best_column : best_column),
                      .height = static_cast<std::uint8_t>(height)});
        return best;
    }

    // Move ordering: the column in the table, moves that make points, moves that prevent points, then by history and by
    // the number of windows through the cell. Returns the number of moves.
    static int order_moves(std::array<Move, B::columns>& moves, Bits open, int table_column, Bits my_fours, Bits their_fours,
                     const std::array<int, 64>& history) {
        int count = 0;
        for (; open != 0; open &= open - 1) {
            const Bits landing = open & -open;
            const int cell = std::countr_zero(landing);
            const int column = cell / B::right;
            int priority = history[cell] + 32 * through[cell];
            if (column == table_column) priority += 1 << 30;
            if (landing & my_fours) priority += 1 << 24;
            if (landing & their_fours) priority += 1 << 23;
            int at = count++;
            for (; at > 0 && moves[at - 1].value < priority; --at) moves[at] = moves[at - 1];
            moves[at] = {column, landing, priority};
        }
        return count;
    }

    // One ply before the horizon: the best of the leaves, without the table.
    int frontier(Position<B> position, int stones, int beta) {
        if (Classic && (B::completing(position.mine) & position.landings())) return classic_win - (stones + 1);
        return leaves_.best_leaf(position, view(stones + 1), beta, nodes_);
    }

    View view(int stones) const {
        return {.full = horizon_ == B::cells, .searcher = ((stones ^ root_stones_) & 1) == 0, .red = (root_stones_ & 1) == 0};
    }

    // Shared only if the root is symmetric.
    SharedKey shared_key(Position<B> position) const {
        const Bits key = position.key();
        return symmetric_ ? SharedKey::of(key, B::mirrored(key)) : SharedKey{key, false};
    }

    static void reward(std::array<int, 64>& history, int cell, int height) {
        history[cell] += height * height;
        if (history[cell] < 1 << 20) return;
        for (int& counter : history) counter /= 2;
    }

    static constexpr auto through = [] {
        std::array<int, 64> windows{};
        for (int column = 0; column < B::columns; ++column)
            for (int row = 0; row < B::rows; ++row)
                windows[column * B::right + row] = B::windows_through(B::cell(column, row));
        return windows;
    }();

    Position<B> root_;
    int root_stones_;
    bool symmetric_;  // then a position and its mirror image share one entry
    Leaves<B> leaves_;
    SearchLimits limits_;
    bool all_scores_;
    TranspositionTable table_;
    std::vector<Move> moves_;
    int horizon_ = 0;
    std::uint64_t nodes_ = 0, visits_ = 0, visits_before_ = 0;
    bool may_run_out_ = false;  // the first depth is always searched to its end
    std::array<std::array<int, 64>, 2> history_{};
};

}  // namespace maxconnect4
