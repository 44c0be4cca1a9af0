"""The quick reader of command lines against argparse: it may give up, but never read a line otherwise."""

from __future__ import annotations

import contextlib
import io
from importlib import import_module

import pytest
from hypothesis import given, settings
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
    module = import_module(f"maxconnect4.cli.{MODULES[command]}")

    @given(st.lists(st.sampled_from(WORDS), max_size=6))
    @settings(max_examples=300, deadline=None)
    def same(words: list[str]) -> None:
        plain = PlainParser()
        module.add_arguments(plain)
        quick = plain.parse(words)
        full = full_parser(command, str(module.__doc__))
        module.add_arguments(full)
        try:
            with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
                slow = full.parse_intermixed_args(words, Arguments())
        except SystemExit:
            assert quick is None
        else:
            assert quick is None or vars(quick) == vars(slow)

    same()


def test_lines_as_people_type_them_need_no_argparse() -> None:
    for line in (
        "one-move input1.txt out.txt 8",
        "one-move - - perfect --eval table",
        "one-move --eval=table --game classic 44535 out.txt --json 8",
        "one-move input1.txt out.txt --time 2",
        "interactive",
        "interactive -- -x human-next",
        "interactive input1.txt computer-next 8 --save-in .",
        "analyse 44535 --json --memory 512M --threads 2 --size 5x4",
        "analyse --batch positions.txt --value",
        "review game.txt --plot game.png",
        "review 44535 --book none",
        "tree 4453 --depth 3 --no-pruning -o tree.svg",
        "solve-sizes --sizes 4x4,7x6 --cells 20 --limit 5",
    ):
        command, *words = line.split()
        plain = PlainParser()
        import_module(f"maxconnect4.cli.{MODULES[command]}").add_arguments(plain)
        assert plain.parse(words) is not None, line
