// Which column to try first in the classic game: weights found by trial, with the fewest nodes as the aim.
#pragma once

#include <algorithm>
#include <array>

namespace maxconnect4 {

struct OrderWeights {
    std::array<std::array<int, 6>, 4> cells;  // by the column's distance from the edge, and the row
    int good_four;  // an empty cell that would complete a four, in a row that falls to the mover in the end
    int four;       // in one of the other rows
    int threat;     // one of them can be played at once
    int waste;      // the cell above would complete one: the opponent takes it

    // `off_centre` is twice the distance from the centre. Boards of other sizes use what is nearest.
    int cell(int off_centre, int row) const { return cells[std::max(0, 3 - (off_centre + 1) / 2)][std::min(row, 5)]; }
};

// For the player who does not make the last move, and for the one who does.
inline constexpr std::array<OrderWeights, 2> order_weights{{
    {{{{-7, 9, -18, -8, -23, 23}, {19, 13, 0, 51, 20, 25}, {17, 31, 14, 35, 30, 40}, {85, 56, 57, 44, 50, 55}}},
     125, 130, 214, 28},
    {{{{3, 16, -6, -1, -11, 35}, {-12, 16, 4, 31, 19, 20}, {60, 49, 40, 37, 56, 45}, {43, 81, 51, 58, 95, 77}}},
     95, 56, 10, -25},
}};

}  // namespace maxconnect4
