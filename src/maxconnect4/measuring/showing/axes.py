"""What is around the lines of a plot: axes of seconds and of depths, the grid, the titles and the legend."""

from __future__ import annotations

import math

from .looks import drawable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

LEAST_SPAN = 20.0  # between the ends of an axis of seconds, so that a power of ten is on it
FEW_POWERS = 150.0  # a span below which 2 and 5 are ticks as well


def limits_of_seconds(seconds: Iterable[float], room: float = 0.0) -> tuple[float, float]:
    """The ends of an axis of seconds, a little apart from what is on it; a share of it stays free at its beginning."""
    found = [each for each in seconds if each > 0] or [1.0]
    low, high = min(found) / 1.6, max(found) * 1.6
    wider = math.sqrt(max(1.0, LEAST_SPAN / (high / low)))
    low, high = low / wider, high * wider
    return low / (high / low) ** (room / (1 - room)), high


def axis_of_seconds(axes: Axes, which: str, limits: tuple[float, float]) -> None:
    """Make the x or y axis a logarithmic one of seconds, with plain numbers."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set(**{f"{which}scale": "log", f"{which}lim": limits})
    axis = axes.xaxis if which == "x" else axes.yaxis
    few = limits[1] / limits[0] < FEW_POWERS
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if few else (1,), numticks=20))
    axis.set_minor_locator(LogLocator(subs=range(2, 10), numticks=20))
    axis.set_major_formatter(FuncFormatter(lambda seconds, _: plain(seconds)))
    axis.set_minor_formatter(NullFormatter())


def plain(seconds: float) -> str:
    """A round number without an exponent."""
    return f"{seconds:,.9f}".rstrip("0").rstrip(".")


def axis_of_depths(axes: Axes, depths: Iterable[int], own: bool) -> int:
    """Make the x axis one of depths. Where players have a depth of their own, the place for them is returned."""
    found = sorted(set(depths))
    first, last = (found[0], found[-1]) if found else (1, 0)
    step = next(step for step in (1, 2, 5, 10, 50, 100) if (last - first) / step <= 24)
    ticks = list(range(first + -first % step, last + 1, step))
    place = last + max(1, step)
    names = [str(tick) for tick in ticks] + ["own"] * own
    axes.set_xticks(ticks + [place] * own, names)
    axes.set_xlim(first - 0.6, (place if own else max(last, first)) + 0.6)
    axes.set_xlabel("depth (own: as deep as the player likes)" if own else "depth")
    return place


def finish(axes: Axes, title: str, subtitle: str) -> None:
    """The grid, the titles, and the legend beside the picture."""
    axes.grid(which="major", color="0.88", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.figure.suptitle(drawable(title, 90), x=0.01, ha="left", fontsize=13)
    if subtitle:
        axes.set_title(drawable(subtitle, 110), loc="left", fontsize=9, color="0.35")
    handles, names = axes.get_legend_handles_labels()
    if handles:
        axes.legend(handles, names, loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False, borderpad=0)
    else:
        axes.axis("off")
        axes.text(0.5, 0.5, "nothing was measured", transform=axes.transAxes, ha="center", color="0.35")
