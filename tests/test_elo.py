from __future__ import annotations

import math
import random

import numpy as np
import pytest
import scipy  # which imports its parts when they are used
from hypothesis import assume, given
from hypothesis import strategies as st

from maxconnect4.referee.match_statistics import (
    SHARES,
    Counts,
    MatchElo,
    elo_from,
    expected_score,
    log_likelihood,
    match_elo,
    pair_counts,
)

counts_of_pairs = st.tuples(*[st.integers(0, 30)] * 5)


def ends(found: MatchElo) -> tuple[float, float]:
    return -math.inf if found.low is None else found.low, math.inf if found.high is None else found.high


def test_100_elo_are_64_percent_and_200_are_76() -> None:  # as everywhere, from Elo's own table on
    assert expected_score(0) == 0.5
    assert round(expected_score(100), 2) == 0.64
    assert round(expected_score(200), 2) == 0.76


@given(st.floats(-2000, 2000))
def test_a_score_gives_the_elo_that_gives_the_score(elo: float) -> None:
    assert elo_from(expected_score(elo)) == pytest.approx(elo, abs=1e-6)


def test_no_elo_is_infinite() -> None:
    assert elo_from(0) is None
    assert elo_from(1) is None


def test_pairs_are_counted_by_their_score() -> None:
    assert pair_counts([2, 0, 1, 1.5, 2, 0.5, 2]) == (1, 1, 1, 1, 3)
    assert pair_counts([]) == (0, 0, 0, 0, 0)


@pytest.mark.parametrize("score", [-0.5, 0.25, 2.5])
def test_an_impossible_score_of_a_pair_is_refused(score: float) -> None:
    with pytest.raises(ValueError, match="not a score of two games"):
        pair_counts([1, score])


# fastchess (Disservin/fastchess), app/tests/elo_test.cpp, EloPentanomial 1 to 3: Elo, its error, normalised Elo.
FASTCHESS = [
    ((34, 54, 31 + 32, 64, 75), 55.58, 27.65, 57.94),
    ((332, 433, 457 + 41, 333, 334), -8.64, 10.33, -9.17),
    ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95, -19.01),
]


@pytest.mark.parametrize(("counts", "elo", "error", "normalised"), FASTCHESS)
def test_the_elo_of_a_match_is_that_of_fastchess(counts: Counts, elo: float, error: float, normalised: float) -> None:
    found = match_elo(counts)
    assert found.elo == pytest.approx(elo, abs=0.006)
    assert found.normalised == pytest.approx(normalised, abs=0.006)
    assert found.low is not None
    assert found.high is not None
    assert (found.high - found.low) / 2 == pytest.approx(error, rel=0.01)


def test_the_probability_of_being_stronger_is_the_published_one() -> None:
    # The same test of fastchess, EloPentanomial 2; and Kai Laskos, "Calculating the LOS from results", talkchess.com,
    # 2014, who gives 0.176424 for single games: 5975 won, 6077 lost and 26894 drawn.
    assert match_elo((332, 433, 498, 333, 334)).superiority == pytest.approx(0.0505, abs=0.0002)
    assert match_elo((6077, 0, 26894, 0, 5975)).superiority == pytest.approx(0.176424, abs=0.0001)


def test_without_pairs_there_is_no_estimate() -> None:
    assert match_elo((0, 0, 0, 0, 0)) == MatchElo(0, None, None, None, None, None, 0.5, None)


def test_one_pair_has_no_interval() -> None:
    found = match_elo((0, 0, 0, 1, 0))
    assert (found.score, found.error, found.low, found.high) == (0.75, None, None, None)
    assert found.elo == pytest.approx(190.85, abs=0.01)


def test_a_perfect_score_has_a_lower_bound_of_elo() -> None:
    ten, twenty = match_elo((0, 0, 0, 0, 10)), match_elo((0, 0, 0, 0, 20))
    assert ten.elo is None
    assert ten.high is None
    # If all pairs are won, the likelihood of a mean score m is m^10, and its end where 2 × 10 × -ln m = t².
    assert ten.low == pytest.approx(elo_from(math.exp(-(scipy.special.stdtrit(9, 0.975) ** 2) / 20)))
    assert ten.low is not None
    assert twenty.low is not None
    assert 0 < ten.low < twenty.low
    assert 0.99 < ten.superiority < twenty.superiority < 1


