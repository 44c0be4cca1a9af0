"""The classic game solved: every score is what a plain search gives, and what everybody else has found."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_minimax import as_score
from positions import mirror_image, random_board

from maxconnect4 import GREEN, RED, Board, Solver, board_from_moves, choose
from maxconnect4.scores import ply_of_end

PUBLIC = Path(__file__).parents[2] / "shared" / "data" / "classic"
# The public test sets of the classic game, and the positions of each that take some tenths of a second.
SETS = {"L3_R1": (0, 250), "L2_R1": (0, 250), "L2_R2": (0, 50), "L1_R1": (0, 250), "L1_R2": (0, 10), "L1_R3": (1, 3)}
MORE = dict.fromkeys(("L3_R1", "L2_R1", "L2_R2", "L1_R1"), (0, 500)) | {"L1_R2": (0, 100), "L1_R3": (0, 10)}
SMALL = 1 << 20


@pytest.mark.parametrize(
    ("name", "span"),
    [*SETS.items(), *(pytest.param(name, span, marks=pytest.mark.long) for name, span in MORE.items())],
)
def test_public_scores_are_right(name: str, span: tuple[int, int]) -> None:
    path = PUBLIC / f"Test_{name}.txt"
    if not path.exists():
        pytest.skip(f"{path.name} is not there: the public sets are not part of this project")
    rows = [line.split() for line in path.read_text().splitlines()[slice(*span)]]
    solver = Solver(threads=1, book=False)
    found = {moves: solver.analyse(board_from_moves(moves, "classic"), only_value=True).value for moves, _ in rows}
    assert found == {moves: int(score) for moves, score in rows}


@given(st.integers(0, 10**9), st.integers(1, 12), st.sampled_from([(7, 6), (6, 5)]))
def test_solver_and_search_score_alike(seed: int, empty: int, size: tuple[int, int]) -> None:
    width, height = size
    board = quiet_board(random.Random(seed), width * height - empty, width, height)
    searched = choose(board, empty, scores=True, evaluation="margin")
    assert searched.scores is not None
    expected = [None if value is None else as_score(board, value) for value in searched.scores]
    found = Solver(SMALL, threads=2).analyse(board)
    assert found.scores == expected
    assert found.value == max(score for score in expected if score is not None)
    assert_ends_with(board, found.line, found.value)


def quiet_board(rng: random.Random, plies: int, width: int, height: int) -> Board:
    """A board after so many random drops, none of which made a four."""
    while True:
        board = Board("classic", width=width, height=height)
        while board.pieces() < plies:
            quiet = [column for column in board.columns() if not board.makes_four(column, board.to_move)]
            if not quiet:
                break
            board.drop(rng.choice(quiet))
        if board.pieces() == plies:
            return board


def assert_ends_with(board: Board, line: list[int] | None, value: int) -> None:
    """Play a best line to its end: it comes to the value, and on the ply that was foretold."""
    assert line is not None
    mover, ply = board.to_move, ply_of_end(board, value)
    end = board.copy()
    for column in line:
        end.drop(column)
    assert end.is_over()
    if value == 0:
        assert end.winner() is None
        assert ply is None
    else:
        assert end.pieces() == ply
        assert (end.winner() == mover) == (value > 0)


def test_the_principal_variation_ends_with_the_value() -> None:
    rng = random.Random(4)
    solver = Solver(SMALL)
    for _ in range(20):
        board = random_board(rng, rng.randint(16, 30), "classic")
        found = solver.analyse(board)
        assert_ends_with(board, found.line, found.value)
        assert found.best is not None
        assert found.line is not None
        assert found.line[0] == found.best[0] == solver.best_column(board).best[0]  # type: ignore[index]


def test_mirror_images_have_the_same_scores() -> None:
    rng = random.Random(5)
    for _ in range(20):
        board = random_board(rng, rng.randint(14, 30), "classic")
        image = mirror_image(board)
        scores, mirrored = (Solver(SMALL, book=False).analyse(each).scores for each in (board, image))
        assert scores is not None
        assert mirrored == scores[::-1]


def test_the_empty_board_is_won_in_the_middle_column_alone_on_the_41st_ply() -> None:
    found = Solver().analyse(Board("classic"), line=False)
    assert found.source == "book"
    assert found.scores == [-2, -1, 0, 1, 0, -1, -2]
    assert found.best == [4]
    assert ply_of_end(Board("classic"), found.value) == 41


def test_a_finished_game_has_the_value_of_its_result() -> None:
    won = board_from_moves("1212121", "classic")
    found = Solver().analyse(won)
    assert (found.value, found.scores, found.line) == (-18, [None] * 7, [])
    assert ply_of_end(won, found.value) == 7


def test_a_four_that_can_be_made_is_the_best_there_is() -> None:
    board = board_from_moves("121212", "classic")
    found = Solver(threads=1).best_column(board)
    assert (found.value, found.best) == (18, [1])


@pytest.mark.parametrize(("size", "winner"), [((4, 4), None), ((5, 4), None), ((6, 4), GREEN), ((4, 5), None)])
def test_small_boards_have_the_published_values(size: tuple[int, int], winner: int | None) -> None:
    board = Board("classic", width=size[0], height=size[1])
    value = Solver(book=False).analyse(board, only_value=True).value
    assert {0: None, 1: RED, -1: GREEN}[(value > 0) - (value < 0)] == winner


def test_a_table_is_full_when_it_can_grow_no_more() -> None:
    board = board_from_moves("44534216623153", "classic")
    small, large = Solver(1 << 12, 1, book=False), Solver(1 << 26, 1, book=False)
    assert small.table_permille() == large.table_permille() == 0
    assert small.analyse(board).scores == large.analyse(board).scores
    assert small.table_permille() > 900
    assert large.table_permille() < 100


def test_one_solver_takes_both_games_in_turn() -> None:
    solver = Solver(SMALL, book=False)
    moves = "44534216623153"
    classic, most = board_from_moves(moves, "classic"), board_from_moves(moves + "1234567127", "max")
    first = [solver.analyse(board).scores for board in (classic, most)]
    assert [solver.analyse(board).scores for board in (classic, most)] == first
    solver.clear_table()
    assert solver.analyse(classic).scores == first[0]
