"""Fill in what the documents say of the program itself: its help texts, and every figure that was measured.

The figures come from the results files beside this one, and those of trials that were made once from studies/.

A document marks such a place with `<!-- begin: NAME -->` and `<!-- end -->`; what stands between them is replaced.
Every benchmark runs this after measuring; run it by hand after a change of the help. A test checks that all is fresh.
"""

from __future__ import annotations

import io
import json
import os
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import endurance_figures
import field_table
import other_figures
import rooms
import search_figures
from tables import measured, table

from maxconnect4 import board_from_moves, cli
from maxconnect4.cli.terminal.screen import Screen
from maxconnect4.referee.faults import FAULTS, NOTES

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
ROOT = HERE.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"(<!-- begin: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)


def main() -> None:
    for path in DOCUMENTS:
        before = path.read_text()
        after = filled(before)
        if after != before:
            path.write_text(after)
            print(f"wrote {path.relative_to(ROOT)}")


def filled(text: str) -> str:
    """A document with its marked places up to date."""
    return BLOCK.sub(lambda match: match[1] + block(match[2]) + match[3], text)


def block(name: str) -> str:
    kind, _, rest = name.partition(" ")
    if kind in FROM_RESULTS:
        file, make = FROM_RESULTS[kind]
        return make(json.loads((HERE / f"{file}.json").read_text()))
    return MADE_NOW[kind](rest)


def drawing(moves: str) -> str:
    """The board after some moves, as a pipe gets to see it."""
    board = board_from_moves(moves)
    screen = io.StringIO()
    Screen(screen).show(board)
    return screen.getvalue().rstrip("\n") + "\n"


def help_text(*words: str) -> str:
    return output(*words, "--help")


def output(*words: str) -> str:
    """What a command prints."""
    printed = io.StringIO()
    with patch.dict(os.environ, {"COLUMNS": "100", "NO_COLOR": "1"}), redirect_stdout(printed):
        status = cli.main([*words])
    if status:
        raise RuntimeError(f"maxconnect4 {' '.join(words)} ended with exit status {status}")
    return printed.getvalue()


def study(name: str) -> str:
    """A trial that was made once: how, which is the comment of its file, and what came of it."""
    lines = (HERE / "studies" / f"{name}.tsv").read_text().splitlines()
    how = " ".join(line.removeprefix("#").strip() for line in lines if line.startswith("#"))
    head, *rows = [line.split("\t") for line in lines if not line.startswith("#")]
    columns = list(zip(*rows, strict=True))[1:]
    marks = ["---" if re.search("[a-z]", "".join(cells)) else "---:" for cells in columns]
    return f"{how}\n\n" + table(head, rows, *marks)


def kinds(names: dict[str, str], what: str) -> str:
    return table([what, "what happened"], [[f"`{name}`", words] for name, words in names.items()], "---")


def trials() -> str:
    return table(["what happens", "with 38 public programs", "with ours"], field_table.trial_rows(), "---")


#: What stands in a results file, and what is made of it.
FROM_RESULTS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "measured": ("results", measured),
    "startup": ("results", search_figures.startup),
    "depths": ("results", search_figures.depths),
    "nodes": ("results", search_figures.nodes),
    "speed": ("results", search_figures.speed),
    "regret": ("results", search_figures.regret),
    "summary": ("results", search_figures.summary),
    "field": ("results", lambda results: table(field_table.HEAD, field_table.field_rows(results))),
    "field-in-short": ("results", field_table.in_short),
    "solver": ("solver", other_figures.solver),
    "classic": ("classic", other_figures.classic),
    "book": ("book", other_figures.book),
    "cluster": ("cluster", other_figures.cluster),
    "ten-plies": ("cluster", other_figures.ten_plies),
    "sizes": ("solved", other_figures.sizes),
    "first-moves": ("solved", lambda results: other_figures.first_moves(results["7x6"]["scores"])),
    "perfect-game": ("perfect_game", other_figures.perfect_game),
    "referee": ("referee", other_figures.referee),
    "levels": ("levels", other_figures.levels),
    "page": ("page", other_figures.page),
    "siege": ("siege", other_figures.siege),
    "feedback": ("feedback", other_figures.feedback),
    "isolation": ("isolation", other_figures.isolation),
    "mutants": ("mutants", endurance_figures.mutants),
    **{name: ("endurance", make) for name, make in endurance_figures.BLOCKS.items()},
}
#: What is asked of the program when the documents are written.
MADE_NOW: dict[str, Callable[[str], str]] = {
    "board": lambda moves: f"```text\n{drawing(moves)}```\n",
    "help": lambda words: f"```text\n{help_text(*words.split())}```\n",
    "book-stats": lambda words: f"```text\n{output('book', 'stats', *words.split())}```\n",
    "faults": lambda _: kinds(FAULTS, "fault"),
    "notes": lambda _: kinds(NOTES, "note"),
    "field-trials": lambda _: trials(),
    "rooms": lambda _: f"```text\n{rooms.rooms()}```\n",
    "study": study,
}


if __name__ == "__main__":
    main()
