// What the other player, the one who does not make the last move of the game, can make sure of by *running up* columns.
// Words as in last_player.hpp; docs/solving.md has the proof.
//
// It answers every start of the last player with the cell on top. When it has to start a pair itself, it goes on with
// the next one of the same column, and so on to the top: it runs the column up. So in every column the last player has
// started some pairs from below (the other one has their upper cells), and the other player all the pairs above them (it
// has their lower cells). How many of each is for the last player to choose, except in the column that is run up first.
// With k pairs in a column that is k + 1 ways to end, not 2 to the k, and the worst choice for all the columns together
// is found exactly, from left to right: a line of four runs through four neighbouring columns at the most, so the ways
// of the last three are all that matters for what is to come.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "board.hpp"
#include "endings.hpp"

namespace maxconnect4 {

template <class B>
class RunningUp {
    using E = Endings<B>;
    using Word = typename E::Word;

   public:
    // How the columns end: by column, how many of its pairs are started by the other player.
    using Choice = std::array<std::int8_t, B::columns>;

    // `refutation` is any choice to try first, and becomes the last one that refuted: the next position is much alike.
    RunningUp(const Endings<B>& endings, Choice& refutation, int columns, Bits other, Bits last, Bits playable)
        : refutation_(refutation), columns_(columns), on_board_(B::margin(other, last)) {
        const Bits singles = playable & B::upper_cells;
        for (int column = 0; column < columns; ++column) {
            column_[column] = &endings.of(column, other, other | last, space_[column % space_.size()]);
            if (singles & B::column_mask(column)) with_single_ |= 1u << column;
        }
        single_count_ = std::popcount(with_single_);
    }

    // Whether the other player makes sure of gaining at least `need` on the last one. "No" says nothing.
    bool proves(bool other_to_move, int need) {
        need_ = need;
        tried_count_ = 0;
        find_hopeful_runs();
        if (hopeful_ == 0) return false;
        return other_to_move ? other_takes(with_single_, 0, -1) : last_takes(with_single_, 0);
    }

   private:
    // --- The singles. Sets are bits by column: those still `open`, and `mine`, which the other player has.

    // The last player takes one; after the last of them the other player runs up that column.
    bool last_takes(unsigned open, unsigned mine) {
        for (unsigned rest = open; rest != 0; rest &= rest - 1) {
            const int column = std::countr_zero(rest);
            if (open == 1u << column) return holds(mine, column) || (single_count_ <= 2 && keeps_a_column(mine, column));
            if (!other_takes(open ^ 1u << column, mine, column)) return false;
        }
        return true;
    }

    // The other player takes one of an even number, or runs up a column in which no pair can have been started: the one
    // where the last player has `just` taken a single, or at the very beginning any.
    bool other_takes(unsigned open, unsigned mine, int just) {
        for (unsigned rest = open; rest != 0; rest &= rest - 1)
            if (last_takes(open ^ (rest & -rest), mine | (rest & -rest))) return true;
        if (std::popcount(open) > 4) return false;
        if (just >= 0) return has_pairs(just) && coupled(open, mine, just);
        for (int column = 0; column < columns_; ++column)
            if (!(with_single_ >> column & 1) && has_pairs(column) && coupled(open, mine, column)) return true;
        return false;
    }

    // A column is run up; meanwhile the last player takes a single, the other one another, and so on.
    bool coupled(unsigned open, unsigned mine, int run) {
        if (open == 0) return holds(mine, run);
        for (unsigned rest = open; rest != 0; rest &= rest - 1) {
            const unsigned theirs = rest & -rest;
            bool answered = false;
            for (unsigned answers = open ^ theirs; answers != 0 && !answered; answers &= answers - 1) {
                const unsigned answer = answers & -answers;
                answered = coupled(open ^ theirs ^ answer, mine | answer, run);
            }
            if (!answered) return false;
        }
        return true;
    }

