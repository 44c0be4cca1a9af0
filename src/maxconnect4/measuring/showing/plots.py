"""Plots of what was measured, as PNG or SVG: CPU time by depth, and points given away by CPU time or by depth.

In an SVG, `player-1` are the points of the first player, by depth, and `own-1` those of a depth of its own; `spread-1`
are the bars from low to high, and `gap-1` the depths without a move. `published-1` is the first published table.
A player looks the same in all plots of the same series.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from ...writing.pictures import picture
from .axes import axis_of_depths, axis_of_seconds, finish, limits_of_seconds
from .cells import UNITS
from .labels import Labelled, label_points
from .looks import drawable, looks, size_for
from .sentences import set_in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from matplotlib.axes import Axes

    from ..summary import Row, Series, Spread
    from .looks import Look
    from .published import PublishedTable

MINUTE = 60.0  # the limit of the assignment
NEAR_A_MINUTE = 15.0
GAP_ABOVE_GAP = 0.045  # of the height of the picture, where several players have no move
GREYS = ("0.35", "0.55", "0.7")
DASHES = ((0, (5, 2)), (0, (3, 1.5, 1, 1.5)), (0, (8, 3)))


@dataclass(frozen=True, slots=True)
class _Point:
    """What a row has on the y axis."""

    depth: int | None
    value: float  # not a number where there is a gap
    low: float
    high: float


def cpu_by_depth(
    series: Sequence[Series], published: Sequence[PublishedTable] = (), kind: str = "svg", subtitle: str = ""
) -> bytes:
    """CPU seconds for a move by depth on a logarithmic axis, as "png" or "svg"; published tables are dashed.

    A time of nothing, which a clock may show, is drawn as the least that was measured.
    """
    tables = [table for table in published if table.by_depth]
    spreads = [row.cpu_seconds for each in series for row in each.rows if row.cpu_seconds is not None]
    seconds = [end for spread in spreads for end in (spread.median, spread.low, spread.high)]
    seconds += [each for table in tables for each in table.by_depth.values()]
    least = min((each for each in seconds if each > 0), default=0.001)
    if max(seconds, default=0.0) >= NEAR_A_MINUTE:
        seconds.append(MINUTE)
    lines = [[_point(row.depth, row.cpu_seconds, least) for row in each.rows] for each in series]
    gaps = Counter(point.depth for line in lines for point in line if math.isnan(point.value))
    room = min(0.5, GAP_ABOVE_GAP * (max(gaps.values()) + 0.5)) if gaps else 0.0
    names = looks(series)
    published_names = [f"{drawable(table.name)} (published)" for table in tables]

    def draw(axes: Axes) -> None:
        axis_of_seconds(axes, "y", limits_of_seconds([*seconds, least], room))
        depths = [depth for table in tables for depth in table.by_depth]
        _draw_by_depth(axes, lines, names, depths)
        for number, table in enumerate(tables):
            axes.plot(
                list(table.by_depth),
                [max(each, least) for each in table.by_depth.values()],
                color=GREYS[number % len(GREYS)],
                linestyle=DASHES[number % len(DASHES)],
                linewidth=1.6,
                marker=".",
                markersize=5,
                zorder=1.5,
                label=published_names[number],
                gid=f"published-{number + 1}",
            )
        if MINUTE in seconds:
            axes.axhline(MINUTE, color="0.3", linestyle=":", linewidth=1, gid="minute")
            axes.annotate("a minute", (0.01, MINUTE), (0, 3), ("axes fraction", "data"), "offset points", fontsize=9)
        axes.set_ylabel("CPU seconds for a move")
        finish(axes, _title("CPU time by depth", series), subtitle)

    return picture(draw, size_for([*(look.name for look in names), *published_names]), kind)


def regret_by_depth(series: Sequence[Series], kind: str = "svg", subtitle: str = "", game: str = "max") -> bytes:
    """The mean of the points that a move gives away, by depth, of the players of which that is known."""
    names, known = _with_regret(series)
    lines = [[_regret(row) for row in each.rows] for each in known]

    def draw(axes: Axes) -> None:
        _axis_of_regret(axes, lines, game)
        _draw_by_depth(axes, lines, names, [])
        finish(axes, _title(f"{UNITS[game].capitalize()} given away by depth", known), subtitle)

    return picture(draw, size_for([look.name for look in names]), kind)


def regret_by_cpu(series: Sequence[Series], kind: str = "svg", subtitle: str = "", game: str = "max") -> bytes:
    """The mean of the points that a move gives away, by CPU seconds, with the depth beside each point."""
    names, known = _with_regret(series)
    lines = [[_regret(row) for row in each.rows] for each in known]
    taken = [[math.nan if row.cpu_seconds is None else row.cpu_seconds.median for row in each.rows] for each in known]
    measured = [seconds for line in taken for seconds in line if seconds > 0] or [0.001]
    taken = [[_at_least(min(measured), seconds) for seconds in line] for line in taken]

    def draw(axes: Axes) -> None:
        axis_of_seconds(axes, "x", limits_of_seconds(measured))
        _axis_of_regret(axes, lines, game)
        labels = []
        for look, line, places in zip(names, lines, taken, strict=True):
            points = list(zip(places, line, strict=True))
            _draw_line(axes, look, points)
            labels.append(
                [
                    Labelled(place, point.value, "" if point.depth is None else str(point.depth), look.colour)
                    for place, point in points
                    if not math.isnan(place + point.value)
                ]
            )
        axes.set_xlabel("CPU seconds for a move (left is better)")
        finish(axes, _title(f"{UNITS[game].capitalize()} given away by CPU time", known), subtitle)
        label_points(axes, labels)

    return picture(draw, size_for([look.name for look in names]), kind)


def _with_regret(series: Sequence[Series]) -> tuple[list[Look], list[Series]]:
    """Those of whose moves it is known what they gave away, and how they look."""
    found = [
        (look, each)
        for look, each in zip(looks(series), series, strict=True)
        if any(row.regret is not None for row in each.rows)
    ]
    return [look for look, _ in found], [each for _, each in found]


def _title(what: str, series: Sequence[Series]) -> str:
    sets = set(map(set_in_words, series))
    return f"{what}, on {sets.pop()}" if len(sets) == 1 else what


def _at_least(least: float, seconds: float) -> float:
    return seconds if math.isnan(seconds) else max(seconds, least)


def _point(depth: int | None, spread: Spread | None, least: float) -> _Point:
    if spread is None:
        return _Point(depth, math.nan, math.nan, math.nan)
    return _Point(depth, *(max(each, least) for each in (spread.median, spread.low, spread.high)))


def _regret(row: Row) -> _Point:
    if row.regret is None:
        return _Point(row.depth, math.nan, math.nan, math.nan)
    mean, error = row.regret.mean, row.regret.error
    return _Point(row.depth, mean, max(mean - error, 0.0), mean + error)


def _axis_of_regret(axes: Axes, lines: Sequence[Sequence[_Point]], game: str) -> None:
    highest = max((point.high for line in lines for point in line if not math.isnan(point.high)), default=0.0) or 1.0
    axes.set_ylim(-0.05 * highest, 1.08 * highest)
    axes.set_ylabel(f"{UNITS[game]} given away per move (lower is better)")


def _draw_by_depth(
    axes: Axes, lines: Sequence[Sequence[_Point]], names: Sequence[Look], other_depths: Sequence[int]
) -> None:
    """The line of each player; below it an x for each depth at which there is no move."""
    depths = [point.depth for line in lines for point in line if point.depth is not None]
    own = any(point.depth is None for line in lines for point in line)
    place = axis_of_depths(axes, [*depths, *other_depths], own)
    stacked: dict[float, int] = {}
    for look, line in zip(names, lines, strict=True):
        points = [(float(place if point.depth is None else point.depth), point) for point in line]
        _draw_line(axes, look, points)
        for point in line:
            if point.depth is None and not math.isnan(point.value):
                axes.axhline(point.value, color=look.colour, linewidth=0.8, alpha=0.6, zorder=1.2)
        gaps = [x for x, point in points if math.isnan(point.value)]
        for x in gaps:
            stacked[x] = stacked.get(x, 0) + 1
        if gaps:
            heights = [min(GAP_ABOVE_GAP * (stacked[x] - 0.2), 1.0) for x in gaps]
            how = {"transform": axes.get_xaxis_transform(), "linestyle": "none", "markerfacecolor": "none"}
            only = f"{look.name}: no move" if len(gaps) == len(points) else None
            axes.plot(gaps, heights, label=only, **_marks(look, f"gap-{look.number}", marker="x", markersize=5, **how))
            axes.plot(gaps, heights, **_marks(look, f"whose-gap-{look.number}", marker=look.shape, markersize=9, **how))
    if stacked:
        axes.plot([], [], color="0.3", marker="x", linestyle="none", label="no move")


def _draw_line(axes: Axes, look: Look, points: Sequence[tuple[float, _Point]]) -> None:
    """A player's points and how far they spread. Those of a depth of its own are not joined to others."""
    with_depth = [(x, point) for x, point in points if point.depth is not None]
    own = [(x, point) for x, point in points if point.depth is None and not math.isnan(point.value)]
    spread = [(x, point) for x, point in points if point.low < point.high]
    if spread:
        axes.vlines(
            [x for x, _ in spread],
            [point.low for _, point in spread],
            [point.high for _, point in spread],
            colors=look.colour,
            linewidth=1.2,
            alpha=0.45,
            gid=f"spread-{look.number}",
        )
    name: str | None = look.name
    for gid, found in ((f"player-{look.number}", with_depth), (f"own-{look.number}", own)):
        if any(not math.isnan(point.value) for _, point in found):
            axes.plot(
                [x for x, _ in found],
                [point.value for _, point in found],
                label=name,
                **_marks(look, gid, marker=look.shape, markersize=5.5, linewidth=1.6),
            )
            name = None


def _marks(look: Look, gid: str, **how: Any) -> dict[str, Any]:
    return {"color": look.colour, "gid": gid, "clip_on": False, "zorder": 3, **how}
