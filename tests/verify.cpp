// Checks the solver against brute force that shares no code with it: no bitboards, no table, no bound but alpha-beta.
//
//     verify empty        the empty boards of 4x4, 5x4, 4x5 and 6x4 (minutes)
//     verify late N SEED  N random late positions of boards of many sizes: every column, with tables of a few kilobytes
//                         and of a megabyte, with 1, 2 and 4 threads, their mirror images, and after searches that were
//                         stopped
//     verify bounds N SEED  N random late positions: every bound on its own
//     verify threads N SEED  N random positions that take several threads and a growing table some work: 1, 2 and 4
//                         threads give the same scores
//     verify classic-empty, classic-late N SEED, classic-threads N SEED  the same for the classic game
//
// Prints what it has checked, or the first difference, and then ends with 1.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "bounds.hpp"
#include "solver.hpp"

using namespace maxconnect4;

namespace {

constexpr int infinity = 1000;

// A board as a child would write it down: columns of 0, 1 and 2.
struct PlainBoard {
    int columns, rows, to_move = 1;
    std::vector<std::string> stacks;  // the pieces of each column from the bottom

    PlainBoard(int columns, int rows) : columns(columns), rows(rows), stacks(columns) {}

    bool has(int column, int row, int player) const {
        return column >= 0 && column < columns && row >= 0 && row < static_cast<int>(stacks[column].size()) &&
               stacks[column][row] == '0' + player;
    }

