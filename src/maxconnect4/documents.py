"""Markdown documents, and the self-contained HTML pages that are rendered from them.

Reports are Markdown documents. `escape` escapes external names and messages. `safe_markdown` keeps the structure of a
user's Markdown, and removes HTML, scripts and references to the network.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape as escape_html
from importlib.resources import files
from itertools import pairwise
from textwrap import indent
from typing import Any
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from .safe_text import slug

# Markdown from values

#: Characters with a meaning in Markdown, or in the HTML, tables, formulas and mentions of its dialects.
ACTIVE = re.compile(r"[\\`*_{}\[\]<>#|~!&$^@]")
#: The start of a list, a heading or a rule of a table.
AT_LINE_START = re.compile(r"^([ \t]*[0-9]{1,9}(?=[.)](?:\s|$))|[ \t]*(?=[-+=:]))", re.MULTILINE)


def escape(text: str) -> str:
    """Escape plain text for any position in Markdown."""
    return _escape_line_starts(escape_cell(text))


def escape_cell(text: str) -> str:
    """Escape plain text for the middle of a line or a table cell."""
    return ACTIVE.sub(r"\\\g<0>", text)


def _escape_line_starts(markdown: str) -> str:
    return AT_LINE_START.sub(r"\1\\", markdown)


def code_span(text: str) -> str:
    """Format a text as inline code."""
    fence = "`" * (_longest_run(text) + 1)
    blank = " " if "`" in text else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def bullets(items: Sequence[str]) -> str:
    """Format items as a Markdown list."""
    return "\n".join(f"- {item}" for item in items)


def picture(address: str, caption: str, description: str) -> str:
    """Format an image in Markdown, with a caption below it and a description as its alternative text."""
    return f"![{escape_cell(description)}]({quote(address)})\n\n*{escape_cell(caption)}*"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of plain texts, whose first column contains the names of its rows."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text_columns: frozenset[str] = frozenset()  # the heads of columns with text instead of numbers
    highlighted: frozenset[int] = frozenset()  # rows in bold, from 0

    def markdown(self) -> str:
        """Format the table as Markdown, below its caption."""
        rules = [":---" if head in self.text_columns else "---:" for head in self.heads]
        rows = [
            [f"**{escape_cell(cell)}**" if number in self.highlighted and cell else escape_cell(cell) for cell in row]
            for number, row in enumerate(self.rows)
        ]
        lines = [f"| {' | '.join(cells)} |" for cells in ([*map(escape_cell, self.heads)], rules, *rows)]
        return "\n".join([*([f"{escape(self.caption)}:", ""] if self.caption else []), *lines])


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


# Markdown from users

DEEPEST_HEADING = 6


class _Parser(MarkdownIt):
    """CommonMark with tables and without HTML. Only web pages and the document's pictures are valid addresses."""

    def __init__(self, pictures: Mapping[str, bytes]) -> None:
        super().__init__("commonmark", {"html": False}, renderer_cls=_Renderer)
        self.enable("table")
        self.pictures = pictures

    def validateLink(self, url: str) -> bool:  # noqa: N802
        return url in self.pictures or re.match("https?://", url) is not None


def safe_markdown(text: str, top: int = 3) -> str:
    """Sanitise a user's Markdown: remove HTML and images, and all links except those to web pages.

    The highest headings get the level `top`. The levels below have no gaps, as screen readers navigate by them.
    """
    blocks = SyntaxTreeNode(_Parser({}).parse(text)).children
    levels = sorted({block.tag for block in blocks if block.type == "heading"})
    parts, level = [], top - 1
    for block in blocks:
        if block.type == "heading":
            level = min(top + levels.index(block.tag), level + 1, DEEPEST_HEADING)
            parts.append(f"{'#' * level} {_inline(block)}")
        else:
            parts.append(_block(block))
    return "\n\n".join(parts)


def _block(block: SyntaxTreeNode) -> str:
    match block.type:
        case "fence" | "code_block":
            fence = "`" * max(3, _longest_run(block.content) + 1)
            return f"{fence}text\n{block.content.rstrip()}\n{fence}"
        case "bullet_list" | "ordered_list":
            first = int(block.attrs.get("start", 1))
            return "\n".join(_item(item, number) for number, item in enumerate(block.children, start=first))
        case "blockquote":
            return indent("\n\n".join(map(_block, block.children)), "> ", lambda _: True)
        case "table":
            head, *rows = [row.children for part in block.children for row in part.children]
            rules = ["---:" if "right" in str(cell.attrs.get("style")) else ":---" for cell in head]
            lines = [list(map(_inline, head)), rules, *(list(map(_inline, row)) for row in rows)]
            return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
        case "hr":
            return "---"
        case "heading":  # in a list or a quotation, where it would break the outline of the document
            return f"**{_inline(block)}**"
    return _inline(block)


def _item(item: SyntaxTreeNode, number: int) -> str:
    mark = f"{number}{item.markup}" if item.markup in ".)" else item.markup
    between = "\n" if all(block.hidden for block in item.children if block.type == "paragraph") else "\n\n"
    return f"{mark} {indent(between.join(map(_block, item.children)), ' ' * (len(mark) + 1)).lstrip()}"


def _inline(block: SyntaxTreeNode) -> str:
    in_cell = block.type in ("th", "td")
    return _escape_line_starts("".join(_span(span, in_cell) for child in block.children for span in child.children))


