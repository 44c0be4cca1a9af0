"""Documents: what people write is read into blocks, and blocks are written as Markdown that says what they say."""

from __future__ import annotations

from maxconnect4.writing.documents.blocks import Heading, Items, Paragraph, Quoted, Span, Table
from maxconnect4.writing.documents.prose import blocks_of, line_of


def test_paragraphs_lists_headings_code_and_emphasis_are_read() -> None:
    text = "Title\n=====\none\ntwo **three**\n\n- a\n- b\n  c\n\n1. x\n2) y\n\n    code\n\n    more\n\n"
    text += "~~~\nfenced\n~~~\n### Deep\nend"
    assert blocks_of(text) == (
        Heading(3, (Span("Title"),)),
        Paragraph((Span("one two "), Span("three", "strong"))),
        Items(((Span("a"),), (Span("b c"),))),
        Items(((Span("x"),), (Span("y"),)), numbered=True),
        Quoted("code\n\nmore"),
        Quoted("fenced"),
        Heading(4, (Span("Deep"),)),
        Paragraph((Span("end"),)),
    )


def test_a_table_is_read_if_it_has_rules() -> None:
    assert blocks_of("| a | b |\n|---|--:|\n| **x** | 1 |\n| y \\| z |") == (
        Table("", ("a", "b"), (("x", "1"), ("y | z", "")), frozenset(["a"])),
    )
    assert blocks_of("| a | b |\n| c | d |") == (Quoted("| a | b |\n| c | d |"),)


def test_stars_ticks_and_underlines_that_are_not_closed_are_text() -> None:
    assert line_of("2 * 3 * 4, a_b_c, `x, **y, [z](ftp://a)") == (Span("2 * 3 * 4, a_b_c, `x, **y, [z](ftp://a)"),)
    assert line_of(r"\*a\* _b_") == (Span("*a* "), Span("b", "emphasis"))


def test_headings_leave_no_level_out() -> None:
    blocks = blocks_of("###### a\n# b\n##### c\n###### d\n## e")
    assert [block.level for block in blocks if isinstance(block, Heading)] == [3, 3, 4, 5, 4]
