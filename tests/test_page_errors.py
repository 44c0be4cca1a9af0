"""The Play panel with fast input, a second tab, and a slow or busy server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import Held, Visitor
from page_user import PageUser, Reviewer
from play_server import PlayServer
from playwright.sync_api import Browser, Route, expect

from maxconnect4 import Board, board_from_moves


@pytest.fixture(scope="module")
def _intercepting(chromium: Browser) -> Iterator[Visitor]:
    size = {"width": 1280, "height": 900}
    visitor = Visitor(chromium, intercepting=True, viewport=size, reduced_motion="reduce")
    yield visitor
    visitor.leave()


@pytest.fixture
def visitor(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Visitor]:
    """The tests that intercept requests share a context: to start one takes longer than most of them."""
    own = request.node.get_closest_marker("own_context")
    visitor: Visitor = request.getfixturevalue("_intercepting" if own else "_desktop")
    yield visitor
    visitor.rest()


@pytest.mark.own_context
def test_a_move_is_neither_lost_nor_made_twice(person: PageUser, server: PlayServer, visitor: Visitor) -> None:
    page = person.page
    person.open()
    person.choose()
    person.press(4)
    person.sees_pieces(1)
    drops = Held(page, "**/drop")
    person.press(3)
    person.press("u")  # before the server has answered it
    drops.let_go()
    expect(person.button("Redo")).to_be_enabled()
    person.sees(board_from_moves("4"))
    person.press("r")
    person.sees(board_from_moves("43"))

    def lose_the_answer(route: Route) -> None:
        server.ask(route.request.url.split("/api/v2")[1], route.request.post_data_json)
        route.abort("connectionreset")

    page.route("**/drop", lose_the_answer)
    person.drop(4)  # which the server makes before it dies
    person.sees(board_from_moves("434"))
    page.unroute("**/drop")
    visitor.forgive("net::ERR_")
    changes = Held(page, "**/api/v2/games/*")
    page.locator("#red-player").select_option("level:1")
    changes.wait()
    person.drop(5)  # while other players are being chosen
    changes.let_go()
    person.sees_pieces(5)  # ours, and the answer to it
    person.press(6)
    person.sees_pieces(7)


@pytest.mark.own_context
def test_late_responses_do_not_change_a_new_game_or_another_panel(person: PageUser) -> None:
    page = person.page
    person.open()
    person.choose()
    games = Held(page, "**/games")
    person.press(4)
    games.wait()
    person.press("n")
    expect(person.status).to_contain_text("New game")
    games.let_go()
    person.press(1)
    person.sees(board_from_moves("1"))
    hints = Held(page, "**/choice?**")
    person.press("h")
    expect(person.status).to_contain_text("best column")
    hints.wait()
    person.tab("Learn")
    hints.let_go()
    page.wait_for_timeout(100)
    assert page.locator(".hinted, .hint-marker *").count() == 0
    expect(person.status).not_to_contain_text("perfect play")
    page.reload()
    person.tab("Play")
    person.sees(board_from_moves("1"))


@pytest.mark.own_context
def test_a_slow_or_busy_server_does_not_stop_the_game(person: PageUser, visitor: Visitor) -> None:
    page, board = person.page, board_from_moves("4")
    person.open()
    person.choose(green="level:3")
    thinking = Held(page, "**/computer")
    person.drop(4)
    thinking.wait()
    person.sees_pieces(1)
    person.press("u")  # which does not wait
    person.sees(Board())
    thinking.routes[0].abort()
    page.unroute("**/computer")
    thinking = Held(page, "**/computer")
    person.drop(4)
    thinking.wait()
    person.tab("Analyse")
    person.tab("Play")
    thinking.let_go()
    person.sees_answer(board)
    expect(person.status).to_contain_text("Green plays")
    refused = 0

    def refuse_once(route: Route) -> None:
        nonlocal refused
        refused += 1
        if refused > 1:
            return route.continue_()
        headers = {"Retry-After": "1", "Content-Type": "application/json"}
        return route.fulfill(status=503, headers=headers, body='{"error": "too much to do"}')

    page.route("**/computer", refuse_once)
    board.drop(3)
    person.drop(3)
    expect(person.status).to_have_text("Too much to do.")
    person.sees_answer(board)
    visitor.forgive("503")


@pytest.mark.own_context
def test_analysis_and_review_can_be_repeated_after_a_busy_server(reviewer: Reviewer, visitor: Visitor) -> None:
    person, page = reviewer.person, reviewer.page
    page.route("**/events?*", lambda route: route.fulfill(status=503))
    reviewer.store("4453")
    person.open()
    person.tab("Review")
    reviewer.games.first.get_by_role("button", name="Review").click()
    expect(reviewer.panel).to_contain_text("too busy")
    person.tab("Analyse")
    expect(page.locator("#panel-analyse")).to_contain_text("too busy")
    visitor.forgive("503")
    page.unroute("**/events?*")
    person.button("Try again").click()
    expect(page.locator("#panel-analyse")).to_contain_text("With perfect play")
    page.route("**/events?*", lambda route: route.fulfill(status=503))
    person.tab("Review")
    expect(reviewer.button("Try again")).to_be_visible()
    visitor.forgive("503")
    page.unroute("**/events?*")
    reviewer.button("Try again").click()
    reviewer.wait_for_review()
    expect(reviewer.button("Try again")).to_be_hidden()


def test_a_game_is_played_in_two_tabs(person: PageUser, visitor: Visitor) -> None:
    person.open()
    person.choose(green="level:1")
    board = board_from_moves("4")
    person.drop(4)
    person.sees_answer(board)
    other = PageUser(visitor.page(), person.server)
    other.open()
    other.sees(board)
    board.drop(1)
    person.drop(1)
    person.sees_answer(board)
    other.drop(7)
    expect(other.status).to_contain_text("The game was changed elsewhere")
    other.sees(board)
    board.drop(7)
    other.drop(7)
    other.sees_answer(board)
    visitor.forgive("409")


def test_a_game_is_resumed_after_a_reload_unless_it_was_deleted(
    person: PageUser, server: PlayServer, visitor: Visitor
) -> None:
    def lose() -> None:
        server.ask(f"/games/{server.ask('/games')['games'][0]['id']}", method="DELETE")

    board = board_from_moves("4")
    person.open()
    person.choose(green="level:1")
    person.drop(4)
    person.sees_answer(board)
    lose()
    board.drop(3)
    person.drop(3)  # the game is stored again
    person.sees_answer(board)
    person.page.reload()
    person.sees(board)
    column = board.columns()[0]
    board.drop(column)
    person.drop(column)
    person.sees_answer(board)
    lose()
    person.page.reload()
    expect(person.status).to_contain_text("does not exist")
    person.sees(Board())
    person.drop(4)
    person.sees_pieces(2)
    visitor.forgive("404")


def test_keys_do_nothing_while_help_is_open_and_repeats_and_double_clicks_move_once(person: PageUser) -> None:
    person.open()
    person.choose()
    person.press("?")
    dialog = person.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    person.press(4)  # while the keys are explained
    person.press("Escape")
    expect(dialog).to_be_hidden()
    person.sees_pieces(0)
    person.page.locator("#open-help").click()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    for _ in range(4):
        person.page.keyboard.down("4")  # without going up: a repeat
    person.page.keyboard.up("4")
    person.sees_pieces(1)
    person.press(3)
    person.sees(board_from_moves("43"))
    person.column(4).dblclick()
    person.sees_pieces(3)
    person.press(3)
    person.sees(board_from_moves("4343"))
