"""The token in a real browser: the file that is opened leads to the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import Visitor
from play_server import PlayServer
from playwright.sync_api import expect

from maxconnect4.web.browser import _leading_to

pytestmark = pytest.mark.own_context


def test_the_opened_file_leads_to_the_page_without_the_token_in_its_address(
    visitor: Visitor, server: PlayServer, tmp_path: Path
) -> None:
    address = f"{server.address}/?game=max&moves=44&token={server.token}"
    page = visitor.page()
    page.goto(_leading_to(address, str(tmp_path / "open.html")))
    expect(page.get_by_role("tab", selected=True)).to_be_visible()
    assert "token" not in page.url
    (cookie,) = visitor.context.cookies()
    assert (cookie["name"], cookie["httpOnly"], cookie["sameSite"]) == (server.cookie["name"], True, "Strict")
    page.goto(f"{server.address}/")
    expect(page.get_by_role("tab", selected=True)).to_be_visible()


@pytest.mark.long
def test_a_token_that_is_no_longer_valid_is_named_by_an_analysis(visitor: Visitor, server: PlayServer) -> None:
    page = visitor.page()
    page.goto(f"{server.address}/?token={server.token}")
    expect(page.get_by_role("tab", selected=True)).to_be_visible()
    visitor.context.add_cookies([server.cookie | {"value": "0123"}])
    page.get_by_role("tab", name="Analyse").click()
    expect(page.get_by_text("the token is missing or wrong").first).to_be_visible()
    page.close()  # so that nothing more is refused, such as the icon
    visitor.forgive("403")


@pytest.mark.long
def test_without_the_token_there_is_a_page_that_tells_what_to_do(visitor: Visitor, server: PlayServer) -> None:
    page = visitor.page()
    page.goto(f"{server.address}/")
    expect(page.get_by_text("maxconnect4 play")).to_be_visible()
    visitor.context.add_cookies([server.cookie])  # as if a link on another site had led here
    page.get_by_role("link").click()
    expect(page.get_by_role("tab", selected=True)).to_be_visible()
    visitor.forgive("403")
