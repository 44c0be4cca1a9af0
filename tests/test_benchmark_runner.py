"""Benchmark runs of real programs."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from external_programs import PATIENT, PLAYERS, command_line

from maxconnect4 import Board, board_from_moves, choose, solver
from maxconnect4.benchmark.players import move_function, parse_players
from maxconnect4.benchmark.positions import PositionSet, parse_position_set
from maxconnect4.benchmark.runner import Plan, measure
from maxconnect4.benchmark.store import Measurements
from maxconnect4.benchmark.summary import DepthSeries, MeasurementSummary, branching_factor, summarise
from maxconnect4.errors import BadFile
from maxconnect4.referee.limits import ResourceLimits
from maxconnect4.referee.players import parse_player
from maxconnect4.sample_positions import Position

EMPTY = parse_position_set("empty")


def plan_of(
    *players: str, sets: tuple[PositionSet, ...] = (EMPTY,), limits: ResourceLimits = PATIENT, **more: Any
) -> Plan:
    settings: dict[str, Any] = {"first": 0, "last": 3, "runs": 2, **more}
    return Plan(tuple(parse_players(players, limits)), sets, **settings)


def moody(history: Path | None = None, fails: str = "") -> str:
    noted = f"HISTORY={history} " if history else ""
    return f"{noted}FAILS='{fails}' {command_line('moody')}"


def spinning(spin: float, history: Path | str = os.devnull) -> str:
    """A program that uses so many CPU seconds for each ply."""
    words = [sys.executable, "-S", "-E", "-B", str(PLAYERS / "moody.py")]
    return f"HISTORY={history} SPIN={spin} {shlex.join(words)}"


def came_of(plan: Plan, path: Path) -> MeasurementSummary:
    with Measurements(str(path)) as file:
        measure(plan, file)
        return summarise(file)


def the_series(plan: Plan, path: Path) -> DepthSeries:
    (series,) = came_of(plan, path).series
    return series


def test_the_built_in_search_reports_its_nodes_as_a_program(tmp_path: Path) -> None:
    series = the_series(plan_of("depth:eval=table"), tmp_path / "file")
    for row in series.rows:
        choice = choose(Board(), row.depth, evaluation="table")
        assert (row.nodes, row.columns, row.runs) == (choice.nodes, (choice.column,), 2)
        assert row.cpu_seconds is not None
        assert 0.005 < row.cpu_seconds.low <= row.cpu_seconds.median <= row.cpu_seconds.high  # Python's start at least
    assert [row.depth for row in series.rows] == [0, 1, 2, 3]


def test_a_search_too_short_for_the_clock_has_no_speed(tmp_path: Path) -> None:
    series = the_series(plan_of("depth", sets=(FEW,), first=2, last=2, runs=1), tmp_path / "file")
    assert series.rows[0].nodes
    assert series.rows[0].nodes_per_second is None
    with Measurements(str(tmp_path / "file"), read_only=True) as file:
        times = [moved.search_seconds for moved in file.moves().values()]
    assert all(seconds is not None and 0 <= seconds < 0.01 for seconds in times)


def test_search_only_leaves_out_the_start() -> None:
    (here,) = parse_players(["depth"], PATIENT, search_only=True)
    (program,) = parse_players(["depth"], PATIENT)
    thought, ran = (move_function(each)(Board(), 4, "") for each in (here, program))
    assert (thought.column, thought.nodes) == (ran.column, ran.nodes)
    assert thought.cpu_seconds < ran.cpu_seconds / 2


@pytest.mark.parametrize("search_only", [True, False])
def test_a_move_from_the_book_has_no_nodes(search_only: bool) -> None:
    (perfect,) = parse_players(["perfect"], PATIENT, search_only=search_only)
    moved = move_function(perfect)(Board(), None, "")
    assert (moved.column, moved.nodes, moved.search_seconds) == (4, None, None)


HARD = "551662675"  # which takes the solver more than a second without a book


@pytest.mark.parametrize(
    ("text", "moves", "depth"),
    [("depth", "", 40), ("perfect", HARD, None), ("time:30", "", None), ("level:8", HARD, None)],
)
def test_a_search_in_this_process_is_given_up_in_time(
    text: str, moves: str, depth: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver, "_shipped_book_or_none", lambda game: None)
    (here,) = parse_players([text], ResourceLimits(seconds=0.1), search_only=True, game="classic")
    moved = move_function(here)(board_from_moves(moves, "classic"), depth, "")
    assert (moved.column, moved.fault) == (None, "time-out")
    assert moved.seconds < 5


@pytest.mark.parametrize("text", ["level:2", "random", "time:0.05", "perfect", "depth:3"])
def test_every_built_in_player_can_be_measured(text: str, tmp_path: Path) -> None:
    (row,) = the_series(plan_of(text), tmp_path / "file").rows
    assert row.depth is None
    assert row.columns
    assert not row.faults


def test_chance_is_the_same_again_and_another_in_another_run(tmp_path: Path) -> None:
    plan = plan_of("random", runs=20)
    first, again = (the_series(plan, tmp_path / name).rows[0].columns for name in ("first", "again"))
    assert first == again
    assert len(first) > 3


def test_a_program_that_fails_at_some_depth_leaves_a_gap_and_a_reason(tmp_path: Path) -> None:
    series = the_series(plan_of(moody(fails="2"), last=4), tmp_path / "file")
    assert [row.depth for row in series.rows] == [0, 1, 2, 3, 4]
    assert [row.columns for row in series.rows] == [(4,), (4,), (), (4,), (4,)]
    gap = series.rows[2]
    assert (gap.cpu_seconds, gap.faults) == (None, 1)
    assert gap.reason == "crash: it ended with exit status 1; it printed: depth 2 is too deep for me"
    assert series.ended == ""


def test_three_failures_in_a_row_are_enough(tmp_path: Path) -> None:
    series = the_series(plan_of(moody(fails="1 3 4 5"), last=9), tmp_path / "file")
    assert [row.depth for row in series.rows] == [0, 1, 2, 3, 4, 5]
    assert series.ended == "no move at depths 3 to 5"


def test_the_first_depth_over_the_limit_is_the_last(tmp_path: Path) -> None:
    history = tmp_path / "history"
    plan = plan_of(spinning(0.06, history), "random", first=1, last=None, runs=None, limit=0.17)
    slow, quick = came_of(plan, tmp_path / "file").series
    assert [row.depth for row in slow.rows] == [1, 2, 3]
    assert slow.ended == "depth 3 took more than 0.17 s"
    assert history.read_text().split() == ["1"] * 3 + ["2"] * 3 + ["3"]  # it would only take long again
    assert slow.rows[-1].cpu_seconds is not None
    assert slow.rows[-1].cpu_seconds.median > 0.17
    assert [row.depth for row in quick.rows] == [None]


def test_a_program_that_does_not_end_is_given_up(tmp_path: Path) -> None:
    hanging = f"HANGS=2 {command_line('moody')}"
    series = the_series(plan_of(hanging, last=9, limits=ResourceLimits(seconds=2)), tmp_path / "file")
    assert series.rows[-1].depth == 2
    assert series.rows[-1].cpu_seconds is None
    assert series.ended.startswith("depth 2 timed out: ")


def test_a_move_that_was_given_up_is_asked_for_again_with_more_time(tmp_path: Path) -> None:
    history = tmp_path / "history"
    for seconds, asked in ((0.1, 1), (0.1, 1), (60.0, 2)):
        plan = plan_of(spinning(0.2, history), first=1, last=1, runs=1, limits=replace(PATIENT, cpu_seconds=seconds))
        series = the_series(plan, tmp_path / "file")
        assert history.read_text().split() == ["1"] * asked
        assert (bool(series.ended), series.rows[0].columns) == ((True, ()) if asked == 1 else (False, (4,)))


def test_no_move_is_measured_beyond_the_end_of_the_game(tmp_path: Path) -> None:
    late = PositionSet("late", (Position(board_from_moves("222222333333444444555555666666777777111")),))
    series = the_series(plan_of("depth", sets=(late,), last=40, runs=1), tmp_path / "file")
    assert [row.depth for row in series.rows] == [0, 1, 2, 3]


class Interrupting:
    """Progress that is interrupted before the move of a number."""

    def __init__(self, number: int) -> None:
        self.left = number

    def __call__(self, done: int, total: int | None, what: str) -> None:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt


def test_an_interrupted_run_resumes(tmp_path: Path) -> None:
    history = tmp_path / "history"
    plan = plan_of(moody(history), "depth", last=1)
    path = tmp_path / "file"
    for number in (1, 3, 0, 2):
        with Measurements(str(path)) as file, pytest.raises(KeyboardInterrupt):
            measure(plan, file, Interrupting(number))
    with Measurements(str(path)) as file:
        before = file.moves()
        measure(plan, file)
        after = file.moves()
    assert len(before) == 6
    assert len(after) == 2 * 2 * 2
    assert {key: after[key] for key in before} == before
    assert sorted(history.read_text().split()) == ["0", "0", "1", "1"]
    assert progress_of(plan, path) == []  # nothing is left to be done


def progress_of(plan: Plan, path: Path) -> list[tuple[int, int | None]]:
    found: list[tuple[int, int | None]] = []
    with Measurements(str(path)) as file:
        measure(plan, file, lambda done, total, what: found.append((done, total)))
    return found


def test_progress_has_the_number_of_moves_done_and_in_all(tmp_path: Path) -> None:
    assert progress_of(plan_of(moody(), last=2), tmp_path / "file") == [(done, 6) for done in range(6)]
    assert progress_of(Plan(plan_of("depth").players, (EMPTY,), limit=0.001), tmp_path / "other") == [(0, None)]


def test_more_runs_and_depths_are_added_to_what_is_there(tmp_path: Path) -> None:
    history = tmp_path / "history"
    for last, runs in ((1, 1), (2, 2)):
        came_of(plan_of(moody(history), last=last, runs=runs), tmp_path / "file")
    assert sorted(history.read_text().split()) == ["0", "0", "1", "1", "2", "2"]


def test_another_program_of_the_same_name_is_not_taken_for_it(tmp_path: Path) -> None:
    came_of(plan_of("name=x random"), tmp_path / "file")
    with pytest.raises(BadFile, match="has measurements of another 'x'"):
        came_of(plan_of("name=x level:1"), tmp_path / "file")
    other = PositionSet("empty", (Position(board_from_moves("4")),))
    with pytest.raises(BadFile, match="has measurements of another 'empty'"):
        came_of(plan_of("name=x random", sets=(other,)), tmp_path / "file")
    with pytest.raises(BadFile, match="has measurements of another 'empty'"):
        came_of(plan_of("random", sets=(EMPTY, other)), tmp_path / "both")


def test_what_was_measured_with_a_higher_limit_is_not_called_untried(tmp_path: Path) -> None:
    for limit in (60.0, 0.001):
        series = the_series(plan_of("depth", last=2, runs=1, limit=limit), tmp_path / "file")
        assert [row.depth for row in series.rows] == [0, 1, 2]
        assert series.ended == ""


def test_the_date_is_that_of_the_last_move(tmp_path: Path) -> None:
    then = {"date": "2020-02-20", "version": "0.1"}
    came_of(plan_of("random", runs=1), tmp_path / "file")
    with Measurements(str(tmp_path / "file")) as file:
        file.put_metadata(then)
    for runs in (1, 2):
        metadata = came_of(plan_of("random", runs=runs), tmp_path / "file").metadata
        assert ((metadata.date, metadata.version) == ("2020-02-20", "0.1")) == (runs == 1)


def test_a_program_that_has_changed_is_not_taken_for_what_it_was(tmp_path: Path) -> None:
    for name in ("honest", "moody"):
        (tmp_path / f"{name}.py").write_text((PLAYERS / f"{name}.py").read_text())
    plan = plan_of(f"{shlex.quote(sys.executable)} {tmp_path / 'moody.py'}", last=1)
    came_of(plan, tmp_path / "file")
    came_of(plan, tmp_path / "file")
    with (tmp_path / "honest.py").open("a") as module:  # which the program imports
        module.write("# better\n")
    with pytest.raises(BadFile, match="'moody' has changed since .* use --restart"):
        came_of(plan, tmp_path / "file")


def test_results_of_another_machine_do_not_mix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    came_of(plan_of("random"), tmp_path / "file")
    monkeypatch.setattr("maxconnect4.benchmark.runner.machine", lambda: "another")
    with pytest.raises(BadFile, match="another machine"):
        came_of(plan_of("random"), tmp_path / "file")


# Strength

EXACT = parse_position_set("exact")
SOME = PositionSet("some", EXACT.positions[100:130:3])
FEW = PositionSet("few", SOME.positions[:3])


def test_regret_is_what_the_exact_scores_say(tmp_path: Path) -> None:
    players = tuple(parse_players(["depth:2,eval=lines"], PATIENT, search_only=True))
    series = the_series(Plan(players, (SOME,), runs=1), tmp_path / "file")
    (row,) = series.rows
    lost = []
    for position in SOME.positions:
        column = choose(position.board, 2, evaluation="lines").column
        assert position.scores is not None
        score = position.scores[column - 1]
        assert score is not None
        lost.append(max(each for each in position.scores if each is not None) - score)
    assert row.regret is not None
    assert row.regret.mean == pytest.approx(sum(lost) / len(lost))
    assert (row.regret.worst, row.regret.moves) == (max(lost), 10)
    assert row.regret.perfect_share == lost.count(0) / 10
    assert row.columns == ()
    assert series.count == 10


def test_perfect_play_has_no_regret(tmp_path: Path) -> None:
    players = tuple(parse_players(["perfect"], PATIENT, search_only=True))
    (series,) = came_of(Plan(players, (SOME,)), tmp_path / "file").series
    regret = series.rows[0].regret
    assert regret is not None
    assert (regret.mean, regret.error, regret.perfect_share) == (0, 0, 1)


def test_a_set_of_which_one_move_is_too_slow_ends_there(tmp_path: Path) -> None:
    plan = plan_of(spinning(0.06), sets=(FEW,), first=1, last=5, limit=0.1, runs=1)
    series = the_series(plan, tmp_path / "file")
    assert series.ended == "depth 2 took more than 0.1 s"
    assert series.rows[-1].cpu_seconds is None
    assert series.rows[-1].reason == "only 1 of 3 positions"


def test_a_program_that_fails_everywhere_is_not_tried_on_every_position(tmp_path: Path) -> None:
    history = tmp_path / "history"
    five = PositionSet("five", SOME.positions[:5])
    plan = plan_of(moody(history, fails="1"), sets=(five,), first=1, last=2, runs=1)
    gap, row = the_series(plan, tmp_path / "file").rows
    assert history.read_text().split() == ["1"] * 3 + ["2"] * 5
    assert (gap.faults, gap.reason) == (3, "crash: it ended with exit status 1; it printed: depth 1 is too deep for me")
    assert gap.cpu_seconds is None
    assert row.regret is not None


# Games


def test_games_against_random_are_played_once(tmp_path: Path) -> None:
    players = parse_players(["depth", command_line("crasher")], PATIENT)
    plan = Plan(tuple(players), (EMPTY,), 1, 1, runs=1, opponent=parse_player("random"), games=6, game_depth=2)
    games = came_of(plan, tmp_path / "file").games
    assert [each.player for each in games] == ["depth", "crasher"]
    by_name = {each.player: each for each in games}
    assert by_name["depth"].wins == 6
    assert (by_name["depth"].points or 0) > (by_name["depth"].opponent_points or 0)
    assert (by_name["crasher"].losses, by_name["crasher"].faults) == (6, 6)
    assert progress_of(plan, tmp_path / "file") == []
    with Measurements(str(tmp_path / "file"), read_only=True) as file:
        assert [key.number for key in file.games() if key.player == "depth"] == [1, 2, 3, 4, 5, 6]


def test_a_program_that_hangs_does_not_play_all_games(tmp_path: Path) -> None:
    hanging = f"HANGS=4 {command_line('moody')}"
    plan = plan_of(
        hanging, limits=ResourceLimits(seconds=0.5), last=0, runs=1, opponent=parse_player("random"), games=20
    )
    for _ in range(2):
        (games,) = came_of(plan, tmp_path / "file").games
        assert (games.played, games.losses, games.faults) == (3, 3, 3)


def test_another_opponent_of_the_same_name_is_not_taken_for_it(tmp_path: Path) -> None:
    weak = plan_of("depth:1", runs=1, opponent=parse_player("name=weak random"), games=2)
    for _ in range(2):
        games = came_of(weak, tmp_path / "file").games
        assert [each.played for each in games] == [2]
    with pytest.raises(BadFile, match="has measurements of another 'weak'"):
        came_of(plan_of("depth:1", runs=1, opponent=parse_player("name=weak level:1"), games=4), tmp_path / "file")


# Numbers


@pytest.mark.parametrize("branching", [1.0, 1.7, 3.0, 7.0])
@pytest.mark.parametrize("depth", [1, 2, 9, 20])
def test_the_branching_factor_is_that_of_an_even_tree(branching: float, depth: int) -> None:
    nodes = sum(branching**ply for ply in range(1, depth + 1))
    assert branching_factor(nodes, depth) == pytest.approx(branching, rel=1e-6)


def test_a_search_of_nothing_has_no_branching_factor() -> None:
    assert branching_factor(0, 0) is None
