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
from elements import Elements
from measured_by_hand import HOSTILE, TIMES, built_in, measured
from playwright.sync_api import Dialog, Page, expect

from maxconnect4.measuring.report import report_of
from maxconnect4.measuring.report.descriptions import EVALUATIONS, description, searches
from maxconnect4.measuring.report.subjects import subjects_of
from maxconnect4.measuring.showing import plots
from maxconnect4.measuring.showing.cells import seconds_in_digits
from maxconnect4.measuring.showing.published import published_tables
from maxconnect4.measuring.summary import Measured, Row, Series
from maxconnect4.referee.entrants import built_in_from
from maxconnect4.referee.opposing import Games
from maxconnect4.search import EVALUATIONS as NAMES
from maxconnect4.writing.documents import as_markdown, as_page
from maxconnect4.writing.documents.prose import blocks_of

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
    report = report_of(measured(), author="Ada Lovelace", published=["Jacob Wilkins, Java"])
    text = words_of(as_page(report, {})) if kind == "page" else as_markdown(report, FILES)
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
            times = [seconds_in_digits(share * seconds) for share in (1, 0.9, 1.1, 1.3)]
            assert f" {depth} {times[0]} {times[1]} to {times[2]} {times[3]} " in spaced
    assert " 5 - crash: it ended with exit code 7 " in spaced
    assert "over the limit" in spaced
    assert (
        "mine on the empty board: depth 8 is the first at which a move takes over 60 s of CPU time (median 75.2 s)"
        in spaced
    )
    for depth in range(1, 6):
        perfect, worst = 100 - 43.21 / depth, 5 - depth // 2
        assert f" {depth} {seconds_in_digits(0.05 * 2**depth)} " in spaced
        assert f" {0.512 / depth:.3f} ± 0.032 {perfect:.1f} % {worst} " in spaced
    assert "The regret of a move is the number of points" in text
    assert (
        "mine at depth 4 against random: 17 wins, 1 draw, 2 losses (1 by a fault) in 20 games, 123 points to 45: it "
        "does not beat it consistently, which the assignment asks of a reasonable evaluation: 18 wins of 20 would do."
    ) in text
    assert " mine 4 20 17 1 2 123 45 1 " in spaced
    assert "mine on the empty board. No deeper search was tried: depth 8 took over 60 s." in text
    assert "mine against random. It lost 1 of 20 games by a fault." in text


def test_the_parts_come_in_the_order_of_the_assignment() -> None:
    titles = [section.title for section in report_of(measured()).sections]
    assert titles == [
        *("The program", "How it was measured", "The evaluation function", "CPU time by depth"),
        *("Strength: points given away", "Games against random", "Faults and notes"),
    ]


def test_nodes_speed_and_branching_are_told_where_they_are_known() -> None:
    text = as_markdown(report_of(built_in()), {})
    assert "| Depth | CPU s | Wall s | Factor | Column | Nodes | Nodes/s | Branching |" in text
    assert "| 6 | 0.0729 | 0.0888 | 3.00 | 4 | 899,586 | 9,880,000 | 2.60 |" in text
    assert "The branching factor is" in text
    assert "Branching" not in as_markdown(report_of(measured()), {})


def test_a_depth_of_its_own_and_a_set_that_was_not_finished_are_told() -> None:
    series = Series("slow", "exact", 276, (Row(None, 1, reason="only 3 of 276 positions"),))
    text = as_markdown(report_of(Measured((series,))), {})
    assert "| own | - | only 3 of 276 positions |" in text
    assert "slow on the 276 positions of the set exact. At a depth of its own: only 3 of 276 positions." in text


def test_several_programs_stand_side_by_side() -> None:
    text = as_markdown(report_of(built_in()), {})
    table = text.partition("CPU seconds for a move, by depth, on the empty board:\n\n")[2]
    assert table.startswith("| Depth | best | lines |\n| ---: | ---: | ---: |\n| 1 | 0.000300 | 0.000600 |\n")
    assert "CPU seconds for a move" not in as_markdown(report_of(measured()), {})


def test_few_games_that_are_all_won_are_not_said_to_be_lost() -> None:
    few = replace(measured(), games=(Games("mine", "random", 5, 0, 0, 50, 3, 0, 4),))
    text = as_markdown(report_of(few), {})
    assert "5 wins, 0 draws, 0 losses in 5 games, 50 points to 3: too few games to tell" in text


