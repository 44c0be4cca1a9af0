"""The plots of a report's page: what is drawn stands where its numbers say, by the marks of the axes."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from math import log10

import pytest
from played_games import four_games

from maxconnect4.referee.match_statistics import Rating
from maxconnect4.referee.report import Event
from maxconnect4.referee.report.data import CpuTimes, ReportData, report_data
from maxconnect4.referee.report.plots import rating_plot, time_plots
from maxconnect4.referee.standings import standings

RESULTS = four_games()
TWO = standings(RESULTS, ["ada", "bob"])


def rated(**ratings: tuple[float, float] | None) -> str:
    """The plot of players with these ratings and error bars."""
    table = [replace(TWO[0], name=name, rating=rating and Rating(*rating)) for name, rating in ratings.items()]
    return rating_plot(report_data(Event("Class"), table, []))


def ticks(plot: str, axis: str) -> list[tuple[float, str]]:
    """Where the marks of an axis stand, and what they say."""
    found = re.findall(r'<text class="tick" x="([-.\d]+)" y="([-.\d]+)" text-anchor="(\w+)">([^<]*)<', plot)
    anchor = {"x": "middle", "y": "end"}[axis]
    return [(float(x if axis == "x" else y), text) for x, y, kind, text in found if kind == anchor]


def only_marks_and_labels(plot: str) -> bool:
    """Whether there is no text but in elements for text."""
    return not re.sub(r"<(title|text|figcaption)[ >].*?</\1>|<[^>]*>", "", plot)


def along(marks: list[tuple[float, float]], value: float) -> float:
    """Where a value stands, by the first and the last mark of an axis."""
    (start, low), (end, high) = marks[0], marks[-1]
    return start + (end - start) * (value - low) / (high - low)


# Ratings


def test_dots_and_bars_stand_where_the_marks_say() -> None:
    plot = rated(ada=(90.0, 30.0), bob=(-60.5, 45.0), cem=(0.0, 10.0))
    marks = [(at, float(text.replace("−", "-"))) for at, text in ticks(plot, "x")]
    assert [value for _, value in marks] == [-100, -50, 0, 50, 100]
    assert [text for _, text in ticks(plot, "x")] == ["−100", "−50", "0", "+50", "+100"]
    assert {round(there - here, 1) for (here, _), (there, _) in pairwise(marks)} <= {50.5, 50.6}
    rows = re.findall(r"<g><title>(.*?)</title>(.*?)</g>", plot)
    assert [title for title, _ in rows] == ["ada: +90 ±30", "cem: 0 ±10", "bob: −60 ±45"]
    for place, ((_, row), (rating, error)) in enumerate(zip(rows, [(90, 30), (0, 10), (-60.5, 45)], strict=True)):
        circle = re.search(r'<circle class="dot" cx="([.\d]+)" cy="([.\d]+)" r="4.5"/>', row)
        line = re.search(r'<path class="bar" d="M([.\d]+) ([.\d]+)v8m0-4H([.\d]+)m0-4v8"/>', row)
        assert circle
        assert line
        y = 37 + 22 * place
        assert (float(circle[2]), float(line[2])) == (y, y - 4)
        for found, value in ((circle[1], rating), (line[1], rating - error), (line[3], rating + error)):
            assert float(found) == pytest.approx(along(marks, value), abs=0.11)
        name, label = re.findall(r'<text(?: class="tick")? x="(\d+)" y="([.\d]+)"', row)
        assert (name, label) == (("148", f"{y + 4:.1f}"), ("402", f"{y + 4:.1f}"))
    starts, ends = re.findall(r"M([.\d]+) [.\d]+v8", plot), re.findall(r"H([.\d]+)m", plot)
    assert (starts[2], ends[0]) == ("159.0", "387.0")  # the longest bars leave a point of rating to either side


def test_lines_go_from_the_marks_past_the_last_player() -> None:
    plot = rated(ada=(120.0, 30.0), bob=(-80.5, 45.0))
    assert re.fullmatch(r'<svg class="plot ratings" viewBox="0 0 510 80" role="img" aria-label="[^"]*">.*</svg>', plot)
    lines = re.findall(r'<path class="grid" d="M([.\d]+) 20V74"/>', plot)
    assert [float(x) for x in lines] == [at for at, _ in ticks(plot, "x")]
    assert plot.count('y="15" text-anchor="middle"') == len(lines)
    assert only_marks_and_labels(plot)
    label = "Ratings with error bars, from ada to bob; the standings contain the numbers"
    assert f'aria-label="{label}"' in plot


def test_a_bar_that_is_too_long_is_cut_and_has_no_ends() -> None:
    plot = rated(ada=(500.0, 1000.0), bob=(-500.0, 1000.5))
    ada, bob = re.findall(r'class="bar" d="([^"]*)"', plot)
    assert re.fullmatch(r"M([.\d]+) 33.0v8m0-4H388\.\dm0-4v8|M([.\d]+) 33.0v8m0-4H387\.\dm0-4v8", ada)
    assert re.fullmatch(r"M158\.\d 59.0H([.\d]+)", bob)
    assert "±1000</text>" in plot


def test_players_without_a_rating_are_left_out() -> None:
    assert rated(ada=None) == ""
    plot = rated(ada=None, bob=(10.0, 5.0))
    assert "ada" not in plot
    assert plot.count("<circle") == 1


@pytest.mark.parametrize(("name", "shown"), [("x" * 20, "x" * 20), ("x" * 21, "x" * 19 + "…"), ("<b>", "&lt;b&gt;")])
def test_a_long_name_is_cut_and_no_name_is_markup(name: str, shown: str) -> None:
    plot = rated(**{name: (10.0, 5.0)})
    assert f'text-anchor="end">{shown}</text>' in plot
    assert "<b>" not in plot


@pytest.mark.parametrize(
    ("reach", "step"),
    [(4.0, 2), (4.1, 5), (9.0, 5), (11.5, 5), (11.6, 10), (24.0, 10), (24.1, 20), (49.0, 20), (49.1, 50), (1.5, 1)],
)
def test_marks_are_round_numbers(reach: float, step: float) -> None:
    marks = [float(text.replace("−", "-")) for _, text in ticks(rated(ada=(0.0, reach)), "x")]
    assert {there - here for here, there in pairwise(marks)} == {step}
    assert marks[-1] <= reach + 1 < marks[-1] + step
    assert marks[0] >= -reach - 1 > marks[0] - step


# Times


def times(low: list[float], middle: list[float], high: list[float], first: int = 1) -> CpuTimes:
    return CpuTimes(plies=list(range(first, first + 2 * len(low), 2)), low=low, middle=middle, high=high)


def timed(*players: CpuTimes) -> ReportData:
    """The data of players with these times."""
    table = [replace(TWO[0], name=f"player <{number}>") for number in range(len(players))]
    return replace(report_data(Event("Class"), table, []), times=list(players))


def panels(plot: str) -> list[str]:
    return re.findall(r"<svg.*?</svg>", plot)


def points(panel: str, kind: str) -> list[tuple[float, float]]:
    """The points of a path."""
    (path,) = re.findall(rf'<path class="{kind}" d="M([^"]*)"/>', panel)
    return [(float(x), float(y)) for x, y in (point.split() for point in path.rstrip("Z").split("L"))]


def seconds(text: str) -> float:
    number, unit = text.split()
    return float(number) * {"µs": 1e-6, "ms": 1e-3, "s": 1.0}[unit]


def test_the_median_and_the_band_stand_where_the_marks_say() -> None:
    one = times([0.001, 0.002, 0.01], [0.003, 0.05, 0.1], [0.01, 0.2, 7.0])
    other = times([0.02] * 6, [0.03] * 6, [0.04] * 6, first=2)
    first, second = panels(time_plots(timed(one, other)))
    up = [(at - 3.5, log10(seconds(text))) for at, text in ticks(first, "y")]
    across = [(at, float(text)) for at, text in ticks(first, "x")]
    assert [text for _, text in ticks(first, "y")] == ["1 ms", "10 ms", "100 ms", "1 s"]
    assert [text for _, text in ticks(first, "x")] == ["1", "10"]
    assert ticks(first, "y") == ticks(second, "y")
    assert ticks(first, "x") == ticks(second, "x")
    for panel, each in ((first, one), (second, other)):
        band = points(panel, "band")
        drawn = [points(panel, "median"), band[: len(band) // 2], band[len(band) // 2 :][::-1]]
        for line, values in zip(drawn, (each.middle, each.high, each.low), strict=True):
            for (x, y), ply, value in zip(line, each.plies, values, strict=True):
                assert x == pytest.approx(along(across, ply), abs=0.11)
                assert y == pytest.approx(along(up, log10(value)), abs=0.11)
    assert across[0][0] == 46
    assert points(second, "median")[-1][0] == 232
    assert points(first, "band")[2][1] == pytest.approx(8 + 102 * 0.1 / (log10(7000) + 0.2), abs=0.06)
    assert points(first, "band")[-1][1] == pytest.approx(110 - 102 * 0.1 / (log10(7000) + 0.2), abs=0.06)
    assert [float(y) for y in re.findall(r'<path class="grid" d="M46 ([.\d]+)H232"/>', first)] == [
        pytest.approx(at, abs=0.06) for at, _ in up
    ]
    assert first.count('x="42" y="') == 4
    assert first.count('y="124" text-anchor="middle"') == 2


def test_a_plot_of_times_has_a_title_and_description() -> None:
    text = time_plots(timed(times([0.001] * 5, [0.02, 0.001, 0.003, 0.002, 0.03], [0.01, 9.0, 0.02, 0.02, 0.03])))
    assert only_marks_and_labels(text)
    label = "CPU time per move by ply, player &lt;0&gt;: about 3.00 ms, at most 9.00 s"
    head = f'<svg class="plot times" viewBox="0 0 240 132" role="img" aria-label="{label}">'
    assert text.startswith(f'<div class="panels"><figure><figcaption>player &lt;0&gt;</figcaption>{head}')
    assert text.endswith("</svg></figure></div>")


def test_one_move_is_a_point() -> None:
    (panel,) = panels(time_plots(timed(times([0.01], [0.01], [0.01]))))
    ((x, y),) = points(panel, "median")
    assert f'<path class="median point" d="M{x:.1f} {y:.1f}h0"/>' in panel
    assert x == 46
    assert [text for _, text in ticks(panel, "x")] == ["1"]
    (panel,) = panels(time_plots(timed(times([0.01] * 2, [0.01] * 2, [0.01] * 2))))
    assert "point" not in panel
    assert points(panel, "median")[-1][0] == 232


def test_ticks_of_plies_reach_the_last_ply() -> None:
    (panel,) = panels(time_plots(timed(times([0.01] * 15, [0.01] * 15, [0.01] * 15, first=2))))
    assert [text for _, text in ticks(panel, "x")] == ["1", "10", "20", "30"]
    (panel,) = panels(time_plots(timed(times([0.01] * 15, [0.01] * 15, [0.01] * 15))))
    assert [text for _, text in ticks(panel, "x")] == ["1", "10", "20"]


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        (0.02, 0.05, ["10 ms", "100 ms"]),  # where no power of ten would be within
        (1e-9, 0.00001, ["1 µs", "10 µs"]),  # nothing is measured so well
        (0.0001, 1000.0, ["100 µs", "10 ms", "1 s", "100 s"]),
        (0.0009, 100.0, ["1 ms", "100 ms", "10 s"]),
        (0.0009, 10.0, ["1 ms", "10 ms", "100 ms", "1 s", "10 s"]),
        (2.0, 100.0, ["10 s", "100 s"]),
        (0.0, 0.001, ["1 ms"]),
        (1e-9, 1e-9, ["1 µs"]),
    ],
)
def test_marks_of_times_are_powers_of_ten(low: float, high: float, marks: list[str]) -> None:
    (panel,) = panels(time_plots(timed(times([low] * 2, [low] * 2, [high] * 2))))
    assert [text for _, text in ticks(panel, "y")] == marks
    bottom = points(panel, "band")[-1][1]
    assert 8 <= points(panel, "band")[0][1] <= bottom <= 110


def test_those_who_made_no_move_have_no_plot() -> None:
    nobody = times([], [], [])
    assert len(panels(time_plots(timed(nobody, times([0.01], [0.01], [0.01]))))) == 1
    assert time_plots(timed(nobody)) == "<p>No CPU time was measured.</p>"
    assert time_plots(timed(times([0.0], [0.0], [0.0]))) == "<p>No CPU time was measured.</p>"
