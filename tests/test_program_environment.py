"""The environment of external programs: disk space, memory, and the processes that run them."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from disks import small_disk
from external_programs import PATIENT, pids_in, player, script
from waiting import have_ended

from maxconnect4.board import RED
from maxconnect4.errors import CannotSave
from maxconnect4.notation import board_from_moves
from maxconnect4.referee import program as program_module
from maxconnect4.referee import sandbox
from maxconnect4.referee.players import player_spec
from maxconnect4.referee.program import Program, ProgramRun

BOARD = board_from_moves("44535")  # green is to move, and the honest player drops into column 4


pytest_plugins = ["scratch_folders"]
pytestmark = pytest.mark.usefixtures("temporary")


def test_java_starts_on_a_machine_with_far_more_memory_than_it_may_use() -> None:
    if shutil.which("java") is None:
        pytest.skip("there is no Java here")
    words = ["java", "-XX:MaxRAM=512g", "-version", "{in}", "{out}"]
    limits = replace(PATIENT, memory=300 << 20)  # so that any machine with over 5 GB has far more
    printed = Program(player_spec(words, limits=limits)).run(b"", RED).ran.printed
    assert b"Runtime Environment" in printed
    assert (
        Program(player_spec(words, limits=limits, environment={"JDK_JAVA_OPTIONS": "-Xms4g"}))
        .run(b"", RED)
        .ran.exit_code
    )


def test_a_program_is_not_blamed_for_a_disk_that_others_have_filled(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("maxconnect4.referee.program.RETRY_DELAYS", (0.01, 0.3, 0.3))
    with small_disk(temporary, "4M"):
        filler = temporary / "filler"
        with suppress(OSError):
            filler.write_bytes(bytes(5 << 20))
        with pytest.raises(CannotSave, match="no space left in .*temporary, where programs run"):
            Program(player("honest")).move(BOARD)
        with pytest.raises(CannotSave, match="no space left in .*temporary, where programs run"):
            Program(player("honest")).run(b"something that it should refuse", RED)
        threading.Timer(0.2, filler.unlink).start()
        assert Program(player("honest")).move(BOARD).column == 4


def test_on_a_full_disk_a_legal_move_counts_and_a_fault_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_module, "RETRY_DELAYS", ())
    room = iter((True, False) * 3)  # before each run, and after it
    monkeypatch.setattr(program_module, "has_disk_space", lambda: next(room))
    assert Program(player("honest")).move(BOARD).column == 4
    with pytest.raises(CannotSave, match="no space left"):
        Program(player("unchanged")).move(BOARD)
    with pytest.raises(CannotSave, match="no space left"):
        Program(player("honest")).run(b"", RED)


def test_no_program_runs_on_a_full_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(program_module, "RETRY_DELAYS", ())
    monkeypatch.setattr(program_module, "has_disk_space", lambda: False)
    with pytest.raises(CannotSave, match="no space left"):
        Program(player_spec([str(script(tmp_path, f"touch {tmp_path}/ran"))], limits=PATIENT)).move(BOARD)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("error", "times", "words"),
    [
        (OSError(errno.ENOSPC, "No space"), 3, "no space left in .*temporary, where programs run"),
        (OSError(errno.EAGAIN, "Try again"), 3, "a program cannot be run: try again"),
        (OSError(errno.EPERM, "Not permitted"), 1, "a program cannot be run: not permitted"),
    ],
)
def test_a_transient_error_is_retried(error: OSError, times: int, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def refuse(*_: object) -> None:
        tried.append(1)
        raise error

    monkeypatch.setattr(program_module, "RETRY_DELAYS", (0.001, 0.001))
    monkeypatch.setattr(sandbox, "Sandbox", refuse)
    with pytest.raises(CannotSave, match=words):
        Program(player("honest")).move(BOARD)
    assert len(tried) == times


def test_an_error_of_an_exiting_process_is_raised_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("going")

    monkeypatch.setattr(sandbox, "Sandbox", refuse)
    with pytest.raises(OSError, match="^going$") as end:
        Program(player("honest")).move(BOARD)
    assert type(end.value) is OSError


def test_a_file_of_the_program_that_must_not_be_read_is_its_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "weights")

    monkeypatch.setattr(program_module, "place_files", refuse)
    nothing = sandbox.RunResult(127, None, 0.0, 0.0, None, b"", b"", 0, 0)
    problem = "cannot start", "a file of the program cannot be read: [Errno 13] Permission denied: 'weights'"
    assert Program(player("honest")).run(b"", RED) == ProgramRun(nothing, None, problem)


@pytest.mark.parametrize(
    ("machine", "is_told"), [(None, False), ((64 * 1000 << 20) + 63, False), ((64 * 1000 << 20) + 64, True)]
)
def test_java_gets_a_smaller_heap_where_a_64th_of_the_memory_is_too_much(
    machine: int | None, is_told: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(program_module, "memory", lambda: machine)
    monkeypatch.delenv("JDK_JAVA_OPTIONS", raising=False)
    program = script(tmp_path, 'echo "<$JDK_JAVA_OPTIONS>"')
    limits = replace(PATIENT, memory=(4 * 1000 << 20) + 3)
    for given, expected in (({}, "-Xms16m -Xmx2000m" if is_told else ""), ({"JDK_JAVA_OPTIONS": "-Xmx1m"}, "-Xmx1m")):
        told = player_spec([str(program)], limits=limits, environment=given)
        assert Program(told).run(b"", RED).ran.printed == f"<{expected}>\n".encode()


def test_the_input_file_is_for_whom_the_mask_lets_in(tmp_path: Path) -> None:
    program = script(tmp_path, 'stat -c %a "$2"')
    mask = os.umask(0)
    try:
        assert Program(player_spec([str(program)], limits=PATIENT)).run(b"", RED).ran.printed == b"666\n"
    finally:
        os.umask(mask)


# Processes that run programs

RUNNING = """
import os, sys, threading, time
from external_programs import player
from maxconnect4 import Board
from maxconnect4.referee import program
program.set_up()
move = lambda: program.Program(player("sleeper", PIDS=sys.argv[1])).move(Board())
"""


def run_with_programs(orders: str, pids: Path, temporary: Path) -> str:
    """What Python prints that is prepared to run programs, and where they are run."""
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(Path(__file__).parent)]))
    environment = {**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": path}
    words = [sys.executable, "-c", RUNNING + orders, str(pids)]
    return subprocess.run(words, env=environment, stdout=subprocess.PIPE, text=True, timeout=60, check=True).stdout


def test_a_process_that_leaves_ends_its_programs_and_removes_their_folders(tmp_path: Path, temporary: Path) -> None:
    orders = """
