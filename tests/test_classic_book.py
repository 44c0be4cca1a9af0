"""The book of the classic game: what is in it, and that it can be made, looked up and told from the other one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from terminal import maxconnect4

from maxconnect4 import BadFile, Board, Solver, board_from_moves
from maxconnect4.book import Book, shipped_book
from maxconnect4.book_builder import BookState, ClassicBookState, SolvedPosition, verify_structure
from maxconnect4.position_keys import key_of, layers, plies_from_key

BOOK = shipped_book("classic")
DEEPEST = {key: value for key, value in BOOK if plies_from_key(key) == BOOK.plies}
QUICK = sorted(DEEPEST, key=lambda key: -abs(DEEPEST[key]))[:6]  # the sooner a game ends, the sooner it is solved


def test_the_book_has_every_position_and_each_value_is_the_best_of_what_follows() -> None:
    assert BOOK.game == "classic"
    assert len(BOOK) == sum(map(len, layers(BOOK.plies, "classic")))
    assert verify_structure(BOOK) == []


@pytest.mark.parametrize("games", [("51414", "33343"), pytest.param(("6146", "61461"), marks=pytest.mark.long)])
def test_the_solver_finds_what_is_in_the_book(games: tuple[str, ...]) -> None:
    solver = Solver(book=False, threads=1)
    for moves in games:
        board = board_from_moves(moves, "classic")
        assert solver.analyse(board, only_value=True).value == BOOK.value(board)


def test_a_book_is_of_one_game() -> None:
    assert shipped_book().value(Board("classic")) is None
    assert BOOK.value(Board()) is None
    assert BOOK.scores(Board()) is None


def test_missing_positions_are_solved_and_the_book_is_written(tmp_path: Path) -> None:
    with ClassicBookState(str(tmp_path / "state")) as state:
        state.add(SolvedPosition(key, value, 1, 0.001) for key, value in DEEPEST.items() if key not in QUICK)
    words = ("--game", "classic", "--plies", str(BOOK.plies), "--state", "state", "--book", "new.book")
    done = maxconnect4("book", "build", *words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    made = Book(str(tmp_path / "new.book"))
    assert made.game == "classic"
    assert dict(made) == dict(BOOK)


def test_states_and_books_of_two_games_are_not_mixed(tmp_path: Path) -> None:
    with BookState(str(tmp_path / "max")) as state:
        state.add([SolvedPosition(key_of(board_from_moves("12")), 0, 1, 0.0)])
    with pytest.raises(BadFile, match="max is not the state of a book of the classic game"):
        ClassicBookState(str(tmp_path / "max"))
    shutil.copy(shipped_book().path, tmp_path / "opening.book")
    done = maxconnect4("book", "merge", "--game", "classic", "new", "opening.book", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stderr == "maxconnect4: opening.book is a book of the game max, not classic\n"


def test_lookup_has_the_winner_and_the_length_of_the_game() -> None:
    done = maxconnect4("book", "lookup", "--game", "classic")
    assert done.returncode == 0
    assert "Red to move. With perfect play red wins in 21 moves: score +1." in done.stdout
    assert "score       -2    -1     0    +1     0    -1    -2" in done.stdout
