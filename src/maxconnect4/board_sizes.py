"""Solving the empty board of every size: the sizes, the results file, and a map of the values."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any

import msgspec

from .board import SIZE, Board
from .errors import BadFile, NoSuchFile, SearchStopped, quote_path
from .files import read_bytes, write_atomic
from .formatting import format_minus
from .plots import picture
from .solver import Progress, Solver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from matplotlib.axes import Axes

SizeResults = dict[str, dict[str, Any]]

BoundedInt = Annotated[int, msgspec.Meta(ge=-(10**15), le=10**15)]
SizeResult = dict[str, bool | BoundedInt | float | str | list[BoundedInt | None] | None]
LARGEST = 1 << 20  # bytes; a result has about 120


def save_results(path: str, results: SizeResults) -> None:
    """Write a results file atomically."""
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(result)}" for name, result in results.items())
    write_atomic(path, f"{{\n{lines}\n}}\n".encode())


def read_results(path: str) -> SizeResults:
    """Read a results file. A missing file has no results."""
    try:
        results = msgspec.json.decode(read_bytes(path, "results file", LARGEST), type=dict[str, SizeResult])
    except NoSuchFile:
        return {}
    except (msgspec.DecodeError, UnicodeDecodeError):
        results = None
    if results is None or not all(_is_result(*item) for item in results.items()):
        raise BadFile(f"{quote_path(path)} exists and has no results of solve-sizes: use another file with --results")
    return results


def _is_result(name: str, result: dict[str, Any]) -> bool:
    if name != f"{result.get('columns')}x{result.get('rows')}":
        return False
    if result.get("solved") is False:
        return "value" not in result
    numbers = [result.get(key) for key in ("nodes", "cpu_seconds")]
    return isinstance(result.get("value"), int) and all(isinstance(n, int | float) and 0 <= n < 1e15 for n in numbers)


Size = tuple[int, int]  # columns and rows


def is_solvable(columns: int, rows: int) -> bool:
    """Whether the solver supports boards of this size."""
    return columns >= 4 and rows >= 4 and columns * (rows + 1) <= 64


def solvable_sizes() -> list[Size]:
    """All supported sizes by number of cells, smallest first."""
    sizes = [(columns, rows) for columns in range(4, 13) for rows in range(4, 16) if is_solvable(columns, rows)]
    return sorted(sizes, key=lambda size: (size[0] * size[1], size))


def solve_size(
    size: Size, solver: Solver, seconds: float | None, progress: Callable[[Progress], None] | None
) -> dict[str, Any]:
    """Solve the empty board of a size. In the result, "solved" is False if the time limit in `seconds` was reached."""
    result: dict[str, Any] = {"columns": size[0], "rows": size[1], "solved": False}

    try:
        board = Board(width=size[0], height=size[1])
        analysis = solver.analyse(board, only_value=size != SIZE, seconds=seconds, progress=progress)
    except SearchStopped:
        return {**result, "seconds": seconds}
    result |= {"solved": True, "value": analysis.value}
    if analysis.scores is not None:
        result["scores"] = analysis.scores
    return result | {name: getattr(analysis, name) for name in ("nodes", "cpu_seconds", "seconds")}


def size_map(results: SizeResults, kind: str) -> bytes:
    """Draw the value of the empty board by columns and rows, as "png" or "svg"."""
    return picture(lambda axes: _draw_sizes(axes, results), (7, 7.5), kind)


def _draw_sizes(axes: Axes, results: SizeResults) -> None:
    from matplotlib.patches import Rectangle

    for result in results.values():
        value = result.get("value")
        colour = "0.92" if value is None else "#f4c7c3" if value > 0 else "#b7dfb9" if value < 0 else "#fdf3c4"
        text = "?" if value is None else format_minus(f"{value:+d}")
        corner = (result["columns"] - 0.5, result["rows"] - 0.5)
        axes.add_patch(Rectangle(corner, 1, 1, facecolor=colour, edgecolor="0.4"))
        axes.text(result["columns"], result["rows"], text, ha="center", va="center", fontsize=13)
    axes.set(xlim=(3.4, 12.6), ylim=(3.4, 15.6), xticks=range(4, 13), yticks=range(4, 16), aspect="equal")
    axes.set_xlabel("columns")
    axes.set_ylabel("rows")
    axes.set_title("final margin of the first player with perfect play", fontsize=11)
