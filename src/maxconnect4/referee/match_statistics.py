"""Statistics of match results: intervals, Elo and the sequential probability ratio test, on numbers only.

The tests compare them with SciPy, which would be a large dependency for a few formulas.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

CONFIDENCE = 0.95
MOST_SUMMED = 1000  # degrees of freedom; for more, an asymptotic series is as exact as a float


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean of `n` values with its confidence interval, from `low` to `high`."""

    mean: float | None  # None without values
    low: float | None  # None for fewer than two values
    high: float | None
    n: int

    @property
    def half(self) -> float | None:
        """Half the width, the number after ±."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Rating:
    """The Elo of a player relative to the mean of all players, and its error bar."""

    elo: float
    bar: float


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
    """The two-sided quantile of Student's distribution: the t with P(|T| < t) = confidence."""
    if freedom < 1:
        raise ValueError(f"{freedom} degrees of freedom: the minimum is 1")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence}: it must be between 0 and 1")
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
    """The two-sided quantile of the normal distribution: the z with P(|Z| < z) = confidence, 1.96 for 95 %."""
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
    """`student_t` for many degrees of freedom: Abramowitz and Stegun, 26.7.5."""
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return math.fsum(term / freedom**power for power, term in enumerate(terms))


Counts = tuple[int, int, int, int, int]  # of the pairs with a score of 0, 1/2, 1, 3/2 and 2
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # the five scores per game


def pair_counts(scores: Iterable[float]) -> Counts:
    """Count the pairs with each score."""
    counts = [0] * 5
    for score in scores:
        place = round(2 * score)
        if place != 2 * score or not 0 <= place <= 4:
            raise ValueError(f"{score} is not a score of two games: it must be 0, 0.5, 1, 1.5 or 2")
        counts[place] += 1
    return counts[0], counts[1], counts[2], counts[3], counts[4]


def mean_and_variance(counts: Counts) -> tuple[float, float]:
    """The mean score of a game, from 0 to 1, and the variance of a pair's mean. At least one pair is required."""
    n = sum(counts)
    mean = sum(count * share for count, share in zip(counts, SHARES, strict=True)) / n
    return mean, sum(count * (share - mean) ** 2 for count, share in zip(counts, SHARES, strict=True)) / n


def log_likelihood(counts: Counts, mean: float) -> float:
    """The logarithm of the largest probability of these pairs, in this order, if the true mean score is `mean`.

    Of all distributions p over the five scores with that mean, the one that makes Π pᵢ^nᵢ largest is

        pᵢ = (nᵢ / n) / (1 + x (aᵢ - mean)),   where x solves   Σ nᵢ (aᵢ - mean) / (1 + x (aᵢ - mean)) = 0,

    by Lagrange's method (Art Owen, "Empirical Likelihood" (2001), chapter 2; Van den Bergh's note for Fishtest,
    support_MLE_multinomial, proposition 1.1). Scores that did not occur have no weight, except 0 and 2 if the mean
    cannot be reached otherwise: then x is the value for which 1 + x (a - mean) = 0. So counts of 0 need no correction.
    """
    if not 0 <= mean <= 1:
        raise ValueError(f"mean score {mean}: it must be from 0 to 1")
    seen = [(count, share - mean) for count, share in zip(counts, SHARES, strict=True) if count]
    if not seen or mean in (0, 1):
        return 0.0 if all(off == 0 for _, off in seen) else -math.inf
    n = sum(counts)
    low, high = -(1 - counts[4] / n) / (1 - mean), (1 - counts[0] / n) / mean  # as every p is at most 1
    if not counts[4] and _slope(seen, low)[0] <= 0:
        x = low
    elif not counts[0] and _slope(seen, high)[0] >= 0:
        x = high
    else:
        x = _root(seen, low, high)
    return math.fsum(count * math.log(count / n / (1 + x * off)) for count, off in seen)


def _root(seen: list[tuple[int, float]], low: float, high: float) -> float:
    """The root of the sum, by Newton's method, with bisection if a step leaves the bracket."""
    x = 0.0
    for _ in range(200):
        value, falls = _slope(seen, x)
        if value > 0:
            low = x
        else:
            high = x
        following = x + value / falls
        if not low <= following <= high:
            following = (low + high) / 2
        if abs(following - x) <= 1e-14 * (1 + abs(x)):
            break
        x = following
    return x


def _slope(seen: list[tuple[int, float]], x: float) -> tuple[float, float]:
    """The sum whose root is computed, and minus its derivative."""
    value = falls = 0.0
    for count, off in seen:
        part = off / (1 + x * off)
        value += count * part
        falls += count * part * part
    return value, falls


NORMALISED = 800 / math.log(10)
FURTHEST = 3000.0  # Elo beyond which an interval has no end: with two or three pairs it is meaningless


