"""Pairs of games with the same opening and swapped colours: what scores they had, and how likely that was.

The two games of a pair are not independent: an opening that is good for red helps first one player, then the other. So
the pair is what is counted. It has one of five scores: 0, 1/2, 1, 3/2 or 2. All statistics of a match start from the
five counts. (Hence *pentanomial*: Michel Van den Bergh, "A practical introduction to the GSPRT".)
"""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

Counts = tuple[int, int, int, int, int]  # of the pairs with a score of 0, 1/2, 1, 3/2 and 2
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # the five scores for one game


def pair_counts(scores: Iterable[float]) -> Counts:
    """How many of the pairs have each score."""
    counts = [0] * 5
    for score in scores:
        place = round(2 * score)
        if place != 2 * score or not 0 <= place <= 4:
            raise ValueError(f"{score} is no score of two games: those are 0, 0.5, 1, 1.5 and 2")
        counts[place] += 1
    return counts[0], counts[1], counts[2], counts[3], counts[4]


def mean_and_variance(counts: Counts) -> tuple[float, float]:
    """The mean score of a game, from 0 to 1, and how much that of a pair varies around it. There must be a pair."""
    n = sum(counts)
    mean = sum(count * share for count, share in zip(counts, SHARES, strict=True)) / n
    return mean, sum(count * (share - mean) ** 2 for count, share in zip(counts, SHARES, strict=True)) / n


def log_likelihood(counts: Counts, mean: float) -> float:
    """The logarithm of the largest probability of these pairs, in this order, if the true mean score is `mean`.

    Of all distributions p over the five scores with that mean, the one that makes Π pᵢ^nᵢ largest is

        pᵢ = (nᵢ / n) / (1 + x (aᵢ - mean)),   where x solves   Σ nᵢ (aᵢ - mean) / (1 + x (aᵢ - mean)) = 0,

    as Lagrange's method gives (Art Owen, "Empirical Likelihood" (2001), chapter 2; Van den Bergh's note for Fishtest,
    support_MLE_multinomial, proposition 1.1). A score that did not occur gets no weight, but for 0 and 2, when there
    is no other way to reach the mean: then x ends at the place where its 1 + x (a - mean) becomes 0. So nothing has to
    be added to counts that are 0.
    """
    if not 0 <= mean <= 1:
        raise ValueError(f"a mean score of {mean}: it must be from 0 to 1")
    seen = [(count, share - mean) for count, share in zip(counts, SHARES, strict=True) if count]
    if not seen or mean in (0, 1):
        return 0.0 if all(off == 0 for _, off in seen) else -math.inf
    n = sum(counts)
    low, high = -(1 - counts[4] / n) / (1 - mean), (1 - counts[0] / n) / mean  # as no p is more than 1
    if not counts[4] and _slope(seen, low)[0] <= 0:
        x = low
    elif not counts[0] and _slope(seen, high)[0] >= 0:
        x = high
    else:
        x = _root(seen, low, high)
    return math.fsum(count * math.log(count / n / (1 + x * off)) for count, off in seen)


def _root(seen: list[tuple[int, float]], low: float, high: float) -> float:
    """Where the sum is 0: by Newton's steps, or by halving where these lead out of what is left."""
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
    """The sum that has to be 0, and how fast it falls as x grows."""
    value = falls = 0.0
    for count, off in seen:
        part = off / (1 + x * off)
        value += count * part
        falls += count * part * part
    return value, falls
