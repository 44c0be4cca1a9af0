from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxconnect4.referee.match_statistics import Counts, sprt

counts_of_pairs = st.tuples(*[st.integers(0, 40)] * 5)

# Tests of chess programs on Fishtest, which published the counts of the pairs and the ratio; elo0 and elo1 are those of
# logistic Elo, as braces in its messages say: official-stockfish/Stockfish, pull requests 3209, 3098, 2971 and 2493.
FISHTEST = [
    ((253, 4282, 17604, 4431, 286), -0.25, 1.25, 2.94),
    ((58, 3302, 33130, 3518, 84), 0.25, 1.25, 2.97),
    ((491, 7345, 29693, 7670, 465), -0.25, 1.25, 2.96),
    ((53, 2220, 21459, 2445, 47), 0.25, 1.25, 2.97),
    ((17, 253, 1042, 337, 39), -0.50, 1.50, 2.96),
    ((11, 407, 3238, 513, 11), 0.25, 1.75, 2.93),
    ((424, 2948, 5832, 3045, 460), -1.0, 3.0, 2.94),
    ((1284, 17437, 55536, 18085, 1292), 0.0, 2.0, 2.94),
]
# fastchess (Disservin/fastchess), app/tests/sprt_test.cpp: logistic pentanomial 1 and 2; then logistic trinomial 1 and
# 2, whose single games are like pairs of two that end alike.
FASTCHESS = [
    ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07),
    ((871, 26175, 55003 + 980, 26678, 821), 0.0, 2.0, -4.98),
    ((21184, 0, 40708, 0, 21404), 0.5, 2.5, -1.57),
    ((57030, 0, 106593, 0, 57433), 0.0, 2.0, -2.59),
]


@pytest.mark.parametrize(("counts", "elo0", "elo1", "llr"), FISHTEST + FASTCHESS)
def test_the_ratio_is_the_published_one(counts: Counts, elo0: float, elo1: float, llr: float) -> None:
    assert sprt(counts, elo0, elo1).llr == pytest.approx(llr, abs=0.0051)


def test_the_bounds_are_those_of_wald() -> None:
    found = sprt((0, 0, 0, 0, 0), 0, 5)
    assert (round(found.lower, 2), round(found.upper, 2)) == (-2.94, 2.94)
    found = sprt((0, 0, 0, 0, 0), 0, 5, alpha=0.05, beta=0.10)
    assert (round(found.lower, 2), round(found.upper, 2)) == (-2.25, 2.89)


def test_without_pairs_nothing_is_decided() -> None:
    assert (sprt((0, 0, 0, 0, 0), 0, 5).llr, sprt((0, 0, 0, 0, 0), 0, 5).decision) == (0, None)


def test_enough_pairs_decide() -> None:
    assert sprt((5, 10, 40, 60, 50), 0, 50).decision == "H1"
    assert sprt((50, 60, 40, 10, 5), 0, 50).decision == "H0"
    assert sprt((1, 2, 8, 3, 1), 0, 50).decision is None


def test_winning_every_pair_decides_after_the_expected_number() -> None:
    # The likelihood of n pairs won is the mean score to the power of n: 0.5 for 0 Elo, 0.5714 for 50.
    for n in (1, 10, 22, 23):
        found = sprt((0, 0, 0, 0, n), 0, 50)
        assert found.llr == pytest.approx(n * math.log(2 / (1 + 10 ** (-50 / 400))))
        assert found.decision == ("H1" if n == 23 else None)


@pytest.mark.parametrize(("elo0", "elo1"), [(5, 5), (5, 0)])
def test_an_invalid_sequential_test_is_refused(elo0: float, elo1: float) -> None:
    with pytest.raises(ValueError, match="elo0 must be less than elo1"):
        sprt((1, 1, 1, 1, 1), elo0, elo1)


@given(counts_of_pairs, st.floats(-100, 100), st.floats(0.5, 100))
def test_swapping_the_players_and_the_hypotheses_turns_the_sign(counts: Counts, elo0: float, width: float) -> None:
    found, swapped = sprt(counts, elo0, elo0 + width), sprt(counts[::-1], -elo0 - width, -elo0)
    assert found.llr == pytest.approx(-swapped.llr, abs=1e-7)


@given(counts_of_pairs, st.integers(1, 5))
def test_the_ratio_grows_with_the_pairs(counts: Counts, times: int) -> None:
    many = tuple(times * count for count in counts)
    assert sprt(many, 0, 20).llr == pytest.approx(times * sprt(counts, 0, 20).llr, abs=1e-7)  # type: ignore[arg-type]


def decision(chance: random.Random, weights: tuple[float, ...]) -> str:
    """Play pairs with these probabilities until the test of 0 against 60 Elo has ended."""
    counts = [0, 0, 0, 0, 0]
    while True:
        counts[chance.choices(range(5), weights)[0]] += 1
        found = sprt((counts[0], counts[1], counts[2], counts[3], counts[4]), 0, 60)
        if found.decision:
            return found.decision


@pytest.mark.parametrize("tests", [100, pytest.param(300, marks=pytest.mark.long)])
def test_errors_are_about_as_rare_as_they_should_be(tests: int) -> None:
    chance = random.Random(3)
    equal = (0.1, 0.2, 0.4, 0.2, 0.1)
    # Shifted to the mean of 60 Elo, 0.5855.
    stronger = (0.04, 0.142, 0.36, 0.352, 0.106)
    assert sum(weight * place / 4 for place, weight in enumerate(stronger)) == pytest.approx(0.5855, abs=0.0005)
    under_h0 = [decision(chance, equal) for _ in range(tests)]
    under_h1 = [decision(chance, stronger) for _ in range(tests)]
    assert 0.01 < under_h0.count("H1") / tests < 0.09
    assert 0.01 < under_h1.count("H0") / tests < 0.09


@pytest.mark.parametrize(("alpha", "beta"), [(0, 0.05), (0.5, 0.05), (0.7, 0.05), (0.05, 0), (0.05, 0.5), (0.05, 0.7)])
def test_a_test_is_wrong_less_often_than_right_but_not_never(alpha: float, beta: float) -> None:
    with pytest.raises(ValueError, match="both must be between 0 and 0.5$"):
        sprt((0, 0, 0, 0, 0), 0, 5, alpha, beta)
