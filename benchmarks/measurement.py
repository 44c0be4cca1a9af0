"""Functions of all measuring scripts: set-up, progress, CPU times, and results files."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from maxconnect4.system import machine

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).parent
PROGRAM = str(Path(sys.executable).parent / "maxconnect4")


def begin() -> None:
    print("Other work on the machine makes these numbers worse.", file=sys.stderr)


def progress(what: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{what}", end="", file=sys.stderr, flush=True)


def about(command: str) -> dict[str, str]:
    """Where, when and with which command something was found."""
    return {"machine": machine(), "date": datetime.date.today().isoformat(), "command": command}


def keep(name: str, target: str, facts: dict[str, Any], words: Sequence[str] = ()) -> None:
    """Write a results file: what was found, by `make` with a target, or by the script itself if it was given words."""
    command = " ".join([f"python benchmarks/{Path(sys.argv[0]).name}", *words]) if words else f"make {target}"
    (HERE / f"{name}.json").write_text(json.dumps(about(command) | facts, indent=1) + "\n")
    progress("")
    print(f"wrote benchmarks/{name}.json")


def cpu_seconds(*words: str) -> float:
    """The CPU time of a process and of all that it started, as the system counts it."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime
