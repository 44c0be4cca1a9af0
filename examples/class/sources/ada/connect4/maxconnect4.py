"""Max-Connect4 with alpha-beta search: maxconnect4.py one-move INPUT OUTPUT DEPTH."""

import os
import sys

from board import fours, read, write

ORDER = (3, 2, 4, 1, 5, 0, 6)
OTHER = {"1": "2", "2": "1"}


def negamax(columns, player, depth, alpha, beta):
    moves = [c for c in ORDER if len(columns[c]) < 6]
    if not moves or depth == 0:
        return 0, None
    best, choice = -1000, None
    for c in moves:
        columns[c].append(player)
        points = fours(columns, c)
        value = points - negamax(columns, OTHER[player], depth - 1, points - beta, points - alpha)[0]
        columns[c].pop()
        if value > best:
            best, choice = value, c
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, choice


def main():
    _, _mode, source, target, depth = sys.argv
    columns, player = read(source) if os.path.exists(source) else ([[] for _ in range(7)], "1")
    if all(len(column) == 6 for column in columns):
        print("The board is full.")
        return
    _, choice = negamax(columns, player, max(1, int(depth)), -1000, 1000)
    columns[choice].append(player)
    write(target, columns, OTHER[player])
    print("column", choice + 1)


if __name__ == "__main__":
    main()
