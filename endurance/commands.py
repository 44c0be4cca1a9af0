"""Every command with a small task of a second or two, and the files that it reads and writes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from book_states import PLIES, nearly_done
from external_programs import PLAYERS
from terminal import PROGRAM
from tournaments import tournament_file

GAME = "4444433554523672666132277762211"
LATE = "random:plies=34,count=1"
HONEST = f"env {sys.executable} -S -E -B {PLAYERS / 'honest.py'}"  # the folder of Python may be unreadable for others
ENGINE = b"uci\nucinewgame\nposition startpos moves d1\ngo depth 4\nisready\nquit\n"


@dataclass(frozen=True)
class Command:
    """One command line, its standard input, and the files that it may write in its folder."""

    name: str
    words: tuple[str, ...]
    writes: tuple[str, ...] = ()
    typed: bytes = b""
    is_server: bool = False  # it runs until it is stopped
    keeps: tuple[str, ...] = ()  # files that it may leave if it is stopped, to resume from

    @property
    def runs_programs(self) -> bool:
        """Whether it runs programs, whose CPU time it takes."""
        return self.words[0] in ("check", "match", "tournament", "measure") or self.name == "report of a program"


def all_commands() -> list[Command]:
    """All of them, some in more ways than one."""
    return [
        Command("one-move", ("one-move", "input1.txt", "out.txt", "4"), ("out.txt",)),
        Command("one-move onto itself", ("one-move", "again.txt", "again.txt", "perfect"), ("again.txt",)),
        Command("one-move --json", ("one-move", "-", "out.txt", "4", "--json"), ("out.txt",), b"44\n"),
        Command(
            "interactive",
            ("interactive", "44", "computer-next", "2"),
            ("computer.txt", "human.txt", "kept.txt"),
            b"4\n3\nhint\nundo\nsave kept.txt\nq\n",
        ),
        Command("play", ("play", "44", "--no-browser", "--port", "0"), is_server=True),
        Command("analyse", ("analyse", GAME[:24])),
        Command("analyse --batch", ("analyse", "--batch", "batch.txt", "--value")),
        Command("review", ("review", "game.txt", "--size", "5x4", "--plot", "game.svg"), ("game.svg",)),
        Command("tree", ("tree", "4453", "-o", "tree.svg"), ("tree.svg",)),
        Command("tree as text", ("tree", "4453")),
        Command("check", ("check", HONEST, "--deepest", "1", "--positions", "2")),
        Command(
            "match",
            ("match", "depth:1", "name=other " + HONEST, "--openings", LATE, "--results", "m.sqlite"),
            ("m.sqlite",),
        ),
        Command("tournament", ("tournament", "t.toml", "--transcripts", "texts"), ("t.sqlite", "texts")),
        Command(
            "measure",
            ("measure", HONEST, "--depths=1", "--runs=1", "--results=me.sqlite", "--plot=me.svg", "--csv=me.csv"),
            ("me.sqlite", "me.svg", "me.csv"),
        ),
        Command(
            "positions",
            ("positions", "--plies", "30", "--count", "20", "-o", "new.tsv"),
            ("new.tsv",),
            keeps=("new.tsv.unfinished",),
        ),
        Command("report of games", ("report", "played.sqlite"), ("played.html", "played.sqlite")),
        Command(
            "report of a program",
            ("report", "depth:1", "--deepest", "1", "--games", "2", "--positions", "set.tsv", "-o", "of"),
            ("of.html", "of.md", "of-cpu.svg", "of-regret-by-cpu.svg", "of.sqlite"),
        ),
        Command("book lookup", ("book", "lookup", "44")),
        Command("book stats", ("book", "stats")),
        Command("book verify", ("book", "verify", "--sample", "0")),
        Command("book export", ("book", "export", "--plies", "3")),
        Command(
            "book build",
            ("book", "build", "--plies", str(PLIES), "--memory", "64M", "--state", "state.sqlite"),
            ("state.sqlite", "opening.book"),
        ),
        Command("book merge", ("book", "merge", "merged.sqlite", "state.sqlite"), ("merged.sqlite", "state.sqlite")),
        Command("engine", ("engine",), typed=ENGINE),
        Command("solve-sizes", ("solve-sizes", "--sizes", "4x4", "--plot", "map.svg"), ("solved.json", "map.svg")),
        Command("bench", ("bench",)),
        Command("help", ("match", "--help")),
        Command("version", ("--version",)),
    ]


def lay_out(folder: Path, home: Path) -> None:
    """Make all files that the commands read, and a home in which matplotlib knows the fonts, as it mostly does."""
    examples = Path(__file__).parents[1] / "examples"
    shutil.copy(examples / "input1.txt", folder / "input1.txt")
    shutil.copy(examples / "input2.txt", folder / "again.txt")
    (folder / "game.txt").write_text("334433442211\n")
    (folder / "batch.txt").write_text("".join(f"{GAME[:plies]}\n" for plies in range(24, 32)))
    path = tournament_file(folder, "depth:1", "random", "honest", openings=LATE)
    path.write_text(path.read_text().replace(sys.executable, f"env {sys.executable}"))
    nearly_done(folder / "state.sqlite", 2)
    for words in (
        ("match", "depth:1", "random", "--openings", LATE, "--results", "played.sqlite"),
        ("positions", "--plies", "36", "--count", "3", "-o", "set.tsv"),
        ("review", "4", "--plot", str(home / "a.svg")),
    ):
        environment = {**os.environ, "HOME": str(home)}
        subprocess.run([PROGRAM, *words], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
