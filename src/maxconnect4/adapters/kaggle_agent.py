"""An agent for Kaggle's ConnectX with four in a row. The agent file can be one line:

    from maxconnect4.adapters.kaggle_agent import agent

The agent plays perfectly if the solver finishes within the time limit of a move. Otherwise it uses a depth-limited
search in the remaining time or, for board sizes that the search does not support, the column that a level with perfect
perception chooses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..board import Board
from ..errors import BadPosition, CannotSolve, SearchStopped
from ..levels import Perception, perceive
from ..search import choose
from ..solver import Solver

DEFAULT_SECONDS, MIN_SECONDS = 2.0, 0.1  # of a move
SOLVER_SHARE, SEARCH_SHARE = 0.55, 0.2  # shares of that time; the rest is a reserve for a slow machine
PERFECT_PERCEPTION = Perception(own=1, theirs=1, above=1, diagonal=1)

_solver: Solver | None = None  # its transposition table is reused for the next move


def agent(observation: Any, configuration: Any) -> int:
    """Choose a column, counted from 0, for the player to move."""
    board = board_of(observation, configuration)
    seconds = max(
        MIN_SECONDS, float(_value(configuration, "actTimeout", _value(configuration, "timeout", DEFAULT_SECONDS)))
    )

    global _solver
    try:
        _solver = _solver or Solver()
        best = _solver.best_column(board, seconds=SOLVER_SHARE * seconds).best
        assert best
        return best[0] - 1
    except (SearchStopped, CannotSolve):
        try:
            return choose(board, seconds=SEARCH_SHARE * seconds, evaluation="windows").column - 1
        except ValueError:  # a size that the search does not support
            values = perceive(board, PERFECT_PERCEPTION, "").values
            return max(values, key=lambda column: values[column]) - 1


def board_of(observation: Any, configuration: Any) -> Board:
    """Parse the position of an observation as a board of the classic game."""
    columns, rows, in_a_row = (_value(configuration, key) for key in ("columns", "rows", "inarow"))
    if in_a_row != 4:
        raise ValueError(f"inarow is {in_a_row}: this agent supports only 4")
    cells, mark = _value(observation, "board"), _value(observation, "mark")
    if len(cells) != columns * rows:
        raise BadPosition(f"the board has {len(cells)} cells instead of {columns} columns × {rows} rows")
    board = Board.from_rows([cells[at : at + columns] for at in range(0, len(cells), columns)], "classic")
    if mark != board.to_move:
        raise BadPosition(f"mark is {mark}, but with these pieces player {board.to_move} is to move")
    return board


def _value(source: Any, key: str, default: Any = None) -> Any:
    return source.get(key, default) if isinstance(source, Mapping) else getattr(source, key, default)
