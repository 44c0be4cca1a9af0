"""What the value of a position means, in numbers and in words."""

from __future__ import annotations

import pytest

from maxconnect4 import Board, board_from_moves
from maxconnect4.scores import (
    format_best_columns,
    format_result,
    format_signed,
    moves_to_win,
    ply_of_end,
    result_name,
    sign,
    value_of_win,
)


def test_the_margin_of_a_max_game_is_that_of_the_winner() -> None:
    assert format_result(Board(), 3) == "red wins by 3"
    assert format_result(Board(), -2) == "green wins by 2"
    assert format_result(board_from_moves("4"), 1) == "green wins by 1"
    assert format_result(board_from_moves("4"), -1) == "red wins by 1"
    assert format_result(board_from_moves("4"), 0) == "the game is a draw"


def test_a_classic_game_is_won_with_a_certain_move() -> None:
    three = board_from_moves("414141", "classic")
    value = value_of_win(7)
    assert (moves_to_win(three, value), ply_of_end(three, value)) == (1, 7)
    assert format_result(three, value) == "red wins with its next move"
    assert format_result(three, value - 1) == "red wins in 2 moves"
    # Green, to move, cannot help it: red's move after green's is the first of red's own.
    missed = board_from_moves("4141417", "classic")
    assert (moves_to_win(missed, -value_of_win(9)), ply_of_end(missed, -value_of_win(9))) == (1, 9)
    assert format_result(missed, -value_of_win(9)) == "red wins with its next move"
    assert format_result(Board("classic"), 0) == "the game is a draw"


def test_a_four_is_worth_what_is_left_of_the_board() -> None:
    assert [value_of_win(pieces) for pieces in (7, 8, 9, 40, 41, 42)] == [18, 18, 17, 2, 1, 1]


@pytest.mark.parametrize(("width", "height"), [(7, 6), (5, 5), (3, 3)])
def test_the_least_win_ends_with_the_last_piece_that_the_winner_has(width: int, height: int) -> None:
    """Red has every odd piece, green every even one."""
    board = Board("classic", width=width, height=height)
    cells = width * height
    red, green = (cells, cells - 1) if cells % 2 else (cells - 1, cells)
    assert (ply_of_end(board, 1), ply_of_end(board, -1)) == (red, green)
    assert (ply_of_end(board, 2), ply_of_end(board, -2)) == (red - 2, green - 2)
    board.drop(1)
    assert (ply_of_end(board, 1), ply_of_end(board, -1)) == (green, red)


def test_a_draw_has_no_end_before_the_board_is_full() -> None:
    assert ply_of_end(Board("classic"), 0) is None
    with pytest.raises(ValueError, match="draw"):
        moves_to_win(Board("classic"), 0)


def test_the_best_columns_are_listed() -> None:
    assert format_best_columns(Board(), [4]) == "Best: column 4."
    assert format_best_columns(Board(), [3, 4]) == "Best: columns 3 and 4."
    assert format_best_columns(Board(), [3, 4, 5]) == "Best: columns 3, 4 and 5."
    assert format_best_columns(Board(), [1, 2, 3, 4, 5, 6, 7]) == "All columns are equally good."
    full = board_from_moves("444444")  # column 4, that is
    assert format_best_columns(full, [3, 5, 2, 6, 1, 7]) == "All columns are equally good."
    assert format_best_columns(Board(width=2, height=4), [1, 2]) == "All columns are equally good."
    assert format_best_columns(Board(width=1, height=4), [1]) == "Best: column 1."


def test_margins_have_signs() -> None:
    assert [format_signed(margin) for margin in (-12, -1, 0, 1, 12)] == ["-12", "-1", "0", "+1", "+12"]
    assert [sign(value) for value in (-12, -1, 0, 1, 12)] == [-1, -1, 0, 1, 1]
    assert [result_name(value) for value in (-12, -1, 0, 1, 12)] == ["loss", "loss", "draw", "win", "win"]
