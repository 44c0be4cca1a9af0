"""A position as one number."""

import random

import pytest
from hypothesis import given
from positions import boards, known_counts, mirror_image

from maxconnect4 import GREEN, RED, BadPosition, Board, board_from_moves
from maxconnect4.position_keys import (
    EMPTY_KEY,
    KEY_LIMIT,
    board_from_key,
    derived_value,
    has_four,
    has_key,
    key_of,
    keys_after,
    layers,
    moves_from_key,
    plies_from_key,
    successor_keys,
)


@given(boards())
def test_a_key_is_that_of_the_position_or_of_its_mirror_image(board: Board) -> None:
    key = key_of(board)
    assert key == key_of(mirror_image(board))
    assert 0 < key < KEY_LIMIT
    assert board_from_key(key) in (board, mirror_image(board))
    assert plies_from_key(key) == board.pieces()


@given(boards())
def test_the_keys_that_follow_are_those_of_the_drops(board: Board) -> None:
    followers = keys_after(board)
    assert list(followers) == board.columns()
    assert set(successor_keys(key_of(board), board.pieces())) == set(followers.values())
    for column, key in followers.items():
        board.drop(column)
        assert key == key_of(board)
        board.undo()


def test_positions_that_differ_have_different_keys() -> None:
    assert len({key_of(board_from_moves(moves)) for moves in ("", "4", "44", "45", "454", "445", "4445")}) == 7
    assert key_of(board_from_moves("435")) == key_of(board_from_moves("534")) != key_of(board_from_moves("345"))


@pytest.mark.parametrize("deepest", [4, pytest.param(6, marks=pytest.mark.long)])
def test_each_layer_has_every_position_once(deepest: int) -> None:
    for plies, (layer, count) in enumerate(zip(layers(deepest), known_counts(), strict=False)):
        assert layer == sorted(set(layer))
        both = sum(1 if board_from_key(key) == mirror_image(board_from_key(key)) else 2 for key in layer)
        assert both == count, plies


def test_the_empty_board_has_a_key_and_other_boards_have_none() -> None:
    assert key_of(Board()) == EMPTY_KEY
    assert has_key(Board())
    assert has_key(Board("classic"))
    assert not has_key(Board(width=6))


@given(boards())
def test_a_key_shows_whether_there_is_a_four(board: Board) -> None:
    assert has_four(key_of(board)) == bool(board.fours(RED) or board.fours(GREEN))


def test_a_four_is_seen_wherever_it_is() -> None:
    rng = random.Random(1)
    for _ in range(30):
        board = Board()
        while not board.is_full():
            board.drop(rng.choice(board.columns()))
            assert has_four(key_of(board)) == bool(board.fours(RED) or board.fours(GREEN)), board.moves
            if has_four(key_of(board)):
                break


def test_won_classic_positions_have_no_successors() -> None:
    *_, before, last = layers(7, "classic")
    assert before == list(layers(6))[-1]  # nobody has a four with three pieces
    following = {key for position in before for key in successor_keys(position, 6)}
    won = {key for key in following if has_four(key)}
    assert won
    assert set(last) == following - won


def test_a_drop_that_makes_a_four_is_the_best_of_a_classic_position() -> None:
    key = key_of(board_from_moves("121212", "classic"))
    values = dict.fromkeys(successor_keys(key, 6), -10)
    assert derived_value(key, 6, values) == 10
    assert derived_value(key, 6, values, "classic") == 18
    greens = key_of(board_from_moves("7121212", "classic"))
    assert derived_value(greens, 7, {}, "classic") == 18


def test_a_key_has_seven_bits_for_each_column() -> None:
    """As books keep it: the pieces from the bottom, 1 for red, and a 1 on top; the left column is the lowest."""
    columns = ["0000001", "0000101", "0000011", "0000001", "0000001", "0000001", "0000001"]
    as_it_is, mirrored = int("".join(reversed(columns)), 2), int("".join(columns), 2)
    assert key_of(board_from_moves("223")) == min(as_it_is, mirrored) == as_it_is
    assert key_of(board_from_moves("665")) == as_it_is
    assert board_from_key(as_it_is) == board_from_moves("223")
    assert KEY_LIMIT == 2**49


@given(boards())
def test_moves_lead_to_the_position_with_the_key(board: Board) -> None:
    key = key_of(board)
    moves = moves_from_key(key)
    assert len(moves) == board.pieces()
    assert key_of(board_from_moves(moves)) == key
    assert board_from_moves(moves) == board_from_key(key)


def test_there_are_positions_that_no_game_leads_to() -> None:
    """Green's pieces are the lower ones in both columns: nobody but red can have begun."""
    impossible = Board.from_rows([*[[0] * 7] * 4, [1, 1, 0, 0, 0, 0, 0], [2, 2, 0, 0, 0, 0, 0]])
    with pytest.raises(BadPosition, match=f"^no game leads to the position with the key {key_of(impossible)}$"):
        moves_from_key(key_of(impossible))


def test_the_best_drop_leaves_the_opponent_the_least() -> None:
    key = key_of(board_from_moves("44"))
    following = set(successor_keys(key, 2))
    values = {each: value for value, each in enumerate(following, start=-2)}
    for game in ("max", "classic"):
        assert derived_value(key, 2, values, game) == 2


def test_a_board_of_a_key_is_of_the_game_that_is_asked_for() -> None:
    assert board_from_key(EMPTY_KEY).game == "max"
    assert board_from_key(EMPTY_KEY, "classic") == Board("classic")
    assert not has_key(Board(height=5))
