"""The token in a real browser: the file that is opened leads to the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import Visitor
from play_server import PlayServer
from playwright.sync_api import Page, expect

from maxconnect4.web.browser import _leading_to


@pytest.fixture
def page(page: Page) -> Page:
    """A browser that has no token yet; whoever needs one sets it again."""
    page.context.clear_cookies()
    return page


def test_the_opened_file_leads_to_the_page_and_a_token_that_is_no_longer_valid_is_named(
    page: Page, visitor: Visitor, server: PlayServer, tmp_path: Path
) -> None:
    address = f"{server.address}/?game=max&moves=44&token={server.token}"
    page.goto(_leading_to(address, str(tmp_path / "open.html")))
    expect(page.get_by_role("tab", selected=True)).to_be_visible()
    assert "token" not in page.url
    (cookie,) = page.context.cookies()
    assert (cookie["name"], cookie["httpOnly"], cookie["sameSite"]) == (server.cookie["name"], True, "Strict")
    page.goto(f"{server.address}/")
    expect(page.get_by_role("tab", selected=True)).to_be_visible()
    page.context.add_cookies([server.cookie | {"value": "0123"}])  # it is no longer valid
    page.get_by_role("tab", name="Analyse").click()
    expect(page.get_by_text("the token is missing or wrong").first).to_be_visible()
    page.goto("about:blank")  # so that nothing more is refused, such as the icon
    visitor.forgive("403")


def test_without_the_token_there_is_a_page_that_tells_what_to_do(
    page: Page, visitor: Visitor, server: PlayServer
) -> None:
    page.goto(f"{server.address}/")
    expect(page.get_by_text("maxconnect4 play")).to_be_visible()
    page.context.add_cookies([server.cookie])  # as if a link on another site had led here
    page.get_by_role("link").click()
    expect(page.get_by_role("tab", selected=True)).to_be_visible()
    visitor.forgive("403")
