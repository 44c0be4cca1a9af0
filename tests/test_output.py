"""Tables on a terminal."""

from __future__ import annotations

from rich.cells import cell_len

from maxconnect4.cli.output import drop_columns, table_text, table_width

HEAD = ["", "player", "games", "score"]
ROWS = [["1", "李明", "12", "11.5"], ["2", "naïve", "12", "0.5"]]


def test_columns_are_aligned_in_any_script() -> None:
    lines = table_text(HEAD, ROWS, left=[1]).splitlines()
    assert lines[1] == "1  李明       12   11.5"
    assert {cell_len(line) for line in lines} == {table_width(HEAD, ROWS)}


def test_a_cell_is_text_and_not_markup() -> None:
    assert table_text(["player"], [["[bold]x[/bold]"]]).split() == ["player", "[bold]x[/bold]"]


def test_the_least_important_columns_are_dropped_first() -> None:
    head, rows = drop_columns(HEAD, ROWS, ["score", "games"], 17)
    assert head == ["", "player", "games"]
    assert rows[0] == ["1", "李明", "12"]
    assert HEAD[-1] == "score"
