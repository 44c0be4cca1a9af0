"""The tables of docs/developer/robustness.md, from the results of the trials in endurance/."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from figures import memory
from tables import measured, table

if TYPE_CHECKING:
    from collections.abc import Callable

NOT_YET = "Not tried yet.\n"
#: Kinds of input whose names in the results are not the terms of the documents.
INPUTS = {
    "files of tournaments": "tournament files",
    "files of openings": "opening files",
    "sets of positions": "position sets",
    "states of books": "states of book builds",
    "files of games": "stored games of the page",
    "files of results": "results files",
    "files of measurements": "measurement files",
    "lines of the engine": "commands of the engine",
    "requests": "HTTP requests",
}


def inputs(facts: dict[str, Any]) -> str:
    rows = [[INPUTS.get(name, name), f"{tried:,}"] for name, tried in facts["inputs"].items()]
    return table(["kind of input", "inputs, all accepted or refused with one line"], rows)


def agreement(facts: dict[str, Any]) -> str:
    return (
        f"- {facts['positions']:,} positions of random games of both kinds: `board.py` and the core allow the same "
        "moves and count the same points, and no lower bound exceeds an upper bound. For "
        f"{facts['with_value']:,} of these positions, with few empty cells, the value lies between the bounds.\n"
        f"- {facts['bounds']:,} late positions of Max-Connect4 and {facts['classic-bounds']:,} of the classic game, on "
        "boards of twenty sizes: no bound contradicts the value that brute force computes.\n"
    )


def sanitized(facts: dict[str, Any]) -> str:
    return (
        f"{facts['tests']:,} tests of the search and of the solvers, and {facts['positions']:,} positions compared "
        "with brute force: no errors.\n"
    )


def kills(facts: dict[str, Any]) -> str:
    names = {"tournament": "tournaments", "book": "builds of a book"}
    rows = [[names[kind], *killed.values(), sum(killed.values())] for kind, killed in facts["killed"].items()]
    return table(["killed during", "the run itself", "a worker", "total"], rows)


def page_load(facts: dict[str, Any]) -> str:
    files, threads, left = facts["files"], facts["threads"], facts["left"]
    return (
        f"{facts['people']} clients made {facts['in_all']:,} operations in {facts['minutes']} minutes, including "
        f"{facts['done']['drops']:,} moves, {facts['done']['analyses']:,} analyses, "
        f"{facts['done']['searches broken off']:,} cancelled searches and {facts['done']['nonsense']:,} invalid "
        f"requests. All responses were correct. The server had {threads['most']} threads: "
        f"{memory(facts)}, with at most {files['most']} open files. After the clients disconnected, "
        f"{left['searches']} searches and {left['files']} open files remained.\n"
    )


def environments(facts: dict[str, Any]) -> str:
    return (
        f"{facts['commands']} commands in {facts['environments']} environments, {facts['trials']:,} trials: each ended "
        "in time with a documented exit status and at most one line of error output, and left no partial files.\n"
    )


def release(facts: dict[str, Any]) -> str:
    return (
        f"`{facts['sources']}` and `{facts['wheel']}`, with Python {facts['python']}: {facts['tests']:,} tests passed "
        "against the installed wheel.\n"
    )


def trial(name: str, words: Callable[[dict[str, Any]], str]) -> Callable[[dict[str, Any]], str]:
    """The block of one trial: date, machine and results."""

    def text(results: dict[str, Any]) -> str:
        return measured(results[name]) + "\n" + words(results[name]) if name in results else NOT_YET

    return text


BLOCKS = {
    "inputs": trial("fuzz", inputs),
    "agreement": trial("agreement", agreement),
    "address": trial("sanitized address", sanitized),
    "thread": trial("sanitized thread", sanitized),
    "kills": trial("kills", kills),
    "page-load": trial("page_load", page_load),
    "environments": trial("environments", environments),
    "release": trial("release", release),
}
