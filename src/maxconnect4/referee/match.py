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
from typing import Any

from ..board import check_game
from ..errors import BadFile, BadSetup
from ..formatting import plural
from ..system import processors
from ..workers import Task, WorkerJob, Workers
from ..workers.local import LocalWorkers
from . import program
from .game import GameResult, GameSetup, PlayedGame, ReviewTask, Rules, ScheduledGame, abandoned_game, play, regrets
from .game_validation import InvalidGame, validate, validated_games
from .limits import ResourceLimits
from .openings import random_openings
from .pairing import ROUND_ROBIN, Stage
from .players import DEPTH, parse_player, unique_names
from .program_files import fingerprint, own_files
from .store import ResultStore, RetiredGame, RunMetadata
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


@dataclass(frozen=True, slots=True)
class TournamentChanges:
    """The differences between a tournament and its results file, and their effect on the stored games."""

    changed: tuple[str, ...] = ()  # players whose program or settings differ
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: int = 0  # stored games that remain
    set_aside: int = 0  # stored games that are no longer part of the schedule, or are played again

    def lines(self) -> list[str]:
        """The changes and their effect, in one line each; none without a change."""
        several = ((self.changed, "changed"), (self.added, "new"), (self.removed, "no longer in the tournament"))
        lines = [f"{', '.join(names)}: {what}" for names, what in several if names]
        if lines:
            lines.append(f"{plural(self.kept, 'stored game')} kept, {self.set_aside} set aside")
        return lines


class TournamentRun:
    """A run of a tournament with its results file. You can interrupt and resume it at any point.

    Games of players that have changed are played again. With players that are new or no longer in the tournament, the
    schedule is that of the new tournament, and the stored games that are part of it are kept. Other games are set
    aside in the file, and used again if the same version of a program returns.

    Args:
        tournament: The players, the format and the rules.
        results: The open results file, new or of the same tournament.

    Raises:
        BadFile: If the results file belongs to another tournament or is not valid.
    """

    def __init__(self, tournament: Tournament, results: ResultStore) -> None:
        self.tournament = tournament
        self.file = results
        self._fingerprints = {player.name: fingerprint(player) for player in tournament.players}
        self.changes = TournamentChanges()
        self._name = self._claim()
        self._players = {player.name: player for player in tournament.players}
        self._isolations = set(results.metadata_as(RunMetadata).isolation)
        self._hidden = (*results.paths, *own_files(tournament.players))
        self.now = TournamentProgress(validated_games(results, tournament))
        self._retired = self._retired_games()
        before = len(self.now.results)
        for stage in stages(tournament, self.now.results):
            if not self._retired or self._reuse(stage):
                break
        if self.changes.lines():
            kept = len(self.now.results) - before
            self.changes = replace(self.changes, kept=kept, set_aside=self.changes.set_aside - kept)
        self.test = sequential_test(tournament, self.now.results)

    def _claim(self) -> str:
        """Store the tournament in a new file, or compare it with the stored one. Returns the unique name of the run."""
        metadata = self.file.metadata_as(RunMetadata)
        if metadata == RunMetadata():
            began = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
            name = os.urandom(4).hex()
            metadata_of_run = {"name": name, "began": began, "fingerprints": self._fingerprints}
            self.file.put_metadata({"tournament": self.tournament.to_dict(), **metadata_of_run})
            return name
        if metadata.tournament is None:
            raise BadFile(f"{self.file.name} is damaged: its tournament is missing")
        with self.file.stored_values():
            stored = Tournament.from_dict(metadata.tournament)
        if stored.rules.game != self.tournament.rules.game:
            game = {"max": "Max-Connect4", "classic": "the classic game"}[stored.rules.game]
            raise BadFile(f"{self.file.name} has results of {game}: use another file with --results")
        settings = (name for name in Tournament.__slots__ if name not in ("title", "players"))
        other = [name for name in settings if getattr(stored, name) != getattr(self.tournament, name)]
        if not self._continues(stored):
            other.insert(0, "players")
        if other:
            raise BadFile(
                f"{self.file.name} has results of another tournament, with different {' and '.join(other)}: "
                "use another file with --results"
            )
        self._apply_changes(stored, metadata)
        return metadata.name

    def _continues(self, stored: Tournament) -> bool:
        """Whether these players can continue the stored tournament: all of a match, some of a tournament.

        Limits must be the same, except for the wall-clock time.
        """
        before = {player.name: player.limits for player in stored.players}
        names = self.tournament.names
        if set(before) != set(names) and (len(before) == 2 or len(names) == 2 or not set(before) & set(names)):
            return False
        pairs = [(before[player.name], player.limits) for player in self.tournament.players if player.name in before]
        return all(one == replace(other, seconds=one.seconds) for one, other in pairs)

    def _apply_changes(self, stored: Tournament, metadata: RunMetadata) -> None:
        """Compare the players with those of the results file. With a change, set all games aside; some are reused."""
        now, before = (
            {each.name: each for each in self.tournament.players},
            {each.name: each for each in stored.players},
        )
        known = dict(metadata.fingerprints)
        for name in now.keys() & before.keys() - known.keys():  # an old file: only the settings can be compared
            same = replace(before[name], limits=now[name].limits) == now[name]
            known[name] = self._fingerprints[name] if same else ""
        changed = tuple(name for name in before if name in now and known[name] != self._fingerprints[name])
        added = tuple(name for name in now if name not in before)
        removed = tuple(name for name in before if name not in now)
        facts: dict[str, Any] = {"tournament": self.tournament.to_dict(), "fingerprints": self._fingerprints}
        if not changed and list(now) == list(before):
            if (stored.to_dict(), metadata.fingerprints) != tuple(facts.values()):
                self.file.put_metadata(facts)
            return
        games = len(self.file.all())
        self.changes = TournamentChanges(changed, added, removed, set_aside=games)
        date = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
        facts["history"] = [*metadata.history, *(f"{date}: {line}" for line in self.changes.lines()[:-1])]
        self.file.retire(known, facts)

    def _retired_games(self) -> dict[tuple[str, ...], list[RetiredGame]]:
        """The retired games of the present versions of the players, by players and opening."""
        found: dict[tuple[str, ...], list[RetiredGame]] = {}
        for each in self.file.retired():
            try:
                validate(each.played, self.tournament.rules)
            except InvalidGame as error:
                raise BadFile(f"{self.file.name} has an invalid result: {error}") from None
            game = each.played.game
            if (self._fingerprints.get(game.red), self._fingerprints.get(game.green)) == (each.red, each.green):
                found.setdefault((game.red, game.green, game.opening), []).append(each)
        return found

    def _reuse(self, stage: Stage) -> bool:
        """Use retired games for the missing games of a stage. Returns whether some are still missing."""
        games: list[tuple[RetiredGame, PlayedGame]] = []
        is_missing = False
        for game in (stage.game(number) for number in stage.numbers if number not in self.now.results):
            same = self._retired.get((game.red, game.green, game.opening))
            if same:
                retired = same.pop(0)
                games.append((retired, PlayedGame(game, replace(retired.played.result, number=game.number))))
            else:
                is_missing = True
        self.file.reuse(games)
        self.now.results |= {played.game.number: played for _, played in games}
        return is_missing

    def play(self, workers: PlayingWorkers, progress: Callable[[TournamentProgress], None]) -> None:
        """Play all games that have no result yet."""
        for stage in stages(self.tournament, self.now.results):
            games = stage.games()
            self.now.scheduled += len(games)
            if self._retired:
                self._reuse(stage)
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
