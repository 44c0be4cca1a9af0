"""Published tables of times."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxconnect4.benchmark.tables import published_tables, read_published
from maxconnect4.errors import BadFile


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
def test_a_published_table_is_read_in_several_formats(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(text, newline="")
    table = read_published(str(path))
    assert list(table.by_depth.items()) == [(0, 0.5), (2, 10.0)]
    assert table.name == "mine"
    assert table.source == str(path)


def test_a_published_table_names_its_program(tmp_path: Path) -> None:
    path = tmp_path / "times.txt"
    path.write_text("# name: Ada, C++\n# source: her report\n1 2\n")
    table = read_published(str(path))
    assert (table.name, table.source) == ("Ada, C++", "her report")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", " has no times: write a depth and its seconds on each line"),
        ("depth seconds\n", " has no times: write a depth and its seconds on each line"),
        ("1 2\nx 3\n", ", line 2: 'x' is not a depth from 0 to 1000"),
        ("-1 3\n", ", line 1: '-1' is not a depth from 0 to 1000"),
        ("1001 3\n", ", line 1: '1001' is not a depth from 0 to 1000"),
        ("1 fast\n", ", line 1: 'fast' is not a number of seconds from 0 to 1,000,000,000"),
        ("1 -2\n", ", line 1: '-2' is not a number of seconds from 0 to 1,000,000,000"),
        ("1 nan\n", ", line 1: 'nan' is not a number of seconds from 0 to 1,000,000,000"),
        ("1 inf\n", ", line 1: 'inf' is not a number of seconds from 0 to 1,000,000,000"),
        ("1 1e300\n", ", line 1: '1e300' is not a number of seconds from 0 to 1,000,000,000"),
        ("# times\n1 2 3\n", ", line 2: '1 2 3' is not a depth with a number of seconds"),
        ("1 2\n1 3\n", ", line 2: depth 1 is repeated"),
        ("depth seconds\nDEPTH SECONDS\n", ", line 2: 'DEPTH' is not a depth from 0 to 1000"),
        ("1 2\n" * 20000, " is too large for a table of times: more than 65,536 bytes"),
    ],
)
def test_an_invalid_table_is_one_line(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "times.tsv"
    path.write_text(text)
    with pytest.raises(BadFile) as found:
        read_published(str(path))
    assert str(found.value) == f"{path}{complaint}"


def test_a_table_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "times.tsv"
    path.write_bytes(b"\xff\xfe1\x00")
    with pytest.raises(BadFile, match="is not UTF-8 text"):
        read_published(str(path))
    with pytest.raises(BadFile, match="there is no such table"):
        read_published(str(tmp_path / "none.tsv"))
