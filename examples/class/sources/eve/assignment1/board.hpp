#pragma once
#include <algorithm>
#include <fstream>
#include <string>

// The board, from the bottom row, and the player to move.
struct Board {
    int cells[7][6] = {};
    int heights[7] = {};
    int player = 1;

    bool read(const std::string& path) {
        std::ifstream file(path);
        for (int row = 5; row >= 0; row--) {
            std::string line;
            if (!(file >> line) || line.size() != 7) return false;
            for (int c = 0; c < 7; c++) {
                if (line[c] < '0' || line[c] > '2') return false;
                cells[c][row] = line[c] - '0';
                if (cells[c][row]) heights[c] = std::max(heights[c], row + 1);
            }
        }
        return static_cast<bool>(file >> player);
    }

    void write(const std::string& path) const {
        std::ofstream file(path);
        for (int row = 5; row >= 0; row--) {
            for (int c = 0; c < 7; c++) file << cells[c][row];
            file << '\n';
        }
        file << player << '\n';
    }

    int run(int c, int r, int dc, int dr) const {
        int length = 0;
        for (int i = 0; i < 3; i++, length++) {
            c += dc;
            r += dr;
            if (c < 0 || c > 6 || r < 0 || r > 5 || cells[c][r] != player) break;
        }
        return length;
    }

    int drop(int c) {
        const int r = heights[c]++;
        cells[c][r] = player;
        int points = 0;
        const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
        for (auto& d : directions) points += std::max(0, run(c, r, d[0], d[1]) + run(c, r, -d[0], -d[1]) - 2);
        player = 3 - player;
        return points;
    }

    void undo(int c) {
        cells[c][--heights[c]] = 0;
        player = 3 - player;
    }
};
