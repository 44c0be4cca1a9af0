"""Measure the referee, and write benchmarks/referee.json. Takes a minute or two; `make bench-referee` runs it."""

from __future__ import annotations

import resource
import sqlite3
import subprocess
import tempfile
import time
from contextlib import closing
from pathlib import Path

from measurement import PROGRAM, begin, cpu_seconds, keep, progress

from maxconnect4.board import Board
from maxconnect4.position_file import board_as_text
from maxconnect4.referee import sandbox
from maxconnect4.referee.limits import ResourceLimits
from maxconnect4.referee.players import player_spec
from maxconnect4.referee.program import Program

PLAYERS = 100


def main() -> None:
    begin()
    results = {"move": move(), "match": match(), "large": large()}
    keep("referee", "bench-referee", results)


def move(moves: int = 1000) -> dict[str, float]:
    """A move of an external program in milliseconds: CPU time of the referee and of the program, and wall-clock time.

    The program is a shell script that writes down a move which it knows beforehand, so that nearly all of the time is
    that of starting it.
    """
    progress("moves of an external program")
    sandbox.become_subreaper()
    before, after = Board(), Board()
    after.drop(4)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "program")
        script.write_text(f"#!/bin/sh\nprintf '%s\\n' {' '.join(board_as_text(after).split())} >\"$3\"\n")
        script.chmod(0o755)
        program = Program(player_spec(["./program"], folder=folder, limits=ResourceLimits(isolation="none")))
        answers = [program.move(before) for _ in range(10)]  # what is done once does not count
        own, start = own_cpu(), time.monotonic()
        answers = [program.move(before) for _ in range(moves)]
        own, seconds = own_cpu() - own, time.monotonic() - start
    sandbox.become_subreaper(False)
    if any(answer.column != 4 or answer.notes for answer in answers):
        raise SystemExit("the program did not make its moves")
    return {
        "moves": moves,
        "referee_cpu_ms": round(1000 * own / moves, 3),
        "program_cpu_ms": round(1000 * sum(answer.cpu_seconds for answer in answers) / moves, 3),
        "clock_ms": round(1000 * seconds / moves, 3),
    }


def own_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def match(openings: int = 1000) -> dict[str, float]:
    """A match between built-in players at depth 2, two games at a time: wall-clock time of the command."""
    progress("a match at depth 2")
    with tempfile.TemporaryDirectory() as folder:
        words = ["match", "depth:2", "depth:2,eval=lines", "--openings", f"random:plies=6,count={openings}"]
        start = time.monotonic()
        run(folder, *words, "--processes", "2")
        seconds = time.monotonic() - start
    return {"games": 2 * openings, "seconds": round(seconds, 2), "per_minute": round(2 * openings / seconds * 60)}


def large() -> dict[str, float]:
    """A round robin of many players: the wall-clock time without the games."""
    progress(f"a round robin of {PLAYERS} players")
    with tempfile.TemporaryDirectory() as folder:
        players = "".join(f'[[player]]\nbuilt_in = "random:seed={number}"\n' for number in range(PLAYERS))
        Path(folder, "t.toml").write_text(f'openings = "random:count=1"\n{players}')
        run(folder, "tournament", "t.toml")
        start = time.monotonic()
        scheduling = cpu_seconds(PROGRAM, "tournament", f"{folder}/t.toml")  # nothing is left to play
        middle = time.monotonic()
        reporting = cpu_seconds(PROGRAM, "report", f"{folder}/t.sqlite")
        end = time.monotonic()
        with closing(sqlite3.connect(f"{folder}/t.sqlite")) as database:
            games = database.execute("SELECT count(*) FROM games").fetchone()[0]
        size = Path(folder, "t.html").stat().st_size
    return {
        "players": PLAYERS,
        "games": games,
        "schedule_seconds": round(middle - start, 2),
        "schedule_cpu_seconds": round(scheduling, 2),
        "report_seconds": round(end - middle, 2),
        "report_cpu_seconds": round(reporting, 2),
        "report_bytes": size,
    }


def run(folder: str, *words: str) -> None:
    subprocess.run([PROGRAM, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
