"""What all requests share: the games, the lanes of searches and their solvers."""

from __future__ import annotations

from dataclasses import dataclass

from ...resources import processors
from ...solver import Solver
from ..searches import Lane

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..games.kept import Games
    from ..searches import Search, Work

SOLVER_BYTES = 32 << 20  # one solver's table; more makes it no faster where the book ends
SOLVERS_AT_ONCE = 2


@dataclass(frozen=True)
class Limits:
    """How long each kind of search may take, in seconds.

    Nearly all take far less: a level answers within a quarter of a second, and a middle game is solved in one.
    """

    move_seconds: float = 5
    perfect_seconds: float = 10  # then comes the best that can be had in a moment
    moment_seconds: float = 1
    analysis_seconds: float = 60
    review_seconds: float = 300  # of up to 42 positions


class Service:
    """A server's own things. `shared`: people on other machines use it, too, and see the games that they began."""

    def __init__(self, games: Games, *, shared: bool = False, limits: Limits | None = None) -> None:
        self.games = games
        self.shared = shared
        self.limits = limits or Limits()
        # A level's move takes milliseconds, so that many may wait. Perfect play and analysis take up to seconds: more
        # than these would only make each other slow. Moves go before them. A tree is made in Python, whose lock it
        # shares with the server: one at a time, and not as a nice thread that keeps the lock while others go first.
        self.moves = Lane("moves", max(2, processors()), 200)
        self.perfect = Lane("perfect", SOLVERS_AT_ONCE, 50, nice=5)
        self.trees = Lane("trees", 1, 20)
        self.studies = Lane("studies", SOLVERS_AT_ONCE, 20, nice=10)
        self.reviews = Lane("reviews", SOLVERS_AT_ONCE, 20, nice=10)
        self.lanes = (self.moves, self.perfect, self.trees, self.studies, self.reviews)
        # SQLite waits for the disk, and for other processes: in one thread, while the server answers other requests.
        self.storing = Lane("storing", 1, 200)
        self._solvers: list[Solver] = []  # that are free; the last used one first, which knows most

    def with_solver(self, ask: Callable[[Solver, Search], Any]) -> Work:
        """Work that takes a solver: there are never more of them than places in the lanes."""

        def work(search: Search) -> Any:
            try:
                solver = self._solvers.pop()
            except IndexError:
                solver = Solver(SOLVER_BYTES, threads=1)
            try:
                return ask(solver, search)
            finally:
                self._solvers.append(solver)

        return work

    def close(self) -> None:
        """End all searches."""
        for lane in self.lanes:
            lane.close()
        self.storing.close(wait=True)  # then the file can be closed
