"""Playing a tournament in as many goes as it takes; whoever plays the games does so here, one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from maxconnect4 import GREEN, RED
from maxconnect4.errors import BadEntrant, BadFile
from maxconnect4.referee.entrants import entrant_from
from maxconnect4.referee.games import Fault, Game, Played
from maxconnect4.referee.playing import Rules
from maxconnect4.referee.results import Results
from maxconnect4.referee.running import PLAYING, REVIEWING, Progress, Run, play_all
from maxconnect4.referee.sequential import Hypotheses
from maxconnect4.referee.tournament import Tournament, counted, standings_of
from maxconnect4.work.tasks import Done, Job, Task, Workers, named

NAMES = ("ada", "bob", "cem", "dee")
ENTRANTS = tuple(entrant_from(f"name={name} random") for name in NAMES)
ROUND_ROBIN = Tournament("Class", "round-robin", ENTRANTS[:3], ("", "44"), Rules(seed=7))
MATCH = Tournament("ada against bob", "round-robin", ENTRANTS[:2], tuple("1234567"), Rules())


class Here:
    """Workers that do each task at once, so many items at a time, and note which."""

    def __init__(self, at_once: int = 1, most: int = 1_000, play: Callable[[Game], float] | None = None) -> None:
        self.at_once = at_once
        self.most = most
        self.play = play
        self.names: list[str] = []
        self.closed = 0

    def __call__(self, job: Job) -> Workers:
        self.job = job
        return self

    def run(self, tasks: Iterable[Task]) -> Generator[list[Done]]:
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
            return named(self.job.function)(item)
        game, score = item.game, self.play(item.game)
        fault = Fault("killed the referee", RED if score == 0 else GREEN, len(game.opening) + 1, "invented")
        return Played(game.number, game.opening, "forfeit", score, (0, 0), (), 0.0, faults=(fault,))


def _so_many(tasks: Iterable[Task], at_once: int) -> Iterator[list[Task]]:
    waiting: list[Task] = []
    for task in tasks:
        waiting.append(task)
        if len(waiting) == at_once:
            yield waiting
            waiting = []
    if waiting:
        yield waiting


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Results]:
    with Results(str(tmp_path / "class.sqlite")) as file:
        yield file


def silent(now: Progress) -> None:
    """Nobody wants to know."""


def first_wins(game: Game) -> float:
    """The one whose name comes first in the alphabet wins."""
    return float(game.red < game.green)


def test_the_functions_that_workers_call_are_there() -> None:
    for job in (PLAYING, REVIEWING):
        for name in (job.function, job.prepare, job.end, job.bury, job.give_up):
            assert not name or callable(named(name))
    assert Job(PLAYING.function, (), *(name for name in PLAYING[2:] if name)) == PLAYING


# Playing


def test_every_game_is_played_once_and_progress_is_told(file: Results) -> None:
    run, here, told = Run(ROUND_ROBIN, file), Here(), []
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
        assert result.played.moves.startswith(result.game.opening)
        assert len(result.played.moves) == 42
    pairs = {(result.game.red, result.game.green, result.game.opening) for result in file.all()}
    assert len(pairs) == 12


def test_a_run_that_was_ended_goes_on_with_what_is_missing(file: Results) -> None:
    with pytest.raises(KeyboardInterrupt):
        Run(ROUND_ROBIN, file).play(Here(most=5), silent)
    before = file.all()
    assert len(before) == 5
    run, here, told = Run(ROUND_ROBIN, file), Here(), []
    run.play(here, lambda now: told.append((now.scheduled, len(now.results))))
    assert told == [(12, played) for played in range(5, 13)]
    assert len(here.names) == 7
    assert file.all()[:5] == before
    once_more = Here()
    Run(ROUND_ROBIN, file).play(once_more, silent)
    assert once_more.names == []


def test_rounds_depend_on_those_before_and_are_numbered_on(file: Results) -> None:
    knockout = replace(ROUND_ROBIN, format="knock-out", entrants=ENTRANTS)
    here, told = Here(at_once=3, play=first_wins), []
    Run(knockout, file).play(here, lambda now: told.append((now.scheduled, len(now.results))))
    assert told == [(8, 0), (8, 3), (8, 6), (8, 8), (12, 8), (12, 11), (12, 12)]
    games = [result.game for result in file.all()]
    assert [game.number for game in games] == list(range(1, 13))
    assert [game.pair for game in games] == [number // 2 for number in range(2, 14)]
    assert [game.round for game in games] == [1] * 8 + [2] * 4
    assert {name for game in games[8:] for name in (game.red, game.green)} >= {"ada"}
    half = Here(at_once=1, most=10, play=first_wins)
    with Results(f"{file.name}-2") as other:
        with pytest.raises(KeyboardInterrupt):
            Run(knockout, other).play(half, silent)
        Run(knockout, other).play(Here(play=first_wins), silent)
        assert other.all() == file.all()


def test_a_match_ends_as_soon_as_its_test_is_decided(file: Results) -> None:
    tested = replace(MATCH, test=Hypotheses(elo0=0, elo1=400))
    run, here = Run(tested, file), Here(at_once=2, play=first_wins)
    run.play(here, silent)
    assert run.test is not None
    assert (run.test.name, run.test.outcome.decision) == ("ada", "H1")
    assert 2 <= len(here.names) < 14
    assert len(here.names) == run.test.games == len(file.all())
    assert here.closed == 1
    again = Here(play=first_wins)
    after = Run(tested, file)
    after.play(again, silent)
    assert again.names == []
    assert after.now.scheduled == 14
    with Results(f"{file.name}-2") as ahead:
        run = Run(tested, ahead)
        run.play(Here(at_once=14, play=first_wins), silent)
        assert len(run.now.results) == 14
        assert counted(tested, run.now.results) == file.all()


def test_a_match_without_a_test_has_all_its_games(file: Results) -> None:
    run = Run(MATCH, file)
    run.play(Here(play=first_wins), silent)
    assert run.test is None
    assert len(counted(MATCH, run.now.results)) == 14


# The file


def test_a_file_says_which_tournament_it_is_and_when_it_began(file: Results) -> None:
    Run(ROUND_ROBIN, file)
    facts = file.facts()
    assert Tournament.from_facts(facts["tournament"]) == ROUND_ROBIN
    assert re.fullmatch("[0-9a-f]{8}", facts["name"])
    assert re.fullmatch(r"20\d\d-\d\d-\d\d \d\d:\d\d UTC", facts["began"])
    Run(ROUND_ROBIN, file)
    assert file.facts() == facts


def test_a_tournament_may_get_another_title(file: Results) -> None:
    Run(ROUND_ROBIN, file)
    before = file.facts()
    Run(replace(ROUND_ROBIN, title="Course"), file)
    after = file.facts()
    assert after["tournament"]["title"] == "Course"
    assert (after["name"], after["began"]) == (before["name"], before["began"])


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (replace(ROUND_ROBIN, entrants=ENTRANTS), "with other players"),
        (replace(ROUND_ROBIN, openings=("44",), rules=Rules(seed=8)), "with other openings and rules"),
        (replace(ROUND_ROBIN, title="Course", heads=2), "with other heads"),
    ],
)
def test_results_of_another_tournament_are_not_mixed_with_it(other: Tournament, words: str, file: Results) -> None:
    Run(ROUND_ROBIN, file)
    before = file.facts()
    with pytest.raises(
        BadFile, match=f"class.sqlite has the results of another tournament, {words}: name another file"
    ):
        Run(other, file)
    assert file.facts() == before


@pytest.mark.parametrize(("game", "words"), [("max", "Max-Connect4"), ("classic", "the classic game")])
def test_results_of_the_other_game_are_said_to_be_so(game: str, words: str, file: Results) -> None:
    Run(replace(ROUND_ROBIN, rules=Rules(game=game)), file)
    other = {"max": "classic", "classic": "max"}[game]
    with pytest.raises(BadFile, match=f"class.sqlite has the results of {words}: name another file with --results$"):
        Run(replace(ROUND_ROBIN, rules=Rules(game=other)), file)


# Reviewing


def test_games_are_reviewed_once_and_progress_is_told(file: Results) -> None:
    run = Run(replace(MATCH, openings=("1" * 6 + "2" * 6 + "3" * 6 + "44444",)), file)
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
        assert result.played.given_away is not None
        assert len(result.played.given_away) == 42 - 23
        assert file.all()[number - 1] == result
    run.review(here, lambda now: told.append((now.reviewed, now.to_review)))
    assert told[2:] == [(2, 2)]
    assert (len(here.names), here.closed) == (2, 1)  # nobody was called


def test_what_is_reviewed_already_is_not_reviewed_again(file: Results) -> None:
    full = "1" * 6 + "2" * 6 + "3" * 6 + "4" * 6 + "5" * 6 + "6" * 6
    run = Run(replace(MATCH, openings=(full,)), file)
    run.play(Here(), silent)
    run.file.put_given_away([(1, (0,) * 6)])
    run = Run(replace(MATCH, openings=(full,)), file)
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


def test_nobody_is_asked_for_moves_of_a_tournament_here_and_now() -> None:
    with pytest.raises(BadEntrant, match="^human: nobody is asked for moves here, but 'maxconnect4 match' does$"):
        play_all(replace(MATCH, entrants=(ENTRANTS[0], entrant_from("human"))))


def test_only_encounters_that_are_over_rank_a_swiss_tournament(file: Results) -> None:
    swiss = replace(ROUND_ROBIN, format="swiss", entrants=ENTRANTS, rounds=2, openings=("", "44", "45"))
    Run(swiss, file).play(Here(play=first_wins), silent)
    results = file.all()
    table = standings_of(swiss, results)
    assert (table[0].rank, table[0].name, table[0].merit[0]) == (1, "ada", "2")
    assert all(each.merit.startswith("0") for each in standings_of(swiss, results[:5]))
    assert any(each.merit.startswith("1") for each in standings_of(swiss, results[:6]))
    assert not any(each.merit for each in standings_of(ROUND_ROBIN, []))
