"""Measure the classic solver beside BitBully, and write benchmarks/classic.json; `make bench-classic`.

One thread, no book, an empty table for each position. The two take turns, a few positions each, so that whatever else
the machine does slows both. The position sets are third-party: a folder with Test_L3_R1.txt and so on, each line a move
string and its score. What cannot be found is left out; the empty board is always there.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from measurement import begin, keep, progress

from maxconnect4 import GREEN, RED, board_from_moves
from maxconnect4.search import CoreSolver, as_bits

HERE = Path(__file__).parent
SETS = HERE.parent.parent / "shared" / "data" / "classic"
TABLE = 1 << 30
# How many positions of each set; early ones take BitBully seconds.
COUNTS = {"L3_R1": 500, "L2_R1": 500, "L2_R2": 500, "L1_R1": 500, "L1_R2": 100, "L1_R3": 17}
AT_ONCE = 10


def main() -> None:
    parser = argparse.ArgumentParser(description="measure the classic solver beside BitBully")
    parser.add_argument("python", help="a Python that has BitBully")
    parser.add_argument("--sets", type=Path, default=SETS, help="the folder of the sets (default: %(default)s)")
    parser.add_argument("--share", type=float, default=1.0, help="of the positions of each set (default: all)")
    parser.add_argument("--no-empty", action="store_true", help="leave the empty board out, which takes minutes")
    args = parser.parse_args()
    begin()
    sets = {name: positions(args.sets, name, max(1, round(count * args.share))) for name, count in COUNTS.items()}
    if not args.no_empty:
        sets["empty board"] = [("", 1)]
    with subprocess.Popen(
        [args.python, HERE / "solve_with_bitbully.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as theirs:
        results = {
            "bitbully": version(args.python),
            "sets": {name: measured(name, rows, theirs) for name, rows in sets.items() if rows},
        }
        assert theirs.stdin
        theirs.stdin.close()
    keep("classic", "bench-classic", results, sys.argv[2:] and ["PYTHON", *sys.argv[2:]])


def positions(folder: Path, name: str, count: int) -> list[tuple[str, int]]:
    path = folder / f"Test_{name}.txt"
    if not path.exists():
        print(f"{path} is not there: left out", file=sys.stderr)
        return []
    rows = [line.split() for line in path.read_text().splitlines()]
    return [(moves, int(score)) for moves, score in rows[:count]]


def version(python: str) -> str:
    code = "import importlib.metadata; print(importlib.metadata.version('bitbully'))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def measured(name: str, rows: list[tuple[str, int]], theirs: subprocess.Popen[str]) -> dict[str, Any]:
    solver = CoreSolver(7, 6, True, TABLE, 1)
    ours, others = [], []
    for start in range(0, len(rows), AT_ONCE):
        progress(f"{name}: {start} of {len(rows)} positions")
        some = rows[start : start + AT_ONCE]
        ours += [solved(solver, moves) for moves, _ in some]
        others += asked(theirs, [moves for moves, _ in some])
    scores = [score for _, score in rows]
    return {
        "positions": len(rows),
        "ours": summary(ours, scores),
        "bitbully": summary(others, scores),
        "share": round(sum(row[1] for row in ours) / sum(row[1] for row in others), 4),
    }


def solved(solver: CoreSolver, moves: str) -> tuple[int, float, int]:
    board = board_from_moves(moves, "classic")
    red, green = as_bits(board, RED), as_bits(board, GREEN)
    solver.clear_table()
    start = time.process_time()
    found = solver.analyse(red, green, "value", None)
    return found.value, time.process_time() - start, found.nodes


def asked(theirs: subprocess.Popen[str], moves: list[str]) -> list[tuple[int, float, int]]:
    assert theirs.stdin
    assert theirs.stdout
    theirs.stdin.write(json.dumps(moves) + "\n")
    theirs.stdin.flush()
    return [tuple(row) for row in json.loads(theirs.stdout.readline())]


def summary(rows: list[tuple[int, float, int]], scores: list[int]) -> dict[str, Any]:
    return {
        "seconds": sum(row[1] for row in rows) / len(rows),
        "nodes": round(sum(row[2] for row in rows) / len(rows), 1),
        "wrong": sum(row[0] != score for row, score in zip(rows, scores, strict=True)),
    }


if __name__ == "__main__":
    main()
