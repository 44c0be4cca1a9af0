"""What a program costs, held against what each of its processes counted itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from external_programs import PATIENT
from external_programs import run as run_command

from maxconnect4.referee import sandbox
from maxconnect4.referee.limits import (
    LONGEST_INTERVAL,
    ProcessTree,
    ResourceLimits,
    children_of,
    limits_of_move,
    waiting_seconds,
)
from maxconnect4.referee.sandbox import RunResult

pytest_plugins = ["sandbox_fixtures"]
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows what is needed"),
    pytest.mark.usefixtures("orphans_are_adopted"),
]

#: Each process spins until it has used so much, and writes down what it has used since it began, at its very end.
BEGINNING = """
import os, signal, sys, threading, time

def spin(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

def count():
    with open("counted", "a") as file:
        file.write(f"{time.process_time()}\\n")

def child(do, *words):
    pid = os.fork()
    if pid == 0:
        do(*words)
        count()
        os._exit(0)
    return pid

def until_counted(processes):
    while not os.path.exists("counted") or open("counted").read().count("\\n") < processes:
        time.sleep(0.02)

"""

ITSELF = "spin(0.3)"
TWO_WAITED_FOR = "child(spin, 0.1); child(spin, 0.1); os.wait(); os.wait()"
NOT_WAITED_FOR = "child(spin, 0.1); child(spin, 0.1); until_counted(2)"
GRANDCHILD = """
def middle():
    child(spin, 0.2)
    os.wait()
os.waitpid(child(middle), 0)
"""
GRANDCHILD_WITHOUT_ITS_PARENT = """
def middle():
    child(spin, 0.2)
child(middle)
os.wait()
until_counted(2)
"""
KILLED_MIDDLE = """
def middle():
    child(spin, 0.2)
    time.sleep(60)
pid = child(middle)
spin(0.1)
os.kill(pid, signal.SIGKILL)
os.wait()
until_counted(1)
"""
THREADS = """
import hashlib
def work(end=0.1):
    data = bytes(1 << 20)
    while time.thread_time() < end:
        hashlib.sha256(data).digest()
threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
CHILD_OF_A_THREAD = """
def work():
    child(spin, 0.2)
    os.wait()
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""
DAEMON = """
def away():
    os.setsid()
    child(spin, 0.2)
os.waitpid(child(away), 0)
until_counted(2)
"""
PROGRAMS = {
    "itself": ITSELF,
    "two children that are waited for": TWO_WAITED_FOR,
    "two children that are not waited for": NOT_WAITED_FOR,
    "a grandchild": GRANDCHILD,
    "a grandchild whose parent has ended": GRANDCHILD_WITHOUT_ITS_PARENT,
    "a grandchild whose parent was killed": KILLED_MIDDLE,
    "threads": THREADS,
    "a child of a thread": CHILD_OF_A_THREAD,
    "a daemon": DAEMON,
}


LONG = ("itself", "two children that are waited for", "a grandchild", "a child of a thread")


def run(program: str, folder: Path, limits: ResourceLimits = PATIENT) -> RunResult:
    words = [sys.executable, "-S", "-E", "-c", f"{BEGINNING}{program}\ncount()"]
    return run_command(words, str(folder), limits)


def counted(folder: Path) -> float:
    return sum(map(float, (folder / "counted").read_text().split()))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] if name in LONG else []) for name in PROGRAMS]
)
def test_the_cpu_time_is_what_the_processes_counted_themselves(name: str, tmp_path: Path) -> None:
    ran = run(PROGRAMS[name], tmp_path)
    assert (ran.exit_code, ran.exceeded) == (0, None), ran.printed
    assert counted(tmp_path) >= 0.2
    assert ran.cpu_seconds == pytest.approx(counted(tmp_path), rel=0.1, abs=0.04)


STOPPED = """
if os.fork() == 0:
    os.setsid()
    spin(0.2)
    count()
    time.sleep(60)
until_counted(1)
count()
os.write(1, bytes(1 << 16))
time.sleep(60)
"""


@pytest.mark.parametrize(
    "program",
    [
        GRANDCHILD_WITHOUT_ITS_PARENT,
        STOPPED,
        pytest.param(NOT_WAITED_FOR, marks=pytest.mark.long),
        pytest.param(DAEMON, marks=pytest.mark.long),
    ],
    ids=["a grandchild whose parent has ended", "stopped", "not waited for", "a daemon"],
)
def test_cpu_time_is_known_without_a_sample(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProcessTree, "sample", lambda self, more=(): None)
    ran = run(program, tmp_path, replace(PATIENT, printed=1 << 16))
    assert ran.exceeded == ("printed" if program == STOPPED else None)
    assert ran.cpu_seconds == pytest.approx(counted(tmp_path), rel=0.1, abs=0.04)


def test_a_program_that_sleeps_costs_no_cpu_time(tmp_path: Path) -> None:
    ran = run("time.sleep(0.5)", tmp_path)
    assert ran.seconds >= 0.5
    assert ran.cpu_seconds == pytest.approx(counted(tmp_path), abs=0.03)
    assert ran.cpu_seconds < 0.25


def test_processes_that_are_killed_at_a_limit_have_cost_what_they_used(tmp_path: Path) -> None:
    too_much = """
def work():
    spin(0.15)
    count()
    time.sleep(60)
child(work)
if os.fork() == 0:
    os.setsid()
    work()
until_counted(2)
count()
os.write(1, bytes(1 << 16))
time.sleep(60)
"""
    ran = run(too_much, tmp_path, replace(PATIENT, printed=1 << 16))
    assert (ran.exceeded, ran.signal) == ("printed", signal.SIGKILL)
    assert ran.cpu_seconds == pytest.approx(counted(tmp_path), rel=0.1, abs=0.04)


def test_the_cpu_limit_is_that_of_all_processes_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sandbox.CPU_GRACE == 1
    monkeypatch.setattr(sandbox, "CPU_GRACE", 0.3)
    for_ever = "while True: child(spin, 0.1); child(spin, 0.1); spin(0.05); time.sleep(0.1)"
    ran = run(for_ever, tmp_path, ResourceLimits(seconds=60, cpu_seconds=0.3))
    assert (ran.exceeded, ran.signal) == ("cpu", signal.SIGKILL)
    assert 0.6 < ran.cpu_seconds < 1.6


def test_the_cpu_time_of_children_that_were_killed_is_known_from_the_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.become_subreaper(False)
    monkeypatch.setattr(sandbox, "CPU_GRACE", 0.1)
    limits = ResourceLimits(seconds=60, cpu_seconds=0.3)
    ran = run("child(spin, 60); child(spin, 60); time.sleep(60)", tmp_path, limits)
    assert ran.exceeded == "cpu"
    assert ran.cpu_seconds > 0.4


def test_programs_side_by_side_are_not_charged_for_each_other(tmp_path: Path) -> None:
    found: dict[str, RunResult] = {}
    threads = []
    for name, program in (("spins", NOT_WAITED_FOR), ("waits", TWO_WAITED_FOR), ("sleeps", "time.sleep(0.5)")):
        (tmp_path / name).mkdir()
        work = lambda name=name, program=program: found.update({name: run(program, tmp_path / name)})  # noqa: E731
        threads.append(threading.Thread(target=work))
        threads[-1].start()
    for thread in threads:
        thread.join()
    for name, ran in found.items():
        assert ran.cpu_seconds == pytest.approx(counted(tmp_path / name), rel=0.1, abs=0.04), name
    assert len(found) == 3


def test_the_sampled_usage_of_an_ended_process_counts() -> None:
    with subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) as process:
        seen = ProcessTree(process.pid)
        while seen.cpu_seconds < 0.1:
            time.sleep(0.02)
            seen.sample()
        process.kill()
    before = seen.cpu_seconds
    for _ in range(3):
        seen.sample()
        assert seen.cpu_seconds == before


def test_looking_at_many_processes_is_done_less_often() -> None:
    with subprocess.Popen(["sh", "-c", "for i in $(seq 100); do sleep 60 & done; echo; wait"], stdout=-1) as process:
        assert process.stdout is not None
        process.stdout.readline()
        seen = ProcessTree(process.pid)
        few = seen.interval
        seen.sample()
        children = children_of(process.pid)
        for pid in (*children, process.pid):
            os.kill(pid, signal.SIGKILL)
    assert len(children) == 100
    assert few < seen.interval <= LONGEST_INTERVAL


def test_looking_takes_a_fiftieth_of_a_processor_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = ProcessTree(os.getpid())
    assert seen.interval == 0.02
    for took, pause in ((0.0, 0.02), (0.002, 0.1), (1.0, 0.25)):
        clock = iter((5.0, 5.0 + took))
        monkeypatch.setattr(time, "thread_time", lambda clock=clock: next(clock))
        seen.sample()
        assert seen.interval == pytest.approx(pause)


def test_waiting_for_a_processor_extends_the_wall_clock_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = ResourceLimits(seconds=0.2, cpu_seconds=60)
    asleep = run_command(["sleep", "100"], str(tmp_path), limits)
    assert asleep.exceeded == "time"
    assert asleep.seconds - asleep.waited >= 0.2
    monkeypatch.setattr("maxconnect4.referee.sandbox.waiting_seconds", lambda processes, elapsed: 0.9 * elapsed)
    assert run_command(["sleep", "0.5"], str(tmp_path), limits).exceeded is None
    late = run_command(["sleep", "100"], str(tmp_path), limits)
    assert (late.exceeded, late.seconds >= 2) == ("time", True)


def test_the_time_of_waiting_is_at_most_the_elapsed_time() -> None:
    assert 0 <= waiting_seconds([os.getpid()], 0.001) <= 0.001
    assert waiting_seconds([], 10) <= 10


def test_the_limit_of_a_move_is_on_its_cpu_time() -> None:
    assert limits_of_move(10) == ResourceLimits(seconds=30, cpu_seconds=10)
    assert ResourceLimits() == limits_of_move(30)
