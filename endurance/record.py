"""The results of the trials, for docs/developer/robustness.md: a trial is recorded when it passes completely."""

from __future__ import annotations

import datetime
import json
import sys
from pathlib import Path
from typing import Any

from maxconnect4.files import write_atomic
from maxconnect4.system import machine

RESULTS = Path(__file__).parent.parent / "benchmarks" / "endurance.json"


def record(script: str, facts: dict[str, Any], part: str = "") -> None:
    """Replace the recorded results of a trial, or of a part of it."""
    name = Path(script).stem
    words = " ".join([f"python endurance/{name}.py", *sys.argv[1:]])
    about = {"command": words, "date": datetime.date.today().isoformat(), "machine": machine()}
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    results[f"{name} {part}".strip()] = about | facts
    write_atomic(str(RESULTS), json.dumps(dict(sorted(results.items())), indent=1).encode() + b"\n")
