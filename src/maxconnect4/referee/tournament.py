"""A tournament: who plays whom from which openings, and playing it all, in as many goes as it takes."""

from __future__ import annotations

import os
import time
from collections import Counter
from contextlib import closing
from dataclasses import asdict, dataclass, replace

from ..errors import CannotSave
from ..work.tasks import Job, Task
from .entrants import BuiltIn, Entrant
from .games import Result
from .limits import Limits
from .playing import Fixture, Rules, ToReview
from .schedule.encounters import schedule
from .schedule.pairings import format_from
from .sequential import Hypotheses, SequentialTest
from .standings import standings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from ..work.tasks import Workers
    from .games import Game
    from .results import Results
    from .schedule.pairings import Format
    from .standings import Standing

PLAYING = Job(
    "maxconnect4.referee.playing:play",
    prepare="maxconnect4.referee.programs.program:prepare",
    end="maxconnect4.referee.programs.program:leave",
    bury="maxconnect4.referee.programs.program:bury",
    give_up="maxconnect4.referee.playing:abandoned",
)
ADJUDICATE = 14  # empty cells, if nothing else is said: the solver then takes no time
REVIEWING = Job("maxconnect4.referee.playing:given_away")


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
        """What `facts` was made of."""
        return cls(
            **{
                **facts,
                "entrants": tuple(map(_entrant, facts["entrants"])),
                "openings": tuple(facts["openings"]),
                "rules": Rules(**facts["rules"]),
                "test": facts["test"] and Hypotheses(**facts["test"]),
            }
        )


def _entrant(facts: dict[str, Any]) -> Entrant:
    return Entrant(
        **{
            **facts,
            "built_in": facts["built_in"] and BuiltIn(**facts["built_in"]),
            "command": tuple(facts["command"]),
            "environment": tuple(map(tuple, facts["environment"])),
            "limits": Limits(**facts["limits"]),
        }
    )


@dataclass(slots=True)
class Progress:
    """How far a tournament is."""

    results: dict[int, Result]  # by the number of the game
    scheduled: int = 0  # games that are known to be played, those that are over included; more may follow
    reviewed: int = 0
    to_review: int = 0  # games, those that are reviewed included; 0 as long as games are played


class Run:
    """A tournament and its file of results. It may be ended at any moment, and taken up again."""

    def __init__(self, tournament: Tournament, results: Results) -> None:
        self.tournament = tournament
        self.file = results
        self._name = self._claim()
        self._entrants = {entrant.name: entrant for entrant in tournament.entrants}
        self.now = Progress({result.game.number: result for result in results.all()})
        self.test = sequential_test(tournament, self.now.results)

    def _claim(self) -> str:
        """Write down what tournament it is, under a name of its own; results of another are not mixed with it."""
        facts = self.file.facts()
        if not facts:
            began = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
            facts = {"tournament": self.tournament.facts(), "name": os.urandom(4).hex(), "began": began}
            self.file.put_facts(facts)
        with self.file.as_written():
            title, name = facts["tournament"]["title"], str(facts["name"])
            there = replace(Tournament.from_facts(facts["tournament"]), title=self.tournament.title)
        if there.rules.game != self.tournament.rules.game:
            game = {"max": "Max-Connect4", "classic": "the classic game"}[there.rules.game]
            raise CannotSave(f"{self.file.name} has the results of {game}: name another file with --results")
        if there != self.tournament:
            other = [name for name in Tournament.__slots__ if getattr(there, name) != getattr(self.tournament, name)]
            raise CannotSave(
                f"{self.file.name} has the results of another tournament, with other {' and '.join(other)}: "
                "name another file with --results"
            )
        if title != self.tournament.title:
            self.file.put_facts({"tournament": self.tournament.facts()})
        return name

    def play(self, workers: Callable[[Job], Workers], progress: Callable[[Progress], None]) -> None:
        """Play all games that are not over yet."""
        for games in self._rounds():
            self.now.scheduled += len(games)
            progress(self.now)
            missing = [game for game in games if game.number not in self.now.results]
            if missing and not self._is_decided():
                self._play(missing, workers(PLAYING), progress)

    def _play(self, games: list[Game], workers: Workers, progress: Callable[[Progress], None]) -> None:
        tasks = (Task(f"maxconnect4-{self._name}-game-{game.number}", (self._fixture(game),)) for game in games)
        with closing(workers.run(tasks)) as playing:
            for done in playing:
                fresh = [Result(each.item.game, each.result) for each in done]
                self.file.add(fresh)
                self.now.results |= {result.game.number: result for result in fresh}
                progress(self.now)
                if self._is_decided():
                    return

    def _fixture(self, game: Game) -> Fixture:
        return Fixture(game, self._entrants[game.red], self._entrants[game.green], self.tournament.rules)

    def _rounds(self) -> Iterator[list[Game]]:
        """The games that can be played next, again and again: those of a round may depend on all before it."""
        tournament = self.tournament
        pairing = tournament.pairing()
        last_round = last_game = last_pair = 0
        while True:
            before = [result for result in self.now.results.values() if result.game.round <= last_round]
            encounters = pairing.next_encounters(before)
            if not encounters:
                return
            games = schedule(encounters, tournament.openings, last_game + 1, last_pair + 1)
            yield games
            last_round, last_game, last_pair = games[-1].round, games[-1].number, games[-1].pair

    def _is_decided(self) -> bool:
        if self.test is None:
            return False
        self.test.take(self.now.results)
        return self.test.is_decided

    def review(self, workers: Callable[[Job], Workers], progress: Callable[[Progress], None]) -> None:
        """Find out what each move gave away, in all games of which that is not known."""
        played, game = self.now.results, self.tournament.rules.game
        missing = [result for result in played.values() if result.played.given_away is None]
        self.now.to_review, self.now.reviewed = len(played), len(played) - len(missing)
        progress(self.now)
        if not missing:
            return
        tasks = (
            Task(
                f"maxconnect4-{self._name}-review-{result.game.number}",
                (ToReview(result.game.number, result.played.moves, len(result.game.opening), game),),
            )
            for result in missing
        )
        with closing(workers(REVIEWING).run(tasks)) as reviewing:
            for done in reviewing:
                self.file.put_given_away((each.item.number, each.result) for each in done)
                for each in done:
                    result = played[each.item.number]
                    played[each.item.number] = replace(result, played=replace(result.played, given_away=each.result))
                self.now.reviewed += len(done)
                progress(self.now)


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
