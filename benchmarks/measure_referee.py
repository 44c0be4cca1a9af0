"""Measure what the referee itself takes for a move of a foreign program: prints JSON. Takes some seconds.

The program is a shell script that writes down a move which it knows beforehand, so that nearly all of the time is that
of starting it. The CPU time is that of this process alone, without the program's.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from maxconnect4.board import Board
from maxconnect4.files import board_as_text
from maxconnect4.referee import sandbox
from maxconnect4.referee.entrants import entrant
from maxconnect4.referee.program import Program


def main() -> None:
    parser = argparse.ArgumentParser(description="measure the referee's own time for a move")
    parser.add_argument("--moves", type=int, default=300, help="how many (default: %(default)s)")
    args = parser.parse_args()
    print("Other work on the machine makes these numbers worse.", file=sys.stderr)
    print(json.dumps(measured(args.moves)))


def measured(moves: int) -> dict[str, Any]:
    """What a move takes, in milliseconds: the referee's CPU time, the program's, and by the clock."""
    sandbox.adopt_orphans()
    before, after = Board(), Board()
    after.drop(4)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "program")
        script.write_text(f"#!/bin/sh\nprintf '%s\\n' {' '.join(board_as_text(after).split())} >\"$3\"\n")
        script.chmod(0o755)
        program = Program(entrant(["./program"], folder=folder))
        answers = [program.move(before) for _ in range(10)]  # what is done once does not count
        own, start = _own_cpu(), time.monotonic()
        answers = [program.move(before) for _ in range(moves)]
        own, seconds = _own_cpu() - own, time.monotonic() - start
    sandbox.adopt_orphans(False)
    if any(answer.column != 4 or answer.notes for answer in answers):
        raise SystemExit("the program did not make its moves")
    return {
        "moves": moves,
        "referee_cpu_ms": round(1000 * own / moves, 3),
        "program_cpu_ms": round(1000 * sum(answer.cpu_seconds for answer in answers) / moves, 3),
        "clock_ms": round(1000 * seconds / moves, 3),
        "counts_processes": os.geteuid() != 0,  # the superuser has no limit on them
    }


def _own_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
