from __future__ import annotations

import math
import random
import statistics

import pytest
import scipy  # which imports its parts when they are used
from hypothesis import given
from hypothesis import strategies as st

from maxconnect4.referee.match_statistics import Interval, mean_interval, normal_probability, normal_z, student_t

# Abramowitz and Stegun, "Handbook of Mathematical Functions", table 26.10: t for A(t) = 0.95 and 0.99.
TABLE = {
    1: (12.706, 63.657),
    2: (4.303, 9.925),
    3: (3.182, 5.841),
    5: (2.571, 4.032),
    10: (2.228, 3.169),
    30: (2.042, 2.750),
    120: (1.980, 2.617),
}


@pytest.mark.parametrize("freedom", TABLE)
def test_t_is_that_of_the_handbook(freedom: int) -> None:
    found = student_t(freedom, 0.95), student_t(freedom, 0.99)
    assert found == pytest.approx(TABLE[freedom], abs=0.0006)


@given(st.integers(1, 3000), st.floats(0.001, 0.9999))
def test_t_is_that_of_scipy(freedom: int, confidence: float) -> None:
    assert student_t(freedom, confidence) == pytest.approx(
        scipy.special.stdtrit(freedom, (1 + confidence) / 2), rel=1e-8
    )


def test_t_is_the_same_by_the_sum_and_by_the_series() -> None:
    for confidence in (0.5, 0.95, 0.9999):
        before, after = student_t(1000, confidence), student_t(1001, confidence)
        assert 0 < before - after < 1e-5 * before


def test_the_series_is_exact_to_twelve_digits() -> None:
    for confidence in (0.5, 0.95, 0.9999):
        exact = scipy.special.stdtrit(1001, (1 + confidence) / 2)
        assert student_t(1001, confidence) == pytest.approx(exact, rel=3e-13)


@pytest.mark.parametrize(("freedom", "confidence"), [(0, 0.95), (-1, 0.95), (3, 0.0), (3, 1.0), (3, math.nan)])
def test_t_is_refused_where_it_has_no_meaning(freedom: int, confidence: float) -> None:
    with pytest.raises(ValueError, match="the minimum is 1|must be"):
        student_t(freedom, confidence)


def test_the_normal_distribution_is_that_of_the_books() -> None:
    assert normal_z(0.95) == pytest.approx(1.959964, abs=1e-6)
    assert normal_probability(1.959964) == pytest.approx(0.975, abs=1e-6)
    assert normal_probability(0) == 0.5


def test_no_values_have_no_mean_and_one_value_has_no_interval() -> None:
    assert mean_interval([]) == Interval(None, None, None, 0)
    assert mean_interval([3]) == Interval(3, None, None, 1)
    assert mean_interval([3]).half is None
    assert Interval(3, 2, None, 2).half is Interval(3, None, 4, 2).half is None


def test_equal_values_have_an_interval_without_width() -> None:
    assert mean_interval([2, 2, 2]) == Interval(2, 2, 2, 3)


@given(st.lists(st.integers(-40, 40), min_size=2, max_size=40).filter(lambda values: len(set(values)) > 1))
def test_the_interval_is_that_of_scipy(values: list[int]) -> None:
    found = mean_interval(values, 0.9)
    mean, error = statistics.fmean(values), statistics.stdev(values) / math.sqrt(len(values))
    half = error * scipy.special.stdtrit(len(values) - 1, 0.95)
    assert (found.low, found.high) == pytest.approx((mean - half, mean + half), abs=1e-9)
    assert found.half == pytest.approx((found.high or 0) - mean, abs=1e-9)


def test_the_interval_of_the_mean_has_the_stated_coverage() -> None:
    chance = random.Random(1)
    hits = 0
    for _ in range(2000):
        found = mean_interval([chance.choice((-4, -1, 0, 1, 2, 5)) for _ in range(10)])  # margins; their mean is 1/2
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= 0.5 <= found.high
    assert 0.935 < hits / 2000 < 0.965
