"""What a command writes besides messages: tables as text, and files with texts and plots."""

from __future__ import annotations

import io
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..errors import quote, quote_path
from ..files import write_atomic
from ..plots import load_matplotlib
from . import UsageError
from .terminal import Screen

STANDARD_OUTPUT = "-"
PLOT_FORMATS = (".png", ".svg")
MAX_NAME_LENGTH = 24


# Tables


def rich_table(head: Sequence[str], rows: Iterable[Sequence[str]], left: Iterable[int] = ()) -> Table:
    """A table without rules, whose columns are right-aligned except those in `left`."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="")
    for number, title in enumerate(head):
        table.add_column(Text(title), justify="left" if number in left else "right", no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def table_text(head: Sequence[str], rows: Iterable[Sequence[str]], left: Iterable[int] = ()) -> str:
    """The table as plain text, as wide as its content."""
    console = Console(file=io.StringIO(), width=10_000, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(rich_table(head, rows, left))
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def table_width(head: Sequence[str], rows: Iterable[Sequence[str]]) -> int:
    return Console(width=10_000).measure(rich_table(head, rows)).maximum


def drop_columns(
    head: list[str], rows: list[list[str]], least_important: Iterable[str], width: int | None
) -> tuple[list[str], list[list[str]]]:
    """The table without the least important columns, as far as it is wider than a terminal."""
    for title in least_important:
        if width is not None and title in head and table_width(head, rows) > width:
            place = head.index(title)
            head, *rows = ([*row[:place], *row[place + 1 :]] for row in (head, *rows))
    return head, rows


def truncate_name(name: str) -> str:
    """A name that fits into a table."""
    return name if len(name) <= MAX_NAME_LENGTH else name[: MAX_NAME_LENGTH - 3] + "..."


# Files


def add_plot(parser: ArgumentParser, what: str, name: str = "--plot") -> None:
    parser.add_argument(name, metavar="FILE", help=f"plot {what} to a .png or .svg file")


def check_plot(args: Namespace, name: str = "--plot") -> None:
    """Raise UsageError if the file of a plot has another suffix, and PackageMissing if no plot can be drawn."""
    path: str | None = getattr(args, name.strip("-").replace("-", "_"))
    if path is None:
        return
    if not path.lower().endswith(PLOT_FORMATS):
        raise UsageError(
            f"{name}: {quote(path)} is not the name of a plot: use one that ends in {' or '.join(PLOT_FORMATS)}"
        )
    load_matplotlib()


def plot_format(path: str) -> str:
    """The format by the ending of a name: "png" or "svg"."""
    return path[-3:].lower()


def check_distinct(written: Iterable[str | None], read: Iterable[str | None] = ()) -> None:
    """Raise UsageError if a file that is written is also another one of these."""
    names = [path for path in written if path is not None]
    places = [os.path.realpath(path) for path in (*names, *read) if path is not None]
    for path in names:
        if places.count(os.path.realpath(path)) > 1:
            raise UsageError(f"{quote_path(path)} is given twice: use different files")


class Output:
    """Writes texts and plots into files. One may go to standard output; messages then go to standard error."""

    def __init__(self, screen: Screen, paths: Iterable[str | None]) -> None:
        self.screen = screen
        self.messages = Screen(sys.stderr) if STANDARD_OUTPUT in paths else screen

    def write(self, path: str, content: str | bytes) -> None:
        """Write a text or a plot into a file, or a text to standard output."""
        if path == STANDARD_OUTPUT:
            self.screen.print(content if isinstance(content, str) else content.decode(), end="")
            return
        write_atomic(path, content.encode() if isinstance(content, str) else content)
        self.messages.print(f"{quote_path(path)} is {'written' if isinstance(content, str) else 'drawn'}.")
