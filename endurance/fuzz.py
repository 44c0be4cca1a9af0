"""A million position files and a million typed lines, half of them any bytes and half good ones that were damaged.

Then some thousands of everything else that is read: move strings, files of tournaments, openings, positions, published
tables, books, states of books, results, measurements and games, the lines of an engine, and requests to the server.
Each has to be taken or refused in one line. A traceback, a hang, an exit code that is not in the documents, half an
output file, or a position that is not written back the same is a failure: the input is then saved here, and the exit
code is 1. Every 5,000th file or session also goes through the real program, with a pipe and with a terminal.

It takes about 10 minutes of one processor:
    python endurance/fuzz.py
    python endurance/fuzz.py --count 10000 --seed 7 --only "typed lines"
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn, Protocol

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import fuzz_files
import fuzz_protocols
from fuzz_inputs import PositionFile, damaged, noise, position_files
from record import record
from terminal import maxconnect4
from terminal_input import in_a_terminal, in_this_process, through_a_pipe

from maxconnect4.board import GAMES

THROUGH_THE_PROGRAM = 5_000  # of how many inputs one is tried with a real process
THROUGH_THE_COMMAND = 20  # and one with the command in this process
LONGEST = 60  # seconds for an input; anything takes less
LINES = 40  # of a session
TYPED = [b"1", b"4", b"7", b"4", b"3", b"undo", b"hint", b"save x", b"help", b"?", b"q", b"44535", b"save \xff.txt"]
BOARD = b"0000000\n0000000\n0000000\n0000000\n0000000\n0001000\n2\n"


class Kind(Protocol):
    """A kind of input."""

    name: str
    accepted: int

    def make(self, rng: random.Random, number: int) -> bytes:
        """One input."""

    def attempt(self, data: bytes, number: int) -> int:
        """Try it, and say how many inputs it was. What is raised is a failure."""


class PositionFiles:
    """Files for one-move."""

    name = "position files"

    def __init__(self, rng: random.Random, folder: Path) -> None:
        self.good = position_files(rng)
        self.file = PositionFile(folder)
        self.accepted = 0

    def make(self, rng: random.Random, number: int) -> bytes:
        return noise(rng) if number % 2 else damaged(rng, rng.choice(self.good))

    def attempt(self, data: bytes, number: int) -> int:
        game = GAMES[number % 50 == 0]
        board = self.file.read(data, game)
        self.accepted += board is not None
        if number % THROUGH_THE_COMMAND < 2:  # one of each half
            self.file.move(board, game)
        if number % THROUGH_THE_PROGRAM < 2:
            self.file.target.write_bytes(b"old")
            done = maxconnect4("one-move", self.file.source, self.file.target, "1", "--game", game)
            self.file.judge(board, done.returncode, done.stderr)
        assert sorted(path.name for path in self.file.source.parent.iterdir()) in (["in.txt"], ["in.txt", "out.txt"])
        return 1


class TypedLines:
    """What is typed at the prompt of `interactive`."""

    name = "typed lines"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.accepted = 0

    def make(self, rng: random.Random, number: int) -> bytes:
        lines = [
            noise(rng).replace(b"\n", b"") if rng.random() < 0.5 else damaged(rng, rng.choice(TYPED))
            for _ in range(LINES)
        ]
        start = damaged(rng, BOARD) if number % 4 == 0 else b""
        return (start + b"\n".join(lines)).replace(b"/", b"-").replace(b"~", b"-")  # names in this folder alone

    def attempt(self, data: bytes, number: int) -> int:
        words = ["interactive", "-" if number % 4 == 0 else "", "human-next", "1", "--save-in", str(self.folder)]
        lines, moves = in_this_process(words, data, self.folder)
        self.accepted += moves
        if number % (THROUGH_THE_PROGRAM // LINES) == 0:
            through_a_pipe(words, data, self.folder)
            in_a_terminal(words, data, self.folder)
        for path in self.folder.iterdir():
            assert not path.name.startswith(".maxconnect4-"), path
            path.unlink()
        return lines


def kinds(rng: random.Random, folder: Path) -> Iterator[tuple[Kind, float]]:
    """All kinds of inputs, and how many of each there are to be, for one position file."""
    for name in ("positions", "typed", "others"):
        (folder / name).mkdir()
    yield PositionFiles(rng, folder / "positions"), 1
    yield TypedLines(folder / "typed"), 1
    for kind in (*fuzz_files.kinds(folder / "others"), *fuzz_protocols.kinds(folder / "others")):
        yield kind, 0.01


def run(kind: Kind, count: int, seed: int) -> int | None:
    """Try a number of inputs of a kind: the number tried, or None after a failure."""
    rng = random.Random(f"{seed} {kind.name}")
    start, printed_at = time.monotonic(), 0.0
    tried = number = 0
    while tried < count:
        data = kind.make(rng, number)
        signal.alarm(LONGEST)
        try:
            tried += kind.attempt(data, number)
        except Exception:
            signal.alarm(0)
            path = Path(f"fuzz-{kind.name.replace(' ', '-')}-{seed}-{number}")
            path.write_bytes(data)
            traceback.print_exc()
            print(f"{kind.name}: input {number} failed; it is in {path}", flush=True)
            return None
        signal.alarm(0)
        number += 1
        if time.monotonic() > printed_at + 10 and sys.stderr.isatty():
            printed_at = time.monotonic()
            print(f"\r{kind.name}: {tried:,} of {count:,}\x1b[K", end="", file=sys.stderr)
    seconds = time.monotonic() - start
    print(f"{kind.name}: {tried:,}, of which {kind.accepted:,} were taken; {seconds:.0f} s", flush=True)
    return tried


def too_long(*_: object) -> NoReturn:
    raise TimeoutError(f"no result within {LONGEST} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000_000, help="files, and lines (default: 1,000,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one kind of inputs")
    args = parser.parse_args()
    signal.signal(signal.SIGALRM, too_long)
    here = os.getcwd()
    tried = {}
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        for kind, share in kinds(random.Random(args.seed), Path(folder)):
            if args.only in (None, kind.name):
                tried[kind.name] = run(kind, max(1, round(share * args.count)), args.seed)
                os.chdir(here)
    if None in tried.values():
        return 1
    if not args.only:
        record(__file__, {"inputs": tried})
    return 0


if __name__ == "__main__":
    sys.exit(main())
