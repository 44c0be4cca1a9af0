"""Measure a Dask cluster on this machine, and write benchmarks/cluster.json. Takes some minutes; `make bench-cluster`
runs it.

One worker and then two solve the same batches of 8-ply positions, spread over the layer, in wall-clock time. A random
sample of batches of 10-ply positions shows what a book of ten plies would take.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from measurement import begin, keep, progress

from maxconnect4.book_builder import CLUSTER_MEMORY, SolvedPosition, cluster_solvers
from maxconnect4.position_keys import layers
from maxconnect4.workers import Task

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from dask_cluster import DaskCluster

BATCH = 32  # positions, as `book build` has it
SEED = 2026


def main() -> None:
    parser = argparse.ArgumentParser(description="measure one Dask worker and two")
    parser.add_argument("--positions", type=int, default=1024, help="8-ply positions (default: %(default)s)")
    parser.add_argument("--sample", type=int, default=640, help="10-ply positions (default: %(default)s)")
    args = parser.parse_args()
    begin()
    progress("all positions of ten plies")
    all_layers = list(layers(10))
    batches = max(1, args.positions // BATCH)
    eight, ten = all_layers[8], all_layers[10]
    even = [number * (len(eight) - BATCH) // batches for number in range(batches)]
    at_random = sorted(random.Random(SEED).sample(range(0, len(ten) - BATCH, BATCH), max(1, args.sample // BATCH)))
    one = measured(eight, even, workers=1)
    two = measured(eight, even, workers=2)
    results = {
        "memory": CLUSTER_MEMORY,
        "one_worker": one,
        "two_workers": two,
        "ratio": round(two["per_second"] / one["per_second"], 2),
        "ten_plies": {"all": len(ten), **measured(ten, at_random, workers=2)},
    }
    keep("cluster", "bench-cluster", results, sys.argv[1:])


def measured(layer: list[int], starts: list[int], workers: int) -> dict[str, Any]:
    """The positions of some batches, on a cluster of its own: the clock, from the first task to the last position."""
    tasks = [Task(f"bench-{start:06}", tuple(layer[start : start + BATCH])) for start in starts]
    solved: list[SolvedPosition] = []
    with tempfile.TemporaryDirectory() as folder, DaskCluster(Path(folder), workers) as cluster:
        cluster.client().close()  # the workers are there
        at_work = cluster_solvers(cluster.address)
        start = time.monotonic()
        for more in at_work.run(tasks):
            solved += [each.result for each in more]
            progress(f"{workers} workers: {len(solved)} of {len(tasks) * BATCH} positions")
        seconds = time.monotonic() - start
    return {
        "positions": len(solved),
        "seconds": round(seconds, 2),
        "per_second": round(len(solved) / seconds, 3),
        "cpu_seconds": round(sum(each.cpu_seconds for each in solved), 2),
        "nodes": sum(each.nodes for each in solved),
    }


if __name__ == "__main__":
    main()
