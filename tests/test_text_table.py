"""Tables on a terminal."""

from __future__ import annotations

from rich.cells import cell_len

from maxconnect4.cli.terminal.text_table import aligned, fit, table_width

HEAD = ["", "player", "games", "score"]
ROWS = [["1", "李明", "12", "11.5"], ["2", "naïve", "12", "0.5"]]


def test_columns_are_in_line_whatever_script_a_name_is_in() -> None:
    lines = aligned(HEAD, ROWS, 1).splitlines()
    assert lines[1] == "1  李明       12   11.5"
    assert {cell_len(line) for line in lines} == {table_width(HEAD, ROWS)}


def test_what_is_wanted_least_is_left_out_first() -> None:
    head, rows = [*HEAD], [[*row] for row in ROWS]
    fit(head, rows, ["score", "games"], 17)
    assert head == ["", "player", "games"]
    assert rows[0] == ["1", "李明", "12"]
