// The rules on bitboards, for a board of any size that fits 64 bits.
//
// A board of 7 columns and 6 rows uses these bits; row 7 is the guard row, always empty, which keeps a shift from
// running out of the top of one column into the bottom of the next:
//
//     guard   6 13 20 27 34 41 48
//     row 6   5 12 19 26 33 40 47
//     row 5   4 11 18 25 32 39 46
//     row 4   3 10 17 24 31 38 45
//     row 3   2  9 16 23 30 37 44
//     row 2   1  8 15 22 29 36 43
//     row 1   0  7 14 21 28 35 42
//     column  1  2  3  4  5  6  7
//
// A step up is a shift by 1, a step to the right by 7 (rows + 1), the diagonals by 8 and 6. A worked example: stones
// on row 1, columns 2 to 5, are bits 7, 14, 21, 28. `pairs = s & (s >> 7)` leaves the bits whose right neighbour is
// a stone too: 7, 14, 21. `pairs & (pairs >> 14)` leaves those that start a pair with another pair two to the right:
// bit 7 alone. One bit, one four, named by its first cell.
//
// Columns and rows count from 0 in core/, from 1 everywhere else; search.py converts.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace maxconnect4 {

using Bits = std::uint64_t;

template <int Columns, int Rows>
struct Board {
    static_assert(Columns >= 1 && Rows >= 1 && Columns * (Rows + 1) <= 64);
    static constexpr int columns = Columns;
    static constexpr int rows = Rows;
    static constexpr int cells = Columns * Rows;
    static constexpr int right = Rows + 1;
    // Up, right, and the two diagonals to the right.
    static constexpr std::array<int, 4> directions{1, right, right + 1, right - 1};

    static constexpr Bits cell(int column, int row) { return Bits{1} << (column * right + row); }
    static constexpr Bits column_mask(int column) { return ((Bits{1} << Rows) - 1) << (column * right); }

    static constexpr Bits row_mask(int row) {
        Bits mask = 0;
        for (int column = 0; column < Columns; ++column) mask |= cell(column, row);
        return mask;
    }

    static constexpr Bits bottom = row_mask(0);
    static constexpr Bits all_cells = bottom * ((Bits{1} << Rows) - 1);

    // Rows counted from the top: upper, lower, upper, ... Every column ends with an upper cell, so that the player of
    // the last move of the game can answer every move into a lower cell with one on top of it.
    static constexpr Bits every_other_row(int top) {
        Bits mask = 0;
        for (int row = top; row >= 0; row -= 2) mask |= row_mask(row);
        return mask;
    }
    static constexpr Bits upper_cells = every_other_row(Rows - 1);
    static constexpr Bits lower_cells = every_other_row(Rows - 2);

    // The first cells of the fours of these stones in one direction.
    static constexpr Bits fours(Bits stones, int direction) {
        const Bits pairs = stones & (stones >> direction);
        return pairs & (pairs >> 2 * direction);
    }

    // The first cells of the windows in one direction.
    static constexpr Bits window_starts(int direction) { return fours(all_cells, direction); }

    static constexpr int count_windows() {
        int count = 0;
        for (int direction : directions) count += std::popcount(window_starts(direction));
        return count;
    }
    static constexpr int windows = count_windows();

    // The number of windows through a cell: 3 in the corners of the standard board, 13 in its middle.
    static constexpr int windows_through(Bits one_cell) {
        int count = 0;
        for (int direction : directions)
            for (int step = 0; step < 4; ++step) count += (window_starts(direction) & (one_cell >> step * direction)) != 0;
        return count;
    }

    // The points of one colour: its fours, each counted.
    static constexpr int points(Bits stones) {
        int count = 0;
        for (int direction : directions) count += std::popcount(fours(stones, direction));
        return count;
    }
    static constexpr int margin(Bits own, Bits other) { return points(own) - points(other); }
    // The points that one more stone makes.
    static constexpr int made(Bits stones, Bits landing) { return points(stones | landing) - points(stones); }

    static constexpr bool has_four(Bits stones) {
        for (int direction : directions)
            if (fours(stones, direction) != 0) return true;
        return false;
    }

