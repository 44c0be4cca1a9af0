"""Whole tournaments, by the real program: left alone, killed, taken up again, on processes and on a cluster."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from terminal import PROGRAM, maxconnect4

from maxconnect4.referee.results import Results

PLAYERS = Path(__file__).parent / "players"
ENDINGS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP]


def command(name: str) -> str:
    return f"{sys.executable} -I {PLAYERS / name}.py one-move {{in}} {{out}} {{depth}}"


def tournament_file(folder: Path, *players: str, **settings: Any) -> Path:
    """Players are names of programs in tests/players, or built in."""
    text = "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())
    for player in players:
        is_program = (PLAYERS / f"{player}.py").exists()
        text += f"[[player]]\nname = {json.dumps(player)}\n"
        text += f"{'command' if is_program else 'built_in'} = {json.dumps(command(player) if is_program else player)}\n"
    (folder / "t.toml").write_text(text)
    return folder / "t.toml"


def rows(path: Path) -> dict[int, tuple[Any, ...]]:
    """All games of a file of results, read past our own code."""
    with closing(sqlite3.connect(f"file:{path}?mode=rw", uri=True, timeout=10)) as database:
        if not database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:  # it has just been made
            return {}
        return {row[0]: row[1:] for row in database.execute("SELECT * FROM games")}


def table(path: Path, *words: str) -> list[dict[str, Any]]:
    """Run a tournament to its end, and give its standings, without the times."""
    done = maxconnect4("tournament", path, "--json", *words, timeout=200)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    standings: list[dict[str, Any]] = json.loads(done.stdout)["standings"]
    for each in standings:
        del each["cpu"], each["most_cpu"]
    return standings


def games(path: Path) -> list[tuple[Any, ...]]:
    """What is the same whenever a game is played."""
    with Results(str(path), read_only=True) as results:
        return [
            (each.game, each.played.moves, each.played.ending, each.played.score, each.played.points)
            for each in results.all()
        ]


GAMES = 8 * 7 * 3
EIGHT = ("honest", "untidy", "crasher", "unchanged", "depth:1", "depth:2,eval=lines", "random", "random:seed=7")


def test_a_tournament_killed_twenty_times_ends_with_the_same_table(tmp_path: Path) -> None:
    alone, killed = tmp_path / "alone", tmp_path / "killed"
    for folder in (alone, killed):
        folder.mkdir()
        tournament_file(folder, *EIGHT, openings="random:plies=4,count=3")
    undisturbed = table(alone / "t.toml")
    chance = random.Random(5)
    kept: dict[int, tuple[Any, ...]] = {}
    for kill in range(20):
        _run_and_kill(killed, GAMES * kill // 22, chance)
        now = rows(killed / "t.sqlite")
        assert {number: now[number] for number in kept} == kept, "a game was lost, or played twice"
        kept = now
    assert 0 < len(kept) < GAMES
    assert table(killed / "t.toml") == undisturbed
    assert {number: rows(killed / "t.sqlite")[number] for number in kept} == kept
    assert games(killed / "t.sqlite") == games(alone / "t.sqlite")
    assert len(games(alone / "t.sqlite")) == GAMES
    assert not _processes_with(str(PLAYERS)), "programs have outlived the referee"
    assert sorted(path.name for path in killed.iterdir()) == ["t.sqlite", "t.toml"], "something was left lying about"


def _run_and_kill(folder: Path, at_games: int, chance: random.Random) -> None:
    run = subprocess.Popen(
        [PROGRAM, "tournament", "t.toml"],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(folder)},
    )
    deadline = time.monotonic() + 60
    while not (folder / "t.sqlite").exists() or len(rows(folder / "t.sqlite")) < at_games:
        assert run.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(chance.random() * 0.3)
    assert run.poll() is None, "it was over before it could be killed"
    run.send_signal(chance.choice(ENDINGS))
    run.wait(20)
    _wait_until(lambda: not _processes_with(str(PLAYERS)))


def _processes_with(text: str) -> list[str]:
    """Processes of which some word of the command line starts so."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and entry.name != str(os.getpid()):
            try:
                words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            if any(word.startswith(text) for word in words):
                found.append(" ".join(words))
    return found


def _wait_until(is_so: Any, seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)
