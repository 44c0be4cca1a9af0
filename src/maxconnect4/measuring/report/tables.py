"""The tables of the report: those that `measure` shows, with what there is to remark on each row."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from ...writing.safe_text import one_line
from ..showing.cells import columns_of, side_by_side, table_of
from ..showing.sentences import remark, set_in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...writing.documents.blocks import Table
    from ..summary import Row, Series

OVER = "over the limit"
FACTOR_AFTER = "wall s"


def compared(series: Sequence[Series], game: str = "max") -> list[Table]:
    """The players side by side, of each set of positions."""
    tables = []
    for _, together in groupby(series, key=lambda each: each.positions):
        of_a_set = list(together)
        for table in side_by_side(of_a_set, game):
            caption = f"{table.caption}, on {set_in_words(of_a_set[0])}"
            tables.append(replace(table, caption=caption, heads=(_capital(table.heads[0]), *table.heads[1:])))
    return tables


def table_with_remarks(series: Series, limit: float | None, caption: str) -> Table:
    """A player by depth. Where a move took longer than the limit, the row is marked."""
    columns: dict[str, list[str]] = {}
    for title, cells in columns_of(series).items():
        columns[title] = cells
        if title == FACTOR_AFTER and has_factors(series):
            columns["factor"] = ["" if factor is None else f"{factor:,.2f}" for factor in _factors(series)]
    columns.pop("faults", None)
    if len({row.runs for row in series.rows}) > 1:
        columns["runs"] = [str(row.runs) for row in series.rows]
    marked = frozenset(place for place, row in enumerate(series.rows) if over_limit(row, limit))
    remarks = [_remarks(row, limit) for row in series.rows]
    if any(remarks):
        columns["remark"] = remarks
    table = table_of({_capital(title): cells for title, cells in columns.items()}, caption)
    return replace(table, words=frozenset(["Remark"]), marked=marked)


def over_limit(row: Row, limit: float | None) -> bool:
    """Whether a move took longer than the limit, which ends the table."""
    return limit is not None and row.cpu_seconds is not None and row.cpu_seconds.high > limit


def has_factors(series: Series) -> bool:
    """Whether there are two depths in a row with times."""
    return any(factor is not None for factor in _factors(series))


def _factors(series: Series) -> list[float | None]:
    """How many times as long a move takes as at the depth before."""
    return [None, *map(_factor, series.rows, series.rows[1:])][: len(series.rows)]


def _factor(before: Row, row: Row) -> float | None:
    if before.depth is None or row.depth != before.depth + 1:
        return None
    if before.cpu_seconds is None or row.cpu_seconds is None or not before.cpu_seconds.median:
        return None
    return row.cpu_seconds.median / before.cpu_seconds.median


def _remarks(row: Row, limit: float | None) -> str:
    return "; ".join(part for part in (OVER * over_limit(row, limit), one_line(remark(row), 600)) if part)


def _capital(title: str) -> str:
    return title[:1].upper() + title[1:]
