"""The layer of a book: the values of all positions with one number of plies, without their keys."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from book_states import unfinished_book
from hypothesis import given
from hypothesis import strategies as st
from terminal import maxconnect4

from maxconnect4 import GREEN, RED, BadFile, BadPosition, Board, Solver, board_from_moves
from maxconnect4.book import Book, BookLayer, save_book, shipped_book
from maxconnect4.book_builder import layer_of
from maxconnect4.position_keys import KEY_LIMIT, board_from_key, key_of, moves_from_key, plies_from_key
from maxconnect4.sample_positions import random_board
from maxconnect4.search import CoreSolver, as_bits

CLASSIC = shipped_book("classic")
LONG = pytest.mark.long


def values_after(plies: int) -> dict[int, int]:
    """The values of all positions of Max-Connect4 with this number of plies."""
    return {key: value for key, value in shipped_book() if plies_from_key(key) == plies}


def book_with_layer(path: Path, layer: BookLayer, listed: int = 1) -> Book:
    values = {key: value for key, value in shipped_book() if plies_from_key(key) <= listed}
    save_book(str(path), values, listed, {}, "max", layer)
    return Book(str(path))


# The values


@given(st.dictionaries(st.integers(0, KEY_LIMIT - 1), st.integers(-128, 127), min_size=1, max_size=300))
def test_a_layer_has_the_value_of_every_key(values: dict[int, int]) -> None:
    layer = BookLayer.of(values, 8)
    assert {key: layer.core.value(key) for key in values} == values
    assert (layer.positions, layer.plies) == (len(values), 8)


@pytest.mark.parametrize("plies", [5, 6, pytest.param(7, marks=LONG), pytest.param(8, marks=LONG)])
def test_the_solver_finds_the_scores_of_earlier_positions_in_a_layer(tmp_path: Path, plies: int) -> None:
    book = book_with_layer(tmp_path / "a.book", layer_of(plies, values_after(plies)))
    assert Solver(book=book).analyse(Board(), only_value=True).value == 0
    rng = random.Random(plies)
    for pieces in range(2, plies):
        for threads in (1, 2):
            board = random_board(rng, pieces)
            found = Solver(1 << 20, threads, book=book).analyse(board, line=False)
            assert found.source == "search"
            assert found.scores == shipped_book().scores(board), board.moves


def test_the_score_of_every_column_at_the_layer_itself_is_right(tmp_path: Path) -> None:
    layer = layer_of(7, values_after(7))
    book = book_with_layer(tmp_path / "a.book", layer)
    rng = random.Random(3)
    for _ in range(3):
        board = random_board(rng, 7)
        found = Solver(book=book).analyse(board)
        assert found.scores == shipped_book().scores(board)
        assert found.value == layer.core.value(key_of(board))


@pytest.mark.parametrize("step", [30, pytest.param(1, marks=LONG)])
def test_the_list_of_the_classic_book_agrees_with_its_layer(step: int) -> None:
    assert CLASSIC.layer is not None
    solver = CoreSolver(7, 6, True, 64 << 20, 1, CLASSIC.layer.core)
    for key, value in list(CLASSIC)[::step]:
        board = board_from_key(key, "classic")
        found = solver.analyse(as_bits(board, RED), as_bits(board, GREEN), "value", None)
        assert found.value == value, moves_from_key(key)


@pytest.mark.parametrize(
    ("plies", "count"),
    [(12, 20), (11, 5), (10, 2), *(pytest.param(plies, 100, marks=LONG) for plies in (6, 8, 10, 12))],
)
def test_a_search_without_the_book_finds_the_same_value(plies: int, count: int) -> None:
    rng = random.Random(plies)
    with_book, without = Solver(64 << 20, 1), Solver(64 << 20, 1, book=False)
    for _ in range(count):
        board = random_board(rng, plies, "classic")
        found = with_book.analyse(board, only_value=True)
        assert found.value == without.analyse(board, only_value=True).value, board.moves


def test_early_classic_positions_take_few_nodes() -> None:
    rng = random.Random(1)
    for plies in range(6, 12):
        for _ in range(5):
            assert Solver(threads=1).analyse(random_board(rng, plies, "classic"), line=False).nodes < 20_000


# A static function has a value for any key: positions that no game leads to must not be looked up.


@pytest.mark.parametrize("game", ["max", "classic"])
def test_positions_that_no_game_leads_to_are_searched_without_the_layer(tmp_path: Path, game: str) -> None:
    rows = [[0] * 7 for _ in range(4)] + [[1, 1, 1, 0, 1, 1, 0], [2, 2, 2, 0, 2, 2, 0]]
    upside_down = Board.from_rows(rows, game)
    with pytest.raises(BadPosition):
        moves_from_key(key_of(upside_down))
    wrong = BookLayer.of(dict.fromkeys(range(1, 100), 14), 11)  # nearly every value is wrong
    save_book(str(tmp_path / "a.book"), {key_of(Board(game)): 0}, 0, {}, game, wrong)
    found = Solver(book=Book(str(tmp_path / "a.book"))).analyse(upside_down, only_value=True)
    assert found.value == Solver(book=False).analyse(upside_down, only_value=True).value


def test_other_boards_are_solved_without_the_book() -> None:
    small = Board("classic", width=6, height=5)
    assert Solver().analyse(small, only_value=True).value == Solver(book=False).analyse(small, only_value=True).value
    assert CLASSIC.layer is not None
    with pytest.raises(ValueError, match="7x6"):
        CoreSolver(6, 5, True, 1 << 20, 1, CLASSIC.layer.core)


# The file


@pytest.mark.parametrize(
    "change",
    [
        {"bits": 0},
        {"bits": 9},
        {"bits": 4},
        {"segment_bits": 60},
        {"windows": 2**32},
        {"windows": 0},
        {"seed": -1},
        {"seed": 2**64},
        {"plies": 0},
        {"plies": 17},
        {"least": 1},
        {"least": -129},
        {"least": 0.5},
        {"least": None},
        {"more": 1},
        {"positions": "1"},
        {"content": 1},
        None,
        [],
        {},
    ],
)
def test_a_layer_that_does_not_fit_its_header_is_refused(tmp_path: Path, change: Any) -> None:
    layer = layer_of(4, values_after(4))
    path = tmp_path / "a.book"
    book_with_layer(path, layer)
    title, _, line, content = path.read_bytes().split(b"\n", 3)
    header = json.loads(line)
    header["layer"] = header["layer"] | change if change else change
    body = json.dumps(header).encode() + b"\n" + content
    path.write_bytes(title + b"\n%08x\n" % crc32(body) + body)
    with pytest.raises(BadFile, match=r"a\.book is damaged: "):
        Book(str(path))


def test_build_writes_a_layer_if_fewer_plies_are_listed(tmp_path: Path) -> None:
    build = unfinished_book("classic")
    build.store(tmp_path / "s", [])
    done = maxconnect4(*build.command, "--list", "3", "--state", "s", "--book", "new.book", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    book = Book(str(tmp_path / "new.book"))
    assert book.plies == 3
    assert dict(book) == {key: value for key, value in CLASSIC if plies_from_key(key) <= 3}
    assert book.layer is not None
    assert {key: book.layer.core.value(key) for key in build.deepest} == build.deepest
    stats = json.loads(maxconnect4("book", "stats", "--json", "--book", "new.book", cwd=tmp_path).stdout)
    assert stats["layer"] == {"plies": 5, "positions": len(build.deepest), "bytes": book.layer.size}
    assert Solver(book=book).analyse(board_from_moves("4444", "classic"), line=False).scores == CLASSIC.scores(
        board_from_moves("4444", "classic")
    )


def test_verify_finds_wrong_values_in_a_layer(tmp_path: Path) -> None:
    right = layer_of(7, values_after(7))
    wrong = layer_of(7, {key: value + 1 for key, value in values_after(7).items()})
    for name, layer, status in (("right", right, 0), ("wrong", wrong, 1)):
        book_with_layer(tmp_path / name, layer, listed=2)
        done = maxconnect4("book", "verify", "--book", name, "--sample", "5", cwd=tmp_path)
        assert done.returncode == status, done.stdout
