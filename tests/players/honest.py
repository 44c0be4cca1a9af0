"""Plays the legal column nearest the centre. The others here are this player with a fault."""

from __future__ import annotations

import sys

OUTPUT = sys.argv[3]


def position_after_move() -> list[str]:
    """The lines of the position after the move."""
    with open(sys.argv[2]) as file:
        *rows, player = file.read().split()
    column = min((abs(column - 3), column) for column in range(7) if rows[0][column] == "0")[1]
    row = max(row for row in range(6) if rows[row][column] == "0")
    return [*with_cell(rows, row, column, player), "2" if player == "1" else "1"]


def with_cell(rows: list[str], row: int, column: int, player: str) -> list[str]:
    """The same rows with a piece in one cell; counted from 0, from the top."""
    line = rows[row][:column] + player + rows[row][column + 1 :]
    return [*rows[:row], line, *rows[row + 1 :]]


def write(lines: list[str], end: str = "\n") -> None:
    """Write the output file."""
    with open(OUTPUT, "w", newline="") as file:
        file.write("".join(line + end for line in lines))


if __name__ == "__main__":
    write(position_after_move())
