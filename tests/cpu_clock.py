"""The CPU time of another process, which says how long it took to stop even where it had to wait for a processor."""

from __future__ import annotations

import time


def cpu_clock(pid: int) -> float:
    """What `time.process_time` says in that process."""
    return time.clock_gettime((~pid << 3) | 2)  # as clock_getcpuclockid(3) does it on Linux
