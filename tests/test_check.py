from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from external_programs import PLAYERS, command_line, pids_in, player, script
from terminal import PROGRAM, Terminal, maxconnect4
from waiting import have_ended, until

from maxconnect4.referee.conformance import (
    FINDINGS,
    MINIMAX,
    MOVES,
    NOTED,
    PASSED,
    ROBUSTNESS,
    SIX_COLUMNS,
    STRENGTH,
    check,
    conformance_checks,
)
from maxconnect4.referee.move_validation import COSMETIC, NOTES

TRIALS = conformance_checks("max")
FULL = SIX_COLUMNS["max"] + "111111"
SHORT = ("--positions", "3", "--deepest", "2")


def results(report: str) -> dict[str, str]:
    """What each line with a mark says, by the mark's word."""
    lines = [line.split(maxsplit=1) for line in report.splitlines() if line.startswith("  ")]
    return {rest[0].partition(": ")[0]: mark for mark, *rest in lines if mark in ("ok", "note", "FAIL")}


def failing(folder: Path) -> Path:
    """A program that makes good moves and ends as if it had failed."""
    return script(folder, f'{command_line("honest")} "$@"; exit 3')


def test_the_program_itself_passes_every_check() -> None:
    ran = maxconnect4("check", "maxconnect4", *SHORT, env={**os.environ, "PATH": os.path.dirname(PROGRAM)})
    assert ran.returncode == 0, ran.stdout
    marks = results(ran.stdout)
    assert set(marks.values()) == {"ok"}
    assert len(marks) == len(TRIALS) + 8
    assert "depth  2" in ran.stdout
    assert "over 3 positions" in ran.stdout
    assert "\nNotes\n" not in ran.stdout
    assert ran.stdout.endswith("\n0 of 22 checks failed, 0 with a note: 100.0 of 100 points.\n")
    assert ran.stderr == ""


def test_a_program_without_legal_moves_fails_with_the_reason() -> None:
    ran = maxconnect4("check", command_line("crasher"), *SHORT)
    assert ran.returncode == 4
    assert "  FAIL  from the empty board, as red: crash: it was killed by signal SIGABRT\n" in ran.stdout
    assert "        | I am about to fall over\n" in ran.stdout
    assert "  FAIL  after the first move, as green: crash: the same\n" in ran.stdout
    assert ran.stdout.count("I am about to fall over") == 1
    assert "CPU time of a move" not in ran.stdout
    assert set(results(ran.stdout).values()) == {"FAIL"}
    assert "  FAIL  a full board: skipped, because the program made no move\n" in ran.stdout
    assert ran.stdout.endswith("\n21 of 21 checks failed, 0 with a note: 0.0 of 100 points.\n")


def test_nothing_that_a_program_prints_reaches_the_terminal_as_it_is() -> None:
    ran = maxconnect4("check", command_line("garbage"), "--positions", "0")
    assert ran.returncode == 4
    assert "\x1b" not in ran.stdout
    assert "\\x1b" in ran.stdout


def test_the_last_lines_that_are_not_blank_tell_why_it_failed(tmp_path: Path) -> None:
    program = script(tmp_path, "seq 1 100; pwd; echo; echo at 0x$$; echo The reason; echo; exit 1")
    ran = maxconnect4("check", program, "--positions", "2")
    evidence = [line for line in ran.stdout.splitlines() if line.startswith("        | ")]
    assert evidence[:3] == ["        | 98", "        | 99", "        | 100"]
    assert evidence[5:] == ["        | The reason"]  # and not again, though the folder and the number were others
    assert ran.stdout.count(": crash: the same\n") == 6


def test_different_failures_are_all_reported(tmp_path: Path) -> None:
    program = script(tmp_path, "cksum <$2 | cut -d' ' -f1; exit 1")
    ran = maxconnect4("check", program, "--positions", "0")
    assert ran.stdout.count("crash: it ended with exit status 1\n        | ") == 7


def test_a_repeated_failure_refers_to_the_first_one() -> None:
    ran = maxconnect4("check", command_line("traitor"), "--positions", "0")
    assert "  FAIL  with the middle column full: illegal move: the same as from the empty board, as red\n" in ran.stdout


