"""The things that a program is tried on, and what comes of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from foreign import PATIENT, QUICK, player, script

from maxconnect4 import board_from_moves
from maxconnect4.referee import trials
from maxconnect4.referee.entrants import entrant
from maxconnect4.referee.programs.program import Attempt, Program
from maxconnect4.referee.trials import (
    FAILED,
    MOVES,
    NOTED,
    PASSED,
    ROBUSTNESS,
    SIX_COLUMNS,
    Check,
    Trial,
    result_with,
    trials_of,
    tried,
)

TRIALS = trials_of("max")
FULL = SIX_COLUMNS["max"] + "111111"


def named(name: str, game: str = "max") -> Trial:
    """One of the trials."""
    return next(trial for trial in trials_of(game) if trial.name == name)


def program(folder: Path, orders: str) -> Program:
    """A program that obeys some orders."""
    return Program(entrant([str(script(folder, orders))], limits=PATIENT))


def test_these_are_tried() -> None:
    assert [(trial.group, trial.name, trial.expected, len(trial.moves or "")) for trial in trials_of("classic")] == [
        ("Legal moves", "from the empty board, as red", "move", 0),
        ("Legal moves", "after the first drop, as green", "move", 1),
        ("Legal moves", "in the middle of the game, as red", "move", 16),
        ("Legal moves", "in the middle of the game, as green", "move", 17),
        ("Legal moves", "with the middle column full", "move", 6),
        ("Legal moves", "with one column left", "move", 36),
        ("Legal moves", "with one cell left, as green", "move", 41),
        ("Robustness", "from a file with CR LF at the ends of its lines", "move", 16),
        ("Robustness", "from a file without a newline at its end", "move", 16),
        ("Robustness", "depth 0", "move", 16),
        ("Robustness", "a full board", "nothing", 42),
        ("Robustness", "a game that is won", "nothing", 7),
        ("Robustness", "a file that is missing", "refusal", 0),
        ("Robustness", "a file with a letter in it", "refusal", 0),
        ("Robustness", "a file that ends too early", "refusal", 0),
    ]
    assert [trial.name for trial in TRIALS] == [trial.name for trial in trials_of("classic") if "won" not in trial.name]
    assert {trial.depth for trial in TRIALS} == {None, 0}
    assert (PASSED, FAILED, NOTED) == ("passed", "failed", "noted")


@pytest.mark.parametrize("game", ["max", "classic"])
def test_the_positions_are_what_their_names_say(game: str) -> None:
    def columns(name: str) -> list[int]:
        return board_from_moves(named(name, game).moves or "", game).columns()

    assert columns("with the middle column full") == [1, 2, 3, 5, 6, 7]
    assert columns("with one column left") == columns("with one cell left, as green") == [1]
    assert board_from_moves(named("a full board", game).moves or "", game).is_full()
    assert board_from_moves(trials.WON, "classic").winner() == 1


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("after the first drop, as green", b"0000000\n" * 5 + b"0001000\n2\n"),
        ("a file with a letter in it", b"0000000\n0000000\n000x000\n0000000\n0000000\n0000000\n1\n"),
        ("a file that ends too early", b"0000000\n0000000\n"),
        ("a full board", b"2222222\n1111111\n" * 3 + b"1\n"),
    ],
)
def test_files_reach_the_program_to_the_letter(name: str, data: bytes, tmp_path: Path) -> None:
    tried(program(tmp_path, f'cp "$2" {tmp_path}/input'), named(name))
    assert (tmp_path / "input").read_bytes() == data


def test_the_depth_is_that_of_the_trial_or_of_the_entrant(tmp_path: Path) -> None:
    asked = replace(program(tmp_path, f'echo "$4" >>{tmp_path}/depths').entrant, depth=3)
    for name in ("depth 0", "from the empty board, as red", "a full board"):
        tried(Program(asked), named(name))
    assert (tmp_path / "depths").read_text() == "0\n3\n3\n"


@pytest.mark.parametrize(
    ("name", "side"),
    [("after the first drop, as green", "2"), ("a full board", "1"), ("a file that is missing", "1")],
)
def test_a_program_is_told_whose_turn_it_is(name: str, side: str, tmp_path: Path) -> None:
    path = script(tmp_path, f'echo "$1" >{tmp_path}/player')
    tried(Program(entrant([str(path), "{player}", "{in}", "{out}"], limits=PATIENT)), named(name))
    assert (tmp_path / "player").read_text() == f"{side}\n"


def test_a_legal_move_is_told_with_its_time() -> None:
    found = tried(Program(player("honest")), named("with the middle column full"))
    assert (found.group, found.name, found.result, found.fault, found.notes, found.printed) == (
        *(MOVES, "with the middle column full", PASSED, None, (), ""),
    )
    assert found.detail.startswith("column 3, 0.")
    assert found.detail.endswith(" s of CPU time")
    assert len(found.detail) == len("column 3, 0.01 s of CPU time")


def test_a_note_is_kept_and_counts_unless_it_is_on_how_a_move_is_written(tmp_path: Path) -> None:
    found = tried(Program(player("failing")), named("depth 0"))
    assert (found.result, found.notes) == (PASSED, ("exit code",))
    assert result_with(("exit code", "blanks")) == PASSED
    assert result_with(("exit code", "signal")) == NOTED
    assert result_with(()) == PASSED


@pytest.mark.parametrize(
    ("name", "result"),
    [("with one column left", FAILED), ("depth 0", NOTED), ("from a file without a newline at its end", NOTED)],
)
def test_a_fault_is_told_with_what_was_printed(name: str, result: str, tmp_path: Path) -> None:
    found = tried(program(tmp_path, "echo oh; exit 3"), named(name))
    group = MOVES if result == FAILED else ROBUSTNESS
    assert found == Check(group, name, result, "crash: it ended with exit code 3", "oh\n", "crash")


@pytest.mark.parametrize(
    ("orders", "name", "detail"),
    [
        ("exit 3", "a full board", "it wrote nothing and ended with exit code 3"),
        ("exit 0", "a full board", "it wrote nothing and ended with exit code 0"),
        ("exit 1", "a file that is missing", "it wrote nothing and ended with exit code 1"),
    ],
)
def test_what_goes_well_is_told_too(orders: str, name: str, detail: str, tmp_path: Path) -> None:
    found = tried(program(tmp_path, f"echo oh; {orders}"), named(name))
    assert found == Check(ROBUSTNESS, name, PASSED, detail)


@pytest.mark.parametrize(
    ("orders", "name", "detail"),
    [
        ("exit 0", "a file that is missing", "it ended with exit code 0, as if all were well"),
        ("kill -9 $$", "a file that is missing", "it was ended by signal SIGKILL"),
        ("kill -9 $$", "a full board", "it was ended by signal SIGKILL"),
        ('echo x >"$3"', "a full board", "it wrote an output file"),
        (
            'echo x >"$3"; exit 0',
            "a file with a letter in it",
            "it wrote an output file; it ended with exit code 0, as if all were well",
        ),
        (
            ': >"$3"; kill -9 $$',
            "a file that ends too early",
            "it wrote an output file, which is empty; it was ended by signal SIGKILL",
        ),
    ],
)
def test_what_does_not_is_told_with_what_was_printed(orders: str, name: str, detail: str, tmp_path: Path) -> None:
    found = tried(program(tmp_path, f"echo oh; {orders}"), named(name))
    assert found == Check(ROBUSTNESS, name, NOTED, detail, "oh\n")


@pytest.mark.parametrize(
    ("orders", "words"),
    [
        ('cp "$2" "$3"', "it wrote an output file, which is the same board"),
        ('tail -n 6 "$2" >"$3"', "it wrote an output file"),
    ],
)
def test_what_is_written_for_a_game_that_is_won_is_told(orders: str, words: str, tmp_path: Path) -> None:
    classic = Program(program(tmp_path, orders).entrant, "classic")
    assert tried(classic, named("a game that is won", "classic")).detail == words


@pytest.mark.parametrize("name", ["depth 0", "a full board", "a file that is missing"])
def test_a_program_that_does_not_run_or_prints_without_end_fails_everywhere(name: str, tmp_path: Path) -> None:
    path = script(tmp_path, "")
    path.write_text("#!/no/such/interpreter\n")
    found = tried(Program(entrant([str(path)], limits=PATIENT)), named(name))
    assert (found.result, found.fault, found.detail[:14]) == (FAILED, "cannot start", "cannot start: ")
    flooding = Program(entrant([str(script(tmp_path, "yes"))], limits=replace(PATIENT, printed=2_000)))
    found = tried(flooding, named(name))
    assert (found.result, found.fault, found.printed[:4]) == (FAILED, "printed too much", "y\ny\n")
    assert found.detail.startswith("printed too much: ")


def test_where_there_is_nothing_to_do_ten_seconds_are_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    class Watched(Program):
        def attempt(self, data: bytes | None, player: int, depth: int | None = None) -> Attempt:
            given.append(self.entrant.limits.seconds)
            return super().attempt(data, player, depth)

    monkeypatch.setattr(trials, "Program", Watched)
    entered = program(tmp_path, "exit 1").entrant
    for seconds in (60, 3):
        tried(Program(replace(entered, limits=replace(PATIENT, seconds=seconds))), named("a full board"))
    assert given == [10, 3]


def test_a_program_that_does_not_end_fails_also_where_it_has_nothing_to_do(tmp_path: Path) -> None:
    sleeping = Program(player("sleeper", limits=QUICK, PIDS=str(tmp_path / "pids")))
    full = next(trial for trial in TRIALS if trial.moves == FULL)
    depth_0 = next(trial for trial in TRIALS if trial.depth == 0)
    assert tried(sleeping, depth_0).result == FAILED
    idle = Program(replace(program(tmp_path, "sleep 1000").entrant, limits=QUICK))
    found = tried(idle, full)
    assert (found.group, found.result, found.detail) == (ROBUSTNESS, FAILED, "time-out: it had not ended after 1 s")


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
    found = [tried(obeying, trial) for trial in TRIALS if trial.expected == expected]
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
def test_what_is_written_for_a_full_board_is_told(orders: str, words: str, tmp_path: Path) -> None:
    obeying = program(tmp_path, orders)
    assert tried(obeying, next(trial for trial in TRIALS if trial.moves == FULL)).detail == words


def test_files_with_other_line_ends_reach_the_program_as_they_are(tmp_path: Path) -> None:
    copying = f'cp "$2" {tmp_path}/input'
    copier = program(tmp_path, copying)
    for trial in TRIALS:
        (tmp_path / "input").unlink(missing_ok=True)
        tried(copier, trial)
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
def test_moves_are_asked_for_where_the_game_goes_on_and_only_there(game: str) -> None:
    for trial in trials_of(game):
        if trial.text is None and trial.moves is not None:
            assert board_from_moves(trial.moves, game).is_over() == (trial.expected == "nothing"), trial.name