    // The last player is to move, with one single, and no pair has been started. The other player keeps a column for
    // itself: it runs it up when the single is taken; if the last player starts it, it takes the single.
    bool keeps_a_column(unsigned mine, int single) {
        for (int column = 0; column < columns_; ++column)
            if (!(with_single_ >> column & 1) && has_pairs(column) && holds(mine, column) &&
                all_ways_hold(mine | 1u << single, column, column_[column]->caught))
                return true;
        return false;
    }

    bool has_pairs(int column) const { return column_[column]->others.count > 1; }

    // --- The pairs

    // The columns that are worth running up: those that reach `need` if the other player has all other singles, and the
    // last one starts all the pairs. It never has more singles than that.
    void find_hopeful_runs() {
        std::array<Word, B::columns> across;
        std::array<int, B::columns> margins{};  // of the fours through columns i to i + 3
        int sum = -need_ - on_board_;
        for (int column = 0; column < columns_; ++column) {
            const auto& ways = column_[column]->others;
            across[column] = ways.across[ways.count - 1];
            sum += ways.upright[ways.count - 1];
        }
        const auto margin = [&](int i) { return E::margin(across[i] & across[i + 1] & across[i + 2] & across[i + 3]); };
        for (int i = 0; i + 3 < columns_; ++i) sum += margins[i] = margin(i);
        hopeful_ = 0;
        for (int column = 0; column < columns_; ++column) {
            if (!(with_single_ >> column & 1) && !has_pairs(column)) continue;
            const auto& its = column_[column];
            int now = sum + its->run.upright[0] - its->others.upright[its->others.count - 1];
            const Word before = std::exchange(across[column], its->run.across[0]);
            for (int i = std::max(0, column - 3); i <= column && i + 3 < columns_; ++i)
                now += margin(i) - margins[i];
            across[column] = before;
            if (now >= 0) hopeful_ |= 1u << column;
        }
    }

    // The other player has the singles `mine`, one column is run up, and the last player chooses how the others end.
    bool holds(unsigned mine, int run) {
        if (!(hopeful_ >> run & 1)) return false;
        // The same question comes up several times.
        Tried* tried = nullptr;
        for (int i = 0; i < tried_count_ && tried == nullptr; ++i)
            if (tried_[i].mine == mine) tried = &tried_[i];
        if (tried == nullptr) {
            if (tried_count_ == static_cast<int>(tried_.size())) return all_ways_hold(mine, run, column_[run]->run);
            tried = &(tried_[tried_count_++] = {mine, 0, 0});
        }
        const unsigned bit = 1u << run;
        if (!(tried->runs & bit)) {
            tried->runs |= bit;
            if (all_ways_hold(mine, run, column_[run]->run)) tried->held |= bit;
        }
        return tried->held & bit;
    }

    bool all_ways_hold(unsigned mine, int fixed, const typename E::Ways& its_way) {
        std::array<const typename E::Ways*, B::columns> ways;
        for (int column = 0; column < columns_; ++column)
            ways[column] = (with_single_ & ~mine) >> column & 1 ? &column_[column]->lasts : &column_[column]->others;
        ways[fixed] = &its_way;
        const int need = need_ + on_board_;
        // Two choices to look at first: the one that refuted last, and all pairs started by the last player.
        const auto refuted = [&](int column) { return std::max(0, ways[column]->count - 1 - refutation_[column]); };
        if (one_choice(ways, refuted) < need) return false;
        if (one_choice(ways, [&](int column) { return ways[column]->count - 1; }) < need) return false;
        if (worse_than_any(ways) >= need) return true;
        const Margin worst = least(ways);
        if (worst >> ways_bits >= need) return true;
        for (int column = 0; column < columns_; ++column) {
            const int way = static_cast<int>(worst >> way_bits * column) & ((1 << way_bits) - 1);
            refutation_[column] = static_cast<std::int8_t>(ways[column]->count - 1 - way);
        }
        return false;
    }

