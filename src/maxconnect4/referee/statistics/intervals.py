"""The mean of some numbers, and how far from it the true mean may lie.

None stands for a number that there is not: no mean without values, no interval with a single one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

CONFIDENCE = 0.95
MOST_SUMMED = 1000  # degrees of freedom; beyond them the series is as exact as a float, and does not get longer


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean of `n` values. In 95 of 100 samples such as this one, the true mean is from `low` to `high`."""

    mean: float | None  # None for no values
    low: float | None  # None for fewer than two values, of which nothing can be said
    high: float | None
    n: int

    @property
    def half(self) -> float | None:
        """What stands behind a ±: half the width."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def mean_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """The mean and Student's interval: the mean ± t s / √n, where s² = Σ (x - mean)² / (n - 1).

    Source: Student (W. S. Gosset), "The probable error of a mean" (1908). Equal values give an interval without width.
    """
    n = len(values)
    if not n:
        return Interval(None, None, None, 0)
    mean = math.fsum(values) / n
    if n == 1:
        return Interval(mean, None, None, 1)
    variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
    half = student_t(n - 1, confidence) * math.sqrt(variance / n)
    return Interval(mean, mean - half, mean + half, n)


@lru_cache(maxsize=4096)
def student_t(freedom: int, confidence: float = CONFIDENCE) -> float:
    """The t that a variable of Student's distribution stays within, on both sides of 0, with this probability."""
    if freedom < 1:
        raise ValueError(f"{freedom} degrees of freedom: there must be at least 1")
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence of {confidence}: it must be between 0 and 1")
    if freedom > MOST_SUMMED:
        return _from_normal(freedom, normal_z(confidence))
    low, high = 0.0, math.pi / 2
    while low < (middle := (low + high) / 2) < high:
        if _within(middle, freedom) < confidence:
            low = middle
        else:
            high = middle
    return math.tan(high) * math.sqrt(freedom)


def normal_z(confidence: float = CONFIDENCE) -> float:
    """The z that a normal variable stays within, on both sides of 0, with this probability: 1.96 for 95 %."""
    from statistics import NormalDist

    return NormalDist().inv_cdf((1 + confidence) / 2)


def normal_probability(z: float) -> float:
    """The probability that a normal variable is below z."""
    return math.erfc(-z / math.sqrt(2)) / 2


def _within(angle: float, freedom: int) -> float:
    """The probability that |t| < √freedom tan(angle).

    Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.3 for odd and 26.7.4 for even degrees of freedom.
    """
    square = math.cos(angle) ** 2
    odd = freedom % 2
    term = math.cos(angle) if odd else 1.0
    total = term if freedom > 1 else 0.0
    for k in range(2 + odd, freedom - 1, 2):
        term *= square * (k - 1) / k
        total += term
    total *= math.sin(angle)
    return (angle + total) * 2 / math.pi if odd else total


def _from_normal(freedom: int, z: float) -> float:
    """The same as student_t for many degrees of freedom: Abramowitz and Stegun, 26.7.5."""
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return math.fsum(term / freedom**power for power, term in enumerate(terms))
