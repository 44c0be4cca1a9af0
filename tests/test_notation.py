from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import boards

from maxconnect4 import BadPosition, Board, board_from_moves


@given(boards())
def test_a_move_string_leads_back_to_its_board(board: Board) -> None:
    assert board.moves is not None
    assert board_from_moves(board.moves) == board


def test_no_moves_are_the_empty_board() -> None:
    assert board_from_moves("") == Board()


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("4448", "move 4 of '4448': there is no column 8: choose 1 to 7"),
        ("40", "move 2 of '40': there is no column 0: choose 1 to 7"),
        ("4444444", "move 7 of '4444444': column 4 is full"),
        ("4a", "'4a' is not a move string: it must be columns from 1 to 7, such as 44535"),
        ("４", r"'\uff14' is not a move string: it must be columns from 1 to 7, such as 44535"),
    ],
)
def test_a_wrong_move_string_is_refused_with_the_move_and_the_reason(moves: str, message: str) -> None:
    with pytest.raises(BadPosition, match=f"^{re.escape(message)}$"):
        board_from_moves(moves)


def test_boards_of_other_sizes_have_move_strings_too() -> None:
    board = board_from_moves("5555", size=(5, 4))
    assert (board.width, board.height, board.columns()) == (5, 4, [1, 2, 3, 4])
    with pytest.raises(BadPosition, match="there is no column 6: choose 1 to 5"):
        board_from_moves("6", size=(5, 4))


@given(st.text(max_size=80))
def test_any_text_is_a_board_or_one_line_of_refusal(text: str) -> None:
    try:
        board_from_moves(text)
    except BadPosition as error:
        assert len(str(error).splitlines()) == 1
        assert str(error).isprintable()


def test_the_game_of_a_move_string_is_the_one_that_is_named() -> None:
    assert board_from_moves("44", "classic").game == "classic"


def test_moves_that_are_not_a_text_are_refused() -> None:
    with pytest.raises(TypeError, match="44535.*not 44$"):
        board_from_moves(44)  # type: ignore[arg-type]
