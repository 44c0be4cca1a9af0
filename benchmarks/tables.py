"""Markdown tables, and the origin of figures."""

from __future__ import annotations

from typing import Any


def measured(results: dict[str, Any]) -> str:
    return f"Measured on {results['date']} with `{results['command']}`: {results['machine']}.\n"


def table(head: list[str], rows: list[list[Any]], *others: str) -> str:
    """A table. All columns but the first are right-aligned, unless `others` gives other alignments."""
    marks = list(others or ["---:"])
    lines = [head, ["---", *(marks * (len(head) - 1))[: len(head) - 1]], *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
