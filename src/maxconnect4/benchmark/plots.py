"""Plots of a benchmark as PNG or SVG: CPU time by depth, and regret by CPU time or by depth.

IDs of elements in an SVG: `player-1` for the points of the first player by depth, `own-1` for a player that sets its
depth itself, `spread-1` for the bars from low to high, `gap-1` for the depths without a move, and `published-1` for the
first published table. A player has the same style in all plots of the same series.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from ..plots import load_matplotlib, picture
from ..safe_text import one_line
from .summary import DepthResult, DepthSeries, Timing
from .tables import UNITS, PublishedTable, describe_positions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Okabe and Ito's colours for colour-blind readers, without yellow, which is too light on white.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9")
SHAPES = ("o", "s", "^", "D", "v", "P", "X", "*")  # one more than colours, which gives 56 different styles
FONT = "DejaVu Sans"  # included in matplotlib
LONGEST = 34  # characters of a name


@dataclass(frozen=True, slots=True)
class PlotStyle:
    """Name, colour and marker of a player."""

    number: int  # from 1, as in the IDs of the SVG
    name: str
    colour: str
    shape: str


def plot_styles(series: Sequence[DepthSeries]) -> list[PlotStyle]:
    """A style for each series. The names include the position set if there are several."""
    mixed = len({each.positions for each in series}) > 1
    return [
        PlotStyle(
            number + 1,
            plot_label(each.player) + (f", {plot_label(each.positions)}" if mixed else ""),
            COLOURS[number % len(COLOURS)],
            SHAPES[number % len(SHAPES)],
        )
        for number, each in enumerate(series)
    ]


def plot_label(text: str, longest: int = LONGEST) -> str:
    """Format a text on one line, truncated, with escapes for characters that are not in the font."""
    text = one_line(text)
    if len(text) > longest:
        end = longest // 3
        text = f"{text[: longest - end - 1]}…{text[-end:]}"
    text = f" {text}" if text.startswith("_") else text  # matplotlib's legends omit such names
    return "".join(letter if ord(letter) in _letters() else f"\\u{ord(letter):04x}" for letter in text)


@cache
def _letters() -> frozenset[int]:
    load_matplotlib()
    from matplotlib.font_manager import findfont, get_font

    return frozenset(get_font(findfont(FONT)).get_charmap())


def figure_size(names: Sequence[str]) -> tuple[float, float]:
    """The size in inches of a plot with these names in its legend."""
    return 8.0 + 0.075 * max((len(name) for name in names), default=0), max(5.0, 1.0 + 0.25 * len(names))


SIZE = 7.5  # points, of the font
MARKER = 7.0  # points, the side of the square around a marker
#: Offsets of a label in points, in the order of preference.
AROUND = ((6, 5), (-6, 5), (6, -6), (-6, -6), (0, 9), (0, -9), (9, 0), (-9, 0), (0, 14), (0, -14))
SAMPLES = 12  # samples of a line between two of its points


@dataclass(frozen=True, slots=True)
class PointLabel:
    """A point of a line in the units of the axes, with its label."""

    x: float
    y: float
    text: str
    colour: str


@dataclass(frozen=True, slots=True)
class _Box:
    left: float
    bottom: float
    right: float
    top: float

    def overlaps(self, other: _Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.bottom < other.top and other.bottom < self.top
        )

    def contains(self, x: float, y: float) -> bool:
        return self.left < x < self.right and self.bottom < y < self.top


def label_points(axes: Axes, lines: Sequence[Sequence[PointLabel]]) -> None:
    """Place labels where they cover no marker and no other label, and as few parts of lines as possible.

    A label without such a place is omitted. The ends of lines have priority. The limits of the axes must be set.
    """
    axes.figure.draw_without_rendering()  # type: ignore[union-attr]  # lays out the axes
    scale = 72 / axes.figure.dpi
    places = [[_in_points(axes, point, scale) for point in line] for line in lines]
    markers = [_box_around(x, y, MARKER, MARKER) for line in places for x, y in line]
    strokes = [sample for line in places for sample in _samples(line)]
    taken: list[_Box] = []
    ends = [(line, place) for line, found in enumerate(lines) for place in {0: 0, len(found) - 1: 0} if found]
    inner = [(line, place) for line, found in enumerate(lines) for place in range(1, len(found) - 1)]
    for line, place in ends + inner:
        point, (x, y) = lines[line][place], places[line][place]
        free = []
        for offset in AROUND:
            box = _box_around(x + offset[0], y + offset[1], 0.64 * SIZE * len(point.text), SIZE)
            if not any(box.overlaps(other) for other in (*taken, *markers)):
                free.append((sum(box.contains(*sample) for sample in strokes), offset, box))
        if free and point.text:
            _, offset, box = min(free, key=lambda found: found[0])
            taken.append(box)
            axes.annotate(
                point.text,
                (point.x, point.y),
                offset,
                textcoords="offset points",
                ha="center",
                va="center_baseline",
                fontsize=SIZE,
                color=point.colour,
                in_layout=False,
            )


def _in_points(axes: Axes, point: PointLabel, scale: float) -> tuple[float, float]:
    x, y = axes.transData.transform((point.x, point.y))
    return float(x) * scale, float(y) * scale


def _box_around(x: float, y: float, width: float, height: float) -> _Box:
    return _Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _samples(line: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    for (x, y), (next_x, next_y) in pairwise(line):
        for number in range(SAMPLES):
            share = number / SAMPLES
            yield x + share * (next_x - x), y + share * (next_y - y)


LEAST_SPAN = 20.0  # minimum ratio of the ends of a time axis, which then includes a power of ten
FEW_POWERS = 150.0  # ratio below which 2 and 5 are also ticks


def seconds_limits(seconds: Iterable[float], margin: float = 0.0) -> tuple[float, float]:
    """The limits of a time axis. `margin` is the empty share at its beginning."""
    found = [each for each in seconds if each > 0] or [1.0]
    low, high = min(found) / 1.6, max(found) * 1.6
    wider = math.sqrt(max(1.0, LEAST_SPAN / (high / low)))
    low, high = low / wider, high * wider
    return low / (high / low) ** (margin / (1 - margin)), high


def set_seconds_axis(axes: Axes, which: str, limits: tuple[float, float]) -> None:
    """Make the x or y axis a logarithmic time axis, labelled without exponents."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set(**{f"{which}scale": "log", f"{which}lim": limits})
    axis = axes.xaxis if which == "x" else axes.yaxis
    few = limits[1] / limits[0] < FEW_POWERS
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if few else (1,), numticks=20))
    axis.set_minor_locator(LogLocator(subs=range(2, 10), numticks=20))
    axis.set_major_formatter(FuncFormatter(lambda seconds, _: plain_number(seconds)))
    axis.set_minor_formatter(NullFormatter())


