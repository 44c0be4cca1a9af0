"""What workers are made to do in the tests. They import this by its name."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from maxconnect4 import workers
from maxconnect4.errors import BadFile, FloatingPiece


@dataclass(frozen=True)
class Sum:
    """An item that is more than a number."""

    first: int
    second: int


@dataclass(frozen=True)
class Total:
    value: int
    process: int


def add(item: Sum, more: int = 0) -> Total:
    return Total(item.first + item.second + more, os.getpid())


def add_slowly(item: Sum, seconds: float) -> Total:
    time.sleep(seconds)
    return add(item)


def add_if_prepared(item: Sum) -> int:
    return item.first + item.second if times_prepared == 1 else -1


def fail(item: str) -> str:
    """Go wrong in the way that the item says."""
    if item == "expected":
        raise BadFile("diary.txt is not a book")
    if item == "expected, with a place":
        raise FloatingPiece(3, 4)
    if item == "operating system":
        raise FileNotFoundError("nothing there")
    if item == "exit":
        sys.exit(7)
    if item == "result":
        return sys  # type: ignore[return-value]  # cannot be sent
    if item == "death":
        os.kill(os.getpid(), signal.SIGKILL)
    if item == "stop":
        workers.announce("about to stop")
        os.kill(os.getpid(), signal.SIGSTOP)
    if item == "another type":
        return 7  # type: ignore[return-value]
    return item


def give_up(item: str, announced: list[str]) -> str:
    return f"{announced[:1]} * {len(announced)}"


def missing(module: str) -> Callable[[object], int]:
    """A function that is not in a module, or that a worker does not have the module of."""

    def function(item: object) -> int:
        raise NotImplementedError

    function.__module__, function.__qualname__ = module, "nowhere"
    return function


def descriptors(item: str) -> list[int]:
    """What a program of a worker has inherited."""
    code = "import os; print(*(n for n in range(100) if os.path.exists(f'/proc/self/fd/{n}')))"
    words = [sys.executable, "-S", "-c", code]
    found = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True, close_fds=False)
    return list(map(int, found.stdout.split()))


times_prepared = 0


def prepare() -> None:
    global times_prepared
    times_prepared += 1


def fail_to_prepare() -> None:
    raise ValueError("nobody is prepared for this")


running: list[subprocess.Popen[bytes]] = []


def start_program(folder: str, wait: bool = True) -> None:
    """Start a program that goes on for ever, note its number, and maybe wait for it."""
    running.append(subprocess.Popen(["sleep", "1000"]))
    Path(folder, f"program {running[-1].pid} of {os.getpid()}").touch()
    if wait:
        running[-1].wait()


def end_programs() -> None:
    for program in running:
        program.kill()
        program.wait()


def end_programs_slowly() -> None:
    end_programs()
    time.sleep(0.5)


def end_never() -> None:
    time.sleep(1000)


cleaned_up: list[int] = []


def clean_up(process: int) -> None:
    cleaned_up.append(process)
