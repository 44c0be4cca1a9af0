"""What every column of a position is worth, and how that becomes known."""

from __future__ import annotations

from ...outcomes import best_in_words, with_perfect_play
from ..searches import TimeUp
from .margins import unknown, worth
from .positions import result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...board import Board
    from ...solver import Analysis, Progress, Solver
    from ..searches import Search

    Facts = dict[str, Any]


def analysed(board: Board, solver: Solver, search: Search, most: float) -> Facts:
    """What each column comes to with perfect play, exact unless the time is up, which is `most` seconds."""
    nothing = [unknown() if column in board.columns() else None for column in board.all_columns()]
    last = _progress_facts(unknown(), nothing, 0, 0.0)

    def tell(progress: Progress) -> None:
        nonlocal last
        last = _told(board, progress)
        search.tell(last)

    try:
        found = solver.analyse(board, progress=tell)
    except TimeUp:
        bounds = "the margins lie between these bounds" if board.game == "max" else "this much is known"
        words = f"Not solved within {most:g} seconds; {bounds}."
        return last | {"best": [], "line": None, "exact": False, "source": "search", "words": words}
    return _solved(board, found)


def _told(board: Board, progress: Progress) -> Facts:
    columns = [None if bounds is None else worth(board, *bounds) for bounds in progress.columns]
    return _progress_facts(worth(board, *progress.value), columns, progress.nodes, progress.seconds)


def _progress_facts(value: Facts, columns: list[Facts | None], nodes: int, seconds: float) -> Facts:
    """What is known so far, and what it took."""
    return {"value": value, "columns": columns, "nodes": nodes, "seconds": round(seconds, 3)}


def _solved(board: Board, found: Analysis) -> Facts:
    assert found.scores is not None
    assert found.best is not None
    assert found.line is not None
    columns = [None if score is None else worth(board, score, score) for score in found.scores]
    return _progress_facts(worth(board, found.value, found.value), columns, found.nodes, found.seconds) | {
        "best": found.best,
        "line": "".join(map(str, found.line)),
        "exact": True,
        "source": found.source,
        "words": result(board) or _in_words(board, found.value, found.best),
    }


def _in_words(board: Board, value: int, best: list[int]) -> str:
    return f"With perfect play {with_perfect_play(board, value)}. {best_in_words(board, best)}"
