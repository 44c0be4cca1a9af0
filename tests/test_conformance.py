"""Whether a program keeps to the assignment, from Python."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from external_programs import PATIENT, command_line, player, script
from positions import FULL

from maxconnect4 import RED, Board, Solver
from maxconnect4.referee import conformance
from maxconnect4.referee.conformance import (
    ENDGAME,
    FAILED,
    FINDINGS,
    MIDDLE_GAME,
    MINIMAX,
    MOVES,
    NOTED,
    OPENING,
    PASSED,
    REGRET,
    ROBUSTNESS,
    STRENGTH,
    CheckResult,
    ConformanceReport,
    Strength,
    baseline_games,
    check,
    conformance_checks,
    depths_up_to,
    positions_with_scores,
)
from maxconnect4.referee.game import GameSetup
from maxconnect4.referee.move_validation import Fault, MoveResult
from maxconnect4.referee.players import player_spec
from maxconnect4.referee.program import Program
from maxconnect4.referee.search_checks import Speed
from maxconnect4.sample_positions import Position

Positions = list[tuple[Board, dict[int, int]]]


def scored(count: int, game: str = "max") -> Positions:
    """The positions of a check, with the scores of the columns that are not full."""
    return [
        (position.board, {column: score for column, score in enumerate(position.scores or (), 1) if score is not None})
        for position in positions_with_scores(count, game)
    ]


def with_scores(positions: Positions) -> list[Position]:
    return [Position(board, tuple(map(scores.get, range(1, 8)))) for board, scores in positions]


@pytest.fixture(scope="module")
def positions() -> Positions:
    """As many positions as a check usually has."""
    return scored(40)


def late(setups: list[GameSetup]) -> list[GameSetup]:
    """The same games from a position in which each player has three moves left."""
    return [replace(each, game=replace(each.game, opening=FULL[:36])) for each in setups]


def test_regret_is_reported_as_a_mean_and_as_shares() -> None:
    strength = Strength((0, 3, 0, 1), kept=3)
    assert (strength.regret.mean, strength.regret.perfect_share, strength.kept_share) == (1.0, 0.5, 0.75)
    assert Strength((0,)).kept_share is None


def test_a_report_counts_what_came_out_how() -> None:
    checks = [
        CheckResult(MOVES, "one", PASSED, "", notes=("exit code", "blanks")),
        CheckResult(MOVES, "two", NOTED, "", notes=("exit code",)),
    ]
    report = ConformanceReport(player("honest"), tuple(checks), (), None, 1.0)
    assert report.notes() == {"exit code": 2, "blanks": 1}
    assert [report.count(result) for result in (PASSED, NOTED, FAILED)] == [1, 1, 0]
    assert report.passed
    assert (report.game, report.games) == ("max", None)
    failed = ConformanceReport(player("honest"), (*checks, CheckResult(MOVES, "three", FAILED, "")), (), None, 1.0)
    assert not failed.passed


def test_progress_reports_every_check_in_order() -> None:
    told: list[tuple[int, int, str]] = []
    entered = player("honest")
    report = check(
        entered,
        deepest=2,
        positions=2,
        setups=late(baseline_games(entered, games=2)),
        progress=lambda *now: told.append(now),
    )
    moves, robustness = (
        [trial.name for trial in conformance_checks("max") if trial.group == group] for group in (MOVES, ROBUSTNESS)
    )
    phases = (OPENING, MIDDLE_GAME, ENDGAME)
    minimax = ("at depth 2", "at depth 4", "at depth 6")
    names = [
        *moves,
        "depth 1",
        "depth 2",
        *(f"{name}, position {number} of 2" for name in (*phases, *minimax) for number in (1, 2)),
        *robustness,
        "game 1 of 2",
        "game 2 of 2",
    ]
    assert list(dict.fromkeys(told)) == [(done, 30, name) for done, name in enumerate(names)]
    assert [each.name for each in report.checks] == [
        *(
            *moves,
            *phases,
            *minimax,
            REGRET,
            *robustness,
            "games against random",
            "beats random consistently",
            "pruning",
        )
    ]
    assert {each.group: each.name for each in report.checks} == {
        MOVES: "games against random",
        MINIMAX: "at depth 6",
        STRENGTH: "beats random consistently",
        ROBUSTNESS: "a truncated file",
        FINDINGS: "pruning",
    }
    assert {each.result for each in report.checks if each.name in (*phases, "games against random")} == {PASSED}
    assert [(speed.depth, speed.fault) for speed in report.speeds] == [(1, None), (2, None)]
    assert all(0 < speed.cpu_seconds < 10 for speed in report.speeds)
    assert 0 < report.seconds < 60
    assert report.games is not None
    assert (report.games.player, report.games.opponent, report.games.played) == ("honest", "random", 2)
    assert report.player == entered


def test_without_positions_and_games_the_report_leaves_them_out() -> None:
    report = check(player("honest"), deepest=0, positions=0)
    assert [each.name for each in report.checks] == [trial.name for trial in conformance_checks("max")]
    assert (report.strength, report.games) == (None, None)


def test_as_many_positions_and_depths_are_tried_as_are_usual(
    positions: Positions, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(conformance, "positions_with_scores", lambda count, game: with_scores(positions[:count]))
    monkeypatch.setattr(conformance, "Program", lambda player_spec, game: Thinking(game, {}))
    report = check(player("honest"), progress=lambda done, total, what: told.append(what))
    assert [speed.depth for speed in report.speeds] == [1, 2, 4, 6, 8]
    assert {f"{MIDDLE_GAME}, position 40 of 40", "in the endgame, position 22 of 22"} < set(told)
    assert report.strength is not None
    assert len(report.strength.regrets) == 40


class Thinking(Program):
    """A player in the middle that takes no time, but says that it takes some at certain depths, or fails there."""

    def __init__(self, game: str, seconds: dict[int, float | str]) -> None:
        super().__init__(player("honest"), game)
        self.seconds = seconds

    def move(self, board: Board, *, position: str | None = None, depth: int | None = None) -> MoveResult:
        column = min(board.columns(), key=lambda column: abs(column - 4))
        took = self.seconds.get(depth or 0, 0.01)
        if isinstance(took, str):
            return MoveResult(None, Fault(took, RED, 1, "oh"), (), 0.5)
        return MoveResult(column, None, (), took)


def test_a_fast_program_is_measured_at_greater_depths_for_its_pruning(monkeypatch: pytest.MonkeyPatch) -> None:
    by_depth: dict[int, float | str] = {4: 0.02, 6: 0.1, 8: 0.9}
    monkeypatch.setattr(conformance, "Program", lambda player_spec, game: Thinking(game, by_depth))
    report = check(player("honest"), deepest=4, positions=0)
    assert [speed.depth for speed in report.speeds] == [1, 2, 4]
    assert report.pruning is not None
    assert (report.pruning.conclusion, report.pruning.depths) == ("prunes", (6, 8))


@pytest.mark.parametrize(
    ("seconds", "speeds"),
    [
        ({4: 5.0}, [Speed(1, 0.01), Speed(2, 0.01), Speed(4, 5.0), Speed(6, 0.01)]),
        ({4: 5.1}, [Speed(1, 0.01), Speed(2, 0.01), Speed(4, 5.1)]),
        ({2: "crash"}, [Speed(1, 0.01), Speed(2, 0.5, "crash")]),
    ],
)
def test_no_deeper_search_is_tried_after_a_slow_one(
    seconds: dict[int, float | str], speeds: list[Speed], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, int, str]] = []
    monkeypatch.setattr(conformance, "Program", lambda player_spec, game: Thinking(game, seconds))
    report = check(player("honest"), deepest=6, positions=1, progress=lambda *now: told.append(now))
    assert list(report.speeds) == speeds
    assert (11, 24, f"{OPENING}, position 1 of 1") in told  # those that were left out count as done


def test_notes_on_positions_and_games_are_those_of_the_program(tmp_path: Path) -> None:
    failing = script(tmp_path, f'{command_line("honest")} "$@"; exit 3')
    entered = player_spec([str(failing)], limits=PATIENT)
    report = check(entered, deepest=0, positions=3, setups=late(baseline_games(entered, player("honest"), games=2)))
    by_name = {each.name: each for each in report.checks}
    positions, games = by_name[MIDDLE_GAME], by_name["games against honest"]
    assert (positions.notes, games.notes) == (("exit code",) * 3, ("exit code",) * 6)
    assert (positions.result, games.result) == (PASSED, PASSED)
    assert report.games is not None
    assert report.games.faults == 0


def test_a_fault_in_a_position_is_stored_with_its_evidence(tmp_path: Path) -> None:
    late = f"""[ $(tr -dc 0 <"$2" | wc -c) = 28 ] && echo oh && exit 1; exec {command_line("honest")} "$@" """
    report = check(player_spec([str(script(tmp_path, late))], limits=PATIENT), deepest=0, positions=4)
    found = next(each for each in report.checks if each.name == MIDDLE_GAME)
    detail = "1 of 4 positions without a legal move; first fault: crash: it ended with exit status 1"
    assert (found.group, found.result, found.detail, found.printed) == (MOVES, FAILED, detail, "oh\n")
    assert (found.fault, found.depth, (found.input or "").count("0")) == ("crash", 6, 28)
    assert report.strength is not None
    assert len(report.strength.regrets) == 3


def test_a_fault_of_the_opponent_is_not_charged_to_the_program() -> None:
    entered = player("honest")
    report = check(entered, deepest=0, positions=0, setups=baseline_games(entered, player("crasher"), games=2))
    assert report.games is not None
    assert (report.games.wins, report.games.faults) == (2, 0)
    legal = next(each for each in report.checks if each.name == "games against crasher")
    assert (legal.group, legal.result) == (MOVES, PASSED)


def test_a_program_that_makes_no_move_is_asked_for_nothing_more() -> None:
    told: list[str] = []
    entered = player("crasher")
    report = check(
        entered,
        deepest=2,
        positions=2,
        setups=baseline_games(entered, games=2),
        progress=lambda done, total, what: told.append(what),
    )
    assert told == [trial.name for trial in conformance_checks("max") if trial.group == MOVES]
    assert (report.speeds, report.strength) == ((), None)
    assert {each.detail for each in report.checks[7:]} == {"skipped, because the program made no move"}
    assert [each.name for each in report.checks[7:11]] == [OPENING, MIDDLE_GAME, ENDGAME, "at depth 2"]
    assert (report.moves, report.minimax, report.pruning) == ((), (), None)
    assert sum(earned for _, earned, _ in report.points()) == 0


def test_positions_have_from_14_to_30_plies_in_turn_and_never_change(positions: Positions) -> None:
    boards = [board for board, _ in positions[:18]]
    assert [board.pieces() for board in boards] == [*range(14, 31), 14]
    assert [board.moves for board in boards[:2]] == ["14471254646665", "251646552277674"]


@pytest.mark.parametrize(
    ("slowly", "fault"),
    [("sleep 1000", "time-out"), pytest.param("while :; do :; done", "CPU time-out", marks=pytest.mark.long)],
)
def test_time_outs_in_the_middle_of_games_count_too(tmp_path: Path, slowly: str, fault: str) -> None:
    slow = f"""case $(tr -dc 0 <"$2" | wc -c) in 28|27|6) {slowly}; esac
