"""Which sizes can be solved, and solving one."""

from __future__ import annotations

from ..board import SIZE, Board

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..solver import Progress, Solver

    Size = tuple[int, int]  # columns and rows


class TimeIsUp(Exception):
    """A size has had all the time that it may have."""


def can_be_solved(columns: int, rows: int) -> bool:
    """Whether the solver takes boards of a size."""
    return columns >= 4 and rows >= 4 and columns * (rows + 1) <= 64


def every_size() -> list[Size]:
    """All sizes that can be solved, those with the fewest cells first."""
    sizes = [(columns, rows) for columns in range(4, 13) for rows in range(4, 16) if can_be_solved(columns, rows)]
    return sorted(sizes, key=lambda size: (size[0] * size[1], size))


def solved(size: Size, solver: Solver, limit: float | None, show: Callable[[Progress], None] | None) -> dict[str, Any]:
    """What is found out about a size; "solved" says whether the time was enough."""
    facts: dict[str, Any] = {"columns": size[0], "rows": size[1], "solved": False}

    def progress(now: Progress) -> None:
        if show is not None:
            show(now)
        if limit is not None and now.seconds > limit:
            raise TimeIsUp

    try:
        board = Board(width=size[0], height=size[1])
        analysis = solver.analyse(board, only_value=size != SIZE, progress=progress)
    except TimeIsUp:
        return {**facts, "seconds": limit}
    facts |= {"solved": True, "value": analysis.value}
    if analysis.scores is not None:
        facts["scores"] = analysis.scores
    return facts | {name: getattr(analysis, name) for name in ("nodes", "cpu_seconds", "seconds")}
