from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from html import unescape
from pathlib import Path
from typing import Literal

import pytest
from axe import violations
from example_measurements import HOSTILE, TIMES, built_in, measured
from html_elements import Elements
from msgspec import structs
from playwright.sync_api import Dialog, Page, expect

from maxconnect4.benchmark import plots
from maxconnect4.benchmark.report import description, report_markdown, reported_players, searches
from maxconnect4.benchmark.summary import DepthResult, DepthSeries, MeasurementSummary
from maxconnect4.benchmark.tables import format_seconds, published_tables
from maxconnect4.documents import html_page, safe_markdown
from maxconnect4.evaluation_descriptions import EVALUATION_DESCRIPTIONS, EVALUATION_TEXTS, FULL_BOARD_VALUES
from maxconnect4.referee.conformance import BaselineResult
from maxconnect4.referee.players import parse_built_in
from maxconnect4.search import EVALUATIONS as NAMES

ABOUT = f"""# My evaluation

It counts **open lines** and *threes*, as in `count_lines()`: {HOSTILE} <script>alert(2)</script>

| pieces | weight |
| ------ | -----: |
| three  | 50     |

1. see [the notes](https://example.org/notes) and [this](javascript:alert(3))
2. ![x](https://example.org/x.png)

```
</pre><script>alert(4)</script>
```
"""
UNNAMED = {name: name for name in ("cpu", "regret_by_cpu", "regret_by_depth")}
FILES = {"cpu": "r-cpu.svg", "regret_by_cpu": "r-regret-by-cpu.svg", "regret_by_depth": "r-regret-by-depth.svg"}


@cache
def pictures(name: str) -> dict[str, bytes]:
    of = measured(name)
    return {
        "cpu": plots.cpu_by_depth(of.series[:1], published_tables()),
        "regret_by_cpu": plots.regret_by_cpu(of.series[1:]),
        "regret_by_depth": plots.regret_by_depth(of.series[1:]),
    }


def words_of(page: str) -> str:
    """What a page says, without its markup."""
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]*>", " ", page)))


def unescaped(markdown: str) -> str:
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)


# What is in it


@pytest.mark.parametrize("kind", ["page", "markdown"])
def test_all_that_was_measured_is_there(kind: str) -> None:
    report = report_markdown(measured(), author="Ada Lovelace", published=["Jacob Wilkins, Java"], pictures=FILES)
    text = words_of(html_page(report, {})) if kind == "page" else unescaped(report)
    text = text.replace("**", "").replace("|", " ")
    for fact in (
        *("Max-Connect4: mine", "Ada Lovelace", "python3 mine.py one-move {in} {out} {depth}", "Python"),
        *("Some Processor, 2 cores", "2026-11-16", "1.2.3", "maxconnect4 report 'python3 mine.py'", "60 s"),
        *("user and system", "of the program and of all processes", "median of 3 runs"),
    ):
        assert fact in text
    spaced = re.sub(r"\s+", " ", text)
    for depth, seconds in enumerate(TIMES, start=1):
        if seconds is not None:
            times = [format_seconds(share * seconds) for share in (1, 0.9, 1.1, 1.3)]
            assert f" {depth} {times[0]} {times[1]} to {times[2]} {times[3]} " in spaced
    assert " 5 - crash: it ended with exit status 7 " in spaced
    assert "over the limit" in spaced
    assert (
        "mine on the empty board: depth 8 is the first at which a move takes more than 60 s of CPU time (median 75.2 s)"
        in spaced
    )
    for depth in range(1, 6):
        perfect, worst = 100 - 43.21 / depth, 5 - depth // 2
        assert f" {depth} {format_seconds(0.05 * 2**depth)} " in spaced
        assert f" {0.512 / depth:.3f} ± 0.032 {perfect:.1f} % {worst} " in spaced
    assert "The regret of a move is the final margin after the best move" in text
    assert (
        "mine at depth 4 against random: 17 wins, 1 draw, 2 losses (1 by a fault) in 20 games, 123 points to 45: it "
        "does not win consistently, which the assignment requires of a reasonable evaluation: it needs 18 wins in 20 "
        "games."
    ) in text
    assert " mine 4 20 17 1 2 123 45 1 " in spaced
    assert "mine on the empty board. The measurement ended, as depth 8 took more than 60 s." in text
    assert "mine against random. The player lost 1 of 20 games by a fault." in text


