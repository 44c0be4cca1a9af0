"""The mutants that nobody can notice, with the reason, and the counts of all: what both programs that make them keep.

A line of survivors.tsv has the file, the line of code with the change in it, and the reason. The counts of each file go
into a JSON file beside those of other files, with the day and the machine.
"""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from pathlib import Path

TABLE = Path(__file__).parent / "survivors.tsv"
NOTICED = ("compiler", "wrong", "different", "nodes", "killed")


def explained(file: str) -> dict[str, str]:
    """The changes in a file that are known to make no difference, and why not."""
    rows = [line.split("\t") for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    return {change: why for name, change, why in rows if name == file}


def noticed_in(table: Path) -> dict[tuple[str, str], tuple[str, str]]:
    """The fates of those that somebody noticed the last time; not of two alike, if one was not noticed."""
    rows = [line.split("\t") for line in table.read_text().splitlines()] if table.exists() else []
    unnoticed = {(file, change) for file, _, change, fate, _ in rows if fate in ("survives", "explained")}
    return {(row[0], row[2]): (row[3], row[4]) for row in rows if (row[0], row[2]) not in unnoticed}


def write_counts(path: Path, command: str, counts: dict[str, Counter[str]]) -> None:
    """Put what a command found of some files beside what is known of others."""
    from maxconnect4.measuring.machine import machine  # not before the tests load what they test

    kept = json.loads(path.read_text()) if path.exists() else {"files": {}}
    kept |= {"machine": machine(), "date": date.today().isoformat()}
    for file, fates in counts.items():
        noticed = sum(fates[fate] for fate in NOTICED)
        found = {
            "mutants": fates.total(),
            "noticed": noticed,
            "do_not_end": fates["run"],
            "explained": fates["explained"],
        }
        kept["files"][file] = found | {"survive": fates["survives"], "command": command}
    path.write_text(json.dumps(kept, indent=1) + "\n")
