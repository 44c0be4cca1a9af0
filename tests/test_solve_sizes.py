from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from plain_minimax import minimax
from terminal import Terminal, interrupted, maxconnect4

from maxconnect4 import RED, Board, analyse
from maxconnect4.board_sizes import solvable_sizes


def results(folder: Path) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = json.loads((folder / "solved.json").read_text())
    return found


def test_every_size_fits_and_the_smallest_comes_first() -> None:
    sizes = solvable_sizes()
    assert sizes[:4] == [(4, 4), (4, 5), (5, 4), (4, 6)]
    assert (7, 6) in sizes
    assert (12, 4) in sizes
    assert (4, 15) in sizes
    assert all(columns * (rows + 1) <= 64 for columns, rows in sizes)
    assert len(sizes) == sum(64 // (rows + 1) - 3 for rows in range(4, 16))


def test_small_boards_are_solved_and_stored(tmp_path: Path) -> None:
    done = maxconnect4("solve-sizes", "--cells", "20", "--threads", "1", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["size", "4x4", "4x5", "5x4"]
    found = results(tmp_path)
    assert list(found) == ["4x4", "4x5", "5x4"]
    assert all(facts["solved"] is True for facts in found.values())
    assert [facts["value"] for facts in found.values()] == [0, 0, 0]
    before = (tmp_path / "solved.json").read_bytes()
    again = maxconnect4("solve-sizes", "--cells", "20", cwd=tmp_path)
    assert again.stdout == done.stdout
    assert (tmp_path / "solved.json").read_bytes() == before


@pytest.mark.long
def test_the_smallest_board_has_the_value_of_plain_minimax() -> None:
    """The small version is in test_solver: late positions of many sizes, and the known values of small boards."""
    board = Board(width=4, height=4)
    assert analyse(board, only_value=True).value == minimax(board, 16, "margin", RED)


def test_a_size_that_takes_too_long_is_noted_and_tried_again(tmp_path: Path) -> None:
    done = maxconnect4("solve-sizes", "--sizes", "8x7,4x4", "--limit", "0.2", "--threads", "1", cwd=tmp_path)
    assert done.returncode == 0
    assert "unfinished" in done.stdout.splitlines()[-1]
    assert results(tmp_path)["4x4"]["solved"] is True
    assert results(tmp_path)["8x7"] == {"columns": 8, "rows": 7, "solved": False, "seconds": 0.2}
    again = maxconnect4("solve-sizes", "--sizes", "8x7", "--limit", "0.3", "--threads", "1", cwd=tmp_path)
    assert again.returncode == 0
    assert results(tmp_path)["8x7"]["seconds"] == 0.3
    assert results(tmp_path)["4x4"]["solved"] is True


def test_ctrl_c_keeps_what_is_solved(tmp_path: Path) -> None:
    done = interrupted("solve-sizes", "--sizes", "4x4,8x7", "--threads", "1", after="4x4", cwd=tmp_path)
    assert done == (130, "maxconnect4: interrupted\n")
    assert list(results(tmp_path)) == ["4x4"]


def test_a_terminal_shows_the_bounds(tmp_path: Path) -> None:
    terminal = Terminal("solve-sizes", "--sizes", "8x7", "--limit", "60", "--threads", "1", cwd=tmp_path)
    terminal.wait_for("million/s")
    terminal.type("\x03")
    assert terminal.close() == 130


@pytest.mark.parametrize("text", ["", "[]", "{", '{"4x4": 5}', '{"4x4": {"solved": true}}', "\xff\xfe"])
def test_a_file_of_another_format_is_not_overwritten(tmp_path: Path, text: str) -> None:
    (tmp_path / "solved.json").write_text(text, encoding="latin-1")
    done = maxconnect4("solve-sizes", "--cells", "16", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert "solved.json exists and has no results" in done.stderr
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "solved.json").read_text(encoding="latin-1") == text


def test_a_pipe_as_results_file_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "solved.json")
    done = maxconnect4("solve-sizes", "--cells", "16", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert "solved.json cannot be read: it is not a regular file" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--sizes", "3x3"], 2, "'3x3' is not a size that can be solved"),
        (["--sizes", "4x4,"], 2, "'' is not a size that can be solved"),
        (["--cells", "x"], 2, "'x' is not a number of cells from 16 to 60"),
        (["--cells", "15"], 2, "'15' is not a number of cells from 16 to 60"),
        (["--limit", "0"], 2, "'0' is not a time"),
        (["--results", "missing/solved.json"], 1, "missing/solved.json cannot be written: there is no folder"),
        (["--results", "."], 1, ". cannot be written: it is a folder"),
        (["--memory", "x"], 2, "'x' is not an amount of memory"),
    ],
)
def test_bad_input_is_one_line_and_an_exit_status(tmp_path: Path, words: list[str], code: int, message: str) -> None:
    done = maxconnect4("solve-sizes", *words, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
