"""Positions by chance, and whether they show how strong a move is."""

from __future__ import annotations

from .board import GREEN, RED, Board, other

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random


def random_board(source: Random, plies: int, game: str = "max") -> Board:
    """The board after so many drops, each into any column that has room. The same source gives the same, for ever.

    A classic game that is over before is given up, and another one begun.
    """
    board = Board(game)
    while board.pieces() < plies:
        columns = board.columns()
        if not columns:
            board = Board(game)
            continue
        board.drop(any_of(columns, source))
    return board


def any_of(columns: list[int], source: Random) -> int:
    """One of several columns. The same source gives the same, for ever: what `random` gives is sure to stay."""
    return columns[int(source.random() * len(columns))]


def is_settled(board: Board) -> bool:
    """Whether anybody sees who wins a classic game: it is over, whoever is to move has four with the next drop, or the
    other one threatens so in two columns at once.
    """
    if board.is_over():
        return True
    wins = {RED: 0, GREEN: 0}
    for column in board.columns():
        for player in wins:
            wins[player] += board.makes_four(column, player)
    return wins[board.to_move] > 0 or wins[other(board.to_move)] > 1


def show_strength(scores: Iterable[int | None]) -> bool:
    """Whether the columns with these scores are not all worth the same: else any move is as good as the best."""
    return len(set(scores) - {None}) > 1
