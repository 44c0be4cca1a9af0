"""What was measured as cells of text, for tables of any kind."""

from __future__ import annotations

import math

from ...writing.documents.blocks import Table
from ...writing.safe_text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..summary import Row, Series

OWN_DEPTH = "own"
UNITS = {"max": "points", "classic": "score"}  # what moves give away
NO_MOVE = "-"
ALWAYS = ("depth", "CPU s")


def columns_of(series: Series) -> dict[str, list[str]]:
    """A player by depth: the columns that there is anything in, by their titles."""
    columns = {title: [text(row) for row in series.rows] for title, text in COLUMNS.items()}
    return {title: cells for title, cells in columns.items() if title in ALWAYS or any(cells)}


def table_of(columns: Mapping[str, Sequence[str]], caption: str = "") -> Table:
    """A table of columns with titles."""
    return Table(caption, tuple(columns), tuple(zip(*columns.values(), strict=True)))


def side_by_side(series: Sequence[Series], game: str = "max") -> list[Table]:
    """Several players by depth: their CPU times, and if known what their moves gave away. One has no such tables."""
    if len(series) < 2:
        return []
    tables = [_side_by_side(series, "CPU s", "CPU seconds for a move, by depth")]
    if any(row.regret is not None for each in series for row in each.rows):
        caption = f"{UNITS[game].capitalize()} given away per move (regret), by depth"
        tables.append(_side_by_side(series, "regret", caption))
    return tables


def _side_by_side(series: Sequence[Series], title: str, caption: str) -> Table:
    """A column of each player. What was not tried is empty."""
    found = [{row.depth: COLUMNS[title](row) or NO_MOVE for row in each.rows} for each in series]
    depths = sorted({depth for each in found for depth in each}, key=lambda depth: (depth is None, depth))
    heads = ("depth", *(one_line(each.player) for each in series))
    rows = tuple((depth_text(depth), *(each.get(depth, "") for each in found)) for depth in depths)
    return Table(caption, heads, rows)


def seconds_in_digits(seconds: float) -> str:
    """A time in seconds with three digits that count, such as 0.0312, 1.96 and 183."""
    if not seconds or not math.isfinite(seconds):
        return f"{seconds:g}"
    rounded = float(f"{seconds:.3g}")
    decimals = max(0, 2 - math.floor(math.log10(abs(rounded))))
    return f"{seconds:,.{decimals}f}"


def depth_text(depth: int | None) -> str:
    """A depth, of which None is the player's own."""
    return OWN_DEPTH if depth is None else str(depth)


def _middle(row: Row) -> str:
    if row.cpu_seconds is not None:
        return seconds_in_digits(row.cpu_seconds.median)
    return NO_MOVE if row.given_up_after is None else f"> {seconds_in_digits(row.given_up_after)}"


def _range(row: Row) -> str:
    taken = row.cpu_seconds
    if taken is None or row.runs < 2:
        return ""
    return f"{seconds_in_digits(taken.low)} to {seconds_in_digits(taken.high)}"


def _rate(row: Row) -> str:
    return "" if row.nodes_per_second is None else f"{float(f'{row.nodes_per_second:.3g}'):,.0f}"


#: The titles of the columns, and what stands in them.
COLUMNS: dict[str, Callable[[Row], str]] = {
    "depth": lambda row: depth_text(row.depth),
    "CPU s": _middle,
    "range": _range,
    "wall s": lambda row: "" if row.seconds is None else seconds_in_digits(row.seconds.median),
    "column": lambda row: ", ".join(map(str, row.columns)),
    "nodes": lambda row: "" if row.nodes is None else f"{row.nodes:,.0f}",
    "nodes/s": _rate,
    "branching": lambda row: "" if row.branching is None else f"{row.branching:.2f}",
    "regret": lambda row: "" if row.regret is None else f"{row.regret.mean:.3f} ± {row.regret.error:.3f}",
    "perfect": lambda row: "" if row.regret is None else f"{100 * row.regret.perfect_share:.1f} %",
    "worst": lambda row: "" if row.regret is None else str(row.regret.worst),
    "faults": lambda row: str(row.faults or ""),
}
