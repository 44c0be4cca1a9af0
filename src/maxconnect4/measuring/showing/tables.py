"""What was measured as files: Markdown to read, CSV and JSON for other programs."""

from __future__ import annotations

import re

from ...writing.safe_text import one_line
from .cells import (
    by_positions,
    comparisons,
    games_in_words,
    head_and_rows,
    how_it_was_measured,
    notes,
    of_the_positions,
    set_in_words,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..summary import Measured, Row, Series, Spread

#: What begins something in Markdown, or in the HTML, tables and formulas that it may have.
MARKS = re.compile(r"[\\`*_{}\[\]<>#|~&$@]")
CSV_HEAD = (
    *("player", "positions", "count", "depth", "runs", "cpu_seconds", "cpu_low", "cpu_high"),
    *("seconds", "seconds_low", "seconds_high", "columns", "nodes", "nodes_per_second", "branching"),
    *("regret", "regret_error", "perfect_share", "worst", "moves", "faults", "reason"),
)


def markdown(measured: Measured, level: int = 2) -> str:
    """Tables with a heading for each set of positions, of that level, and a smaller one for each player."""
    parts = []
    for series in by_positions(measured.series).values():
        parts.append(f"{'#' * level} On {escaped(set_in_words(series[0]))}")
        if about := of_the_positions(series[0]):
            parts.append(about)
        if len(series) > 1:
            for title, table in comparisons(series, measured.game).items():
                parts += [f"{title}:", markdown_table(*table)]
        for each in series:
            parts.append(f"{'#' * (level + 1)} {escaped(each.player)}")
            parts.append(markdown_table(*head_and_rows(each)) if each.rows else "Nothing was measured.")
            if said := notes(each):
                parts.append("\n".join(f"- {escaped(note)}" for note in said))
    if measured.games:
        parts.append(f"{'#' * level} Games")
        parts.append("\n".join(f"- {escaped(games_in_words(games))}" for games in measured.games))
    if how := how_it_was_measured(measured):
        parts.append(escaped(how))
    return "\n\n".join(parts) + "\n" if parts else "Nothing was measured.\n"


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of numbers, whatever the texts in it are."""
    lines = [list(map(escaped, head)), ["---:"] * len(head), *(list(map(escaped, row)) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def escaped(text: str) -> str:
    """A text that says in Markdown what it says, on one line."""
    return MARKS.sub(r"\\\g<0>", one_line(text, 500))


def as_csv(measured: Measured) -> str:
    """A row for each player, set of positions and depth, in plain numbers. Games are not in it."""
    from ...writing.csv_table import csv_table

    return csv_table(CSV_HEAD, (_csv_row(series, row) for series in measured.series for row in series.rows))


def as_facts(measured: Measured) -> dict[str, Any]:
    """All of it, as JSON has it."""
    from dataclasses import asdict

    return {
        "game": measured.game,
        **(measured.facts or {}),
        "series": [asdict(each) for each in measured.series],
        "games": [
            {**asdict(games), "played": games.played, "consistent": games.consistent} for games in measured.games
        ],
    }


def _csv_row(series: Series, row: Row) -> list[object]:
    regret = row.regret
    return [
        *(series.player, series.positions, series.count, row.depth, row.runs),
        *_three(row.cpu_seconds),
        *_three(row.seconds),
        " ".join(map(str, row.columns)),
        *(_rounded(number) for number in (row.nodes, row.nodes_per_second, row.branching)),
        *([None] * 2 if regret is None else [_rounded(regret.mean), _rounded(regret.error)]),
        *([None] * 3 if regret is None else [_rounded(regret.perfect_share), regret.worst, regret.moves]),
        *(row.faults, row.reason),
    ]


def _three(spread: Spread | None) -> list[float | None]:
    return [None] * 3 if spread is None else [_rounded(each) for each in (spread.median, spread.low, spread.high)]


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 6)
