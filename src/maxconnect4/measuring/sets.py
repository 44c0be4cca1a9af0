"""Positions that players are measured on: by name, from a file, or a set with the exact score of every column."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..board import Board


@dataclass(frozen=True, slots=True)
class Position:
    """A position, and what its columns are worth, if that is known."""

    board: Board
    #: The final margin of each column with perfect play, for the side to move; None for a full one.
    scores: tuple[int | None, ...] | None = None

    def regret(self, column: int) -> int | None:
        """The points that a drop gives away against perfect play, if the scores are known."""
        if self.scores is None:
            return None
        score = self.scores[column - 1]
        assert score is not None, f"column {column} is full"
        return max(each for each in self.scores if each is not None) - score


@dataclass(frozen=True, slots=True)
class PositionSet:
    """Some positions under one name."""

    name: str
    positions: tuple[Position, ...]

    @property
    def has_scores(self) -> bool:
        """Whether it shows the strength of moves, and not only what they take."""
        return all(position.scores is not None for position in self.positions)


def set_from(text: str) -> PositionSet:
    """The set that a word names: empty, samples, exact, a file, or a move string."""
    raise NotImplementedError
