// Which column to try first in the classic game: weights found by trial, with the fewest nodes as the aim.
#pragma once

#include <array>
#include <algorithm>

namespace maxconnect4 {

struct OrderWeights {
    std::array<std::array<int, 6>, 4> cells;  // by the column's distance from the edge, and the row
    int good_four;  // an empty cell that would complete a four, in a row that falls to the mover in the end
    int threat;     // one that can be played at once
    int four;       // in one of the other rows
    int deny;       // the cell is one where the opponent would make a three
    int give;       // the cell above is
    int lay_open;   // the cell above is one where the mover would make a three
    int waste;      // or even a four
    int follow_up;  // on top of the opponent's last stone

    // `off_centre` is twice the distance from the centre. Boards of other sizes use what is nearest.
    int cell(int off_centre, int row) const { return cells[std::max(0, 3 - (off_centre + 1) / 2)][std::min(row, 5)]; }
};

// For the player who does not make the last move, and for the one who does.
inline constexpr std::array<OrderWeights, 2> order_weights{{
    {{{{0, 0, 0, 0, 0, 0}, {20, 20, 20, 20, 20, 20}, {40, 40, 40, 40, 40, 40}, {60, 60, 60, 60, 60, 60}}},
     100, 0, 100, 0, 0, 0, 0, 0},
    {{{{0, 0, 0, 0, 0, 0}, {20, 20, 20, 20, 20, 20}, {40, 40, 40, 40, 40, 40}, {60, 60, 60, 60, 60, 60}}},
     100, 0, 100, 0, 0, 0, 0, 0},
}};

}  // namespace maxconnect4
