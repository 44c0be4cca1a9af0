"""Measure speed and strength, and write benchmarks/results.json. Takes some minutes; `make bench` runs it.

Times are CPU seconds, user and system. Whole processes are measured from outside, with everything that they start.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from maxconnect4 import EVALUATIONS, Board, board_from_moves, choose
from maxconnect4.measuring.published import published_tables

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from positions import exact_positions

BIN = Path(sys.executable).parent
RESULTS = HERE / "results.json"
EMPTY_FILE = "0000000\n" * 6 + "1\n"


def main() -> None:
    print("Other work on the machine makes these numbers worse.", file=sys.stderr)
    results = {
        "machine": machine(),
        "date": datetime.date.today().isoformat(),
        "command": "make bench",
        "startup": startup(),
        "depths": depths(),
        "speed": speed(),
        "regret": regret(),
        "signature": signature(),
    }
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")


def machine() -> str:
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def cpu_seconds(*words: str) -> float:
    """The CPU time of a process and of all that it started, as the system counts it."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def startup(runs: int = 41) -> dict[str, float]:
    """One move at depth 1 beside a bare Python, in turn, so that both meet the same machine."""
    progress("start-up")
    bare, move = [], []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in.txt").write_text(EMPTY_FILE)
        words = [str(BIN / "maxconnect4"), "one-move", f"{folder}/in.txt", f"{folder}/out.txt", "1"]
        for _ in range(runs):
            bare.append(cpu_seconds(sys.executable, "-c", "pass"))
            move.append(cpu_seconds(*words))
    return {
        "bare_ms": round(1000 * statistics.median(bare), 1),
        "one_move_ms": round(1000 * statistics.median(move), 1),
        "extra_ms": round(1000 * statistics.median(b - a for a, b in zip(bare, move, strict=True)), 1),
    }


def depths(runs: int = 5) -> list[dict[str, Any]]:
    """One move from the empty board with the evaluation `table`, start-up included, beside a published table."""
    published = published_tables()[0].by_depth
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in.txt").write_text(EMPTY_FILE)
        for depth in range(21):
            progress(f"depth {depth}")
            words = ["one-move", f"{folder}/in.txt", f"{folder}/out.txt", str(depth), "--eval", "table"]
            seconds = statistics.median(cpu_seconds(str(BIN / "maxconnect4"), *words) for _ in range(runs))
            choice = choose(Board(), depth, evaluation="table")
            row: dict[str, Any] = {"depth": depth, "seconds": round(seconds, 4), "nodes": choice.nodes}
            if depth in published:
                row["published"] = published[depth]
            rows.append(row)
    return rows


def speed(rounds: int = 9) -> dict[str, int]:
    """Nodes a second of the core on one thread, at depth 12 from the first positions of the exact set: the median."""
    boards = [board_from_moves(moves) for moves, _, _ in exact_positions() if len(moves) <= 16]
    rates: dict[str, list[float]] = {evaluation: [] for evaluation in EVALUATIONS}
    for number in range(rounds):
        for evaluation in EVALUATIONS:
            progress(f"speed of {evaluation}, round {number + 1}")
            choices = [choose(board, 12, evaluation=evaluation) for board in boards]
            seconds = sum(choice.cpu_seconds for choice in choices)
            rates[evaluation].append(sum(choice.nodes for choice in choices) / seconds)
    return {evaluation: round(statistics.median(found)) for evaluation, found in rates.items()}


def regret() -> dict[str, dict[str, dict[str, float]]]:
    """Points given away per move, on the half of the exact positions for looking at and on the half for reporting."""
    positions = exact_positions()
    halves = {"looked_at": positions[0::2], "reported": positions[1::2]}
    table: dict[str, dict[str, dict[str, float]]] = {half: {} for half in halves}
    for half, chosen in halves.items():
        for evaluation in EVALUATIONS:
            progress(f"regret of {evaluation}")
            table[half][evaluation] = {}
            for depth in (1, 2, 4, 6, 8):
                lost = 0
                for moves, value, scores in chosen:
                    score = scores[choose(board_from_moves(moves), depth, evaluation=evaluation).column - 1]
                    assert score is not None
                    lost += value - score
                table[half][evaluation][str(depth)] = round(lost / len(chosen), 3)
    return table


def signature() -> int:
    done = subprocess.run([BIN / "maxconnect4", "bench"], capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1])


def progress(what: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{what}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
