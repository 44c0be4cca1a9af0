"""When to end a match between two players, because it is clear which of two hypotheses holds.

H0 says that the Elo difference is `elo0`, H1 that it is `elo1`. After each pair the logarithm of the ratio of their
likelihoods is compared with two bounds: below the lower one H0 is accepted, above the upper one H1.

Sources: Abraham Wald, "Sequential tests of statistical hypotheses" (1945), for the bounds. Xiaoou Li, Jingchen Liu and
Zhiliang Ying, "Generalized sequential probability ratio test for separate families of hypotheses" (2014), and Michel
Van den Bergh, "A practical introduction to the GSPRT" (2017), for the ratio when a hypothesis gives the mean only: each
likelihood is the largest one that any distribution with that mean has. Fishtest tests chess programs like this.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from .elo import expected_score
from .pentanomial import log_likelihood

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from .pentanomial import Counts


@dataclass(frozen=True, slots=True)
class Sprt:
    """How far a test has come."""

    llr: float  # the logarithm of the likelihood ratio, of H1 to H0
    lower: float  # where H0 is accepted
    upper: float  # where H1 is accepted
    decision: Literal["H0", "H1"] | None  # None to play on


def sprt(counts: Counts, elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> Sprt:
    """The test after these pairs. H1 is accepted with probability alpha if H0 holds; H0 with beta if H1 does.

    The probabilities are about right. The test may be looked at after every pair; that is what it is for. The Elo
    difference of a match that ended by it is a little too far from 0, as the match ends when it looks good.
    """
    if not elo0 < elo1:
        raise ValueError(f"elo0 is {elo0} and elo1 is {elo1}: elo0 must be the smaller one")
    if not (0 < alpha < 0.5 and 0 < beta < 0.5):
        raise ValueError(f"alpha is {alpha} and beta is {beta}: both must be between 0 and 0.5")
    llr = log_likelihood(counts, expected_score(elo1)) - log_likelihood(counts, expected_score(elo0))
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    return Sprt(llr, lower, upper, "H1" if llr >= upper else "H0" if llr <= lower else None)
