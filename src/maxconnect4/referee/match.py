"""Matches and tournaments: playing and reviewing their games with workers, resumable at any point.

From Python, `match` plays a match: `match("depth:4", "random").score`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from tempfile import TemporaryDirectory

from ..board import check_game
from ..errors import BadFile, BadSetup
from ..system import processors
from ..workers import Task, WorkerJob, Workers
from ..workers.local import LocalWorkers
from . import program
from .game import GameResult, GameSetup, PlayedGame, ReviewTask, Rules, ScheduledGame, abandoned_game, play, regrets
from .game_validation import validate, validated_games
from .limits import ResourceLimits
from .openings import random_openings
from .pairing import ROUND_ROBIN
from .players import DEPTH, parse_player, unique_names
from .program_files import own_files
from .store import ResultStore, RunMetadata
from .tournament import SprtHypotheses, Tournament, TournamentResult, counted_games, sequential_test, stages

PLAYING: WorkerJob[GameSetup, GameResult] = WorkerJob(
    play, set_up=program.set_up, shut_down=program.shut_down, clean_up=program.clean_up, give_up=abandoned_game
)
REVIEWING: WorkerJob[ReviewTask, tuple[int, ...]] = WorkerJob(regrets)
#: Workers for a job: those of this machine, of a cluster, or a person at the keyboard.
PlayingWorkers = Callable[[WorkerJob[GameSetup, GameResult]], Workers[GameSetup, GameResult]]
ReviewingWorkers = Callable[[WorkerJob[ReviewTask, tuple[int, ...]]], Workers[ReviewTask, tuple[int, ...]]]


@dataclass(slots=True)
class TournamentProgress:
    """The progress of a tournament."""

    results: dict[int, PlayedGame]  # by the number of the game
    scheduled: int = 0  # games in the schedule so far, including finished ones; later stages may add more
    reviewed: int = 0
    to_review: int = 0  # games to review, including reviewed ones; 0 while games are played


class TournamentRun:
    """A run of a tournament with its results file, which can be interrupted and resumed at any point.

    Args:
        tournament: The players, the format and the rules.
        results: The open results file, new or of the same tournament.

    Raises:
        BadFile: If the results file belongs to another tournament or is not valid.
    """

    def __init__(self, tournament: Tournament, results: ResultStore) -> None:
        self.tournament = tournament
        self.file = results
        self._name = self._claim()
        self._players = {player.name: player for player in tournament.players}
        self._isolations = set(results.metadata_as(RunMetadata).isolation)
        self._hidden = (*results.paths, *own_files(tournament.players))
        self.now = TournamentProgress(validated_games(results, tournament))
        self.test = sequential_test(tournament, self.now.results)

    def _claim(self) -> str:
        """Store the tournament in a new file, or compare it with the stored one. Returns the unique name of the run."""
        metadata = self.file.metadata_as(RunMetadata)
        if metadata == RunMetadata():
            began = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
            name = os.urandom(4).hex()
            self.file.put_metadata({"tournament": self.tournament.to_dict(), "name": name, "began": began})
            return name
        if metadata.tournament is None:
            raise BadFile(f"{self.file.name} is damaged: its tournament is missing")
        with self.file.stored_values():
            stored = Tournament.from_dict(metadata.tournament)
        if stored.rules.game != self.tournament.rules.game:
            game = {"max": "Max-Connect4", "classic": "the classic game"}[stored.rules.game]
            raise BadFile(f"{self.file.name} has results of {game}: use another file with --results")
        settings = (name for name in Tournament.__slots__ if name != "title")
        other = [name for name in settings if getattr(stored, name) != getattr(self.tournament, name)]
        if other:
            raise BadFile(
                f"{self.file.name} has results of another tournament, with different {' and '.join(other)}: "
                "use another file with --results"
            )
        if stored.title != self.tournament.title:
            self.file.put_metadata({"tournament": self.tournament.to_dict()})
        return metadata.name

    def play(self, workers: PlayingWorkers, progress: Callable[[TournamentProgress], None]) -> None:
        """Play all games that have no result yet."""
        for stage in stages(self.tournament, self.now.results):
            games = stage.games()
            self.now.scheduled += len(games)
            progress(self.now)
            missing = [game for game in games if game.number not in self.now.results]
            if missing and not self._is_decided():
                self._play(missing, workers(PLAYING), progress)

    def _play(
        self,
        games: list[ScheduledGame],
        workers: Workers[GameSetup, GameResult],
        progress: Callable[[TournamentProgress], None],
    ) -> None:
        tasks = (Task(f"maxconnect4-{self._name}-game-{game.number}", (self._setup(game),)) for game in games)
        with closing(workers.run(tasks)) as playing:
            for done in playing:
                fresh = [PlayedGame(each.item.game, each.result) for each in done]
                for played in fresh:  # an external program may have manipulated the process that played it
                    validate(played, self.tournament.rules)
                self.file.add(fresh)
                self._record_isolation(fresh)
                self.now.results |= {played.game.number: played for played in fresh}
                progress(self.now)
                if self._is_decided():
                    return

    def _record_isolation(self, fresh: list[PlayedGame]) -> None:
        """Store the isolation of external programs, or several if the tournament was resumed with another one."""
        used = {played.result.isolation for played in fresh if played.result.isolation}
        if not used <= self._isolations:
            self._isolations |= used
            self.file.put_metadata({"isolation": sorted(self._isolations)})

    def _setup(self, game: ScheduledGame) -> GameSetup:
        red, green = self._players[game.red], self._players[game.green]
        return GameSetup(game, red, green, self.tournament.rules, self._hidden)

    def _is_decided(self) -> bool:
        if self.test is None:
            return False
        self.test.take(self.now.results)
        return self.test.is_decided

    def review(self, workers: ReviewingWorkers, progress: Callable[[TournamentProgress], None]) -> None:
        """Compute the regret of each move of all games without a review."""
        result, game = self.now.results, self.tournament.rules.game
        missing = [played for played in result.values() if played.result.regrets is None]
        self.now.to_review, self.now.reviewed = len(result), len(result) - len(missing)
        progress(self.now)
        if not missing:
            return
        tasks = (
            Task(
                f"maxconnect4-{self._name}-review-{played.game.number}",
                (ReviewTask(played.game.number, played.result.moves, len(played.game.opening), game),),
            )
            for played in missing
        )
        with closing(workers(REVIEWING).run(tasks)) as reviewing:
            for done in reviewing:
                self.file.put_regrets((each.item.number, each.result) for each in done)
                for each in done:
                    played = result[each.item.number]
                    result[each.item.number] = replace(played, result=replace(played.result, regrets=each.result))
                self.now.reviewed += len(done)
                progress(self.now)


def play_all(tournament: Tournament, processes: int | None = None) -> list[PlayedGame]:
    """Play a tournament on this machine, without a results file.

    Args:
        tournament: The players, the format and the rules.
        processes: The number of parallel games. The default is the number of processors.

    Returns:
        The games that count, in the order of the schedule.

    Raises:
        BadSetup: If a player is a human.
    """
    if any(player.is_human for player in tournament.players):
        raise BadSetup("human: only 'maxconnect4 match' has human players")
    with TemporaryDirectory() as folder, ResultStore(os.path.join(folder, "results.sqlite")) as file:
        run = TournamentRun(tournament, file)
        run.play(partial(LocalWorkers, processes=processes or processors()), lambda now: None)
        return counted_games(tournament, run.now.results)


MATCH_GAMES = 40


@dataclass(frozen=True, repr=False)
class Match(TournamentResult):
    """The result of a match, from the point of view of its first player."""

    def __repr__(self) -> str:
        return f"<Match {self.tournament.title}: {self.score:g} out of {len(self.results)} games>"

    @property
    def score(self) -> float:
        """1 for each game that was won, 0.5 for each draw."""
        return sum(played.score_of(self.tournament.names[0]) or 0.0 for played in self.results)


def match(
    first: str,
    second: str,
    games: int = MATCH_GAMES,
    *,
    openings: Sequence[str] | None = None,
    game: str = "max",
    depth: int = DEPTH,
    limits: ResourceLimits | None = None,
    seed: int = 1,
    processes: int | None = None,
) -> Match:
    """Play a match on this machine, without a results file.

    Args:
        first: A player as in `maxconnect4 match`, such as `depth:6`, `level:4` or `python3 mine.py`.
        second: The other player.
        games: The number of games. It must be even, because each opening is played with both colours.
        openings: Move strings. The default is random openings of four plies.
        game: "max" or "classic".
        depth: The value of `{depth}` in commands, in plies.
        limits: The limits of commands.
        seed: The random seed of openings and players.
        processes: The number of parallel games. The default is the number of processors.

    Returns:
        The result from the point of view of the first player.

    Raises:
        BadSetup: If a player or an opening is not valid, or the number of games is odd.
    """
    check_game(game)
    if openings is None:
        if games < 2 or games % 2:
            raise BadSetup(f"{games} games: choose an even number, as each opening is played with both colours")
        openings = random_openings(count=games // 2, seed=seed, game=game)
    tournament = match_between(first, second, openings, Rules(seed=seed, game=game), depth=depth, limits=limits)
    return Match(tournament, tuple(play_all(tournament, processes)))


def match_between(
    first: str,
    second: str,
    openings: Sequence[str],
    rules: Rules,
    *,
    depth: int = DEPTH,
    limits: ResourceLimits | None = None,
    test: SprtHypotheses | None = None,
) -> Tournament:
    """Create a match, which is a tournament of two players: see `match` for the arguments."""
    players = unique_names(parse_player(text, depth, limits, rules.game) for text in (first, second))
    title = " against ".join(player.name for player in players)
    return Tournament(title, ROUND_ROBIN, tuple(players), tuple(openings), rules, test=test)
