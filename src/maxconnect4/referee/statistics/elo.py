"""How much stronger one player is than another, on Arpad Elo's scale: "The Rating of Chessplayers" (1978).

A difference of d Elo means that the stronger player is expected to score 1 / (1 + 10^(-d / 400)) for each game: 0.64
for 100, 0.76 for 200. None stands for a number that there is not: an Elo difference that would be infinite.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from .intervals import CONFIDENCE, normal_probability, student_t
from .pentanomial import log_likelihood, mean_and_variance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .pentanomial import Counts

NORMALISED = 800 / math.log(10)
FURTHEST = 3000.0  # where the end of an interval is none: with two or three pairs it may be anywhere


def expected_score(elo: float) -> float:
    """The score for each game of a player who is this much stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_from(score: float) -> float | None:
    """How much stronger a player with this score for each game is; None for 0 and 1, which would be infinite."""
    return 400 * math.log10(score / (1 - score)) if 0 < score < 1 else None


@dataclass(frozen=True, slots=True)
class MatchElo:
    """How much stronger one of two players is, from the pairs of a match."""

    pairs: int
    score: float | None  # mean of a game; None without pairs
    error: float | None  # standard error of the score; None for fewer than two pairs
    elo: float | None  # None if the score is 0 or 1, or without pairs
    low: float | None  # the interval; None if it has no end on that side
    high: float | None
    superiority: float  # probability of being the stronger one, from 0 to 1 (LOS, likelihood of superiority)
    normalised: float | None  # normalised Elo; None if all pairs have the same score


def match_elo(counts: Counts, confidence: float = CONFIDENCE) -> MatchElo:
    """The Elo difference of a match, with the interval that it is in with this probability.

    The interval is that of the mean score m, from all m that make the pairs not much less likely than the best one:

        2 (log L(observed mean) - log L(m)) <= t²,   with L of `pentanomial.log_likelihood` and Student's t, n - 1.

    (Art Owen, "Empirical Likelihood" (2001), chapter 3.) For many pairs this is the mean ± t standard errors, as usual.
    But it never leaves 0 to 1; it has a width even if all pairs are alike; and somebody who won every game gets a
    lower end, without an upper one.

    The probability of being stronger is that of the normal distribution, for the signed root of the same expression
    at m = 1/2; for many pairs, (mean - 1/2) / standard error (Kai Laskos and others, "Match Statistics",
    chessprogramming.org).

    Normalised Elo is 800 / ln 10 times (score - 1/2) / standard deviation of a game, which is √2 that of a pair's mean
    (Van den Bergh, "Normalized Elo"): how hard a difference is to see, whatever the number of draws. Its interval is
    ± 1.96 × 800 / ln 10 / √games.
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
    """How far towards `outside` the mean score can be before the pairs become too unlikely, as an Elo difference."""
    for _ in range(50):
        middle = (inside + outside) / 2
        if log_likelihood(counts, middle) >= least:
            inside = middle
        else:
            outside = middle
    elo = elo_from(inside)
    return elo if elo is not None and abs(elo) < FURTHEST else None
