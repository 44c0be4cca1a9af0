"""Write the generated parts of the documents: help texts, tables of the API, code of examples/, and measured figures.

It also writes the page's types, src/maxconnect4/web/static/types.js, from the types of the API.

The figures come from the results files beside this one, and those of trials that were made once from studies/.

A document marks such a part with `<!-- begin: NAME -->` and `<!-- end -->`; the lines between them are replaced.
Every benchmark runs this after measuring; run it by hand after a change of the help. A test
checks them.
"""

from __future__ import annotations

import ast
import io
import json
import os
import re
from contextlib import redirect_stdout
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import alternatives
import api_tables
import comparison_table
import endurance_figures
import figures
import search_figures
import source_tree
from page_types import page_types as page_types
from tables import measured, table

from maxconnect4 import board_from_moves, cli
from maxconnect4.cli.terminal import Screen
from maxconnect4.evaluation_descriptions import EVALUATION_DESCRIPTIONS, FULL_BOARD_VALUES
from maxconnect4.referee.move_validation import FAULTS, NOTES

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
ROOT = HERE.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGE_TYPES = ROOT / "src/maxconnect4/web/static/types.js"
#: A test runs the `python` blocks of the documents, so parts of programs are `py`.
CODE_LANGUAGES = {".py": "py", "": "sh", ".sh": "sh", ".txt": "text", ".toml": "toml"}
BLOCK = re.compile(r"(<!-- begin: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)


def main() -> None:
    for path in DOCUMENTS:
        before = path.read_text()
        after = filled(before)
        if after != before:
            path.write_text(after)
            print(f"wrote {path.relative_to(ROOT)}")
    if PAGE_TYPES.read_text() != page_types():
        PAGE_TYPES.write_text(page_types())
        print(f"wrote {PAGE_TYPES.relative_to(ROOT)}")


def filled(text: str) -> str:
    """A document with its marked places up to date."""
    return BLOCK.sub(lambda match: match[1] + block(match[2]) + match[3], text)


def block(name: str) -> str:
    kind, _, rest = name.partition(" ")
    if kind in FROM_RESULTS:
        file, make = FROM_RESULTS[kind]
        return make(results_of(file))
    return MADE_NOW[kind](rest)


def results_of(name: str) -> Any:
    return json.loads((HERE / f"{name}.json").read_text())


def drawing(moves: str) -> str:
    """The board after some moves, as a pipe gets to see it."""
    board = board_from_moves(moves)
    screen = io.StringIO()
    Screen(screen).print_board(board)
    return screen.getvalue().rstrip("\n") + "\n"


def commands() -> str:
    rows = [[f"[{name}]({name}.md)", description] for name, description in cli.COMMANDS.items()]
    return table(["command", "what it does"], rows, "---")


def code(words: str) -> str:
    """A program of examples/, or the functions and constants of it that are named, with the comments above them."""
    name, *names = words.split()
    text = (ROOT / "examples" / name).read_text()
    if names:
        lines, parts = text.splitlines(), []
        for node in ast.parse(text).body:
            targets = node.targets if isinstance(node, ast.Assign) else [node]
            if {getattr(target, "name", getattr(target, "id", None)) for target in targets} & set(names):
                start = node.lineno - 1
                while lines[start - 1].startswith("#"):
                    start -= 1
                parts.append((isinstance(node, ast.FunctionDef), "\n".join(lines[start : node.end_lineno])))
        if len(parts) != len(names):
            raise ValueError(f"examples/{name} does not have all of {names}")
        text = parts[0][1]
        for (function, _), (next_function, part) in pairwise(parts):
            text += ("\n\n\n" if function or next_function else "\n") + part
    return f"```{CODE_LANGUAGES[Path(name).suffix]}\n{text.rstrip()}\n```\n"


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
    """A study: the comment of its file, and its table."""
    lines = (HERE / "studies" / f"{name}.tsv").read_text().splitlines()
    how = " ".join(line.removeprefix("#").strip() for line in lines if line.startswith("#"))
    head, *rows = [line.split("\t") for line in lines if not line.startswith("#")]
    columns = list(zip(*rows, strict=True))[1:]
    marks = ["---" if re.search("[a-z]", "".join(cells)) else "---:" for cells in columns]
    return f"{how}\n\n" + table(head, rows, *marks)


def evaluations() -> str:
    rows = [f"| `{name}` | {EVALUATION_DESCRIPTIONS[name]} | {value} |" for name, value in FULL_BOARD_VALUES.items()]
    return "\n".join(["| name | before the board is full | full board |", "|---|---|---|", *rows]) + "\n"


def kinds(names: dict[str, str], what: str) -> str:
    return table([what, "what happened"], [[f"`{name}`", words] for name, words in names.items()], "---")


def trials() -> str:
    return table(["input", "38 public programs", "maxconnect4"], comparison_table.trial_rows(), "---")


#: What stands in a results file, and what is made of it.
FROM_RESULTS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "measured": ("results", measured),
    "startup": ("results", search_figures.startup),
    "depths": ("results", search_figures.depths),
    "nodes": ("results", search_figures.nodes),
    "speed": ("results", search_figures.speed),
    "regret": ("results", search_figures.regret),
    "summary": ("results", search_figures.summary),
    "field": ("results", lambda results: table(comparison_table.HEAD, comparison_table.field_rows(results))),
    "field-in-short": ("results", comparison_table.in_short),
    "solver": ("solver", figures.solver),
    "classic": ("classic", figures.classic),
    "book": ("book", figures.book),
    "classic-book": ("book", figures.classic_book),
    "cluster": ("cluster", figures.cluster),
    "ten-plies": ("cluster", figures.ten_plies),
    "sizes": ("solved", figures.sizes),
    "first-moves": ("solved", lambda results: figures.first_moves(results["7x6"]["scores"])),
    "perfect-game": ("perfect_game", figures.perfect_game),
    "referee": ("referee", figures.referee),
    "levels": ("levels", figures.levels),
    "page": ("page", figures.page),
    "page_slow": ("page_slow", figures.page_slow),
    "feedback": ("feedback", figures.feedback),
    "isolation": ("isolation", figures.isolation),
    **{name: ("endurance", make) for name, make in endurance_figures.BLOCKS.items()},
}
#: What is asked of the program when the documents are written.
MADE_NOW: dict[str, Callable[[str], str]] = {
    "alternatives": lambda _: alternatives.alternatives(*map(results_of, ("results", "classic"))),
    "board": lambda moves: f"```text\n{drawing(moves)}```\n",
    "api-parameters": lambda _: api_tables.parameters(),
    "api-requests": lambda _: api_tables.requests(),
    "api-types": lambda _: api_tables.types(),
    "code": code,
    "commands": lambda _: commands(),
    "help": lambda words: f"```text\n{help_text(*words.split())}```\n",
    "book-stats": lambda words: f"```text\n{output('book', 'stats', *words.split())}```\n",
    "faults": lambda _: kinds(FAULTS, "fault"),
    "notes": lambda _: kinds(NOTES, "note"),
    "field-trials": lambda _: trials(),
    "evaluations": lambda _: evaluations(),
    "tree": lambda _: f"```text\n{source_tree.source_tree()}```\n",
    "study": study,
}


if __name__ == "__main__":
    main()
