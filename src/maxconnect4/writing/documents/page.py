"""A document as one HTML file, which asks for nothing from the network and runs no script."""

from __future__ import annotations

import base64
from functools import partial
from html import escape

from ..pages import allowed, file_of, filled
from .blocks import Heading, Items, Pairs, Paragraph, Picture, Quoted, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .blocks import Block, Document, Line, Section, Span

LOOKS = {"strong": "strong", "emphasis": "em", "code": "code"}

_file = partial(file_of, __package__)


def as_page(document: Document, pictures: Mapping[str, bytes]) -> str:
    """The page, with the pictures in it; of those that are not given nothing is shown. They are SVG.

    A picture is an image of its own, not a part of the page: what it holds, styles too, stays within it.
    """
    style = _file("page.css")
    parts = {
        "policy": f"default-src 'none'; style-src {allowed(style)}; img-src data:; base-uri 'none'; form-action 'none'",
        "style": style,
        "title": escape(document.title),
        "author": f'<p class="author">{escape(document.author)}</p>' if document.author else "",
        "links": "\n".join(f'<a href="#{each.place}">{escape(each.title)}</a>' for each in document.sections),
        "sections": "\n".join(_section(each, pictures) for each in document.sections),
    }
    return filled(_file("page.html"), parts)


def _section(section: Section, pictures: Mapping[str, bytes]) -> str:
    blocks = "\n".join(filter(None, (_block(block, pictures) for block in section.blocks)))
    title = f'<h2 id="{section.place}-title">{escape(section.title)}</h2>'
    return f'<section id="{section.place}" aria-labelledby="{section.place}-title">\n{title}\n{blocks}\n</section>'


def _block(block: Block, pictures: Mapping[str, bytes]) -> str:
    match block:
        case Heading(level, line):
            return f"<h{level}>{_line(line)}</h{level}>"
        case Paragraph(line, missing):
            return f'<p class="missing">{_line(line)}</p>' if missing else f"<p>{_line(line)}</p>"
        case Items(lines, numbered):
            tag = "ol" if numbered else "ul"
            return f"<{tag}>{''.join(f'<li>{_line(line)}</li>' for line in lines)}</{tag}>"
        case Quoted(text):
            return f"<pre>{escape(text)}</pre>"
        case Pairs(pairs):
            items = "".join(f"<dt>{escape(label)}</dt><dd>{_line(line)}</dd>" for label, line in pairs)
            return f"<dl>{items}</dl>"
        case Table():
            return _table(block)
        case Picture():
            return _picture(block, pictures.get(block.name))


def _line(line: Line) -> str:
    return "".join(map(_span, line))


def _span(span: Span) -> str:
    text = escape(span.text)
    if span.look == "link":
        return f'<a href="{escape(span.address)}" rel="noreferrer">{text}</a>'
    tag = LOOKS.get(span.look)
    return f"<{tag}>{text}</{tag}>" if tag else text


def _table(table: Table) -> str:
    kinds = [' class="words"' if head in table.words else "" for head in table.heads]
    heads = "".join(f'<th scope="col"{kind}>{escape(head)}</th>' for head, kind in zip(table.heads, kinds, strict=True))
    rows = []
    for place, row in enumerate(table.rows):
        cells = [f'<th scope="row"{kinds[0]}>{escape(row[0])}</th>']
        cells += [f"<td{kind}>{escape(cell)}</td>" for cell, kind in zip(row[1:], kinds[1:], strict=True)]
        start = '<tr class="marked">' if place in table.marked else "<tr>"
        rows.append(f"{start}{''.join(cells)}</tr>\n")
    label = escape(table.caption or f"Table of {', '.join(table.heads)}")
    caption = f"<caption><span>{label}</span></caption>" if table.caption else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{label}"><table>{caption}\n'
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{''.join(rows)}</tbody></table></div>"
    )


def _picture(picture: Picture, svg: bytes | None) -> str:
    if svg is None:
        return ""
    address = f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"
    caption = f"<figcaption>{escape(picture.caption)}</figcaption>"
    image = f'<img src="{address}" alt="{escape(picture.description)}">'
    label = escape(picture.caption)
    return (
        f'<figure><div class="sideways" tabindex="0" role="region" aria-label="{label}">{image}</div>{caption}</figure>'
    )
