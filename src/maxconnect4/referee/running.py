"""Playing a tournament, in as many goes as it takes."""

from __future__ import annotations

import os
import time
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from tempfile import TemporaryDirectory

from ..errors import BadEntrant, BadFile
from ..resources import processors
from ..work.local import LocalWorkers
from ..work.tasks import Job, Task
from .games import Result
from .playing import Fixture
from .programs.belongings import files_of
from .results import Results
from .reviewing import ToReview
from .tournament import Tournament, counted, sequential_test, stages
from .validation import validate, validated_games

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..work.tasks import Workers
    from .games import Game

PLAYING = Job(
    "maxconnect4.referee.playing:play",
    prepare="maxconnect4.referee.programs.program:prepare",
    end="maxconnect4.referee.programs.program:leave",
    bury="maxconnect4.referee.programs.program:bury",
    give_up="maxconnect4.referee.playing:abandoned",
)
REVIEWING = Job("maxconnect4.referee.reviewing:given_away")


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
        self._isolations = set(results.facts().get("isolation", ()))
        self._hidden = (*results.paths, *files_of(tournament.entrants))
        self.now = Progress(validated_games(results, tournament))
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
            raise BadFile(f"{self.file.name} has the results of {game}: name another file with --results")
        if there != self.tournament:
            other = [
                "players" if name == "entrants" else name
                for name in Tournament.__slots__
                if getattr(there, name) != getattr(self.tournament, name)
            ]
            raise BadFile(
                f"{self.file.name} has the results of another tournament, with other {' and '.join(other)}: "
                "name another file with --results"
            )
        if title != self.tournament.title:
            self.file.put_facts({"tournament": self.tournament.facts()})
        return name

    def play(self, workers: Callable[[Job], Workers], progress: Callable[[Progress], None]) -> None:
        """Play all games that are not over yet."""
        for stage in stages(self.tournament, self.now.results):
            games = stage.games()
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
                for result in fresh:  # the process that played it ran external programs
                    validate(result, self.tournament.rules)
                self.file.add(fresh)
                self._record_isolation(fresh)
                self.now.results |= {result.game.number: result for result in fresh}
                progress(self.now)
                if self._is_decided():
                    return

    def _record_isolation(self, fresh: list[Result]) -> None:
        """Store the isolation of external programs: several, if the tournament was resumed with another one."""
        used = {result.played.isolation for result in fresh if result.played.isolation}
        if not used <= self._isolations:
            self._isolations |= used
            self.file.put_facts({"isolation": sorted(self._isolations)})

    def _fixture(self, game: Game) -> Fixture:
        red, green = self._entrants[game.red], self._entrants[game.green]
        return Fixture(game, red, green, self.tournament.rules, self._hidden)

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


def play_all(tournament: Tournament, processes: int | None = None) -> list[Result]:
    """Play a tournament here and now, on as many processors as there are: the games that count. No file stays."""
    if any(entrant.is_human for entrant in tournament.entrants):
        raise BadEntrant("human: nobody is asked for moves here, but 'maxconnect4 match' does")
    with TemporaryDirectory() as folder, Results(os.path.join(folder, "results.sqlite")) as file:
        run = Run(tournament, file)
        run.play(partial(LocalWorkers, processes=processes or processors()), lambda now: None)
        return counted(tournament, run.now.results)
