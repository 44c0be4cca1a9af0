"""What a position is worth, in the words of the protocols: `cp 150` or `mate 3`, in the view of the side to move.

In Max-Connect4 100 centipawns are a point of the final margin. In the classic game a win or a loss that is certain is a
mate in so many moves of the winner; as long as nothing is certain, 100 are about an open three.
"""

from __future__ import annotations

from ..outcomes import moves_to_win
from ..search import win_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..board import Board

CENTIPAWNS = {"margin": 100.0, "windows": 0.1}  # the others are near enough as they are
MOST = 20_000


def of_search(board: Board, value: int, exact: bool, evaluation: str) -> str:
    """The value that a search has found. In Max-Connect4 it is a margin if it is `exact`."""
    moves = win_in(board, value)
    if moves is not None:
        return _mate(moves, value)
    centipawns = round(value * (100 if exact else CENTIPAWNS.get(evaluation, 1)))
    return f"cp {max(-MOST, min(centipawns, MOST))}"


def of_solver(board: Board, value: int) -> str:
    """The value that the solver or the book gives."""
    if board.game == "max":
        return f"cp {100 * value}"
    return _mate(moves_to_win(board, value), value) if value else "cp 0"


def _mate(moves: int, value: int) -> str:
    return f"mate {moves if value > 0 else -moves}"
