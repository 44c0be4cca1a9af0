"""The things that a program is tried on, and what comes of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from external_programs import PATIENT, QUICK, player, script

from maxconnect4 import board_from_moves
from maxconnect4.referee import conformance
from maxconnect4.referee.conformance import (
    FAILED,
    MOVES,
    NOTED,
    PASSED,
    ROBUSTNESS,
    SIX_COLUMNS,
    CheckResult,
    ConformanceCheck,
    conformance_checks,
    result_with,
    run_check,
)
from maxconnect4.referee.players import player_spec
from maxconnect4.referee.program import Program, ProgramRun

TRIALS = conformance_checks("max")
FULL = SIX_COLUMNS["max"] + "111111"


def named(name: str, game: str = "max") -> ConformanceCheck:
    """One of the trials."""
    return next(trial for trial in conformance_checks(game) if trial.name == name)


def program(folder: Path, orders: str) -> Program:
    """A program that obeys some orders."""
    return Program(player_spec([str(script(folder, orders))], limits=PATIENT))


def test_the_checks_of_the_classic_game_are_listed() -> None:
    assert [
        (trial.group, trial.name, trial.expected, len(trial.moves or "")) for trial in conformance_checks("classic")
    ] == [
        ("Legal moves", "from the empty board, as red", "move", 0),
        ("Legal moves", "after the first move, as green", "move", 1),
        ("Legal moves", "in the middle of the game, as red", "move", 16),
        ("Legal moves", "in the middle of the game, as green", "move", 17),
        ("Legal moves", "with the middle column full", "move", 6),
        ("Legal moves", "with one open column", "move", 36),
        ("Legal moves", "with one empty cell, as green", "move", 41),
        ("Robustness", "from a file with CR LF line ends", "move", 16),
        ("Robustness", "from a file without a newline at the end", "move", 16),
        ("Robustness", "depth 0", "move", 16),
        ("Robustness", "a full board", "nothing", 42),
        ("Robustness", "a won game", "nothing", 7),
        ("Robustness", "a missing file", "start", 0),
        ("Robustness", "a file with a letter", "refusal", 0),
        ("Robustness", "a truncated file", "refusal", 0),
    ]
    assert [trial.name for trial in TRIALS] == [
        trial.name for trial in conformance_checks("classic") if "won" not in trial.name
    ]
    assert {trial.depth for trial in TRIALS} == {None, 0}
    assert (PASSED, FAILED, NOTED) == ("passed", "failed", "noted")


@pytest.mark.parametrize("game", ["max", "classic"])
def test_the_positions_are_what_their_names_say(game: str) -> None:
    def columns(name: str) -> list[int]:
        return board_from_moves(named(name, game).moves or "", game).columns()

    assert columns("with the middle column full") == [1, 2, 3, 5, 6, 7]
    assert columns("with one open column") == columns("with one empty cell, as green") == [1]
    assert board_from_moves(named("a full board", game).moves or "", game).is_full()
    assert board_from_moves(conformance.WON, "classic").winner() == 1


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("after the first move, as green", b"0000000\n" * 5 + b"0001000\n2\n"),
        ("a file with a letter", b"0000000\n0000000\n000x000\n0000000\n0000000\n0000000\n1\n"),
        ("a truncated file", b"0000000\n0000000\n"),
        ("a full board", b"2222222\n1111111\n" * 3 + b"1\n"),
    ],
)
def test_files_reach_the_program_to_the_letter(name: str, data: bytes, tmp_path: Path) -> None:
    run_check(program(tmp_path, f'cp "$2" {tmp_path}/input'), named(name))
    assert (tmp_path / "input").read_bytes() == data


def test_the_depth_is_that_of_the_plan_or_of_the_player(tmp_path: Path) -> None:
    asked = replace(program(tmp_path, f'echo "$4" >>{tmp_path}/depths').player, depth=3)
    for name in ("depth 0", "from the empty board, as red", "a full board"):
        run_check(Program(asked), named(name))
    assert (tmp_path / "depths").read_text() == "0\n3\n3\n"


@pytest.mark.parametrize(
    ("name", "side"), [("after the first move, as green", "2"), ("a full board", "1"), ("a missing file", "1")]
)
def test_the_position_file_names_the_player_to_move(name: str, side: str, tmp_path: Path) -> None:
    path = script(tmp_path, f'echo "$1" >{tmp_path}/player')
    run_check(Program(player_spec([str(path), "{player}", "{in}", "{out}"], limits=PATIENT)), named(name))
    assert (tmp_path / "player").read_text() == f"{side}\n"


def test_a_legal_move_is_reported_with_its_time() -> None:
    found = run_check(Program(player("honest")), named("with the middle column full"))
    assert (found.group, found.name, found.result, found.fault, found.notes, found.printed) == (
        *(MOVES, "with the middle column full", PASSED, None, (), ""),
    )
    assert found.detail.startswith("column 3, 0.")
    assert found.detail.endswith(" s of CPU time")
    assert len(found.detail) == len("column 3, 0.01 s of CPU time")


def test_a_note_is_recorded_and_counts_unless_it_is_cosmetic(tmp_path: Path) -> None:
    found = run_check(Program(player("failing")), named("depth 0"))
    assert (found.result, found.notes) == (PASSED, ("exit code",))
    assert result_with(("exit code", "blanks")) == PASSED
    assert result_with(("exit code", "signal")) == NOTED
    assert result_with(()) == PASSED


@pytest.mark.parametrize(
    ("name", "result"),
    [("with one open column", FAILED), ("depth 0", NOTED), ("from a file without a newline at the end", NOTED)],
)
def test_a_fault_is_reported_with_the_output_of_the_program(name: str, result: str, tmp_path: Path) -> None:
    found = run_check(program(tmp_path, "echo oh; exit 3"), named(name))
    group = MOVES if result == FAILED else ROBUSTNESS
    shown = (found.group, found.result, found.detail, found.printed, found.fault)
    assert shown == (group, result, "crash: it ended with exit status 3", "oh\n", "crash")
    assert found.input is not None
    assert found.input.count("\n") == (6 if "newline" in name else 7)
    assert found.depth == (0 if name == "depth 0" else 6)


FIRST_MOVE = r"0000000\n" * 5 + r"0001000\n2\n"


@pytest.mark.parametrize(
    ("orders", "name", "detail"),
    [
        ("exit 3", "a full board", "it wrote nothing and ended with exit status 3"),
        ("exit 0", "a full board", "it wrote nothing and ended with exit status 0"),
        ("exit 1", "a missing file", "it wrote nothing and ended with exit status 1"),
        (f'printf "{FIRST_MOVE}" >"$3"', "a missing file", "column 4, from the empty board"),
    ],
)
def test_a_passed_check_is_reported(orders: str, name: str, detail: str, tmp_path: Path) -> None:
    found = run_check(program(tmp_path, f"echo oh; {orders}"), named(name))
    assert found == CheckResult(ROBUSTNESS, name, PASSED, detail)


@pytest.mark.parametrize(
    ("orders", "name", "detail"),
    [
        ("exit 0", "a missing file", "it ended with exit status 0, which means success"),
        ("kill -9 $$", "a missing file", "it was killed by signal SIGKILL"),
        (f'printf "{FIRST_MOVE}" >"$3"; exit 1', "a missing file", "it wrote an output file"),
        ("kill -9 $$", "a full board", "it was killed by signal SIGKILL"),
        ('echo x >"$3"', "a full board", "it wrote an output file"),
        (
            'echo x >"$3"; exit 0',
            "a file with a letter",
            "it wrote an output file; it ended with exit status 0, which means success",
        ),
        (
            ': >"$3"; kill -9 $$',
            "a truncated file",
            "it wrote an output file, which is empty; it was killed by signal SIGKILL",
        ),
    ],
)
def test_a_failed_check_is_reported_with_the_output_of_the_program(
    orders: str, name: str, detail: str, tmp_path: Path
) -> None:
    found = run_check(program(tmp_path, f"echo oh; {orders}"), named(name))
    assert found == CheckResult(ROBUSTNESS, name, NOTED, detail, "oh\n")


@pytest.mark.parametrize(
    ("orders", "words"),
    [
        ('cp "$2" "$3"', "it wrote an output file, which is the same board"),
        ('tail -n 6 "$2" >"$3"', "it wrote an output file"),
    ],
)
def test_an_output_for_a_won_game_is_reported(orders: str, words: str, tmp_path: Path) -> None:
    classic = Program(program(tmp_path, orders).player, "classic")
    assert run_check(classic, named("a won game", "classic")).detail == words


@pytest.mark.parametrize("name", ["with one open column", "a full board", "a missing file"])
def test_a_program_that_does_not_run_or_prints_without_end_fails_everywhere(name: str, tmp_path: Path) -> None:
    path = script(tmp_path, "")
    path.write_text("#!/no/such/interpreter\n")
    found = run_check(Program(player_spec([str(path)], limits=PATIENT)), named(name))
    assert (found.result, found.fault, found.detail[:14]) == (FAILED, "cannot start", "cannot start: ")
    flooding = Program(player_spec([str(script(tmp_path, "yes"))], limits=replace(PATIENT, printed=2_000)))
    found = run_check(flooding, named(name))
    assert (found.result, found.fault, found.printed[:4]) == (FAILED, "printed too much", "y\ny\n")
    assert found.detail.startswith("printed too much: ")


def test_where_there_is_nothing_to_do_ten_seconds_are_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    class Watched(Program):
        def run(self, data: bytes | None, player: int, depth: int | None = None) -> ProgramRun:
            given.append(self.player.limits.seconds)
            return super().run(data, player, depth)

    monkeypatch.setattr(conformance, "Program", Watched)
    entered = program(tmp_path, "exit 1").player
    for seconds in (60, 3):
        run_check(Program(replace(entered, limits=replace(PATIENT, seconds=seconds))), named("a full board"))
    assert given == [10, 3]


def test_a_program_that_does_not_end_fails_also_where_it_has_nothing_to_do(tmp_path: Path) -> None:
    sleeping = Program(player("sleeper", limits=QUICK, PIDS=str(tmp_path / "pids")))
    full = next(trial for trial in TRIALS if trial.moves == FULL)
    depth_0 = next(trial for trial in TRIALS if trial.depth == 0)
    at_depth_0 = run_check(sleeping, depth_0)  # which never occurs in a match
    assert (at_depth_0.result, at_depth_0.fault) == (NOTED, "time-out")
    idle = Program(replace(program(tmp_path, "sleep 1000").player, limits=QUICK))
    found = run_check(idle, full)
    assert (found.group, found.result, found.fault) == (ROBUSTNESS, FAILED, "time-out")


@pytest.mark.parametrize(
    ("orders", "expected", "result"),
    [
        ("exit 0", "nothing", PASSED),
        ("exit 1", "nothing", PASSED),
        ('cp "$2" "$3"', "nothing", NOTED),
        ('mkdir "$3"', "nothing", NOTED),
        ("kill -SEGV $$", "nothing", NOTED),
        ("exit 1", "refusal", PASSED),
        ("exit 0", "refusal", NOTED),
        ('echo >"$3"; exit 1', "refusal", NOTED),
        ("kill -SEGV $$", "refusal", NOTED),
    ],
)
def test_other_files_should_be_left_or_refused(orders: str, expected: str, result: str, tmp_path: Path) -> None:
    obeying = program(tmp_path, orders)
    found = [run_check(obeying, trial) for trial in TRIALS if trial.expected == expected]
    assert {(each.group, each.result) for each in found} == {(ROBUSTNESS, result)}, found


@pytest.mark.parametrize(
    ("orders", "words"),
    [
        (': >"$3"', "it wrote an output file, which is empty"),
        ('cp "$2" "$3"', "it wrote an output file, which is the full board"),
        ('head -n 6 "$2" | tr "\\n" "\\r" >"$3"', "it wrote an output file, which is the full board"),
        ('tr 1 2 <"$2" >"$3"', "it wrote an output file"),
        ('mkdir "$3"', "it wrote an output file"),
        ('cp "$2" "$3"; head -c 100000 /dev/zero >>"$3"', "it wrote an output file"),
    ],
)
def test_an_output_for_a_full_board_is_reported(orders: str, words: str, tmp_path: Path) -> None:
    obeying = program(tmp_path, orders)
    assert run_check(obeying, next(trial for trial in TRIALS if trial.moves == FULL)).detail == words


def test_files_with_other_line_ends_reach_the_program_as_they_are(tmp_path: Path) -> None:
    copying = f'cp "$2" {tmp_path}/input'
    copier = program(tmp_path, copying)
    for trial in TRIALS:
        (tmp_path / "input").unlink(missing_ok=True)
        run_check(copier, trial)
        there = tmp_path / "input"
        data = there.read_bytes() if there.exists() else None
        assert (data is None) == (trial.moves is None)
        if data is not None:
            assert (b"\r\n" in data) == (trial.line_end == "\r\n")
            assert data.endswith(b"\n") == trial.last_end


def test_moves_of_both_colours_and_of_every_stage_are_tried() -> None:
    boards = [len(trial.moves or "") for trial in TRIALS if trial.expected == "move"]
    assert {0, 1, 36, 41} < set(boards)
    assert {plies % 2 for plies in boards if 10 < plies < 30} == {0, 1}


@pytest.mark.parametrize("game", ["max", "classic"])
def test_moves_are_requested_only_in_unfinished_games(game: str) -> None:
    for trial in conformance_checks(game):
        if trial.text is None and trial.moves is not None:
            assert board_from_moves(trial.moves, game).is_over() == (trial.expected == "nothing"), trial.name
