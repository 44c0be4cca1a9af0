"""What was measured, as text for the terminal."""

from __future__ import annotations

from ...measuring.showing.outline import outline
from ...writing.documents.blocks import Heading, Items, Paragraph, Table
from .text_table import aligned, fit, short, table_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...measuring.summary import Measured
    from ...writing.documents.blocks import Block, Line

LEAST_WANTED = ("worst", "perfect", "range", "branching", "faults", "wall s", "nodes", "nodes/s", "column")


def measured_text(measured: Measured, width: int | None = None) -> str:
    """The tables of each set of positions: of all players together, and of each. What does not fit is left out."""
    return "\n\n".join(_block(block, width) for block in outline(measured))


def _block(block: Block, width: int | None) -> str:
    match block:
        case Heading(_, line):
            return f"{_words(line)}:"
        case Paragraph(line):
            return _words(line)
        case Items(lines):
            return "\n".join(map(_words, lines))
        case Table(caption):
            return "\n\n".join([f"{caption}:", *_side_by_side(block, width)]) if caption else _fitting(block, width)
    raise AssertionError(f"{block} is no part of what was measured")


def _words(line: Line) -> str:
    return "".join(span.text for span in line)


def _fitting(table: Table, width: int | None) -> str:
    """A table of one player, without the columns that are wanted least if it would be too wide."""
    head, rows = list(table.heads), [list(row) for row in table.rows]
    fit(head, rows, LEAST_WANTED, width)
    return aligned(head, rows, left=-1)


def _side_by_side(table: Table, width: int | None) -> list[str]:
    """A table of several players, or several one below the other if there are too many for a line."""
    head, rows = [short(title) for title in table.heads], [list(row) for row in table.rows]
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
