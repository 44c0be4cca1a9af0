"""The library from a Python prompt, as somebody meets it who has just installed it."""

from __future__ import annotations

import copy
import doctest
import pydoc
from importlib import import_module

import pytest

import maxconnect4
from maxconnect4 import Board, Progress, Solver, board_as_text, board_from_moves, board_from_text
from maxconnect4.review import review


@pytest.mark.parametrize(
    "name", ["", ".board", ".book", ".files", ".levels.player", ".notation", ".review", ".search", ".solver"]
)
def test_examples_in_docstrings_run(name: str) -> None:
    """With what `from maxconnect4 import *` gives at hand."""
    module = import_module(f"maxconnect4{name}")
    failed, tried = doctest.testmod(module, globs={**vars(maxconnect4), **vars(module)})
    assert tried
    assert not failed


@pytest.mark.parametrize("name", [name for name in maxconnect4.__all__ if callable(getattr(maxconnect4, name))])
def test_help_says_something_of_all_that_the_package_offers(name: str) -> None:
    thing = getattr(maxconnect4, name)
    assert thing.__doc__
    if hasattr(thing, "__slots__") and isinstance(thing.__slots__, dict):
        text = pydoc.plain(pydoc.render_doc(thing))
        for words in thing.__slots__.values():
            assert words in text


def test_things_say_what_they_are() -> None:
    game = review("4444", Solver(1 << 20, threads=1))
    assert repr(game) == "<Review of 4 moves, max, 0 mistakes>"
    assert repr(game.summary(maxconnect4.RED)) == "<Summary of 2 moves, 0 mistakes, gave away 0>"
    assert repr(Solver(1 << 20, threads=1)) == "<Solver with 1,048,576 bytes and 1 thread>"
    assert repr(Solver(threads=2)).endswith("and 2 threads>")
    assert repr(Progress((-1, 3), [], 1234, 0.5)) == "<Progress: value from -1 to 3, 1,234 nodes>"
    read = board_from_text(board_as_text(board_from_moves("4453")))
    assert repr(read) == "<Board of 4 pieces, max, red to move>"
    read.drop(7)
    assert repr(read) == "<Board of 4 pieces, then 7, max, green to move>"
    assert repr(Board("classic")) == "<Board empty, classic, red to move>"


def test_a_copied_board_is_a_board_of_its_own() -> None:
    board = board_from_moves("44")
    for twin in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        assert (twin, twin.moves) == (board, "44")
        twin.drop(1)
        assert (twin.moves, board.moves) == ("441", "44")
