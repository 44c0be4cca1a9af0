"""The quick reader of command lines against argparse: it may give up, but never read a line otherwise."""

from __future__ import annotations

import contextlib
import io
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxconnect4.cli import COMMANDS, GROUPS, book
from maxconnect4.cli.full_parsing import full_parser
from maxconnect4.cli.parsing import Arguments, PlainParser

WORDS = [
    *("input1.txt", "out.txt", "-", "", "8", "perfect", "0", "-1", "x", "computer-next", "human-first", "44535"),
    *("--eval", "table", "--eval=best", "--eval=", "--game", "classic", "--game=max", "--time", "2", "--time=0.5"),
    *("--json", "--json=1", "--save-in", ".", "--save-in=x", "--help", "--ev", "-h", "--time=-1"),
    *("--memory", "512M", "--memory=x", "--threads=2", "--size", "5x4", "--value", "--batch", "--plot", "a.png"),
    *(
        "--sizes=4x4,5x4",
        "--cells",
        "20",
        "--limit=2",
        "--file",
        "--book",
        "none",
        "--plies",
        "--plies=15",
        "--state=s",
    ),
    *("-o", "-o=x", "-ox", "--output", "--depth", "--depth=2", "--no-pruning", "--order=left"),
    *("--part=1/2", "--part", "--processes", "--scheduler=tcp://a:1", "--sample", "--seed=3"),
]


MODULES = {name: module for name, (module, _) in COMMANDS.items() if name not in GROUPS}
MODULES |= {f"book {name}": f"book.{module}" for name, (module, _) in book.COMMANDS.items()}


@pytest.mark.parametrize("command", MODULES)
def test_both_parsers_read_the_same(command: str) -> None:
    @given(st.lists(st.sampled_from(WORDS), max_size=6))
    def same(words: list[str]) -> None:
        quick, full = both(command, words)
        assert quick is None or quick == full

    same()


@cache
def parsers(command: str) -> tuple[PlainParser, Any]:
    """The quick parser of a command, and argparse."""
    module = import_module(f"maxconnect4.cli.{MODULES[command]}")
    plain, full = PlainParser(), full_parser(command, str(module.__doc__))
    module.add_arguments(plain)
    module.add_arguments(full)
    return plain, full


def both(command: str, words: list[str]) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """What the quick parser and argparse read, or that they refuse it; the quick one may refuse what argparse takes."""
    plain, full = parsers(command)
    quick = plain.parse(words)
    try:
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            slow = full.parse_intermixed_args(words, Arguments())
    except SystemExit:
        slow = None
    return (None if quick is None else vars(quick)), (None if slow is None else vars(slow))


def test_lines_as_people_type_them_need_no_argparse() -> None:
    for line in (
        "one-move input1.txt out.txt 8",
        "one-move - - perfect --eval table",
        "one-move --eval=table --game classic 44535 out.txt --json 8",
        "one-move input1.txt out.txt --time 2",
        "interactive",
        "interactive input1.txt computer-next 8 --save-in .",
        "analyse 44535 --json --memory 512M --threads 2 --size 5x4",
        "analyse --batch positions.txt --value",
        "review game.txt --plot game.png",
        "review 44535 --book none",
        "tree 4453 --depth 3 --no-pruning -o tree.svg",
        "solve-sizes --sizes 4x4,7x6 --cells 20 --limit 5",
    ):
        command, *words = line.split()
        quick, full = both(command, words)
        assert quick is not None, line
        assert quick == full, line


def test_after_two_dashes_all_words_are_arguments() -> None:
    quick, _ = both("interactive", ["--", "-x", "human-next"])  # of which argparse makes nothing
    assert quick is not None
    assert (quick["input_file"], quick["next"]) == ("-x", "human-next")
