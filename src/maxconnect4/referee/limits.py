"""What a foreign program may use for one move."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """For each move. What goes beyond is ended, and is a fault."""

    seconds: float = 30.0  # by the clock
    cpu_seconds: float = 30.0  # all its processes together
    memory: int = 2 << 30  # bytes of data of each process
    printed: int = 1 << 20  # bytes that it may print, or write into any one file
    processes: int = 256  # that it may have at a time, threads included
