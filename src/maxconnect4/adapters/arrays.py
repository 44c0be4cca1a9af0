"""A position as NumPy arrays: what a learner sees, where it may drop, and a picture.

Rows count from the top here, as in a position file, and columns from 0: so the frameworks have it.
"""

from __future__ import annotations

import numpy as np

from ..board import EMPTY, GREEN, RED, Board, other

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Array = NDArray[Any]

CELL = 48  # pixels of the picture that a cell is wide and high
FRAME = (20, 60, 160)
COLOURS = {EMPTY: (245, 245, 245), RED: (210, 40, 40), GREEN: (40, 160, 70)}


def planes(board: Board, player: int) -> Array:
    """Where a player has pieces and where the opponent has: ones in two planes, indexed by row, column, plane."""
    cells = np.array(board.rows())
    return np.stack([cells == player, cells == other(player)], axis=2).astype(np.int8)


def columns_with_room(board: Board) -> Array:
    """A one for each column that is not full."""
    return np.array([len(board.stack(column)) < board.height for column in board.all_columns()], np.int8)


def picture(board: Board) -> Array:
    """The board drawn: pixels by row and column, each red, green and blue."""
    across = np.arange(CELL) - (CELL - 1) / 2
    disc = (across[:, None] ** 2 + across**2 < (0.4 * CELL) ** 2)[:, :, None]
    tiles = {piece: np.where(disc, colour, FRAME).astype(np.uint8) for piece, colour in COLOURS.items()}
    return np.concatenate([np.concatenate([tiles[cell] for cell in row], axis=1) for row in board.rows()])
