// A board, and brute force on it, that share no code with the core: no bitboards, no table, no bound but alpha-beta.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

inline constexpr int infinity = 1000;

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
    // As the core has them: a bit for each cell, and an empty row on top of the board.
    std::uint64_t bits(int player) const {
        std::uint64_t bits = 0;
        for (int column = 0; column < columns; ++column)
            for (int row = 0; row < rows; ++row)
                if (has(column, row, player)) bits |= std::uint64_t{1} << (column * (rows + 1) + row);
        return bits;
    }
    PlainBoard mirrored() const {
        PlainBoard image = *this;
        std::reverse(image.stacks.begin(), image.stacks.end());
        return image;
    }
    std::string text() const {
        std::string text;
        for (const auto& stack : stacks) text += (text.empty() ? "" : " ") + (stack.empty() ? std::string("-") : stack);
        return text;
    }
};

// The future margin of the side to move.
inline int brute_force(PlainBoard& board, int alpha, int beta) {
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
inline int brute_force_classic(PlainBoard& board, int alpha, int beta) {
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

struct Size {
    int columns, rows;
};

inline PlainBoard random_late(const Size& size, bool classic, int empty, std::mt19937_64& random) {
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

inline int margin(const PlainBoard& board) {  // on the board, for the side to move
    PlainBoard replay(board.columns, board.rows);
    int count[3] = {0, 0, 0};
    for (int column = 0; column < board.columns; ++column)
        for (char piece : board.stacks[column]) {
            replay.to_move = piece - '0';
            count[piece - '0'] += replay.drop(column);
        }
    return count[board.to_move] - count[3 - board.to_move];
}
