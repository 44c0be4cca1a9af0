"""What a program and all processes that it has started use, sampled while they run.

The kernel adds the CPU time of a process to that of the parent that waits for it. Where the parent ignores SIGCHLD it
keeps nothing, and what was sampled is all there is.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

INTERVAL = 0.02  # seconds from one sample to the next
SHARE = 0.02  # of a processor that sampling may take: then the interval grows
LONGEST_INTERVAL = 0.25
CPUCLOCK_SCHED = 2  # from linux/posix-timers.h: the time that the scheduler gave to all threads, in nanoseconds
MOST_PROCESSES = 10_000  # of one sample: a program may start them faster than they can be looked at


class ProcessTree:
    """A process and its descendants, as far as they were seen.

    A process is followed wherever it goes, once it was seen among the children of one that is followed. CPU time is
    never more than what was used: what a process uses after the last sample is missing, and so is a process that begins
    and ends between two samples.
    """

    def __init__(self, leader: int, most: int = MOST_PROCESSES) -> None:
        self.leader = leader
        self.most = most  # processes that a sample looks at
        self.interval = INTERVAL  # seconds until the next sample
        self.samples = 0
        self.tasks = 0  # processes and threads at the last sample
        self.resident = 0  # bytes of memory at the last sample; what processes share counts for each of them
        self.written = 0  # bytes written to disks
        self._running = {leader: 0.0}  # CPU time of each process at the last sample
        self._ended = 0.0  # CPU time of those that are gone

    @property
    def cpu_seconds(self) -> float:
        """CPU time of all of them together."""
        return self._ended + sum(self._running.values())

    @property
    def processes(self) -> list[int]:
        """Those that were there at the last sample."""
        return list(self._running)

    def sample(self, more: Iterable[int] = ()) -> None:
        """Measure every process, and find new ones; `more` are followed from now on."""
        start = time.thread_time()
        self.samples += 1
        self.tasks = self.resident = written = 0
        to_see, seen = [*self._running, *more], set[int]()
        while to_see and len(seen) < self.most:
            pid = to_see.pop()
            if pid in seen:
                continue
            seen.add(pid)
            before = self._running.pop(pid, 0.0)
            now = _cpu_time(pid)
            if now is None or now < before:  # it is gone; with less than before, another one has got its number
                self._ended += before
                continue
            self._running[pid] = now
            threads, children = _threads_and_children(pid)
            to_see += children
            self.tasks += threads
            self.resident += _resident(pid)
            written += _written(pid)
        self.written = max(self.written, written)  # that of an ended process is its parent's now, or lost
        self.interval = min(max(INTERVAL, (time.thread_time() - start) / SHARE), LONGEST_INTERVAL)

    def memory(self) -> int:
        """Bytes of memory of all of them together: what they share counts once. Slower than a sample.

        Each is measured twice, and the less counts: when a process ends, its part of what is shared moves to others.
        """
        first = {pid: _proportional(pid) for pid in self._running}
        return sum(min(before, _proportional(pid)) for pid, before in first.items())


def children_of(process: int | str) -> list[int]:
    """The children of all threads of a process, as far as Linux shows them; zombies included."""
    return _threads_and_children(process)[1]


def _threads_and_children(process: int | str) -> tuple[int, list[int]]:
    children: list[int] = []
    threads: list[str] = []
    with suppress(OSError):  # it is gone
        threads = os.listdir(f"/proc/{process}/task")
        for thread in threads:
            children += map(int, _read(f"/proc/{process}/task/{thread}/children").split())
    return len(threads), children


def _cpu_time(pid: int) -> float | None:
    """CPU time of a process itself, even of a zombie; None if it is gone."""
    try:
        return time.clock_gettime(~pid << 3 | CPUCLOCK_SCHED)
    except OSError:
        return None


def _resident(pid: int) -> int:
    return _status(pid, b"VmRSS:", b"VmPTE:")


def _status(pid: int, *names: bytes) -> int:
    """The sum of some fields of /proc/PID/status, in bytes."""
    return sum(
        int(line.split()[1]) << 10 for line in _read(f"/proc/{pid}/status").splitlines() if line.startswith(names)
    )


def _written(pid: int) -> int:
    return sum(
        int(line.split()[1]) for line in _read(f"/proc/{pid}/io").splitlines() if line.startswith(b"write_bytes")
    )


def _proportional(pid: int) -> int:
    """Memory of a process: its share of each page, divided by the number of processes that have it."""
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return (int(line.split()[1]) << 10) + _status(pid, b"VmPTE:")
    return _resident(pid)


def _read(path: str) -> bytes:
    """A file of /proc; nothing if the process is gone, or must not be looked at."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.readall()
    except OSError:
        return b""
