"""The ratings of all players of a tournament, from all its games at once.

The model is that of Bradley and Terry, "Rank analysis of incomplete block designs" (1952), on Elo's scale: a player
rated a scores 1 / (1 + 10^((b - a) / 400)) on average against one rated b, a draw being half a win for each. The
ratings are those that make all the results most likely. Colours are no part of it: pairs of games swap them.

Everybody is given a quarter of a game more, drawn with an average player. So somebody who has won or lost everything
has a finite rating, and groups of players that never met can be rated beside each other, each around the average. A
whole game would pull players that are far apart together by more than their bars.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from .intervals import CONFIDENCE, student_t

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SCALE = 400 / math.log(10)  # Elo for one unit of the logistic function
VIRTUAL = 0.25  # of a game that everybody is given, drawn with an average player


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player is, in Elo from the average of all. The true rating is from elo - bar to elo + bar."""

    elo: float
    bar: float


def ratings(
    names: Sequence[str],
    pairs: Iterable[tuple[str, str, Sequence[float]]],
    confidence: float = CONFIDENCE,
) -> dict[str, Rating]:
    """The rating of each player who has played.

    A pair is two players and the first one's score in each of its games; it may have a single game, if the other one
    is not there.

    The bars come from the sandwich A⁻¹ B A⁻¹, where A is what the model says the results tell of the ratings (minus
    the second derivative of the logarithm of the likelihood), and B what they turned out to vary, pair by pair (Peter
    Huber, "The behavior of maximum likelihood estimates under nonstandard conditions" (1967); Liang and Zeger,
    "Longitudinal data analysis using generalized linear models" (1986)). So two games of a pair that always end
    alike count as one, and a pair that always ends 1-1 as the firm result that it is. Each pair's surprise is divided
    by √(1 - its own weight in the ratings), without which few pairs would give too narrow bars (Bell and McCaffrey,
    "Bias reduction in standard errors for linear regression with multi-stage samples" (2002)). What everybody is given
    varies like a game between equals. The bar is the standard error times Student's t for the player's pairs.
    """
    import numpy as np

    numbers = {name: number for number, name in enumerate(names)}
    played = [(numbers[one], numbers[other], len(scores), sum(scores)) for one, other, scores in pairs if scores]
    if not played:
        return {}
    table = np.array(played, dtype=float)
    one, other = table[:, 0].astype(int), table[:, 1].astype(int)
    games, score = table[:, 2], table[:, 3]
    n = len(names)
    strengths = _strengths(n, one, other, games, score)

    expected = _logistic(strengths[one] - strengths[other])
    inverse = np.linalg.inv(_information(n, one, other, games * expected * (1 - expected), strengths))
    spread = inverse[one, one] + inverse[other, other] - 2 * inverse[one, other]
    weight = games * expected * (1 - expected) * spread
    surprise = (score - games * expected) ** 2 / (1 - weight)
    variance = _laplacian(n, one, other, surprise) + np.eye(n) * VIRTUAL / 4
    centre = np.eye(n) - 1 / n
    around = centre @ inverse
    errors = np.sqrt(np.einsum("ij,jk,ik->i", around, variance, around))

    counted = np.bincount(one, minlength=n) + np.bincount(other, minlength=n)
    elo = (strengths - strengths.mean()) * SCALE
    return {
        name: Rating(float(elo[i]), float(errors[i]) * SCALE * student_t(int(counted[i]), confidence))
        for i, name in enumerate(names)
        if counted[i]
    }


def _strengths(n: int, one: NDArray[np.int64], other: NDArray[np.int64], games: Floats, score: Floats) -> Floats:
    """Where the likelihood is largest, by Newton's method. It has one summit, and every step is made to go uphill."""
    import numpy as np

    strengths = np.zeros(n)
    likelihood = _log_likelihood(strengths, one, other, games, score)
    for _ in range(100):
        expected = _logistic(strengths[one] - strengths[other])
        surprise = score - games * expected
        gained = np.bincount(one, surprise, n) - np.bincount(other, surprise, n)
        gradient = gained + VIRTUAL * (0.5 - _logistic(strengths))
        step = np.linalg.solve(_information(n, one, other, games * expected * (1 - expected), strengths), gradient)
        while (reached := _log_likelihood(strengths + step, one, other, games, score)) < likelihood - 1e-9:
            step /= 2
        strengths, likelihood = strengths + step, reached
        if np.abs(step).max() < 1e-10:
            break
    return strengths


def _log_likelihood(
    strengths: Floats, one: NDArray[np.int64], other: NDArray[np.int64], games: Floats, score: Floats
) -> float:
    import numpy as np

    ahead = strengths[one] - strengths[other]
    real = score * ahead - games * np.logaddexp(0, ahead)
    virtual = VIRTUAL * (strengths / 2 - np.logaddexp(0, strengths))
    return float(real.sum() + virtual.sum())


def _information(
    n: int, one: NDArray[np.int64], other: NDArray[np.int64], weights: Floats, strengths: Floats
) -> Floats:
    import numpy as np

    virtual = _logistic(strengths)
    return _laplacian(n, one, other, weights) + np.diag(VIRTUAL * virtual * (1 - virtual))


def _laplacian(n: int, one: NDArray[np.int64], other: NDArray[np.int64], weights: Floats) -> Floats:
    """The sum of weight (e - f)(e - f)ᵀ over all pairs, with e and f the unit vectors of the two players."""
    import numpy as np

    between = np.bincount(one * n + other, weights, n * n).reshape(n, n)
    between += between.T
    laplacian: Floats = np.diag(between.sum(axis=0)) - between
    return laplacian


def _logistic(x: Floats) -> Floats:
    import numpy as np

    result: Floats = 1 / (1 + np.exp(-x))
    return result
