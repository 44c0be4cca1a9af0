"""Files that others have written, whole and line by line."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import BinaryIO

import pytest

from maxconnect4.errors import BadFile, NoSuchFile
from maxconnect4.files import MAX_LINE_BYTES, lines_of, open_regular, read_text


def test_a_text_is_read_with_or_without_a_byte_order_mark(tmp_path: Path) -> None:
    for number, mark in enumerate((b"", b"\xef\xbb\xbf")):
        path = tmp_path / str(number)
        path.write_bytes(mark + "44535 für Grün\n".encode())
        assert read_text(str(path), "game", 100) == "44535 für Grün\n"


def test_a_text_may_have_the_size_of_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(b"4" * 1000)
    assert read_text(str(path), "game", 1000) == "4" * 1000
    with pytest.raises(BadFile, match=r"game.txt is too large for a game: more than 999 bytes$"):
        read_text(str(path), "game", 999)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(b"\xff\xfe4\0")
    with pytest.raises(BadFile, match=r"game.txt is not UTF-8 text$"):
        read_text(str(path), "game", 1000)


def test_a_file_that_is_not_there_is_named_with_what_it_should_be(tmp_path: Path) -> None:
    with pytest.raises(NoSuchFile, match=r"game.txt: there is no such game$"):
        open_regular(str(tmp_path / "game.txt"), "game")
    with pytest.raises(BadFile, match="embedded null"):
        open_regular("a\0b", "game")


@pytest.mark.timeout(10)
def test_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        before = len(os.listdir("/proc/self/fd"))
        with pytest.raises(BadFile, match=f"^{re.escape(str(path))} cannot be read: it is not a regular file$"):
            open_regular(str(path), "game")
        assert len(os.listdir("/proc/self/fd")) == before


def lines(data: bytes, longest: int) -> list[bytes]:
    return list(lines_of(io.BytesIO(data), longest, "a file"))


def test_of_a_line_that_is_too_long_only_the_beginning_is_given() -> None:
    assert lines(b"44535\n\n12\n3", 100) == [b"44535\n", b"\n", b"12\n", b"3"]
    assert lines(b"1234567\n12\n", 4) == [b"1234", b"12\n"]
    assert lines(b"123\n12\n", 4) == [b"123\n", b"12\n"]
    assert lines(b"1234\n12\n", 4) == [b"1234", b"12\n"]
    assert lines(b"12345678", 4) == [b"1234"]
    assert lines(b"", 4) == []


def test_a_line_without_an_end_is_refused() -> None:
    assert lines(b"4" * (MAX_LINE_BYTES - 1) + b"\n12\n", 1 << 20) == [b"4" * (1 << 20), b"12\n"]
    with pytest.raises(BadFile, match=r"^a file has a line of more than 16,777,216 bytes$"):
        lines(b"4" * MAX_LINE_BYTES + b"\n", 1 << 20)


def test_an_unreadable_file_is_refused() -> None:
    with pytest.raises(BadFile, match="^/proc/self/mem cannot be read: "):
        read_text("/proc/self/mem", "game", 100)
    with open("/proc/self/mem", "rb") as memory, pytest.raises(BadFile, match="^the memory cannot be read: "):
        list(lines_of(memory, 100, "the memory"))


def test_a_line_is_there_as_soon_as_it_is_written() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as file, open(writing, "wb", buffering=0) as other:
        typed: BinaryIO = file
        other.write(b"4\n")
        found = lines_of(typed, 100, "a pipe")
        assert next(found) == b"4\n"
        other.write(b"5\n")
        assert next(found) == b"5\n"
