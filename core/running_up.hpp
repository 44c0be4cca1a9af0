// Bounds that the other player, who does not make the last move of the game, can enforce by *running up* columns.
// Terms as in last_player.hpp; docs/explanation/solving.md has the proof.
//
// It answers every start of the last player with the cell on top. When it has to start a pair itself, it continues
// with the next one of the same column, up to the top: it runs the column up. So in every column the last player has
// started some pairs from below (the other one has their upper cells), and the other player all the pairs above them (it
// has their lower cells). How many of each is for the last player to choose. With k pairs in a column that is k + 1 ways to
// end, not 2 to the k, and the worst choice for all the columns together is found exactly, from left to right: a line of
// four runs through four neighbouring columns at the most, so the ways of the last three determine the rest.
//
// As long as there are singles, the other player may run up several columns at once, before any pair of them is started:
// these end in one way. Which singles and columns it gets is a small game, which is played out first.
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
            if (column_[column]->others.count > 1) with_pairs_ |= 1u << column;
        }
        single_count_ = std::popcount(with_single_);
    }

    // Whether the other player can force a gain of at least `need` on the last one. False proves nothing.
    bool proves(bool other_to_move, int need) {
        need_ = need;
        if (!is_hopeful()) return false;
        stages_left_ = most_stages;
        stages_.fill(0);
        const Stage start{.open = with_single_};
        return other_to_move ? others_turn(start, with_pairs_ & ~with_single_) : lasts_turn(start);
    }

   private:
    // --- The game of singles and runs. A stage of it consists of sets of columns, as bits.
    struct Stage {
        unsigned open = 0;     // no player has taken the single
        unsigned taken = 0;    // the other player has taken the single
        unsigned running = 0;  // the other player is running it up: the upper cell of a pair is open
        unsigned run = 0;      // it was run up to the top
        unsigned both = 0;     // it was run up to some pair, of which the other player has both cells

        Stage take_single(unsigned column) const { return {open ^ column, taken | column, running, run, both}; }
        Stage lose_single(unsigned column) const { return {open ^ column, taken, running, run, both}; }
        Stage begin_run(unsigned column) const { return {open, taken, running | column, run, both}; }
        Stage end_run(unsigned column) const { return {open, taken, running ^ column, run | column, both}; }
        Stage take_both(unsigned column) const { return {open, taken, running ^ column, run, both | column}; }

        static_assert(B::columns <= 12);
        std::uint64_t key() const {  // never zero
            return std::uint64_t{1} << 60 | std::uint64_t{both} << 48 | std::uint64_t{run} << 36 |
                   std::uint64_t{running} << 24 | std::uint64_t{taken} << 12 | open;
        }
    };

    // An even number of singles: the open ones, and one in each running column. In the `fresh` columns no pair can have
    // been started.
    bool others_turn(const Stage& stage, unsigned fresh) {
        if (stages_left_-- <= 0) return false;
        if (stage.open == 0 && stage.running == 0 && fresh == 0) return holds(stage);
        const auto takes_single = [&](unsigned column) { return lasts_turn(stage.take_single(column)); };
        const auto begins_run = [&](unsigned column) { return lasts_turn(stage.begin_run(column)); };
        const auto takes_both = [&](unsigned column) { return lasts_turn(stage.take_both(column)); };
        return any(stage.open, takes_single) || any(fresh, begins_run) || (E::both_known && any(stage.running, takes_both));
    }

    // An odd number of singles. Many orders of moves lead to the same stage, so results are kept.
    bool lasts_turn(const Stage& stage) {
        std::uint64_t& known = stages_[stage.key() * 0x9E3779B97F4A7C15u >> 56];
        if (known >> 1 == stage.key()) return known & 1;
        const bool met = meets_every_move(stage);
        if (stages_left_ > 0) known = stage.key() << 1 | met;
        return met;
    }

    // The last player may also start pairs, but those are answered on top, whatever the stage.
    bool meets_every_move(const Stage& stage) {
        if (stages_left_-- <= 0) return false;
        if (stage.open == 0 && std::has_single_bit(stage.running)) return holds(stage.end_run(stage.running));
        const auto ends_run = [&](unsigned column) { return others_turn(stage.end_run(column), 0); };
        const auto takes_single = [&](unsigned column) {
            return others_turn(stage.lose_single(column), column & with_pairs_);
        };
        if (all(stage.running, ends_run) && all(stage.open, takes_single)) return true;
        const bool nothing_started = (stage.running | stage.run | stage.both) == 0;
        return nothing_started && single_count_ <= 2 && keeps_a_column(stage);
    }

    // The last player is to move, with one single, and no pair has been started. The other player keeps a column for
    // itself: it runs it up when the single is taken; if the last player starts it, it takes the single.
    bool keeps_a_column(const Stage& stage) {
        return any(with_pairs_ & ~with_single_, [&](unsigned column) {
            return holds(stage.lose_single(stage.open).begin_run(column).end_run(column)) &&
                   holds(stage.take_single(stage.open), column);
        });
    }

    template <class Test>
    static bool any(unsigned columns, Test test) {
        for (; columns != 0; columns &= columns - 1)
            if (test(columns & -columns)) return true;
        return false;
    }
    template <class Test>
    static bool all(unsigned columns, Test test) {
        return !any(columns, [&](unsigned column) { return !test(column); });
    }

    // --- The pairs

    // Whether the game is worth playing: some column that is run up alone reaches `need`, if the other player has all other
    // singles, and the last one starts all other pairs.
    bool is_hopeful() {
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
        for (int column = 0; column < columns_; ++column) {
            if (!((with_single_ | with_pairs_) >> column & 1)) continue;
            const auto& its = column_[column];
            int now = sum + its->run.upright[0] - its->others.upright[its->others.count - 1];
            const Word before = std::exchange(across[column], its->run.across[0]);
            for (int i = std::max(0, column - 3); i <= column && i + 3 < columns_; ++i)
                now += margin(i) - margins[i];
            across[column] = before;
            if (now >= 0) return true;
        }
        return false;
    }

    // Whether the other player gains enough at the end of the game, however many pairs the last player starts in each
    // column. In the `caught` column, if any, the last player has both cells of the lowest pair, and the others are run up.
    bool holds(const Stage& stage, unsigned caught = 0) {
        std::array<const typename E::Ways*, B::columns> ways{};
        for (int column = 0; column < columns_; ++column) {
            const auto in = [column](unsigned columns) { return (columns >> column & 1) != 0; };
            const auto& its = *column_[column];
            ways[column] = in(stage.run)                     ? &its.run
                           : in(stage.both)                  ? &its.both
                           : in(caught)                      ? &its.caught
                           : in(with_single_ & ~stage.taken) ? &its.lasts
                                                             : &its.others;
        }
        return all_ways_hold(ways);
    }

    template <class Ways>
    bool all_ways_hold(const Ways& ways) {
        const int need = need_ + on_board_;
        if (last_refutation(ways) < need) return false;
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

    // The margin of the choice that refuted last.
    template <class Ways>
    int last_refutation(const Ways& ways) const {
        std::array<Word, B::columns> across;
        int sum = 0;
        for (int column = 0; column < columns_; ++column) {
            const int way = std::max(0, ways[column]->count - 1 - refutation_[column]);
            across[column] = ways[column]->across[way];
            sum += ways[column]->upright[way];
        }
        for (int column = 0; column + 3 < columns_; ++column)
            sum += E::margin(across[column] & across[column + 1] & across[column + 2] & across[column + 3]);
        return sum;
    }

    // A margin in the high bits, and below it the ways that lead to it, so that the least value includes them.
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
        // At [b][c][a]: the least margin of the columns to the left, if three neighbours end in the ways a, b, c.
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
    unsigned with_single_ = 0, with_pairs_ = 0;
    int single_count_;
    std::array<const typename E::Column*, B::columns> column_;
    std::array<typename E::Column, B::rows <= 8 ? 1 : B::columns> space_;

    static constexpr int most_stages = 3000;  // of the game of singles and runs, before it is given up
    int stages_left_ = 0;
    std::array<std::uint64_t, 256> stages_;  // by a hash of the key: the key, and in the lowest bit the result of lasts_turn
};

}  // namespace maxconnect4
