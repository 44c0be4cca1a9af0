"""A small part of Markdown, for what people write about their programs, read into blocks: nothing of it is markup.

Headings, paragraphs, lists, code, **strong**, *emphasis*, `code` and [links](https://...). Everything else is text,
HTML too. Lists are flat, and the cells of a table are plain.
"""

from __future__ import annotations

import re

from .blocks import Heading, Items, Paragraph, Quoted, Span, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .blocks import Block, Line

DEEPEST_HEADING = 6
TAB = 4

FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[^`]*$")
HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$")
UNDERLINE = re.compile(r" {0,3}(=+|-+) *$")
ITEM = re.compile(r"( *)([-*+]|[0-9]{1,9}[.)]) +(?=\S)")
TABLE_ROW = re.compile(r" {0,3}\|.*\| *$")
BETWEEN_CELLS = re.compile(r"(?<!\\)\|")
TABLE_RULE = re.compile(r":?-+:?")
#: Each is bounded, so that a long line without an end takes no long time.
SPANS = re.compile(
    r"(?P<escaped>\\[!-/:-@\[-`{-~])"
    r"|(?P<ticks>`{1,3})(?P<code>[^`\n]{1,1000}?)(?P=ticks)(?!`)"
    r"|\*\*(?P<strong>[^\s*](?:[^*\n]{0,1000}[^\s*])?)\*\*"
    r"|(?<!\w)__(?P<strong2>[^\s_](?:[^_\n]{0,1000}[^\s_])?)__(?!\w)"
    r"|\*(?P<em>[^\s*](?:[^*\n]{0,1000}[^\s*])?)\*"
    r"|(?<!\w)_(?P<em2>[^\s_](?:[^_\n]{0,1000}[^\s_])?)_(?!\w)"
    r"|\[(?P<words>[^\]\[\n]{1,300})\]\((?P<address>https?://[^\s()<>\"]{1,500})\)"
)


def blocks_of(text: str, top: int = 3) -> tuple[Block, ...]:
    """The blocks of a text. Its highest headings get the level `top`."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(TAB).split("\n")
    return tuple(_with_levels(_read(lines), top))


def _with_levels(blocks: list[Block], top: int) -> Iterator[Block]:
    """Headings of neighbouring levels from `top` on, of which none is left out: that is how they are listened to."""
    levels = sorted({block.level for block in blocks if isinstance(block, Heading)})
    last = top - 1
    for block in blocks:
        if isinstance(block, Heading):
            last = min(top + levels.index(block.level), last + 1, DEEPEST_HEADING)
            yield Heading(last, block.line)
        else:
            yield block


def line_of(text: str) -> Line:
    """The words of a paragraph, each with its look."""
    spans: list[Span] = []
    at = 0
    for found in SPANS.finditer(text):
        _add(spans, Span(text[at : found.start()]))
        _add(spans, _span(found))
        at = found.end()
    _add(spans, Span(text[at:]))
    return tuple(spans)


def _span(found: re.Match[str]) -> Span:
    if found["escaped"]:
        return Span(found["escaped"][1:])
    if found["code"]:
        return Span(found["code"].strip() or found["code"], "code")
    if found["address"]:
        return Span(found["words"], "link", found["address"])
    strong = found["strong"] or found["strong2"]
    return Span(strong, "strong") if strong else Span(found["em"] or found["em2"], "emphasis")


def _add(spans: list[Span], span: Span) -> None:
    """Put a span behind others; what has no look joins what has none."""
    if spans and not span.look and not spans[-1].look:
        spans[-1] = Span(spans[-1].text + span.text)
    elif span.text:
        spans.append(span)


def _read(lines: Sequence[str]) -> list[Block]:
    blocks: list[Block] = []
    waiting: list[str] = []  # the lines of a paragraph whose end has not come

    def end_paragraph() -> None:
        if waiting:
            blocks.append(Paragraph(line_of(" ".join(line.strip() for line in waiting))))
            waiting.clear()

    at = 0
    while at < len(lines):
        line = lines[at]
        if fence := FENCE.match(line):
            end_paragraph()
            at = _fenced(lines, at + 1, fence[1], blocks)
        elif heading := HEADING.match(line):
            end_paragraph()
            blocks.append(Heading(len(heading[1]), line_of(heading[2])))
            at += 1
        elif waiting and (under := UNDERLINE.match(line)):
            title = " ".join(line.strip() for line in waiting)
            waiting.clear()
            blocks.append(Heading(1 if under[1][0] == "=" else 2, line_of(title)))
            at += 1
        elif ITEM.match(line):
            end_paragraph()
            at = _items(lines, at, blocks)
        elif TABLE_ROW.match(line):
            end_paragraph()
            at = _table(lines, at, blocks)
        elif not waiting and line.startswith(" " * TAB) and line.strip():
            at = _indented(lines, at, blocks)
        else:
            if line.strip():
                waiting.append(line)
            else:
                end_paragraph()
            at += 1
    end_paragraph()
    return blocks


def _fenced(lines: Sequence[str], at: int, fence: str, blocks: list[Block]) -> int:
    start = at
    while at < len(lines) and not (lines[at].strip().startswith(fence) and not lines[at].strip().strip(fence[0])):
        at += 1
    blocks.append(Quoted("\n".join(lines[start:at])))
    return at + 1


def _table(lines: Sequence[str], at: int, blocks: list[Block]) -> int:
    """A table, if there is a line of rules under its heads; without one the lines stand as they are."""
    start = at
    while at < len(lines) and TABLE_ROW.match(lines[at]):
        at += 1
    heads, *rows = (_cells(line) for line in lines[start:at])
    if not rows or not all(TABLE_RULE.fullmatch(cell) for cell in rows[0]):
        blocks.append(Quoted("\n".join(line.strip() for line in lines[start:at])))
        return at
    words = {head for head, rule in zip(heads, rows[0], strict=False) if not rule.endswith(":") or rule[0] == ":"}
    filled = (tuple([*row, *[""] * len(heads)][: len(heads)]) for row in rows[1:])
    blocks.append(Table("", tuple(heads), tuple(filled), frozenset(words)))
    return at


def _cells(line: str) -> list[str]:
    cells = BETWEEN_CELLS.split(line.strip()[1:-1])
    return ["".join(span.text for span in line_of(cell.strip())) for cell in cells]


def _indented(lines: Sequence[str], at: int, blocks: list[Block]) -> int:
    start = at
    while at < len(lines) and (lines[at].startswith(" " * TAB) or not lines[at].strip()):
        at += 1
    blocks.append(Quoted("\n".join(line[TAB:] for line in lines[start:at]).rstrip()))
    return at


def _items(lines: Sequence[str], at: int, blocks: list[Block]) -> int:
    """A list, up to a blank line that no further item follows, or to what begins otherwise."""
    found: list[list[str]] = []
    first = ITEM.match(lines[at])
    assert first
    numbered = first[2][0].isdigit()
    while at < len(lines):
        line = lines[at]
        item = ITEM.match(line)
        if item and (item[2][0].isdigit() == numbered or item[1]):
            found.append([line[item.end() :]])
        elif not line.strip():
            following = ITEM.match(lines[at + 1]) if at + 1 < len(lines) else None
            if following is None or following[2][0].isdigit() != numbered:
                break
        elif item or HEADING.match(line) or FENCE.match(line) or TABLE_ROW.match(line):
            break
        else:
            found[-1].append(line)
        at += 1
    lines_of_items = tuple(line_of(" ".join(part.strip() for part in parts)) for parts in found)
    blocks.append(Items(lines_of_items, numbered))
    return at
