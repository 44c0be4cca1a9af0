"""Tables as text: columns in line, and those left out that are wanted least where a terminal is too narrow."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_NAME = 24


def aligned(head: list[str], rows: list[list[str]], left: int) -> str:
    """A table as text, whose columns but one are numbers."""
    widths = [max(len(row[number]) for row in [head, *rows]) for number in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if number == left else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [head, *rows]
    )


def table_width(head: list[str], rows: list[list[str]]) -> int:
    """How wide it is as text."""
    return sum(max(map(len, column)) + 2 for column in zip(head, *rows, strict=True)) - 2


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
