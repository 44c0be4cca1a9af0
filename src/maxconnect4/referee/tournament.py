"""A tournament: who plays whom from which openings, and what the games that are over make of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace

import msgspec

from ..board import check_game
from ..errors import BadEntrant, shown
from .entrants import Entrant  # noqa: TC001  # msgspec.convert needs it
from .playing import ON_FAULT, Rules
from .schedule.encounters import Stage
from .schedule.pairings import format_from
from .sequential import Hypotheses, SequentialTest
from .standings import standings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from .games import Result
    from .schedule.pairings import Format
    from .standings import Standing

ADJUDICATE = 14  # empty cells, if nothing else is said: the solver then takes no time


@dataclass(frozen=True, slots=True)
class Tournament:
    """All that decides which games are played, and how: the same tournament has the same games."""

    title: str
    format: str
    entrants: tuple[Entrant, ...]
    openings: tuple[str, ...]
    rules: Rules
    rounds: int | None = None  # of a Swiss tournament; None for as many as it takes
    heads: int = 1  # players of a gauntlet who meet all others
    test: Hypotheses | None = None  # of a match, which ends as soon as it is decided

    @property
    def names(self) -> list[str]:
        """Who takes part."""
        return [entrant.name for entrant in self.entrants]

    def pairing(self) -> Format:
        """How it is decided who meets whom."""
        return format_from(self.format, self.names, rounds=self.rounds, heads=self.heads)

    def facts(self) -> dict[str, Any]:
        """All of it as plain values, such as JSON has."""
        return asdict(self)

    @classmethod
    def from_facts(cls, facts: dict[str, Any]) -> Tournament:
        """What `facts` was made of, with the type of every value checked."""
        tournament = msgspec.convert(facts, cls)
        check_game(tournament.rules.game)
        if tournament.rules.on_fault not in ON_FAULT:
            raise BadEntrant(f"on_fault: {shown(tournament.rules.on_fault)} is none of {', '.join(ON_FAULT)}")
        tournament.pairing()
        return tournament


def stages(tournament: Tournament, results: Mapping[int, Result]) -> Iterator[Stage]:
    """The games that can be played next, again and again: those of a round may depend on all before it.

    Results that are added meanwhile count for the stages that follow.
    """
    if not tournament.openings:
        raise BadEntrant("a tournament needs an opening, which may be the empty board: it has none")
    pairing = tournament.pairing()
    stage, last_round = Stage((), tournament.openings), 0
    while encounters := pairing.next_encounters(
        [result for result in results.values() if result.game.round <= last_round]
    ):
        stage, last_round = stage.following(encounters), encounters[-1].round
        yield stage


def standings_of(tournament: Tournament, results: Sequence[Result]) -> list[Standing]:
    """How it stands: in the order that the format gives, where that is not simply by the score."""
    table = standings(results, tournament.names, tournament.rules.game)
    pairing = tournament.pairing()
    met = Counter(_encounter(result) for result in results)
    over = [result for result in results if met[_encounter(result)] == 2 * len(tournament.openings)]
    ranking = pairing.ranking(over)
    if not ranking:
        return table
    by_name = {each.name: each for each in table}
    return [replace(by_name[name], rank=rank, merit=merit) for rank, (name, merit) in enumerate(ranking, start=1)]


def _encounter(result: Result) -> tuple[int, frozenset[str]]:
    return result.game.round, frozenset((result.game.red, result.game.green))


def sequential_test(tournament: Tournament, results: Mapping[int, Result]) -> SequentialTest | None:
    """The sequential test of a match, with the games that are over, if it has one."""
    if tournament.test is None:
        return None
    test = SequentialTest(tournament.test, tournament.entrants[0].name)
    test.take(results)
    return test


def counted(tournament: Tournament, results: Mapping[int, Result]) -> list[Result]:
    """The games that count, in the order of the schedule: with a sequential test only those up to its decision."""
    test = sequential_test(tournament, results)
    last = test.games if test is not None and test.is_decided else None
    return [results[number] for number in sorted(results) if last is None or number <= last]
