"""Safe forms of text from outside, such as names and output of programs: one line, HTML, file names and CSV."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from html import escape

#: Control characters, lone surrogates, and characters that change the writing direction or are invisible.
HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\ud800-\udfff\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]")
KEPT = "\n\t"


def one_line(text: str, limit: int = 200) -> str:
    """A text on one line, with escapes for harmful characters."""
    return HARMFUL.sub(_number, _cut(text, limit))


def lines(text: str, limit: int = 2000) -> str:
    """A text with its newlines and tabs, and with escapes for harmful characters."""
    text = _cut(text, limit).replace("\r\n", "\n")
    return HARMFUL.sub(lambda found: found[0] if found[0] in KEPT else _number(found), text)


def in_html(text: str, limit: int = 200) -> str:
    """A text on one line as HTML, for elements and quoted attributes."""
    return escape(one_line(text, limit))


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit} more)"


def _number(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


LONGEST = 60


def slug(text: str, default: str) -> str:
    """The ASCII letters and digits of a text with dashes between them, for file names and addresses."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-.") or default


def file_names(players: Iterable[str]) -> dict[str, str]:
    """A distinct file name for each player, also on file systems that ignore case."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for player in players:
        stem = re.sub(r"[^\w.-]+", "_", unicodedata.normalize("NFKC", player))[:LONGEST].strip("._-") or "player"
        while len(stem.encode()) > 3 * LONGEST:  # file systems limit bytes
            stem = stem[:-1]
        name, number = stem, 1
        while _folded(name) in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(_folded(name))
        found[player] = f"{name}.txt"
    return found


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


FORMULA = ("=", "+", "-", "@")  # the first character of a formula in a spreadsheet


def csv_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV, in which a spreadsheet finds no formulas."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([_cell(head) for head in heads])
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """A value on one line that is not a formula."""
    if not isinstance(value, str):
        return value
    return f"'{one_line(value, 1000)}" if value.startswith(FORMULA) else one_line(value, 1000)