def test_without_faults_it_says_so() -> None:
    assert "## Faults and notes\n\nEvery move was a legal one.\n" in as_markdown(report_of(built_in()), {})


# The evaluation function


def test_a_foreign_program_without_a_description_gets_a_place_for_it() -> None:
    report = report_of(measured())
    assert '<p class="missing">To be written by the author of mine:' in as_page(report, {})
    assert "`--about FILE`" in as_markdown(report, {})
    told = report_of(measured(), about="It counts lines.")
    assert "To be written" not in as_page(told, {})
    assert "## The evaluation function\n\nIt counts lines.\n" in as_markdown(told, {})


def test_every_evaluation_and_every_built_in_player_is_described() -> None:
    assert set(EVALUATIONS) == set(NAMES)
    for name in NAMES:
        assert f"`{name}`" in description(built_in_from(f"depth:4,eval={name}"))
        assert "justification" in EVALUATIONS[name]
    assert "0.25 s by the clock" in description(built_in_from("time:0.25"))
    assert "It reads 4 plies ahead" in description(built_in_from("level:5"))
    for text in ("perfect", "random", "level:8"):
        assert not searches(built_in_from(text))
        assert description(built_in_from(text)).strip()


@pytest.mark.parametrize("folder", ["/home/ada/c4", "'/home/ada/my c4'", "'/home/ada'\"'\"'s'"])
@pytest.mark.parametrize("depth", ["", "depth=4 "])
def test_where_a_program_is_stays_out_of_its_report(folder: str, depth: str) -> None:
    command = "A=1 python3 main.py --folder=x {in} {out}"
    (subject,) = subjects_of(measured("ada", f"{depth}folder={folder} {command}"))
    assert (subject.how, subject.language) == (f"{depth}{command}", "Python")


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
    (subject,) = subjects_of(measured("somebody", how))
    found = ("", "") if subject.built_in is None else (subject.built_in.kind, subject.built_in.evaluation)
    assert (*found, subject.language) == (kind, evaluation, language)


def test_the_search_is_described_once_for_all_built_in_players() -> None:
    text = as_markdown(report_of(built_in()), {})
    assert text.count("### The search") == 1
    assert "### best\n\nThe evaluation `best`" in text
    assert "### lines\n\nThe evaluation `lines`" in text


# What people write


@pytest.mark.parametrize("length", [10_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_long_lines_of_marks_take_no_long_time(length: int) -> None:
    for mark in ("*", "`", "[", "_", "**a", "](http://", "\\", "| ", "- ", "#"):
        text = (mark * length)[:length]
        as_page(report_of(measured(), about=text), {})
        blocks_of("\n".join(mark for _ in range(length // 5)))


# Nothing from outside does anything


def test_nothing_from_outside_becomes_markup_in_the_page() -> None:
    hostile = measured(HOSTILE, HOSTILE, HOSTILE)
    hostile = replace(hostile, facts={**(hostile.facts or {}), HOSTILE: HOSTILE, "machine": {HOSTILE: HOSTILE}})
    page = as_page(report_of(hostile, author=HOSTILE, about=ABOUT, published=[HOSTILE]), pictures(HOSTILE))
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
    text = as_markdown(report_of(hostile, author="1. " + HOSTILE, about=ABOUT), FILES)
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
    return as_page(report_of(hostile, author=HOSTILE, about=ABOUT), pictures(HOSTILE))


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
    expect(hostile_page.locator("#evaluation")).to_contain_text("<script>alert(2)</script>")
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
        lambda: as_page(report_of(measured(), author="Ada", about=ABOUT), pictures(HOSTILE)),
        pytest.param(lambda: as_page(report_of(measured()), {}), marks=pytest.mark.long),
        pytest.param(lambda: as_page(report_of(built_in()), {}), marks=pytest.mark.long),
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
    row = hostile_page.locator("#times tbody tr").nth(4).locator("th, td")
    assert [row.nth(place).evaluate(look) for place in (0, 1, 2)] == ["right"] * 3
    assert row.last.evaluate(look) == "left"


# Pictures


def test_the_pictures_stand_beside_the_text_under_their_names() -> None:
    text = as_markdown(report_of(measured()), {"cpu": "my report-cpu.svg"})
    assert "](my%20report-cpu.svg)\n\n*CPU time of a move by depth" in text
    assert text.count("![") == 1
