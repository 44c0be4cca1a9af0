"""Published tables of times."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxconnect4.errors import BadFile
from maxconnect4.measuring.showing.published import published_tables, read_published


def test_a_published_table_comes_with_the_package() -> None:
    (table,) = published_tables()
    assert table.name == "Jacob Wilkins, Java"
    assert "Jacob Wilkins" in table.source
    assert list(table.by_depth) == list(range(17))
    assert (table.by_depth[0], table.by_depth[12], table.by_depth[16]) == (0.032, 1.963, 183.295)


@pytest.mark.parametrize(
    "text",
    [
        "depth\tseconds\n0\t0.5\n2\t1e1\n",
        "0,0.5\n\n2, 10\n",
        "# name: mine\n# 2020\n  2   10\n0 .5",
        "\ufeffdepth, CPU\r\n0,0.5\r\n2,10\r\n",
    ],
)
def test_a_table_of_ones_own_may_be_written_in_several_ways(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(text, newline="")
    table = read_published(str(path))
    assert list(table.by_depth.items()) == [(0, 0.5), (2, 10.0)]
    assert table.name == "mine"
    assert table.source == str(path)


def test_a_table_says_whose_it_is(tmp_path: Path) -> None:
    path = tmp_path / "times.txt"
    path.write_text("# name: Ada, C++\n# source: her report\n1 2\n")
    table = read_published(str(path))
    assert (table.name, table.source) == ("Ada, C++", "her report")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", ": there is no depth with its seconds in it"),
        ("depth seconds\n", ": there is no depth with its seconds in it"),
        ("1 2\nx 3\n", ", line 2: 'x' is not a depth from 0 to 1000"),
        ("-1 3\n", ", line 1: '-1' is not a depth from 0 to 1000"),
        ("1001 3\n", ", line 1: '1001' is not a depth from 0 to 1000"),
        ("1 fast\n", ", line 1: 'fast' is not a number of seconds"),
        ("1 -2\n", ", line 1: '-2' is not a number of seconds"),
        ("1 nan\n", ", line 1: 'nan' is not a number of seconds"),
        ("1 inf\n", ", line 1: 'inf' is not a number of seconds"),
        ("1 1e300\n", ", line 1: '1e300' is not a number of seconds"),
        ("# times\n1 2 3\n", ", line 2: '1 2 3' is not a depth and its seconds"),
        ("1 2\n1 3\n", ", line 2: depth 1 was there before"),
        ("depth seconds\nDEPTH SECONDS\n", ", line 2: 'DEPTH' is not a depth from 0 to 1000"),
        ("1 2\n" * 20000, " is too large for a table of times: over 65,536 bytes"),
    ],
)
def test_what_is_wrong_with_a_table_is_said_in_one_line(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "times.tsv"
    path.write_text(text)
    with pytest.raises(BadFile) as found:
        read_published(str(path))
    assert str(found.value) == f"{path}{complaint}"


def test_a_table_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "times.tsv"
    path.write_bytes(b"\xff\xfe1\x00")
    with pytest.raises(BadFile, match="is no text in UTF-8"):
        read_published(str(path))
    with pytest.raises(BadFile, match="there is no such table"):
        read_published(str(tmp_path / "none.tsv"))
