#include "solver.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "game.hpp"
#include "threaded_solver.hpp"

namespace maxconnect4 {

template <class B>
class MaxGame;
template <class B>
class ClassicGame;

namespace {

// The instance for a height has as many columns as fit; a board of fewer columns uses the first ones.
template <template <class> class GameOf>
std::unique_ptr<Game> game_of_height(int columns, int rows) {
    switch (rows) {
        case 4: return make_game<GameOf<WidestBoard<4>>>(columns);
        case 5: return make_game<GameOf<WidestBoard<5>>>(columns);
        case 6: return make_game<GameOf<WidestBoard<6>>>(columns);
        case 7: return make_game<GameOf<WidestBoard<7>>>(columns);
        case 8: return make_game<GameOf<WidestBoard<8>>>(columns);
        case 9: return make_game<GameOf<WidestBoard<9>>>(columns);
        case 10: return make_game<GameOf<WidestBoard<10>>>(columns);
        case 11: return make_game<GameOf<WidestBoard<11>>>(columns);
        case 12: return make_game<GameOf<WidestBoard<12>>>(columns);
        case 13: return make_game<GameOf<WidestBoard<13>>>(columns);
        case 14: return make_game<GameOf<WidestBoard<14>>>(columns);
        default: return make_game<GameOf<WidestBoard<15>>>(columns);
    }
}

std::unique_ptr<Game> game_of(bool classic, int columns, int rows) {
    if (!classic) return game_of_height<MaxGame>(columns, rows);
    // The standard board has its own instance, which is faster.
    if (columns == 7 && rows == 6) return make_game<ClassicGame<Board<7, 6>>>(columns);
    return game_of_height<ClassicGame>(columns, rows);
}

// Formats a size in the notation of the command line: 64M.
std::string format_bytes(std::size_t bytes) {
    for (const auto& [letter, unit] : {std::pair{'G', 1u << 30}, std::pair{'M', 1u << 20}, std::pair{'K', 1u << 10}})
        if (bytes >= unit && bytes % unit == 0) return std::to_string(bytes / unit) + letter;
    return std::to_string(bytes) + " bytes";
}

}  // namespace

std::unique_ptr<Solver> Solver::make(int columns, int rows, bool classic, std::size_t table_bytes, int threads,
                                     std::optional<BookLayer> layer) {
    const std::string size = std::to_string(columns) + "x" + std::to_string(rows);
    if (columns < 4 || rows < 4 || columns * (rows + 1) > 64)
        throw std::invalid_argument("a board of " + size +
                                    " cannot be solved: from 4x4 up, columns x (rows + 1) may be 64 at the most");
    const std::size_t least = SharedTranspositionTable::least_bytes(columns * (rows + 1));
    if (table_bytes < least)
        throw std::invalid_argument("a table of " + format_bytes(table_bytes) + " is too small for a board of " + size +
                                    ": it takes at least " + format_bytes(least));
    // The table starts small: allocate its largest size once, to report a lack of memory now.
    { const ZeroedMemory all(table_bytes); }
    if (threads < 1) throw std::invalid_argument("at least one thread has to search");
    if (layer && (columns != 7 || rows != 6)) throw std::invalid_argument("the opening book is of a board of 7x6");
    return std::make_unique<ThreadedSolver>(game_of(classic, columns, rows), columns, rows, table_bytes, threads, layer);
}

}  // namespace maxconnect4