exec {command_line("honest")} "$@" """
    limits = replace(PATIENT, seconds=2 if fault == "time-out" else 60, cpu_seconds=1)
    report = check(player_spec([str(script(tmp_path, slow))], limits=limits), deepest=2, positions=10)
    one_column, middles = [each for each in report.checks if each.fault == fault]
    assert one_column.detail.startswith(f"{fault}: ")
    assert middles.detail.startswith(
        f"2 of the first 2 positions without a legal move, the others are skipped; first fault: {fault}: "
    )
    rest = [each for each in report.checks if each.group == ROBUSTNESS]
    assert {each.detail for each in rest} == {"skipped, because the program exceeded its time limit three times"}
    assert len(report.speeds) == 2


def test_three_moves_that_take_too_much_cpu_time_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "Program", lambda player_spec, game: Thinking(game, {0: "CPU time-out"}))
    report = check(player("honest"), deepest=0, positions=10)
    assert [each.fault for each in report.checks[:3]] == ["CPU time-out"] * 3
    assert {each.detail for each in report.checks[3:]} == {
        "skipped, because the program exceeded its time limit three times"
    }


def test_no_more_positions_are_tried_after_three_faults(tmp_path: Path) -> None:
    early = f"""[ $(tr -dc 0 <"$2" | wc -c) -gt 26 ] && exec {command_line("honest")} "$@"; exit 1"""
    report = check(player_spec([str(script(tmp_path, early))], limits=PATIENT), deepest=0, positions=10)
    found = next(each for each in report.checks if each.name == MIDDLE_GAME)
    assert found.detail == (
        "3 of the first 5 positions without a legal move, the others are skipped; "
        "first fault: crash: it ended with exit status 1"
    )
    assert (found.group, found.result, found.fault) == (MOVES, FAILED, "crash")


def test_the_positions_are_fixed_and_distinguish_moves(positions: Positions) -> None:
    first, again = positions[:20], scored(20)
    assert [(str(board), scores) for board, scores in first] == [(str(board), scores) for board, scores in again]
    solver = Solver(16 << 20, 1)
    for board, scores in first:
        assert 14 <= board.pieces() <= 30
        assert list(scores) == board.columns()
        assert min(scores.values()) < max(scores.values()) == solver.analyse(board, only_value=True).value


def test_the_regret_of_the_moves_is_measured(positions: Positions) -> None:
    report = check(player("honest"), deepest=0, positions=5)
    assert report.speeds == ()
    lost = []
    for board, scores in positions[:5]:
        column = min(board.columns(), key=lambda column: (abs(column - 4), column))
        lost.append(max(scores.values()) - scores[column])
    assert report.strength is not None
    assert list(report.strength.regrets) == lost
    assert report.strength.regret.mean == sum(lost) / 5


def test_the_speed_is_measured_at_depth_1_and_the_even_ones() -> None:
    assert [depths_up_to(deepest) for deepest in (0, 1, 2, 7)] == [[], [1], [1, 2], [1, 2, 4, 6]]


def test_moves_of_the_classic_game_are_compared_with_its_solver() -> None:
    solver = Solver(threads=1)
    for board, scores in scored(10, "classic"):
        assert not board.is_over()
        found = solver.analyse(board, line=False).scores
        assert found is not None
        assert scores == {column: score for column, score in enumerate(found, 1) if score is not None}
        assert len(set(scores.values())) > 1
    strength = check(player("honest"), deepest=0, positions=10, game="classic").strength
    assert strength is not None
    assert strength.kept is not None
    kept = 0
    for board, scores in scored(10, "classic"):
        best, made = max(scores.values()), scores[min(board.columns(), key=lambda column: (abs(column - 4), column))]
        kept += (best > 0, best < 0) == (made > 0, made < 0)
    assert 0 < strength.regrets.count(0) <= kept < 10
    assert strength.kept == kept
    assert strength.kept_share == strength.kept / 10


@pytest.mark.parametrize(
    ("best", "made", "kept"), [(2, 1, 1), (1, 0, 0), (0, 0, 1), (0, -1, 0), (-1, -2, 1), (1, -1, 0), (18, 1, 1)]
)
def test_a_move_that_keeps_a_win_a_win_and_a_draw_a_draw_keeps_the_result(
    best: int, made: int, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [Position(Board("classic"), (None, None, best, made, None, None, None))]
    monkeypatch.setattr(conformance, "positions_with_scores", lambda count, game: found[:count])
    monkeypatch.setattr(conformance, "Program", lambda player_spec, game: Thinking(game, {}))
    strength = check(player("honest"), deepest=0, positions=1, game="classic").strength
    assert strength is not None
    assert (strength.regrets, strength.kept) == ((best - made,), kept)


def test_games_of_the_classic_game_have_no_points() -> None:
    entered = player("honest")
    report = check(
        entered, deepest=0, positions=0, setups=baseline_games(entered, games=2, game="classic"), game="classic"
    )
    assert report.games is not None
    assert (report.games.played, report.games.points) == (2, None)
    assert report.games.summary_text().endswith("in 2 games")
