"""The page without its server, and when the server is back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Visitor
from page_user import PageUser
from play_server import PlayServer
from playwright.sync_api import Page, expect

from maxconnect4 import board_from_moves

GONE = "net::ERR_"  # what the browser itself says of a server that is not there


@pytest.fixture
def server(tmp_path: Path) -> Iterator[PlayServer]:
    """One that may be ended."""
    with PlayServer(tmp_path, words=("--no-token",)) as server:  # it is started again
        yield server


@pytest.fixture
def person(page: Page, server: PlayServer) -> Iterator[PageUser]:
    person = PageUser(page, server)
    person.open()
    person.choose(green="level:1")
    yield person
    page.goto("about:blank")  # before the server ends


def test_the_game_resumes_when_the_server_is_back(person: PageUser, server: PlayServer, visitor: Visitor) -> None:
    page, board = person.page, board_from_moves("4")
    person.drop(4)
    person.sees_answer(board)
    server.kill()
    server.start()  # as if it had not been away
    board.drop(3)
    person.drop(3)
    person.sees_answer(board)
    server.kill()
    column = board.columns()[0]
    person.drop(column)
    gone = "The server does not answer. Is maxconnect4 play still running?"
    expect(person.status).to_contain_text(gone)
    for panel in ("analyse", "learn"):
        person.tab(panel.title())
        expect(page.locator(f"#panel-{panel}")).to_contain_text("The server does not answer")
    server.start()
    person.button("Try again").click()
    expect(page.locator("#panel-learn .step-description")).to_contain_text("Step 1 of")
    person.tab("Play")
    board.drop(column)
    person.sees_answer(board)
    expect(person.status).to_contain_text("Red to move")
    page.reload()
    person.sees(board)
    visitor.forgive(GONE)


@pytest.mark.long
def test_analysis_without_a_server_shows_an_error_and_can_be_repeated(
    person: PageUser, server: PlayServer, visitor: Visitor
) -> None:
    server.kill()
    person.tab("Analyse")
    panel = person.page.locator("#panel-analyse")
    expect(panel).to_contain_text("The server does not answer")
    server.start()
    person.button("Try again").click()
    expect(panel).to_contain_text("With perfect play")
    server.kill()
    person.tab("Learn")
    expect(person.page.locator("#panel-learn")).to_contain_text("The server does not answer")
    server.start()
    person.button("Try again").click()
    expect(person.page.locator("#panel-learn .step-description")).to_contain_text("Step 1 of")
    visitor.forgive(GONE)


@pytest.mark.long
def test_a_game_that_the_server_has_lost_is_replaced_by_a_new_one(
    person: PageUser, server: PlayServer, visitor: Visitor
) -> None:
    person.drop(4)
    person.sees_pieces(2)
    server.kill()
    (server.folder / "games.sqlite").unlink()
    server.start()
    person.page.context.add_cookies([server.cookie])  # the token has gone with the file
    person.page.reload()
    expect(person.status).to_contain_text("New game")
    person.drop(4)
    person.sees_pieces(2)
    visitor.forgive("status of 404")
