"""A knock-out: who loses is out. The order of the players is their seeding."""

from __future__ import annotations

from .encounters import Encounter, Outcomes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..games import Result


class KnockOut:
    """The first meets the last, and so on, so that the two best seeds can only meet in the final.

    If their number is not a power of two, the first seeds have a bye in the first round. An encounter that ends level
    is won by who has the larger margin of points, then the fewer faults, then the better seed.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)

    def next_encounters(self, results: Sequence[Result]) -> list[Encounter]:
        """The next round: see `Format`."""
        return self._play(results)[0]

    def places(self, results: Sequence[Result]) -> list[str]:
        """By the round that they got to, then the better seed: the best first."""
        survived = self._play(results)[1]
        return sorted(self.names, key=lambda name: (-survived[name], self.names.index(name)))

    def ranking(self, results: Sequence[Result]) -> list[tuple[str, str]]:
        """How far they have come: see `Format`."""
        rounds, survived = (len(self.names) - 1).bit_length(), self._play(results)[1]
        words = {rounds: "winner", rounds - 1: "final"}
        return [(name, words.get(survived[name], f"round {survived[name] + 1}")) for name in self.places(results)]

    def _play(self, results: Sequence[Result]) -> tuple[list[Encounter], dict[str, int]]:
        """The first round that is not played to its end, and how many rounds everybody has survived."""
        outcomes = Outcomes(results)
        survived = dict.fromkeys(self.names, 0)
        bracket = [self.names[seed - 1] if seed <= len(self.names) else None for seed in seeds(len(self.names))]
        for number in range(1, len(bracket).bit_length()):
            encounters, winners = [], []
            for one, other in zip(bracket[::2], bracket[1::2], strict=True):
                winner = one or other
                if one is not None and other is not None:
                    better, worse = sorted((one, other), key=self.names.index)
                    winner = outcomes.winner(number, better, worse)
                    encounters.append(Encounter(number, better, worse))
                if winner is not None:
                    survived[winner] += 1
                winners.append(winner)
            if None in winners:
                return encounters, survived
            bracket = winners
        return [], survived


def seeds(players: int) -> list[int]:
    """The seeds from the top of the bracket to its bottom, each beside whom it meets first; too large ones are byes.

    >>> seeds(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    bracket = [1]
    while len(bracket) < players:
        bracket = [each for seed in bracket for each in (seed, 2 * len(bracket) + 1 - seed)]
    return bracket