def _span(span: SyntaxTreeNode, in_cell: bool) -> str:
    if span.type in ("softbreak", "hardbreak"):
        return " "
    if span.type == "code_inline":
        return code_span(span.content.replace("|", "\\|") if in_cell else span.content)
    inside = "".join(_span(each, in_cell) for each in span.children) if span.children else escape_cell(span.content)
    address = span.attrs.get("href", span.attrs.get("src"))
    if address is not None:
        return f"[{inside}](<{address}>)"
    return f"{span.markup}{inside}{span.markup}" if span.type in ("em", "strong") else inside


# HTML from Markdown


class _Renderer(RendererHTML):
    """HTML whose tables and pictures scroll on a small screen, with labels for screen readers."""

    def link_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        tokens[idx].attrSet("rel", "noreferrer")
        return self.renderToken(tokens, idx, options, env)

    def table_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        label = escape_html(tokens[idx].meta["label"])
        return f'<div class="scroll" tabindex="0" role="region" aria-label="{label}"><table>\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return "</table></div>\n"

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Render SVG as an image, not inline, so that its styles cannot affect the page."""
        label = escape_html(_plain(tokens[idx]))
        svg = env["pictures"].get(tokens[idx].attrs["src"])
        if svg is None:
            return label
        image = f'<img src="data:image/svg+xml;base64,{base64.b64encode(svg).decode()}" alt="{label}">'
        return f'<div class="sideways" tabindex="0" role="region" aria-label="{label}">{image}</div>'


def html_page(markdown: str, pictures: Mapping[str, bytes]) -> str:
    """Render a document as a self-contained HTML page, with its SVG pictures by address.

    The document begins with its title, the only heading of level 1. Headings of level 2 become sections with links.
    """
    parser = _Parser({quote(address): svg for address, svg in pictures.items()})
    env = {"pictures": parser.pictures}
    tokens = _with_figures(parser.parse(markdown, env))
    _name_tables(tokens)
    starts = [at for at, token in enumerate(tokens) if (token.type, token.tag) == ("heading_open", "h2")]
    links, sections = [], []
    for start, end in pairwise([*starts, len(tokens)]):
        title = _plain(tokens[start + 1])
        name = slug(title, "section").lower()
        tokens[start].attrSet("id", f"{name}-title")
        links.append(f'<a href="#{name}">{escape_html(title)}</a>')
        content = parser.renderer.render(tokens[start:end], parser.options, env)
        sections.append(f'<section id="{name}" aria-labelledby="{name}-title">\n{content}</section>')
    style = read_resource(__package__, "documents.css")
    sources = f"style-src {csp_hash(style)}; img-src data:"
    values = {
        "policy": f"default-src 'none'; {sources}; base-uri 'none'; form-action 'none'",
        "style": style,
        "title": escape_html(_plain(tokens[1])),
        "head": parser.renderer.render(tokens[: starts[0]], parser.options, env),
        "links": "\n".join(links),
        "sections": "\n".join(sections),
    }
    return fill_template(read_resource(__package__, "documents.html"), values)


def _plain(inline: Token) -> str:
    parts = (_plain(child) if child.children else child.content for child in inline.children or ())
    return "".join(parts)


def _with_figures(tokens: list[Token]) -> list[Token]:
    """The tokens, in which each paragraph that is only an image becomes a figure with the next paragraph as caption."""
    found = list(tokens)
    for at, token in reversed(list(enumerate(tokens))):
        if token.children and [child.type for child in token.children] == ["image"]:
            found[at - 1].tag, found[at + 1].hidden = "figure", True
            found[at + 2].tag = found[at + 4].tag = "figcaption"
            found.insert(at + 5, Token("figure_close", "figure", -1, block=True))
    return found


def _name_tables(tokens: Sequence[Token]) -> None:
    """Label each table by its caption, a paragraph with a colon before it; mark head cells and text cells."""
    for at, token in enumerate(tokens):
        if token.type == "table_open":
            caption = _plain(tokens[at - 2]) if tokens[at - 1].type == "paragraph_close" else ""
            end = next(end for end in range(at, len(tokens)) if tokens[end].type == "thead_close")
            heads = (_plain(each) for each in tokens[at:end] if each.type == "inline")
            if caption.endswith(":"):
                tokens[at - 3].attrSet("class", "caption")
            token.meta["label"] = caption[:-1] if caption.endswith(":") else f"Table of {', '.join(heads)}"
        elif token.type in ("th_open", "td_open"):
            if "right" not in str(token.attrs.pop("style", "")):  # the content security policy forbids the attribute
                token.attrSet("class", "words")
            if token.type == "th_open":
                token.attrSet("scope", "col")
            elif tokens[at - 1].type == "tr_open":
                token.tag = tokens[at + 2].tag = "th"
                token.attrSet("scope", "row")


# Pages


def csp_hash(text: str) -> str:
    """The hash of a style or a script for a content security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def fill_template(body: str, values: Mapping[str, str]) -> str:
    """Replace each {{name}} in a page, and in the common head with policy, style and title, by its value."""
    first, *rest = f"{read_resource(__package__, 'page_head.html')}\n{body}".split("{{")
    pieces = (piece.partition("}}") for piece in rest)  # not str.replace: a value may contain {{name}}
    return first + "".join(values[name] + text for name, _, text in pieces)


def read_resource(package: str, name: str) -> str:
    """Read a text file of a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8").strip()
