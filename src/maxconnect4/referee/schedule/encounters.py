"""Two players who play all openings with both colours: an encounter, the games that it is, and what comes of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from ..games import Game

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..games import Result


@dataclass(frozen=True, slots=True)
class Encounter:
    """Two players who are to meet. `first` has red in the first of their games."""

    round: int  # from 1
    first: str
    second: str


def schedule(
    encounters: Iterable[Encounter], openings: Sequence[str], first_number: int = 1, first_pair: int = 1
) -> list[Game]:
    """The games of encounters: each opening twice, with colours swapped. Numbers run on from those given."""
    games: list[Game] = []
    number, pair = first_number, first_pair
    for each in encounters:
        red, green = each.first, each.second
        for opening in openings:
            games.append(Game(number, each.round, pair, red, green, opening))
            games.append(Game(number + 1, each.round, pair, green, red, opening))
            number, pair = number + 2, pair + 1
            red, green = green, red
    return games


class Side(NamedTuple):
    """What one player got out of an encounter. Void games count for nothing, as if they had not been played."""

    score: float = 0.0
    margin: int = 0
    faults: int = 0


class Outcomes:
    """What came of all encounters, by the games that are played."""

    def __init__(self, results: Iterable[Result]) -> None:
        #: What somebody got in a round against somebody.
        self.sides: dict[tuple[int, str, str], Side] = {}
        for result in results:
            for name in (result.game.red, result.game.green):
                key = (result.game.round, name, result.game.opponent(name))
                before = self.sides.setdefault(key, Side())
                score = result.score_of(name)
                if score is not None:
                    faults = sum(fault.player == result.colour_of(name) for fault in result.played.faults)
                    margin = before.margin + result.margin_of(name)
                    self.sides[key] = Side(before.score + score, margin, before.faults + faults)
        #: How often two players have met.
        self.meetings = Counter(frozenset((name, opponent)) for _, name, opponent in self.sides if name < opponent)
        #: How many rounds have been begun.
        self.rounds = max((number for number, _, _ in self.sides), default=0)

    def points(self, number: int, name: str, opponent: str) -> float:
        """1 for who scored more in the encounter of a round, 0 for who scored less, and 0.5 if it is level."""
        mine, theirs = self.sides[number, name, opponent].score, self.sides[number, opponent, name].score
        return 0.5 if mine == theirs else float(mine > theirs)

    def winner(self, number: int, better_seed: str, other: str) -> str | None:
        """Who goes on: by score, margin, fewer faults, and the better seed; None if they have not met."""
        if (number, better_seed, other) not in self.sides:
            return None
        mine, theirs = self.sides[number, better_seed, other], self.sides[number, other, better_seed]
        loses = (mine.score, mine.margin, -mine.faults) < (theirs.score, theirs.margin, -theirs.faults)
        return other if loses else better_seed
