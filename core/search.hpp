// The depth-limited search: alpha-beta with iterative deepening and a transposition table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "board.hpp"

namespace maxconnect4 {

struct SearchTask {
    int columns, rows;
    bool classic;  // the first four ends the game
    Bits red, green;
    std::string_view evaluation;
    int depth;         // in plies, at least 1; the number of empty cells or more is perfect play
    double seconds;    // stop deepening after this long (wall clock); infinity for no limit
    std::uint64_t nodes;  // stop deepening after this many nodes; 0 for no limit
    bool all_scores;   // also compute the exact value of every column
    std::size_t table_bytes;
};

struct Choice {
    int column = -1;
    int value = 0;  // from the view of the side to move at the root
    int depth = 0;  // the depth that was searched to its end
    bool exact = false;  // the search reached the end of the game: the value is the final margin, or a won or lost game
    std::uint64_t nodes = 0;
    std::vector<std::optional<int>> scores;  // by column, if all_scores
    std::vector<std::vector<int>> lines;  // by column: its principal variation, where the value is exact
    int table_permille = 0;  // the share of the largest table that is in use
};

// Called every few thousand nodes; true stops the search.
using ShouldStop = std::function<bool()>;

// Called with the result of each completed depth; true stops the search. May be empty.
using OnDepth = std::function<bool(const Choice&)>;

// In the classic game the value of a win is this minus the number of stones on the board, so that an earlier win is
// better and a later loss less bad. It exceeds every evaluation by far.
inline constexpr int classic_win = 1'000'000'000;

// The column that plain minimax to the given depth would choose with this evaluation, and its value: of columns with
// equal values the one nearest the centre, and the left one of two as near. The transposition table, move ordering and
// iterative deepening change the time, never the column or the value. If the depth reaches the end of the game, the
// value is the final margin, whatever the evaluation.
//
// Returns nothing if `should_stop` or `on_depth` returned true. If the time or the nodes run out it returns the result of the
// deepest search that was finished; depth 1 is always finished.
// Throws std::invalid_argument for a size or an evaluation that is not built in, or if every column is full.
std::optional<Choice> choose(const SearchTask& task, const ShouldStop& should_stop, const OnDepth& on_depth);

// The value of one position by one evaluation, from the view of red or green.
int evaluate(int columns, int rows, Bits red, Bits green, std::string_view evaluation, bool for_red);

std::uint64_t perft(int columns, int rows, bool classic, Bits red, Bits green, int depth);

}  // namespace maxconnect4
