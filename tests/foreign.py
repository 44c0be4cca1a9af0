"""The players of tests/players as entrants, other commands, and what they leave behind."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from maxconnect4.referee.entrants import Entrant, entrant
from maxconnect4.referee.limits import Limits
from maxconnect4.referee.programs import sandbox
from maxconnect4.referee.programs.isolation import View, isolation_for

PLAYERS = Path(__file__).parent / "players"
# Without isolation, as many programs of the tests note something down in a folder of the test.
PATIENT = Limits(seconds=60, cpu_seconds=60, isolation="none")  # for programs that should succeed on a busy machine
QUICK = Limits(seconds=1, cpu_seconds=60, isolation="none")


def program(name: str) -> list[str]:
    """The words that start one of the players: in the shell if it has a script, which takes a sixth of the CPU time."""
    script = PLAYERS / f"{name}.sh"
    return ["sh", str(script)] if script.exists() else [sys.executable, "-S", "-E", "-B", str(PLAYERS / f"{name}.py")]


def player(name: str, *more: str, limits: Limits = PATIENT, folder: str | None = None, **environment: str) -> Entrant:
    """One of the players; more words go to its end."""
    words = [*program(name), "one-move", "{in}", "{out}", "{depth}"]
    return entrant([*words, *more], name=name, limits=limits, folder=folder, environment=environment)


def script(folder: Path, orders: str, name: str = "program") -> Path:
    """A shell script that obeys some orders: the files are "$2" and "$3"."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{orders}\n")
    path.chmod(0o755)
    return path


def command_line(name: str) -> str:
    """The command of one of the players as a person would write it."""
    return shlex.join(program(name))


def run(
    words: list[str], folder: str, limits: Limits = PATIENT, environment: dict[str, str] | None = None
) -> sandbox.Ran:
    """Run a command to its end, or to the limits."""
    with sandbox.Sandbox(words, folder, environment or dict(os.environ), limits, isolation_for("none"), View()) as box:
        return box.run()


def pids_in(path: Path) -> list[int]:
    """The processes that a player has noted down."""
    return [int(line) for line in path.read_text().split()]
