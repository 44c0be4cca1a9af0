"""Playing on the page when something comes in between: haste, another tab, a server that has too much to do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from at_the_board import Person
from browser import Held, Visitor
from play_server import PlayServer
from playwright.sync_api import Browser, Route, expect
from reviewer import Reviewer

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
def test_a_drop_is_neither_lost_nor_made_twice_whatever_else_is_under_way(
    person: Person, server: PlayServer, visitor: Visitor
) -> None:
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
        server.ask(route.request.url.split("/api/v1")[1], route.request.post_data_json)
        route.abort("connectionreset")

    page.route("**/drop", lose_the_answer)
    person.drop(4)  # which the server makes before it dies
    person.sees(board_from_moves("434"))
    page.unroute("**/drop")
    visitor.forgive("net::ERR_")
    changes = Held(page, "**/api/v1/games/*")
    page.locator("#red-player").select_option("level:1")
    changes.wait()
    person.drop(5)  # while other players are being chosen
    changes.let_go()
    person.sees_pieces(5)  # ours, and the answer to it
    person.press(6)
    person.sees_pieces(7)


@pytest.mark.own_context
def test_what_comes_late_does_not_follow_to_a_new_game_or_another_panel(person: Person) -> None:
    page = person.page
    person.open()
    person.choose()
    games = Held(page, "**/games")
    person.press(4)
    games.wait()
    person.press("n")
    expect(person.status).to_contain_text("A new game")
    games.let_go()
    person.press(1)
    person.sees(board_from_moves("1"))
    hints = Held(page, "**/choice?**")
    person.press("h")
    expect(person.status).to_contain_text("Looking for the best column")
    hints.wait()
    person.tab("Learn")
    hints.let_go()
    page.wait_for_timeout(100)
    assert page.locator(".hinted, .advice *").count() == 0
    expect(person.status).not_to_contain_text("perfect play")
    page.reload()
    person.sees(board_from_moves("1"))


@pytest.mark.own_context
def test_a_computer_that_thinks_or_has_no_time_does_not_stop_the_game(person: Person, visitor: Visitor) -> None:
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
    expect(person.status).to_contain_text("Green drops")
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
def test_a_server_that_has_too_much_to_do_is_asked_again(reviewer: Reviewer, visitor: Visitor) -> None:
    person, page = reviewer.person, reviewer.page
    page.route("**/events?*", lambda route: route.fulfill(status=503))
    reviewer.keep("4453")
    person.open()
    person.tab("Review")
    reviewer.games.first.get_by_role("button", name="Review").click()
    expect(reviewer.panel).to_contain_text("too much to do")
    person.tab("Analyse")
    expect(page.locator("#panel-analyse")).to_contain_text("too much to do")
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
    reviewer.at_the_end_of_the_review()
    expect(reviewer.button("Try again")).to_be_hidden()


def test_a_game_goes_on_in_two_tabs(person: Person, visitor: Visitor) -> None:
    person.open()
    person.choose(green="level:1")
    board = board_from_moves("4")
    person.drop(4)
    person.sees_answer(board)
    other = Person(visitor.page(), person.server)
    other.open()
    other.sees(board)
    board.drop(1)
    person.drop(1)
    person.sees_answer(board)
    other.drop(7)
    expect(other.status).to_contain_text("The game has gone on elsewhere")
    other.sees(board)
    board.drop(7)
    other.drop(7)
    other.sees_answer(board)
    visitor.forgive("409")


def test_a_game_is_there_again_when_the_page_is_opened_again_unless_the_server_has_lost_it(
    person: Person, server: PlayServer, visitor: Visitor
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
    person.drop(3)  # the game is kept anew
    person.sees_answer(board)
    person.page.reload()
    person.sees(board)
    column = board.columns()[0]
    board.drop(column)
    person.drop(column)
    person.sees_answer(board)
    lose()
    person.page.reload()
    expect(person.status).to_contain_text("A new game")
    person.sees(Board())
    person.drop(4)
    person.sees_pieces(2)
    visitor.forgive("404")


def test_keys_do_nothing_else_while_they_are_explained_and_haste_does_not_drop_twice(person: Person) -> None:
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
