from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from positions import SAMPLE, boards

from maxconnect4 import BadFile, BadPosition, Board, board_from_moves, read_board, write_board
from maxconnect4.position_file import board_as_text, board_from_text, is_position_file, read_moves


@given(boards())
def test_a_written_board_reads_as_the_same(board: Board) -> None:
    assert board_from_text(board_as_text(board), "a file") == board


@given(boards(width=5, height=4))
def test_boards_of_other_sizes_are_read_with_their_size(board: Board) -> None:
    text = board_as_text(board)
    assert board_from_text(text, "a file", size=(5, 4)) == board
    with pytest.raises(BadPosition, match="5 lines instead of 7"):
        board_from_text(text, "a file")


def test_a_game_is_a_move_string_or_a_file_that_holds_one(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text("44535\r\n")
    assert read_moves("44535") == read_moves(str(tmp_path / "game.txt")) == "44535"
    (tmp_path / "position.txt").write_text(SAMPLE)
    with pytest.raises(BadPosition, match="position.txt does not contain a move string such as 44535, but a position"):
        read_moves(str(tmp_path / "position.txt"))


def test_the_format_is_that_of_the_assignment(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(SAMPLE)
    board = read_board(str(tmp_path / "in.txt"))
    write_board(board, str(tmp_path / "out.txt"))
    assert (tmp_path / "out.txt").read_bytes() == SAMPLE.encode()
    board.drop(4)
    assert board_as_text(board) == SAMPLE.replace("1100222\n1\n", "1101222\n2\n")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.removesuffix("\n"),
        lambda text: text.replace("\n", "  \t\n"),
        lambda text: text + "\n\n  \n\r\n",
        lambda text: "\ufeff" + text,
    ],
    ids=["CRLF", "CRCRLF", "CR", "no last newline", "trailing blanks", "blank lines at the end", "byte order mark"],
)
def test_files_as_they_are_met_in_the_wild_are_read(tmp_path: Path, change: Callable[[str], str]) -> None:
    path = tmp_path / "wild.txt"
    path.write_bytes(change(SAMPLE).encode())
    assert read_board(str(path)) == board_from_text(SAMPLE, "sample")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (SAMPLE, "", " is empty"),
        ("0000000\n0000000\n", "0000000\n", ", line 7: the file has 6 lines instead of 7"),
        ("222\n1\n", "222\n1\n1\n", ", line 8: the file has 8 lines instead of 7"),
        ("0000000\n0000000\n", "\n0000000\n0000000\n", ", line 1: 0 digits instead of 7"),
        ("0000000\n0000000\n", "0000000\n\n0000000\n", ", line 2: 0 digits instead of 7"),
        ("0200000", "020000", ", line 3: 6 digits instead of 7"),
        ("0200000", "02000000", ", line 3: 8 digits instead of 7"),
        ("0100002", "", ", line 4: 0 digits instead of 7"),
        ("0100002", "01000x2", ", line 4: 'x' is not 0, 1 or 2"),
        ("0100002", "0100032", ", line 4: '3' is not 0, 1 or 2"),
        ("0100002", "01 0002", ", line 4: ' ' is not 0, 1 or 2"),
        ("0100002", "01\x000002", r", line 4: '\x00' is not 0, 1 or 2"),
        ("0200000", "0200010", ", line 3: the piece in column 6, row 4 floats above an empty cell"),
        ("222\n1\n", "222\n2\n", ", line 7: 2 (green) cannot be to move with 6 red and 6 green pieces"),
        ("222\n1\n", "222\n3\n", ", line 7: '3' is not 1 or 2, the player to move"),
        ("222\n1\n", "222\n0\n", ", line 7: '0' is not 1 or 2, the player to move"),
        ("222\n1\n", "222\n12\n", ", line 7: '12' is not 1 or 2, the player to move"),
        (
            "0100002",
            "0100001",
            ", line 7: 7 red and 5 green pieces: red moves first, so it has the same number or one more",
        ),
        ("0200000", "0000000", ", line 7: 1 (red) cannot be to move with 6 red and 5 green pieces"),
    ],
)
def test_a_wrong_file_is_refused_with_its_name_the_line_and_the_reason(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = tmp_path / "wrong.txt"
    assert old in SAMPLE
    path.write_text(SAMPLE.replace(old, new))
    with pytest.raises(BadPosition, match=f"^{re.escape(str(path) + message)}$"):
        read_board(str(path))


def test_utf_16_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "utf16.txt"
    for order in ("utf-16-le", "utf-16-be"):
        path.write_bytes(f"\ufeff{SAMPLE}".encode(order))
        with pytest.raises(BadPosition, match="utf16.txt is written in UTF-16: save it as plain text, or UTF-8$"):
            read_board(str(path))
        assert not is_position_file(str(path))


def test_folders_devices_and_large_files_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r" is a folder, not a position file$"):
        read_board(str(tmp_path))
    with pytest.raises(BadFile, match=r"^/dev/zero is too large for a position file: over 10,000 bytes$"):
        read_board("/dev/zero")
    large = tmp_path / "large.txt"
    with large.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(BadFile, match="too large"):
        read_board(str(large))
    if sys.platform == "linux":
        with pytest.raises(BadFile, match="cannot be read"):
            read_board("/proc/self/mem")
    with pytest.raises(BadFile, match="embedded null"):
        read_board("a\0b")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    for read in (read_board, read_moves):
        with pytest.raises(BadFile, match=r"missing.txt: there is no such file$") as refusal:
            read(str(tmp_path / "missing.txt"))
        assert isinstance(refusal.value, FileNotFoundError)


