"""Levels by depth alone, until there are better ones."""

from __future__ import annotations

from dataclasses import dataclass

from ..players import PerfectPlayer
from ..search import Choice, choose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..board import Board
    from ..solver import Solver


@dataclass(frozen=True)
class Level:
    """One of the levels."""

    number: int
    name: str
    description: str
    strength: str


LEVELS = {
    game: [Level(number, f"Level {number}", f"Looks {number} plies ahead.", "Not measured.") for number in range(1, 9)]
    for game in ("max", "classic")
}


class LevelPlayer:
    """Plays as one of the levels does."""

    def __init__(
        self,
        number: int,
        game: str = "max",
        seed: int | str | None = None,
        *,
        solver: Solver | None = None,
        watch: Callable[[], None] | None = None,
    ) -> None:
        self._number, self._solver, self._watch = number, solver, watch

    def choose(self, board: Board) -> Choice:
        """The column."""
        if self._number == len(LEVELS[board.game]) and board.game == "max" and self._solver:
            return PerfectPlayer(self._solver).choose(board)
        return choose(board, self._number, watch=self._watch)
