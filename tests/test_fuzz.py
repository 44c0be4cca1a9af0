"""Position files and typed lines made at random or by damaging good ones: none may end in a traceback."""

from __future__ import annotations

import contextlib
import io
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import random_board

from maxconnect4 import BadPosition, read_board
from maxconnect4.cli import main
from maxconnect4.files import board_as_text, board_from_text

if TYPE_CHECKING:
    from collections.abc import Iterator

TRIES = 100_000
PIECES = [
    b"",
    b"0",
    b"1",
    b"2",
    b"3",
    b"\n",
    b"\r",
    b"\r\n",
    b" ",
    b"\t",
    b"x",
    b"\0",
    b"\xff",
    b"\xe2\x82\xac",
    b"-1",
    b"0000000\n",
]


def damaged(rng: random.Random, text: bytes) -> bytes:
    """The text with some bytes changed, taken out, put in or swapped, or cut short, or doubled."""
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3, 10))):
        at = rng.randrange(len(text) + 1)
        match rng.randrange(5):
            case 0:
                text = text[:at] + rng.choice(PIECES) + text[at + 1 :]
            case 1:
                text = text[:at] + rng.choice(PIECES) + text[at:]
            case 2:
                text = text[:at] + text[at + rng.randrange(4) :]
            case 3:
                other = rng.randrange(len(text) + 1)
                low, high = min(at, other), max(at, other)
                text = text[high:] + text[low:high] + text[:low]
            case 4:
                text = text[:at] if rng.random() < 0.5 else text + text[at:]
    return text


@pytest.fixture
def fast_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory, where there is one: a hundred thousand files that are safely on a disk take minutes."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else tmp_path) as folder:
        yield Path(folder)


@pytest.mark.timeout(900)
def test_a_hundred_thousand_position_files_are_read_or_refused(fast_folder: Path) -> None:
    rng = random.Random(2026)
    good = [board_as_text(random_board(rng, rng.randrange(42))).encode() for _ in range(200)]
    source, target = fast_folder / "in.txt", fast_folder / "out.txt"
    accepted = 0
    for number in range(TRIES):
        text = damaged(rng, rng.choice(good)) if number % 10 else rng.randbytes(rng.randrange(100))
        source.write_bytes(text)
        # All are read; what the command makes of it is slower, and depends on no more than whether they can be.
        try:
            readable = read_board(str(source), "classic" if number % 50 == 0 else "max")
        except BadPosition as refusal:
            readable = None
            assert str(refusal).startswith(str(source)), text
            assert len(str(refusal).splitlines()) == 1, text
        if number % 7:
            continue
        target.write_bytes(b"old")
        printed, complaint = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complaint):
            code = main(
                ["one-move", str(source), str(target), "1", *(("--game", "classic") if number % 50 == 0 else ())]
            )
        assert code == (3 if readable is None else 0), text
        if code == 3:
            assert target.read_bytes() == b"old", text
            assert complaint.getvalue().count("\n") == 1, text
            assert complaint.getvalue().startswith(f"maxconnect4: {source}"), text
        elif target.read_bytes() != b"old":
            accepted += 1
            assert readable is not None
            assert read_board(str(target)).pieces() == readable.pieces() + 1, text
    assert accepted > TRIES / 7 / 20


@given(st.text(alphabet="012\n\r \tx", max_size=80))
@settings(max_examples=2000)
def test_what_is_read_is_written_the_same(text: str) -> None:
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
@settings(max_examples=300, deadline=None)
def test_whatever_is_typed_the_game_goes_on(lines: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        typed = io.TextIOWrapper(io.BytesIO("\n".join(lines).encode(errors="replace")), encoding="utf-8")
        before, sys.stdin = sys.stdin, typed
        here = os.getcwd()
        os.chdir(folder)
        try:
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                assert main(["interactive", "", "human-next", "1"]) == 0
        finally:
            os.chdir(here)
            sys.stdin = before
        assert (
            "The position is saved in computer.txt." in printed.getvalue() or "The board is full" in printed.getvalue()
        )
