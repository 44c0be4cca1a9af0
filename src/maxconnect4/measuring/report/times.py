"""CPU time by depth, as a section of the report."""

from __future__ import annotations

from ...writing.documents.blocks import Picture, Section, Table, paragraph
from ...writing.safe_text import one_line
from ..showing.cells import set_in_words
from .figures import NOTHING, count_text, factor_text, listed, seconds_text, times_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...writing.documents.blocks import Block
    from ..summary import Row, Series

OVER = "over the limit"


def times_section(series: Sequence[Series], limit: float | None, published: Sequence[str]) -> Section | None:
    """A table for each player and set, and the plot of all of them."""
    if not series:
        return None
    blocks: list[Block] = [paragraph(how)] if (how := _how_to_read(series)) else []
    for each in series:
        said = _in_words(each, limit)
        blocks += [*[paragraph(said)] * bool(said), _table(each, limit)]
    dashed = f" Dashed, to compare: {listed([one_line(name) for name in published])}." if published else ""
    described = " ".join(_described(each) for each in series)
    caption = f"CPU time of a move by depth, on a logarithmic axis.{dashed}"
    blocks.append(Picture("cpu", caption, f"Plot of the CPU time by depth. {described}"))
    if any(row.branching is not None for each in series for row in each.rows):
        blocks.append(
            paragraph(
                "The branching factor is the b for which a full tree with b moves in every position has as many nodes "
                "as were searched. Without pruning it would be 7 as long as no column is full."
            )
        )
    return Section("times", "CPU time by depth", tuple(blocks))


def depth_text(row: Row) -> str:
    """The depth of a row."""
    return "its own" if row.depth is None else str(row.depth)


def at_depth(row: Row) -> str:
    """The same in a sentence."""
    return "at a depth of its own" if row.depth is None else f"at depth {row.depth}"


def remark(row: Row) -> str:
    """What went wrong at a depth."""
    reason = one_line(row.reason, 500)
    if not row.faults:
        return reason
    return (
        f"{reason} ({times_text(row.faults, 'move')} failed)" if reason else f"{times_text(row.faults, 'move')} failed"
    )


def over_limit(row: Row, limit: float | None) -> bool:
    """Whether a move took longer than the limit, which ends the table."""
    return limit is not None and row.cpu_seconds is not None and row.cpu_seconds.high > limit


def _table(series: Series, limit: float | None) -> Table:
    several = any(row.runs > 1 for row in series.rows)
    factors = _has_factors(series)
    varying = len({row.runs for row in series.rows}) > 1
    played = any(row.columns for row in series.rows)
    nodes = any(row.nodes is not None for row in series.rows)
    marked = frozenset(place for place, row in enumerate(series.rows) if over_limit(row, limit))
    remarked = bool(marked) or any(map(remark, series.rows))
    heads = [
        *("Depth", "CPU time (s)"),
        *["Range (s)"] * several,
        *("Wall clock (s)", *["Factor"] * factors),
        *["Column"] * played,
        *["Nodes", "Nodes/s", "Branching"] * nodes,
        *["Runs"] * varying,
        *["Remark"] * remarked,
    ]
    rows = []
    before: Row | None = None
    for row in series.rows:
        cpu = row.cpu_seconds
        remarks = [part for part in (OVER if over_limit(row, limit) else "", remark(row)) if part]
        cells = [
            depth_text(row),
            NOTHING if cpu is None else seconds_text(cpu.median),
            *[NOTHING if cpu is None else f"{seconds_text(cpu.low)}–{seconds_text(cpu.high)}"] * several,
            NOTHING if row.seconds is None else seconds_text(row.seconds.median),
            *[factor_text(_factor(before, row))] * factors,
            *[", ".join(map(str, row.columns)) or NOTHING] * played,
            *[count_text(row.nodes), count_text(row.nodes_per_second), factor_text(row.branching)] * nodes,
            *[str(row.runs)] * varying,
            *["; ".join(remarks)] * remarked,
        ]
        rows.append(tuple(cells))
        before = row
    caption = f"CPU time of {one_line(series.player)} by depth, on {set_in_words(series)}"
    return Table(caption, tuple(heads), tuple(rows), frozenset(["Remark"]), marked)


def _factor(before: Row | None, row: Row) -> float | None:
    """How much longer a move takes than at the depth before."""
    if before is None or before.depth is None or row.depth != before.depth + 1:
        return None
    if before.cpu_seconds is None or row.cpu_seconds is None or not before.cpu_seconds.median:
        return None
    return row.cpu_seconds.median / before.cpu_seconds.median


def _how_to_read(series: Sequence[Series]) -> str:
    said = []
    runs = sorted({row.runs for each in series for row in each.rows})
    if runs and runs[-1] > 1:
        how_many = runs[-1] if len(runs) == 1 else "the"
        said.append(f"A time is the median of {how_many} runs, and the range is from the fastest to the slowest.")
    if any(map(_has_factors, series)):
        said.append("The factor is how many times as long a move takes as at the depth before.")
    return " ".join(said)


def _has_factors(series: Series) -> bool:
    pairs = zip(series.rows, series.rows[1:], strict=False)
    return any(_factor(before, row) is not None for before, row in pairs)


def _in_words(series: Series, limit: float | None) -> str:
    """How deep it came, and what is missing."""
    said = []
    who = f"{one_line(series.player)} on {set_in_words(series)}"
    last = next((row for row in series.rows if over_limit(row, limit)), None)
    if last is not None and last.cpu_seconds is not None:
        took = f"{'median ' if last.runs > 1 else ''}{seconds_text(last.cpu_seconds.median)} s"
        first = f"depth {last.depth} is the first at which a move takes" if last.depth is not None else "a move takes"
        said.append(f"{who}: {first} over {limit:g} s of CPU time ({took}).")
    elif series.ended:
        said.append(f"{who}: nothing deeper was tried, as {one_line(series.ended, 500)}.")
    gaps = [depth_text(row) for row in series.rows if row.cpu_seconds is None]
    if gaps:
        said.append(f"There is no time for depth {listed(gaps)}: the remark says why.")
    if series.count > 1:
        said.append("Times and nodes are the mean over the positions.")
    return " ".join(said)


def _described(series: Series) -> str:
    timed = [row for row in series.rows if row.cpu_seconds is not None]
    if not timed:
        return f"{one_line(series.player)} has no times."
    first, last = timed[0], timed[-1]
    assert first.cpu_seconds is not None
    assert last.cpu_seconds is not None
    start = f"{one_line(series.player)}: {seconds_text(first.cpu_seconds.median)} s {at_depth(first)}"
    if len(timed) == 1:
        return f"{start}."
    return f"{start}, {seconds_text(last.cpu_seconds.median)} s {at_depth(last)}."
