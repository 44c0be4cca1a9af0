"""Tables of a benchmark: blocks of its summary, Markdown, CSV and JSON; and published tables for comparison."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from ..documents import Table, bullets, escape
from ..errors import BadFile, quote, quote_path
from ..files import read_text
from ..formatting import plural
from ..referee.conformance import BaselineResult
from ..safe_text import csv_table, one_line
from .summary import DEEPEST, DepthResult, DepthSeries, MeasurementSummary, Timing

OURS = Path(__file__).with_name("published.tsv")
LONGEST = 1e9  # seconds
MOST_BYTES = 1 << 16
HEADER = re.compile(r"#\s*(name|source)\s*:\s*(.+)")

#: The position sets with the empty board, to which published tables apply.
AS_PUBLISHED = ("empty", "sample 1")


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """Published CPU seconds of a move from the empty board, by depth."""

    name: str
    source: str
    by_depth: dict[int, float]


def published_tables() -> tuple[PublishedTable, ...]:
    """The published tables in the package."""
    return (read_published(str(OURS)),)


def read_published(path: str) -> PublishedTable:
    """Read a table with a depth and a time in seconds on each line, separated by a tab, a comma or blanks.

    A line of titles may precede them. Lines that begin with # are comments; `# name:` and `# source:` set the source.
    """
    name = quote_path(path)
    header: dict[str, str] = {}
    by_depth: dict[int, float] = {}
    first = True
    for number, line in enumerate(read_text(path, "table of times", MOST_BYTES).splitlines(), start=1):
        line = line.strip()
        if line.startswith("#"):
            if found := HEADER.match(line):
                header.setdefault(found[1], found[2].strip())
        elif line:
            cells = _cells(line)
            if first and not any(letter.isdigit() for letter in line) and len(cells) == 2:
                first = False
                continue
            first = False
            depth, seconds = _row(cells, line, f"{name}, line {number}")
            if depth in by_depth:
                raise BadFile(f"{name}, line {number}: depth {depth} is repeated")
            by_depth[depth] = seconds
    if not by_depth:
        raise BadFile(f"{name} has no times: write a depth and its seconds on each line")
    return PublishedTable(
        header.get("name", Path(path).stem), header.get("source", path), dict(sorted(by_depth.items()))
    )


def _cells(line: str) -> list[str]:
    between = "\t" if "\t" in line else "," if "," in line else None
    return [cell.strip() for cell in line.split(between)]


def _row(cells: list[str], line: str, place: str) -> tuple[int, float]:
    if len(cells) != 2:
        raise BadFile(f"{place}: {quote(line)} is not a depth with a number of seconds")
    if not re.fullmatch("[0-9]{1,4}", cells[0]) or int(cells[0]) > DEEPEST:
        raise BadFile(f"{place}: {quote(cells[0])} is not a depth from 0 to {DEEPEST}")
    try:
        seconds = float(cells[1])
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= LONGEST:
        raise BadFile(f"{place}: {quote(cells[1])} is not a number of seconds from 0 to {LONGEST:,.0f}")
    return int(cells[0]), seconds


OWN_DEPTH = "own"
UNITS = {"max": "points", "classic": "units of the score"}  # of the regret
NO_MOVE = "-"
ALWAYS = ("depth", "CPU s")


def depth_columns(series: DepthSeries) -> dict[str, list[str]]:
    """The columns of a depth series that are not empty, by title."""
    columns = {title: [text(row) for row in series.rows] for title, text in COLUMNS.items()}
    return {title: cells for title, cells in columns.items() if title in ALWAYS or any(cells)}


def table_from_columns(columns: Mapping[str, Sequence[str]], caption: str = "") -> Table:
    """Create a table from columns by title."""
    return Table(caption, tuple(columns), tuple(zip(*columns.values(), strict=True)))


def comparison_tables(series: Sequence[DepthSeries], game: str = "max") -> list[Table]:
    """Tables of CPU times and, if known, regrets of several players by depth; none for a single player."""
    if len(series) < 2:
        return []
    tables = [_comparison_table(series, "CPU s", "CPU seconds per move, by depth")]
    if any(row.regret is not None for each in series for row in each.rows):
        caption = f"Mean regret of a move in {UNITS[game]}, by depth"
        tables.append(_comparison_table(series, "regret", caption))
    return tables


def _comparison_table(series: Sequence[DepthSeries], title: str, caption: str) -> Table:
    """A table with a column for each player. Cells of unmeasured depths are empty."""
    found = [{row.depth: COLUMNS[title](row) or NO_MOVE for row in each.rows} for each in series]
    depths = sorted({depth for each in found for depth in each}, key=lambda depth: (depth is None, depth))
    heads = ("depth", *(one_line(each.player) for each in series))
    rows = tuple((format_depth(depth), *(each.get(depth, "") for each in found)) for depth in depths)
    return Table(caption, heads, rows)


def format_seconds(seconds: float) -> str:
    """Format a time in seconds with three significant digits, such as 0.0312, 1.96 and 183."""
    if not seconds or not math.isfinite(seconds):
        return f"{seconds:g}"
    rounded = float(f"{seconds:.3g}")
    decimals = max(0, 2 - math.floor(math.log10(abs(rounded))))
    return f"{seconds:,.{decimals}f}"


def format_depth(depth: int | None) -> str:
    """Format a depth: "own" for None, the depth of a player that sets it itself."""
    return OWN_DEPTH if depth is None else str(depth)


def _median_cpu_seconds(row: DepthResult) -> str:
    if row.cpu_seconds is not None:
        return format_seconds(row.cpu_seconds.median)
    return NO_MOVE if row.given_up_after is None else f"> {format_seconds(row.given_up_after)}"


def _range(row: DepthResult) -> str:
    taken = row.cpu_seconds
    if taken is None or row.runs < 2:
        return ""
    return f"{format_seconds(taken.low)} to {format_seconds(taken.high)}"


def _rate(row: DepthResult) -> str:
    return "" if row.nodes_per_second is None else f"{float(f'{row.nodes_per_second:.3g}'):,.0f}"


#: The columns of a depth series: titles, and functions that format the cells.
COLUMNS: dict[str, Callable[[DepthResult], str]] = {
    "depth": lambda row: format_depth(row.depth),
    "CPU s": _median_cpu_seconds,
    "range": _range,
    "wall s": lambda row: "" if row.seconds is None else format_seconds(row.seconds.median),
    "column": lambda row: ", ".join(map(str, row.columns)),
    "nodes": lambda row: "" if row.nodes is None else f"{row.nodes:,.0f}",
    "nodes/s": _rate,
    "branching": lambda row: "" if row.branching is None else f"{row.branching:.2f}",
    "regret": lambda row: "" if row.regret is None else f"{row.regret.mean:.3f} ± {row.regret.error:.3f}",
    "perfect": lambda row: "" if row.regret is None else f"{100 * row.regret.perfect_share:.1f} %",
    "worst": lambda row: "" if row.regret is None else str(row.regret.worst),
    "faults": lambda row: str(row.faults or ""),
}

SETS = {
    "empty": "the empty board",
    "sample 1": "the first sample of the assignment, the empty board",
    "sample 2": "the second sample of the assignment",
}
#: A search to this depth takes longer than one of a few plies if the program uses its depth.
SURELY_DEEP = 20
SAME_TIME_RATIO = 1.5  # up to which times count as the same
LAST = 3  # depths whose median is the time of the deepest ones, to reduce the effect of the machine's load


def notes(series: DepthSeries) -> list[str]:
    """Sentences on the depths with faults, the end of the series, and suspicious times."""
    found = []
    for row in series.rows:
        if remarked := describe_fault(row):
            where = "Own depth" if row.depth is None else f"Depth {row.depth}"
            found.append(f"{where}: {_sentence(remarked)}")
    if series.ended:
        found.append(f"The measurement ended, as {_sentence(series.ended)}")
    if ignored := _depth_ignored(series):
        found.append(ignored)
    return [one_line(each, 600) for each in found]


def describe_fault(row: DepthResult) -> str:
    """Describe the faults at a depth, or the reason why there is no result."""
    if not row.faults:
        return row.reason
    failed = f"{plural(row.faults, 'move')} failed"
    if not row.reason:
        return failed
    return row.reason if row.cpu_seconds is None else f"{failed}; first fault: {row.reason}"


def _depth_ignored(series: DepthSeries) -> str:
    """A warning if the CPU time does not grow with the depth; "" otherwise."""
    timed = [
        (row.depth, row.cpu_seconds.median)
        for row in series.rows
        if row.depth and row.cpu_seconds is not None and row.nodes is None
    ]
    if not timed or timed[-1][0] < SURELY_DEEP:
        return ""
    deep = median(seconds for _, seconds in timed[-LAST:])
    if deep > SAME_TIME_RATIO * median(seconds for _, seconds in timed):
        return ""
    first = next(depth for depth, seconds in timed if deep <= SAME_TIME_RATIO * seconds)
    same = f"CPU time is almost constant from depth {first} to depth {timed[-1][0]}"
    return f"{same}: check that the program uses its depth argument."


def describe_games(games: BaselineResult) -> str:
    """Describe the result of the games in a sentence, with a verdict."""
    depth = "" if games.depth is None else f" at depth {games.depth}"
    players = f"{one_line(games.player)}{depth} against {one_line(games.opponent)}"
    return f"{players}: {games.summary_text()}: {games.verdict()}."


def describe_setup(summary: MeasurementSummary) -> str:
    """Describe game, machine, date and version in a sentence, as far as they are known."""
    metadata = summary.metadata
    parts = (
        "in the classic game" * (summary.game == "classic"),
        metadata.machine and f"on {metadata.machine}",
        metadata.date,
        metadata.version and f"maxconnect4 {metadata.version}",
    )
    text = ", ".join(filter(None, parts))
    return one_line(f"Measured {text}.", 500) if text else ""


def describe_positions(series: DepthSeries) -> str:
    """Describe the positions of a series."""
    if series.positions in SETS:
        return SETS[series.positions]
    if series.count == 1:
        return f"the position {one_line(series.positions)}"
    return f"the {series.count:,} positions of the set {one_line(series.positions)}"


def describe_averaging(series: DepthSeries) -> str:
    """Explain the means over several positions; "" for one position."""
    if series.count == 1:
        return ""
    return f"Times and nodes are means per move over {series.count:,} positions."


def join_words(names: Sequence[str]) -> str:
    """Join words with commas and "and"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."


