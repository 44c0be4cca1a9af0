// What mutate_bounds.py runs with every mutant: are the bounds those of tests/data/bounds.tsv and more_bounds.tsv, and
// the nodes those of tests/data/solver_nodes.tsv? To be compiled in a second or two, it has one game, and with USUAL the
// boards of six rows alone, without it the others, and with NODES the searches instead.
//
//     check_bounds FILE ...
//
// Prints how many lines are wrong (a bound is beyond the value, or a value is another one) and how many are only different.
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#ifdef CLASSIC
#include "classic_game.hpp"
#else
#include "max_game.hpp"
#endif
#ifdef NODES
#include "make_game.hpp"
#include "threaded_solver.hpp"
#endif

using namespace maxconnect4;

namespace {

#ifdef CLASSIC
const std::string game = "classic";
template <class B>
using GameOn = ClassicGame<B>;
using Usual = Board<7, 6>;  // as in solver.cpp
#else
const std::string game = "max";
template <class B>
using GameOn = MaxGame<B>;
using Usual = WidestBoard<6>;
#endif

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
    return parts;
}

struct Line {
    int columns, rows;
    Bits red = 0, green = 0;
};

int wrong = 0, different = 0, lines = 0;

#ifdef NODES

// game, moves, value, nodes; on the usual board
void check(const std::vector<std::string>& fields) {
    Line line{7, 6};
    int heights[7] = {};
    bool red = true;
    for (char digit : fields[1]) {
        const int column = digit - '1';
        (red ? line.red : line.green) |= Bits{1} << (column * 7 + heights[column]++);
        red = !red;
    }
    ThreadedSolver solver(make_game<GameOn<Usual>>(7), 7, 6, std::size_t{1} << 20, 1);
    const auto found = solver.analyse(line.red, line.green, Ask::value, [](const Progress&) { return false; });
    wrong += found->value != std::stoi(fields[2]);
    different += std::to_string(found->nodes) != fields[3];
}

#else

template <class B>
StaticBounds bounds_of(const Line& line) {
    const auto root = Position<B>::of(line.red, line.green);
    const Bits cells = B::cells_in(line.columns);
    return GameOn<B>(line.columns).bounds(root, cells & ~root.stones(), cells & root.landings());
}

#ifdef USUAL
constexpr bool is_checked(int rows) { return rows == 6; }
StaticBounds bounds_of(const Line& line) { return bounds_of<WidestBoard<6>>(line); }
#else
constexpr bool is_checked(int rows) { return rows != 6; }
StaticBounds bounds_of(const Line& line) {
    switch (line.rows) {
        case 4: return bounds_of<WidestBoard<4>>(line);
        case 5: return bounds_of<WidestBoard<5>>(line);
        case 8: return bounds_of<WidestBoard<8>>(line);
        case 9: return bounds_of<WidestBoard<9>>(line);
        default: return bounds_of<WidestBoard<11>>(line);
    }
}
#endif

// game, size, columns, value, bounds
void check(const std::vector<std::string>& fields) {
    const auto size = split(fields[1], 'x');
    Line line{std::stoi(size[0]), std::stoi(size[1])};
    if (!is_checked(line.rows)) return;
    int cell = 0;
    for (const std::string& column : split(fields[2], ' ')) {
        for (std::size_t row = 0; row < column.size() && column[row] != '-'; ++row)
            (column[row] == '1' ? line.red : line.green) |= Bits{1} << (cell + row);
        cell += line.rows + 1;
    }
    const StaticBounds found = bounds_of(line);
    const int value = std::stoi(fields[3]);
    bool is_wrong = false, is_different = false;
    const auto compare = [&](int field, std::optional<int> bound, int sign) {
        is_wrong |= bound && sign * *bound > sign * value;
        is_different |= (bound ? std::to_string(*bound) : "-") != fields[field];
    };
    compare(4, found.at_least, 1);
    compare(5, found.running_up, 1);
    compare(6, found.at_most, -1);
    compare(7, found.follow_up, -1);
    compare(8, found.start, -1);
    compare(9, found.every_drop, -1);
    wrong += is_wrong;
    different += is_different;
}

#endif

}  // namespace

int main(int count, char** words) {
    for (int i = 1; i < count; ++i) {
        std::ifstream file(words[i]);
        for (std::string text; std::getline(file, text);) {
            const auto fields = split(text, '\t');
            if (fields[0] != game) continue;
            ++lines;
            check(fields);
        }
    }
    std::printf("%d wrong %d different %d lines\n", wrong, different, lines);
}
