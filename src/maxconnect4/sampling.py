"""Positions by chance, and whether they show how strong a move is."""

from __future__ import annotations

from .board import Board

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random


def random_board(source: Random, plies: int) -> Board:
    """The board after so many drops, each into any column that has room. The same source gives the same, for ever."""
    board = Board()
    for _ in range(plies):
        columns = board.columns()
        board.drop(columns[int(source.random() * len(columns))])  # what random() gives is the only thing sure to stay
    return board


def show_strength(scores: Iterable[int | None]) -> bool:
    """Whether the columns with these scores are not all worth the same: else any move is as good as the best."""
    return len(set(scores) - {None}) > 1
