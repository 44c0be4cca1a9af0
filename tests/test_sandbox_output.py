"""What a program printed, abridged to its beginning and its end."""

from __future__ import annotations

import tempfile

import pytest

from maxconnect4.referee.sandbox import read_ends, truncate


def shown(printed: bytes) -> str:
    """What is kept and shown of what was printed."""
    with tempfile.TemporaryFile(buffering=0) as file:
        file.write(printed)
        return truncate(*read_ends(file.fileno(), len(printed)), len(printed))


def numbered(first: int, last: int, letters: int = 3) -> bytes:
    """Lines with a number each."""
    return b"".join(b"%0*d\n" % (letters, number) for number in range(first, last + 1))


@pytest.mark.parametrize("printed", [b"", b"hello", b"x" * 4_000, numbered(1, 40)])
def test_a_short_text_is_not_truncated(printed: bytes) -> None:
    assert shown(printed) == printed.decode()


def test_of_many_lines_the_first_and_the_last_are_shown() -> None:
    head, tail = numbered(1, 25).decode(), numbered(28, 42).decode()
    assert shown(numbered(1, 42)) == f"{head}[... 8 bytes omitted ...]\n{tail}"
    assert shown(numbered(1, 41)).count("\n") == 41


def test_of_many_letters_whole_lines_are_shown() -> None:
    text = shown(numbered(1, 100, 149))  # sixteen lines and two thirds at the beginning, ten at the end
    head, tail = numbered(1, 16, 149).decode(), numbered(92, 100, 149).decode()
    assert text == f"{head}[... {100 * 150 - 25 * 150:,} bytes omitted ...]\n{tail}"


def test_lines_that_are_too_long_are_cut() -> None:
    text = shown(b"a" * 5_000 + b"\n" + b"b" * 5_000)
    assert text == "a" * 2_500 + "\n[... 6,001 bytes omitted ...]\n" + "b" * 1_500


def test_a_long_line_is_left_out_only_if_the_others_are_more() -> None:
    # At the beginning 1,250 letters are a line and 1,250 of another one; at the end 750 and 750.
    text = shown(b"a" * 1_249 + b"\n" + b"b" * 4_000 + b"\n" + b"c" * 749 + b"\n")
    assert (
        text
        == "a" * 1_249 + "\n" + "b" * 1_250 + "\n[... 2,001 bytes omitted ...]\n" + "b" * 749 + "\n" + "c" * 749 + "\n"
    )
    text = shown(b"a" * 1_250 + b"\n" + b"b" * 4_000 + b"\n" + b"c" * 750 + b"\n")
    assert text == "a" * 1_250 + "\n[... 4,001 bytes omitted ...]\n" + "c" * 750 + "\n"


def test_bytes_that_are_no_text_are_shown_as_such() -> None:
    assert shown(b"\xff") == "\ufffd"
    assert shown(b"\xff\n" * 42).replace("\ufffd\n", "") == "[... 4 bytes omitted ...]\n"
