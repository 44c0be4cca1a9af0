"""Measure the solver, and write benchmarks/solver.json. Takes some minutes; `make bench-solver` runs it.

Each position is solved by a new solver, one thread, with a table of at most 1 GiB. Node counts are the stable figure:
the same on every machine and on every run.
"""

from __future__ import annotations

import random
import statistics
import sys
from pathlib import Path
from typing import Any

from measurement import begin, keep, progress

from maxconnect4 import Board, Solver

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from positions import random_board

GIB = 1 << 30
SETS = {9: 21, 12: 41, 16: 81, 20: 161}  # plies: positions
SEED = 2026


def main() -> None:
    begin()
    results = {
        "empty": empty_board(),
        "two_threads": two_threads(),
        "scores": [scores(plies, count) for plies, count in SETS.items()],
    }
    keep("solver", "bench-solver", results)


def empty_board(runs: int = 5) -> dict[str, Any]:
    """The value of the empty board, with one thread and with two in turn, so that both meet the same machine."""
    progress("the empty board")
    alone, together = [], []
    for _ in range(runs):
        alone.append(Solver(GIB, threads=1, book=False).analyse(Board(), only_value=True))
        together.append(Solver(GIB, threads=2, book=False).analyse(Board(), only_value=True))
    ratios = [one.seconds / two.seconds for one, two in zip(alone, together, strict=True)]
    return {
        "value": alone[0].value,
        "nodes": alone[0].nodes,
        "cpu_seconds": statistics.median(one.cpu_seconds for one in alone),
        "seconds": statistics.median(one.seconds for one in alone),
        "two_threads": {
            "nodes": round(statistics.median(two.nodes for two in together)),
            "cpu_seconds": statistics.median(two.cpu_seconds for two in together),
            "seconds": statistics.median(two.seconds for two in together),
            "ratio": round(statistics.median(ratios), 2),
        },
    }


def two_threads(plies: int = 9, count: int = 15) -> dict[str, Any]:
    """The same positions with one thread and with two in turn; longer searches than that of the empty board."""
    progress("two threads")
    found: dict[str, Any] = {"plies": plies, "positions": count}
    for name, only_value in (("value", True), ("scores", False)):
        rng = random.Random(SEED)
        alone = together = 0.0
        for _ in range(count):
            board = random_board(rng, plies)
            alone += Solver(GIB, threads=1, book=False).analyse(board, only_value=only_value).seconds
            together += Solver(GIB, threads=2, book=False).analyse(board, only_value=only_value).seconds
        found[name] = round(alone / together, 2)
    return found


def scores(plies: int, count: int) -> dict[str, Any]:
    """The score of every column and a best line, of random positions."""
    progress(f"{count} positions after {plies} plies")
    rng = random.Random(SEED + plies)
    found = [Solver(GIB, threads=1, book=False).analyse(random_board(rng, plies)) for _ in range(count)]
    seconds = [analysis.cpu_seconds for analysis in found]
    return {
        "plies": plies,
        "positions": count,
        "median_nodes": round(statistics.median(analysis.nodes for analysis in found)),
        "mean_nodes": round(statistics.mean(analysis.nodes for analysis in found)),
        "median_seconds": round(statistics.median(seconds), 5),
        "mean_seconds": round(statistics.mean(seconds), 5),
        "most_seconds": round(max(seconds), 5),
    }


if __name__ == "__main__":
    main()
