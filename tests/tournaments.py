"""Files of tournaments, and what came of them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from external_programs import PLAYERS, command_line
from terminal import maxconnect4

from maxconnect4.referee.store import ResultStore

EIGHT = ("honest", "untidy", "crasher", "unchanged", "depth:1", "depth:2,eval=lines", "random", "random:seed=7")


def command(name: str, folder: Path) -> str:
    """One of the players. The folder is of no use to it, but tells whose processes these are."""
    return f"{command_line(name)} one-move {{in}} {{out}} {{depth}} {folder}"


def tournament_file(folder: Path, *players: str, **settings: Any) -> Path:
    """Players are names of programs in tests/players, or built in."""
    text = "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())
    for player in players:
        is_program = (PLAYERS / f"{player}.py").exists()
        how = f"command = {json.dumps(command(player, folder))}" if is_program else f"built_in = {json.dumps(player)}"
        text += f"[[player]]\nname = {json.dumps(player)}\n{how}\n"
    (folder / "t.toml").write_text(text)
    return folder / "t.toml"


def rows(path: Path) -> dict[int, tuple[Any, ...]]:
    """All games of a file of results, read past our own code."""
    if not path.exists():
        return {}
    with closing(sqlite3.connect(f"file:{path}?mode=rw", uri=True, timeout=60)) as database:
        if not database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:  # it has just been made
            return {}
        return {row[0]: row[1:] for row in database.execute("SELECT * FROM games")}


def table(path: Path, *words: str) -> list[dict[str, Any]]:
    """The standings after a tournament, without the times. It has one worker unless the words say how many."""
    if not {"--processes", "--scheduler"} & {*words}:
        words += ("--processes", "1")
    done = maxconnect4("tournament", path, "--json", *words)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    standings: list[dict[str, Any]] = json.loads(done.stdout)["standings"]
    for each in standings:
        del each["cpu_seconds"], each["max_cpu_seconds"]
    return standings


def games(path: Path) -> list[tuple[Any, ...]]:
    """What is the same whenever a game is played."""
    with ResultStore(str(path), read_only=True) as results:
        return [
            (each.game, each.result.moves, each.result.ending, each.result.score, each.result.points)
            for each in results.all()
        ]
