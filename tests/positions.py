"""Random positions for the tests: games as lists of columns, played as far as they are legal."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from maxconnect4 import Board


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