    // Not more than any choice: the last player has each cell that it has in some way, the other one has only those that
    // it has in all ways.
    template <class Ways>
    int worse_than_any(const Ways& ways) const {
        int sum = 0;
        for (int column = 0; column < columns_; ++column) sum += ways[column]->least_upright;
        for (int column = 0; column + 3 < columns_; ++column)
            sum += E::margin(ways[column]->at_worst & ways[column + 1]->at_worst & ways[column + 2]->at_worst &
                             ways[column + 3]->at_worst);
        return sum;
    }

    template <class Ways, class Choose>
    int one_choice(const Ways& ways, Choose choose) const {
        std::array<Word, B::columns> across;
        int sum = 0;
        for (int column = 0; column < columns_; ++column) {
            const int way = choose(column);
            across[column] = ways[column]->across[way];
            sum += ways[column]->upright[way];
        }
        for (int column = 0; column + 3 < columns_; ++column)
            sum += E::margin(across[column] & across[column + 1] & across[column + 2] & across[column + 3]);
        return sum;
    }

    // A margin in the high bits, and below it the ways that lead to it, so that the least one tells them.
    using Margin = std::int64_t;
    static constexpr int way_bits = std::bit_width(static_cast<unsigned>(E::most - 1)), ways_bits = way_bits * B::columns;
    static_assert(ways_bits <= 48);

    // The least final margin over all choices of ways.
    template <class Ways>
    Margin least(const Ways& ways) const {
        const auto upright = [&](int column, int way) {
            return (Margin{ways[column]->upright[way]} << ways_bits) + (Margin{way} << way_bits * column);
        };
        constexpr int most = E::most;
        // At [b][c][a]: the least margin of what lies to the left, if three neighbours end in the ways a, b, c.
        std::array<std::array<std::array<std::array<Margin, most>, most>, most>, 2> table;
        for (int b = 0; b < ways[1]->count; ++b)
            for (int c = 0; c < ways[2]->count; ++c)
                for (int a = 0; a < ways[0]->count; ++a) table[0][b][c][a] = upright(0, a);
        for (int column = 0; column + 3 < columns_; ++column) {
            const auto& from = table[column & 1];
            auto& to = table[~column & 1];
            const auto &first = *ways[column], &second = *ways[column + 1], &third = *ways[column + 2],
                       &fourth = *ways[column + 3];
            for (int b = 0; b < second.count; ++b)
                for (int c = 0; c < third.count; ++c) {
                    const Word middle = second.across[b] & third.across[c];
                    for (int d = 0; d < fourth.count; ++d) {
                        const Word three = middle & fourth.across[d];
                        Margin worst = Margin{1000} << ways_bits;
                        for (int a = 0; a < first.count; ++a)
                            worst = std::min(worst, from[b][c][a] + (Margin{E::margin(three & first.across[a])} << ways_bits));
                        to[c][d][b] = worst + upright(column + 1, b);
                    }
                }
        }
        const auto& all = table[(columns_ - 3) & 1];
        const auto &first = *ways[columns_ - 3], &second = *ways[columns_ - 2], &third = *ways[columns_ - 1];
        Margin worst = Margin{1000} << ways_bits;
        for (int b = 0; b < second.count; ++b)
            for (int c = 0; c < third.count; ++c)
                for (int a = 0; a < first.count; ++a)
                    worst = std::min(worst, all[b][c][a] + upright(columns_ - 2, b) + upright(columns_ - 1, c));
        return worst;
    }

    Choice& refutation_;
    int columns_, on_board_, need_ = 0;
    unsigned with_single_ = 0, hopeful_ = 0;
    int single_count_;
    std::array<const typename E::Column*, B::columns> column_;
    std::array<typename E::Column, B::rows <= 8 ? 1 : B::columns> space_;
    struct Tried {
        unsigned mine;  // the singles of the other player
        unsigned runs;  // the columns tried with them
        unsigned held;
    };
    std::array<Tried, 32> tried_;
    int tried_count_ = 0;
};

}  // namespace maxconnect4
