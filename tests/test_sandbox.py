from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from foreign import PATIENT, pids_in
from waiting import have_ended

from maxconnect4.referee.limits import Limits
from maxconnect4.referee.programs import sandbox
from maxconnect4.referee.programs.sandbox import Ran

PYTHON = [sys.executable, "-S", "-E", "-c"]


@pytest.fixture(autouse=True)
def _orphans_are_adopted() -> Iterator[None]:
    sandbox.adopt_orphans()
    yield
    sandbox.adopt_orphans(False)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    path = tmp_path / "folder"
    path.mkdir()
    return str(path)


def run(words: list[str], folder: str, limits: Limits = PATIENT) -> Ran:
    return sandbox.run(words, folder, dict(os.environ), limits)


def test_a_command_runs_in_its_folder_with_an_environment_and_no_input(folder: str) -> None:
    ran = sandbox.run(["sh", "-c", 'pwd; echo "$WORD" >&2; cat; exit 7'], folder, {"WORD": "hello"}, PATIENT)
    assert ran.printed == f"{folder}\nhello\n".encode()
    assert ran.printed_bytes == len(ran.printed)
    assert (ran.exit_code, ran.signal, ran.stopped) == (7, None, None)


def test_the_cpu_time_of_children_counts(folder: str) -> None:
    ran = run(["sh", "-c", f"{sys.executable} -S -c 'sum(range(10**7))'; true"], folder)
    assert ran.cpu_seconds > 0.05


def test_a_word_is_passed_on_as_it_is(folder: str) -> None:
    word = "a 'b' \"c\" $HOME `id` \\n *"
    assert run(["printf", "%s", word], folder).printed == word.encode()


@pytest.mark.parametrize("words", [["no-such-program"], ["./missing"], ["./folder"], ["./not-executable"]])
def test_a_command_that_cannot_be_run_could_not_start(words: list[str], folder: str) -> None:
    os.mkdir(f"{folder}/folder")
    Path(folder, "not-executable").write_text("hello")
    assert run(words, folder).could_not_start


def test_a_program_that_ends_with_127_did_start(folder: str) -> None:
    assert not run(["sh", "-c", "echo oh; exit 127"], folder).could_not_start


def test_time_by_the_clock_is_limited(folder: str) -> None:
    ran = run(["sleep", "1000"], folder, replace(PATIENT, seconds=0.3))
    assert (ran.stopped, ran.signal) == ("time", signal.SIGKILL)
    assert 0.3 <= ran.seconds < 20


def test_cpu_time_is_limited(folder: str) -> None:
    ran = run(["sh", "-c", "while :; do :; done"], folder, Limits(seconds=60, cpu_seconds=1))
    assert (ran.stopped, ran.signal) == ("cpu", signal.SIGXCPU)
    ran = run(
        [*PYTHON, "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"],
        folder,
        Limits(seconds=60, cpu_seconds=1),
    )
    assert (ran.stopped, ran.signal) == ("cpu", signal.SIGKILL)


def test_what_is_printed_is_limited_and_both_its_ends_kept(folder: str) -> None:
    ran = run(["yes"], folder)
    assert ran.stopped == "printed"
    assert ran.printed_bytes == PATIENT.printed
    assert (ran.printed, ran.printed_last) == (b"y\n" * 1250, b"y\n" * 750)
    ran = run(["seq", "100000", "200000"], folder)
    assert ran.printed.startswith(b"100000\n")
    assert ran.printed_last.endswith(b"\n200000\n")
    assert ran.printed_bytes == 7 * 100_001