    // The cells, empty or not, that would complete a four of these stones.
    static constexpr Bits completing(Bits stones) {
        Bits found = 0;
        for (int d : directions) {
            const Bits pairs = stones & (stones >> d);          // OO
            const Bits threes = pairs & (stones >> 2 * d);      // OOO
            found |= (threes << 3 * d) | (threes >> d);         // OOO_ and _OOO
            found |= (pairs & (stones >> 3 * d)) << 2 * d;      // OO_O
            found |= (stones & (pairs >> 2 * d)) << d;          // O_OO
        }
        return found & all_cells;
    }

    // Where the next stone of each column that is not full would land. Adding the bottom row to the stones carries a
    // one through each column to its lowest empty cell; in a full column that is the guard cell.
    static constexpr Bits landings(Bits all_stones) { return (all_stones + bottom) & all_cells; }

    // The cells of a board of fewer columns, which uses the first ones.
    static constexpr Bits cells_in(int count) { return all_cells & (count < Columns ? ~(~Bits{0} << count * right) : ~Bits{0}); }

    static constexpr int column_of(Bits one_cell) { return std::countr_zero(one_cell) / right; }

    static constexpr Bits mirrored(Bits stones) {
        Bits mirror = 0;
        for (int column = 0; column < Columns; ++column) {
            const Bits one = (stones >> column * right) & ((Bits{1} << right) - 1);
            mirror |= one << (Columns - 1 - column) * right;
        }
        return mirror;
    }
};

static_assert(Board<7, 6>::windows == 69);

// Number `i`, from 0, of the columns from the centre outwards, the left one of two as near first.
constexpr int from_the_centre(int columns, int i) {
    const int centre = (columns - 1) / 2, distance = (i + 1) / 2;
    return i % 2 == columns % 2 ? centre - distance : centre + distance;
}

// With as many columns as fit. Shifts depend on the height alone: a board of fewer columns can use the first ones.
template <int Rows>
using WidestBoard = Board<64 / (Rows + 1), Rows>;

// The stones of the side to move and of the opponent, on a board of any size.
struct Sides {
    Bits mine = 0;
    Bits theirs = 0;

    // Red begins.
    static constexpr Sides of(Bits red, Bits green) {
        return std::popcount(red) == std::popcount(green) ? Sides{red, green} : Sides{green, red};
    }

    constexpr Bits stones() const { return mine | theirs; }
    constexpr Sides after(Bits landing) const { return {theirs, mine | landing}; }
};

// The same, on a board of one size.
template <class B>
struct Position : Sides {
    static constexpr Position of(Bits red, Bits green) { return {Sides::of(red, green)}; }

    constexpr Bits landings() const { return B::landings(stones()); }
    constexpr Position after(Bits landing) const { return {Sides::after(landing)}; }

    // Different for different positions: in each column the highest bit marks the lowest empty cell, and the bits
    // below it are the stones of the side to move. The key of the mirror image is the mirrored key.
    constexpr Bits key() const { return (stones() + B::bottom) | mine; }
};

// One key for a position and its mirror image, and whether it is that of the image.
struct SharedKey {
    Bits key;
    bool mirrored;

    static constexpr SharedKey of(Bits key, Bits image) { return image < key ? SharedKey{image, true} : SharedKey{key, false}; }
};

// The sums of four one-bit numbers, in all 64 places at once: the binary digits of each sum.
struct Sums {
    Bits ones, twos, four;
    constexpr Sums(Bits a, Bits b, Bits c, Bits d)
        : ones(a ^ b ^ c ^ d), twos((a & b) ^ (c & d) ^ ((a ^ b) & (c ^ d))), four(a & b & c & d) {}
    constexpr Bits none() const { return ~(ones | twos | four); }
    constexpr Bits exactly_one() const { return ones & ~twos; }
    constexpr Bits exactly_two() const { return twos & ~ones; }
    constexpr Bits exactly_three() const { return ones & twos; }
};

// The number of ways to play `depth` plies on; in the classic game a four ends play.
template <class B, bool Classic>
std::uint64_t count_games(Position<B> position, int depth) {
    if (depth == 0) return 1;
    if (Classic && B::has_four(position.theirs)) return 0;
    std::uint64_t count = 0;
    for (Bits open = position.landings(); open != 0; open &= open - 1)
        count += count_games<B, Classic>(position.after(open & -open), depth - 1);
    return count;
}

}  // namespace maxconnect4
