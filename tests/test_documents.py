"""Documents: the Markdown of users is passed on safely, and a page says what its Markdown says."""

from __future__ import annotations

import pytest
from html_elements import Elements
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from maxconnect4.documents import Table, code_span, escape, escape_cell, html_page, picture, safe_markdown

#: What other programs may do with Markdown: raw HTML, images and every kind of link.
LIBERAL = MarkdownIt("commonmark", {"html": True}).enable("table")


def test_paragraphs_lists_headings_code_and_emphasis_are_rendered() -> None:
    text = "Title\n=====\none\ntwo **three**\n\n- a\n- b\n  c\n\n1. x\n2. y\n   - z\n\npar\n\n    code\n\n    more\n\n"
    text += "***\n~~~\nfenced\n~~~\n> quoted *word*\n\n### Deep\nend `x | y`"
    assert safe_markdown(text) == (
        "### Title\n\none two **three**\n\n- a\n- b c\n\n1. x\n2. y\n   - z\n\npar\n\n"
        "```text\ncode\n\nmore\n```\n\n---\n\n```text\nfenced\n```\n\n> quoted *word*\n\n#### Deep\n\nend `x | y`"
    )


def test_a_table_is_one_if_it_has_rules() -> None:
    assert safe_markdown("| a | b |\n|---|--:|\n| **x** | 1 |\n| y \\| `z\\|` |") == (
        "| a | b |\n| :--- | ---: |\n| **x** | 1 |\n| y \\| `z\\|` |  |"
    )
    assert safe_markdown("| a | b |\n| c | d |") == r"\| a \| b \| \| c \| d \|"


def test_marks_that_are_not_closed_are_text() -> None:
    assert safe_markdown("2 * 3 * 4, a_b_c, `x, **y, [z](ftp://a)") == (
        r"2 \* 3 \* 4, a\_b\_c, \`x, \*\*y, \[z\](ftp://a)"
    )
    assert safe_markdown(r"\*a\* _b_") == r"\*a\* _b_"


def test_headings_leave_no_level_out_and_are_bold_where_there_is_no_outline() -> None:
    assert safe_markdown("###### a\n# b\n##### c\n###### d\n## e").split("\n\n") == [
        *("### a", "### b", "#### c", "##### d", "#### e")
    ]
    assert safe_markdown("- # a") == "- **a**"


HOSTILE = (
    "<script>alert(1)</script> <b onclick=x>y</b> ![p](https://example.org/p.png) [j](javascript:alert(1)) "
    "[d](data:text/html,x) <https://example.org/> &lt;b&gt; [r]\n\n[r]: //example.org\n\n<iframe src=x>\n\n"
    "- <img src=x>\n\n> <style>p {}</style>\n\n| <b> | b |\n|---|---|\n| `<i>` | ![x](y) |\n\n# <u>\n"
)


def elements(html: str) -> list[tuple[str, dict[str, str | None]]]:
    return Elements(html).found


def assert_harmless(html: str) -> None:
    allowed = {*("p", "a", "em", "strong", "code", "pre", "ul", "ol", "li", "blockquote", "hr", "br")}
    allowed |= {*("table", "thead", "tbody", "tr", "th", "td"), *(f"h{level}" for level in range(3, 7))}
    for tag, attributes in elements(html):
        assert tag in allowed
        assert attributes.keys() <= {"href", "class", "style", "start"}
        assert (attributes.get("href") or "https://").startswith(("http://", "https://"))


def test_nothing_that_a_user_wrote_is_active_in_any_renderer() -> None:
    html = LIBERAL.render(safe_markdown(HOSTILE))
    assert_harmless(html)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert '<a href="https://example.org/p.png">p</a>' in html


MARKUP = st.text(st.sampled_from("<>[]()!&;:/`*_~|\\#-+=.1ab \n\t"), max_size=60)
PIECES = [*HOSTILE.split(" "), "\n", "\n\n", "    ", "> ", "- ", "1. ", "|", "`", "*"]
WORDS = st.lists(st.sampled_from(PIECES), max_size=20)


@given(MARKUP | WORDS.map(" ".join) | WORDS.map("".join))
def test_no_markdown_of_a_user_becomes_active(text: str) -> None:
    safe = safe_markdown(text)
    assert_harmless(LIBERAL.render(safe))
    assert safe_markdown(safe_markdown(safe)) == safe_markdown(safe)


@given(
    st.text(
        st.characters(min_codepoint=33, max_codepoint=0x2FFF, exclude_categories=["Z", "C"]), min_size=1, max_size=30
    )
)
def test_an_escaped_text_is_rendered_literally(text: str) -> None:
    token = LIBERAL.parse(escape(text))[1]
    assert [(child.type, child.content) for child in token.children or ()] == [("text", text)]
    cell = LIBERAL.parse(f"| a |\n| --- |\n| {escape_cell(text)} |")[-5]
    assert [(child.type, child.content) for child in cell.children or ()] == [("text", text)]
    code = LIBERAL.parse(code_span(text))[1]
    assert [(child.type, child.content) for child in code.children or ()] == [("code_inline", text)]


ROWS = (("1", "2", "<b>"), ("3", "4", ""))
TABLE = Table("By depth", ("depth", "a|b", "remark"), ROWS, frozenset(["remark"]), frozenset([1]))


def test_a_page_has_sections_with_links_and_tables_with_row_heads() -> None:
    page = html_page(f"# A & B\n\nAda\n\n## One\n\n{TABLE.markdown()}\n\n## Two\n\n| x |\n| --- |\n| y |\n", {})
    found = elements(page)
    assert ("title", {}) in found
    assert "<title>A &amp; B</title>" in page
    assert [attributes["href"] for tag, attributes in found if tag == "a"] == ["#one", "#two"]
    assert [attributes["id"] for tag, attributes in found if tag == "section"] == ["one", "two"]
    labels = [attributes["aria-label"] for tag, attributes in found if tag == "div"]
    assert labels == ["By depth", "Table of x"]
    heads = [attributes.get("scope") for tag, attributes in found if tag == "th"]
    assert heads == ["col"] * 3 + ["row"] * 2 + ["col", "row"]
    assert '<th scope="row"><strong>3</strong></th>' in page
    assert '<td class="words">&lt;b&gt;</td>' in page
    assert "style=" not in page


@pytest.mark.parametrize("address", ["plot.svg", "a plot (1).svg", "ü.svg"])
def test_only_the_pictures_of_the_document_are_shown(address: str) -> None:
    markdown = f"# A\n\n## B\n\n{picture(address, 'Caption', 'Description')}\n\n{picture('other.svg', 'c', 'd')}\n"
    page = html_page(markdown, {address: b"<svg/>"})
    images = [attributes for tag, attributes in elements(page) if tag == "img"]
    assert images == [{"src": "data:image/svg+xml;base64,PHN2Zy8+", "alt": "Description"}]
    assert page.count("<figure>") == page.count("</figure>") == 1
    assert "<figcaption><em>Caption</em></figcaption>" in page
