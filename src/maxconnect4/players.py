"""How the computer chooses: by a search to some depth or for some time, by perfect play, or by chance."""

from __future__ import annotations

from .search import Choice, choose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    from .board import Board
    from .solver import Analysis, Solver

    class Player(Protocol):
        """Chooses a column for the side to move: of those that it takes for equal, the one nearest the centre."""

        def choose(self, board: Board, scores: bool = False) -> Choice:
            """The column, and with `scores` what every column is worth."""


class SearchingPlayer:
    """Plays what `choose` finds with these settings.

    `watched(search, board)` may be given to call the search, so that somebody can be shown how far it is.
    """

    def __init__(
        self,
        depth: int | None = None,
        *,
        seconds: float | None = None,
        evaluation: str | None = None,
        watched: Callable[[Callable[..., Choice], Board], Choice] | None = None,
    ) -> None:
        self.depth = depth
        self.seconds = seconds
        self.evaluation = evaluation
        self.watched = watched

    def choose(self, board: Board, scores: bool = False) -> Choice:
        """The column, and with `scores` what every column is worth."""

        def search(board: Board, **watching: Any) -> Choice:
            return choose(
                board, self.depth, seconds=self.seconds, evaluation=self.evaluation, scores=scores, **watching
            )

        return self.watched(search, board) if self.watched else search(board)

    def __repr__(self) -> str:
        settings = {"depth": self.depth, "seconds": self.seconds, "evaluation": self.evaluation}
        given = [f", {name} {value}" for name, value in settings.items() if value is not None]
        return f"<SearchingPlayer{''.join(given)}>"


class RandomPlayer:
    """Drops anywhere. The same seed gives the same drops."""

    def __init__(self, seed: int | str | None = None) -> None:
        from random import Random

        self.seed = seed
        self._random = Random(seed)

    def choose(self, board: Board, scores: bool = False) -> Choice:
        """Some column; it knows nothing of what they are worth."""
        from .sampling import any_of

        board.check_goes_on()
        return Choice(any_of(board.columns(), self._random), scores=[None] * board.width if scores else None)

    def __repr__(self) -> str:
        return "<RandomPlayer>" if self.seed is None else f"<RandomPlayer, seed {self.seed!r}>"


class PerfectPlayer:
    """Plays either game perfectly, by a solver, which keeps what it has learnt for the next move.

    `watched(ask, board)` may be given to call the solver, so that somebody can be shown how far it is.
    """

    def __init__(
        self, solver: Solver, watched: Callable[[Callable[..., Analysis], Board], Analysis] | None = None
    ) -> None:
        self.solver = solver
        self.watched = watched

    def choose(self, board: Board, scores: bool = False) -> Choice:
        """The column, and with `scores` what every column is worth: see `solver.Analysis`."""
        board.check_goes_on()
        ask = self._every_column if scores else self.solver.best_column
        analysis = self.watched(ask, board) if self.watched else ask(board)
        assert analysis.best
        return Choice(
            analysis.best[0],
            analysis.value,
            board.width * board.height - board.pieces(),
            analysis.nodes,
            analysis.cpu_seconds,
            analysis.scores,
            exact=True,
            source=analysis.source,
        )

    def _every_column(self, board: Board, **watching: Any) -> Analysis:
        return self.solver.analyse(board, line=False, **watching)

    def __repr__(self) -> str:
        return f"<PerfectPlayer with {self.solver!r}>"