def test_the_parts_come_in_the_order_of_the_assignment() -> None:
    text = report_markdown(measured(), about="# Mine\n\n## Yours")
    assert re.findall("^## (.*)$", text, re.MULTILINE) == [
        *("The program", "Method of measurement", "The evaluation function", "CPU time by depth"),
        *("Strength: regret", "Games against random", "Faults and notes"),
    ]


def test_nodes_speed_and_branching_are_shown_where_they_are_measured() -> None:
    text = report_markdown(built_in())
    assert "| Depth | CPU s | Wall s | Factor | Column | Nodes | Nodes/s | Branching |" in text
    assert "| 6 | 0.0729 | 0.0888 | 3.00 | 4 | 899,586 | 9,880,000 | 2.60 |" in text
    assert "The branching factor is" in text
    assert "Branching" not in report_markdown(measured())


def test_an_own_depth_and_an_unfinished_set_are_reported() -> None:
    series = DepthSeries("slow", "exact", 276, (DepthResult(None, 1, reason="only 3 of 276 positions"),))
    text = report_markdown(MeasurementSummary((series,)))
    assert "| own | - | only 3 of 276 positions |" in text
    assert "slow on the 276 positions of the set exact. Own depth: only 3 of 276 positions." in text


def test_several_programs_stand_side_by_side() -> None:
    text = report_markdown(built_in())
    table = text.partition("CPU seconds per move, by depth, on the empty board:\n\n")[2]
    assert table.startswith("| Depth | best | lines |\n| ---: | ---: | ---: |\n| 1 | 0.000300 | 0.000600 |\n")
    assert "CPU seconds per move" not in report_markdown(measured())


def test_few_games_that_are_all_won_are_too_few_to_decide() -> None:
    few = replace(measured(), games=(BaselineResult("mine", "random", 5, 0, 0, 50, 3, 0, 4),))
    text = report_markdown(few)
    assert "5 wins, 0 draws, 0 losses in 5 games, 50 points to 3: too few games for a verdict" in text


def test_without_faults_the_report_has_a_sentence_for_it() -> None:
    assert "## Faults and notes\n\nAll moves are legal.\n" in report_markdown(built_in())


# The evaluation function


def test_an_external_program_without_a_description_gets_a_placeholder() -> None:
    report = report_markdown(measured())
    assert "<blockquote>\n<p>To be written by the author of mine:" in html_page(report, {})
    assert "`--about FILE`" in report
    told = report_markdown(measured(), about="It counts lines.")
    assert "To be written" not in html_page(told, {})
    assert "## The evaluation function\n\nIt counts lines.\n" in told


def test_every_evaluation_and_every_built_in_player_is_described() -> None:
    for texts in (EVALUATION_DESCRIPTIONS, EVALUATION_TEXTS, FULL_BOARD_VALUES):
        assert set(texts) == set(NAMES)
    for name in NAMES:
        assert f"`{name}`" in description(parse_built_in(f"depth:4,eval={name}"))
        assert "justification" in EVALUATION_TEXTS[name]
    assert "0.25 s of wall-clock time" in description(parse_built_in("time:0.25"))
    assert "4 moves ahead" in description(parse_built_in("level:5"))
    for text in ("perfect", "random", "level:8"):
        assert not searches(parse_built_in(text))
        assert description(parse_built_in(text)).strip()


