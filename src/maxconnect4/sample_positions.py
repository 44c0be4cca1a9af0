"""Sample positions: random ones, and the regret of moves in positions with known scores, for `check` and `measure`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean, stdev

from .board import GREEN, RED, Board, opponent
from .scores import sign


def random_board(source: Random, plies: int, game: str = "max") -> Board:
    """A board after `plies` random moves, reproducible across Python versions.

    A classic game that ends before is discarded and a new one started.
    """
    board = Board(game)
    while board.pieces() < plies:
        columns = board.columns()
        if not columns:
            board = Board(game)
            continue
        board.drop(random_choice(columns, source))
    return board


def random_choice(columns: list[int], source: Random) -> int:
    """Choose a column at random, reproducibly across Python versions: `random()` is stable, `choice()` is not."""
    return columns[int(source.random() * len(columns))]


def is_decided(board: Board) -> bool:
    """Whether a classic game is decided: it is over, the player to move can make a four, or the opponent threatens it
    in two columns at once.
    """
    if board.is_over():
        return True
    wins = {RED: 0, GREEN: 0}
    for column in board.columns():
        for player in wins:
            wins[player] += board.makes_four(column, player)
    return wins[board.to_move] > 0 or wins[opponent(board.to_move)] > 1


def have_different_values(scores: Iterable[int | None]) -> bool:
    """Whether these column scores differ; otherwise every move is a best move."""
    return len(set(scores) - {None}) > 1


@dataclass(frozen=True, slots=True)
class Position:
    """A position with the score of every column, if they are known."""

    board: Board
    #: The final margin of each column with perfect play, for the side to move, or its score in the classic game; None
    #: for a full column.
    scores: tuple[int | None, ...] | None = None

    def regret(self, column: int) -> int | None:
        """The score of the best column minus that of this one, if the scores are known."""
        if self.scores is None:
            return None
        return self._best() - self._score(column)

    def keeps_result(self, column: int) -> bool:
        """Whether a move keeps a win a win, and a draw a draw."""
        return sign(self._best()) == sign(self._score(column))

    def _best(self) -> int:
        return max(score for score in self.scores or () if score is not None)

    def _score(self, column: int) -> int:
        score = None if self.scores is None else self.scores[column - 1]
        assert score is not None, f"column {column} is full"
        return score


@dataclass(frozen=True, slots=True)
class Regret:
    """The regret of several moves in points; in the classic game, in units of its score."""

    mean: float
    error: float  # the standard error of the mean
    perfect_share: float  # share of the moves with a regret of 0
    worst: int
    moves: int

    @classmethod
    def of(cls, regrets: Iterable[Sequence[int]]) -> Regret:
        """Summarise the regrets of one move or several in each position; every position has the same weight."""
        by_position = list(regrets)
        means = [fmean(each) for each in by_position]
        moves = [regret for each in by_position for regret in each]
        error = stdev(means) / math.sqrt(len(means)) if len(means) > 1 else 0.0
        return cls(fmean(means), error, moves.count(0) / len(moves), max(moves), len(moves))
