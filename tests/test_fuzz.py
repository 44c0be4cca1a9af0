"""Position files and typed lines made at random or by damaging good ones: none may end in a traceback."""

from __future__ import annotations

import contextlib
import io
import os
import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

import pytest
from fuzz_inputs import PositionFile, damaged, noise, position_files
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import boards

from maxconnect4 import BadPosition
from maxconnect4.cli import main
from maxconnect4.position_file import board_as_text, board_from_text

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def fast_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory, where there is one: a hundred thousand files that are safely on a disk take minutes."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else tmp_path) as folder:
        yield Path(folder)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("files", [5_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_position_files_are_read_or_refused_whatever_they_hold(fast_folder: Path, files: int) -> None:
    rng = random.Random(2026)
    good = position_files(rng)
    file = PositionFile(fast_folder)
    accepted = 0
    for number in range(files):
        game = "classic" if number % 50 == 0 else "max"
        # All are read; what the command makes of it is slower, and depends on no more than whether they can be.
        board = file.read(damaged(rng, rng.choice(good)) if number % 10 else noise(rng), game)
        if number % 7 == 0:
            accepted += file.move(board, game)
    assert accepted > files / 7 / 20


@given(st.text(alphabet="012\n\r \tx", max_size=80) | boards().map(board_as_text))
@settings(max_examples=8 * settings().max_examples)
def test_any_text_is_refused_in_one_line_or_written_the_same(text: str) -> None:
    try:
        board = board_from_text(text, "a file")
    except BadPosition as refusal:
        assert len(str(refusal).splitlines()) == 1
    else:
        assert board_as_text(board).split() == text.split()


@given(
    st.lists(
        st.one_of(st.text(max_size=20), st.sampled_from(["1", "4", "7", "undo", "hint", "help", "save", "save x"]))
    )
)
def test_any_input_leaves_the_game_running(lines: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        typed = io.TextIOWrapper(io.BytesIO("\n".join(lines).encode(errors="replace")), encoding="utf-8")
        with (
            contextlib.chdir(folder),
            mock.patch("sys.stdin", typed),
            contextlib.redirect_stdout(io.StringIO()) as printed,
        ):
            assert main(["interactive", "new.txt", "human-next", "1"]) == 0
        assert any(end in printed.getvalue() for end in ("The board is full", "End of input.", "Bye."))
