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


@dataclass(frozen=True, slots=True)
class Stage:
    """The games of encounters that can be played now: each opening twice, with colours swapped.

    A game is made from its number when it is asked for, as there may be millions of them.
    """

    encounters: Sequence[Encounter]
    openings: Sequence[str]
    first_number: int = 1
    first_pair: int = 1

    @property
    def numbers(self) -> range:
        """The numbers of the games."""
        return range(self.first_number, self.first_number + 2 * len(self.encounters) * len(self.openings))

    def game(self, number: int) -> Game:
        """The game of a number."""
        pair, is_second = divmod(self.numbers.index(number), 2)
        place, opening = divmod(pair, len(self.openings))
        each = self.encounters[place]
        swapped = (opening + is_second) % 2
        red, green = (each.second, each.first) if swapped else (each.first, each.second)
        return Game(number, each.round, self.first_pair + pair, red, green, self.openings[opening])

    def games(self) -> list[Game]:
        """All games."""
        return [self.game(number) for number in self.numbers]

    def following(self, encounters: Sequence[Encounter]) -> Stage:
        """The stage after this one."""
        pairs = len(self.numbers) // 2
        return Stage(encounters, self.openings, self.numbers.stop, self.first_pair + pairs)


def schedule(
    encounters: Sequence[Encounter], openings: Sequence[str], first_number: int = 1, first_pair: int = 1
) -> list[Game]:
    """The games of encounters: each opening twice, with colours swapped. Numbers run on from those given."""
    return Stage(encounters, openings, first_number, first_pair).games()


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