@pytest.mark.parametrize("folder", ["/home/ada/c4", "'/home/ada/my c4'", "'/home/ada'\"'\"'s'"])
@pytest.mark.parametrize("depth", ["", "depth=4 "])
def test_where_a_program_is_stays_out_of_its_report(folder: str, depth: str) -> None:
    command = "A=1 python3 main.py --folder=x {in} {out}"
    (subject,) = reported_players(measured("ada", f"{depth}folder={folder} {command}"))
    assert (subject.command, subject.language) == (f"{depth}{command}", "Python")


@pytest.mark.parametrize(
    ("how", "kind", "evaluation", "language"),
    [
        ("depth,eval=lines (search only)", "depth", "lines", ""),
        ("depth:6,eval=best", "depth", "best", ""),
        ("time:0.5,eval=sign", "time", "sign", ""),
        ("level:4,seed=7", "level", "best", ""),
        ("perfect", "perfect", "best", ""),
        ("random", "random", "best", ""),
        ("level:99", "", "", ""),
        ("depth,eval=of-tomorrow", "", "", ""),
        ("python3 -B ada/main.py one-move {in} {out} {depth}", "", "", "Python"),
        ("java -cp . maxconnect4 one-move {in} {out} {depth}", "", "", "Java"),
        ("FAILS=2 node mine.js {in} {out}", "", "", "JavaScript"),
        ("./random one-move {in} {out} {depth}", "", "", ""),
        ("", "", "", ""),
    ],
)
def test_what_a_player_is_shows_in_how_it_was_written_down(how: str, kind: str, evaluation: str, language: str) -> None:
    (subject,) = reported_players(measured("somebody", how))
    found = ("", "") if subject.built_in is None else (subject.built_in.kind, subject.built_in.evaluation)
    assert (*found, subject.language) == (kind, evaluation, language)


def test_the_search_is_described_once_for_all_built_in_players() -> None:
    text = report_markdown(built_in())
    assert text.count("### The search") == 1
    assert "### best\n\nThe evaluation `best`" in text
    assert "### lines\n\nThe evaluation `lines`" in text


# What people write


