"""Waiting for what other processes do."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from maxconnect4.referee.limits import children_of


def until(happens: Callable[[], object], what: str = "it has not happened", seconds: float = 60) -> None:
    """Wait until something is so; if that takes too long, the test fails and says what has not happened."""
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def workers_of(process: int) -> list[int]:
    """The processes of a command that do its work."""
    return [child for child in children_of(process) if b"spawn_main" in _command_line(child)]


def _command_line(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:  # it has ended
        return b""


def have_ended(processes: list[int], within: float = 0.0) -> bool:
    """Whether none of these is there any more."""
    end = time.monotonic() + within
    while (alive := [each for each in processes if _is_there(each)]) and time.monotonic() < end:
        time.sleep(0.05)
    return not alive


def _is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