def test_pairs_that_all_end_alike_do_not_make_sure_that_the_next_one_will() -> None:
    found = match_elo((0, 0, 12, 0, 0))
    assert (found.elo, found.error, found.superiority, found.normalised) == (0, 0, 0.5, None)
    assert found.low is not None
    assert found.low == pytest.approx(-(found.high or 0))
    assert -100 < found.low < -20


@given(counts_of_pairs)
def test_swapping_the_players_turns_the_sign(counts: Counts) -> None:
    one, other = match_elo(counts), match_elo(counts[::-1])
    for here, there in ((one.elo, other.elo), (one.low, other.high), (one.high, other.low)):
        assert (here is None) == (there is None)
        assert (here or 0) == pytest.approx(-(there or 0), rel=1e-6, abs=1e-6)
    assert one.superiority == pytest.approx(1 - other.superiority, abs=1e-7)


@given(counts_of_pairs)
def test_the_interval_is_around_the_elo_and_wider_for_more_confidence(counts: Counts) -> None:
    found = match_elo(counts)
    (low, high), (lower, higher) = ends(found), ends(match_elo(counts, 0.99))
    assert lower <= low < high <= higher
    if found.elo is not None:
        assert low <= found.elo <= high


@given(counts_of_pairs.filter(any), st.integers(0, 3))
def test_a_better_pair_never_lowers_the_estimate(counts: Counts, place: int) -> None:
    assume(counts[place])
    better = [*counts]
    better[place] -= 1
    better[place + 1] += 1
    one, other = match_elo(counts), match_elo((better[0], better[1], better[2], better[3], better[4]))
    assert (other.score or 0) > (one.score or 0)
    assert ends(other)[0] >= ends(one)[0] - 1e-6


@given(counts_of_pairs.filter(any), st.floats(0.02, 0.98))
def test_the_likelihood_is_the_largest_that_an_optimiser_finds(counts: Counts, mean: float) -> None:
    n = np.array(counts)
    shares = np.array(SHARES)
    best = log_likelihood(counts, mean)
    # The dual problem, whose smallest value is the largest likelihood: any x inside its bounds is an upper bound.
    dual = scipy.optimize.minimize_scalar(
        lambda x: -np.log1p(x * (shares - mean)) @ n,
        bounds=(-1 / (1 - mean) + 1e-12, 1 / mean - 1e-12),
        method="bounded",
        options={"xatol": 1e-12},
    )
    empirical = sum(count * math.log(count / sum(counts)) for count in counts if count)
    assert best == pytest.approx(empirical + dual.fun, abs=1e-5)


@pytest.mark.parametrize(
    "weights", [(0.1, 0.2, 0.4, 0.2, 0.1), (0.02, 0.06, 0.72, 0.15, 0.05), (0, 0, 0.1, 0, 0.9), (0.05, 0, 0, 0, 0.95)]
)
@pytest.mark.parametrize("matches", [100, pytest.param(400, marks=pytest.mark.long)])
def test_the_interval_of_the_difference_has_the_stated_coverage(weights: tuple[float, ...], matches: int) -> None:
    chance = random.Random(7)
    true = elo_from(sum(weight * share for weight, share in zip(weights, SHARES, strict=True)))
    assert true is not None
    hits = 0
    for _ in range(matches):
        low, high = ends(match_elo(pair_counts(chance.choices((0, 0.5, 1, 1.5, 2), weights, k=30))))
        hits += low <= true <= high
    assert 0.92 < hits / matches < 0.995


@pytest.mark.parametrize("mean", [-0.01, 1.01, 1.5, math.nan])
def test_a_mean_score_beyond_0_and_1_is_refused(mean: float) -> None:
    with pytest.raises(ValueError, match="it must be from 0 to 1$"):
        log_likelihood((1, 0, 0, 0, 1), mean)


def test_a_mean_of_0_or_1_is_only_possible_if_everything_was_lost_or_won() -> None:
    assert log_likelihood((3, 0, 0, 0, 0), 0) == log_likelihood((0, 0, 0, 0, 3), 1) == 0
    assert log_likelihood((3, 0, 0, 0, 1), 0) == log_likelihood((1, 0, 0, 0, 3), 1) == -math.inf


def test_the_error_of_the_score_is_that_of_its_mean() -> None:
    """The root of the variance over one less than the pairs."""
    assert match_elo((1, 0, 0, 0, 1)).error == pytest.approx(0.5)
    assert match_elo((3, 0, 0, 0, 1)).error == pytest.approx(0.25)
