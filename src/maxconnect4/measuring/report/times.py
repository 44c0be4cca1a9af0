"""CPU time by depth, as a section of the report."""

from __future__ import annotations

from ...writing.documents.blocks import Picture, Section, paragraph
from ...writing.safe_text import one_line
from ..showing.cells import depth_text, seconds_in_digits
from ..showing.sentences import listed, set_in_words
from .tables import compared, has_factors, over_limit, table_with_remarks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...writing.documents.blocks import Block
    from ..summary import Row, Series


def times_section(series: Sequence[Series], limit: float | None, published: Sequence[str]) -> Section | None:
    """All players side by side, a table for each player and set, and the plot of all of them."""
    if not series:
        return None
    blocks: list[Block] = [paragraph(how)] if (how := _how_to_read(series)) else []
    blocks += compared(series)
    for each in series:
        said = _in_words(each, limit)
        caption = f"CPU time of {one_line(each.player)} by depth, on {set_in_words(each)}"
        blocks += [*[paragraph(said)] * bool(said), table_with_remarks(each, limit, caption)]
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


def _how_to_read(series: Sequence[Series]) -> str:
    said = ["CPU and wall clock are in seconds."]
    runs = sorted({row.runs for each in series for row in each.rows})
    if runs and runs[-1] > 1:
        how_many = runs[-1] if len(runs) == 1 else "the"
        said.append(f"A time is the median of {how_many} runs, and the range is from the fastest to the slowest.")
    if any(map(has_factors, series)):
        said.append("The factor is how many times as long a move takes as at the depth before.")
    return " ".join(said)


def _in_words(series: Series, limit: float | None) -> str:
    """How deep it came, and what is missing."""
    said = []
    who = f"{one_line(series.player)} on {set_in_words(series)}"
    last = next((row for row in series.rows if over_limit(row, limit)), None)
    if last is not None and last.cpu_seconds is not None:
        took = f"{'median ' if last.runs > 1 else ''}{seconds_in_digits(last.cpu_seconds.median)} s"
        first = f"depth {last.depth} is the first at which a move takes" if last.depth is not None else "a move takes"
        said.append(f"{who}: {first} over {limit:g} s of CPU time ({took}).")
    elif series.ended:
        said.append(f"{who}: no deeper search was tried: {one_line(series.ended, 500)}.")
    gaps = [depth_text(row.depth) for row in series.rows if row.cpu_seconds is None]
    if gaps:
        said.append(f"There is no time for depth {listed(gaps)}: the remark says why.")
    if series.count > 1:
        said.append("Times and nodes are the mean over the positions.")
    return " ".join(said)


def _described(series: Series) -> str:
    timed = [(row, row.cpu_seconds.median) for row in series.rows if row.cpu_seconds is not None]
    if not timed:
        return f"{one_line(series.player)} has no times."
    ends = [timed[0], timed[-1]][: len(timed)]
    told = ", ".join(f"{seconds_in_digits(seconds)} s {_at_depth(row)}" for row, seconds in ends)
    return f"{one_line(series.player)}: {told}."


def _at_depth(row: Row) -> str:
    return "at a depth of its own" if row.depth is None else f"at depth {row.depth}"
