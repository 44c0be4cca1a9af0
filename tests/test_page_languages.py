"""The page in other languages: chosen by the browser, or by the user, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe import violations
from browser import Visitor
from page_user import PageUser
from play_server import PlayServer
from playwright.sync_api import Browser, expect

from maxconnect4 import board_from_moves


@pytest.fixture
def german(chromium: Browser, server: PlayServer) -> Iterator[PageUser]:
    """A user whose browser prefers German."""
    visitor = Visitor(chromium, viewport={"width": 390, "height": 844}, reduced_motion="reduce", locale="de-AT")
    yield PageUser(visitor.page(), server)
    visitor.leave()


def test_the_page_is_in_the_language_of_the_browser_or_of_the_user(german: PageUser, server: PlayServer) -> None:
    page = german.page
    game = server.ask("/games", {"moves": "1122334", "players": ["person", "person"]})["id"]
    page.goto(f"{german.address}/play/{game}")
    expect(german.status).to_have_text("Rot spielt Spalte 4 und macht 1 Punkt: Rot 1, Grün 0. Grün ist am Zug.")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert violations(page) == []
    german.tab("Aufgaben")
    expect(page.locator("#panel-puzzles h2")).not_to_be_empty()
    assert violations(page) == []

    page.locator("#language").select_option("es")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(page.get_by_role("tab", selected=True)).to_have_text("Retos")
    german.tab("Jugar")
    german.sees(board_from_moves("1122334"))
    page.locator("#language").select_option("hi")
    expect(german.status).to_contain_text("हरे की बारी है।")
