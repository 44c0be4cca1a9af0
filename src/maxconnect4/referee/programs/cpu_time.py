"""The CPU time of a program with all its processes, looked at while they run.

The system adds the time of a process to that of whoever waits for it. Of a process that nobody can wait for, because
its parent ignores SIGCHLD, it keeps nothing: what was seen while it ran is all there is.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

OFTEN = 0.02  # seconds from one look to the next
SHARE = 0.02  # the most of a processor that looking may take: then looks become rarer
SELDOM = 0.25  # but not rarer than this
CPUCLOCK_SCHED = 2  # from linux/posix-timers.h: the time that the scheduler gave to all threads, in nanoseconds


class SeenTime:
    """The CPU time of a process and of all that come of it, as far as they were seen.

    A process is followed wherever it goes, once it was seen among the children of one that is followed. What is seen
    is never more than what was used. What a process uses after the last look at it is missing, and so is a process
    that begins and ends between two looks.
    """

    def __init__(self, leader: int) -> None:
        self.leader = leader
        self.pause = OFTEN  # seconds until the next look
        self.looks = 0
        self._running = {leader: 0.0}  # what each process had used when it was last seen
        self._ended = 0.0  # what those had used that are gone

    @property
    def seconds(self) -> float:
        """What was used, by all of them together."""
        return self._ended + sum(self._running.values())

    def look(self, more: Iterable[int] = ()) -> None:
        """See what each has used until now, and who is new; `more` are to be followed from now on, too."""
        start = time.thread_time()
        self.looks += 1
        to_see, seen = [*self._running, *more], set[int]()
        while to_see:
            pid = to_see.pop()
            if pid in seen:
                continue
            seen.add(pid)
            before = self._running.pop(pid, 0.0)
            now = _used_by(pid)
            if now is None or now < before:  # it is gone; with less than before, another one has got its number
                self._ended += before
            else:
                self._running[pid] = now
                to_see += children_of(pid)
        self.pause = min(max(OFTEN, (time.thread_time() - start) / SHARE), SELDOM)


def children_of(process: int | str) -> list[int]:
    """The children of all threads of a process, as far as Linux shows them; those that have ended, too."""
    children: list[int] = []
    with suppress(OSError):  # it is gone
        for thread in os.listdir(f"/proc/{process}/task"):
            with suppress(OSError), open(f"/proc/{process}/task/{thread}/children", "rb", buffering=0) as file:
                children += map(int, file.readall().split())
    return children


def _used_by(pid: int) -> float | None:
    """What a process has used itself, even if it has ended and nobody has waited for it yet; None if it is gone."""
    try:
        return time.clock_gettime(~pid << 3 | CPUCLOCK_SCHED)
    except OSError:
        return None
