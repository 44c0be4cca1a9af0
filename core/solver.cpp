#include "solver.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace maxconnect4 {

template <class B>
class MaxGame;
template <class B>
class ClassicGame;
// In solver_of_height.hpp; instantiated in max_rows_*.cpp and classic_rows.cpp.
template <class Game>
std::unique_ptr<Solver> make_solver_of_height(int columns, std::size_t table_bytes, int threads);

namespace {

template <template <class> class Game>
std::unique_ptr<Solver> make_solver(int columns, int rows, std::size_t table_bytes, int threads) {
    switch (rows) {
        case 4: return make_solver_of_height<Game<WidestBoard<4>>>(columns, table_bytes, threads);
        case 5: return make_solver_of_height<Game<WidestBoard<5>>>(columns, table_bytes, threads);
        case 6: return make_solver_of_height<Game<WidestBoard<6>>>(columns, table_bytes, threads);
        case 7: return make_solver_of_height<Game<WidestBoard<7>>>(columns, table_bytes, threads);
        case 8: return make_solver_of_height<Game<WidestBoard<8>>>(columns, table_bytes, threads);
        case 9: return make_solver_of_height<Game<WidestBoard<9>>>(columns, table_bytes, threads);
        case 10: return make_solver_of_height<Game<WidestBoard<10>>>(columns, table_bytes, threads);
        case 11: return make_solver_of_height<Game<WidestBoard<11>>>(columns, table_bytes, threads);
        case 12: return make_solver_of_height<Game<WidestBoard<12>>>(columns, table_bytes, threads);
        case 13: return make_solver_of_height<Game<WidestBoard<13>>>(columns, table_bytes, threads);
        case 14: return make_solver_of_height<Game<WidestBoard<14>>>(columns, table_bytes, threads);
        default: return make_solver_of_height<Game<WidestBoard<15>>>(columns, table_bytes, threads);
    }
}

// As people write amounts of memory: 64M.
std::string amount(std::size_t bytes) {
    for (const auto& [letter, unit] : {std::pair{'G', 1u << 30}, std::pair{'M', 1u << 20}, std::pair{'K', 1u << 10}})
        if (bytes >= unit && bytes % unit == 0) return std::to_string(bytes / unit) + letter;
    return std::to_string(bytes) + " bytes";
}

}  // namespace

std::unique_ptr<Solver> Solver::make(int columns, int rows, bool classic, std::size_t table_bytes, int threads) {
    const std::string size = std::to_string(columns) + "x" + std::to_string(rows);
    if (columns < 4 || rows < 4 || columns * (rows + 1) > 64)
        throw std::invalid_argument("a board of " + size +
                                    " cannot be solved: from 4x4 up, columns x (rows + 1) may be 64 at the most");
    const std::size_t least = SharedTable::least_bytes(columns * (rows + 1));
    if (table_bytes < least)
        throw std::invalid_argument("a table of " + amount(table_bytes) + " is too small for a board of " + size +
                                    ": it takes at least " + amount(least));
    // The table starts small; that the whole of it can be had is found out now.
    { const ZeroedMemory all(table_bytes); }
    if (threads < 1) throw std::invalid_argument("at least one thread has to search");
    if (!classic) return make_solver<MaxGame>(columns, rows, table_bytes, threads);
    if (columns == 7 && rows == 6) return make_solver_of_height<ClassicGame<Board<7, 6>>>(columns, table_bytes, threads);
    return make_solver<ClassicGame>(columns, rows, table_bytes, threads);
}

}  // namespace maxconnect4
