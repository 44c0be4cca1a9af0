"""The plots of the page, as SVG that takes its colours and letters from the style sheet."""

from __future__ import annotations

import math
from html import escape

from ...amounts import time_in_words, with_minus

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .facts import Facts
    from .times import Times

WIDTH = 510  # of the plot of ratings; 13 letters, such as +12345 ±12345, fit between LINE_END and it
NAMES_END, LINE_END, ROW, TOP = 148, 398, 22, 26
LONGEST_BAR = 1000.0  # points of rating to either side

PANEL_WIDTH, PANEL_HEIGHT = 240, 132
LEFT, RIGHT, ABOVE, BELOW = 46, 8, 8, 22


def rating_plot(facts: Facts) -> str:
    """Each player's rating with its error bar, best first. Nothing if nobody has a rating."""
    rated = [
        (name, standing.rating.elo, standing.rating.bar)
        for name, standing in zip(facts["names"], facts["standings"], strict=True)
        if standing.rating is not None
    ]
    if not rated:
        return ""
    rated.sort(key=lambda each: -each[1])
    # An endless error bar must not push the others together: it is cut, and has no ends then.
    reach = [min(error, LONGEST_BAR) for _, _, error in rated]
    low = min(rating - error for (_, rating, _), error in zip(rated, reach, strict=True)) - 1
    high = max(rating + error for (_, rating, _), error in zip(rated, reach, strict=True)) + 1
    step = _round_step((high - low) / 5)

    def across(rating: float) -> float:
        return NAMES_END + 10 + (LINE_END - NAMES_END - 20) * (min(max(rating, low), high) - low) / (high - low)

    height = TOP + ROW * len(rated) + 10
    parts = []
    for tick in range(math.ceil(low / step), math.floor(high / step) + 1):
        value = tick * step
        x = across(value)
        parts.append(f'<path class="grid" d="M{x:.1f} {TOP - 6}V{height - 6}"/>')
        parts.append(
            f'<text class="tick" x="{x:.1f}" y="{TOP - 11}" text-anchor="middle">{with_minus(f"{value:+z.0f}")}</text>'
        )
    for place, ((name, rating, error), reached) in enumerate(zip(rated, reach, strict=True)):
        y = TOP + ROW * place + ROW / 2
        x, left, right = across(rating), across(rating - reached), across(rating + reached)
        label = with_minus(f"{rating:+z.0f}") + f" ±{error:.0f}"
        line = f"M{left:.1f} {y}H{right:.1f}" if error > reached else f"M{left:.1f} {y - 4}v8m0-4H{right:.1f}m0-4v8"
        parts.append(
            f"<g><title>{escape(name)}: {label}</title>"
            f'<text x="{NAMES_END}" y="{y + 4}" text-anchor="end">{escape(_short(name, 20))}</text>'
            f'<path class="bar" d="{line}"/>'
            f'<circle class="dot" cx="{x:.1f}" cy="{y}" r="4.5"/>'
            f'<text class="tick" x="{LINE_END + 4}" y="{y + 4}">{label}</text></g>'
        )
    label = f"Ratings with error bars, from {rated[0][0]} down to {rated[-1][0]}; the numbers stand in the standings"
    return _svg(WIDTH, height, label, "".join(parts), "ratings")


def time_plots(facts: Facts) -> str:
    """A small plot for each player, all with the same axes: CPU time by ply, the median and a band around it."""
    every = [value for times in facts["times"] for value in (*times["low"], *times["high"]) if value > 0]
    if not every:
        return "<p>No CPU time was measured.</p>"
    low = max(math.log10(min(every)) - 0.1, -6)
    high = max(math.log10(max(every)), low) + 0.1
    if math.floor(high) < math.ceil(low):  # there has to be a power of ten to write beside the plot
        low, high = math.floor(low), math.ceil(high)
    last = max(times["plies"][-1] for times in facts["times"] if times["plies"])
    panels = [
        f"<figure><figcaption>{escape(name)}</figcaption>{_panel(name, times, low, high, max(last, 2))}</figure>"
        for name, times in zip(facts["names"], facts["times"], strict=True)
        if times["plies"]
    ]
    return f'<div class="panels">{"".join(panels)}</div>'


def _panel(name: str, times: Times, low: float, high: float, last: int) -> str:
    right, bottom = PANEL_WIDTH - RIGHT, PANEL_HEIGHT - BELOW

    def across(ply: int) -> float:
        return LEFT + (right - LEFT) * (ply - 1) / (last - 1)

    def up(seconds: float) -> float:
        return bottom - (bottom - ABOVE) * (math.log10(max(seconds, 10.0**low)) - low) / (high - low)

    def points(values: Sequence[float]) -> list[str]:
        return [f"{across(ply):.1f} {up(value):.1f}" for ply, value in zip(times["plies"], values, strict=True)]

    parts = []
    powers = range(math.ceil(low), math.floor(high) + 1)
    for power in powers[:: 1 + len(powers) // 6]:
        y = up(10.0**power)
        parts.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{right}"/>')
        parts.append(f'<text class="tick" x="{LEFT - 4}" y="{y + 3.5:.1f}" text-anchor="end">{_power(power)}</text>')
    for ply in (1, *range(10, last + 1, 10)):
        parts.append(f'<text class="tick" x="{across(ply):.1f}" y="{bottom + 14}" text-anchor="middle">{ply}</text>')
    above, below, middle = points(times["high"]), points(times["low"]), points(times["middle"])
    parts.append(
        f'<path class="band" d="M{"L".join(above + below[::-1])}Z"/><path class="median" d="M{"L".join(middle)}"/>'
    )
    if len(middle) == 1:
        parts.append(f'<path class="median point" d="M{middle[0]}h0"/>')
    median = sorted(times["middle"])[len(times["middle"]) // 2]
    label = (
        f"CPU time a move by ply, {name}: about {time_in_words(median)}, at most {time_in_words(max(times['high']))}"
    )
    return _svg(PANEL_WIDTH, PANEL_HEIGHT, label, "".join(parts), "times")


def _power(power: int) -> str:
    return f"{10 ** (power + 6)} µs" if power < -3 else f"{10 ** (power + 3)} ms" if power < 0 else f"{10**power} s"


def _round_step(rough: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50 and so on."""
    power = 10.0 ** math.floor(math.log10(rough))
    return power * next(number for number in (1, 2, 5, 10) if number * power >= rough * 0.999)


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _svg(width: int, height: float, label: str, inside: str, kind: str) -> str:
    settings = f'class="plot {kind}" viewBox="0 0 {width} {height:g}" role="img" aria-label="{escape(label)}"'
    return f"<svg {settings}>{inside}</svg>"
