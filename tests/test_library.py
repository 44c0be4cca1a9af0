"""The library from a Python prompt, as somebody meets it who has just installed it."""

from __future__ import annotations

import copy
import doctest
import inspect
import pickle
import pydoc
import re
from collections.abc import Callable
from importlib import import_module
from inspect import cleandoc, isfunction
from operator import attrgetter
from typing import Any

import numpy as np
import pytest

import maxconnect4
from maxconnect4 import Board, Progress, Solver, board_as_text, board_from_moves, board_from_text, choose, errors
from maxconnect4.board import GAMES
from maxconnect4.book import shipped_book
from maxconnect4.levels import LevelPlayer
from maxconnect4.players import PerfectPlayer, RandomPlayer, SearchingPlayer
from maxconnect4.referee.match import match
from maxconnect4.review import review
from maxconnect4.search import DEFAULT_DEPTH, DEFAULT_EVALUATION


@pytest.mark.parametrize(
    "name",
    ["", ".board", ".book", ".position_file", ".levels", ".notation", ".reasons", ".review", ".search", ".solver"],
)
def test_examples_in_docstrings_run(name: str) -> None:
    """With what `from maxconnect4 import *` gives at hand."""
    module = import_module(f"maxconnect4{name}")
    failed, tried = doctest.testmod(module, globs={**vars(maxconnect4), **vars(module)})
    assert tried
    assert not failed


@pytest.mark.parametrize(
    "name", [name for name in maxconnect4.__all__ if isfunction(getattr(maxconnect4, name))] + ["Solver.analyse"]
)
def test_the_docstrings_of_functions_describe_arguments_and_results(name: str) -> None:
    function = attrgetter(name)(maxconnect4)
    signature = inspect.signature(function)
    docstring = cleandoc(function.__doc__)
    arguments = docstring.partition("Args:\n")[2].partition("\n\n")[0]
    described = re.findall(r"^    (\w+): ", arguments, re.MULTILINE)
    assert described == [parameter for parameter in signature.parameters if parameter != "self"]
    assert ("Returns:\n" in docstring) == (signature.return_annotation != "None")


@pytest.mark.parametrize("name", [name for name in maxconnect4.__all__ if callable(getattr(maxconnect4, name))])
def test_every_public_name_has_a_docstring(name: str) -> None:
    thing = getattr(maxconnect4, name)
    assert thing.__doc__
    if hasattr(thing, "__slots__") and isinstance(thing.__slots__, dict):
        text = pydoc.plain(pydoc.render_doc(thing))
        for slot, words in thing.__slots__.items():
            assert slot.startswith("_") or " ".join(words.split()) in " ".join(text.split())


def test_objects_have_a_readable_repr() -> None:
    game = review("4444", Solver(1 << 20, threads=1))
    assert repr(game) == "<Review of max, 4 moves, 0 mistakes>"
    assert repr(game.summary(maxconnect4.RED)) == "<Summary of 2 moves, 0 mistakes, regret 0>"
    assert repr(Solver(1 << 20, threads=1)) == "<Solver with 1,048,576 bytes and 1 thread>"
    assert repr(Solver(threads=2)).endswith("and 2 threads>")
    assert repr(Progress((-1, 3), [], 1234, 0.5)) == "<Progress: value from -1 to 3, 1,234 nodes>"
    read = board_from_text(board_as_text(board_from_moves("4453")))
    assert repr(read) == "<Board of 4 pieces, max, red to move>"
    read.drop(7)
    assert repr(read) == "<Board of 4 pieces, then 7, max, green to move>"
    assert repr(Board("classic")) == "<Board empty, classic, red to move>"
    assert repr(board_from_moves("1122334", "classic")) == "<Board 1122334, classic, red has won>"
    assert repr(SearchingPlayer(4)) == "<SearchingPlayer, depth 4>"
    assert repr(SearchingPlayer(seconds=0.5, evaluation="lines")) == "<SearchingPlayer, seconds 0.5, evaluation lines>"
    assert [repr(RandomPlayer()), repr(RandomPlayer(7))] == ["<RandomPlayer>", "<RandomPlayer, seed 7>"]
    player = PerfectPlayer(Solver(1 << 20, threads=1))
    assert repr(player) == "<PerfectPlayer with <Solver with 1,048,576 bytes and 1 thread>>"
    played = match("depth:1", "random", openings=["44"], processes=1)
    assert repr(played) == f"<Match depth:1 against random: {played.score:g} out of 2 games>"


