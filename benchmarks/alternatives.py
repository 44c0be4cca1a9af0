"""The comparison in README.md with the alternatives: figures of this program, and of others from studies/."""

from __future__ import annotations

import csv
from statistics import median
from typing import Any

import classic_table
import comparison_table
from tables import table

HEAD = ["", "maxconnect4", "assignment programs", "BitBully", "Pascal Pons' solver", "c4"]
NONE = "–"


def alternatives(results: dict[str, Any], classic: dict[str, Any]) -> str:
    """A row for each feature or figure."""
    ours = {row["depth"]: row["cpu_seconds"]["median"] for row in results["depths"]["best"]}
    regret = {row["depth"]: row["regret"]["mean"] for row in results["regret"]["reported"]["best"]}
    rows = [
        ["Max-Connect4", "exact", "minimax", *[NONE] * 3],
        ["CPU time of a move at depth 12", f"{ours[12]:.2f} s (`best`)", f"{typical('12')} s", *[NONE] * 3],
        ["mean regret of a move at depth 4", f"{regret[4]:.3f} (`best`)", typical("regret at 4"), *[NONE] * 3],
        ["classic game", "exact", NONE, "exact", "exact", "exact"],
    ]
    for name, text in (("L2_R2", "classic middle game"), ("empty board", "empty classic board")):
        rows.append([f"CPU time, {text}, relative to BitBully", *shares(classic, name)])
    return table(HEAD, rows, "---")


def typical(column: str) -> str:
    """The median of the public programs."""
    known = [text for text in (program[column] for program in comparison_table.field()) if text]
    middle = median(float(text.lstrip(">")) for text in known)
    return f"{middle:g}"


def shares(classic: dict[str, Any], name: str) -> list[str]:
    """CPU time of each solver on a set, as a share of BitBully's in the same run."""
    with classic_table.FIELD.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t")
        (row,) = (row for row in rows if row["set"] == name)
    bitbully = classic_table.seconds(row["BitBully"])
    others = [row["Pons (C++)"], row["c4 by C. Steininger (C++)"]]
    texts = [NONE if text == NONE else f"{classic_table.seconds(text) / bitbully:.2f}" for text in others]
    return [f"{classic['sets'][name]['share']:.2f}", NONE, "1", *texts]
