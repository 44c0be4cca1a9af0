#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "board.hpp"

static const int ORDER[7] = {3, 2, 4, 1, 5, 0, 6};
static int choice = -1;

int search(Board& board, int depth, int alpha, int beta, bool root) {
    int best = -1000;
    for (int c : ORDER) {
        if (board.heights[c] == 6 || depth == 0) continue;
        const int points = board.drop(c);
        const int value = points - search(board, depth - 1, points - beta, points - alpha, false);
        board.undo(c);
        if (value > best) {
            best = value;
            if (root) choice = c;
        }
        alpha = std::max(alpha, best);
        if (alpha >= beta) break;
    }
    return best == -1000 ? 0 : best;
}

int main(int argc, char** argv) {
    if (argc != 5) return 2;
    Board board;
    if (std::ifstream(argv[2]) && !board.read(argv[2])) {
        std::fprintf(stderr, "not a position\n");
        return 1;
    }
    search(board, std::max(1, std::atoi(argv[4]) - 1), -1000, 1000, true);
    if (choice < 0) {
        std::puts("The board is full.");
        return 0;
    }
    board.drop(choice);
    board.write(argv[3]);
    std::printf("column %d\n", choice + 1);
}