threading.Thread(target=move, daemon=True).start()
while not os.path.exists(sys.argv[1]) or not open(sys.argv[1]).read():
    time.sleep(0.01)
assert os.listdir(os.environ["TMPDIR"])
program.shut_down()
print(os.listdir(os.environ["TMPDIR"]), flush=True)
os._exit(0)
"""
    assert run_with_programs(orders, tmp_path / "pids", temporary) == "[]\n"
    assert have_ended(pids_in(tmp_path / "pids"), within=5)


def test_processes_and_folders_of_a_killed_worker_are_removed(tmp_path: Path, temporary: Path) -> None:
    orders = """
child = os.fork()
if child == 0:
    move()
while not os.path.exists(sys.argv[1]) or not open(sys.argv[1]).read():
    time.sleep(0.01)
os.kill(child, 9)
os.waitpid(child, 0)
assert os.listdir(os.environ["TMPDIR"])
program.clean_up(child)
print(os.listdir(os.environ["TMPDIR"]))
"""
    assert run_with_programs(orders, tmp_path / "pids", temporary) == "[]\n"
    assert have_ended(pids_in(tmp_path / "pids"), within=5)


def test_programs_run_in_tmpdir_if_it_is_usable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place, expected in ((str(tmp_path), str(tmp_path)), (None, "/tmp"), (str(tmp_path / "nowhere"), None)):
        monkeypatch.setattr(tempfile, "tempdir", None)
        monkeypatch.delenv("TMPDIR", raising=False)
        if place is not None:
            monkeypatch.setenv("TMPDIR", place)
        program_module.set_up()
        assert tempfile.tempdir == expected


def test_programs_are_not_run_on_a_disk_that_can_only_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with small_disk(tmp_path / "disk", "64k") as disk:
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        monkeypatch.setattr(tempfile, "tempdir", None)
        monkeypatch.setenv("TMPDIR", str(disk))
        program_module.set_up()
        assert tempfile.tempdir is None
