"""One move of a player, and what it took."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moved:
    """What came of asking a player for a move. Either `column` or `fault` is there."""

    column: int | None
    #: CPU time, user and system, of the program and all that it started; or of what a player thought in this process.
    cpu_seconds: float
    seconds: float  # by the clock
    nodes: int | None = None  # that were searched, where the player tells
    search_seconds: float | None = None  # CPU time of the search alone, where the player tells
    fault: str = ""  # its kind, such as "crash": see `referee.judging.FAULTS`
    detail: str = ""  # what is wrong, in one line
