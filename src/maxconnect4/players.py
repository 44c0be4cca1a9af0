"""How the computer chooses: by a search to some depth or for some time, or by perfect play."""

from __future__ import annotations

from .errors import IllegalMove
from .search import Choice, choose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from .board import Board
    from .solver import Analysis

    class Player(Protocol):
        """Chooses a column for the side to move: of those that it takes for equal, the one nearest the centre."""

        def choose(self, board: Board, scores: bool = False) -> Choice:
            """The column, and with `scores` what every column is worth."""


class SearchingPlayer:
    """Plays what `choose` finds with these settings."""

    def __init__(self, depth: int | None = None, *, seconds: float | None = None, evaluation: str = "best") -> None:
        self.depth = depth
        self.seconds = seconds
        self.evaluation = evaluation

    def choose(self, board: Board, scores: bool = False) -> Choice:
        """The column, and with `scores` what every column is worth."""
        return choose(board, self.depth, seconds=self.seconds, evaluation=self.evaluation, scores=scores)


class PerfectPlayer:
    """Plays Max-Connect4 perfectly, by the `analyse` of a solver, which keeps what it has learnt for the next move."""

    def __init__(self, analyse: Callable[[Board], Analysis]) -> None:
        self.analyse = analyse

    def choose(self, board: Board, scores: bool = False) -> Choice:
        """The column, and with `scores` the final margin of every column."""
        if board.is_over():
            raise IllegalMove("the game is over: there is no column to choose")
        analysis = self.analyse(board)
        assert analysis.best
        return Choice(
            analysis.best[0],
            analysis.value,
            board.width * board.height - board.pieces(),
            analysis.nodes,
            analysis.cpu_seconds,
            analysis.scores if scores else None,
            exact=True,
        )
