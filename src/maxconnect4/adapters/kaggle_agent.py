"""An agent for Kaggle's ConnectX. An agent file may be one line:

    from maxconnect4.adapters.kaggle_agent import agent

It plays perfectly, as long as that takes no longer than a move may: then it plays what a search finds in the time left.
On boards of other sizes it does so, too; where the solver takes too long, and the search does not know the size, it
plays what is best at a glance. It always plays for four in a row.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from ..board import Board
from ..errors import BadPosition, CannotSolve
from ..levels.attention import Attention, glance
from ..search import choose
from ..solver import Progress, Solver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ACT_TIMEOUT, LEAST = 2.0, 0.1  # seconds for a move, if nothing is said, and if next to nothing is allowed
SOLVING, SEARCHING = 0.55, 0.2  # of that time; a machine may be slow to stop either
OVERLOOKS_NOTHING = Attention(own=1, theirs=1, above=1, slanting=1)


class _TimeIsUp(Exception):
    """Raised in the solver's progress, to stop it."""


_solver: Solver | None = None  # its table stays warm from move to move


def agent(observation: Any, configuration: Any) -> int:
    """The column, from 0, for whoever is to move."""
    start = time.monotonic()
    board = board_of(observation, configuration)
    seconds = max(LEAST, float(_told(configuration, "actTimeout", _told(configuration, "timeout", ACT_TIMEOUT))))

    def watch(_: Progress) -> None:
        if time.monotonic() - start > SOLVING * seconds:
            raise _TimeIsUp

    global _solver
    try:
        _solver = _solver or Solver()
        best = _solver.best_column(board, progress=watch).best
        assert best
        return best[0] - 1
    except (_TimeIsUp, CannotSolve):
        try:
            return choose(board, seconds=SEARCHING * seconds, evaluation="windows").column - 1
        except ValueError:  # a size that the search is not built for
            worth = glance(board, OVERLOOKS_NOTHING, "").worth
            return max(worth, key=lambda column: worth[column]) - 1


def board_of(observation: Any, configuration: Any) -> Board:
    """The position that an agent is told, as a board of the classic game."""
    columns, rows, in_a_row = (_told(configuration, key) for key in ("columns", "rows", "inarow"))
    if in_a_row != 4:
        raise ValueError(f"this agent plays for four in a row, not for {in_a_row}")
    cells, mark = _told(observation, "board"), _told(observation, "mark")
    if len(cells) != columns * rows:
        raise BadPosition(f"{len(cells)} cells are no board of {columns} columns and {rows} rows")
    board = Board.from_rows([cells[at : at + columns] for at in range(0, len(cells), columns)], "classic")
    if mark != board.to_move:
        raise BadPosition(f"player {board.to_move} is to move, not {mark}")
    return board


def _told(what: Any, key: str, default: Any = None) -> Any:
    """A value of an observation or a configuration, which may be a dictionary or have attributes."""
    return what.get(key, default) if isinstance(what, Mapping) else getattr(what, key, default)
