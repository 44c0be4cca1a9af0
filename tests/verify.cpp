// Checks the solver against brute force that shares no code with it: no bitboards, no table, no bound but alpha-beta.
//
//     verify empty        the empty boards of 4x4, 5x4, 4x5 and 6x4 (minutes)
//     verify late N SEED  N random late positions of boards of many sizes: every column, with tables of a few kilobytes
//                         and of a megabyte, with 1, 2 and 4 threads, their mirror images, and after searches that were
//                         stopped
//     verify bounds N SEED  N random late positions: every bound on its own, also that of each column that could be frozen
//     verify list-bounds N SEED  does not check, but lists the bounds on N random positions, as tests/data/bounds.tsv has them
//     verify threads N SEED  N random positions that take several threads and a growing table some work: 1, 2 and 4
//                         threads give the same scores
//     verify classic-empty, classic-late N SEED, classic-bounds N SEED, classic-threads N SEED  the same for the classic game
//
// Prints what it has checked, or the first difference, and then ends with 1.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "plain_board.hpp"
#include "solver.hpp"

using namespace maxconnect4;

namespace {

[[noreturn]] void differ(const PlainBoard& board, const char* what, int found, int truth) {
    std::printf("%dx%d: %s, player %d to move\n%s is %d, by brute force %d\n", board.columns, board.rows, board.text().c_str(),
                board.to_move, what, found, truth);
    std::exit(1);
}

constexpr Size sizes[] = {{7, 6}, {6, 5}, {7, 5}, {4, 4}, {5, 4}, {4, 5}, {6, 4}, {8, 4}, {5, 7},  {7, 7},
                          {8, 6}, {8, 7}, {9, 6}, {4, 9}, {10, 5}, {12, 4}, {6, 9}, {5, 11}, {4, 15}, {7, 6}};

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

void compare(const PlainBoard& board, bool classic, Solver& solver, const std::vector<int>& scores, const OnProgress& on_progress) {
    const int best = *std::max_element(scores.begin(), scores.end());
    const auto value = solver.analyse(board.bits(1), board.bits(2), AnalysisKind::best, on_progress);
    if (value && value->value != best) differ(board, "the value alone", value->value, best);
    if (value && scores[value->line.at(0)] != best) differ(board, "the best column", scores[value->line[0]], best);
    const auto all = solver.analyse(board.bits(1), board.bits(2), AnalysisKind::all, on_progress);
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
        const std::size_t least = SharedTranspositionTable::least_bytes(key_bits);
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

// The value of which bounds speak: for the player who does not make the last move, or in the classic game the one to move.
int value_of_bounds(PlainBoard& board, bool classic) {
    if (classic) return brute_force_classic(board, -infinity, infinity);
    return brute_force(board, -infinity, infinity) * (board.empty() % 2 == 1 ? -1 : 1);
}

// The bound of a frozen column: the value of the position after the empty cells of the column, an even number, go to both players
// in turn, the last player on top. For the player who does not make the last move of the game.
int with_frozen_column(const PlainBoard& board, int column) {
    const int last = board.empty() % 2 == 1 ? board.to_move : 3 - board.to_move;
    PlainBoard filled = board;
    while (filled.open(column)) {
        filled.stacks[column].push_back(static_cast<char>('0' + 3 - last));
        filled.stacks[column].push_back(static_cast<char>('0' + last));
    }
    const int gain = margin(filled) - margin(board);
    return (board.to_move == last ? -gain : gain) + value_of_bounds(filled, false);
}

void check_bounds(bool classic, int count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (const Size& size : sizes) {
        const int key_bits = size.columns * (size.rows + 1);
        const auto solver = Solver::make(size.columns, size.rows, classic, SharedTranspositionTable::least_bytes(key_bits), 1);
        int checked = 0, tight_above = 0, tight_below = 0;
        for (; checked < std::max(1, count / static_cast<int>(std::size(sizes))); ++checked) {
            PlainBoard board = random_late(size, classic, 1 + static_cast<int>(random() % 14), random);
            const int value = value_of_bounds(board, classic);
            const StaticBounds bounds = solver->bounds(board.bits(1), board.bits(2));
            int least = -infinity, most = infinity;
            const auto at_most = [&](const char* name, std::optional<int> bound) {
                if (bound && *bound < value) differ(board, name, *bound, value);
                most = std::min(most, bound.value_or(infinity));
            };
            const auto at_least = [&](const char* name, std::optional<int> bound) {
                if (bound && *bound > value) differ(board, name, *bound, value);
                least = std::max(least, bound.value_or(-infinity));
            };
            at_most("follow-up (at most)", bounds.follow_up);
            at_most("start (at most)", bounds.start);
            at_most("every drop (at most)", bounds.every_move);
            at_least("running up (at least)", bounds.running_up);
            for (int column = 0; column < board.columns && !classic; ++column)
                if (board.open(column) && (board.rows - board.stacks[column].size()) % 2 == 0)
                    at_most("freezing a column (at most)", with_frozen_column(board, column));
            at_most("what is known (at most)", bounds.at_most);
            at_least("what is known (at least)", bounds.at_least);
            tight_above += most == value;
            tight_below += least == value;
        }
        std::printf("%dx%d: %d positions, no bound is broken; exact above %d, below %d\n", size.columns, size.rows,
                    checked, tight_above, tight_below);
        std::fflush(stdout);
    }
}

// A line for each: the game, the size, the pieces of the columns, the value and the bounds, a dash where one has no say.
void list_bounds(bool classic, int count, std::uint64_t seed) {
    static constexpr Size listed[] = {{7, 6}, {12, 4}, {7, 6}, {6, 9}, {8, 6}, {7, 6}, {4, 4}, {7, 6}, {5, 11}, {8, 4}, {4, 5}};
    std::mt19937_64 random(seed);
    const auto go_on = [](const Progress&) { return false; };
    const auto text = [](std::optional<int> bound) { return bound ? std::to_string(*bound) : std::string("-"); };
    for (int i = 0; i < count; ++i) {
        const Size size = listed[i % std::size(listed)];
        const int most_empty = std::min(22, size.columns * size.rows);
        const PlainBoard board = random_late(size, classic, 1 + static_cast<int>(random() % most_empty), random);
        const std::size_t least = SharedTranspositionTable::least_bytes(size.columns * (size.rows + 1));
        const auto solver = Solver::make(size.columns, size.rows, classic, std::max(least, std::size_t{1} << 20), 1);
        int value = solver->analyse(board.bits(1), board.bits(2), AnalysisKind::value, go_on)->value;
        if (!classic) value = (value - margin(board)) * (board.empty() % 2 == 1 ? -1 : 1);
        const StaticBounds bounds = solver->bounds(board.bits(1), board.bits(2));
        std::printf("%s\t%dx%d\t%s\t%d", classic ? "classic" : "max", size.columns, size.rows, board.text().c_str(), value);
        for (const auto bound : {bounds.at_least, bounds.running_up, bounds.at_most, bounds.follow_up, bounds.start, bounds.every_move})
            std::printf("\t%s", text(bound).c_str());
        std::printf("\n");
    }
}

void check_threads(bool classic, int count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const OnProgress go_on = [](const Progress&) { return false; };
    for (int checked = 0; checked < count; ++checked) {
        const PlainBoard board = random_late({7, 6}, classic, 22 + static_cast<int>(random() % 6), random);
        const auto alone =
            Solver::make(7, 6, classic, std::size_t{1} << 24, 1)->analyse(board.bits(1), board.bits(2), AnalysisKind::scores, go_on);
        for (const int threads : {2, 4})
            for (const std::size_t bytes : {std::size_t{1} << 16, std::size_t{1} << 24}) {
                const auto solver = Solver::make(7, 6, classic, bytes, threads);
                int patience = static_cast<int>(random() % 20);
                solver->analyse(board.bits(1), board.bits(2), AnalysisKind::scores, [&](const Progress&) { return --patience < 0; });
                const auto together = solver->analyse(board.bits(1), board.bits(2), AnalysisKind::scores, go_on);
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
        const auto found = Solver::make(size.columns, size.rows, classic, 1 << 20, 1)->analyse(0, 0, AnalysisKind::value, [](const Progress&) {
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
    else if (what == "bounds" || what == "classic-bounds") check_bounds(what != "bounds", number, seed);
    else if (what == "list-bounds" || what == "classic-list-bounds") list_bounds(what != "list-bounds", number, seed);
    else {
        std::printf("usage: verify [classic-]empty | [classic-]{late,bounds,list-bounds,threads} [N [SEED]]\n");
        return 2;
    }
}
