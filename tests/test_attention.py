from __future__ import annotations

import random

import pytest
from positions import LEVEL, SLANTING, UPRIGHT, drawn, random_board

from maxconnect4 import Board, board_from_moves
from maxconnect4.levels.attention import Attention, Impression, glance

SEES_ALL = Attention(1, 1, 1, 1)
SEES_HALF = Attention(0.5, 0.5, 0.5, 1)
SEES_NOTHING = Attention(0, 0, 0, 0)
SEEDS = [str(seed) for seed in range(200)]

# Red is to move in all of them.
WITH_A_GAP = """
0000000
0000000
0000000
0000000
0000002
1101022"""
GREENS = """
0000000
0000000
0000000
0000000
0000001
2220011"""
ABOVE = """
0000000
0000000
0000000
0000000
2220000
1210011"""


def best(impression: Impression) -> int:
    return max(impression.worth, key=lambda column: impression.worth[column])


def overlooked(board: Board | str, attention: Attention, seeds: int = 120) -> float:
    """How often something is overlooked."""
    board = drawn(board) if isinstance(board, str) else board
    return sum(glance(board, attention, seed).overlooked > 0 for seed in SEEDS[:seeds]) / seeds


def with_one_four_to_see(plies: int) -> Board:
    rng = random.Random(1)
    while True:
        board = random_board(rng, plies)
        if glance(board, SEES_NOTHING, "1").overlooked == 1:
            return board


def test_an_empty_board_draws_to_the_centre() -> None:
    worth = glance(Board(), SEES_ALL, "1").worth
    assert worth[1] < worth[2] < worth[3] < worth[4]
    assert worth == {column: worth[8 - column] for column in worth}


def test_pieces_draw_others_to_them() -> None:
    assert best(glance(board_from_moves("1177"), SEES_ALL, "1")) == 4
    beside, elsewhere = (glance(board_from_moves(moves), SEES_ALL, "1").worth[5] for moves in ("6671", "1126"))
    assert beside > elsewhere


@pytest.mark.parametrize("game", ["max", "classic"])
@pytest.mark.parametrize("position", [UPRIGHT, LEVEL, SLANTING, GREENS])
def test_all_attention_makes_or_stops_every_four(position: str, game: str) -> None:
    impression = glance(drawn(position, game), SEES_ALL, "1")
    assert impression.overlooked == 0
    assert best(impression) == 4
    assert impression.worth[4] > max(worth for column, worth in impression.worth.items() if column != 4) + 1, "by far"


def test_making_a_four_goes_before_stopping_one() -> None:
    assert best(glance(board_from_moves("151515"), SEES_ALL, "1")) == 1
    assert best(glance(board_from_moves("515151"), SEES_ALL, "1")) == 5


def test_a_drop_that_opens_a_four_to_the_opponent_looks_bad_if_that_is_seen() -> None:
    seen, unseen = (glance(drawn(ABOVE), attention, "1") for attention in (SEES_ALL, Attention(1, 1, 0, 1)))
    assert min(seen.worth, key=lambda column: seen.worth[column]) == 4
    assert (seen.overlooked, unseen.overlooked) == (0, 1)
    assert unseen.worth[4] > seen.worth[4]
    assert {**unseen.worth, 4: 0} == {**seen.worth, 4: 0}


def test_slanting_fours_and_those_with_a_gap_are_overlooked_sooner() -> None:
    slanted = Attention(0.8, 0.8, 0.8, 0.6)
    upright, level, gap, slanting = (overlooked(each, slanted, 200) for each in (UPRIGHT, LEVEL, WITH_A_GAP, SLANTING))
    assert upright < level < gap < slanting
    assert level == pytest.approx(0.2, abs=0.08)


def test_those_of_the_opponent_are_seen_by_another_attention_than_the_own() -> None:
    assert overlooked(LEVEL, Attention(1, 0, 0, 1)) == 0
    assert overlooked(GREENS, Attention(1, 0, 0, 1)) == 1
    assert overlooked(GREENS, Attention(0, 1, 0, 1)) == 0


def test_the_eye_goes_to_the_last_drop() -> None:
    elsewhere, there = board_from_moves("71627361"), board_from_moves("71617263")
    assert elsewhere == there
    assert overlooked(there, SEES_HALF) < overlooked(elsewhere, SEES_HALF) - 0.1


def test_people_tire_as_the_board_fills_up() -> None:
    tiring = Attention(1, 1, 1, 1, tiring=0.8)
    early, late = with_one_four_to_see(8), with_one_four_to_see(36)
    assert overlooked(early, tiring) < overlooked(late, tiring) - 0.1
    assert overlooked(late, SEES_ALL) == 0


def test_nobody_misses_everything_at_once() -> None:
    assert glance(drawn(LEVEL), SEES_NOTHING, "1").overlooked == 1
    assert best(glance(board_from_moves("151515"), SEES_NOTHING, "1")) in (1, 5)


def test_what_is_overlooked_is_overlooked_for_some_moves() -> None:
    """Two drops elsewhere change less than another seed does."""
    now, later = board_from_moves("172637"), board_from_moves("17263756")
    pairs = [(glance(now, SEES_HALF, seed).overlooked, glance(later, SEES_HALF, seed).overlooked) for seed in SEEDS]
    same = sum(one == other for one, other in pairs) / len(pairs)
    assert 0.6 < same < 1
