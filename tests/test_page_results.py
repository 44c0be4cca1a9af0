"""The results of the user: after a game, in the list of games, by level and over time."""

from __future__ import annotations

from page_user import GAME, PageUser, Reviewer
from play_server import PlayServer
from playwright.sync_api import expect

PLAYERS = ["person", "level:1"]  # red, who wins GAME by 6


def finish(person: PageUser, server: PlayServer) -> None:
    """Play the last move of a game that the user wins."""
    game = server.ask("/games", {"players": PLAYERS, "moves": GAME[:40]})
    person.open()
    person.value(f"localStorage.setItem('maxconnect4.id', '{game['id']}')")
    person.open()
    person.sees_pieces(40)
    person.press(GAME[40])
    person.sees_pieces(42)


def test_a_result_is_addressed_to_the_user_who_may_have_a_rematch(person: PageUser, server: PlayServer) -> None:
    finish(person, server)
    expect(person.page.locator(".game-result .headline")).to_have_text("You won by 6")
    person.button("Rematch").click()
    person.sees_pieces(1)  # the computer is red now, and has moved
    expect(person.page.locator("#green-player")).to_have_value("person")


def test_after_wins_the_next_level_is_suggested(person: PageUser, server: PlayServer) -> None:
    server.ask("/games", {"players": PLAYERS, "moves": GAME})
    finish(person, server)
    person.button("Try level 2").click()
    person.sees_pieces(0)
    expect(person.page.locator("#green-player")).to_have_value("level:2")
    expect(person.button("Try level 2")).to_be_hidden()


def test_games_have_pictures_filters_totals_and_results_by_level(reviewer: Reviewer) -> None:
    for moves in (GAME, GAME, "4"):
        reviewer.store(moves, players=["level:7", "person"])  # who is green and loses
    listed = reviewer.server.ask("/games?limit=100")["games"]
    count = sum("level:7" in game["players"] and "person" in game["players"] for game in listed)
    reviewer.person.open()
    reviewer.person.tab("Review")
    expect(reviewer.games.first.locator(".thumbnail")).to_be_visible()
    reviewer.panel.get_by_label("Opponent").select_option("max level:7")
    expect(reviewer.games).to_have_count(count)
    expect(reviewer.panel.locator(".totals")).to_contain_text(f"{count} games")
    reviewer.panel.get_by_label("Result").select_option("lost")
    expect(reviewer.games).to_have_count(count - 1)
    expect(reviewer.panel.locator(".totals")).to_contain_text(f"0 won, 0 drawn, {count - 1} lost")
    reviewer.panel.get_by_text("Your results").click()
    cells = reviewer.panel.get_by_role("row", name="Level 7").get_by_role("cell")
    expect(cells).to_have_text(["0", "0", f"{count - 1}", "−6"])


def test_the_regret_of_reviewed_games_is_plotted(reviewer: Reviewer) -> None:
    reviewer.open_game(GAME, players=PLAYERS)
    reviewer.button("All games").click()
    reviewer.panel.get_by_text("Your results").click()
    expect(reviewer.panel.locator(".regret-plot circle")).to_have_count(1)
    expect(reviewer.panel.get_by_role("img", name="Regret in your reviewed games")).to_be_visible()
