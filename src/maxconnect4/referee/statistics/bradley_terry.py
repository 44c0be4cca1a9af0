"""The arithmetic of `ratings`, on arrays: where the likelihood is largest, and how sure that is.

Strengths are ratings in units of the logistic function. Players are numbers from 0. This module is imported where it is
used, as numpy takes a while to come.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Numbers = NDArray[np.int64]

VIRTUAL = 0.25  # of a game that everybody is given, drawn with an average player


@dataclass(frozen=True, slots=True)
class Pairs:
    """All pairs of a tournament with `n` players: who played, how many games it has, and the first one's score."""

    n: int
    one: Numbers
    other: Numbers
    games: Floats
    score: Floats

    def expected(self, strengths: Floats) -> Floats:
        """The score that the first player of each pair is expected to have in a game."""
        return _logistic(strengths[self.one] - strengths[self.other])

    def log_likelihood(self, strengths: Floats) -> float:
        """The logarithm of the likelihood."""
        ahead = strengths[self.one] - strengths[self.other]
        real = self.score * ahead - self.games * np.logaddexp(0, ahead)
        virtual = VIRTUAL * (strengths / 2 - np.logaddexp(0, strengths))
        return float(real.sum() + virtual.sum())

    def gradient(self, strengths: Floats) -> Floats:
        """Its first derivative."""
        surprise = self.score - self.games * self.expected(strengths)
        gradient: Floats = VIRTUAL * (0.5 - _logistic(strengths))
        return gradient + np.bincount(self.one, surprise, self.n) - np.bincount(self.other, surprise, self.n)

    def information(self, strengths: Floats) -> Floats:
        """Minus its second derivative."""
        expected, virtual = self.expected(strengths), _logistic(strengths)
        return self.spread_out(self.games * expected * (1 - expected)) + np.diag(VIRTUAL * virtual * (1 - virtual))

    def spread_out(self, weights: Floats) -> Floats:
        """The sum over all pairs of weight (e - f)(e - f)ᵀ, with e and f the unit vectors of the two players."""
        between = np.bincount(self.one * self.n + self.other, weights, self.n**2).reshape(self.n, self.n)
        between = between + between.T
        return np.diag(between.sum(axis=0)) - between


def most_likely(pairs: Pairs) -> Floats:
    """The strengths, by Newton's method. The likelihood has one summit, and every step is made to go uphill."""
    strengths = np.zeros(pairs.n)
    height = pairs.log_likelihood(strengths)
    for _ in range(100):
        step = np.linalg.solve(pairs.information(strengths), pairs.gradient(strengths))
        while (reached := pairs.log_likelihood(strengths + step)) < height - 1e-9 * (1 + abs(height)):
            step /= 2
        strengths, height = strengths + step, reached
        if np.abs(step).max() < 1e-10:
            break
    return strengths


def standard_errors(pairs: Pairs, strengths: Floats) -> Floats:
    """Those of the strengths less their mean: the sandwich that `ratings` describes."""
    expected = pairs.expected(strengths)
    inverse = np.linalg.inv(pairs.information(strengths))
    one, other = pairs.one, pairs.other
    apart = inverse[one, one] + inverse[other, other] - 2 * inverse[one, other]
    own_weight = pairs.games * expected * (1 - expected) * apart
    surprise = (pairs.score - pairs.games * expected) ** 2 / (1 - own_weight)
    varied = pairs.spread_out(surprise) + np.eye(pairs.n) * VIRTUAL / 4
    around = inverse - inverse.mean(axis=0)
    errors: Floats = np.sqrt(((around @ varied) * around).sum(axis=1))
    return errors


def _logistic(x: Floats) -> Floats:
    result: Floats = 1 / (1 + np.exp(-x))
    return result
