"""Example measurements with gaps, faults, several runs, regret and games."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import structs

from maxconnect4.benchmark.store import Metadata
from maxconnect4.benchmark.summary import DepthResult, DepthSeries, MeasurementSummary, Timing
from maxconnect4.referee.conformance import BaselineResult
from maxconnect4.sample_positions import Regret

HOSTILE = "</script><img src=x onerror=alert(1)> | **b** `c` {{data}} \u202e"
TIMES = (0.061, 0.064, 0.083, 0.145, None, 2.31, 11.9, 75.25)
METADATA = Metadata(
    machine="Some Processor, 2 cores, Linux, Python 3.11.7",
    date="2026-11-16",
    version="1.2.3",
    command="maxconnect4 report 'python3 mine.py'",
    limit=60.0,
    sets={"empty": "0123abcd"},
)


def spread(seconds: float, share: float = 0.1) -> Timing:
    """Of several runs, of which the quickest and the slowest are off by a share."""
    return Timing(seconds, seconds * (1 - share), seconds * (1 + share))


def timed(depth: int | None, seconds: float, regret: float | None = None, share: float = 0.1) -> DepthResult:
    """A row of three runs."""
    times = spread(seconds, share)
    lost = None if regret is None else Regret(mean=regret, error=0.03, perfect_share=0.8, worst=4, moves=200)
    return DepthResult(depth, 3, times, times, (4,), regret=lost)


def failed(depth: int | None, reason: str = "crash: it ended with exit status 1") -> DepthResult:
    """A row of a program that made no move."""
    return DepthResult(depth, 1, faults=1, reason=reason)


def by_depth(player: str, seconds: Mapping[int, float | None], positions: str = "empty") -> DepthSeries:
    """A player's times, of which None is a gap."""
    rows = tuple(failed(depth) if taken is None else timed(depth, taken) for depth, taken in seconds.items())
    return DepthSeries(player, positions, 1, rows)


def measured(
    name: str = "mine", how: str = "python3 mine.py one-move {in} {out} {depth}", reason: str = ""
) -> MeasurementSummary:
    """An external program that fails at depth 5, is over the limit at depth 8, and now and then on a set."""
    reason = reason or "crash: it ended with exit status 7"
    times = tuple(
        DepthResult(depth, 3, faults=3, reason=reason)
        if seconds is None
        else DepthResult(depth, 3, spread(seconds), spread(1.3 * seconds), (4,) if depth < 7 else (3, 4))
        for depth, seconds in enumerate(TIMES, start=1)
    )
    regrets = tuple(
        DepthResult(
            depth,
            1,
            spread(0.05 * 2**depth),
            spread(0.06 * 2**depth),
            regret=Regret(0.512 / depth, 0.0321, 1 - 0.4321 / depth, 5 - depth // 2, 138),
            faults=int(depth == 2),
            reason=reason if depth == 2 else "",
        )
        for depth in range(1, 6)
    )
    return MeasurementSummary(
        (DepthSeries(name, "empty", 1, times, "depth 8 took more than 60 s"), DepthSeries(name, "exact", 139, regrets)),
        (BaselineResult(name, "random", 17, 1, 2, 123, 45, 1, 4),),
        structs.replace(METADATA, players={name: how}),
    )


def built_in() -> MeasurementSummary:
    """Two built-in players, which tell their nodes."""
    series = tuple(
        DepthSeries(
            name,
            "empty",
            1,
            tuple(
                DepthResult(
                    depth,
                    1,
                    spread(factor * 3.0**depth),
                    spread(factor * 3.1**depth),
                    (4,),
                    nodes=1234.0 * 3**depth,
                    nodes_per_second=9_876_543.0,
                    branching=2.0 + depth / 10,
                )
                for depth in range(1, 7)
            ),
        )
        for name, factor in (("best", 0.0001), ("lines", 0.0002))
    )
    players = {"best": "depth,eval=best", "lines": "depth,eval=lines (search only)"}
    return MeasurementSummary(
        series, (BaselineResult("best", "random", 20, 0, 0, 222, 11, 0),), structs.replace(METADATA, players=players)
    )
