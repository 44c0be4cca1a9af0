"""What each column is worth with perfect play, for learners who want to know."""

from __future__ import annotations

import numpy as np

from ..solver import Solver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..board import Board
    from .arrays import Array


def solver_from(scores: bool | Solver) -> Solver | None:
    """Who gives the scores: a solver of the caller's, a new one for True, nobody for False."""
    if isinstance(scores, Solver):
        return scores
    return Solver() if scores else None


def exact_scores(board: Board, player: int, solver: Solver) -> Array:
    """What each column is worth to a player with perfect play; NaN for a full one, and if it is not their turn."""
    if board.is_over() or board.to_move != player:
        return np.full(board.width, np.nan, np.float32)
    scores = solver.analyse(board, line=False).scores
    assert scores is not None
    return np.array([np.nan if score is None else score for score in scores], np.float32)
