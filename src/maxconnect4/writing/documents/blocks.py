"""What a document is made of, before it is a page or a text: headings, paragraphs, lists, tables and pictures."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Some words of a paragraph."""

    text: str
    look: str = ""  # strong, emphasis, code or link
    address: str = ""  # of a link


#: A line or a paragraph: words, some of which look otherwise.
Line = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, of level 2 for a section of the document and more within."""

    level: int
    line: Line


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences."""

    line: Line
    missing: bool = False  # whether it stands where something is still to be written


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    lines: tuple[Line, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Quoted:
    """Lines that stand as they are: code, or a drawing of letters."""

    text: str


@dataclass(frozen=True, slots=True)
class Pairs:
    """Labels and their values."""

    pairs: tuple[tuple[str, Line], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table, whose first column names its rows."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: frozenset[str] = frozenset()  # the heads of columns that hold words, not numbers
    marked: frozenset[int] = frozenset()  # rows that stand out, from 0


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, by the name under which it is given."""

    name: str
    caption: str
    description: str  # for whoever does not see it


Block = Heading | Paragraph | Items | Quoted | Pairs | Table | Picture


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the document, under a heading of its own."""

    place: str  # what a link to it says
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """The whole of it."""

    title: str
    author: str
    sections: tuple[Section, ...]


def plain(text: str) -> Line:
    """Words without any look of their own."""
    return (Span(text),)


def paragraph(text: str) -> Paragraph:
    """A paragraph without any look of its own."""
    return Paragraph(plain(text))
