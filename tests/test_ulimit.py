"""The limits of a program as orders for a shell."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import nullcontext

import pytest

from maxconnect4.referee.limits import Limits
from maxconnect4.referee.programs import ulimit
from maxconnect4.referee.programs.ulimit import _orders, _tasks_allowed, orders_for

PYTHON = [sys.executable, "-S", "-E", "-c"]


def test_a_program_may_use_this_much_unless_it_is_told_otherwise() -> None:
    assert Limits() == Limits(seconds=30, cpu_seconds=30, memory=2 << 30, printed=1 << 20, processes=256)


@pytest.mark.parametrize("shell", ["dash", "bash"])
def test_both_shells_set_the_same_limits(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    limits = Limits(cpu_seconds=2.5, printed=1 << 20, memory=1 << 30)
    names = "CPU", "FSIZE", "DATA", "NPROC", "CORE"
    show = f"import resource as r; print(*(r.getrlimit(getattr(r, 'RLIMIT_' + name)) for name in {names}))"
    words = ["sh", "-c", f'{_orders(limits, 5000)}; exec "$@"', "name", *PYTHON, show]
    found = subprocess.run(words, executable=shutil.which(shell), capture_output=True, text=True, check=True)
    assert found.stdout == f"(3, 4) {(1 << 20,) * 2} {(1 << 30,) * 2} (5000, 5000) (0, 0)\n"


def test_the_processes_that_the_user_has_already_are_not_the_programs() -> None:
    with subprocess.Popen(["sleep", "1000"]) as process:
        allowed = _tasks_allowed(10, 0)
        process.kill()
    assert allowed is not None
    assert allowed >= 2 + 10 * (os.cpu_count() or 1)


def test_a_user_is_counted_with_all_processes_and_threads() -> None:
    if os.geteuid() != 0:
        pytest.skip("only the superuser can become somebody who has nothing else running")
    code = """
import ctypes, os, threading, time
from maxconnect4.referee.programs.ulimit import _tasks_allowed
os.setuid(54321)
ctypes.CDLL(None).prctl(4, 1)  # PR_SET_DUMPABLE: to be seen as the new user's
for _ in range(2):
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
print(_tasks_allowed(10, 0))
os._exit(0)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(found.stdout) == 3 + 10 * (os.cpu_count() or 1)


def test_only_the_superuser_may_have_any_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(cpu_seconds=0.5)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert orders_for(limits) == _orders(limits, None)
    assert "ulimit -S -t 1; ulimit -H -t 2" in orders_for(limits)
    assert "ulimit -u" not in orders_for(limits)
    monkeypatch.setattr(os, "geteuid", lambda: 1)
    assert "ulimit -u" in orders_for(limits)


def test_the_processes_of_a_user_are_counted_every_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(ulimit, "_tasks_allowed", lambda processes, when: asked.append((processes, when)))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    for now in (100.0, 109.9, 110.0):
        monkeypatch.setattr(time, "monotonic", lambda now=now: now)
        orders_for(Limits(processes=7))
    assert asked == [(7, 10), (7, 10), (7, 11)]


def test_a_system_that_hides_its_processors_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "scandir", lambda path: nullcontext([]))
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert _tasks_allowed(10, -2) == 10


def test_where_processes_cannot_be_counted_their_number_is_not_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> None:
        raise PermissionError(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert _tasks_allowed(10, -1) is None