def test_a_note_on_the_format_of_a_move_is_reported_once(tmp_path: Path) -> None:
    ran = maxconnect4("check", failing(tmp_path), *SHORT, "--isolation", "none")
    assert "  ok    from the empty board, as red: column 4, 0." in ran.stdout
    assert " s of CPU time\n" in ran.stdout
    moves = ran.stdout.count(" s of CPU time\n") + 3 * 3
    assert (
        f"\nNotes\n  exit code, {moves} times: The program wrote a legal move, but ended with an exit status"
        in ran.stdout
    )
    assert ran.stdout.count("exit code, ") == 1


def test_a_process_that_is_left_running_is_marked_where_it_was(tmp_path: Path) -> None:
    assert set(NOTES) > COSMETIC
    program = script(tmp_path, f'sleep 1000 & exec {command_line("honest")} "$@"')
    ran = maxconnect4("check", program, "--isolation", "none", *SHORT)
    assert "  note  from the empty board, as red: column 4, 0." in ran.stdout
    assert " s of CPU time (left processes running)\n" in ran.stdout
    assert "  note  in the middle game: all moves are legal, 3 positions (left processes running)\n" in ran.stdout


def test_a_program_that_reads_only_files_as_a_match_writes_them_does_not_fail(tmp_path: Path) -> None:
    picky = f"""case $(tail -c 2 "$2" | od -An -c | tr -d ' ') in [12]'\\n') ;; *) exit 1; esac
exec {command_line("honest")} "$@" """
    ran = maxconnect4("check", script(tmp_path, picky), "--isolation", "none", "--positions", "0", "--deepest", "1")
    assert ran.returncode == 0, ran.stdout
    marks = results(ran.stdout)
    names = [trial.name for trial in TRIALS if trial.line_end != "\n" or not trial.last_end]
    assert len(names) == 2
    assert [marks[name] for name in names] == ["note", "note"]
    assert ran.stdout.index("Robustness") < ran.stdout.index(names[0])


def test_after_three_time_outs_nothing_more_is_tried(tmp_path: Path) -> None:
    times = tmp_path / "times"
    program = script(tmp_path, f"echo >>{times}; sleep 1000")
    ran = maxconnect4("check", program, "--seconds", "1", "--isolation", "none", *SHORT)
    assert ran.returncode == 4
    assert times.read_text() == "\n" * 3
    assert set(results(ran.stdout).values()) == {"FAIL"}
    assert ran.stdout.count(": time-out: ") == 3
    assert ran.stdout.count(": skipped, because the program exceeded its time limit three times\n") == 18


def test_json_is_one_line_with_everything() -> None:
    ran = maxconnect4("check", f"name=ada {command_line('honest')}", *SHORT, "--json")
    assert ran.stdout.count("\n") == 1
    found = json.loads(ran.stdout)
    assert (found["name"], found["depth"], found["passed"], found["max_points"]) == ("ada", 6, False, 100)
    assert 0 < found["points"] < 100
    assert [each["group"] for each in found["checks"]] == [
        *([MOVES] * 10 + [MINIMAX] * 3 + [STRENGTH] + [ROBUSTNESS] * 7 + [FINDINGS])
    ]
    assert [(each["depth"], each["tried"]) for each in found["minimax"]] == [(2, 3), (4, 3), (6, 3)]
    wrong = next(each for each in found["checks"] if each["counterexample"])
    assert (wrong["group"], wrong["result"]) == (MINIMAX, "failed")
    assert wrong["input"] == wrong["counterexample"]["position"]
    assert found["pruning"]["conclusion"] in ("prunes", "unclear", "as plain minimax")
    assert found["notes"] == {}
    assert all(each["fault"] is None and each["notes"] == [] for each in found["checks"])
    assert [each["depth"] for each in found["speed"]] == [1, 2]
    assert found["strength"]["positions"] == 3


def test_json_has_the_faults_and_the_notes(tmp_path: Path) -> None:
    words = (*SHORT, "--isolation", "none", "--json")
    found = json.loads(maxconnect4("check", failing(tmp_path), *words).stdout)
    legal = [each for each in found["checks"] if each["group"] == MOVES]
    assert [(each["result"], each["notes"]) for each in legal] == [(PASSED, ["exit code"])] * 10
    assert found["notes"]["exit code"] >= 7 + 9
    found = json.loads(maxconnect4("check", script(tmp_path, "exit 1"), *words).stdout)
    assert [each["fault"] for each in found["checks"]] == ["crash"] * 7 + [None] * 14