NOTHING = "There are no measurements."


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, of level 2 for a set of positions and of level 3 for a player."""

    level: int
    text: str


#: A sentence, a list of sentences, a heading or a table.
Block = str | tuple[str, ...] | Heading | Table


def summary_blocks(summary: MeasurementSummary) -> list[Block]:
    """The blocks of a summary: a comparison and all players for each position set, then games and machine."""
    blocks: list[Block] = []
    for series in summary.by_positions().values():
        blocks.append(Heading(2, f"On {describe_positions(series[0])}"))
        if about := describe_averaging(series[0]):
            blocks.append(about)
        blocks += comparison_tables(series, summary.game)
        for each in series:
            blocks.append(Heading(3, one_line(each.player)))
            blocks.append(table_from_columns(depth_columns(each)) if each.rows else NOTHING)
            blocks.append(tuple(notes(each)))
    if summary.games:
        blocks += [Heading(2, "Games"), tuple(map(describe_games, summary.games))]
    if setup := describe_setup(summary):
        blocks.append(setup)
    return [block for block in blocks if block] or [NOTHING]


CSV_HEAD = (
    *("player", "positions", "count", "depth", "runs", "cpu_seconds", "cpu_low", "cpu_high"),
    *("seconds", "seconds_low", "seconds_high", "columns", "nodes", "nodes_per_second", "branching"),
    *("regret", "regret_error", "perfect_share", "worst", "moves", "faults", "reason"),
)


def to_markdown(summary: MeasurementSummary) -> str:
    """Format a summary as Markdown."""
    return "\n\n".join(map(_markdown_block, summary_blocks(summary))) + "\n"


def _markdown_block(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {escape(text)}"
        case Table():
            return block.markdown()
        case tuple():
            return bullets([*map(escape, block)])
    return escape(block)


def to_csv(summary: MeasurementSummary) -> str:
    """Format a summary as CSV, with a row for each player, position set and depth, and without games."""
    return csv_table(CSV_HEAD, (_csv_row(series, row) for series in summary.series for row in series.rows))


def to_dict(summary: MeasurementSummary) -> dict[str, Any]:
    """The JSON form of a summary."""
    metadata = msgspec.to_builtins(summary.metadata)
    program_version = metadata.pop("version")  # `version` is that of the format: docs/reference/json.md
    return {
        **metadata,
        "program_version": program_version,
        "series": [asdict(each) for each in summary.series],
        "games": [each.to_dict() for each in summary.games],
    }


def _csv_row(series: DepthSeries, row: DepthResult) -> list[object]:
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


def _three(spread: Timing | None) -> list[float | None]:
    return [None] * 3 if spread is None else [_rounded(each) for each in (spread.median, spread.low, spread.high)]


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 6)