def test_what_is_printed_is_kept_whole_if_it_is_short(folder: str) -> None:
    for size in (0, 4000):
        ran = run(["sh", "-c", f"yes | head -c {size}"], folder)
        assert (ran.printed, ran.printed_last) == (b"y\n" * (size // 2), b"")


def test_memory_is_limited(folder: str) -> None:
    hungry = [*PYTHON, "bytearray(300 << 20)"]
    assert run(hungry, folder).exit_code == 0
    assert b"MemoryError" in run(hungry, folder, replace(PATIENT, memory=200 << 20)).printed


def test_no_program_leaves_a_core_file(folder: str) -> None:
    ran = run(["sh", "-c", "ulimit -c; kill -SEGV $$"], folder)
    assert ran.printed.startswith(b"0\n")
    assert ran.signal == signal.SIGSEGV


def test_what_a_program_leaves_behind_is_ended_and_counted(folder: str) -> None:
    ran = run(["sh", "-c", "sleep 1000 & echo $! >>pids; setsid sleep 1000 & echo $! >>pids"], folder)
    assert (ran.exit_code, ran.left_running) == (0, 2)
    assert have_ended(pids_in(Path(folder, "pids")))


def test_a_child_that_has_ended_was_not_left_running(folder: str) -> None:
    assert run(["sh", "-c", "true & sleep 0.3"], folder).left_running == 0


def test_children_of_ones_own_are_left_alone(folder: str) -> None:
    process = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(60,))
    process.start()
    try:
        assert run(["sh", "-c", "setsid sleep 1000 &"], folder).left_running == 1
        assert process.is_alive()
    finally:
        process.kill()
        process.join()


def test_programs_run_side_by_side_do_not_end_each_other(folder: str) -> None:
    found: list[Ran] = []
    words = ["sh", "-c", "(sleep 1; echo done >>done) & wait"]
    threads = [threading.Thread(target=lambda: found.append(run(words, folder))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(20):
        run(["sh", "-c", "sleep 1000 &"], folder)
    for thread in threads:
        thread.join()
    assert [(ran.exit_code, ran.left_running) for ran in found] == [(0, 0)] * 3
    assert Path(folder, "done").read_text() == "done\n" * 3


def test_all_that_runs_can_be_ended_from_another_thread(tmp_path: Path) -> None:
    code = f"""
import os, threading, time
from maxconnect4.referee.programs import sandbox
from maxconnect4.referee.limits import Limits
sandbox.adopt_orphans()
words = ["sh", "-c", "echo $$ >>pids; setsid sleep 1000 & echo $! >>pids; sleep 1000 & echo $! >>pids; wait"]
threading.Thread(target=sandbox.run, args=(words, {str(tmp_path)!r}, dict(os.environ), Limits())).start()
while not os.path.exists("pids") or open("pids").read().count("\\n") < 3:
    time.sleep(0.01)
sandbox.kill_running()
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=60)
    pids = pids_in(tmp_path / "pids")
    assert len(pids) == 3
    assert have_ended(pids, within=10)  # it is up to the system to reap them


def test_java_runs_within_the_usual_limits(folder: str) -> None:
    if shutil.which("javac") is None:
        pytest.skip("there is no Java")
    Path(folder, "Main.java").write_text(
        "class Main { public static void main(String[] a) throws Exception {"
        " Thread t = new Thread(() -> System.out.println(new byte[64 << 20].length)); t.start(); t.join(); } }"
    )
    subprocess.run(["javac", "Main.java"], cwd=folder, check=True)
    ran = run(["java", "Main"], folder, replace(Limits(), seconds=60))
    assert (ran.exit_code, ran.printed) == (0, b"67108864\n")


def test_a_system_without_process_descriptors_will_do(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pid: int) -> int:
        raise OSError("an old kernel")

    monkeypatch.setattr(os, "pidfd_open", refuse, raising=False)
    ran = run(["sh", "-c", "sleep 1000 & echo $! >pids; exit 3"], folder)
    assert (ran.exit_code, ran.stopped) == (3, None)
    assert have_ended(pids_in(Path(folder, "pids")))
    assert run(["sleep", "1000"], folder, replace(PATIENT, seconds=0.3)).stopped == "time"
