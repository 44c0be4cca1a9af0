"""The board alone, for an audience, and the view that other sites may embed."""

from __future__ import annotations

import random

import pytest
from api_client import ApiClient
from axe import violations
from page_user import PageUser
from playwright.sync_api import expect
from positions import digits

from maxconnect4 import GREEN, RED, Board, board_from_moves
from maxconnect4.web.positions import describe

PLAYED = "574454235543324335472773775211"


def test_the_board_alone_fills_the_window(person: PageUser) -> None:
    person.open(moves=PLAYED)
    person.page.set_viewport_size({"width": 1280, "height": 720})
    person.value("delete Element.prototype.requestFullscreen")  # the window stays the same
    before = person.page.locator("#board svg").bounding_box()
    person.press("f")
    expect(person.page.locator("#panels")).to_be_hidden()
    board = person.page.locator("#board svg").bounding_box()
    assert before is not None
    assert board is not None
    assert board["height"] > before["height"]
    assert person.value("document.documentElement.scrollHeight") <= 720
    assert violations(person.page) == []
    person.press("u")  # the keys of the panel still work
    person.sees(board_from_moves(PLAYED[:-1]))
    person.button("Show the panels").click()
    expect(person.page.locator("#panels")).to_be_visible()


def test_the_embedded_view_steps_through_a_game(person: PageUser) -> None:
    page = person.page
    page.goto(f"{person.address}/embed?moves={PLAYED}")
    fours, pieces = page.locator(".four"), page.locator("svg[role=img] .piece")
    expect(pieces).to_have_count(len(PLAYED))
    expect(fours).to_have_count(1)
    expect(page.get_by_role("status")).to_contain_text("Green plays column 1 and scores 1 point: red 0, green 1.")
    assert violations(page) == []
    page.get_by_role("button", name="Back").click()
    expect(pieces).to_have_count(len(PLAYED) - 1)
    expect(fours).to_have_count(0)
    person.press("Home")
    expect(pieces).to_have_count(0)
    page.goto(f"{person.address}/embed?moves=4444444")
    expect(page.get_by_role("alert")).to_be_visible()


@pytest.mark.parametrize(("path", "ancestors"), [("/embed", "*"), ("/", "'none'"), ("/analyse", "'none'")])
def test_only_the_embedded_view_may_be_framed_by_other_sites(client: ApiClient, path: str, ancestors: str) -> None:
    response = client.ask("GET", path)
    assert f"frame-ancestors {ancestors}" in response.headers["content-security-policy"]


def test_the_embedded_view_knows_the_rules(person: PageUser) -> None:
    rng = random.Random(7)
    for game in ("max", "classic") * 3:
        begun, board = Board("max"), Board(game)
        while board.winner() is not None or board.pieces() < 8:
            begun = board_from_moves("".join(str(rng.randint(1, 7)) for _ in range(8)))
            board = Board.from_rows(begun.rows(), game)
        while not board.is_over() and board.pieces() < 36:
            board.drop(rng.choice(board.columns()))
        moves = "".join(map(str, board.drops))
        person.page.goto(f"{person.address}/embed?game={game}&start={digits(begun)}&moves={moves}")
        expect(person.page.locator("svg[role=img] .piece")).to_have_count(board.pieces())
        counts = [person.page.locator(f".four.{colour}").count() for colour in ("red", "green")]
        assert counts == [len(board.fours(RED)), len(board.fours(GREEN))]
        end = str(describe(board).status)
        expect(person.page.get_by_role("status")).to_contain_text(end)