@pytest.mark.parametrize("length", [10_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_long_lines_of_marks_take_no_long_time(length: int) -> None:
    for mark in ("*", "`", "[", "_", "**a", "](http://", "\\", "| ", "- ", "#"):
        text = (mark * length)[:length]
        html_page(report_markdown(measured(), about=text), {})
        safe_markdown("\n".join(mark for _ in range(length // 5)))


# Nothing from outside does anything


def test_nothing_from_outside_becomes_markup_in_the_page() -> None:
    hostile = measured(HOSTILE, HOSTILE, HOSTILE)
    everywhere = dict.fromkeys(("machine", "date", "version", "command"), HOSTILE)
    metadata = structs.replace(hostile.metadata, **everywhere, isolation=(HOSTILE,))
    hostile = replace(hostile, metadata=metadata)
    report = report_markdown(hostile, author=HOSTILE, about=ABOUT, published=[HOSTILE], pictures=UNNAMED)
    page = html_page(report, pictures(HOSTILE))
    found = Elements(page).found
    assert not any(name.startswith("on") or name == "style" for _, attrs in found for name in attrs)
    assert [tag for tag, _ in found].count("img") == 3
    assert not {"script", "iframe", "b"} & {tag for tag, _ in found}
    links = [attrs["href"] or "" for tag, attrs in found if tag == "a"]
    assert [link for link in links if not link.startswith("#")] == [
        "https://example.org/notes",
        "https://example.org/x.png",
    ]
    assert all((attrs["src"] or "").startswith("data:image/svg+xml;base64,") for tag, attrs in found if tag == "img")
    policy = next(attrs["content"] or "" for _, attrs in found if attrs.get("http-equiv"))
    assert re.fullmatch(
        "default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'", policy
    )
    assert "\u202e" not in page
    assert "{{data}}" in page


def test_nothing_from_outside_becomes_markup_in_markdown() -> None:
    hostile = measured(HOSTILE, HOSTILE, HOSTILE)
    text = report_markdown(hostile, author="1. " + HOSTILE, about=ABOUT, pictures=FILES)
    outside_code = re.sub(r"^(`{3,})text\n.*?\n\1$|(`+) ?[^\n]*?[^`]\2(?!`)", "", text, flags=re.DOTALL | re.MULTILINE)
    assert not re.search(r"(?<!\\)<(?!https:)", outside_code)
    assert "1\\. \\</script\\>" in text
    assert not re.search(r"(?<!\\)!\[x", text)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    head, gap = (row for row in rows if row.startswith(("| Depth | CPU s | Range", "| 5 | -")))
    assert len(re.findall(r"(?<!\\)\|", head)) == len(re.findall(r"(?<!\\)\|", gap))
    assert HOSTILE.replace("\u202e", "\\u202e") in unescaped(text)


@pytest.fixture(scope="module")
def hostile_report() -> str:
    hostile = measured(HOSTILE, HOSTILE, HOSTILE)
    return html_page(report_markdown(hostile, author=HOSTILE, about=ABOUT, pictures=UNNAMED), pictures(HOSTILE))


@pytest.fixture
def hostile_page(page: Page, tmp_path: Path, hostile_report: str) -> Iterator[Page]:
    path = tmp_path / "report.html"
    path.write_text(hostile_report, encoding="utf-8")
    dialogs: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    page.goto(path.as_uri())
    yield page
    page.remove_listener("dialog", dismiss)
    assert dialogs == []


def test_in_a_browser_hostile_texts_are_shown_and_the_pictures_are_seen(hostile_page: Page) -> None:
    expect(hostile_page.locator("h1")).to_contain_text("</script><img src=x onerror=alert(1)>")
    expect(hostile_page.locator("#the-evaluation-function")).to_contain_text("<script>alert(2)</script>")
    widths = hostile_page.locator("figure img").evaluate_all("(all) => all.map((each) => each.naturalWidth)")
    assert len(widths) == 3
    assert all(width > 100 for width in widths)
    assert hostile_page.get_by_role("img", name="Plot of the CPU time by depth.").count() == 1


def test_the_page_fits_a_phone_and_a_wide_screen(hostile_page: Page) -> None:
    for width in (360, 800, 1920):
        hostile_page.set_viewport_size({"width": width, "height": 900})
        assert hostile_page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["dark", pytest.param("light", marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "made",
    [
        lambda: html_page(report_markdown(measured(), author="Ada", about=ABOUT, pictures=UNNAMED), pictures(HOSTILE)),
        pytest.param(lambda: html_page(report_markdown(measured()), {}), marks=pytest.mark.long),
        pytest.param(lambda: html_page(report_markdown(built_in()), {}), marks=pytest.mark.long),
    ],
    ids=["told", "untold", "built-in"],
)
def test_everybody_can_read_the_page(
    page: Page, tmp_path: Path, made: Callable[[], str], scheme: Literal["dark", "light"]
) -> None:
    path = tmp_path / "report.html"
    path.write_text(made(), encoding="utf-8")
    page.set_viewport_size({"width": 800, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.goto(path.as_uri())
    # The page lets no script run: axe is let in by the browser, not by the page.
    assert violations(page) == []


def test_numbers_stand_at_the_right_and_words_at_the_left(hostile_page: Page) -> None:
    look = "(cell) => getComputedStyle(cell).textAlign"
    row = hostile_page.locator("#cpu-time-by-depth tbody tr").nth(4).locator("th, td")
    assert [row.nth(place).evaluate(look) for place in (0, 1, 2)] == ["right"] * 3
    assert row.last.evaluate(look) == "left"


# Pictures


def test_the_plots_are_written_next_to_the_text_under_their_names() -> None:
    text = report_markdown(measured(), pictures={"cpu": "my report-cpu.svg"})
    assert "](my%20report-cpu.svg)\n\n*CPU time of a move by depth" in text
    assert text.count("![") == 1
