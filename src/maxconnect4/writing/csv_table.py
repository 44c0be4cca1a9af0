"""Tables for spreadsheets and statistics."""

from __future__ import annotations

import csv
import io

from .safe_text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FORMULA = ("=", "+", "-", "@")  # what a spreadsheet takes for the beginning of one


def csv_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV, in which no text is taken for a formula."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([_cell(head) for head in heads])
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """A cell that is one line and no formula, whatever a player is called."""
    if not isinstance(value, str):
        return value
    return f"'{one_line(value, 1000)}" if value.startswith(FORMULA) else one_line(value, 1000)
