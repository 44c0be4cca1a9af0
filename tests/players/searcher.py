"""Alpha-beta to the depth of its argument. The last word, if there is one, names a fault of the search."""

from __future__ import annotations

import random
import sys
import time

from honest import with_cell, write

FAULT = sys.argv[5] if len(sys.argv) > 5 else ""
WINDOWS = [
    [(row + step * down, column + step * right) for step in range(4)]
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    for row in range(6)
    for column in range(7)
    if row + 3 * down < 6 and 0 <= column + 3 * right < 7
]


def margin(rows: list[str], player: str) -> int:
    """The points of a player minus those of the opponent."""
    held = ["".join(rows[row][column] for row, column in window) for window in WINDOWS]
    return held.count(4 * player) - held.count(4 * other(player))


def other(player: str) -> str:
    """The opponent."""
    return "2" if player == "1" else "1"


def moves(rows: list[str], player: str) -> list[tuple[int, list[str]]]:
    """Each column that is not full, from the centre, with the rows after the move."""
    open_columns = [column for column in (3, 2, 4, 1, 5, 0, 6) if rows[0][column] == "0"]
    return [
        (each, with_cell(rows, max(row for row in range(6) if rows[row][each] == "0"), each, player))
        for each in open_columns
    ]


def value(rows: list[str], player: str, depth: int, alpha: int = -100, beta: int = 100) -> int:
    """The value for the player to move."""
    after = moves(rows, player)
    if depth <= 0 or not after:
        found = margin(rows, player)
        return (found > 0) - (found < 0) if FAULT == "result" else found
    best = -100
    for _, each in after:
        best = max(best, -value(each, other(player), depth - 1, -beta, -max(alpha, best)))
        if best >= (beta - 2 if FAULT == "hasty" else beta) and FAULT != "plain":
            break
    return best


def main() -> None:
    """Make a move."""
    with open(sys.argv[2]) as file:
        *rows, player = file.read().split()
    depth = int(sys.argv[4])
    if FAULT == "endless at 0" and depth == 0:
        time.sleep(1000)
    if FAULT == "short":
        depth -= 1
    after = moves(rows, player)
    if FAULT == "no end" and len(after) < 2:
        sys.exit("min() arg is an empty sequence")
    if FAULT == "random":
        _, chosen = random.choice(after)
    else:
        sign = -1 if FAULT == "as red" and player == "2" else 1
        values = [-sign * value(each, other(player), depth - 1) for _, each in after]
        chosen = after[values.index(max(values))][1]
    write([*chosen, other(player)])


main()
