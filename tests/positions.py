"""Positions for the tests: random ones, and those with exact values."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import strategies as st

from maxconnect4 import Board
from maxconnect4.measuring.positions.sets import EXACT


def exact_positions() -> list[tuple[str, int, list[int | None]]]:
    """Positions with the final margin of perfect play: moves, value, and the score of each column."""
    rows = (line.split("\t") for line in Path(EXACT).read_text().splitlines() if line[0].isdigit())
    return [(moves, int(value), [None if s == "." else int(s) for s in scores]) for moves, value, *scores in rows]


def drawn(position: str, game: str = "max") -> Board:
    """The board that a drawing shows, top row first."""
    return Board.from_rows([[int(cell) for cell in row] for row in position.split()], game)


def random_board(rng: random.Random, plies: int, game: str = "max", width: int = 7, height: int = 6) -> Board:
    """A board after so many random drops; in the classic game one that nobody has won."""
    while True:
        board = Board(game, width=width, height=height)
        while board.pieces() < plies and not board.is_over():
            board.drop(rng.choice(board.columns()))
        if not board.is_over():
            return board


@st.composite
def boards(draw: st.DrawFn, game: str = "max", width: int = 7, height: int = 6) -> Board:
    board = Board(game, width=width, height=height)
    for choice in draw(st.lists(st.integers(0, width - 1), max_size=width * height)):
        columns = board.columns()
        if columns:
            board.drop(columns[choice % len(columns)])
    return board


# Red is to move, and makes a four by a drop into column 4.
UPRIGHT = """
0000000
0000000
0000000
0001000
2001000
2201000"""
LEVEL = """
0000000
0000000
0000000
0000000
0000002
1110022"""
SLANTING = """
0000000
0000000
0000000
0012000
0122000
1211002"""
