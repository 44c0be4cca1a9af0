"""Computer players: depth-limited search, perfect play, and random moves."""

from __future__ import annotations

from .search import Choice, choose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .board import Board
    from .solver import Analysis, Progress, Solver


class Player:
    """Base class of a computer player. Ties go to the column nearest the centre."""

    def choose(self, board: Board, scores: bool = False) -> Choice:
        """Choose a column for the player to move; with `scores`, also compute the value of every column."""
        raise NotImplementedError


class SearchingPlayer(Player):
    """A player that searches with these settings of `choose`.

    `with_progress(search, board)` calls the search and displays its progress; the default displays nothing.
    """

    def __init__(
        self,
        depth: int | None = None,
        *,
        seconds: float | None = None,
        evaluation: str | None = None,
        with_progress: Callable[[Callable[..., Choice], Board], Choice] | None = None,
    ) -> None:
        self.depth = depth
        self.seconds = seconds
        self.evaluation = evaluation
        self.with_progress = with_progress

    def choose(self, board: Board, scores: bool = False) -> Choice:
        """Choose a column by a depth-limited search."""

        def search(board: Board, **callbacks: Any) -> Choice:
            return choose(
                board, self.depth, seconds=self.seconds, evaluation=self.evaluation, scores=scores, **callbacks
            )

        return self.with_progress(search, board) if self.with_progress else search(board)

    def __repr__(self) -> str:
        settings = {"depth": self.depth, "seconds": self.seconds, "evaluation": self.evaluation}
        given = [f", {name} {value}" for name, value in settings.items() if value is not None]
        return f"<SearchingPlayer{''.join(given)}>"


class RandomPlayer(Player):
    """A player that chooses legal columns at random. The same random seed gives the same choices."""

    def __init__(self, seed: int | str | None = None) -> None:
        from random import Random

        self.seed = seed
        self._random = Random(seed)

    def choose(self, board: Board, scores: bool = False) -> Choice:
        """Choose a random column; the scores are unknown."""
        from .sample_positions import random_choice

        board.check_not_over()
        return Choice(random_choice(board.columns(), self._random), scores=[None] * board.width if scores else None)

    def __repr__(self) -> str:
        return "<RandomPlayer>" if self.seed is None else f"<RandomPlayer, seed {self.seed!r}>"


class PerfectPlayer(Player):
    """A player that plays both games perfectly, with a solver.

    `seconds` and `stop` limit each search: see `Solver.analyse`. `with_progress(solve, board)` calls the solver and
    displays its progress; the default displays nothing.
    """

    def __init__(
        self,
        solver: Solver,
        with_progress: Callable[[Callable[..., Analysis], Board], Analysis] | None = None,
        *,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        self.solver = solver
        self.with_progress = with_progress
        self.seconds = seconds
        self.stop = stop

    def choose(self, board: Board, scores: bool = False) -> Choice:
        """Choose the best column; `solver.Analysis` defines the values."""
        board.check_not_over()

        def solve(board: Board, progress: Callable[[Progress], None] | None = None) -> Analysis:
            if scores:
                return self.solver.analyse(board, line=False, seconds=self.seconds, stop=self.stop, progress=progress)
            return self.solver.best_column(board, seconds=self.seconds, stop=self.stop, progress=progress)

        analysis = self.with_progress(solve, board) if self.with_progress else solve(board)
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

    def __repr__(self) -> str:
        return f"<PerfectPlayer with {self.solver!r}>"
