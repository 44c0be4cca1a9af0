"""The token in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import Visitor
from play_server import PlayServer
from playwright.sync_api import Page, expect

from maxconnect4.cli.play import _write_redirect


@pytest.fixture
def page(page: Page) -> Page:
    """A browser without the token."""
    page.context.clear_cookies()
    return page


def test_the_opened_file_leads_to_the_page_and_an_old_token_is_reported(
    page: Page, visitor: Visitor, server: PlayServer, tmp_path: Path
) -> None:
    address = f"{server.address}/?game=max&moves=44&token={server.token}"
    page.goto(_write_redirect(address, str(tmp_path / "open.html")))
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


def test_without_the_token_a_page_explains_what_to_do(page: Page, visitor: Visitor, server: PlayServer) -> None:
    page.goto(f"{server.address}/")
    expect(page.get_by_text("maxconnect4 play")).to_be_visible()
    page.context.add_cookies([server.cookie])  # as if a link on another site had led here
    page.get_by_role("link").click()
    expect(page.get_by_role("tab", selected=True)).to_be_visible()
    visitor.forgive("403")
