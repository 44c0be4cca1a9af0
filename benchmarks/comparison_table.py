"""Other programs in docs/developer/performance.md: their figures, and their typical faults tried here."""

from __future__ import annotations

import csv
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from measurement import PROGRAM

FIELD = Path(__file__).parent / "studies" / "field.tsv"
DEPTHS = ("1", "4", "8", "10", "12")
EMPTY = "0000000\n" * 6 + "1\n"
FULL = "1122112\n2211221\n" * 3 + "1\n"
HEAD = ["program", *DEPTHS, "regret at 4", "at 8"]

#: The trial, its result with the 38 working programs, the arguments, the input, and a marker of the output line.
TRIALS = (
    ("a missing input file", "29 exit with code 0", ("one-move", "missing.txt", "out.txt", "2"), "", "does not exist"),
    ("a malformed board", "29 exit with code 0", ("one-move", "bad.txt", "out.txt", "2"), "", "line 1"),
    ("a full board", "26 write nothing and leave an old output", ("one-move", "full.txt", "out.txt", "2"), "", "full"),
    ("depth 0", "6 hang", ("one-move", "empty.txt", "out.txt", "0"), "", "column"),
    (
        "the end of the input",
        "5 loop forever, 30 print a traceback",
        ("interactive", "empty.txt", "human-next", "2"),
        "",
        "End of input",
    ),
    ("a typed `abc`", "19 of 21 crash or hang", ("interactive", "empty.txt", "human-next", "2"), "abc\nq\n", "abc'"),
    (
        "moves through a pipe",
        "10 in Java crash",
        ("interactive", "empty.txt", "human-next", "2"),
        "4\n4\n4\nq\n",
        "Points",
    ),
)


def field_rows(results: dict[str, Any]) -> list[list[str]]:
    """Ours, and for each program what it took, with how many times ours that is."""
    ours = {str(row["depth"]): row["cpu_seconds"]["median"] for row in results["depths"]["best"]}
    regret = {row["depth"]: row["regret"]["mean"] for row in results["regret"]["reported"]["best"]}
    rows = [["maxconnect4", *(f"{ours[depth]:.3f}" for depth in DEPTHS), f"{regret[4]:.3f}", f"{regret[8]:.3f}"]]
    for program in field():
        times = [times_ours(program[depth], ours[depth]) for depth in DEPTHS]
        rows.append([program["program"], *times, program["regret at 4"], program["regret at 8"]])
    return rows


def field() -> list[dict[str, str]]:
    with FIELD.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))


def times_ours(text: str, ours: float) -> str:
    """A time of theirs, and how many times ours it is."""
    if not text:
        return ""
    ratio = float(text.lstrip(">")) / ours
    return f"{text} ({ratio:.1f}x)" if ratio < 10 else f"{text} ({ratio:,.0f}x)"


def in_short(results: dict[str, Any]) -> str:
    """Where we are ahead and where we are not, in sentences."""
    ours = {str(row["depth"]): row["cpu_seconds"]["median"] for row in results["depths"]["best"]}
    regret = {str(row["depth"]): row["regret"]["mean"] for row in results["regret"]["reported"]["best"]}
    faster = {
        program["program"]: [
            depth for depth in DEPTHS if program[depth] and float(program[depth].lstrip(">")) < ours[depth]
        ]
        for program in field()
    }
    behind = [f"{name} at depth{'s' * (len(at) > 1)} {' and '.join(at)}" for name, at in faster.items() if at]
    deep = [float(program["12"].lstrip(">")) / ours["12"] for program in field() if program["12"]]
    best = {depth: min(float(each[f"regret at {depth}"] or "inf") for each in field()) for depth in ("4", "8")}
    python = results["startup"]["bare_ms"]
    return (
        f"- Strength: at depth 4 the mean regret of maxconnect4 is {regret['4']:.3f} points, and that of the best "
        f"other program {best['4']}; at depth 8 {regret['8']:.3f} and {best['8']}. The other programs were measured on "
        "40 positions, maxconnect4 on the 138 [reported ones](../explanation/evaluations.md#strength).\n"
        f"- Time of deep searches: at depth 12 the other programs take {min(deep):.1f} to {max(deep):,.0f} times as "
        "long. The minimum is the program that prunes wrongly, the maximum a program that was stopped.\n"
        f"- Start-up: Python takes {python:.0f} ms of CPU time to start, so these programs are faster: "
        f"{'; '.join(behind) or 'none'}.\n"
    )


def trial_rows() -> list[list[str]]:
    """Inputs that break other programs, tried on this one now."""
    return [[what, theirs, tried(words, typed, marker)] for what, theirs, words, typed, marker in TRIALS]


def tried(words: tuple[str, ...], typed: str, marker: str) -> str:
    """Run a command in a folder with some files: its exit code, and the last output line with a marker."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("empty", EMPTY), ("full", FULL), ("bad", "00x0000\n" * 6 + "1\n"), ("out", EMPTY)):
            (Path(folder) / f"{name}.txt").write_text(text)
        done = subprocess.run([PROGRAM, *words], cwd=folder, input=typed, capture_output=True, text=True, timeout=60)
        written = (Path(folder) / "out.txt").read_text() != EMPTY
    line = [line for line in (done.stdout + done.stderr).splitlines() if marker in line][-1]
    about = "" if words[0] == "interactive" else ", writes the position" if written else ", writes nothing"
    return f"exit code {done.returncode}{about}: `{line.strip()}`"