def test_a_position_is_a_file_or_a_move_string(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_board("44535") == board_from_moves("44535")
    (tmp_path / "44535").write_text(SAMPLE)
    assert read_board("44535") == board_from_text(SAMPLE, "sample")


def test_names_in_messages_stay_on_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "two\nlines"
    folder.mkdir()
    with pytest.raises(BadFile, match=r"two\\nlines' is a folder"):
        read_board(str(folder))


@contextmanager
def typed(text: str) -> Iterator[None]:
    """A text that stands in standard input."""
    with tempfile.TemporaryFile() as file:
        file.write(text.encode())
        file.seek(0)
        kept = os.dup(0)
        os.dup2(file.fileno(), 0)
        try:
            yield
        finally:
            os.dup2(kept, 0)
            os.close(kept)


def test_a_position_can_come_from_standard_input() -> None:
    with typed(SAMPLE):
        assert read_board("-") == board_from_text(SAMPLE)
        os.fstat(0)  # and is still open
    with typed(" 44535\n"):
        assert read_board("-", "classic") == board_from_moves("44535", "classic")
    with typed("44535\n"):
        assert read_moves("-") == "44535"
    with typed("nonsense"), pytest.raises(BadPosition, match=r"^standard input, line 1: 'n' is not 0, 1 or 2$"):
        read_board("-")
    with typed("x" * 10_001), pytest.raises(BadFile, match=r"^standard input is too large for a position file"):
        read_board("-")
    with typed("nonsense"), pytest.raises(BadPosition, match=r"^standard input does not contain a move string"):
        read_moves("-")


def test_a_position_file_may_have_ten_thousand_bytes(tmp_path: Path) -> None:
    path = tmp_path / "wide.txt"
    path.write_text(SAMPLE + " " * (10_000 - len(SAMPLE)))
    assert read_board(str(path)) == board_from_text(SAMPLE)
    path.write_text(SAMPLE + " " * (10_001 - len(SAMPLE)))
    with pytest.raises(BadFile, match="too large"):
        read_board(str(path))


def test_only_blanks_do_not_matter_at_the_end_of_a_line() -> None:
    for text in (SAMPLE.replace("0200000", "0200000x"), SAMPLE + "x", SAMPLE + "\nx"):
        with pytest.raises(BadPosition):
            board_from_text(text)


def test_a_text_without_a_name_is_called_the_text() -> None:
    with pytest.raises(BadPosition, match="^the text is empty$"):
        board_from_text("\n")
    with pytest.raises(BadPosition, match="^the text, line 2: the file has 1 line instead of 7$"):
        board_from_text("0000000")
    with pytest.raises(BadPosition, match="^the text, line 3: 1 digit instead of 7$"):
        board_from_text(SAMPLE.replace("0200000", "0"))


def test_a_position_file_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text(SAMPLE)
    assert is_position_file(str(path))
    path.write_text("44535\n")
    assert not is_position_file(str(path))
    assert not is_position_file(str(tmp_path / "missing.txt"))
    assert not is_position_file(str(tmp_path))
