"""Tables of CPU time by depth that others have published, to measure oneself against."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

from ...errors import BadFile, shown, shown_path
from ...reading import read_text
from ..summary import DEEPEST

OURS = Path(__file__).with_name("published.tsv")
LONGEST = 1e9  # seconds
MOST_BYTES = 1 << 16
FACT = re.compile(r"#\s*(name|source)\s*:\s*(.+)")

#: Sets that hold what published tables are about: the empty board.
AS_PUBLISHED = ("empty", "sample 1")


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """CPU seconds of a move from the empty board by depth, as somebody published them."""

    name: str
    source: str
    by_depth: dict[int, float]


def published_tables() -> tuple[PublishedTable, ...]:
    """The tables that come with the package."""
    return (read_published(str(OURS)),)


def read_published(path: str) -> PublishedTable:
    """Read a depth and its seconds from each line, with a tab, a comma or blanks between them.

    Lines that begin with # are comments, of which `# name:` and `# source:` say whose table it is. A line of titles may
    come first.
    """
    name = shown_path(path)
    facts: dict[str, str] = {}
    by_depth: dict[int, float] = {}
    first = True
    for number, line in enumerate(read_text(path, "table of times", MOST_BYTES).splitlines(), start=1):
        line = line.strip()
        if line.startswith("#"):
            if found := FACT.match(line):
                facts.setdefault(found[1], found[2].strip())
        elif line:
            cells = _cells(line)
            if first and not any(letter.isdigit() for letter in line) and len(cells) == 2:
                first = False
                continue
            first = False
            depth, seconds = _row(cells, line, f"{name}, line {number}")
            if depth in by_depth:
                raise BadFile(f"{name}, line {number}: depth {depth} was there before")
            by_depth[depth] = seconds
    if not by_depth:
        raise BadFile(f"{name}: there is no depth with its seconds in it")
    return PublishedTable(facts.get("name", Path(path).stem), facts.get("source", path), dict(sorted(by_depth.items())))


def _cells(line: str) -> list[str]:
    between = "\t" if "\t" in line else "," if "," in line else None
    return [cell.strip() for cell in line.split(between)]


def _row(cells: list[str], line: str, place: str) -> tuple[int, float]:
    if len(cells) != 2:
        raise BadFile(f"{place}: {shown(line)} is not a depth and its seconds")
    if not re.fullmatch("[0-9]{1,4}", cells[0]) or int(cells[0]) > DEEPEST:
        raise BadFile(f"{place}: {shown(cells[0])} is not a depth from 0 to {DEEPEST}")
    try:
        seconds = float(cells[1])
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= LONGEST:
        raise BadFile(f"{place}: {shown(cells[1])} is not a number of seconds")
    return int(cells[0]), seconds
