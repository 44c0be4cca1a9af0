"""Tables as the documents write them, and where figures come from."""

from __future__ import annotations

from typing import Any


def measured(results: dict[str, Any]) -> str:
    return f"Measured on {results['date']} with `{results['command']}`: {results['machine']}.\n"


def table(head: list[str], rows: list[list[Any]], *others: str) -> str:
    """A table, whose columns but the first are numbers, unless told otherwise, for all of them or for each."""
    marks = list(others or ["---:"])
    lines = [head, ["---", *(marks * (len(head) - 1))[: len(head) - 1]], *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
