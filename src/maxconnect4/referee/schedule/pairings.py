"""Who meets whom: the formats of a tournament.

A format is asked for the encounters that can be played now, given the results of all that it gave before. It keeps
nothing in mind: a tournament that was stopped gets the same encounters again.
"""

from __future__ import annotations

from typing import Protocol

from ...errors import BadEntrant, shown
from .encounters import Encounter
from .knockout import KnockOut
from .swiss import Swiss

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..games import Result

ROUND_ROBIN, GAUNTLET, SWISS, KNOCK_OUT = "round-robin", "gauntlet", "swiss", "knock-out"
MOST_PLAYERS = 1_000
FORMATS = (ROUND_ROBIN, GAUNTLET, SWISS, KNOCK_OUT)


class Format(Protocol):
    """Who meets whom."""

    def next_encounters(self, results: Sequence[Result]) -> list[Encounter]:
        """What comes after all encounters that were given before, of which these are the results; nothing at the end.

        Those of one round can be played at the same time, and those of all rounds that are given at once, too.
        """

    def ranking(self, results: Sequence[Result]) -> list[tuple[str, str]]:
        """All players, the best first, and what their places are by; nothing where that is simply the score."""


def format_from(name: str, names: Sequence[str], *, rounds: int | None = None, heads: int = 1) -> Format:
    """A format by its name. `rounds` is for swiss; `heads`, the number of those who meet all others, for a gauntlet."""
    if len(names) < 2:
        raise BadEntrant(f"a tournament takes at least two players, and there {'is one' if names else 'are none'}")
    if len(names) > MOST_PLAYERS:
        raise BadEntrant(f"a tournament takes at most {MOST_PLAYERS:,} players, and there are {len(names):,}")
    for place, each in enumerate(names):
        if each in names[:place]:
            raise BadEntrant(f"there are two players of the name {shown(each)}")
    if rounds is not None and name != SWISS:
        raise BadEntrant(f"the number of rounds is given for swiss, not for {shown(name)}")
    if heads != 1 and name != GAUNTLET:
        raise BadEntrant(f"the number of those who meet all others is given for a gauntlet, not for {shown(name)}")
    if name == ROUND_ROBIN:
        return RoundRobin(names)
    if name == GAUNTLET:
        return Gauntlet(names, heads)
    if name == SWISS:
        return Swiss(names, rounds)
    if name == KNOCK_OUT:
        return KnockOut(names)
    raise BadEntrant(f"{shown(name)} is not a format: choose {', '.join(FORMATS)}")


class RoundRobin:
    """Everybody meets everybody once. With an odd number somebody sits out in each round."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)

    def next_encounters(self, results: Sequence[Result]) -> list[Encounter]:
        """All of them at first: see `Format`."""
        if results:
            return []
        # The circle method: one stays, the others move on by one seat around the table, and face each other.
        table: list[int | None] = [*range(len(self.names)), *([None] * (len(self.names) % 2))]
        encounters = []
        for number in range(1, len(table)):
            for one, other in zip(table[: len(table) // 2], reversed(table), strict=False):
                if one is not None and other is not None:
                    encounters.append(_encounter(number, self.names, one, other))
            table.insert(1, table.pop())
        return encounters

    def ranking(self, results: Sequence[Result]) -> list[tuple[str, str]]:
        """The score: see `Format`."""
        return []


class Gauntlet:
    """The first player, or the first few, meet all others, who do not meet each other."""

    def __init__(self, names: Sequence[str], heads: int) -> None:
        if not 1 <= heads < len(names):
            some = f"1 to {len(names) - 1}" if len(names) > 2 else "only 1"
            raise BadEntrant(f"{heads} of {len(names)} players cannot meet all others: {some} can")
        self.names = tuple(names)
        self.heads = heads

    def next_encounters(self, results: Sequence[Result]) -> list[Encounter]:
        """All of them at first: see `Format`."""
        if results:
            return []
        few, many = sorted((range(self.heads), range(self.heads, len(self.names))), key=len)
        return [
            _encounter(shift + 1, self.names, one, many[(place + shift) % len(many)])
            for shift in range(len(many))
            for place, one in enumerate(few)
        ]

    def ranking(self, results: Sequence[Result]) -> list[tuple[str, str]]:
        """The score: see `Format`."""
        return []


def _encounter(number: int, names: Sequence[str], one: int, other: int) -> Encounter:
    """An encounter. Everybody is first in half of theirs: against those below at every second place, and so on."""
    low, high = sorted((one, other))
    return (
        Encounter(number, names[low], names[high]) if (low + high) % 2 else Encounter(number, names[high], names[low])
    )
