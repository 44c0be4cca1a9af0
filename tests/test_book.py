"""The opening book: its file, what it says, and what becomes of a damaged one."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import boards

from maxconnect4 import BadFile, Board, Progress, Solver, board_from_moves
from maxconnect4.book import Book, save_book, shipped_book
from maxconnect4.book_builder import verify_structure
from maxconnect4.position_keys import derived_value, key_of, layers, moves_from_key, plies_from_key

MADE = {"program": "a test"}


@pytest.fixture(scope="module")
def small_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book of two plies whose values are made up, for tests of the file alone."""
    path = tmp_path_factory.mktemp("book") / "small.book"
    values = {key: random.Random(key).randint(-69, 69) for layer in layers(2) for key in layer}
    save_book(str(path), values, 2, MADE)
    return path


# What it says


def test_the_book_value_of_the_empty_board_is_a_draw_with_three_best_moves() -> None:
    book = shipped_book()
    assert book.value(Board()) == 0
    assert book.scores(Board()) == [-1, -1, 0, 0, 0, -1, -1]


@pytest.mark.long
def test_the_book_has_every_position_up_to_its_plies_and_each_value_is_the_best_of_what_follows() -> None:
    book = shipped_book()
    assert book.plies >= 4
    assert len(book) == sum(map(len, layers(book.plies)))
    assert verify_structure(book) == []


def test_each_value_of_a_sample_of_the_book_is_the_best_of_what_follows() -> None:
    values = dict(shipped_book())
    positions = [key for layer in layers(4) for key in layer]
    positions += random.Random(1).sample(
        [key for key in sorted(values) if plies_from_key(key) < shipped_book().plies], 2000
    )
    for key in positions:
        assert derived_value(key, plies_from_key(key), values) == values[key], moves_from_key(key)


@given(boards())
def test_a_position_is_in_the_book_if_it_has_few_enough_pieces(board: Board) -> None:
    book = shipped_book()
    assert (book.value(board) is not None) == (board.pieces() <= book.plies)
    assert (book.scores(board) is not None) == (board.pieces() < book.plies)


def test_a_position_that_no_game_leads_to_is_not_in_the_book_and_is_searched() -> None:
    upside_down = Board.from_rows([[0] * 7 for _ in range(4)] + [[1, 0, 1, 0, 1, 0, 1], [2, 0, 2, 0, 2, 0, 2]])
    assert upside_down.pieces() == shipped_book().plies
    assert shipped_book().value(upside_down) is None
    assert shipped_book().scores(upside_down) is None
    assert Solver().analyse(upside_down, only_value=True).source == "search"


def test_other_boards_and_the_classic_game_are_not_in_the_book() -> None:
    for board in (Board("classic"), Board(width=6), Board(height=5)):
        assert shipped_book().value(board) is None
        assert shipped_book().scores(board) is None


@pytest.mark.parametrize(
    "games",
    [
        ("757147", "7571474", "75714747"),  # which are solved soon
        pytest.param(("132435", "324611", "5363767", "7711137", "77111372", "32461175"), marks=pytest.mark.long),
    ],
)
def test_the_book_and_the_search_give_the_same_analysis_to_the_last_move(games: tuple[str, ...]) -> None:
    book = shipped_book()
    with_book, without = Solver(256 << 20), Solver(256 << 20, book=False)
    for moves in games:
        board, plies = board_from_moves(moves), len(moves)
        looked_up, searched = with_book.analyse(board), without.analyse(board)
        for name in ("value", "scores", "best", "line"):
            assert getattr(looked_up, name) == getattr(searched, name), (board.moves, name)
        assert looked_up.source == ("book" if plies < book.plies else "search")
        assert searched.source == "search"
        assert with_book.analyse(board, only_value=True).source == "book"
        assert with_book.best_column(board).best == searched.best[:1]  # type: ignore[index]


def test_a_solver_looks_positions_up_in_the_book_that_it_is_given(small_book: Path) -> None:
    book, board = Book(str(small_book)), board_from_moves("4")
    analysis = Solver(book=book).analyse(board, line=False)
    assert (analysis.value, analysis.scores, analysis.source) == (book.value(board), book.scores(board), "book")
    assert analysis.value != shipped_book().value(board)  # as those of the small book are made up


def test_without_the_line_nothing_is_searched() -> None:
    analysis = Solver().analyse(Board(), line=False)
    assert (analysis.nodes, analysis.line, analysis.source) == (0, None, "book")


