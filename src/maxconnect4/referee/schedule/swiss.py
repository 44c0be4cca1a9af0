"""A Swiss tournament: in each round those meet who have as many points, and nobody twice if that is possible."""

from __future__ import annotations

from functools import cached_property
from itertools import groupby

from ...errors import BadEntrant
from .encounters import Encounter, Outcomes
from .matching import Matching

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..games import Result


class Swiss:
    """A number of rounds, by default enough for one to be ahead of all. The order of the players is their seeding.

    An encounter is a point for who scores more in it, half a point each if it is level. With an odd number one of the
    last, who has not had it yet, has a bye, which is a point.
    """

    def __init__(self, names: Sequence[str], rounds: int | None = None) -> None:
        most = len(names) - 1 + len(names) % 2  # without anybody meeting twice
        self.names = tuple(names)
        self.rounds = min(most, (len(names) - 1).bit_length() + 1) if rounds is None else rounds
        if self.rounds < 1:
            raise BadEntrant(f"a tournament of {self.rounds} rounds is none")

    def next_encounters(self, results: Sequence[Result]) -> list[Encounter]:
        """The next round: see `Format`."""
        standing = _Standing(self.names, results)
        number = standing.outcomes.rounds + 1
        if number > self.rounds:
            return []
        encounters = []
        for place, (one, other) in enumerate(standing.pairs()):
            first, second = (one, other) if (number + place) % 2 else (other, one)
            encounters.append(Encounter(number, first, second))
        return encounters

    def places(self, results: Sequence[Result]) -> list[str]:
        """By points, then the points of those whom they have met (Buchholz), then the seeding: the best first."""
        standing = _Standing(self.names, results)
        return sorted(self.names, key=lambda name: (-standing.points[name], -standing.buchholz[name]))

    def ranking(self, results: Sequence[Result]) -> list[tuple[str, str]]:
        """The points of encounters, and the Buchholz: see `Format`."""
        standing = _Standing(self.names, results)
        bye = {name: ", a bye" if byes else "" for name, byes in standing.byes.items()}
        words = {name: f"{standing.points[name]:g} ({standing.buchholz[name]:g}{bye[name]})" for name in self.names}
        return [(name, words[name]) for name in self.places(results)]


class _Standing:
    """Everybody's points after some rounds."""

    def __init__(self, names: Sequence[str], results: Sequence[Result]) -> None:
        self.outcomes = outcomes = Outcomes(results)
        self.points = dict.fromkeys(names, 0.0)
        self.byes = dict.fromkeys(names, 0)
        playing: dict[int, set[str]] = {}
        for number, name, opponent in outcomes.sides:
            self.points[name] += outcomes.points(number, name, opponent)
            playing.setdefault(number, set()).add(name)
        for those in playing.values():
            if len(those) == len(names) - 1:  # of a round that has just begun others are missing, too
                (free,) = set(names) - those
                self.byes[free] += 1
                self.points[free] += 1
        # Python sorts so that the seeding stays within equal points.
        self.order = sorted(names, key=lambda name: -self.points[name])

    @cached_property
    def buchholz(self) -> dict[str, float]:
        """The points of all whom somebody has met."""
        sums = dict.fromkeys(self.points, 0.0)
        for _, name, opponent in self.outcomes.sides:
            sums[name] += self.points[opponent]
        return sums

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Who meets in the next round."""
        if len(self.order) % 2 == 0:
            return self._pairs_of(self.order)
        # The last of those with the fewest byes, if the others can then be paired without anybody meeting twice.
        fewest = min(self.byes.values())
        candidates = [name for name in reversed(self.order) if self.byes[name] == fewest]
        for free in candidates:
            others = [name for name in self.order if name != free]
            if not self._matching(others, 0).alone:
                return self._pairs_of(others)
        return self._pairs_of([name for name in self.order if name != candidates[0]])

    def _pairs_of(self, order: list[str], meetings: int = 0) -> Iterator[tuple[str, str]]:
        """Pair players from the top, each with the most fitting of those who are not needed to pair the rest.

        Those who are left over, as they have met all others, meet again.
        """
        matching = self._matching(order, meetings)
        left = list(range(len(order)))
        again = []
        while left:
            one = left.pop(0)
            other = next((each for each in self._fitting(one, left, order) if matching.settle(one, each)), None)
            if other is None:
                again.append(order[one])
            else:
                left.remove(other)
                yield order[one], order[other]
        if again:
            yield from self._pairs_of(again, meetings + 1)

    def _matching(self, order: list[str], meetings: int) -> Matching:
        met = self.outcomes.meetings
        return Matching(
            [
                [
                    other
                    for other, second in enumerate(order)
                    if other != one and met[frozenset((first, second))] <= meetings
                ]
                for one, first in enumerate(order)
            ]
        )

    def _fitting(self, one: int, left: list[int], order: list[str]) -> Iterator[int]:
        """Opponents, the most fitting first: of equal points the upper half meets the lower half, then those below."""
        for points, players in groupby(left, key=lambda each: self.points[order[each]]):
            group = list(players)
            middle = len(group) // 2 if points == self.points[order[one]] else 0
            yield from group[middle:]
            yield from reversed(group[:middle])
