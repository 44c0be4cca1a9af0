"""What might have been measured, made by hand."""

from __future__ import annotations

from collections.abc import Mapping

from maxconnect4.measuring.summary import Regret, Row, Series, Spread


def timed(depth: int | None, seconds: float, regret: float | None = None, share: float = 0.1) -> Row:
    """A row of three runs, of which the quickest and the slowest are off by a share."""
    spread = Spread(seconds, seconds * (1 - share), seconds * (1 + share))
    lost = None if regret is None else Regret(mean=regret, error=0.03, perfect_share=0.8, worst=4, moves=200)
    return Row(depth, 3, spread, spread, (4,), regret=lost)


def failed(depth: int | None, reason: str = "crash: it ended with exit code 1") -> Row:
    """A row of a program that made no move."""
    return Row(depth, 1, faults=1, reason=reason)


def by_depth(player: str, seconds: Mapping[int, float | None], positions: str = "empty") -> Series:
    """A player's times, of which None is a gap."""
    rows = tuple(failed(depth) if taken is None else timed(depth, taken) for depth, taken in seconds.items())
    return Series(player, positions, 1, rows)
