"""Mutants of the bounds: change the headers of core/ that have them in one place each, and see who notices.

    python endurance/mutate_bounds.py [--part 1/4] [--jobs 2] [--output build/mutants.tsv] [--counts FILE]
    python endurance/mutate_bounds.py --again [--jobs 2]
    python endurance/mutate_bounds.py --list

A mutant is compiled with `check_bounds.cpp`, which compares its bounds with tests/data/bounds.tsv and more_bounds.tsv,
and, if none differs, the nodes of its searches with tests/data/solver_nodes.tsv: as tests/test_bounds.py does. The
fates:

    compiler    it does not compile
    run         it crashes, or does not end
    wrong       a bound is beyond the true value, or a search finds another value
    different   all bounds are true, but not what they were
    nodes       all bounds are what they were, but searches take more or fewer nodes
    explained   nobody notices, and endurance/survivors.tsv says why nobody can
    survives    nobody notices

It ends with 1 if one survives. A mutant takes some seconds; all of them half an hour of a core. `--part` takes every
fourth, or so, evenly; `--again` tries only those anew that nobody noticed the last time.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from survivors import explained, noticed_in, write_counts

ROOT = Path(__file__).parent.parent
HEADERS = {  # and whose bounds they are
    "last_player.hpp": "MAX",
    "endings.hpp": "MAX",
    "running_up.hpp": "MAX",
    "max_proof.hpp": "MAX",
    "pairing.hpp": "CLASSIC",
    "classic_proof.hpp": "CLASSIC",
}
# Of the searches only what they do with the bounds: from this line up to that.
ONLY = {
    "max_proof.hpp": ("bool last_player_settles(", "static constexpr int untabled"),
    "classic_proof.hpp": ("static bool ends_soon(", "struct Move {"),
}
DATA = ROOT / "tests" / "data"
BOUNDS, NODES = ("bounds.tsv", "more_bounds.tsv"), ("solver_nodes.tsv",)
FLAGS = ["-std=c++20", "-O1", "-w", "-D_GLIBCXX_ASSERTIONS"]  # nobody may reach beyond an array
# Binary operators have a space on either side, which tells them from references, pointers and templates.
BINARY = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<",
    "+=": "-=", "-=": "+=", "|=": "=", "&=": "|=", "^=": "|=", "<<=": ">>=",
}  # fmt: skip
WORDS = {"std::max": "std::min", "std::min": "std::max", "true": "false", "false": "true"}
NOT_MUTATED = re.compile(r"^\s*(#|template |static_assert|namespace|using |public:|private:|//|\}?$|struct |class )")
# What is left out whole: an assignment, a call, a condition with what hangs on it.
STATEMENT = re.compile(
    r"^\s*(if (constexpr )?\(.*\) .*;|continue;|break;|[\w.>\[\]-]+ ([|&^+-]|<<)?= .*;|(std::)?[a-z_]+\(.*\);)$"
)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change in one line of a header."""

    header: str
    line: int
    start: int
    end: int
    becomes: str

    def source(self) -> list[str]:
        """The lines of the header as it is."""
        return (ROOT / "core" / self.header).read_text().splitlines()

    def mutated(self) -> str:
        """The header with the change."""
        lines = self.source()
        text = lines[self.line]
        lines[self.line] = text[: self.start] + self.becomes + text[self.end :]
        return "\n".join(lines) + "\n"

    def row(self) -> list[str]:
        """The header, the line, and what is changed in it."""
        text = self.source()[self.line]
        shown = f"{text[: self.start]}[{text[self.start : self.end]} -> {self.becomes}]{text[self.end :]}".strip()
        return [self.header, str(self.line + 1), shown]


def closing(text: str, opening: int) -> int:
    """The place of the bracket that closes this one, or -1 if it is on another line."""
    depth = 0
    for place in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return -1


def mutants_of(header: str) -> list[Mutant]:
    """Every change that is tried, in the order of the lines."""
    found = []
    first, last = ONLY.get(header, ("", "}  // namespace maxconnect4"))
    within = False
    for number, whole in enumerate((ROOT / "core" / header).read_text().splitlines()):
        within = (within or first in whole) and last not in whole
        code = whole.split("//")[0].rstrip()
        if not within or NOT_MUTATED.match(code):
            continue

        def change(start: int, end: int, becomes: str, number: int = number) -> None:
            found.append(Mutant(header, number, start, end, becomes))

        for match in re.finditer(r"(?<= )[<>=!&|+\-*/%^]{1,3}(?= )", code):
            if match[0] in BINARY:
                change(*match.span(), BINARY[match[0]])
        for match in re.finditer(r"std::(max|min)\b|\b(true|false)\b", code):
            change(*match.span(), WORDS[match[0]])
        for match in re.finditer(r"(?<![\w.])(\d+)u?\b(?!:)", code):
            change(*match.span(1), str(int(match[1]) + 1))
            if int(match[1]) > 0:
                change(*match.span(1), str(int(match[1]) - 1))
        for match in re.finditer(r"(?<=[\s(\[])[-~!](?=[A-Za-z(])", code):
            change(*match.span(), "")
        if not re.search(r"\bfor \(", code):  # loops that never end are no news
            for match in re.finditer(r"\+\+(?=\w)|(?<=[\w\]])\+\+", code):
                change(*match.span(), "--")
        for match in re.finditer(r"\bif \(", code):
            end = closing(code, match.end() - 1)
            if end > 0 and "const " not in code[match.end() : end]:
                change(match.end(), end, f"!({code[match.end() : end]})")
        if STATEMENT.match(code):
            start = len(code) - len(code.lstrip())
            change(start, len(code), ";")
    return found


