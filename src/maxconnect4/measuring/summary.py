"""What many moves took, in a few numbers: a row for each depth."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..referee.opposing import Games

DEEPEST = 1000  # no program looks further ahead


@dataclass(frozen=True, slots=True)
class Spread:
    """The same thing, measured several times."""

    median: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Regret:
    """What moves gave away against perfect play, in points; in the classic game, of its score."""

    mean: float  # for each move
    error: float  # the standard error of the mean
    perfect_share: float  # how many moves gave nothing away
    worst: int
    moves: int  # how many they were


@dataclass(frozen=True, slots=True)
class Row:
    """What a move took at a depth. Of a set of many positions, times and nodes are the mean over its positions."""

    depth: int | None  # None for a player whose depth is its own
    runs: int  # that were made
    cpu_seconds: Spread | None = None  # None if there was no move
    seconds: Spread | None = None  # by the clock
    columns: tuple[int, ...] = ()  # what was played: of one position one column, or more if it varies; else empty
    nodes: float | None = None  # of built-in players
    nodes_per_second: float | None = None  # of CPU time of the search alone
    branching: float | None = None  # b such that nodes = b + b**2 + ... + b**depth
    regret: Regret | None = None  # if the set has exact scores
    faults: int = 0  # moves that there was none of
    reason: str = ""  # of the first fault, in one line: "crash: it ended with exit code 1"
    given_up_after: float | None = None  # seconds of CPU time, if there was no move because each was ended for its time


@dataclass(frozen=True, slots=True)
class Series:
    """A player on a set of positions, by depth."""

    player: str  # its name
    positions: str  # the name of the set
    count: int  # how many positions that is
    rows: tuple[Row, ...]
    ended: str = ""  # why no deeper search was tried, if that is not because nobody asked for it


@dataclass(frozen=True, slots=True)
class Measured:
    """All that was measured."""

    series: tuple[Series, ...]
    games: tuple[Games, ...] = ()
    #: machine, date, version, command, limit; players: for each name its command and what it is.
    facts: dict[str, Any] | None = None

    def by_positions(self) -> dict[str, list[Series]]:
        """The series of each set of positions, in the order in which they come."""
        found: dict[str, list[Series]] = {}
        for each in self.series:
            found.setdefault(each.positions, []).append(each)
        return found

    @property
    def game(self) -> str:
        """Which of the two games it was measured in."""
        return str((self.facts or {}).get("game", "max"))