def test_a_line_is_searched_only_beyond_the_book() -> None:
    board = board_from_moves("757147")
    with_book, without = (Solver(64 << 20, threads=1, book=book) for book in (True, False))
    assert 0 < with_book.analyse(board).nodes < without.analyse(board, only_value=True).nodes / 10


def test_the_progress_of_a_line_from_the_book_keeps_the_columns() -> None:
    class Enough(Exception):
        pass

    def stop(now: Progress) -> None:
        assert now.value == (value, value)
        assert now.columns == [(score, score) for score in scores]
        assert now.nodes > 0
        raise Enough

    board = board_from_moves("3726")  # whose line takes some tenths of a second
    value, scores = shipped_book().value(board), shipped_book().scores(board) or []
    with pytest.raises(Enough):
        Solver(1 << 20, threads=1).analyse(board, progress=stop)


# The file


def test_a_saved_book_gives_back_what_went_in(small_book: Path) -> None:
    book = Book(str(small_book))
    assert (book.plies, book.made, len(book)) == (2, MADE, 30)
    assert dict(book) == {key: random.Random(key).randint(-69, 69) for layer in layers(2) for key in layer}
    assert list(book) == sorted(book)
    assert book.value(board_from_moves("17")) == book.value_of(key_of(board_from_moves("71")))
    assert book.value(board_from_moves("171")) is None
    assert book.value_of(1) is None
    assert book.value_of((1 << 49) - 1) is None


@settings(max_examples=4 * settings().max_examples)
@given(st.data())
def test_any_changed_byte_is_noticed(
    small_book: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content = bytearray(small_book.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    damaged = tmp_path_factory.mktemp("damaged") / "a.book"
    damaged.write_bytes(content)
    with pytest.raises(BadFile, match=r"a\.book is (not an opening book|damaged|a book of version)"):
        Book(str(damaged))


@given(st.data())
def test_a_book_that_is_cut_off_is_noticed(
    small_book: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content = small_book.read_bytes()
    short = tmp_path_factory.mktemp("short") / "a.book"
    short.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    with pytest.raises(BadFile, match="is not an opening book|is damaged|is a book of version"):
        Book(str(short))


def test_a_book_with_a_good_checksum_and_a_bad_head_is_refused(tmp_path: Path) -> None:
    from zlib import crc32

    for head in (b"{}", b"[]", b"[" * 10_000, b'{"made": {}, "plies": 1, "positions": 9}', b'{"made": 3, "plies": 1}'):
        body = head + b"\n" + bytes(16)
        path = tmp_path / "bad.book"
        path.write_bytes(b"Max-Connect4 opening book, version 1\n%08x\n" % crc32(body) + body)
        with pytest.raises(BadFile, match="is damaged: its head"):
            Book(str(path))


def test_a_file_that_is_not_a_book_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.book").touch()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "other.book").write_bytes(b"Max-Connect4 opening book, version 3\n")
    for name, words in (
        ("empty.book", "empty.book is not an opening book"),
        ("other.book", "is a book of version '3'; this program reads versions 1 and 2"),
        ("missing.book", "missing.book: there is no such book"),
        ("", "cannot be read: it is not a regular file"),
        ("pipe", "cannot be read: it is not a regular file"),
        ("/dev/zero", "/dev/zero cannot be read: it is not a regular file"),
        *([("/proc/self/mem", "/proc/self/mem cannot be read: ")] if sys.platform == "linux" else []),
    ):
        with pytest.raises(BadFile, match=words):
            Book(str(tmp_path / name))


def test_the_library_works_without_a_damaged_shipped_book(tmp_path: Path) -> None:
    """In a copy of the package, as the real one must not be harmed."""
    import shutil

    import maxconnect4

    package = tmp_path / "maxconnect4"
    shutil.copytree(Path(maxconnect4.__file__).parent, package)
    content = bytearray((package / "opening.book").read_bytes())
    content[-1] ^= 1
    (package / "opening.book").write_bytes(content)
    program = "from maxconnect4 import *; print(analyse(board_from_moves('44444433'), only_value=True).source)"
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert run.stdout == "search\n"
    assert "opening.book is damaged: its checksum is wrong; continuing without a book" in run.stderr
    run = subprocess.run(
        [sys.executable, "-m", "maxconnect4", "analyse", "44444433", "--json", "--value"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 0
    assert '"source": "search"' in run.stdout
    assert len(run.stderr.splitlines()) == 1
    assert run.stderr.endswith("opening.book is damaged: its checksum is wrong; continuing without a book\n")
