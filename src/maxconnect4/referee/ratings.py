"""Ratings of all players of a tournament, computed from all its games together.

The model is that of Bradley and Terry, "Rank analysis of incomplete block designs" (1952), on Elo's scale: a player
rated a has the expected score 1 / (1 + 10^((b - a) / 400)) against a player rated b, where a draw counts as half a win.
The ratings maximise the likelihood of all results. The model ignores colours, which pairs of games swap.

Every player is credited with a virtual quarter of a game, drawn with an average player. This makes the rating finite
for a player that has won or lost all games, and centres groups of players that never met at the average. A whole
virtual game would bias the ratings of players that are far apart by more than their error bars.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .match_statistics import CONFIDENCE, Rating, student_t

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

SCALE = 400 / math.log(10)  # Elo for one unit of the logistic function
VIRTUAL = 0.25  # games credited to every player, drawn with an average player


def ratings(
    names: Sequence[str], pairs: Iterable[tuple[str, str, Sequence[float]]], confidence: float = CONFIDENCE
) -> dict[str, Rating]:
    """The rating of each player that has played.

    The variances come from the sandwich estimator A⁻¹ B A⁻¹, where A is the information of the model (minus the second
    derivative of the log-likelihood), and B the observed variation by pair (Peter Huber, "The behavior of maximum
    likelihood estimates under nonstandard conditions" (1967); Liang and Zeger, "Longitudinal data analysis using
    generalized linear models" (1986)). So two games of a pair that always have the same score count as one game, and
    pairs that always end 1-1 have no variation. Each pair's residual is divided by √(1 - its leverage), as error bars
    would otherwise be too narrow with few pairs (Bell and McCaffrey, "Bias reduction in standard errors for linear
    regression with multi-stage samples" (2002)). The virtual game has the variance of a game between equal players.

    Args:
        names: All players.
        pairs: Two players and the first one's score in each game of the pair, which may be a single game.
        confidence: The confidence level of the error bars, which are the standard error times Student's t for the
            player's number of pairs.
    """
    numbers = {name: number for number, name in enumerate(names)}
    played = [(numbers[one], numbers[other], len(scores), sum(scores)) for one, other, scores in pairs if scores]
    if not played:
        return {}
    one, other, games, score = np.array(played, dtype=float).T
    table = Pairs(len(names), one.astype(int), other.astype(int), games, score)
    strengths = most_likely(table)
    elo = SCALE * (strengths - strengths.mean())
    errors = SCALE * standard_errors(table, strengths)
    counts = np.bincount(np.concatenate((table.one, table.other)), minlength=len(names))
    return {
        name: Rating(float(elo[i]), float(errors[i]) * student_t(int(counts[i]), confidence))
        for i, name in enumerate(names)
        if counts[i]
    }


# Strengths are ratings in units of the logistic function. Players are numbers from 0.


@dataclass(frozen=True, slots=True)
class Pairs:
    """All pairs of a tournament with `n` players: both players, the number of games, and the first one's score."""

    n: int
    one: Numbers
    other: Numbers
    games: Floats
    score: Floats

    def expected(self, strengths: Floats) -> Floats:
        """The expected score of the first player in a game of each pair."""
        return _logistic(strengths[self.one] - strengths[self.other])

    def log_likelihood(self, strengths: Floats) -> float:
        """The log-likelihood of the results."""
        ahead = strengths[self.one] - strengths[self.other]
        real = self.score * ahead - self.games * np.logaddexp(0, ahead)
        virtual = VIRTUAL * (strengths / 2 - np.logaddexp(0, strengths))
        return float(real.sum() + virtual.sum())

    def gradient(self, strengths: Floats) -> Floats:
        """The gradient of the log-likelihood."""
        surprise = self.score - self.games * self.expected(strengths)
        gradient: Floats = VIRTUAL * (0.5 - _logistic(strengths))
        return gradient + np.bincount(self.one, surprise, self.n) - np.bincount(self.other, surprise, self.n)

    def information(self, strengths: Floats) -> Floats:
        """The information matrix: minus the second derivative of the log-likelihood."""
        expected, virtual = self.expected(strengths), _logistic(strengths)
        return self.spread_out(self.games * expected * (1 - expected)) + np.diag(VIRTUAL * virtual * (1 - virtual))

    def spread_out(self, weights: Floats) -> Floats:
        """The sum over all pairs of weight (e - f)(e - f)ᵀ, with e and f the unit vectors of the two players."""
        between = np.bincount(self.one * self.n + self.other, weights, self.n**2).reshape(self.n, self.n)
        between = between + between.T
        return np.diag(between.sum(axis=0)) - between


def most_likely(pairs: Pairs) -> Floats:
    """The strengths of maximum likelihood, which is unique, by Newton's method with steps that increase it."""
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
    """The standard errors of the strengths relative to their mean, by the sandwich estimator: see `ratings`."""
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
