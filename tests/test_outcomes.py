"""What the value of a position means, in numbers and in words."""

from __future__ import annotations

import pytest

from maxconnect4 import Board, board_from_moves
from maxconnect4.outcomes import (
    best_in_words,
    moves_to_win,
    ordinal,
    ply_of_end,
    sign,
    signed,
    win_draw_or_loss,
    with_perfect_play,
    worth_of_four,
)


def test_the_margin_of_a_max_game_is_that_of_whoever_wins() -> None:
    assert with_perfect_play(Board(), 3) == "red wins by 3"
    assert with_perfect_play(Board(), -2) == "green wins by 2"
    assert with_perfect_play(board_from_moves("4"), 1) == "green wins by 1"
    assert with_perfect_play(board_from_moves("4"), -1) == "red wins by 1"
    assert with_perfect_play(board_from_moves("4"), 0) == "the game is a draw"


def test_a_classic_game_is_won_with_a_certain_move() -> None:
    three = board_from_moves("414141", "classic")
    value = worth_of_four(7)
    assert (moves_to_win(three, value), ply_of_end(three, value)) == (1, 7)
    assert with_perfect_play(three, value) == "red wins with its next move"
    assert with_perfect_play(three, value - 1) == "red wins with its 2nd move from now"
    # Green, to move, cannot help it: red's move after green's is the first of red's own.
    missed = board_from_moves("4141417", "classic")
    assert (moves_to_win(missed, -worth_of_four(9)), ply_of_end(missed, -worth_of_four(9))) == (1, 9)
    assert with_perfect_play(missed, -worth_of_four(9)) == "red wins with its next move"
    assert with_perfect_play(Board("classic"), 0) == "the game is a draw"


def test_a_four_is_worth_what_is_left_of_the_board() -> None:
    assert [worth_of_four(pieces) for pieces in (7, 8, 9, 40, 41, 42)] == [18, 18, 17, 2, 1, 1]


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
    with pytest.raises(ValueError, match="nobody wins"):
        moves_to_win(Board("classic"), 0)


def test_the_best_columns_are_listed() -> None:
    assert best_in_words(Board(), [4]) == "Best: column 4."
    assert best_in_words(Board(), [3, 4]) == "Best: column 3 or 4."
    assert best_in_words(Board(), [3, 4, 5]) == "Best: column 3, 4 or 5."
    assert best_in_words(Board(), [1, 2, 3, 4, 5, 6, 7]) == "Every column is as good as the others."
    full = board_from_moves("444444")  # column 4, that is
    assert best_in_words(full, [3, 5, 2, 6, 1, 7]) == "Every column is as good as the others."
    assert best_in_words(Board(width=2, height=4), [1, 2]) == "Every column is as good as the others."
    assert best_in_words(Board(width=1, height=4), [1]) == "Best: column 1."


def test_margins_have_signs() -> None:
    assert [signed(margin) for margin in (-12, -1, 0, 1, 12)] == ["-12", "-1", "0", "+1", "+12"]
    assert [sign(value) for value in (-12, -1, 0, 1, 12)] == [-1, -1, 0, 1, 1]
    assert [win_draw_or_loss(value) for value in (-12, -1, 0, 1, 12)] == ["loss", "loss", "draw", "win", "win"]


def test_ordinals_are_those_of_english() -> None:
    numbers = (1, 2, 3, 4, 10, 11, 12, 13, 14, 20, 21, 22, 23, 24, 101, 111, 112, 113, 121)
    words = "1st 2nd 3rd 4th 10th 11th 12th 13th 14th 20th 21st 22nd 23rd 24th 101st 111th 112th 113th 121st"
    assert [ordinal(number) for number in numbers] == words.split()
