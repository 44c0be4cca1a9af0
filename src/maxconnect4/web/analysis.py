"""What every column of a position of Max-Connect4 is worth, and how that becomes known."""

from __future__ import annotations

from .margins import margin, perfect_play
from .positions import result
from .searches import TimeUp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..board import Board
    from ..solver import Analysis, Progress, Solver
    from .searches import Search

    Facts = dict[str, Any]


def analysed(board: Board, solver: Solver, search: Search) -> Facts:
    """The margin of each column of Max-Connect4, exact unless the time is up."""
    last = progress_facts(margin(-99, 99), [None] * board.width, 0, 0.0)

    def tell(progress: Progress) -> None:
        nonlocal last
        last = _told(progress)
        search.tell(last)

    try:
        found = solver.analyse(board, progress=tell)
    except TimeUp:
        words = f"Not solved within {last['seconds']:.0f} seconds; the margins lie between these bounds."
        return last | {"best": [], "line": None, "exact": False, "source": "search", "words": words}
    return _solved(board, found)


def _told(progress: Progress) -> Facts:
    columns = [None if bounds is None else margin(*bounds) for bounds in progress.columns]
    return progress_facts(margin(*progress.value), columns, progress.nodes, progress.seconds)


def progress_facts(value: Facts, columns: list[Facts | None], nodes: int, seconds: float) -> Facts:
    """What is known so far, and what it took."""
    return {"value": value, "columns": columns, "nodes": nodes, "seconds": round(seconds, 3)}


def _solved(board: Board, found: Analysis) -> Facts:
    assert found.scores is not None
    assert found.best is not None
    assert found.line is not None
    columns = [None if score is None else margin(score, score) for score in found.scores]
    return progress_facts(margin(found.value, found.value), columns, found.nodes, found.seconds) | {
        "best": found.best,
        "line": "".join(map(str, found.line)),
        "exact": True,
        "source": found.source,
        "words": result(board) or f"{perfect_play(board, found.value)} {best_in_words(board, found.best)}",
    }


def best_in_words(board: Board, columns: list[int]) -> str:
    """The columns that are as good as each other."""
    if len(columns) == len(board.columns()) > 1:
        return "Every column is as good as the others."
    *others, last = map(str, columns)
    return f"Best: column {', '.join(others)} or {last}." if others else f"Best: column {last}."
