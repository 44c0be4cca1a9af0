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

SCALE = 400 / math.log(10)  # Elo for one unit of the logistic function


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

    from .bradley_terry import Pairs, most_likely, standard_errors

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
