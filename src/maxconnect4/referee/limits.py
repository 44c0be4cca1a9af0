"""Limits on an external program."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on one move of an external program. A program that exceeds one is killed, which is a fault."""

    seconds: float = 30.0  # wall-clock time
    cpu_seconds: float = 30.0  # all processes together
    memory: int = 2 << 30  # bytes, all processes together, shared mappings included
    printed: int = 1 << 20  # bytes of output, and the size of any one file
    processes: int = 256  # at a time, threads included
    # Neither is in the text form, from which the name of a match's results file is derived.
    disk: int = field(default=64 << 20, repr=False)  # bytes written to files in all
    #: "auto", "bubblewrap" or "none": see `programs.isolation`. It may change when a tournament is resumed.
    isolation: str = field(default="auto", compare=False, repr=False)
