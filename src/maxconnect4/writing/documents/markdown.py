"""A document as Markdown, with its pictures as files beside it. What comes from outside is text in it, no markup."""

from __future__ import annotations

import re
from urllib.parse import quote

from .blocks import Heading, Items, Pairs, Paragraph, Picture, Quoted, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .blocks import Block, Document, Line, Span

#: What begins something in Markdown, or in the HTML, tables, formulas and names of people that it may have.
ACTIVE = re.compile(r"[\\`*_{}\[\]<>#|~!&$^@]")
AT_THE_START = re.compile(r"\s*([-+=:]|[0-9]{1,9}[.)](?=\s|$))")
LOOKS = {"strong": "**", "emphasis": "*"}


def as_markdown(document: Document, pictures: Mapping[str, str]) -> str:
    """The text. Of each picture the name of its file is given; those without one are left out."""
    parts = [f"# {_text(document.title)}"]
    if document.author:
        parts.append(_text(document.author))
    for section in document.sections:
        parts.append(f"## {_text(section.title)}")
        parts.append(markdown_of(section.blocks, pictures))
    return "\n\n".join(filter(None, parts)) + "\n"


def markdown_of(blocks: Iterable[Block], pictures: Mapping[str, str] | None = None) -> str:
    """Some blocks, without an end of the last line."""
    return "\n\n".join(filter(None, (_block(block, pictures or {}) for block in blocks)))


def _block(block: Block, pictures: Mapping[str, str]) -> str:
    match block:
        case Heading(level, line):
            return f"{'#' * level} {_line(line)}"
        case Paragraph(line, missing):
            return f"> {_line(line)}" if missing else _line(line)
        case Items(lines, numbered):
            marks = [f"{number}." if numbered else "-" for number in range(1, len(lines) + 1)]
            return "\n".join(f"{mark} {_line(line)}" for mark, line in zip(marks, lines, strict=True))
        case Quoted(text):
            fence = "`" * max(3, _longest_run(text) + 1)
            return f"{fence}text\n{text}\n{fence}"
        case Pairs(pairs):
            return "\n".join(f"- {_text(label)}: {_line(line)}" for label, line in pairs)
        case Table():
            return _table(block)
        case Picture(name, caption, description):
            if name not in pictures:
                return ""
            return f"![{_text(description)}]({quote(pictures[name])})\n\n*{_text(caption)}*"


def _table(table: Table) -> str:
    rules = [":---" if head in table.words else "---:" for head in table.heads]
    rows = [
        [f"**{_escaped(cell)}**" if place in table.marked and cell else _escaped(cell) for cell in row]
        for place, row in enumerate(table.rows)
    ]
    lines = [f"| {' | '.join(cells)} |" for cells in ([*map(_escaped, table.heads)], rules, *rows)]
    return "\n".join([*([f"{_text(table.caption)}:", ""] if table.caption else []), *lines])


def _line(line: Line) -> str:
    return "".join(_span(span, at_the_start=not place) for place, span in enumerate(line))


def _span(span: Span, at_the_start: bool) -> str:
    if span.look == "code":
        fence = "`" * (_longest_run(span.text) + 1)
        blank = " " if "`" in span.text else ""
        return f"{fence}{blank}{span.text}{blank}{fence}"
    if span.look == "link":
        return f"[{_text(span.text)}](<{span.address}>)"
    mark = LOOKS.get(span.look, "")
    return f"{mark}{_text(span.text) if at_the_start else _escaped(span.text)}{mark}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _text(text: str) -> str:
    """A text that stands at the start of a line."""
    escaped = _escaped(text)
    found = AT_THE_START.match(escaped)
    if found is None:
        return escaped
    return f"{escaped[: found.end() - 1]}\\{escaped[found.end() - 1 :]}"


def _escaped(text: str) -> str:
    return ACTIVE.sub(r"\\\g<0>", text)
