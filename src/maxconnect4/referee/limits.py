"""Resource limits of one move of an external program, and the usage that they apply to: sampled, or that of a cgroup.

The CPU time in the result of a run comes from `wait4`, which the sandbox calls at the end.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ResourceLimits:
    """Limits on one move of an external program. Exceeding one is a fault: the program is killed.

    CPU time is the limit that counts. The wall-clock limit ends programs that wait or sleep. It leaves out the time in
    which the program waits for a processor, and so does not depend on the load of the machine.
    """

    seconds: float = 90.0  # wall-clock time: see `WALL_CLOCK`
    cpu_seconds: float = 30.0  # all processes together
    memory: int = 2 << 30  # bytes, all processes together, shared mappings included
    printed: int = 1 << 20  # bytes of output, and the size of any one file
    processes: int = 256  # at a time, threads included
    # Neither is in the text form, from which the name of a match's results file is derived.
    disk: int = field(default=64 << 20, repr=False)  # total bytes written to files
    #: "auto", "bubblewrap" or "none": see `Isolation`. A resumed tournament may use another one.
    isolation: str = field(default="auto", compare=False, repr=False)


WALL_CLOCK = 3.0  # default ratio of the wall-clock limit to the limit on CPU time


def limits_of_move(cpu_seconds: float, memory: int | None = None, isolation: str = "auto") -> ResourceLimits:
    """The limits of a move with this limit on its CPU time."""
    found = ResourceLimits(WALL_CLOCK * cpu_seconds, cpu_seconds, isolation=isolation)
    return found if memory is None else replace(found, memory=memory)


ROOT = Path("/sys/fs/cgroup")
CONTROLLERS = {"memory", "pids"}
REMOVAL_TIMEOUT = 2.0  # seconds

_numbers = count(1)


@cache
def parent_cgroup() -> str | None:
    """Find the closest cgroup above this process in which cgroups with limits can be created, if there is one."""
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
                probe = parent / f"maxconnect4-{os.getpid()}-probe"
                probe.mkdir()
                try:
                    (probe / "memory.max").write_text("1000000000", encoding="ascii")
                    (probe / "pids.max").write_text("100", encoding="ascii")
                finally:
                    probe.rmdir()
                return str(parent)
    return None


class Cgroup:
    """The cgroup of one run of a program. `others` is the number of its processes that belong to the sandbox."""

    def __init__(self, parent: str, limits: ResourceLimits, others: int) -> None:
        self.folder = Path(parent, f"maxconnect4-{os.getpid()}-{next(_numbers)}")
        self.folder.mkdir()
        self._set("memory.max", limits.memory)
        self._set("pids.max", limits.processes + others)
        for name, value in (("memory.swap.max", 0), ("memory.oom.group", 1)):
            with suppress(OSError):  # without swap accounting
                self._set(name, value)

    def add(self, processes: Iterable[int]) -> None:
        """Move processes into the cgroup. Their later children belong to it from their start."""
        for process in processes:
            self._set("cgroup.procs", process)

    def was_out_of_memory(self) -> bool:
        """Whether the kernel killed a process at the memory limit."""
        return self._value("memory.events", "oom_kill") > 0

    def cpu_seconds(self) -> float:
        """CPU time of all processes that have ever been in the cgroup."""
        return self._value("cpu.stat", "usage_usec") / 1_000_000

    def remove(self) -> None:
        """Kill the remaining processes and remove the cgroup."""
        with suppress(OSError):
            self._set("cgroup.kill", 1)
        deadline = time.monotonic() + REMOVAL_TIMEOUT
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

    def _value(self, file: str, name: str) -> int:
        with suppress(OSError, ValueError):
            for line in (self.folder / file).read_text(encoding="ascii").splitlines():
                key, _, value = line.partition(" ")
                if key == name:
                    return int(value)
        return 0


# Samples of the processes

INTERVAL = 0.02  # seconds between samples
SHARE = 0.02  # of a processor: the interval grows if sampling uses more
LONGEST_INTERVAL = 0.25
CPUCLOCK_SCHED = 2  # from linux/posix-timers.h: the scheduled time of all threads, in nanoseconds
MOST_PROCESSES = 10_000  # of one sample: a program may start processes faster than they can be sampled


class ProcessTree:
    """A process and its sampled descendants.

    A descendant remains in the tree when its parent ends or it changes its session. The CPU time is a lower bound: it
    excludes the time after the last sample, and processes that start and end between two samples.
    """

    def __init__(self, leader: int, most: int = MOST_PROCESSES) -> None:
        self.leader = leader
        self.most = most  # maximum number of processes in a sample
        self.interval = INTERVAL  # seconds until the next sample
        self.tasks = 0  # processes and threads at the last sample
        self.resident = 0  # bytes of memory at the last sample; shared pages count for each process
        self.written = 0  # bytes written to disks
        self._running = {leader: 0.0}  # CPU time of each process at the last sample
        self._ended = 0.0  # CPU time of processes that have ended

    @property
    def cpu_seconds(self) -> float:
        """CPU time of all processes, including those that have ended."""
        return self._ended + sum(self._running.values())

    @property
    def processes(self) -> list[int]:
        """The running processes at the last sample."""
        return list(self._running)

    def sample(self, more: Iterable[int] = ()) -> None:
        """Measure every process and find new ones. `more` are processes to add to the tree."""
        start = time.thread_time()
        self.tasks = self.resident = written = 0
        to_see, seen = [*self._running, *more], set[int]()
        while to_see and len(seen) < self.most:
            pid = to_see.pop()
            if pid in seen:
                continue
            seen.add(pid)
            before = self._running.pop(pid, 0.0)
            now = _cpu_time(pid)
            if now is None or now < before:  # it has ended; a smaller value is that of a new process with the same ID
                self._ended += before
                continue
            self._running[pid] = now
            threads, children = _threads_and_children(pid)
            to_see += children
            self.tasks += threads
            self.resident += _resident(pid)
            written += _written(pid)
        self.written = max(self.written, written)  # an ended process adds its value to that of its parent
        self.interval = min(max(INTERVAL, (time.thread_time() - start) / SHARE), LONGEST_INTERVAL)

    def memory(self) -> int:
        """Bytes of memory of all processes, where shared pages count once. Slower than a sample.

        The smaller of two measurements counts for each process: when a process ends, its share of the shared pages is
        added to that of the others.
        """
        first = {pid: _proportional(pid) for pid in self._running}
        return sum(min(before, _proportional(pid)) for pid, before in first.items())


HIGHEST_LOAD = 20.0  # tasks per processor: the time of a program is not extended further


def waiting_seconds(processes: Iterable[int], elapsed: float) -> float:
    """The part of the elapsed time in which these processes waited for a processor, summed over their threads.

    The kernel counts it for each thread. Where it does not, the load average gives an estimate.
    """
    waited = 0.0
    for pid in processes:
        with suppress(OSError):  # the process has ended
            for thread in os.listdir(f"/proc/{pid}/task"):
                values = _read(f"/proc/{pid}/task/{thread}/schedstat").split()
                waited += int(values[1]) / 1e9 if len(values) == 3 else 0.0
    if not os.path.exists("/proc/self/schedstat"):
        load = os.getloadavg()[0] / (os.cpu_count() or 1)
        waited = elapsed * (1 - 1 / max(1.0, load))
    return min(waited, elapsed * (1 - 1 / HIGHEST_LOAD))


def children_of(process: int | str) -> list[int]:
    """The children of all threads of a process, including zombies; Linux only."""
    return _threads_and_children(process)[1]


def _threads_and_children(process: int | str) -> tuple[int, list[int]]:
    children: list[int] = []
    threads: list[str] = []
    with suppress(OSError):  # the process has ended
        threads = os.listdir(f"/proc/{process}/task")
        for thread in threads:
            children += map(int, _read(f"/proc/{process}/task/{thread}/children").split())
    return len(threads), children


def _cpu_time(pid: int) -> float | None:
    """CPU time of a process without its children, also of a zombie; None if it has been reaped."""
    try:
        return time.clock_gettime(~pid << 3 | CPUCLOCK_SCHED)
    except OSError:
        return None


def _resident(pid: int) -> int:
    return _status(pid, b"VmRSS:", b"VmPTE:")


def _status(pid: int, *names: bytes) -> int:
    return sum(
        int(line.split()[1]) << 10 for line in _read(f"/proc/{pid}/status").splitlines() if line.startswith(names)
    )


def _written(pid: int) -> int:
    return sum(
        int(line.split()[1]) for line in _read(f"/proc/{pid}/io").splitlines() if line.startswith(b"write_bytes")
    )


def _proportional(pid: int) -> int:
    """Proportional memory of a process: the size of each page divided by the number of processes that share it."""
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return (int(line.split()[1]) << 10) + _status(pid, b"VmPTE:")
    return _resident(pid)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb", buffering=0) as file:
            return file.readall()
    except OSError:
        return b""