    // Drops a piece and returns the points that it makes: the fours that it is part of.
    int drop(int column) {
        const int player = to_move, row = static_cast<int>(stacks[column].size());
        stacks[column].push_back(static_cast<char>('0' + player));
        to_move = 3 - to_move;
        static constexpr int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
        int points = 0;
        for (const auto& [right, up] : steps) {
            int before = 0, after = 0;
            while (before < 3 && has(column - (before + 1) * right, row - (before + 1) * up, player)) ++before;
            while (after < 3 && has(column + (after + 1) * right, row + (after + 1) * up, player)) ++after;
            points += std::max(0, before + after - 2);
        }
        return points;
    }
    void undo(int column) {
        stacks[column].pop_back();
        to_move = 3 - to_move;
    }
    bool open(int column) const { return static_cast<int>(stacks[column].size()) < rows; }
    int empty() const {
        int count = columns * rows;
        for (const auto& stack : stacks) count -= static_cast<int>(stack.size());
        return count;
    }
    Bits bits(int player) const {
        Bits bits = 0;
        for (int column = 0; column < columns; ++column)
            for (int row = 0; row < rows; ++row)
                if (has(column, row, player)) bits |= Bits{1} << (column * (rows + 1) + row);
        return bits;
    }
    PlainBoard mirrored() const {
        PlainBoard image = *this;
        std::reverse(image.stacks.begin(), image.stacks.end());
        return image;
    }
    std::string text() const {
        std::string text = std::to_string(columns) + "x" + std::to_string(rows) + ":";
        for (const auto& stack : stacks) text += " " + (stack.empty() ? std::string("-") : stack);
        return text + ", player " + std::to_string(to_move) + " to move";
    }
};

// The future margin of the side to move.
int brute_force(PlainBoard& board, int alpha, int beta) {
    int best = -infinity;
    for (int i = 0; i < board.columns && best < beta; ++i) {
        const int column = board.columns / 2 + (i % 2 ? -(i + 1) / 2 : i / 2);
        if (!board.open(column)) continue;
        const int gain = board.drop(column);
        const int low = std::max(alpha, best);
        best = std::max(best, gain - brute_force(board, gain - beta, gain - low));
        board.undo(column);
    }
    return best == -infinity ? 0 : best;
}

// The same for the classic game: n if the side to move wins with its n-th last piece counted from the full board.
int brute_force_classic(PlainBoard& board, int alpha, int beta) {
    int best = -infinity;
    const int worth_of_four = (board.empty() + 1) / 2;
    for (int i = 0; i < board.columns && best < beta; ++i) {
        const int column = board.columns / 2 + (i % 2 ? -(i + 1) / 2 : i / 2);
        if (!board.open(column)) continue;
        const int low = std::max(alpha, best);
        best = std::max(best, board.drop(column) > 0 ? worth_of_four : -brute_force_classic(board, -beta, -low));
        board.undo(column);
    }
    return best == -infinity ? 0 : best;
}

[[noreturn]] void differ(const PlainBoard& board, const char* what, int found, int truth) {
    std::printf("%s\n%s is %d, by brute force %d\n", board.text().c_str(), what, found, truth);
    std::exit(1);
}

struct Size {
    int columns, rows;
};
constexpr Size sizes[] = {{7, 6}, {6, 5}, {7, 5}, {4, 4}, {5, 4}, {4, 5}, {6, 4}, {8, 4}, {5, 7},  {7, 7},
                          {8, 6}, {8, 7}, {9, 6}, {4, 9}, {10, 5}, {12, 4}, {6, 9}, {5, 11}, {4, 15}, {7, 6}};

PlainBoard random_late(const Size& size, bool classic, int empty, std::mt19937_64& random) {
    PlainBoard board(size.columns, size.rows);
    for (int vain = 0; board.empty() > empty;) {
        const int column = static_cast<int>(random() % size.columns);
        if (!board.open(column)) continue;
        if (board.drop(column) == 0 || !classic) continue;
        board.undo(column);  // a four would end it
        if (++vain == 100) return random_late(size, classic, empty, random);
    }
    return board;
}

int margin(const PlainBoard& board) {  // on the board, for the side to move
    PlainBoard replay(board.columns, board.rows);
    int count[3] = {0, 0, 0};
    for (int column = 0; column < board.columns; ++column)
        for (char piece : board.stacks[column]) {
            replay.to_move = piece - '0';
            count[piece - '0'] += replay.drop(column);
        }
    return count[board.to_move] - count[3 - board.to_move];
}

std::vector<int> true_scores(PlainBoard board, bool classic) {
    std::vector<int> scores;
    const int before = classic ? 0 : margin(board), worth_of_four = (board.empty() + 1) / 2;
    for (int column = 0; column < board.columns; ++column) {
        if (!board.open(column)) {
            scores.push_back(-infinity);
            continue;
        }
        const int gain = board.drop(column);
        scores.push_back(!classic    ? before + gain - brute_force(board, -infinity, infinity)
                         : gain > 0 ? worth_of_four
                                    : -brute_force_classic(board, -infinity, infinity));
        board.undo(column);
    }
    return scores;
}

// What a line that was played to its end comes to.
int outcome(const PlainBoard& board, const std::vector<int>& line, bool classic) {
    PlainBoard end = board;
    int last = 0;
    for (int column : line) {
        if (classic && last > 0) return infinity;  // it goes on after a four
        last = end.drop(column);
    }
    const int view = end.to_move == board.to_move ? 1 : -1;
    if (!classic) return end.empty() == 0 ? margin(end) * view : infinity;
    if (last > 0) return -view * (end.empty() / 2 + 1);
    return end.empty() == 0 ? 0 : infinity;
}

void compare(const PlainBoard& board, bool classic, Solver& solver, const std::vector<int>& scores, const ProgressWatch& watch) {
    const int best = *std::max_element(scores.begin(), scores.end());
    const auto value = solver.analyse(board.bits(1), board.bits(2), Ask::best, watch);
    if (value && value->value != best) differ(board, "the value alone", value->value, best);
    if (value && scores[value->line.at(0)] != best) differ(board, "the best column", scores[value->line[0]], best);
    const auto all = solver.analyse(board.bits(1), board.bits(2), Ask::all, watch);
    if (!all) return;
    if (all->value != best) differ(board, "the value", all->value, best);
    for (int column = 0; column < board.columns; ++column) {
        const int score = all->scores[column].value_or(-infinity);
        if (score != scores[column]) differ(board, ("column " + std::to_string(column + 1)).c_str(), score, scores[column]);
    }
    const int at_end = outcome(board, all->line, classic);
    if (at_end != best) differ(board, "the end of the line", at_end, best);
}

void check_late(bool classic, int count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (const Size& size : sizes) {
        const int key_bits = size.columns * (size.rows + 1);
        const std::size_t least = SharedTable::least_bytes(key_bits);
        std::vector<std::unique_ptr<Solver>> solvers;  // kept, so that tables hold what came before
        if (least <= 1 << 20)
            for (int threads : {1, 2, 4})
                for (std::size_t bytes : {least, std::size_t{1} << 20})
                    solvers.push_back(Solver::make(size.columns, size.rows, classic, bytes, threads));
        else
            solvers.push_back(Solver::make(size.columns, size.rows, classic, least, 2));
        int checked = 0;
        for (; checked < std::max(1, count / static_cast<int>(std::size(sizes))); ++checked) {
            const PlainBoard board = random_late(size, classic, 1 + static_cast<int>(random() % 13), random);
            const PlainBoard image = board.mirrored();
            const std::vector<int> scores = true_scores(board, classic);
            const std::vector<int> reversed(scores.rbegin(), scores.rend());
            for (auto& solver : solvers) {
                int patience = static_cast<int>(random() % 3);
                compare(board, classic, *solver, scores, [&](const Progress&) { return --patience < 0; });
                compare(board, classic, *solver, scores, [](const Progress&) { return false; });
                compare(image, classic, *solver, reversed, [](const Progress&) { return false; });
            }
        }
        std::printf("%dx%d: %d positions, every column, %zu solvers: the same as brute force\n", size.columns, size.rows,
                    checked, solvers.size());
        std::fflush(stdout);
    }
}

void check_bounds(int count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (const Size& size : sizes) {
        const int key_bits = size.columns * (size.rows + 1);
        const auto solver = Solver::make(size.columns, size.rows, false, SharedTable::least_bytes(key_bits), 1);
        int checked = 0, tight_above = 0, tight_below = 0;
        for (; checked < std::max(1, count / static_cast<int>(std::size(sizes))); ++checked) {
            PlainBoard board = random_late(size, false, 1 + static_cast<int>(random() % 14), random);
            const bool last_to_move = board.empty() % 2 == 1;
            const int value = brute_force(board, -infinity, infinity) * (last_to_move ? -1 : 1);  // for the other player
            const StaticBounds bounds = solver->bounds(board.bits(1), board.bits(2));
            if (bounds.follow_up < value) differ(board, "follow-up (at most)", bounds.follow_up, value);
            if (bounds.start.value_or(value) < value) differ(board, "start (at most)", *bounds.start, value);
            if (bounds.every_drop.value_or(value) < value) differ(board, "every drop (at most)", *bounds.every_drop, value);
            if (bounds.running_up.value_or(value) > value) differ(board, "running up (at least)", *bounds.running_up, value);
            tight_above += std::min({bounds.follow_up, bounds.start.value_or(infinity),
                                     bounds.every_drop.value_or(infinity)}) == value;
            tight_below += bounds.running_up == value;
        }
        std::printf("%dx%d: %d positions, no bound is broken; exact above %d, below %d\n", size.columns, size.rows,
                    checked, tight_above, tight_below);
        std::fflush(stdout);
    }
}

void check_threads(bool classic, int count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const ProgressWatch go_on = [](const Progress&) { return false; };
    for (int checked = 0; checked < count; ++checked) {
        const PlainBoard board = random_late({7, 6}, classic, 22 + static_cast<int>(random() % 6), random);
        const auto alone =
            Solver::make(7, 6, classic, std::size_t{1} << 24, 1)->analyse(board.bits(1), board.bits(2), Ask::scores, go_on);
        for (const int threads : {2, 4})
            for (const std::size_t bytes : {std::size_t{1} << 16, std::size_t{1} << 24}) {
                const auto solver = Solver::make(7, 6, classic, bytes, threads);
                int patience = static_cast<int>(random() % 20);
                solver->analyse(board.bits(1), board.bits(2), Ask::scores, [&](const Progress&) { return --patience < 0; });
                const auto together = solver->analyse(board.bits(1), board.bits(2), Ask::scores, go_on);
                if (together->scores != alone->scores || together->line != alone->line)
                    differ(board, "the value with several threads", together->value, alone->value);
            }
    }
    std::printf("7x6: %d positions, 1, 2 and 4 threads: the same scores and lines\n", count);
}

void check_empty(bool classic) {
    for (const Size& size : {Size{4, 4}, Size{5, 4}, Size{4, 5}, Size{6, 4}}) {
        PlainBoard board(size.columns, size.rows);
        const int truth = (classic ? brute_force_classic : brute_force)(board, -infinity, infinity);
        const auto found = Solver::make(size.columns, size.rows, classic, 1 << 20, 1)->analyse(0, 0, Ask::value, [](const Progress&) {
            return false;
        });
        if (found->value != truth) differ(board, "the value", found->value, truth);
        std::printf("%dx%d, empty: %d, the same as brute force\n", size.columns, size.rows, truth);
        std::fflush(stdout);
    }
}

}  // namespace

int main(int count, char** words) {
    const std::string what = count > 1 ? words[1] : "";
    const int number = count > 2 ? std::atoi(words[2]) : 1000;
    const std::uint64_t seed = count > 3 ? std::strtoull(words[3], nullptr, 10) : 1;
    if (what == "empty" || what == "classic-empty") check_empty(what != "empty");
    else if (what == "late" || what == "classic-late") check_late(what != "late", number, seed);
    else if (what == "threads" || what == "classic-threads") check_threads(what != "threads", number, seed);
    else if (what == "bounds") check_bounds(number, seed);
    else {
        std::printf("usage: verify [classic-]empty | [classic-]late [N [SEED]] | bounds [N [SEED]] | [classic-]threads [N [SEED]]\n");
        return 2;
    }
}
