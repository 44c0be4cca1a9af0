"""A match that ends as soon as a sequential test is decided.

Pairs of games count in the order of the schedule, whatever the order in which they ended: so the same match is decided
by the same games.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..amounts import how_many
from .statistics.pentanomial import pair_counts
from .statistics.sprt import sprt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .games import Result
    from .statistics.sprt import Sprt


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The two Elo differences between which a test decides, and how often it may be wrong."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05


class SequentialTest:
    """The test of a match, in the view of its first player, as far as the games go."""

    def __init__(self, hypotheses: Hypotheses, name: str) -> None:
        self.hypotheses = hypotheses
        self.name = name
        #: What each pair brought, from 0 to 2 points.
        self.pairs: list[float] = []
        #: The games that it has counted are those up to this number.
        self.games = 0
        self.outcome = self._outcome()

    @property
    def is_decided(self) -> bool:
        """Whether it has come to a decision; from then on it counts nothing more."""
        return self.outcome.decision is not None

    def __str__(self) -> str:
        found, given = self.outcome, self.hypotheses
        pairs = how_many(self.games // 2, "pair")
        ends = {"H0": f"{given.elo0:g} is accepted", "H1": f"{given.elo1:g} is accepted", None: "not decided"}
        llr = f"LLR {found.llr:+.2f} ({found.lower:.2f} to {found.upper:+.2f})"
        return f"Elo {given.elo0:g} against {given.elo1:g}: {llr}, {ends[found.decision]} after {pairs}"

    def take(self, results: Mapping[int, Result]) -> None:
        """Count the pairs that follow, as far as both games are over."""
        while not self.is_decided:
            pair = [results.get(self.games + 1), results.get(self.games + 2)]
            if pair[0] is None or pair[1] is None:
                return
            self.games += 2
            scores = [result.score_of(self.name) for result in pair if result is not None]
            if None not in scores:
                self.pairs.append(sum(score or 0 for score in scores))
                self.outcome = self._outcome()

    def _outcome(self) -> Sprt:
        test = self.hypotheses
        return sprt(pair_counts(self.pairs), test.elo0, test.elo1, test.alpha, test.beta)
