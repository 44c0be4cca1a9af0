"""What was measured as files: Markdown to read, CSV and JSON for other programs."""

from __future__ import annotations

from ...writing.documents.markdown import markdown_of
from .outline import outline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..summary import Measured, Row, Series, Spread

CSV_HEAD = (
    *("player", "positions", "count", "depth", "runs", "cpu_seconds", "cpu_low", "cpu_high"),
    *("seconds", "seconds_low", "seconds_high", "columns", "nodes", "nodes_per_second", "branching"),
    *("regret", "regret_error", "perfect_share", "worst", "moves", "faults", "reason"),
)


def markdown(measured: Measured) -> str:
    """Tables with a heading for each set of positions, and a smaller one for each player."""
    return markdown_of(outline(measured)) + "\n"


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
