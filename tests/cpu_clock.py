"""The CPU time of another process: the time that it took to stop, without the time that it waited for a processor."""

from __future__ import annotations

import time


def cpu_clock(pid: int) -> float:
    """`time.process_time` of that process."""
    return time.clock_gettime((~pid << 3) | 2)  # as clock_getcpuclockid(3) does it on Linux