def test_gradescope_gets_the_points_of_each_check(tmp_path: Path) -> None:
    searcher, copier = command_line("searcher"), script(tmp_path, 'cp "$2" "$3"')
    for command, score in ((searcher, 100), (command_line("honest"), 70), (copier, 0)):
        path = tmp_path / "results.json"
        ran = maxconnect4("check", command, *SHORT, "--depth", "2", "--isolation", "none", "--gradescope", path)
        assert ran.returncode == (0 if score == 100 else 4)
        found = json.loads(path.read_text())
        assert len(found["tests"]) == len(TRIALS) + 7
        assert found["score"] == pytest.approx(sum(test["score"] for test in found["tests"]), abs=0.1)
        assert found["score"] == pytest.approx(score, abs=15 if score == 70 else 0)
        assert sum(test["max_score"] for test in found["tests"]) == pytest.approx(100, abs=0.1)
        assert all(0 <= test["score"] <= test["max_score"] and test["output"] for test in found["tests"])
        assert isinstance(found["execution_time"], int)


def test_a_folder_and_limits_can_be_given(tmp_path: Path) -> None:
    (tmp_path / "the player").mkdir()
    (tmp_path / "the player" / "honest.sh").write_text((PLAYERS / "honest.sh").read_text())
    (tmp_path / "the player" / "chatty.sh").write_text('head -c 200000 /dev/zero; . ./honest.sh "$@"')
    words = ("--positions", "0", "--deepest", "1", "--folder", "the player", "--seconds", "50")
    ran = maxconnect4("check", "sh chatty.sh", *words, cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout
    assert ran.stdout.startswith("the player: ")
    assert "(printed much)" in ran.stdout
    small = maxconnect4("check", command_line("chatty"), "--memory", "1M", "--positions", "0")
    assert small.returncode == 4


def test_built_in_players_and_missing_programs_are_refused(tmp_path: Path) -> None:
    for words, message in (
        (["depth:6"], "'depth:6' is a built-in player"),
        (["no-such-program"], "no-such-program: program 'no-such-program' not found"),
        (["sh", "--folder", "nowhere"], "'nowhere' is not a folder"),
        ([command_line("honest"), "--gradescope", "no/where"], "no/where cannot be written"),
    ):
        ran = maxconnect4("check", *words, cwd=tmp_path)
        assert ran.returncode == (1 if "--gradescope" in words else 2)
        assert ran.stdout == ""
        assert ran.stderr.count("\n") == 1
        assert message in ran.stderr
    for words, message in (
        ([], "command is missing"),
        (["sh", "--depth", "x"], "--depth: 'x' is not"),
        (["sh", "--positions", "-1"], "--positions: '-1' is not"),
        (["sh", "more"], "unexpected argument 'more'"),
    ):
        ran = maxconnect4("check", *words, cwd=tmp_path)
        assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
        assert message in ran.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.long)])
def test_a_signal_ends_the_program_that_is_being_checked_too(number: signal.Signals, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    command = script(tmp_path, f"setsid sleep 1000 & first=$!; sleep 1000 & echo $$ $first $! >{pids}; wait")
    (tmp_path / "temporary").mkdir()
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    words = [PROGRAM, "check", str(command), "--isolation", "none"]
    with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE) as process:
        until(lambda: pids.exists() and pids.read_text())
        process.send_signal(number)
        assert process.wait(30) == 128 + number
    assert len(pids_in(pids)) == 3
    assert have_ended(pids_in(pids), within=5)
    assert os.listdir(tmp_path / "temporary") == []


def test_a_terminal_shows_how_far_it_is() -> None:
    terminal = Terminal("check", command_line("honest"), "--positions", "0", "--deepest", "1", "--isolation", "none")
    terminal.wait_for("━")
    terminal.wait_for("checks failed")
    assert terminal.close() == 0


# The classic game


def test_a_player_of_the_classic_game_is_checked_in_it() -> None:
    command = f"{PROGRAM} one-move {{in}} {{out}} {{depth}} --game {{game}}"
    ran = maxconnect4("check", command, "--game", "classic", "--positions", "0", "--deepest", "1")
    assert ran.returncode == 0, ran.stdout
    assert "--game {game}, in the classic game" in ran.stdout
    assert results(ran.stdout) == {trial.name: "ok" for trial in conformance_checks("classic")}
    careless = check(player("honest"), deepest=0, positions=0, game="classic")
    (wrong,) = (each for each in careless.checks if each.name == "a won game")
    assert (wrong.result, wrong.detail) == (NOTED, "it wrote an output file")
