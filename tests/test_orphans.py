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
from external_programs import PATIENT, pids_in, run
from waiting import have_ended, until

from maxconnect4.referee import sandbox
from maxconnect4.referee.sandbox import RunResult

TESTS = str(Path(__file__).parent)

pytest_plugins = ["sandbox_fixtures"]
pytestmark = pytest.mark.usefixtures("orphans_are_adopted")


def in_a_process_of_its_own(code: str, folder: Path, exit_code: int = 0) -> str:
    """What a script prints that has `run`, and a child in a session of its own, `own`."""
    head = f"""
import os, signal, subprocess, sys, threading, time
sys.path.insert(0, {TESTS!r})
import external_programs
from maxconnect4.referee import sandbox
def run(*words):
    return external_programs.run(words, {str(folder)!r})
own = subprocess.Popen(["sleep", "1000"], start_new_session=True)
"""
    tail = "\nown.kill()\nown.wait()\n"
    done = subprocess.run([sys.executable, "-c", head + code + tail], capture_output=True, text=True, timeout=60)
    assert (done.stderr, done.returncode) == ("", exit_code)
    return done.stdout


def test_leftover_processes_are_killed_and_counted(folder: str) -> None:
    ran = run(["sh", "-c", "sleep 1000 & echo $! >>pids; setsid sleep 1000 & echo $! >>pids"], folder)
    assert (ran.exit_code, ran.left_running) == (0, 2)
    assert have_ended(pids_in(Path(folder, "pids")))


def test_a_child_that_has_ended_was_not_left_running(folder: str) -> None:
    assert run(["sh", "-c", "true & sleep 0.3"], folder).left_running == 0


def test_other_children_of_the_referee_are_unaffected(folder: str) -> None:
    process = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(60,))
    process.start()
    try:
        assert run(["sh", "-c", "setsid sleep 1000 &"], folder).left_running == 1
        assert process.is_alive()
    finally:
        process.kill()
        process.join()


def test_programs_run_side_by_side_do_not_end_each_other(folder: str) -> None:
    found: list[RunResult] = []
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


def test_a_program_is_not_reaped_by_another_thread_between_its_end_and_its_result(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    end_group = sandbox._kill_group

    def end_orphans_of_another_thread(pid: int) -> None:
        end_group(pid)
        sandbox.kill_orphans()

    monkeypatch.setattr(sandbox, "_kill_group", end_orphans_of_another_thread)
    assert run(["sh", "-c", "exit 3"], folder).exit_code == 3


def test_all_that_runs_can_be_ended_from_another_thread(tmp_path: Path) -> None:
    code = f"""
import os, sys, threading, time
sys.path.insert(0, {TESTS!r})
import external_programs
from maxconnect4.referee import sandbox
sandbox.become_subreaper()
words = ["sh", "-c", "echo $$ >>pids; setsid sleep 1000 & echo $! >>pids; sleep 1000 & echo $! >>pids; wait"]
threading.Thread(target=external_programs.run, args=(words, {str(tmp_path)!r})).start()
while not os.path.exists("pids") or open("pids").read().count("\\n") < 3:
    time.sleep(0.01)
sandbox.kill_programs()
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=60)
    pids = pids_in(tmp_path / "pids")
    assert len(pids) == 3
    assert have_ended(pids, within=10)  # it is up to the system to reap them


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_kills_the_running_programs(number: signal.Signals, folder: str) -> None:
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


def test_children_in_other_sessions_are_unaffected_unless_the_process_is_a_subreaper(tmp_path: Path) -> None:
    assert in_a_process_of_its_own("run('true'); print(own.poll())", tmp_path) == "None\n"
    never = (
        "sandbox.become_subreaper(); sandbox.become_subreaper(False); "
        "run('true'); sandbox.kill_orphans(); print(own.poll())"
    )
    assert in_a_process_of_its_own(never, tmp_path) == "None\n"
    now = "sandbox.become_subreaper(); sandbox.kill_orphans(); print(own.poll() is not None)"
    assert in_a_process_of_its_own(now, tmp_path) == "True\n"


def test_the_exit_status_is_known_though_sigchld_was_ignored(tmp_path: Path) -> None:
    ignoring = """
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
sandbox.become_subreaper()
print(run("sh", "-c", "exit 3").exit_code)
"""
    assert in_a_process_of_its_own(ignoring, tmp_path) == "3\n"
    thread = """
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
adopting = threading.Thread(target=sandbox.become_subreaper)
adopting.start()
adopting.join()
print(signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN)
signal.signal(signal.SIGCHLD, signal.SIG_DFL)
"""
    assert in_a_process_of_its_own(thread, tmp_path) == "True\n"


def test_without_a_list_of_children_no_orphan_is_adopted(tmp_path: Path) -> None:
    code = """
exists, os.path.exists = os.path.exists, lambda path: False
sandbox.become_subreaper()
os.path.exists = exists
run("true")
print(own.poll())
"""
    assert in_a_process_of_its_own(code, tmp_path) == "None\n"


def test_cpu_time_of_other_children_is_not_charged_to_a_program(tmp_path: Path) -> None:
    code = """
with subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"], start_new_session=True) as spinning:
    print(run("sleep", "0.4").cpu_seconds < 0.1)
    spinning.kill()
"""
    assert in_a_process_of_its_own(code, tmp_path) == "True\n"


def test_other_processes_are_neither_killed_nor_counted() -> None:
    sandbox.become_subreaper(False)
    told = subprocess.run(["sh", "-c", "sleep 1000 >&2 & echo $!"], stdout=subprocess.PIPE, text=True, check=True)
    stranger = int(told.stdout)
    try:
        assert sandbox._kill_orphan(stranger, time.monotonic() + 5) == (False, 0.0)
        assert not have_ended([stranger])
    finally:
        os.kill(stranger, signal.SIGKILL)


# Ending


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_process_that_gets_sigterm_kills_its_programs_first(number: signal.Signals, tmp_path: Path) -> None:
    code = f"""
sandbox.exit_on_signals()
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


def test_an_ignored_signal_stays_ignored(tmp_path: Path) -> None:
    code = """
signal.signal(signal.SIGHUP, signal.SIG_IGN)
sandbox.exit_on_signals()
print(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN, callable(signal.getsignal(signal.SIGTERM)))
"""
    assert in_a_process_of_its_own(code, tmp_path) == "True True\n"


def test_a_process_that_is_about_to_exit_starts_no_more(tmp_path: Path) -> None:
    code = """
sandbox.kill_programs()
try:
    run("touch", "started")
except InterruptedError as error:
    print(error)
"""
    assert in_a_process_of_its_own(code, tmp_path) == "this process is about to exit\n"
    assert list(tmp_path.iterdir()) == []
