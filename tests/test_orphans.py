"""What programs leave behind, and how what runs is ended."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from foreign import PATIENT, pids_in, run
from waiting import have_ended, until

from maxconnect4.referee.programs import sandbox
from maxconnect4.referee.programs.sandbox import Ran

TESTS = str(Path(__file__).parent)

pytest_plugins = ["sandboxed"]
pytestmark = pytest.mark.usefixtures("orphans_are_adopted")


def in_a_process_of_its_own(code: str, folder: Path, exit_code: int = 0) -> str:
    """What a script prints that has `run`, and a child in a session of its own, `own`."""
    head = f"""
import os, signal, subprocess, sys, threading, time
sys.path.insert(0, {TESTS!r})
import foreign
from maxconnect4.referee.programs import sandbox
def run(*words):
    return foreign.run(words, {str(folder)!r})
own = subprocess.Popen(["sleep", "1000"], start_new_session=True)
"""
    tail = "\nown.kill()\nown.wait()\n"
    done = subprocess.run([sys.executable, "-c", head + code + tail], capture_output=True, text=True, timeout=60)
    assert (done.stderr, done.returncode) == ("", exit_code)
    return done.stdout


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
import os, sys, threading, time
sys.path.insert(0, {TESTS!r})
import foreign
from maxconnect4.referee.programs import sandbox
sandbox.adopt_orphans()
words = ["sh", "-c", "echo $$ >>pids; setsid sleep 1000 & echo $! >>pids; sleep 1000 & echo $! >>pids; wait"]
threading.Thread(target=foreign.run, args=(words, {str(tmp_path)!r})).start()
while not os.path.exists("pids") or open("pids").read().count("\\n") < 3:
    time.sleep(0.01)
sandbox.kill_running()
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=60)
    pids = pids_in(tmp_path / "pids")
    assert len(pids) == 3
    assert have_ended(pids, within=10)  # it is up to the system to reap them


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_runs_is_ended_when_a_signal_comes(number: signal.Signals, folder: str) -> None:
    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    def when_it_runs() -> None:
        until(lambda: Path(folder, "pids").exists() and len(pids_in(Path(folder, "pids"))) == 3)
        signal.pthread_kill(threading.main_thread().ident or 0, number)

    before = signal.signal(number, end)
    sender = threading.Thread(target=when_it_runs)
    sender.start()
    start = time.monotonic()
    try:
        with pytest.raises(SystemExit, match=str(128 + number)):
            run(["sh", "-c", "setsid sleep 1000 & echo $! >>pids; sleep 1000 & echo $! $$ >>pids; wait"], folder)
        assert time.monotonic() - start < PATIENT.seconds  # at once
    finally:
        signal.signal(number, before)
        sender.join()
    assert have_ended(pids_in(Path(folder, "pids")))
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())


# Adopting


def test_children_in_sessions_of_their_own_are_left_alone_unless_orphans_are_adopted(tmp_path: Path) -> None:
    assert in_a_process_of_its_own("run('true'); print(own.poll())", tmp_path) == "None\n"
    never = (
        "sandbox.adopt_orphans(); sandbox.adopt_orphans(False); run('true'); sandbox.end_orphans(); print(own.poll())"
    )
    assert in_a_process_of_its_own(never, tmp_path) == "None\n"
    now = "sandbox.adopt_orphans(); sandbox.end_orphans(); print(own.poll() is not None)"
    assert in_a_process_of_its_own(now, tmp_path) == "True\n"


def test_how_a_program_ends_is_known_though_nobody_wanted_to_know(tmp_path: Path) -> None:
    ignoring = """
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
sandbox.adopt_orphans()
print(run("sh", "-c", "exit 3").exit_code)
"""
    assert in_a_process_of_its_own(ignoring, tmp_path) == "3\n"
    thread = """
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
adopting = threading.Thread(target=sandbox.adopt_orphans)
adopting.start()
adopting.join()
print(signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN)
signal.signal(signal.SIGCHLD, signal.SIG_DFL)
"""
    assert in_a_process_of_its_own(thread, tmp_path) == "True\n"


def test_where_children_are_not_listed_nobody_is_adopted(tmp_path: Path) -> None:
    code = """
exists, os.path.exists = os.path.exists, lambda path: False
sandbox.adopt_orphans()
os.path.exists = exists
run("true")
print(own.poll())
"""
    assert in_a_process_of_its_own(code, tmp_path) == "None\n"


def test_what_children_of_ones_own_use_is_not_charged_to_a_program(tmp_path: Path) -> None:
    code = """
with subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"], start_new_session=True) as spinning:
    print(run("sleep", "0.4").cpu_seconds < 0.1)
    spinning.kill()
"""
    assert in_a_process_of_its_own(code, tmp_path) == "True\n"


def test_what_is_not_ones_own_is_neither_ended_nor_counted() -> None:
    sandbox.adopt_orphans(False)
    told = subprocess.run(["sh", "-c", "sleep 1000 >&2 & echo $!"], stdout=subprocess.PIPE, text=True, check=True)
    stranger = int(told.stdout)
    try:
        assert sandbox._end_orphan(stranger, time.monotonic() + 5) == (False, 0.0)
        assert not have_ended([stranger])
    finally:
        os.kill(stranger, signal.SIGKILL)


# Ending


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_process_that_is_told_to_end_ends_its_programs_first(number: signal.Signals, tmp_path: Path) -> None:
    code = f"""
sandbox.end_with_signals()
own.kill()
own.wait()
def send():
    while not os.path.exists("{tmp_path}/pid") or not open("{tmp_path}/pid").read():
        time.sleep(0.01)
    os.kill(os.getpid(), {number})
threading.Thread(target=send).start()
run("sh", "-c", "echo $$ >pid; exec sleep 1000")
"""
    in_a_process_of_its_own(code, tmp_path, exit_code=128 + number)
    assert have_ended(pids_in(tmp_path / "pid"))


def test_a_signal_that_somebody_has_seen_to_is_left_to_them(tmp_path: Path) -> None:
    code = """
signal.signal(signal.SIGHUP, signal.SIG_IGN)
sandbox.end_with_signals()
print(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN, callable(signal.getsignal(signal.SIGTERM)))
"""
    assert in_a_process_of_its_own(code, tmp_path) == "True True\n"


def test_a_process_that_is_about_to_exit_starts_no_more(tmp_path: Path) -> None:
    code = """
sandbox.kill_running()
try:
    run("touch", "started")
except InterruptedError as error:
    print(error)
"""
    assert in_a_process_of_its_own(code, tmp_path) == "this process is about to exit\n"
    assert list(tmp_path.iterdir()) == []
