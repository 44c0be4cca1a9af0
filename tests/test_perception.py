from __future__ import annotations

import random

import pytest
from positions import LEVEL, SLANTING, UPRIGHT, drawn, random_board

from maxconnect4 import Board, board_from_moves
from maxconnect4.levels import Perceived, Perception, perceive

SEES_ALL = Perception(1, 1, 1, 1)
SEES_HALF = Perception(0.5, 0.5, 0.5, 1)
SEES_NOTHING = Perception(0, 0, 0, 0)
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


def best(impression: Perceived) -> int:
    return max(impression.values, key=lambda column: impression.values[column])


def overlooked(board: Board | str, attention: Perception, seeds: int = 120) -> float:
    """How often something is overlooked."""
    board = drawn(board) if isinstance(board, str) else board
    return sum(perceive(board, attention, seed).missed > 0 for seed in SEEDS[:seeds]) / seeds


def with_one_four_to_see(plies: int) -> Board:
    rng = random.Random(1)
    while True:
        board = random_board(rng, plies)
        if perceive(board, SEES_NOTHING, "1").missed == 1:
            return board


def test_an_empty_board_draws_to_the_centre() -> None:
    worth = perceive(Board(), SEES_ALL, "1").values
    assert worth[1] < worth[2] < worth[3] < worth[4]
    assert worth == {column: worth[8 - column] for column in worth}


def test_a_column_near_other_pieces_has_a_higher_value() -> None:
    assert best(perceive(board_from_moves("1177"), SEES_ALL, "1")) == 4
    beside, elsewhere = (perceive(board_from_moves(moves), SEES_ALL, "1").values[5] for moves in ("6671", "1126"))
    assert beside > elsewhere


@pytest.mark.parametrize("game", ["max", "classic"])
@pytest.mark.parametrize("position", [UPRIGHT, LEVEL, SLANTING, GREENS])
def test_full_perception_makes_or_stops_every_four(position: str, game: str) -> None:
    impression = perceive(drawn(position, game), SEES_ALL, "1")
    assert impression.missed == 0
    assert best(impression) == 4
    assert impression.values[4] > max(worth for column, worth in impression.values.items() if column != 4) + 1, "by far"


def test_making_a_four_goes_before_stopping_one() -> None:
    assert best(perceive(board_from_moves("151515"), SEES_ALL, "1")) == 1
    assert best(perceive(board_from_moves("515151"), SEES_ALL, "1")) == 5


def test_a_perceived_four_of_the_opponent_lowers_the_value_of_the_move_that_opens_it() -> None:
    seen, unseen = (perceive(drawn(ABOVE), attention, "1") for attention in (SEES_ALL, Perception(1, 1, 0, 1)))
    assert min(seen.values, key=lambda column: seen.values[column]) == 4
    assert (seen.missed, unseen.missed) == (0, 1)
    assert unseen.values[4] > seen.values[4]
    assert {**unseen.values, 4: 0} == {**seen.values, 4: 0}


def test_diagonal_fours_and_those_with_a_gap_are_overlooked_more_often() -> None:
    slanted = Perception(0.8, 0.8, 0.8, 0.6)
    upright, level, gap, slanting = (overlooked(each, slanted, 200) for each in (UPRIGHT, LEVEL, WITH_A_GAP, SLANTING))
    assert upright < level < gap < slanting
    assert level == pytest.approx(0.2, abs=0.08)


def test_threats_of_the_opponent_have_their_own_perception() -> None:
    assert overlooked(LEVEL, Perception(1, 0, 0, 1)) == 0
    assert overlooked(GREENS, Perception(1, 0, 0, 1)) == 1
    assert overlooked(GREENS, Perception(0, 1, 0, 1)) == 0


def test_a_threat_at_the_last_drop_is_overlooked_less_often() -> None:
    elsewhere, there = board_from_moves("71627361"), board_from_moves("71617263")
    assert elsewhere == there
    assert overlooked(there, SEES_HALF) < overlooked(elsewhere, SEES_HALF) - 0.1


def test_perception_decreases_as_the_board_fills() -> None:
    tiring = Perception(1, 1, 1, 1, fatigue=0.8)
    early, late = with_one_four_to_see(8), with_one_four_to_see(36)
    assert overlooked(early, tiring) < overlooked(late, tiring) - 0.1
    assert overlooked(late, SEES_ALL) == 0


def test_the_worst_perception_misses_one_threat_at_most() -> None:
    assert perceive(drawn(LEVEL), SEES_NOTHING, "1").missed == 1
    assert best(perceive(board_from_moves("151515"), SEES_NOTHING, "1")) in (1, 5)


def test_an_overlooked_threat_stays_overlooked_for_some_moves() -> None:
    """Two drops elsewhere change less than another seed does."""
    now, later = board_from_moves("172637"), board_from_moves("17263756")
    pairs = [(perceive(now, SEES_HALF, seed).missed, perceive(later, SEES_HALF, seed).missed) for seed in SEEDS]
    same = sum(one == other for one, other in pairs) / len(pairs)
    assert 0.6 < same < 1
