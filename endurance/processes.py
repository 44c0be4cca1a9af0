"""The processes of this machine, from /proc."""

from __future__ import annotations

import os
import time
from pathlib import Path


def left_of(mark: bytes, seconds: float) -> list[int]:
    """The processes with a mark in their environment or command line that have not ended by themselves in time."""
    end = time.monotonic() + seconds
    while left := [pid for pid in _others() if mark in read_proc(pid, "environ") + read_proc(pid, "cmdline")]:
        if time.monotonic() > end:
            break
        time.sleep(0.02)
    return left


def read_proc(pid: int, name: str) -> bytes:
    """The content of a file of a process in /proc; nothing if it has ended."""
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def command_lines(pids: list[int]) -> list[str]:
    return [read_proc(pid, "cmdline").replace(b"\0", b" ").decode(errors="replace") for pid in pids]


def _others() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
