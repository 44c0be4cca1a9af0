"""The fast parser of one-move against argparse: it may give up, but never parse a line differently."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxconnect4.cli import one_move
from maxconnect4.cli.fast_parser import PlainParser
from maxconnect4.cli.parser import command_parser

WORDS = [
    *("input1.txt", "out.txt", "-", "", "8", "perfect", "0", "-1", "x", "computer-next", "44535"),
    *("--eval", "table", "--eval=best", "--eval=", "--game", "classic", "--game=max", "--time", "2", "--time=0.5"),
    *("--json", "--json=1", "--stats", "--help", "--ev", "-h", "--time=-1", "--level", "3", "--level=9"),
    *("--book", "none", "--book=my.book", "--nonsense", "-o"),
]


@given(st.lists(st.sampled_from(WORDS), max_size=6))
def test_both_parsers_read_the_same(words: list[str]) -> None:
    fast, full = both(words)
    assert fast is None or fast == full


def both(words: list[str]) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """The values by the fast parser and by argparse; None for a line that a parser refuses."""
    plain, parser = PlainParser(), command_parser("maxconnect4 one-move", one_move.__doc__)
    one_move.add_arguments(plain)
    one_move.add_arguments(parser)
    fast = plain.parse(words)
    try:
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            full = parser.parse_intermixed_args(words)
    except SystemExit:
        full = None
    return (None if fast is None else vars(fast)), (None if full is None else vars(full))


@pytest.mark.parametrize(
    "line",
    [
        "input1.txt out.txt 8",
        "- - perfect --eval table",
        "--eval=table --game classic 44535 out.txt --json 8",
        "input1.txt out.txt --time 2",
        "input1.txt out.txt --level 3 --stats",
    ],
)
def test_well_formed_lines_need_no_argparse(line: str) -> None:
    fast, full = both(line.split())
    assert fast is not None
    assert fast == full


def test_after_two_dashes_all_words_are_arguments() -> None:
    fast, _ = both(["--", "-x", "out.txt"])
    assert fast is not None
    assert (fast["input_file"], fast["output_file"]) == ("-x", "out.txt")
