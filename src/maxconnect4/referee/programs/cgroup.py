"""Control groups, version 2: exact limits on the memory and the processes of a program, where they are writable."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..limits import Limits

ROOT = Path("/sys/fs/cgroup")
CONTROLLERS = {"memory", "pids"}
REMOVING_SECONDS = 2.0

_numbers = count(1)


@cache
def parent_cgroup() -> str | None:
    """The closest cgroup above this process in which others with limits can be made; None if there is none."""
    try:
        lines = Path("/proc/self/cgroup").read_text(encoding="ascii").splitlines()
        own = next(line.removeprefix("0::") for line in lines if line.startswith("0::"))
    except (OSError, StopIteration):
        return None
    place = ROOT / own.lstrip("/")
    for parent in (place, *place.parents):
        if parent == ROOT.parent:
            return None
        with suppress(OSError):
            enabled = set((parent / "cgroup.subtree_control").read_text(encoding="ascii").split())
            if enabled >= CONTROLLERS and os.access(parent, os.W_OK):
                trial = parent / f"maxconnect4-{os.getpid()}-probe"
                trial.mkdir()
                try:
                    (trial / "memory.max").write_text("1000000000", encoding="ascii")
                    (trial / "pids.max").write_text("100", encoding="ascii")
                finally:
                    trial.rmdir()
                return str(parent)
    return None


class Cgroup:
    """The cgroup of one run of a program. `others` is the number of processes in it that are not the program's."""

    def __init__(self, parent: str, limits: Limits, others: int) -> None:
        self.folder = Path(parent, f"maxconnect4-{os.getpid()}-{next(_numbers)}")
        self.folder.mkdir()
        self._set("memory.max", limits.memory)
        self._set("pids.max", limits.processes + others)
        for name, value in (("memory.swap.max", 0), ("memory.oom.group", 1)):
            with suppress(OSError):  # where there is no swap accounting
                self._set(name, value)

    def add(self, processes: Iterable[int]) -> None:
        """Move processes into it; what they start is then in it from the beginning."""
        for process in processes:
            self._set("cgroup.procs", process)

    def was_out_of_memory(self) -> bool:
        """Whether the kernel had to kill a process because of the limit."""
        return self._figure("memory.events", "oom_kill") > 0

    def cpu_seconds(self) -> float:
        """CPU time of all processes that were ever in it."""
        return self._figure("cpu.stat", "usage_usec") / 1_000_000

    def remove(self) -> None:
        """Kill what is left in it, and remove it."""
        with suppress(OSError):
            self._set("cgroup.kill", 1)
        deadline = time.monotonic() + REMOVING_SECONDS
        while True:
            try:
                self.folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                if time.monotonic() > deadline:
                    return
                time.sleep(0.001)
            else:
                return

    def _set(self, name: str, value: int) -> None:
        (self.folder / name).write_text(str(value), encoding="ascii")

    def _figure(self, file: str, name: str) -> int:
        with suppress(OSError, ValueError):
            for line in (self.folder / file).read_text(encoding="ascii").splitlines():
                key, _, value = line.partition(" ")
                if key == name:
                    return int(value)
        return 0