def test_one_mistake_is_not_called_mistakes() -> None:
    game = review("4444433554", Solver(1 << 20, threads=1))
    assert repr(game) == "<Review of max, 10 moves, 2 mistakes>"
    assert repr(game.summary(maxconnect4.RED)) == "<Summary of 5 moves, 1 mistake, regret 2>"


def test_a_full_board_has_a_winner() -> None:
    drawn = Board.from_rows([[1, 1, 2, 2], [2, 2, 1, 1], [1, 1, 2, 2], [2, 2, 1, 1]])
    assert repr(drawn) == "<Board of 16 pieces, max, drawn>"
    won = Board.from_rows([[2, 2, 2, 1], [2, 1, 2, 2], [2, 1, 1, 2], [1, 1, 1, 1]])
    assert repr(won) == "<Board of 16 pieces, max, red has won>"


def test_a_column_of_two_digits_is_in_no_move_string() -> None:
    board = Board(width=12, height=4)
    board.drop(1)
    board.drop(12)
    assert board.moves is None
    assert (board.drops, repr(board)) == ((1, 12), "<Board 1 12, max, red to move>")
    board.undo()
    assert board.moves == "1"


def test_numpy_numbers_become_python_integers() -> None:
    seven, four, two = np.array([7, 4, 2])
    board = Board(width=seven)
    board.drop(four)
    board.drop(True)
    assert (board.moves, [type(column) for column in board.drops], type(board.width)) == ("41", [int, int], int)
    assert choose(board, two).column == choose(board, 2).column


@pytest.mark.parametrize("wrong", ["4", 4.0, None, [4]])
def test_a_value_that_is_not_an_integer_is_refused_with_a_message(wrong: Any) -> None:
    board = Board()
    asked: list[Callable[[], object]] = [
        lambda: board.drop(wrong),
        lambda: board.stack(wrong),
        lambda: board.cell(wrong, 1),
        lambda: board.cell(1, wrong),
        lambda: Board(height=wrong),
        lambda: maxconnect4.perft(board, wrong),
        lambda: choose(board, 1, table_bytes=wrong),
        lambda: LevelPlayer(wrong),
    ]
    if wrong is not None:
        asked += [
            lambda: choose(board, wrong),
            lambda: choose(board, nodes=wrong),
            lambda: Solver(wrong),
            lambda: Solver(threads=wrong),
        ]
    for ask in asked:
        with pytest.raises(TypeError, match=f"^a .* must be a whole number, not {re.escape(repr(wrong))}$"):
            ask()
    assert board == Board()


@pytest.mark.parametrize("wrong", [44535, [4, 4], None])
def test_moves_that_are_not_text_are_refused_with_a_message(wrong: Any) -> None:
    for read in (board_from_moves, review):
        with pytest.raises(TypeError, match='^moves must be a string such as "44535", not '):
            read(wrong)


def test_invalid_books_and_games_are_refused() -> None:
    with pytest.raises(TypeError, match=r"such as Book\('mine.book'\), not a path"):
        Solver(book="mine.book")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'chess' is not a game"):
        shipped_book("chess")
    with pytest.raises(ValueError, match="'chess' is not a game"):
        match("depth:1", "random", openings=["44"], game="chess")


@pytest.mark.parametrize("game", GAMES)
def test_the_defaults_of_the_library_are_those_of_the_commands(game: str) -> None:
    board = board_from_moves("4453", game)
    found = choose(board)
    asked = choose(board, DEFAULT_DEPTH[game], evaluation=DEFAULT_EVALUATION[game])
    assert (found.value, found.depth, found.nodes) == (asked.value, asked.depth, asked.nodes)
    assert maxconnect4.evaluate(board) == maxconnect4.evaluate(board, DEFAULT_EVALUATION[game])


def test_errors_can_be_sent_to_another_process() -> None:
    with_arguments = [
        errors.FloatingPiece(3, 4),
        errors.PackageMissing("Dask", "cluster"),
        errors.SearchStopped("1 s", True),
    ]
    for error in (*with_arguments, errors.NoSuchFile("gone")):
        twin = pickle.loads(pickle.dumps(error))
        assert (type(twin), str(twin), vars(twin)) == (type(error), str(error), vars(error))
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    own = {kind for kind in kinds if "__init__" in vars(kind)}
    assert own == {type(error) for error in with_arguments}  # an error with other arguments belongs above


def test_a_copied_board_is_a_board_of_its_own() -> None:
    board = board_from_moves("44")
    for twin in (board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert (twin, twin.moves) == (board, "44")
        twin.drop(1)
        assert (twin.moves, board.moves) == ("441", "44")
