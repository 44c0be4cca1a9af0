// Move ordering in the classic game.
#pragma once

#include <algorithm>
#include <array>

#include "board.hpp"

namespace maxconnect4 {

// The empty cells where a stone would make a three whose fourth cell is empty.
template <class B>
constexpr Bits making_threes(Bits mine, Bits empty) {
    Bits found = 0;
    for (int d : B::directions) {
        Bits lines = B::fours(mine | empty, d) & Sums(mine, mine >> d, mine >> 2 * d, mine >> 3 * d).exactly_two();
        lines |= lines << d;
        found |= lines | lines << 2 * d;
    }
    return found & empty;
}

// Found by trial, with the fewest nodes as the aim.
struct MoveOrderingWeights {
    std::array<std::array<int, 6>, 4> cells;  // by the column's distance from the edge, and the row
    int good_four;  // an empty cell that would complete a four, in a row that falls to the mover in the end
    int four;       // in one of the other rows
    int threat;     // one of them can be played at once
    int waste;      // the cell above would complete one: the opponent takes it

    // `off_centre` is twice the distance from the centre. Boards of other sizes use what is nearest.
    int cell(int off_centre, int row) const { return cells[std::max(0, 3 - (off_centre + 1) / 2)][std::min(row, 5)]; }
};

// For the player who does not make the last move, and for the one who does.
inline constexpr std::array<MoveOrderingWeights, 2> move_ordering_weights{{
    {{{{-13, 3, -15, 5, -18, 35}, {-14, 20, 24, 20, 4, 28}, {13, 21, 38, 33, 27, 41}, {86, 60, 60, 59, 78, 42}}},
     84, 100, 57, -167},
    {{{{5, 15, 9, 21, 7, 37}, {20, 11, 20, 21, 20, 32}, {40, 25, 44, 40, 28, 41}, {50, 80, 59, 60, 80, 76}}},
     166, 143, 30, -57},
}};

}  // namespace maxconnect4
