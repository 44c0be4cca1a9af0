"""Tables as text: columns in line, and those left out that are wanted least where a terminal is too narrow."""

from __future__ import annotations

from rich.cells import cell_len

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_NAME = 24


def aligned(head: list[str], rows: list[list[str]], left: int) -> str:
    """A table as text, whose columns but one are numbers."""
    widths = _widths(head, rows)
    return "\n".join(
        "  ".join(
            cell + _room(cell, width) if number == left else _room(cell, width) + cell
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [head, *rows]
    )


def table_width(head: list[str], rows: list[list[str]]) -> int:
    """How wide it is as text."""
    return sum(width + 2 for width in _widths(head, rows)) - 2


def fit(head: list[str], rows: list[list[str]], least_wanted: Iterable[str], width: int | None) -> None:
    """Leave out what is wanted least, one column after the other, until the table is not too wide."""
    for title in least_wanted:
        if width is not None and title in head and table_width(head, rows) > width:
            leave_out(title, head, rows)


def leave_out(title: str, head: list[str], rows: list[list[str]]) -> None:
    """Take a column out of a table."""
    place = head.index(title)
    for row in (head, *rows):
        del row[place]


def short(name: str) -> str:
    """A name that fits into a table."""
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 3] + "..."


def _widths(head: list[str], rows: list[list[str]]) -> list[int]:
    """How wide each column is on a terminal, where letters of some scripts take two places."""
    return [max(map(cell_len, column)) for column in zip(head, *rows, strict=True)]


def _room(cell: str, width: int) -> str:
    return " " * (width - cell_len(cell))
