"""A hundred kills (SIGKILL) during tournaments, and a hundred during builds of a book.

Real processes at random moments: of three kills two are of the referee (or of the build) itself, which is then started
again, and one is of a worker, after which the run has to continue. In the end the games, the standings and the
entries of the book have to be those of an undisturbed run. After each end of a referee, no process may be left
that it has started, no program of a player among them, and no folder in which one was run. An error is printed, and
the exit status is 1.

It takes about 10 minutes of wall-clock time, with two processors:
    python endurance/kills.py
    python endurance/kills.py --kills 10 --seed 7 --only tournament
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from book_states import PLIES, nearly_done
from processes import command_lines, left_of, read_proc
from record import record
from terminal import PROGRAM
from tournaments import EIGHT, games, table, tournament_file

from maxconnect4.book import Book

SECONDS = {"tournament": (0.0, 3.0), "book": (0.0, 2.5)}  # from a start, or a kill that was survived, to the next kill
PATIENCE = 60  # seconds until nothing may be left of a run
MISSING = 120  # positions, of a book that is nearly there
GAMES = "random:plies=22,count=5"  # which are 280 of eight players


class Run:
    """A command in a folder, which is killed again and again until it is done."""

    def __init__(self, name: str, words: list[str], folder: Path, rng: random.Random) -> None:
        self.name = name
        self.command = [PROGRAM, *words]
        self.folder = folder
        self.scratch = folder / "scratch"  # where its programs run
        self.scratch.mkdir()
        self.rng = rng
        self.killed = {"itself": 0, "a worker": 0}

    def kill(self, most: int) -> None:
        """Start it, kill it so often at the most, and start it again each time, to its end."""
        while True:
            run = subprocess.Popen(
                self.command,
                cwd=self.folder,
                env={**os.environ, "TMPDIR": str(self.scratch)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            # A game at which two workers die counts as a fault of its players: see `LocalWorkers`.
            for victim in self.rng.choice([("itself",), ("a worker", "itself")]):
                if sum(self.killed.values()) == most or self._is_over_in(run, self.rng.uniform(*SECONDS[self.name])):
                    break
                workers = self._workers(run.pid) if victim == "a worker" else [run.pid]
                if workers and _killed(self.rng.choice(workers)):
                    self.killed[victim] += 1
            _, complaint = run.communicate(timeout=900)
            self._check_nothing_is_left()
            if run.returncode != -signal.SIGKILL:
                assert (run.returncode, complaint) == (0, ""), (run.returncode, complaint)
                return

    def _is_over_in(self, run: subprocess.Popen[str], seconds: float) -> bool:
        try:
            run.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _workers(self, pid: int) -> list[int]:
        """Its processes that do the work, but none that is only just being made: that one is still the run itself."""
        children = [int(child) for child in read_proc(pid, f"task/{pid}/children").split()]
        return [child for child in children if b"spawn_main" in read_proc(child, "cmdline")]

    def _check_nothing_is_left(self) -> None:
        """Wait for all that it has started to end by itself, and look for what it has put down."""
        left = left_of(f"TMPDIR={self.folder}".encode(), PATIENCE)
        assert not left, f"still running: {command_lines(left)}"
        assert not list(self.scratch.iterdir()), f"left lying about: {list(self.scratch.iterdir())}"


def _killed(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def tournament(folder: Path, seed: int, rng: random.Random, kills: int) -> dict[str, int]:
    """Play a tournament undisturbed, and the same again with kills; how many there were of each kind."""
    for name in ("alone", "killed"):
        (folder / name).mkdir()
        tournament_file(folder / name, *EIGHT, openings=GAMES, seed=seed)
    standings = table(folder / "alone" / "t.toml")
    run = Run("tournament", ["tournament", "t.toml"], folder / "killed", rng)
    run.kill(kills)
    assert games(folder / "killed" / "t.sqlite") == games(folder / "alone" / "t.sqlite"), "other games"
    assert table(folder / "killed" / "t.toml") == standings, "other standings"
    _check_files(folder / "killed", "t.sqlite", "t.toml")
    return run.killed


def book(folder: Path, seed: int, rng: random.Random, kills: int) -> dict[str, int]:
    """The same with the end of a book."""
    words = ["book", "build", "--plies", str(PLIES), "--memory", "128M", "--processes", "2"]
    (folder / "killed").mkdir()
    nearly_done(folder / "book.sqlite", MISSING, seed)
    shutil.copy(folder / "book.sqlite", folder / "killed")
    subprocess.run([PROGRAM, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    run = Run("book", words, folder / "killed", rng)
    run.kill(kills)
    alone, killed = folder / "opening.book", folder / "killed" / "opening.book"
    assert _entries(alone) == _entries(killed), "other entries"
    assert list(Book(str(alone))) == list(Book(str(killed)))
    _check_files(folder / "killed", "book.sqlite", "opening.book")
    return run.killed


def _entries(book: Path) -> bytes:
    """All but the head of a book, which records the effort."""
    return book.read_bytes().split(b"\n", 3)[3]


def _check_files(folder: Path, *names: str) -> None:
    found = sorted(path.name for path in folder.iterdir() if path.name != "scratch")
    assert found == list(names), f"left lying about: {found}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100, help="of each kind (default: 100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=SECONDS)
    args = parser.parse_args()
    kinds: dict[str, Callable[..., dict[str, int]]] = {"tournament": tournament, "book": book}
    killed = {name: _disturb(name, kind, args) for name, kind in kinds.items() if args.only in (None, name)}
    if not args.only:
        record(__file__, {"killed": killed})
    return 0


def _disturb(name: str, kind: Callable[..., dict[str, int]], args: Any) -> dict[str, int]:
    rng = random.Random(f"{args.seed} {name}")
    start, done, seed = time.monotonic(), dict[str, int](), args.seed
    while sum(done.values()) < args.kills:
        with tempfile.TemporaryDirectory() as folder:
            killed = kind(Path(folder), seed, rng, args.kills - sum(done.values()))
        done = {who: done.get(who, 0) + times for who, times in killed.items()}
        seed += 1
        print(f"{name}: killed {sum(done.values())} times in {time.monotonic() - start:.0f} s: {done}", flush=True)
    return done


if __name__ == "__main__":
    sys.exit(main())
