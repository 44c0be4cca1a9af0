"""What each move of a game that has been played gave away: the value before it less the value after it.

The review of one game, `review`, says more of it, and takes several times as long.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..board import RED
from ..notation import board_from_moves
from .playing import solver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..board import Board


@dataclass(frozen=True, slots=True)
class ToReview:
    """A game that has been played, and how many moves of it were the opening."""

    number: int
    moves: str
    opening: int
    game: str = "max"


def given_away(game: ToReview) -> tuple[int, ...]:
    """The points that each move after the opening gave away. Those of a classic game are as `games.points_of` has them,
    so a win that comes later than it could has given some away, too.
    """
    board = board_from_moves(game.moves, game.game)
    after, lost = _value(board), []
    while board.pieces() > game.opening:  # from the end, where the solver is quick, so that its table helps before that
        board.undo()
        before = _value(board)
        lost.append(abs(before - after))
        after = before
    return tuple(reversed(lost))


def _value(board: Board) -> int:
    """The final margin with perfect play, in red's view; that of a game which is over, too."""
    value = solver().analyse(board, only_value=True).value
    return value if board.to_move == RED else -value