def standard_headers() -> str:
    """What takes the compiler most of its time, and is the same for all mutants."""
    sources = [*(ROOT / "core").glob("*.hpp"), ROOT / "endurance" / "check_bounds.cpp"]
    included = {line for path in sources for line in path.read_text().splitlines() if re.match(r"#include <\w+>", line)}
    return "\n".join(sorted(included)) + "\n"


def run(command: list[str | Path], seconds: int) -> subprocess.CompletedProcess[str] | None:
    """Nothing if it crashes, takes too long or too much memory."""

    def limit() -> None:
        os.nice(10)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    return done if done.returncode >= 0 else None


class Bench:
    """A copy of core/ in which one header at a time is changed."""

    def __init__(self, folder: Path, precompiled: Path) -> None:
        self.core = folder / "core"
        shutil.copytree(ROOT / "core", self.core)
        shutil.copy(ROOT / "endurance" / "check_bounds.cpp", folder)
        self.folder, self.precompiled = folder, precompiled

    def compile(self, *flags: str) -> bool:
        """Whether it compiles."""
        command: list[str | Path] = ["g++", *FLAGS, *flags, "-pthread", "-include", self.precompiled, f"-I{self.core}"]
        done = run([*command, self.folder / "check_bounds.cpp", "-o", self.folder / "check"], 120)
        return done is not None and done.returncode == 0

    def compare(self, names: tuple[str, ...]) -> str:
        """How many lines of the files are wrong, how many different; or that it came to nothing."""
        done = run([self.folder / "check", *(DATA / name for name in names)], 6)
        return done.stdout.strip() if done is not None and done.returncode == 0 else ""

    def fate(self, mutant: Mutant) -> tuple[str, str]:
        """What becomes of a mutant, and how one can tell."""
        changed, original = self.core / mutant.header, ROOT / "core" / mutant.header
        changed.write_text(mutant.mutated())
        try:
            return self.fate_of_core(HEADERS[mutant.header])
        finally:
            changed.write_text(original.read_text())

    def fate_of_core(self, game: str) -> tuple[str, str]:
        """The same for whatever is in the copy."""
        for what in ("USUAL", "OTHERS", "NODES"):
            names, fate = (NODES, "nodes") if what == "NODES" else (BOUNDS, "different")
            if not self.compile(f"-D{what}", f"-D{game}"):
                return "compiler", ""
            said = self.compare(names)
            if not said:
                return "run", what
            if not said.startswith("0 wrong"):
                return "wrong", f"{what}: {said}"
            if " 0 different" not in said:
                return fate, f"{what}: {said}"
        return "survives", ""


def parsed() -> argparse.Namespace:
    """The words of the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="list the mutants and do nothing")
    parser.add_argument("--again", action="store_true", help="only those that nobody noticed the last time")
    parser.add_argument("--part", default="1/1", help="which part of them, such as 2/4")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "mutants.tsv")
    parser.add_argument("--counts", type=Path, help="put the counts into a JSON file")
    return parser.parse_args()


def main() -> int:
    """Try them one by one, and write each down at once."""
    args = parsed()
    part, parts = (int(number) for number in args.part.split("/"))
    mutants = [mutant for header in HEADERS for mutant in mutants_of(header)][part - 1 :: parts]
    if args.list:
        for mutant in mutants:
            print(*mutant.row(), sep="\t")
        return 0
    args.output.parent.mkdir(parents=True, exist_ok=True)
    noticed = noticed_in(args.output) if args.again else {}
    with tempfile.TemporaryDirectory() as name, args.output.open("w") as table:
        precompiled = Path(name) / "standard.hpp"
        precompiled.write_text(standard_headers())
        subprocess.run(["g++", *FLAGS, "-pthread", "-x", "c++-header", precompiled], check=True)
        benches: SimpleQueue[Bench] = SimpleQueue()
        for job in range(args.jobs):
            benches.put(Bench(Path(name) / str(job), precompiled))

        def tried(mutant: Mutant) -> tuple[str, str]:
            header, _, shown = mutant.row()
            if (header, shown) in noticed:
                return noticed[header, shown]
            bench = benches.get()
            try:
                return bench.fate(mutant)
            finally:
                benches.put(bench)

        first = benches.get()
        for game in ("MAX", "CLASSIC"):
            fate, said = first.fate_of_core(game)
            if fate != "survives":
                print(f"the core as it is does not do what the files say: {fate} {said}", file=sys.stderr)
                return 1
        benches.put(first)
        counts: dict[str, Counter[str]] = {header: Counter() for header in HEADERS}
        with ThreadPoolExecutor(args.jobs) as pool:
            for mutant, (fate, said) in zip(mutants, pool.map(tried, mutants), strict=True):
                if fate == "survives" and mutant.row()[2] in explained(mutant.header):
                    fate = "explained"
                counts[mutant.header][fate] += 1
                print(*mutant.row(), fate, said, sep="\t", file=table, flush=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{len(mutants)} mutants, {used.ru_utime + used.ru_stime:.0f} s of CPU")
    for fate, count in sum(counts.values(), Counter[str]()).most_common():
        print(f"{count:5} {fate}")
    if args.counts:
        write_counts(args.counts, f"python endurance/mutate_bounds.py --part {args.part}", counts)
    return int(any(count["survives"] for count in counts.values()))


if __name__ == "__main__":
    sys.exit(main())
