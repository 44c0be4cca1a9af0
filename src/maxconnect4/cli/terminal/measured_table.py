"""What was measured, as text for the terminal."""

from __future__ import annotations

from ...measuring.showing.cells import (
    by_positions,
    comparisons,
    games_in_words,
    head_and_rows,
    notes,
    of_the_positions,
    set_in_words,
)
from ...writing.safe_text import one_line
from .standings_table import aligned, short, table_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...measuring.summary import Measured

LEAST_WANTED = ("worst", "perfect", "low to high", "branching", "faults", "wall s", "nodes", "nodes/s", "move")


def measured_text(measured: Measured, width: int | None = None) -> str:
    """The tables of each set of positions: of all players together, and of each. What does not fit is left out."""
    parts = []
    for series in by_positions(measured.series).values():
        parts.append(f"On {set_in_words(series[0])}:")
        if about := of_the_positions(series[0]):
            parts.append(about)
        if len(series) > 1:
            for title, table in comparisons(series, measured.game).items():
                parts += [f"{title}:", *_side_by_side(*table, width)]
        for each in series:
            parts.append(f"{one_line(each.player)}:")
            parts.append(_fitting(*head_and_rows(each), width) if each.rows else "Nothing was measured.")
            if said := notes(each):
                parts.append("\n".join(one_line(note) for note in said))
    if measured.games:
        parts.append("\n".join(one_line(games_in_words(games)) for games in measured.games))
    return "\n\n".join(parts) or "Nothing was measured."


def _fitting(head: list[str], rows: list[list[str]], width: int | None) -> str:
    for title in LEAST_WANTED:
        if width is not None and title in head and table_width(head, rows) > width:
            place = head.index(title)
            for row in (head, *rows):
                del row[place]
    return aligned(head, rows, left=-1)


def _side_by_side(head: list[str], rows: list[list[str]], width: int | None) -> list[str]:
    """A table, or several one below the other if there are too many players for a line."""
    head = [short(one_line(title)) for title in head]
    tables = []
    first = 1
    while first < len(head):
        last = first + 1
        while last < len(head) and (width is None or table_width(*_part(head, rows, first, last + 1)) <= width):
            last += 1
        tables.append(aligned(*_part(head, rows, first, last), left=-1))
        first = last
    return tables


def _part(head: list[str], rows: list[list[str]], first: int, last: int) -> tuple[list[str], list[list[str]]]:
    """The depths, and some of the columns beside them."""
    return [head[0], *head[first:last]], [[row[0], *row[first:last]] for row in rows]
