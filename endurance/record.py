"""What came of a trial, kept for docs/robustness.md: a trial is written down when all of it has gone well."""

from __future__ import annotations

import datetime
import json
import sys
from pathlib import Path
from typing import Any

from maxconnect4.measuring.machine import machine
from maxconnect4.saving import save_whole

RESULTS = Path(__file__).parent.parent / "benchmarks" / "endurance.json"


def record(script: str, facts: dict[str, Any], part: str = "") -> None:
    """Keep the facts of a trial, or of a part of it, in the place of what came of it the last time."""
    name = Path(script).stem
    words = " ".join([f"python endurance/{name}.py", *sys.argv[1:]])
    about = {"command": words, "date": datetime.date.today().isoformat(), "machine": machine()}
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    results[f"{name} {part}".strip()] = about | facts
    save_whole(str(RESULTS), json.dumps(dict(sorted(results.items())), indent=1).encode() + b"\n")
