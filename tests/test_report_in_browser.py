"""The page of a report in a real browser, where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import PROGRAM, Browser
from played_games import HOSTILE, with_everything

from maxconnect4 import GREEN, RED, board_from_moves
from maxconnect4.referee.report import Event, html_report
from maxconnect4.referee.standings import standings

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium")

NAMES = ["ada", HOSTILE, "cem"]
RESULTS = with_everything(NAMES)


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def browser(started: Browser, tmp_path: Path) -> Iterator[Browser]:
    page = tmp_path / "report.html"
    page.write_text(html_report(Event("Class"), standings(RESULTS, NAMES), RESULTS), encoding="utf-8")
    started.open(page.as_uri())
    yield started
    assert started.complaints == []


def points(browser: Browser) -> list[int]:
    found: list[int] = browser.value(
        "[...document.querySelectorAll('.score b')].map((each) => Number(each.textContent))"
    )
    return found


def status(browser: Browser) -> str:
    return str(browser.value("document.querySelector('.status').textContent"))


def rows(browser: Browser) -> int:
    return int(browser.value("document.querySelectorAll('table.games tbody tr').length"))


def choose(browser: Browser, label: str, value: str) -> None:
    browser.value(
        f"""(() => {{
            const labels = [...document.querySelectorAll('.filters label')];
            const control = labels.find((one) => one.textContent.startsWith('{label}')).querySelector('select, input');
            control.value = '{value}';
            control.dispatchEvent(new Event(control.tagName === 'SELECT' ? 'change' : 'input'));
        }})()"""
    )


def test_every_game_can_be_stepped_through_and_scores_what_the_rules_say(browser: Browser) -> None:
    for result in RESULTS[:5]:
        browser.value(f"location.hash = 'game-{result.game.number}'")
        browser.wait_for(f"document.querySelector('.viewer h3').textContent.startsWith('Game {result.game.number}:')")
        all_moves = result.played.moves + result.played.line
        browser.click(".controls button")
        assert points(browser) == [0, 0]
        for ply in range(1, len(all_moves) + 1):
            browser.press("ArrowRight")
            board = board_from_moves(all_moves[:ply])
            assert points(browser) == [board.points(RED), board.points(GREEN)]
            assert status(browser).startswith(f"Move {ply} of {len(all_moves)}: ")
        assert browser.value("document.querySelectorAll('.board .piece').length") == len(all_moves)
        assert browser.value("document.querySelectorAll('.board .four').length") == sum(result.played.points)
        assert browser.value("document.querySelectorAll('.board .opening').length") == len(result.game.opening)
        assert browser.value("document.querySelectorAll('.board .line').length") == len(result.played.line)


def test_keys_slider_and_list_of_moves_lead_to_the_same_places(browser: Browser) -> None:
    browser.press("ArrowLeft")
    browser.press("ArrowLeft")
    last = len(RESULTS[0].played.moves)
    assert status(browser).startswith(f"Move {last - 2} of")
    browser.click(".moves li:nth-child(7) button")
    assert status(browser).startswith("Move 7 of")
    assert browser.value("document.querySelector('.viewer input').value") == "7"
    browser.value("document.querySelector('.moves li:nth-child(7) button').focus()")
    browser.press("ArrowDown")
    assert status(browser).startswith("Move 8 of")
    browser.value("document.querySelector('.viewer input').focus()")
    browser.press("ArrowLeft")  # the slider's own key
    assert status(browser).startswith("Move 7 of")


def test_games_are_filtered_by_player_result_ending_and_opening(browser: Browser) -> None:
    assert rows(browser) == len(RESULTS)
    order = [standing.name for standing in standings(RESULTS, NAMES)]
    choose(browser, "Player", str(order.index("ada")))
    own = [result for result in RESULTS if "ada" in (result.game.red, result.game.green)]
    assert rows(browser) == len(own)
    choose(browser, "Result", "1")
    assert rows(browser) == sum(result.score_of("ada") == 1 for result in own)
    browser.click(".filters button")
    assert rows(browser) == len(RESULTS)
    choose(browser, "Ending", "void")
    assert rows(browser) == 1
    choose(browser, "Ending", "faults")
    assert rows(browser) == sum(bool(result.played.faults) for result in RESULTS)
    choose(browser, "Ending", "")
    opening = RESULTS[4].game.opening
    choose(browser, "Opening", opening)
    assert rows(browser) == sum(result.game.opening.startswith(opening) for result in RESULTS)
    browser.click(".filters button")
    browser.click("#cross-table tbody td:nth-child(3)")
    assert rows(browser) == 4


def test_the_standings_are_sorted_by_a_click(browser: Browser) -> None:
    def column(number: int) -> list[str]:
        script = (
            f"[...document.querySelectorAll('#standings-table tbody tr')].map((row) => row.cells[{number}].textContent)"
        )
        found: list[str] = browser.value(script)
        return found

    browser.click("#standings-table th:nth-child(2) button")
    assert sorted(column(1)) == sorted(NAMES)
    assert column(1)[-1] == "cem"
    browser.click("#standings-table th:nth-child(3) button")
    scores = [float(text) for text in column(2)]
    assert scores == sorted(scores, reverse=True)
    assert browser.value("document.querySelector('#standings-table [aria-sort]').textContent") == "Score"


def test_a_name_that_holds_a_script_is_text(browser: Browser) -> None:
    assert browser.value("document.querySelectorAll('img').length") == 0
    assert HOSTILE in browser.value("document.querySelector('#standings-table').textContent")
    assert HOSTILE in browser.value("document.querySelector('.viewer h3').textContent")


def test_the_page_fits_a_phone_and_a_wide_screen(browser: Browser) -> None:
    for width in (360, 800, 1920, 1280):
        browser.resize(width)
        assert browser.value("document.documentElement.scrollWidth") <= width


def test_a_link_in_a_game_leads_to_the_evidence(browser: Browser) -> None:
    browser.click(".remarks a")
    browser.wait_for("document.querySelector('.fault:target pre')?.checkVisibility()")
    assert "column 3 is full" in browser.value("document.querySelector('.fault:target').textContent")
