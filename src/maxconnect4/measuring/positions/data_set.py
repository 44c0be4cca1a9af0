"""Sets of positions for those who learn from them: files of Parquet, or of NumPy arrays.

Rows count from the top and columns from the left. In the cells 0 is empty, 1 red and 2 green.
"""

from __future__ import annotations

import io

from ...board import HEIGHT, WIDTH
from ...errors import NotInstalled
from ...keys import key_of
from ...notation import board_from_moves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .making import Recipe
    from .set_file import Scores

    Entries = Sequence[tuple[str, Scores]]

PARQUET, NUMPY = ".parquet", ".npz"
ENDINGS = (PARQUET, NUMPY)
FULL_COLUMN = -128  # its score in a NumPy array, which has no nulls


def is_data_set(path: str) -> bool:
    """Whether a file of this name is one of these, rather than a text."""
    return path.lower().endswith(ENDINGS)


def check_can_be_made(path: str) -> None:
    """Refuse a kind of file that takes a package that is not here, before any work is spent on it."""
    if path.lower().endswith(PARQUET):
        _pyarrow()


def as_data_set(path: str, recipe: Recipe, entries: Entries) -> bytes:
    """What a file of this name holds: the positions of a recipe, as moves with the score of every column."""
    return (_as_parquet if path.lower().endswith(PARQUET) else _as_numpy)(recipe, entries)


def _as_parquet(recipe: Recipe, entries: Entries) -> bytes:
    """A row for each position; the score of a full column is null."""
    arrow = _pyarrow()
    boards = [board_from_moves(moves, recipe.game) for moves, _ in entries]
    small = arrow.int8()
    columns = {
        "game": (arrow.string(), [recipe.game] * len(boards)),
        "moves": (arrow.string(), [moves for moves, _ in entries]),
        "key": (arrow.int64(), [key_of(board) for board in boards]),
        "board": (
            arrow.list_(small, WIDTH * HEIGHT),
            [[cell for row in board.rows() for cell in row] for board in boards],
        ),
        "to_move": (small, [board.to_move for board in boards]),
        "value": (small, _values(entries)),
        "scores": (arrow.list_(small, WIDTH), [list(scores) for _, scores in entries]),
    }
    fields = [arrow.field(name, kind, nullable=False) for name, (kind, _) in columns.items()]
    schema = arrow.schema(fields, metadata={"game": recipe.game, "command": recipe.command})
    table = arrow.table({name: arrow.array(values, kind) for name, (kind, values) in columns.items()}, schema=schema)
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(table, file, compression="zstd")
    return file.getvalue()


def _as_numpy(recipe: Recipe, entries: Entries) -> bytes:
    """An array for each property, whose first index is the position."""
    import numpy as np

    boards = [board_from_moves(moves, recipe.game) for moves, _ in entries]
    scores = [[FULL_COLUMN if score is None else score for score in scores] for _, scores in entries]
    file = io.BytesIO()
    np.savez_compressed(
        file,
        game=np.array(recipe.game),
        command=np.array(recipe.command),
        moves=np.array([moves for moves, _ in entries]),
        keys=np.array([key_of(board) for board in boards], np.int64),
        boards=np.array([board.rows() for board in boards], np.int8),
        to_move=np.array([board.to_move for board in boards], np.int8),
        values=np.array(_values(entries), np.int8),
        scores=np.array(scores, np.int8),
        has_room=np.array(scores) != FULL_COLUMN,
    )
    return file.getvalue()


def _values(entries: Entries) -> list[int]:
    return [max(score for score in scores if score is not None) for _, scores in entries]


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        raise NotInstalled("PyArrow", "datasets") from None
    return pyarrow