def plain_number(seconds: float) -> str:
    """Format a number without an exponent."""
    return f"{seconds:,.9f}".rstrip("0").rstrip(".")


def set_depth_axis(axes: Axes, depths: Iterable[int], own: bool) -> int:
    """Make the x axis a depth axis. Returns the position of players that set their depth themselves."""
    found = sorted(set(depths))
    first, last = (found[0], found[-1]) if found else (1, 0)
    step = next(step for step in (1, 2, 5, 10, 50, 100) if (last - first) / step <= 24)
    ticks = list(range(first + -first % step, last + 1, step))
    place = last + max(1, step)
    names = [str(tick) for tick in ticks] + ["own"] * own
    axes.set_xticks(ticks + [place] * own, names)
    axes.set_xlim(first - 0.6, (place if own else max(last, first)) + 0.6)
    axes.set_xlabel("depth (own: set by the player)" if own else "depth")
    return place


def finish_axes(axes: Axes, title: str, subtitle: str) -> None:
    """Add the grid, the titles and the legend."""
    axes.grid(which="major", color="0.88", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.figure.suptitle(plot_label(title, 90), x=0.01, ha="left", fontsize=13)
    if subtitle:
        axes.set_title(plot_label(subtitle, 110), loc="left", fontsize=9, color="0.35")
    handles, names = axes.get_legend_handles_labels()
    if handles:
        axes.legend(handles, names, loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False, borderpad=0)
    else:
        axes.axis("off")
        axes.text(0.5, 0.5, "no measurements", transform=axes.transAxes, ha="center", color="0.35")


MINUTE = 60.0  # the limit of the assignment
NEAR_A_MINUTE = 15.0
GAP_ABOVE_GAP = 0.045  # distance between marks of players without a move, relative to the height of the plot
GREYS = ("0.35", "0.55", "0.7")
DASHES = ((0, (5, 2)), (0, (3, 1.5, 1, 1.5)), (0, (8, 3)))


@dataclass(frozen=True, slots=True)
class _Point:
    depth: int | None
    value: float  # NaN for a gap
    low: float
    high: float


def cpu_by_depth(
    series: Sequence[DepthSeries], published: Sequence[PublishedTable] = (), kind: str = "svg", subtitle: str = ""
) -> bytes:
    """Plot the CPU time of a move by depth on a logarithmic axis, as "png" or "svg". Published tables are dashed.

    A measured time of 0 is drawn as the smallest other time.
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
    margin = min(0.5, GAP_ABOVE_GAP * (max(gaps.values()) + 0.5)) if gaps else 0.0
    names = plot_styles(series)
    published_names = [f"{plot_label(table.name)} (published)" for table in tables]

    def draw(axes: Axes) -> None:
        set_seconds_axis(axes, "y", seconds_limits([*seconds, least], margin))
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
            axes.annotate("one minute", (0.01, MINUTE), (0, 3), ("axes fraction", "data"), "offset points", fontsize=9)
        axes.set_ylabel("CPU seconds per move")
        finish_axes(axes, _title("CPU time by depth", series), subtitle)

    return picture(draw, figure_size([*(style.name for style in names), *published_names]), kind)


def regret_by_depth(series: Sequence[DepthSeries], kind: str = "svg", subtitle: str = "", game: str = "max") -> bytes:
    """Plot the mean regret of a move by depth, for players with known regrets."""
    names, known = _with_regret(series)
    lines = [[_regret(row) for row in each.rows] for each in known]

    def draw(axes: Axes) -> None:
        _axis_of_regret(axes, lines, game)
        _draw_by_depth(axes, lines, names, [])
        finish_axes(axes, _title("Regret by depth", known), subtitle)

    return picture(draw, figure_size([style.name for style in names]), kind)


def regret_by_cpu(series: Sequence[DepthSeries], kind: str = "svg", subtitle: str = "", game: str = "max") -> bytes:
    """Plot the mean regret of a move by CPU time, with the depth as the label of each point."""
    names, known = _with_regret(series)
    lines = [[_regret(row) for row in each.rows] for each in known]
    taken = [[math.nan if row.cpu_seconds is None else row.cpu_seconds.median for row in each.rows] for each in known]
    measured = [seconds for line in taken for seconds in line if seconds > 0] or [0.001]
    taken = [[_at_least(min(measured), seconds) for seconds in line] for line in taken]

    def draw(axes: Axes) -> None:
        set_seconds_axis(axes, "x", seconds_limits(measured))
        _axis_of_regret(axes, lines, game)
        labels = []
        for style, line, places in zip(names, lines, taken, strict=True):
            points = list(zip(places, line, strict=True))
            _draw_line(axes, style, points)
            labels.append(
                [
                    PointLabel(place, point.value, "" if point.depth is None else str(point.depth), style.colour)
                    for place, point in points
                    if not math.isnan(place + point.value)
                ]
            )
        axes.set_xlabel("CPU seconds per move (left is better)")
        finish_axes(axes, _title("Regret by CPU time", known), subtitle)
        label_points(axes, labels)

    return picture(draw, figure_size([style.name for style in names]), kind)


def _with_regret(series: Sequence[DepthSeries]) -> tuple[list[PlotStyle], list[DepthSeries]]:
    """The series with known regrets, and their styles."""
    found = [
        (style, each)
        for style, each in zip(plot_styles(series), series, strict=True)
        if any(row.regret is not None for row in each.rows)
    ]
    return [style for style, _ in found], [each for _, each in found]


def _title(what: str, series: Sequence[DepthSeries]) -> str:
    sets = set(map(describe_positions, series))
    return f"{what}, on {sets.pop()}" if len(sets) == 1 else what


def _at_least(least: float, seconds: float) -> float:
    return seconds if math.isnan(seconds) else max(seconds, least)


def _point(depth: int | None, spread: Timing | None, least: float) -> _Point:
    if spread is None:
        return _Point(depth, math.nan, math.nan, math.nan)
    return _Point(depth, *(max(each, least) for each in (spread.median, spread.low, spread.high)))


def _regret(row: DepthResult) -> _Point:
    if row.regret is None:
        return _Point(row.depth, math.nan, math.nan, math.nan)
    mean, error = row.regret.mean, row.regret.error
    return _Point(row.depth, mean, max(mean - error, 0.0), mean + error)


def _axis_of_regret(axes: Axes, lines: Sequence[Sequence[_Point]], game: str) -> None:
    highest = max((point.high for line in lines for point in line if not math.isnan(point.high)), default=0.0) or 1.0
    axes.set_ylim(-0.05 * highest, 1.08 * highest)
    axes.set_ylabel(f"mean regret of a move in {UNITS[game]} (lower is better)")


def _draw_by_depth(
    axes: Axes, lines: Sequence[Sequence[_Point]], names: Sequence[PlotStyle], other_depths: Sequence[int]
) -> None:
    """Draw the line of each player, and a cross for each depth without a move."""
    depths = [point.depth for line in lines for point in line if point.depth is not None]
    own = any(point.depth is None for line in lines for point in line)
    place = set_depth_axis(axes, [*depths, *other_depths], own)
    stacked: dict[float, int] = {}
    for style, line in zip(names, lines, strict=True):
        points = [(float(place if point.depth is None else point.depth), point) for point in line]
        _draw_line(axes, style, points)
        for point in line:
            if point.depth is None and not math.isnan(point.value):
                axes.axhline(point.value, color=style.colour, linewidth=0.8, alpha=0.6, zorder=1.2)
        gaps = [x for x, point in points if math.isnan(point.value)]
        for x in gaps:
            stacked[x] = stacked.get(x, 0) + 1
        if gaps:
            heights = [min(GAP_ABOVE_GAP * (stacked[x] - 0.2), 1.0) for x in gaps]
            settings = {"transform": axes.get_xaxis_transform(), "linestyle": "none", "markerfacecolor": "none"}
            only = f"{style.name}: no move" if len(gaps) == len(points) else None
            axes.plot(
                gaps, heights, label=only, **_marks(style, f"gap-{style.number}", marker="x", markersize=5, **settings)
            )
            axes.plot(
                gaps,
                heights,
                **_marks(style, f"whose-gap-{style.number}", marker=style.shape, markersize=9, **settings),
            )
    if stacked:
        axes.plot([], [], color="0.3", marker="x", linestyle="none", label="no move")


def _draw_line(axes: Axes, style: PlotStyle, points: Sequence[tuple[float, _Point]]) -> None:
    """Draw the points of a player with their ranges. Points by depth are connected."""
    with_depth = [(x, point) for x, point in points if point.depth is not None]
    own = [(x, point) for x, point in points if point.depth is None and not math.isnan(point.value)]
    spread = [(x, point) for x, point in points if point.low < point.high]
    if spread:
        axes.vlines(
            [x for x, _ in spread],
            [point.low for _, point in spread],
            [point.high for _, point in spread],
            colors=style.colour,
            linewidth=1.2,
            alpha=0.45,
            gid=f"spread-{style.number}",
        )
    name: str | None = style.name
    for gid, found in ((f"player-{style.number}", with_depth), (f"own-{style.number}", own)):
        if any(not math.isnan(point.value) for _, point in found):
            axes.plot(
                [x for x, _ in found],
                [point.value for _, point in found],
                label=name,
                **_marks(style, gid, marker=style.shape, markersize=5.5, linewidth=1.6),
            )
            name = None


def _marks(style: PlotStyle, gid: str, **settings: Any) -> dict[str, Any]:
    return {"color": style.colour, "gid": gid, "clip_on": False, "zorder": 3, **settings}
