"""The page of a report in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from axe import violations
from played_games import HOSTILE, with_everything
from playwright.sync_api import Page, expect

from maxconnect4 import GREEN, RED, board_from_moves
from maxconnect4.referee.game import FORFEIT, FOUR, GameResult, PlayedGame, ScheduledGame
from maxconnect4.referee.report import Event, html_report
from maxconnect4.referee.standings import Standing, standings

NAMES = ["ada", HOSTILE, "cem"]
RESULTS = with_everything(NAMES)


def show(page: Page, folder: Path, event: Event, table: list[Standing], results: list[PlayedGame]) -> None:
    """Open a report of its own."""
    path = folder / "report.html"
    path.write_text(html_report(event, table, results), encoding="utf-8")
    page.goto(path.as_uri())


@pytest.fixture
def report(page: Page, tmp_path: Path) -> Page:
    show(page, tmp_path, Event("Class"), standings(RESULTS, NAMES), RESULTS)
    return page


def points(report: Page) -> list[int]:
    return [int(text) for text in report.locator(".points b").all_text_contents()]


def status(report: Page) -> str:
    return report.locator(".status").text_content() or ""


def rows(report: Page) -> int:
    return report.locator("table.games tbody tr").count()


def choose(report: Page, label: str, value: str) -> None:
    control = report.locator(".filters label").filter(has_text=label).locator("select, input")
    if control.evaluate("(control) => control.tagName") == "SELECT":
        control.select_option(value)
    else:
        control.fill(value)


@pytest.mark.parametrize("games", [RESULTS[:1], pytest.param(RESULTS[1:5], marks=pytest.mark.long)], ids=len)
def test_games_can_be_stepped_through_and_scores_what_the_rules_say(report: Page, games: list[PlayedGame]) -> None:
    for played in games:
        report.evaluate(f"location.hash = 'game-{played.game.number}'")
        expect(report.locator(".viewer h3")).to_contain_text(f"Game {played.game.number}:")
        all_moves = played.result.moves + played.result.line
        report.locator(".controls button").first.click()
        assert points(report) == [0, 0]
        for ply in range(1, len(all_moves) + 1):
            report.keyboard.press("ArrowRight")
            board = board_from_moves(all_moves[:ply])
            red, green, *_, move = report.locator(".points b, .status").all_text_contents()
            assert [int(red), int(green)] == [board.points(RED), board.points(GREEN)]
            assert move.startswith(f"Move {ply} of {len(all_moves)}: ")
        assert report.locator(".board .piece").count() == len(all_moves)
        assert report.locator(".board .four").count() == sum(played.result.points)
        assert report.locator(".board .opening").count() == len(played.game.opening)
        assert report.locator(".board .adjudicated").count() == len(played.result.line)


def test_keys_slider_and_list_of_moves_lead_to_the_same_places(report: Page) -> None:
    report.keyboard.press("ArrowLeft")
    report.keyboard.press("ArrowLeft")
    last = len(RESULTS[0].result.moves)
    assert status(report).startswith(f"Move {last - 2} of")
    seventh = report.locator(".moves li:nth-child(7) button")
    seventh.click()
    assert status(report).startswith("Move 7 of")
    assert report.locator(".viewer input").input_value() == "7"
    seventh.press("ArrowDown")
    assert status(report).startswith("Move 8 of")
    report.locator(".viewer input").press("ArrowLeft")  # the slider's own key
    assert status(report).startswith("Move 7 of")


def test_games_are_filtered_by_player_result_ending_and_opening(report: Page) -> None:
    assert rows(report) == len(RESULTS)
    order = [standing.name for standing in standings(RESULTS, NAMES)]
    choose(report, "Player", str(order.index("ada")))
    own = [played for played in RESULTS if "ada" in (played.game.red, played.game.green)]
    assert rows(report) == len(own)
    choose(report, "Result", "1")
    assert rows(report) == sum(played.score_of("ada") == 1 for played in own)
    report.locator(".filters button").click()
    assert rows(report) == len(RESULTS)
    choose(report, "Ending", "void")
    assert rows(report) == 1
    choose(report, "Ending", "faults")
    assert rows(report) == sum(bool(played.result.faults) for played in RESULTS)
    choose(report, "Ending", "")
    opening = RESULTS[4].game.opening
    choose(report, "Opening", opening)
    assert rows(report) == sum(played.game.opening.startswith(opening) for played in RESULTS)
    report.locator(".filters button").click()
    report.locator("#cross-table tbody td:nth-child(3)").first.click()
    assert rows(report) == 4


def test_the_standings_are_sorted_by_a_click(report: Page) -> None:
    def column(number: int) -> list[str]:
        return report.locator(f"#standings-table tbody tr > :nth-child({number})").all_text_contents()

    report.locator("#standings-table th:nth-child(2) button").click()
    assert column(2) == sorted(NAMES)
    report.locator("#standings-table th:nth-child(3) button").click()
    scores = [float(text) for text in column(3)]
    assert scores == sorted(scores, reverse=True)
    assert report.locator("#standings-table [aria-sort]").text_content() == "Score"


def test_a_name_that_holds_a_script_is_text(report: Page) -> None:
    assert report.locator("img").count() == 0
    expect(report.locator("#standings-table")).to_contain_text(HOSTILE)
    expect(report.locator(".viewer h3")).to_contain_text(HOSTILE)


def test_the_page_fits_a_phone_and_a_wide_screen(report: Page) -> None:
    for width in (360, 800, 1920, 1280):
        report.set_viewport_size({"width": width, "height": 900})
        assert report.evaluate("document.documentElement.scrollWidth") <= width


def test_the_page_is_accessible_in_light_and_dark(report: Page) -> None:
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        report.emulate_media(color_scheme=scheme)
        assert violations(report) == [], scheme


def test_a_rating_with_a_wide_interval_is_shown_and_its_bar_is_cut(page: Page, tmp_path: Path) -> None:
    games = [
        PlayedGame(
            ScheduledGame(1, 1, 1, "ada", "bob", "12"), GameResult(1, "123", FORFEIT, 1.0, (0, 0), (0.01,) * 2, 1.0)
        )
    ]
    table = standings(games, ["ada", "bob"])
    show(page, tmp_path, Event("Class"), table, games)
    for standing, row in zip(table, page.locator(".ratings g").all(), strict=True):
        assert standing.rating is not None
        assert standing.rating.bar > 1000
        expect(row.locator("text").last).to_contain_text(f"±{standing.rating.bar:.0f}")
        assert "v" not in (row.locator(".bar").get_attribute("d") or "")
        end, width = row.locator("text").last.evaluate(
            "(text) => [text.getBBox().x + text.getBBox().width, text.ownerSVGElement.viewBox.baseVal.width]"
        )
        assert end <= width
    expect(page.locator("#standings")).to_contain_text("Error bars without end marks are truncated.")


def test_a_link_in_a_game_leads_to_the_evidence(report: Page) -> None:
    report.locator(".remarks a").first.click()
    expect(report.locator(".fault:target pre").first).to_be_visible()
    expect(report.locator(".fault:target")).to_contain_text("column 3 is full")


def test_classic_games_are_shown_without_points(page: Page, tmp_path: Path) -> None:
    names = ["ada", "bob"]
    games = [
        PlayedGame(
            ScheduledGame(1, 1, 1, "ada", "bob", "12"), GameResult(1, "1212121", FOUR, 1.0, (18, 0), (0.01,) * 5, 1.0)
        ),
        PlayedGame(
            ScheduledGame(2, 1, 1, "bob", "ada", "12"), GameResult(2, "123", FORFEIT, 0.0, (0, 0), (0.01,) * 2, 1.0)
        ),
    ]
    show(page, tmp_path, Event("Class", "classic"), standings(games, names, "classic"), games)
    expect(page.locator("#standings-table")).not_to_contain_text("Points")
    expect(page.locator("table.games thead")).to_contain_text("Moves")
    expect(page.locator("table.games tbody tr").first).to_contain_text("four")
    expect(page.locator(".status")).to_have_text(
        "Move 7 of 7: red plays column 1 and wins with four in a row. CPU time 10.0 ms."
    )
    assert page.locator(".points b").count() == 0
    expect(page.locator(".viewer > .hint")).to_contain_text("four in a row; red wins.")
    choose(page, "Ending", "four")
    expect(page.locator("p.count")).to_have_text("1 of 2 games")
