"""The addresses of the page: every panel, position, game and review has one, in a real browser."""

from __future__ import annotations

from browser import Visitor
from page_user import GAME, PageUser, expect_address
from play_server import PlayServer
from playwright.sync_api import expect

from maxconnect4 import board_from_moves


def test_back_and_forward_go_through_games_positions_and_reviews(person: PageUser, server: PlayServer) -> None:
    page = person.page
    game = server.ask("/games", {"moves": GAME[:6], "players": ["person", "person"]})["id"]
    page.goto(f"{server.address}/play/{game}")
    person.sees(board_from_moves(GAME[:6]))
    person.drop(7)
    person.sees(board_from_moves(f"{GAME[:6]}7"))
    person.tab("Analyse")
    person.drop(1)
    expect_address(page, f"/analyse?game=max&moves={GAME[:6]}71")
    page.go_back()
    expect_address(page, f"/play/{game}")
    expect(page.get_by_role("tab", selected=True)).to_have_text("Play")
    person.sees(board_from_moves(f"{GAME[:6]}7"))
    person.button("New game").click()
    person.sees(board_from_moves(""))
    expect_address(page, f"{server.address}/")
    page.go_back()
    expect_address(page, f"/play/{game}")
    person.sees(board_from_moves(f"{GAME[:6]}7"))

    person.tab("Review")
    expect_address(page, f"/review/{game}")
    person.press("Home", "ArrowRight")
    expect_address(page, f"/review/{game}?at=1")
    person.button("All games").click()
    expect_address(page, "/review")
    expect(page).to_have_title("Review – Max-Connect4")
    page.go_back()
    expect_address(page, f"/review/{game}?at=1")
    person.sees(board_from_moves(GAME[0]))
    page.reload()
    expect(page.get_by_role("tab", selected=True)).to_have_text("Review")
    person.sees(board_from_moves(GAME[0]))
    page.go_forward()
    expect(page.get_by_role("heading", name="Games")).to_be_visible()


def test_addresses_are_shown_again_after_a_reload(person: PageUser, visitor: Visitor, server: PlayServer) -> None:
    page = person.page
    for address, tab, moves in (
        ("/analyse?game=max&moves=44533&at=3", "Analyse", "445"),
        ("/learn?game=classic&moves=4453", "Learn", "4453"),
        ("/review?game=max&moves=4453&at=2", "Review", "44"),
    ):
        page.goto(f"{server.address}{address}")
        for _ in range(2):
            expect(page.get_by_role("tab", selected=True)).to_have_text(tab)
            person.sees(board_from_moves(moves, "classic" if "classic" in address else "max"))
            expect_address(page, address)
            page.reload()
    page.goto(f"{server.address}/play/nothing")
    expect(person.status).to_have_text("This game does not exist. It may have been deleted.")
    visitor.forgive("404")
