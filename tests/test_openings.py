"""The positions that games begin with."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import FULL

from maxconnect4 import BadFile, BadPosition, board_from_moves
from maxconnect4.errors import BadSetup
from maxconnect4.position_keys import key_of
from maxconnect4.referee.openings import openings_from, random_openings


def keys(openings: list[str]) -> set[int]:
    return {key_of(board_from_moves(moves)) for moves in openings}


# At random


@given(st.integers(2, 41), st.integers(1, 25), st.integers(0, 10**18 - 1))
def test_random_openings_are_all_different_and_not_finished(plies: int, count: int, seed: int) -> None:
    openings = openings_from(f"random:plies={plies},count={count},seed={seed}")
    assert len(openings) == len(keys(openings)) == count
    assert {len(moves) for moves in openings} == {plies}
    assert not any(board_from_moves(moves).is_over() for moves in openings)
    assert openings == openings_from(f"random:seed={seed},count={count},plies={plies}")


def test_what_is_left_out_is_four_plies_twenty_openings_and_seed_one() -> None:
    assert openings_from("random") == openings_from("random:") == openings_from("random:plies=4,count=20,seed=1")
    assert openings_from("random:count=7") == openings_from("random")[:7]
    assert openings_from("random:seed=2") != openings_from("random")
    assert random_openings() == random_openings(4, 20, 1, "max") == openings_from("random")


def test_the_openings_of_a_seed_never_change() -> None:
    assert openings_from("random:count=5") == ["1662", "4456", "1164", "6146", "2771"]


def test_all_openings_of_a_few_plies_can_be_had_and_more_are_refused() -> None:
    for plies, most in ((0, 1), (1, 4), (2, 25), (3, 121)):
        assert len(keys(openings_from(f"random:plies={plies},count={most}"))) == most
        length = "1 ply" if plies == 1 else f"{plies} plies"
        words = f"^{most + 1} openings of {length}: there are only {most}: "
        with pytest.raises(BadSetup, match=words):
            openings_from(f"random:plies={plies},count={most + 1}")


def test_the_longest_and_the_most_openings_can_be_had() -> None:
    assert [len(moves) for moves in openings_from("random:plies=41,count=2")] == [41, 41]
    assert len(openings_from("random:plies=8,count=10000")) == 10_000
    with pytest.raises(BadSetup, match="8,232 openings of 6 plies: there are only 8,231"):
        openings_from("random:plies=6,count=8232")


def test_openings_are_of_one_of_the_two_games() -> None:
    with pytest.raises(ValueError, match="'chess'"):
        random_openings(game="chess")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("random:plies=42", "use 0 to 41"),
        ("random:count=0", "use 1 to 10,000"),
        ("random:count=10001", "use 1 to 10,000"),
        ("random:4", "'random:4' does not describe openings, because of '4': use settings such as random:"),
        ("random:plies=-1", "because of 'plies=-1'"),
        ("random:plies=4,", "because of ''"),
        ("random:plies=1,plies=2", "because of 'plies=2'"),
        ("random:length=4", "because of 'length=4'"),
        ("random:seed=\u0661", r"because of 'seed=\\u0661'"),
    ],
)
def test_settings_that_are_none_are_refused(text: str, words: str) -> None:
    with pytest.raises(BadSetup, match=words):
        openings_from(text)


# From a file


def test_a_file_has_an_opening_on_each_line(tmp_path: Path) -> None:
    (tmp_path / "o.txt").write_bytes(b"\xef\xbb\xbf# good ones\r\n-\r\n\r\n44535   # a classic\r\n  12 \r\n4")
    assert openings_from(str(tmp_path / "o.txt")) == ["", "44535", "12", "4"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("4\n44\n4x\n", "line 3: '4x' is not a move string"),
        ("4444444\n", "line 1: move 7 of '4444444': column 4 is full"),
        ("48\n", "line 1: move 2 of '48': .*column 8"),
        (f"\n{FULL}\n", "line 2: '1111.* is a finished game"),
        ("345\n# and\n543\n", "line 3: '543' is the same position as line 1, or its mirror image"),
        ("12\n77\n76\n", "line 3: '76' is the same position as line 1, or its mirror image"),
        ("-\n-\n", "line 2: '-' is the same position as line 1"),
        ("\x1b[2J\n", r"line 1: '\\x1b\[2J' is not a move string"),
    ],
)
def test_an_invalid_or_repeated_opening_is_named_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "openings.txt").write_text(text)
    with pytest.raises(BadPosition, match=f"openings.txt, {words}"):
        openings_from(str(tmp_path / "openings.txt"))


def test_a_file_without_openings_is_refused(tmp_path: Path) -> None:
    (tmp_path / "o.txt").write_text("# none yet\n")
    with pytest.raises(BadFile, match="o.txt has no openings$"):
        openings_from(str(tmp_path / "o.txt"))


def test_an_invalid_file_of_openings_is_refused(tmp_path: Path) -> None:
    (tmp_path / "o.txt").write_text("#" * (1 << 20) + "#")
    with pytest.raises(BadFile, match="o.txt is too large for a file of openings: more than 1,048,576 bytes$"):
        openings_from(str(tmp_path / "o.txt"))
    with pytest.raises(BadFile, match="none.txt: there is no such file of openings$"):
        openings_from(str(tmp_path / "none.txt"))
    with pytest.raises(BadFile, match="it is not a regular file$"):
        openings_from(str(tmp_path))
