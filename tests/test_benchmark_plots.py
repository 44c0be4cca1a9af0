"""The plots have the points that the data has: the SVG is read back through the ticks of its own axes."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from xml.etree import ElementTree

import pytest
from example_measurements import by_depth, failed, timed

from maxconnect4.benchmark.plots import cpu_by_depth, regret_by_cpu, regret_by_depth
from maxconnect4.benchmark.summary import DepthResult, DepthSeries, Timing
from maxconnect4.benchmark.tables import PublishedTable, published_tables

SVG = "{http://www.w3.org/2000/svg}"
Points = list[tuple[float, float]]
FAST = by_depth("depth:9,eval=table", {depth: 0.03 + 2e-5 * 2.1**depth for depth in range(1, 10)})
SLOW = by_depth("python3 mine.py", {1: 0.05, 2: 0.06, 3: 0.4, 4: None, 5: 7.0, 6: 71.0})
WORDY = [
    "<b>",
    "a & b",
    "a|b",
    "$x$ and $\\frac{1}{",
    "two\nlines",
    "x" * 500,
    "名前",
    "ἀγών",
    "\ud800",
    "",
    "_",
    "<!-- -->",
]


@dataclass
class Drawing:
    """An SVG, and the scales that its ticks say it has."""

    root: ElementTree.Element

    @classmethod
    def of(cls, data: bytes) -> Drawing:
        parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
        return cls(ElementTree.fromstring(data, parser))

    def group(self, name: str) -> ElementTree.Element:
        return next(group for group in self.root.iter(f"{SVG}g") if group.get("id") == name)

    def has(self, name: str) -> bool:
        return any(group.get("id") == name for group in self.root.iter(f"{SVG}g"))

    def texts(self) -> list[str]:
        found = (each.text for each in self.root.iter() if each.tag is ElementTree.Comment)  # type: ignore[comparison-overlap]
        return [text.strip() for text in found if text]

    def markers(self, name: str) -> Points:
        return [(float(use.attrib["x"]), float(use.attrib["y"])) for use in self.group(name).iter(f"{SVG}use")]

    def path(self, name: str) -> list[tuple[str, str]]:
        """The commands of a line, and its style."""
        path = self.group(name).find(f"{SVG}path")
        assert path is not None
        return [(word, path.attrib["style"]) for word in re.findall("[ML]", path.attrib["d"])]

    def scale(self, axis: str, logarithmic: bool) -> Callable[[float], float]:
        """Where a value has to be, by the first and the last tick that has a number."""
        ticks = []
        for group in self.root.iter(f"{SVG}g"):
            if str(group.get("id")).startswith(f"{axis}tick_"):
                drawn = next(iter(group.iter(f"{SVG}use")))
                for text in Drawing(group).texts():
                    if re.fullmatch("[0-9.,]+", text):
                        ticks.append((float(text.replace(",", "")), float(drawn.attrib[axis])))
        curve = math.log10 if logarithmic else float
        (low, start), (high, end) = ticks[0], ticks[-1]
        assert low < high
        slope = (end - start) / (curve(high) - curve(low))
        return lambda value: start + slope * (curve(value) - curve(low))


def assert_there(found: Points, wanted: Points) -> None:
    assert len(found) == len(wanted)
    for (x, y), (wanted_x, wanted_y) in zip(found, wanted, strict=True):
        assert x == pytest.approx(wanted_x, abs=0.05)
        assert y == pytest.approx(wanted_y, abs=0.05)


def strength(name: str, rows: dict[int | None, tuple[float, float]]) -> DepthSeries:
    return DepthSeries(name, "exact", 200, tuple(timed(depth, taken, lost) for depth, (taken, lost) in rows.items()))


STRONG = [
    strength("table", {1: (0.03, 1.2), 2: (0.031, 0.9), 4: (0.05, 0.5), 8: (0.4, 0.2)}),
    strength("perfect", {None: (2.0, 0.0)}),
    DepthSeries("mine", "exact", 200, (timed(1, 0.1, 1.5), failed(2), timed(3, 0.7, 0.6))),
]
ALL = [*STRONG, FAST]


@cache
def strong_by_depth() -> Drawing:
    return Drawing.of(cpu_by_depth(ALL, (), "svg"))


@cache
def regret_by_cpu_of(kind: str) -> bytes:
    return regret_by_cpu(ALL, kind)


@cache
def strong_regret_by_depth() -> Drawing:
    return Drawing.of(regret_by_depth(ALL, "svg"))


@cache
def fast_and_slow() -> Drawing:
    mine = PublishedTable("Ada, C++", "her report", {1: 0.2, 2: 0.3})
    return Drawing.of(cpu_by_depth([FAST, SLOW], [*published_tables(), mine], "svg"))


def test_every_time_is_drawn_where_the_axes_say() -> None:
    drawing = fast_and_slow()
    x, y = drawing.scale("x", False), drawing.scale("y", True)
    for number, series in enumerate((FAST, SLOW), start=1):
        wanted = [
            (x(row.depth), y(row.cpu_seconds.median))
            for row in series.rows
            if row.depth is not None and row.cpu_seconds is not None
        ]
        assert_there(drawing.markers(f"player-{number}"), wanted)
    (table,) = published_tables()
    assert_there(drawing.markers("published-1"), [(x(depth), y(taken)) for depth, taken in table.by_depth.items()])


def test_a_gap_breaks_the_line_and_is_marked_on_the_axis() -> None:
    drawing = fast_and_slow()
    assert [command for command, _ in drawing.path("player-1")] == list("MLLLLLLLL")
    assert [command for command, _ in drawing.path("player-2")] == list("MLLML")
    ((place, height),) = drawing.markers("gap-2")
    assert place == pytest.approx(drawing.scale("x", False)(4), abs=0.05)
    assert height > max(low for _, low in drawing.markers("player-1") + drawing.markers("player-2"))
    assert not drawing.has("gap-1")
    assert "no move" in drawing.texts()


@cache
def nine_with_gaps() -> Drawing:
    many = [by_depth(f"player {number}", {1: 1e-4 * number, 2: None, 3: 5.0}) for number in range(1, 10)]
    return Drawing.of(cpu_by_depth(many, published_tables(), "svg"))


def test_gaps_of_several_players_stand_one_above_the_other_and_below_all_lines() -> None:
    drawing = nine_with_gaps()
    heights = [height for number in range(1, 10) for _, height in drawing.markers(f"gap-{number}")]
    assert heights == sorted(heights, reverse=True)
    assert len(set(heights)) == 9
    assert min(heights) > max(height for number in range(1, 10) for _, height in drawing.markers(f"player-{number}"))


@cache
def various() -> Drawing:
    once = DepthResult(3, 1, Timing(0.5, 0.5, 0.5))
    series = [
        by_depth("even", {2: 0.1, 4: 0.2, 8: 0.9}),
        DepthSeries("one", "empty", 1, (timed(1, 0.1, share=0.5), once, timed(4, 2.0, share=0.5))),
        DepthSeries("quick", "empty", 1, (DepthResult(1, 1, Timing(0, 0, 0)), DepthResult(2, 3, Timing(0.1, 0, 0.2)))),
        by_depth("broken", {1: None, 2: None}),
    ]
    return Drawing.of(cpu_by_depth(series, (), "svg"))


def test_depths_outside_the_range_are_not_a_gap() -> None:
    drawing = various()
    assert [command for command, _ in drawing.path("player-1")] == list("MLL")
    assert not drawing.has("gap-1")


def test_published_tables_are_dashed_and_players_are_not() -> None:
    drawing = fast_and_slow()
    assert all(
        "stroke-dasharray" in style for name in ("published-1", "published-2") for _, style in drawing.path(name)
    )
    assert not any("stroke-dasharray" in style for _, style in drawing.path("player-1"))
    assert {"Jacob Wilkins, Java (published)", "Ada, C++ (published)", FAST.player} <= set(drawing.texts())


def test_bars_show_the_spread_of_several_runs() -> None:
    drawing = various()
    x, y = drawing.scale("x", False), drawing.scale("y", True)
    bars = [path.attrib["d"] for path in drawing.group("spread-2").iter(f"{SVG}path")]
    assert len(bars) == 2
    for bar, depth, low, high in zip(bars, (1, 4), (0.05, 1.0), (0.15, 3.0), strict=True):
        ends = [tuple(map(float, end.split())) for end in re.findall("[ML] ([^ML]*)", bar)]
        assert_there(ends, [(x(depth), y(low)), (x(depth), y(high))])  # type: ignore[arg-type]


def test_a_minute_is_marked_if_a_move_comes_near() -> None:
    drawing = fast_and_slow()
    path = next(drawing.group("minute").iter(f"{SVG}path")).attrib["d"]
    assert float(path.split()[2]) == pytest.approx(drawing.scale("y", True)(60), abs=0.05)
    assert "one minute" in drawing.texts()
    assert not strong_by_depth().has("minute")


def test_a_player_with_its_own_depth_is_drawn_next_to_the_depths() -> None:
    drawing = strong_by_depth()
    ((place, height),) = drawing.markers("own-2")
    assert place > max(drawing.markers(f"player-{number}")[-1][0] for number in (1, 3, 4))
    assert height == pytest.approx(drawing.scale("y", True)(2.0), abs=0.05)
    assert {"own", "perfect, exact"} <= set(drawing.texts())


def test_a_time_of_nothing_is_drawn_as_the_least_that_was_measured() -> None:
    drawing = various()
    y = drawing.scale("y", True)
    assert [height for _, height in drawing.markers("player-3")] == pytest.approx([y(0.05), y(0.1)], abs=0.05)
    zero = DepthSeries("zero", "empty", 1, (DepthResult(1, 1, Timing(0, 0, 0)),))
    assert len(Drawing.of(cpu_by_depth([zero], (), "svg")).markers("player-1")) == 1


def test_regret_stands_against_cpu_time_with_its_depths() -> None:
    drawing = Drawing.of(regret_by_cpu_of("svg"))
    x, y = drawing.scale("x", True), drawing.scale("y", False)
    first = [(0.03, 1.2), (0.031, 0.9), (0.05, 0.5), (0.4, 0.2)]
    assert_there(drawing.markers("player-1"), [(x(taken), y(lost)) for taken, lost in first])
    assert_there(drawing.markers("own-2"), [(x(2.0), y(0))])
    assert_there(drawing.markers("player-3"), [(x(0.1), y(1.5)), (x(0.7), y(0.6))])
    assert [command for command, _ in drawing.path("player-3")] == ["M", "M"]
    assert {"1", "2", "4", "8"} <= set(drawing.texts())
    assert "Regret by CPU time, on the 200 positions of the set exact" in drawing.texts()


def test_regret_stands_against_depth() -> None:
    drawing = strong_regret_by_depth()
    x, y = drawing.scale("x", False), drawing.scale("y", False)
    assert_there(
        drawing.markers("player-1"), [(x(depth), y(lost)) for depth, lost in ((1, 1.2), (2, 0.9), (4, 0.5), (8, 0.2))]
    )
    assert [place for place, _ in drawing.markers("gap-3")] == pytest.approx([x(2)], abs=0.05)


def test_a_player_looks_the_same_in_all_plots() -> None:
    drawings = [strong_by_depth(), Drawing.of(regret_by_cpu_of("svg")), strong_regret_by_depth()]
    for player in ("player-1", "player-3"):
        assert len({drawing.path(player)[0][1] for drawing in drawings}) == 1
    assert not drawings[1].has("player-4")


def test_nine_players_differ_by_shape_and_colour() -> None:
    drawing = nine_with_gaps()
    plot_styles = set()
    for number in range(1, 10):
        use = next(drawing.group(f"player-{number}").iter(f"{SVG}use"))
        plot_styles.add((use.attrib["{http://www.w3.org/1999/xlink}href"], use.attrib["style"]))
    assert len(plot_styles) == 9
    assert {f"player {number}" for number in range(1, 10)} <= set(drawing.texts())


def test_players_on_several_sets_are_named_with_them() -> None:
    assert {"depth:9,eval=table, empty", "mine, exact", "CPU time by depth"} <= set(strong_by_depth().texts())


@pytest.mark.parametrize("names", [WORDY, *(pytest.param([name], marks=pytest.mark.long) for name in WORDY)])
def test_any_name_can_be_drawn(names: list[str]) -> None:
    series = [by_depth(name, {1: 0.1}, name) for name in names]
    own = [strength(name, {1: (0.1, 0.5), None: (0.3, 0.1)}) for name in names[-1:]]
    title = "".join(names)
    drawing = Drawing.of(
        cpu_by_depth(series + own, [PublishedTable(name, name, {1: 0.2}) for name in names], "svg", title)
    )
    for number in range(1, len(names) + 1):
        assert len(drawing.markers(f"player-{number}")) == 1
        assert len(drawing.markers(f"published-{number}")) == 1
    assert cpu_by_depth(series + own, (), "png", title).startswith(b"\x89PNG")


@cache
def odd_names() -> Drawing:
    series = [by_depth(name, {1: 0.1}) for name in ("_mine", "$x$ costs $5")]
    return Drawing.of(cpu_by_depth(series, [PublishedTable("_", "", {1: 0.2})], "svg"))


def test_a_name_that_begins_with_an_underscore_is_in_the_legend() -> None:
    texts = odd_names().texts()
    assert {"_mine", "_ (published)"} <= set(texts)
    assert "no measurements" not in texts


def test_a_name_with_dollars_is_not_a_formula() -> None:
    assert "$x$ costs $5" in odd_names().texts()


@pytest.mark.parametrize("kind", ["svg", pytest.param("png", marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "series",
    [
        [],
        pytest.param([DepthSeries("none", "empty", 1, ())], marks=pytest.mark.long),
        [by_depth("broken", {1: None, 2: None})],
        [by_depth("one", {0: 3e-6})],
    ],
)
def test_little_or_nothing_can_be_drawn(series: list[DepthSeries], kind: str) -> None:
    for data in (cpu_by_depth(series, (), kind), regret := regret_by_cpu(series, kind), regret_by_depth(series, kind)):
        assert len(data) > 1000
    if kind == "svg":
        assert "no measurements" in Drawing.of(regret).texts()


def test_a_player_that_never_moves_is_named_as_well() -> None:
    drawing = various()
    assert "broken: no move" in drawing.texts()
    assert "broken" not in drawing.texts()
    assert len(drawing.markers("gap-4")) == 2


@pytest.mark.parametrize("players", [12, pytest.param(60, marks=pytest.mark.long)])
def test_a_whole_class_can_fail_at_once(players: int) -> None:
    many = [by_depth(f"{number}", {1: 0.1, 2: None}) for number in range(players)]
    drawing = Drawing.of(cpu_by_depth(many, (), "svg"))
    assert len(drawing.markers(f"gap-{players}")) == len(drawing.markers(f"player-{players}")) == 1


def test_a_png_has_a_size_for_people_and_screens() -> None:
    data = cpu_by_depth([FAST], (), "png")
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    assert 900 <= width <= 1600
    assert 500 <= height <= 900


@pytest.mark.parametrize("kind", ["svg", pytest.param("png", marks=pytest.mark.long)])
def test_the_same_data_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    import matplotlib

    before = regret_by_cpu_of(kind)
    monkeypatch.setitem(matplotlib.rcParams, "lines.linewidth", 7.0)
    monkeypatch.setitem(matplotlib.rcParams, "figure.dpi", 200.0)
    assert regret_by_cpu(ALL, kind) == before
