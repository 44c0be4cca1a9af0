"""Playing a tournament in as many goes as it takes; whoever plays the games does so here, one by one."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from maxconnect4 import GREEN, RED
from maxconnect4.errors import BadFile, BadSetup
from maxconnect4.referee.game import GameResult, Rules, ScheduledGame
from maxconnect4.referee.limits import ResourceLimits
from maxconnect4.referee.match import PLAYING, REVIEWING, TournamentProgress, TournamentRun, play_all
from maxconnect4.referee.move_validation import Fault
from maxconnect4.referee.players import parse_player
from maxconnect4.referee.store import ResultStore
from maxconnect4.referee.tournament import SprtHypotheses, Tournament, counted_games, standings_of
from maxconnect4.workers import Done, Task, WorkerJob, Workers, import_function

NAMES = ("ada", "bob", "cem", "dee")
ENTRANTS = tuple(parse_player(f"name={name} random") for name in NAMES)
ROUND_ROBIN = Tournament("Class", "round-robin", ENTRANTS[:3], ("", "44"), Rules(seed=7))
LIMITED = tuple(replace(each, limits=ResourceLimits(cpu_seconds=1)) for each in ENTRANTS[:3])
MATCH = Tournament("ada against bob", "round-robin", ENTRANTS[:2], tuple("1234567"), Rules())


class Here:
    """Workers that do each task at once, so many items at a time, and note which."""

    def __init__(
        self, at_once: int = 1, most: int = 1_000, play: Callable[[ScheduledGame], float] | None = None
    ) -> None:
        self.at_once = at_once
        self.most = most
        self.play = play
        self.names: list[str] = []
        self.closed = 0

    def __call__(self, job: WorkerJob[Any, Any]) -> Workers[Any, Any]:
        self.job = job
        return self

    def run(self, tasks: Iterable[Task[Any]]) -> Generator[list[Done[Any, Any]]]:
        try:
            for some in _so_many(tasks, self.at_once):
                if len(self.names) >= self.most:
                    raise KeyboardInterrupt
                self.names += [task.name for task in some]
                yield [Done(item, self._result(item)) for task in some for item in task.items]
        finally:
            self.closed += 1

    def _result(self, item: Any) -> Any:
        if self.play is None or self.job != PLAYING:
            return import_function(self.job.names.function)(item)
        game, score = item.game, self.play(item.game)
        fault = Fault("killed the referee", RED if score == 0 else GREEN, len(game.opening) + 1, "invented")
        return GameResult(game.number, game.opening, "forfeit", score, (0, 0), (), 0.0, faults=(fault,))


def _so_many(tasks: Iterable[Task[Any]], at_once: int) -> Iterator[list[Task[Any]]]:
    waiting: list[Task[Any]] = []
    for task in tasks:
        waiting.append(task)
        if len(waiting) == at_once:
            yield waiting
            waiting = []
    if waiting:
        yield waiting


@pytest.fixture
def file(tmp_path: Path) -> Iterator[ResultStore]:
    with ResultStore(str(tmp_path / "class.sqlite")) as file:
        yield file


def silent(now: TournamentProgress) -> None:
    """Nobody wants to know."""


def first_wins(game: ScheduledGame) -> float:
    """The one whose name comes first in the alphabet wins."""
    return float(game.red < game.green)


def test_the_functions_that_workers_call_are_there() -> None:
    jobs: tuple[WorkerJob[Any, Any], ...] = (PLAYING, REVIEWING)
    for job in jobs:
        for name in (job.names.function, job.names.set_up, job.names.shut_down):
            assert not name or callable(import_function(name))
    assert all((*PLAYING.names[2:], PLAYING.clean_up, PLAYING.give_up))


# Playing


def test_every_game_is_played_once_with_progress(file: ResultStore) -> None:
    run, here, told = TournamentRun(ROUND_ROBIN, file), Here(), []
    run.play(here, lambda now: told.append((now.scheduled, len(now.results))))
    assert told == [(12, played) for played in range(13)]
    assert (run.now.reviewed, run.now.to_review) == (0, 0)
    assert [result.game.number for result in file.all()] == list(range(1, 13))
    assert run.now.results == {result.game.number: result for result in file.all()}
    name = re.fullmatch(r"maxconnect4-([0-9a-f]{8})-game-1", here.names[0])
    assert name
    assert here.names == [f"maxconnect4-{name[1]}-game-{number}" for number in range(1, 13)]
    assert here.closed == 1
    for result in file.all():
        assert result.result.moves.startswith(result.game.opening)
        assert len(result.result.moves) == 42
    pairs = {(result.game.red, result.game.green, result.game.opening) for result in file.all()}
    assert len(pairs) == 12


def test_an_ended_run_resumes_with_the_missing_games(file: ResultStore) -> None:
    with pytest.raises(KeyboardInterrupt):
        TournamentRun(ROUND_ROBIN, file).play(Here(most=5), silent)
    before = file.all()
    assert len(before) == 5
    run, here, told = TournamentRun(ROUND_ROBIN, file), Here(), []
    run.play(here, lambda now: told.append((now.scheduled, len(now.results))))
    assert told == [(12, played) for played in range(5, 13)]
    assert len(here.names) == 7
    assert file.all()[:5] == before
    once_more = Here()
    TournamentRun(ROUND_ROBIN, file).play(once_more, silent)
    assert once_more.names == []


def test_rounds_depend_on_those_before_and_are_numbered_on(file: ResultStore) -> None:
    knockout = replace(ROUND_ROBIN, format="knock-out", players=ENTRANTS)
    here, told = Here(at_once=3, play=first_wins), []
    TournamentRun(knockout, file).play(here, lambda now: told.append((now.scheduled, len(now.results))))
    assert told == [(8, 0), (8, 3), (8, 6), (8, 8), (12, 8), (12, 11), (12, 12)]
    games = [result.game for result in file.all()]
    assert [game.number for game in games] == list(range(1, 13))
    assert [game.pair for game in games] == [number // 2 for number in range(2, 14)]
    assert [game.round for game in games] == [1] * 8 + [2] * 4
    assert {name for game in games[8:] for name in (game.red, game.green)} >= {"ada"}
    half = Here(at_once=1, most=10, play=first_wins)
    with ResultStore(f"{file.name}-2") as other:
        with pytest.raises(KeyboardInterrupt):
            TournamentRun(knockout, other).play(half, silent)
        TournamentRun(knockout, other).play(Here(play=first_wins), silent)
        assert other.all() == file.all()


def test_a_match_ends_as_soon_as_its_test_is_decided(file: ResultStore) -> None:
    tested = replace(MATCH, test=SprtHypotheses(elo0=0, elo1=400))
    run, here = TournamentRun(tested, file), Here(at_once=2, play=first_wins)
    run.play(here, silent)
    assert run.test is not None
    assert (run.test.name, run.test.state.decision) == ("ada", "H1")
    assert 2 <= len(here.names) < 14
    assert len(here.names) == run.test.games == len(file.all())
    assert here.closed == 1
    again = Here(play=first_wins)
    after = TournamentRun(tested, file)
    after.play(again, silent)
    assert again.names == []
    assert after.now.scheduled == 14
    with ResultStore(f"{file.name}-2") as ahead:
        run = TournamentRun(tested, ahead)
        run.play(Here(at_once=14, play=first_wins), silent)
        assert len(run.now.results) == 14
        assert counted_games(tested, run.now.results) == file.all()


def test_a_match_without_a_test_has_all_its_games(file: ResultStore) -> None:
    run = TournamentRun(MATCH, file)
    run.play(Here(play=first_wins), silent)
    assert run.test is None
    assert len(counted_games(MATCH, run.now.results)) == 14


# The file


def test_a_results_file_has_its_tournament_and_start_date(file: ResultStore) -> None:
    TournamentRun(ROUND_ROBIN, file)
    facts = file.metadata()
    assert Tournament.from_dict(facts["tournament"]) == ROUND_ROBIN
    assert re.fullmatch("[0-9a-f]{8}", facts["name"])
    assert re.fullmatch(r"20\d\d-\d\d-\d\d \d\d:\d\d UTC", facts["began"])
    TournamentRun(ROUND_ROBIN, file)
    assert file.metadata() == facts


def test_a_tournament_may_get_another_title(file: ResultStore) -> None:
    TournamentRun(ROUND_ROBIN, file)
    before = file.metadata()
    TournamentRun(replace(ROUND_ROBIN, title="Course"), file)
    after = file.metadata()
    assert after["tournament"]["title"] == "Course"
    assert (after["name"], after["began"]) == (before["name"], before["began"])


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (replace(ROUND_ROBIN, players=ENTRANTS[:2]), "with different players"),
        (replace(ROUND_ROBIN, players=LIMITED), "with different players"),
        (replace(ROUND_ROBIN, openings=("44",), rules=Rules(seed=8)), "with different openings and rules"),
        (replace(ROUND_ROBIN, title="Course", heads=2), "with different heads"),
    ],
)
def test_results_of_another_tournament_are_not_mixed_with_it(other: Tournament, words: str, file: ResultStore) -> None:
    TournamentRun(ROUND_ROBIN, file)
    before = file.metadata()
    with pytest.raises(BadFile, match=f"class.sqlite has results of another tournament, {words}: use another file"):
        TournamentRun(other, file)
    assert file.metadata() == before


@pytest.mark.parametrize(("game", "words"), [("max", "Max-Connect4"), ("classic", "the classic game")])
def test_results_of_the_other_game_are_an_error(game: str, words: str, file: ResultStore) -> None:
    TournamentRun(replace(ROUND_ROBIN, rules=Rules(game=game)), file)
    other = {"max": "classic", "classic": "max"}[game]
    with pytest.raises(BadFile, match=f"class.sqlite has results of {words}: use another file with --results$"):
        TournamentRun(replace(ROUND_ROBIN, rules=Rules(game=other)), file)


# Changed players


def played(tournament: Tournament, file: ResultStore) -> tuple[TournamentRun, int]:
    """A run that is played to its end, and the number of games that it played."""
    here = Here(play=first_wins)
    run = TournamentRun(tournament, file)
    run.play(here, silent)
    return run, len(here.names)


def with_player(tournament: Tournament, name: str, text: str) -> Tournament:
    changed = parse_player(f"name={name} {text}")
    return replace(tournament, players=tuple(changed if each.name == name else each for each in tournament.players))


def test_only_the_games_of_a_changed_player_are_played_again(file: ResultStore) -> None:
    _, games = played(ROUND_ROBIN, file)
    assert games == 12
    changed = with_player(ROUND_ROBIN, "bob", "depth:1")
    run, games = played(changed, file)
    assert games == 8
    assert (run.changes.changed, run.changes.kept, run.changes.set_aside) == (("bob",), 4, 8)
    assert len(run.now.results) == 12
    assert [line.partition(": ")[2] for line in file.metadata()["history"]] == ["bob: changed"]
    run, games = played(changed, file)
    assert (games, run.changes.lines()) == (0, [])
    run, games = played(ROUND_ROBIN, file)  # the earlier version returns, and its games with it
    assert (games, run.changes.changed) == (0, ("bob",))


@pytest.mark.parametrize("form", ["round-robin", "gauntlet", "swiss", "knock-out"])
def test_a_late_entry_plays_only_the_missing_games(form: str, file: ResultStore) -> None:
    three = replace(ROUND_ROBIN, format=form)
    _, first = played(three, file)
    four = replace(three, players=(ENTRANTS[3], *ENTRANTS[:3]))  # the numbers of all games change
    run, more = played(four, file)
    assert run.changes.added == ("dee",)
    assert first + more >= len(run.now.results)
    assert form not in ("round-robin", "gauntlet") or more == 12
    assert TournamentRun(four, file).now.results == run.now.results  # valid, and in the schedule
    run, games = played(three, file)
    assert (games, run.changes.removed, len(run.now.results)) == (0, ("dee",), first)


def test_an_interrupted_run_with_a_change_resumes(file: ResultStore) -> None:
    played(ROUND_ROBIN, file)
    changed = with_player(ROUND_ROBIN, "bob", "depth:1")
    here = Here(play=first_wins, most=3)
    with pytest.raises(KeyboardInterrupt):
        TournamentRun(changed, file).play(here, silent)
    _, games = played(changed, file)
    assert games == 5


def test_a_file_of_an_older_version_resumes_without_fingerprints(file: ResultStore) -> None:
    played(ROUND_ROBIN, file)
    with closing(sqlite3.connect(file.paths[0], timeout=60)) as database, database:
        database.execute("DELETE FROM facts WHERE name = 'fingerprints'")
        database.execute("DROP TABLE retired")
    file.__exit__(None, None, None)
    with ResultStore(file.paths[0], read_only=True) as reader:
        assert len(reader.all()) == 12
    with ResultStore(file.paths[0]) as again:
        assert played(ROUND_ROBIN, again)[1] == 0
        assert set(again.metadata()["fingerprints"]) == {"ada", "bob", "cem"}
        assert played(with_player(ROUND_ROBIN, "bob", "depth:1"), again)[1] == 8


def test_the_wall_clock_limit_does_not_make_another_tournament(file: ResultStore) -> None:
    played(ROUND_ROBIN, file)
    patient = tuple(replace(each, limits=ResourceLimits(seconds=99)) for each in ROUND_ROBIN.players)
    run, games = played(replace(ROUND_ROBIN, players=patient), file)
    assert (games, run.changes.lines()) == (0, [])


# Reviewing


def test_games_are_reviewed_once_with_progress(file: ResultStore) -> None:
    run = TournamentRun(replace(MATCH, openings=("1" * 6 + "2" * 6 + "3" * 6 + "44444",)), file)
    run.play(Here(), silent)
    here, told = Here(at_once=2), []
    run.review(here, lambda now: told.append((now.reviewed, now.to_review)))
    assert told == [(0, 2), (2, 2)]
    assert here.job == REVIEWING
    assert here.closed == 1
    assert [re.sub("[0-9a-f]{8}", "x", name) for name in here.names] == [
        "maxconnect4-x-review-1",
        "maxconnect4-x-review-2",
    ]
    for number, result in run.now.results.items():
        assert result.result.regrets is not None
        assert len(result.result.regrets) == 42 - 23
        assert file.all()[number - 1] == result
    run.review(here, lambda now: told.append((now.reviewed, now.to_review)))
    assert told[2:] == [(2, 2)]
    assert (len(here.names), here.closed) == (2, 1)  # nobody was called


def test_a_reviewed_game_is_not_reviewed_again(file: ResultStore) -> None:
    full = "1" * 6 + "2" * 6 + "3" * 6 + "4" * 6 + "5" * 6 + "6" * 6
    run = TournamentRun(replace(MATCH, openings=(full,)), file)
    run.play(Here(), silent)
    run.file.put_regrets([(1, (0,) * 6)])
    run = TournamentRun(replace(MATCH, openings=(full,)), file)
    here, told = Here(), []
    run.review(here, lambda now: told.append((now.reviewed, now.to_review)))
    assert told == [(1, 2), (2, 2)]
    assert [name.rpartition("-")[2] for name in here.names] == ["2"]


# All at once


def test_a_tournament_is_played_here_and_now_and_no_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    results = play_all(ROUND_ROBIN, processes=1)
    assert [result.game.number for result in results] == list(range(1, 13))
    assert sum(standing.score for standing in standings_of(ROUND_ROBIN, results)) == 12
    assert list(tmp_path.iterdir()) == []
    assert len(play_all(MATCH)) == 14


def test_a_tournament_from_python_refuses_a_human_player() -> None:
    with pytest.raises(BadSetup, match="^human: only 'maxconnect4 match' has human players$"):
        play_all(replace(MATCH, players=(ENTRANTS[0], parse_player("human"))))


def test_only_encounters_that_are_over_rank_a_swiss_tournament(file: ResultStore) -> None:
    swiss = replace(ROUND_ROBIN, format="swiss", players=ENTRANTS, rounds=2, openings=("", "44", "45"))
    TournamentRun(swiss, file).play(Here(play=first_wins), silent)
    results = file.all()
    table = standings_of(swiss, results)
    assert (table[0].rank, table[0].name, table[0].merit[0]) == (1, "ada", "2")
    assert all(each.merit.startswith("0") for each in standings_of(swiss, results[:5]))
    assert any(each.merit.startswith("1") for each in standings_of(swiss, results[:6]))
    assert not any(each.merit for each in standings_of(ROUND_ROBIN, []))
