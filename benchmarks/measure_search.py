"""Measure speed and strength: writes benchmarks/results.json and two pictures, in some minutes; `make bench-search`.

The numbers by depth come from `maxconnect4 measure` itself. Times are CPU seconds, user and system. Whole processes are
measured from outside, with everything that they start.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from measurement import PROGRAM, begin, cpu_seconds, keep, progress

from maxconnect4 import EVALUATIONS, board_from_moves, choose
from maxconnect4.benchmark.positions import EXACT

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from positions import exact_positions

PICTURES = HERE.parent / "docs" / "pictures"
EMPTY_FILE = "0000000\n" * 6 + "1\n"
PLAYERS = [f"name={evaluation} depth:eval={evaluation}" for evaluation in EVALUATIONS]
BY_DEPTH = ("--depths", "0-20")
BY_REGRET = ("--depths", "1-8", "--search-only")


def main() -> None:
    begin()
    results = {"startup": startup(), "depths": depths(), "speed": speed(), "regret": regret(), "signature": signature()}
    keep("results", "bench-search", results)


def startup(runs: int = 41) -> dict[str, float]:
    """One move at depth 1 beside a bare Python, in turn, so that both meet the same machine."""
    progress("start-up")
    bare, move = [], []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in.txt").write_text(EMPTY_FILE)
        words = [PROGRAM, "one-move", f"{folder}/in.txt", f"{folder}/out.txt", "1"]
        for _ in range(runs):
            bare.append(cpu_seconds(sys.executable, "-c", "pass"))
            move.append(cpu_seconds(*words))
    return {
        "bare_ms": round(1000 * statistics.median(bare), 1),
        "one_move_ms": round(1000 * statistics.median(move), 1),
        "extra_ms": round(1000 * statistics.median(b - a for a, b in zip(bare, move, strict=True)), 1),
    }


def measured(*words: str) -> dict[str, Any]:
    """Result of `maxconnect4 measure` for every evaluation, and its command line."""
    with tempfile.TemporaryDirectory() as folder:
        command = [PROGRAM, "measure", *PLAYERS, *words, "--json", "--results", f"{folder}/measured.sqlite"]
        facts = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    kept = ("depth", "runs", "cpu_seconds", "nodes", "branching", "regret")
    return {
        each["player"]: [{name: row[name] for name in kept if row[name] is not None} for row in each["rows"]]
        for each in facts["series"]
    }


def depths() -> dict[str, Any]:
    """One move from the empty board, start-up included."""
    PICTURES.mkdir(exist_ok=True)
    return measured(*BY_DEPTH, "--plot", str(PICTURES / "cpu-by-depth.png"))


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


def regret() -> dict[str, dict[str, Any]]:
    """Points given away per move, on the half of the exact positions for looking at and on the half for reporting."""
    lines = Path(EXACT).read_text().splitlines(keepends=True)
    comments = [line for line in lines if not line[0].isdigit()]
    positions = [line for line in lines if line[0].isdigit()]
    table: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for half, chosen in (("looked_at", positions[0::2]), ("reported", positions[1::2])):
            path = Path(folder) / f"{half}.tsv"
            path.write_text("".join(comments + chosen))
            picture = PICTURES / "regret-by-cpu.png" if half == "reported" else Path(folder) / "other.png"
            table[half] = measured("--positions", str(path), *BY_REGRET, "--regret-plot", str(picture))
    return table


def signature() -> int:
    done = subprocess.run([PROGRAM, "bench"], capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1])


if __name__ == "__main__":
    main()
