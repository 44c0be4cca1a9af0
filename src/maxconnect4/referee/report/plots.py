"""Plots of ratings and CPU times as SVG, with the colours and fonts of the page's style sheet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from ...formatting import format_cpu_time, format_minus
from .data import CpuTimes, ReportData

WIDTH = 510  # of the plot of ratings, with a label of 13 characters, such as +12345 ±12345, after LINE_END
NAMES_END, LINE_END, ROW, TOP = 148, 398, 22, 26
LONGEST_BAR = 1000.0  # Elo to each side

PANEL_WIDTH, PANEL_HEIGHT = 240, 132
LEFT, RIGHT, ABOVE, BELOW = 46, 8, 8, 22


def rating_plot(data: ReportData) -> str:
    """The plot of each player's rating with its error bar, best first; "" without ratings."""
    rated = [
        (name, standing.rating.elo, standing.rating.bar)
        for name, standing in zip(data.names, data.standings, strict=True)
        if standing.rating is not None
    ]
    if not rated:
        return ""
    rated.sort(key=lambda each: -each[1])
    # Very long error bars are truncated, without end marks, to keep a readable scale for the others.
    reach = [min(error, LONGEST_BAR) for _, _, error in rated]
    low = min(rating - error for (_, rating, _), error in zip(rated, reach, strict=True)) - 1
    high = max(rating + error for (_, rating, _), error in zip(rated, reach, strict=True)) + 1
    step = _round_step((high - low) / 5)

    def x_of(rating: float) -> float:
        return NAMES_END + 10 + (LINE_END - NAMES_END - 20) * (min(max(rating, low), high) - low) / (high - low)

    height = TOP + ROW * len(rated) + 10
    parts = []
    for tick in range(math.ceil(low / step), math.floor(high / step) + 1):
        value = tick * step
        x = x_of(value)
        parts.append(f'<path class="grid" d="M{x:.1f} {TOP - 6}V{height - 6}"/>')
        parts.append(
            f'<text class="tick" x="{x:.1f}" y="{TOP - 11}" text-anchor="middle">'
            f"{format_minus(f'{value:+z.0f}')}</text>"
        )
    for place, ((name, rating, error), reached) in enumerate(zip(rated, reach, strict=True)):
        y = TOP + ROW * place + ROW / 2
        x, left, right = x_of(rating), x_of(rating - reached), x_of(rating + reached)
        label = format_minus(f"{rating:+z.0f}") + f" ±{error:.0f}"
        line = f"M{left:.1f} {y}H{right:.1f}" if error > reached else f"M{left:.1f} {y - 4}v8m0-4H{right:.1f}m0-4v8"
        parts.append(
            f"<g><title>{escape(name)}: {label}</title>"
            f'<text x="{NAMES_END}" y="{y + 4}" text-anchor="end">{escape(_short(name, 20))}</text>'
            f'<path class="bar" d="{line}"/>'
            f'<circle class="dot" cx="{x:.1f}" cy="{y}" r="4.5"/>'
            f'<text class="tick" x="{LINE_END + 4}" y="{y + 4}">{label}</text></g>'
        )
    label = f"Ratings with error bars, from {rated[0][0]} to {rated[-1][0]}; the standings contain the numbers"
    return _svg(WIDTH, height, label, "".join(parts), "ratings")


def time_plots(data: ReportData) -> str:
    """A plot of CPU time by ply for each player, with the median and a band from the 10th to the 90th percentile."""
    every = [value for times in data.times for value in (*times.low, *times.high) if value > 0]
    if not every:
        return "<p>No CPU time was measured.</p>"
    low = max(math.log10(min(every)) - 0.1, -6)
    high = max(math.log10(max(every)), low) + 0.1
    if math.floor(high) < math.ceil(low):  # the axis needs a power of ten as a tick
        low, high = math.floor(low), math.ceil(high)
    last = max(times.plies[-1] for times in data.times if times.plies)
    panels = [
        f"<figure><figcaption>{escape(name)}</figcaption>{_panel(name, times, low, high, max(last, 2))}</figure>"
        for name, times in zip(data.names, data.times, strict=True)
        if times.plies
    ]
    return f'<div class="panels">{"".join(panels)}</div>'


def _panel(name: str, times: CpuTimes, low: float, high: float, last: int) -> str:
    right, bottom = PANEL_WIDTH - RIGHT, PANEL_HEIGHT - BELOW

    def x_of(ply: int) -> float:
        return LEFT + (right - LEFT) * (ply - 1) / (last - 1)

    def y_of(seconds: float) -> float:
        return bottom - (bottom - ABOVE) * (math.log10(max(seconds, 10.0**low)) - low) / (high - low)

    def points(values: Sequence[float]) -> list[str]:
        return [f"{x_of(ply):.1f} {y_of(value):.1f}" for ply, value in zip(times.plies, values, strict=True)]

    parts = []
    powers = range(math.ceil(low), math.floor(high) + 1)
    for power in powers[:: 1 + len(powers) // 6]:
        y = y_of(10.0**power)
        parts.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{right}"/>')
        parts.append(f'<text class="tick" x="{LEFT - 4}" y="{y + 3.5:.1f}" text-anchor="end">{_power(power)}</text>')
    for ply in (1, *range(10, last + 1, 10)):
        parts.append(f'<text class="tick" x="{x_of(ply):.1f}" y="{bottom + 14}" text-anchor="middle">{ply}</text>')
    above, below, middle = points(times.high), points(times.low), points(times.middle)
    parts.append(
        f'<path class="band" d="M{"L".join(above + below[::-1])}Z"/><path class="median" d="M{"L".join(middle)}"/>'
    )
    if len(middle) == 1:
        parts.append(f'<path class="median point" d="M{middle[0]}h0"/>')
    median = sorted(times.middle)[len(times.middle) // 2]
    most = format_cpu_time(max(times.high))
    label = f"CPU time per move by ply, {name}: about {format_cpu_time(median)}, at most {most}"
    return _svg(PANEL_WIDTH, PANEL_HEIGHT, label, "".join(parts), "times")


def _power(power: int) -> str:
    return f"{10 ** (power + 6)} µs" if power < -3 else f"{10 ** (power + 3)} ms" if power < 0 else f"{10**power} s"


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return power * next(number for number in (1, 2, 5, 10) if number * power >= rough * 0.999)


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _svg(width: int, height: float, label: str, inside: str, kind: str) -> str:
    attributes = f'class="plot {kind}" viewBox="0 0 {width} {height:g}" role="img" aria-label="{escape(label)}"'
    return f"<svg {attributes}>{inside}</svg>"
