"""What docs/robustness.md says of the trials in endurance/, from what they have written down themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from other_figures import memory
from tables import measured, table

if TYPE_CHECKING:
    from collections.abc import Callable

NOT_YET = "Not tried yet.\n"


def inputs(facts: dict[str, Any]) -> str:
    rows = [[name, f"{tried:,}"] for name, tried in facts["inputs"].items()]
    return table(["kind of input", "tried, and all taken or refused in one line"], rows)


def agreement(facts: dict[str, Any]) -> str:
    return (
        f"- In {facts['positions']:,} positions of random games of both kinds the plain rules and those of the core "
        f"allow the same drops and count the same points, and no bound from below is above one from above; in "
        f"{facts['with_value']:,} of them, with few cells empty, the value was found and lies between.\n"
        f"- In {facts['bounds']:,} late positions of Max-Connect4 and {facts['classic-bounds']:,} of the classic game, "
        "on boards of twenty sizes, every bound was compared with brute force: none is broken.\n"
    )


def sanitized(facts: dict[str, Any]) -> str:
    return (
        f"{facts['tests']:,} tests of all that searches and solves, and {facts['positions']:,} positions against brute "
        "force: nothing found.\n"
    )


def kills(facts: dict[str, Any]) -> str:
    names = {"tournament": "tournaments", "book": "builds of a book"}
    rows = [[names[kind], *killed.values(), sum(killed.values())] for kind, killed in facts["killed"].items()]
    return table(["killed during", "the run itself", "a worker", "in all"], rows)


def page_load(facts: dict[str, Any]) -> str:
    files, threads, left = facts["files"], facts["threads"], facts["left"]
    return (
        f"{facts['people']} of them for {facts['minutes']} minutes did {facts['in_all']:,} things, "
        f"{facts['done']['drops']:,} drops, {facts['done']['analyses']:,} analyses, "
        f"{facts['done']['searches broken off']:,} searches that were broken off and {facts['done']['nonsense']:,} "
        f"nonsensical requests among them, and got the right answers. The server had {threads['most']} threads: "
        f"{memory(facts)}, with {files['most']} files open at the most. When all had gone, {left['searches']} searches "
        f"were left and {left['files']} open files.\n"
    )


def surroundings(facts: dict[str, Any]) -> str:
    return (
        f"{facts['commands']} commands in {facts['surroundings']} surroundings, {facts['trials']:,} trials: each ended "
        "in time with an exit code of the documents and at most one line of complaint, and left nothing half done.\n"
    )


def mutants(results: dict[str, Any]) -> str:
    """Of each file how many mutants there were, and what became of them."""
    kinds = ("mutants", "noticed", "do_not_end", "explained", "survive")
    rows = [[f"`{file}`", *(found[kind] for kind in kinds)] for file, found in sorted(results["files"].items())]
    rows.append(["in all", *(f"{sum(row[place] for row in rows):,}" for place in range(1, len(kinds) + 1))])
    head = ["file", "mutants", "noticed", "do not end", "explained", "neither"]
    note = f"\n{results['note']}\n" if "note" in results else ""
    return measured(results) + note + "\n" + table(head, rows)


def release(facts: dict[str, Any]) -> str:
    return (
        f"`{facts['sources']}` and `{facts['wheel']}`, with Python {facts['python']}: {facts['tests']:,} tests passed "
        "against the installed wheel.\n"
    )


def trial(name: str, words: Callable[[dict[str, Any]], str]) -> Callable[[dict[str, Any]], str]:
    """What is said of one trial, below when and where it was made."""

    def said(results: dict[str, Any]) -> str:
        return measured(results[name]) + "\n" + words(results[name]) if name in results else NOT_YET

    return said


BLOCKS = {
    "inputs": trial("fuzz", inputs),
    "agreement": trial("agreement", agreement),
    "address": trial("sanitized address", sanitized),
    "thread": trial("sanitized thread", sanitized),
    "kills": trial("kills", kills),
    "page-load": trial("page_load", page_load),
    "surroundings": trial("surroundings", surroundings),
    "release": trial("release", release),
}