def expected_score(elo: float) -> float:
    """The expected score of a game for a player with this Elo difference to the opponent."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_from(score: float) -> float | None:
    """The Elo difference of a player with this mean score; None for 0 and 1, where it is infinite."""
    return 400 * math.log10(score / (1 - score)) if 0 < score < 1 else None


@dataclass(frozen=True, slots=True)
class MatchElo:
    """The Elo difference between two players, from the pairs of a match."""

    pairs: int
    score: float | None  # mean of a game; None without pairs
    error: float | None  # standard error of the score; None for fewer than two pairs
    elo: float | None  # None if the score is 0 or 1, or without pairs
    low: float | None  # lower end of the interval; None if it is unbounded
    high: float | None  # upper end of the interval; None if it is unbounded
    superiority: float  # likelihood of superiority (LOS), from 0 to 1
    normalised: float | None  # normalised Elo; None if all pairs have the same score


def match_elo(counts: Counts, confidence: float = CONFIDENCE) -> MatchElo:
    """Compute the Elo difference of a match with its confidence interval.

    Args:
        counts: The numbers of pairs of games in which the first player scored 0, 0.5, 1, 1.5 and 2.
        confidence: The probability that the interval contains the difference.

    Returns:
        The difference, its interval, and the likelihood of superiority.

    The interval corresponds to that of the mean score m by the empirical likelihood ratio:

        2 (log L(observed mean) - log L(m)) <= t²,   with L of `log_likelihood` and Student's t, n - 1.

    (Art Owen, "Empirical Likelihood" (2001), chapter 3.) For many pairs it approaches the mean ± t standard errors. It
    is always within 0 to 1, has a width even if all pairs have the same score, and is unbounded above for a player that
    wins every game.

    The likelihood of superiority is the normal probability of the signed root of the same expression at m = 1/2; for
    many pairs, of (mean - 1/2) / standard error (Kai Laskos and others, "Match Statistics", chessprogramming.org).

    Normalised Elo is 800 / ln 10 times (score - 1/2) / standard deviation of a game, which is √2 that of a pair's mean
    (Van den Bergh, "Normalized Elo"). It determines the number of games that a test needs, independently of the number
    of draws. Its interval is ± 1.96 × 800 / ln 10 / √games.
    """
    n = sum(counts)
    if not n:
        return MatchElo(0, None, None, None, None, None, 0.5, None)
    score, variance = mean_and_variance(counts)
    best = log_likelihood(counts, score)
    low = high = error = None
    if n > 1:
        error = math.sqrt(variance / (n - 1))
        least = best - student_t(n - 1, confidence) ** 2 / 2
        low = _end(counts, least, score, 0.0)
        high = _end(counts, least, score, 1.0)
    root = math.sqrt(max(0.0, 2 * (best - log_likelihood(counts, 0.5))))
    return MatchElo(
        pairs=n,
        score=score,
        error=error,
        elo=elo_from(score),
        low=low,
        high=high,
        superiority=normal_probability(math.copysign(root, score - 0.5)),
        normalised=NORMALISED * (score - 0.5) / math.sqrt(2 * variance) if variance else None,
    )


def _end(counts: Counts, least: float, inside: float, outside: float) -> float | None:
    """The end of the interval in Elo: where the log-likelihood falls below `least` between `inside` and `outside`."""
    for _ in range(50):
        middle = (inside + outside) / 2
        if log_likelihood(counts, middle) >= least:
            inside = middle
        else:
            outside = middle
    elo = elo_from(inside)
    return elo if elo is not None and abs(elo) < FURTHEST else None


@dataclass(frozen=True, slots=True)
class Sprt:
    """The state of a sequential probability ratio test."""

    llr: float  # log-likelihood ratio of H1 to H0
    lower: float  # bound at which H0 is accepted
    upper: float  # bound at which H1 is accepted
    decision: Literal["H0", "H1"] | None  # None while undecided


def sprt(counts: Counts, elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> Sprt:
    """The sequential probability ratio test after these pairs. It may be evaluated after every pair.

    `alpha` is the approximate probability of accepting H1 if H0 is true, `beta` that of accepting H0 if H1 is true. If
    a match ends at a decision of the test, its Elo difference is biased away from 0.
    """
    if not elo0 < elo1:
        raise ValueError(f"elo0 is {elo0} and elo1 is {elo1}: elo0 must be less than elo1")
    if not (0 < alpha < 0.5 and 0 < beta < 0.5):
        raise ValueError(f"alpha is {alpha} and beta is {beta}: both must be between 0 and 0.5")
    llr = log_likelihood(counts, expected_score(elo1)) - log_likelihood(counts, expected_score(elo0))
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    return Sprt(llr, lower, upper, "H1" if llr >= upper else "H0" if llr <= lower else None)
