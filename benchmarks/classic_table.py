"""The classic solver in docs/developer/performance.md, from classic.json and measurements of other solvers."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

FIELD = Path(__file__).parent / "studies" / "classic_field.tsv"
UNITS = {"µs": 1e-6, "ms": 1e-3, "s": 1.0}


def classic_rows(results: dict[str, Any]) -> list[list[str]]:
    """A row for each set: what we and BitBully take, our share of its time, and the share of the best of the others."""
    return [
        [
            name,
            f"{found['positions']:,}",
            amount(found["ours"]["seconds"]),
            f"{found['ours']['nodes']:,.0f}",
            amount(found["bitbully"]["seconds"]),
            f"{found['bitbully']['nodes']:,.0f}",
            f"{found['share']:.3f}",
            f"{best_of_the_field()[name]:.3f}",
            str(found["ours"]["wrong"]),
        ]
        for name, found in results["sets"].items()
    ]


HEAD = ["set", "positions", "maxconnect4", "nodes", "BitBully", "nodes", "ratio", "best ratio of three", "wrong scores"]


def best_of_the_field() -> dict[str, float]:
    """For each set the time of the quickest of the three as a share of BitBully's, as measured before."""
    shares = {}
    with FIELD.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"):
            times = {name: seconds(text) for name, text in row.items() if name != "set" and text != "–"}
            shares[row["set"]] = min(times.values()) / times["BitBully"]
    return shares


def seconds(text: str) -> float:
    number, unit = text.partition(",")[0].split()
    return float(number) * UNITS[unit]


def amount(seconds: float) -> str:
    for unit in ("s", "ms"):
        if seconds >= UNITS[unit]:
            return f"{seconds / UNITS[unit]:.2f} {unit}"
    return f"{seconds * 1e6:.1f} µs"
