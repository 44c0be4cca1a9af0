"""The external programs of tests/players as players, other commands, and the processes that they leave."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from maxconnect4.referee import sandbox
from maxconnect4.referee.isolation import FileAccess, isolation_for
from maxconnect4.referee.limits import ResourceLimits
from maxconnect4.referee.players import PlayerSpec, player_spec

PLAYERS = Path(__file__).parent / "players"
# Without isolation, as many programs of the tests write to a folder of the test.
PATIENT = ResourceLimits(
    seconds=60, cpu_seconds=60, isolation="none"
)  # for programs that should succeed on a busy machine
QUICK = ResourceLimits(seconds=1, cpu_seconds=60, isolation="none")


def program(name: str) -> list[str]:
    """The words that start one of the players: in the shell if it has a script, which takes a sixth of the CPU time."""
    script = PLAYERS / f"{name}.sh"
    return ["sh", str(script)] if script.exists() else [sys.executable, "-S", "-E", "-B", str(PLAYERS / f"{name}.py")]


def player(
    name: str, *more: str, limits: ResourceLimits = PATIENT, folder: str | None = None, **environment: str
) -> PlayerSpec:
    """One of the players; more words go to its end."""
    words = [*program(name), "one-move", "{in}", "{out}", "{depth}"]
    return player_spec([*words, *more], name=name, limits=limits, folder=folder, environment=environment)


def script(folder: Path, commands: str, name: str = "program") -> Path:
    """A shell script with some commands: the files are "$2" and "$3"."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{commands}\n")
    path.chmod(0o755)
    return path


def command_line(name: str) -> str:
    """The command of one of the players as a user would write it."""
    return shlex.join(program(name))


def run(
    words: list[str], folder: str, limits: ResourceLimits = PATIENT, environment: dict[str, str] | None = None
) -> sandbox.RunResult:
    """Run a command to its end, or to the limits."""
    with sandbox.Sandbox(
        words, folder, environment or dict(os.environ), limits, isolation_for("none"), FileAccess()
    ) as box:
        return box.run()


def pids_in(path: Path) -> list[int]:
    """The process IDs that a player has written to a file."""
    return [int(line) for line in path.read_text().split()]
