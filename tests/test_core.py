"""The rules on bitboards against the plain rules."""

from __future__ import annotations

from importlib.metadata import distribution

import plain_minimax
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import FULL, boards

from maxconnect4 import GREEN, RED, Board, _core, board_from_moves, choose, evaluate, perft


def test_perft_from_the_empty_board() -> None:
    assert [perft(Board(), depth) for depth in range(9)] == [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5764458]


def count_games(board: Board, depth: int) -> int:
    if depth == 0:
        return 1
    count = 0
    for column in board.columns():
        board.drop(column)
        count += count_games(board, depth - 1)
        board.undo()
    return count


def test_perft_counts_to_the_end_of_the_game_and_no_further() -> None:
    board = board_from_moves(FULL[:30])  # columns 6 and 7 are empty
    for depth in (8, 9, 10):
        assert perft(board, depth) == count_games(board, depth)
    assert (perft(board, 12), perft(board, 13)) == (924, 0)


@pytest.mark.parametrize("game", ["max", "classic"])
@pytest.mark.parametrize(("width", "height"), [(7, 6), (6, 5)])
def test_both_rules_count_the_same_games(game: str, width: int, height: int) -> None:
    @given(boards(game, width, height))
    def same_counts(board: Board) -> None:
        for depth in range(4):
            assert perft(board, depth) == count_games(board, depth)

    same_counts()


@given(st.sampled_from([(7, 6), (6, 5)]).flatmap(lambda size: boards("max", *size)))
def test_both_rules_count_the_same_points(board: Board) -> None:
    for player in (RED, GREEN):
        assert evaluate(board, "margin", player) == board.margin(player)
        # `table138` has the points of both, apart: 2 x own - the opponent's.
        assert evaluate(board, "table138", player) == plain_minimax.evaluate(board, "table138", player)


@given(st.sampled_from(["max", "classic"]).flatmap(boards))
def test_the_core_drops_only_where_the_rules_allow(board: Board) -> None:
    if board.columns():
        scores = choose(board, 1, evaluation="margin", scores=True).scores
        assert scores is not None
        assert [column for column, score in enumerate(scores, start=1) if score is not None] == board.columns()


def test_the_core_is_for_all_pythons_that_its_wheel_is_for() -> None:
    tags = distribution("maxconnect4").read_text("WHEEL") or ""
    assert ("-abi3-" in tags) == str(_core.__file__).endswith(".abi3.so")
