// The owners of the remaining cells of columns after one is run up. Terms as in last_player.hpp and running_up.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "board.hpp"

namespace maxconnect4 {

template <class B>
class Endings {
   public:
    // The cells of both players in a column, ready to be compared with those of its neighbours: a bit for each cell in
    // its row, one in its rising and one in its falling diagonal, so that four words that have a bit in common make a
    // four. Diagonals are counted around in a circle of rows + 1, which is enough to tell those of neighbours apart.
    // The other player's cells are in the low half of the word.
    static constexpr int circle = B::rows + 1;
    using Word = std::conditional_t<B::rows + 2 * circle <= 32, std::uint64_t, unsigned __int128>;
    static constexpr int half = sizeof(Word) * 4;
    static constexpr int most_pairs = B::rows / 2;
    // Whether the ways after both cells of a pair are taken are known: on high boards they are too many.
    static constexpr bool both_known = most_pairs <= 4;
    static constexpr int most = both_known ? std::max(most_pairs + 1, most_pairs * (most_pairs + 1) / 2) : most_pairs + 1;

    struct Ways {
        std::array<Word, most> across;
        std::array<std::int8_t, most> upright;  // the margin of upright fours
        std::int8_t count = 0;
        // The other player has the cells that it has in all ways, the last one those that it has in any.
        Word at_worst = ~Word{0} >> half;
        std::int8_t least_upright = 100;
    };
    struct Column {
        Ways others;  // the single, if there is one, is the other player's
        Ways lasts;   // it is the last player's
        Ways run;     // it is the last player's, and then the column is run up: one way
        Ways both;    // the same up to some pair, of which the other player has both cells; the pairs above end in any way
        Ways caught;  // no single; the last player has both cells of the lowest pair, then the column is run up
    };

    explicit Endings(int columns) {
        if constexpr (in_memory) {
            table_.resize(static_cast<std::size_t>(columns) << B::right);
            for (int column = 0; column < columns; ++column)
                for (int height = 0; height <= B::rows; ++height)
                    for (unsigned other = 0; other < 1u << height; ++other) {
                        const unsigned stones = (1u << height) - 1;
                        table_[index(column, other, stones)] = find(column, other, stones);
                    }
        }
    }

    // The ways of a column; `space` may be used for them.
    const Column& of(int column, Bits other, Bits stones, Column& space) const {
        const unsigned others = static_cast<unsigned>(other >> column * B::right) & whole;
        const unsigned all = static_cast<unsigned>(stones >> column * B::right) & whole;
        if constexpr (in_memory) return table_[index(column, others, all)];
        return space = find(column, others, all);
    }

    static int margin(Word lines) {
        using Half = std::conditional_t<half == 32, std::uint32_t, std::uint64_t>;
        if constexpr (half == 32) return std::popcount(lines ^ ~Word{0} << half) - half;  // counts what is not in the high half
        return std::popcount(static_cast<Half>(lines)) - std::popcount(static_cast<Half>(lines >> half));
    }

   private:
    static constexpr bool in_memory = B::rows <= 8;  // the columns of higher boards are too many
    static constexpr unsigned whole = (1u << B::rows) - 1;
    static constexpr unsigned lower_rows = static_cast<unsigned>(B::lower_cells) & whole;

    static std::size_t index(int column, unsigned other, unsigned stones) {
        return (static_cast<std::size_t>(column) << B::right) + other + stones + 1;
    }

    static Column find(int column, unsigned other, unsigned stones) {
        const unsigned last = stones ^ other, empty = whole ^ stones;
        const unsigned single = empty & -empty & ~lower_rows, pairs = empty ^ single;
        const unsigned lower = pairs & lower_rows, upper = pairs & ~lower_rows;
        Column found;
        add(found.run, column, other | lower, last | single | upper);
        const unsigned lowest = (pairs & -pairs) * 3;
        if (single == 0) add(found.caught, column, other | (lower & ~lowest), last | upper | lowest);
        // Calls `add_way` with the other player's cells of some pairs, by the number of them that the last player starts.
        const auto each_way = [&](unsigned of, auto add_way) {
            for (unsigned started = 0;;) {
                add_way((of & lower & ~started) | (upper & started));
                const unsigned rest = of & ~started;
                if (rest == 0) return;
                started |= (rest & -rest) * 3;
            }
        };
        each_way(pairs, [&](unsigned others) {
            add(found.others, column, other | single | others, last | (pairs ^ others));
            add(found.lasts, column, other | others, last | single | (pairs ^ others));
        });
        if constexpr (both_known)
            for (unsigned above = pairs; above != 0;) {
                const unsigned run = lower & ~above, pair = (above & -above) * 3;
                above ^= pair;
                each_way(above, [&](unsigned others_above) {
                    const unsigned others = run | pair | others_above;
                    add(found.both, column, other | others, last | single | (pairs ^ others));
                });
            }
        return found;
    }

    static void add(Ways& ways, int column, unsigned other, unsigned last) {
        const auto fours = [](unsigned cells) { return std::popcount(B::fours(cells, 1)); };
        ways.upright[ways.count] = static_cast<std::int8_t>(fours(other) - fours(last));
        ways.least_upright = std::min(ways.least_upright, ways.upright[ways.count]);
        const Word others = spread(other, column), lasts = spread(last, column) << half;
        ways.at_worst = (ways.at_worst & (others | ~Word{0} << half)) | lasts;
        ways.across[ways.count++] = others | lasts;
    }
    static Word spread(unsigned cells, int column) {
        const int turn = column % circle;
        constexpr unsigned mask = (1u << circle) - 1;
        const unsigned falling = (cells << turn | cells >> (circle - turn)) & mask;
        const unsigned rising = (cells >> turn | cells << (circle - turn)) & mask;
        return cells | static_cast<Word>(rising) << B::rows | static_cast<Word>(falling) << (B::rows + circle);
    }

    std::vector<Column> table_;
};

}  // namespace maxconnect4
