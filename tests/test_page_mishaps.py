"""Playing on the page when something comes in between: haste, another tab, a server that has too much to do."""

from __future__ import annotations

import pytest
from at_the_board import Person
from browser import Held, Visitor
from play_server import PlayServer
from playwright.sync_api import Route, expect

from maxconnect4 import board_from_moves


@pytest.mark.long
def test_the_game_under_way_is_there_again_after_a_link(person: Person) -> None:
    person.open()
    person.choose()
    person.press(4)
    person.sees_pieces(1)
    person.open(moves="4453")
    person.sees_pieces(4)
    person.tab("Play")
    person.sees_pieces(1)


@pytest.mark.long
def test_another_opponent_leaves_the_position_that_one_plays_from(person: Person) -> None:
    person.open(moves="445312")
    person.page.get_by_role("button", name="Play from here").click()
    person.page.locator("#green-player").select_option("level:1")
    board = board_from_moves("445312")
    person.sees(board)
    person.drop(4)
    board.drop(4)
    person.sees_answer(board)


@pytest.mark.own_context
def test_a_computer_that_had_no_time_is_asked_again(person: Person, visitor: Visitor) -> None:
    person.open()
    person.choose(green="level:1")
    refused = 0

    def refuse_once(route: Route) -> None:
        nonlocal refused
        refused += 1
        if refused > 1:
            return route.continue_()
        headers = {"Retry-After": "1", "Content-Type": "application/json"}
        return route.fulfill(status=503, headers=headers, body='{"error": "too much to do"}')

    person.page.route("**/computer", refuse_once)
    person.drop(4)
    expect(person.status).to_have_text("Too much to do.")
    person.sees_answer(board_from_moves("4"))
    visitor.forgive("503")


@pytest.mark.own_context
def test_a_drop_can_be_undone_before_the_server_has_answered_it(person: Person) -> None:
    person.open()
    person.choose()
    person.press(4)
    person.sees_pieces(1)
    drops = Held(person.page, "**/drop")
    person.press(3)
    person.press("u")
    drops.let_go()
    expect(person.button("Redo")).to_be_enabled()
    person.sees(board_from_moves("4"))
    person.press("r")
    person.sees(board_from_moves("43"))


@pytest.mark.long
@pytest.mark.own_context
def test_a_new_game_knows_nothing_of_a_drop_that_came_before_it(person: Person) -> None:
    person.open()
    person.choose()
    games = Held(person.page, "**/games")
    person.press(4)
    games.wait()
    person.press("n")
    expect(person.status).to_contain_text("A new game")
    games.let_go()
    person.press(1)
    person.sees(board_from_moves("1"))
    person.page.reload()
    person.sees(board_from_moves("1"))


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


@pytest.mark.long
def test_a_game_that_was_deleted_elsewhere_is_kept_anew(person: Person, server: PlayServer, visitor: Visitor) -> None:
    person.open()
    person.choose()
    person.press(4)
    person.sees_pieces(1)
    game = server.ask("/games")["games"][0]["id"]
    server.ask(f"/games/{game}", method="DELETE")
    person.press(3)
    person.sees(board_from_moves("43"))
    person.page.reload()
    person.sees(board_from_moves("43"))
    visitor.forgive("404")


def test_a_key_that_is_held_drops_once(person: Person) -> None:
    person.open()
    person.choose()
    for _ in range(4):
        person.page.keyboard.down("4")  # without going up: a repeat
    person.page.keyboard.up("4")
    person.sees_pieces(1)
    person.press(3)
    person.sees(board_from_moves("43"))


@pytest.mark.long
def test_two_quick_clicks_are_one_drop(person: Person) -> None:
    person.open()
    person.choose()
    person.column(4).dblclick()
    person.sees_pieces(1)
    person.press(3)
    person.sees(board_from_moves("43"))


@pytest.mark.long
@pytest.mark.own_context
def test_a_hint_that_comes_late_does_not_follow_to_another_panel(person: Person) -> None:
    person.open()
    person.choose()
    hints = Held(person.page, "**/choice?**")
    person.press("h")
    expect(person.status).to_contain_text("Looking for the best column")
    hints.wait()
    person.tab("Learn")
    hints.let_go()
    person.page.wait_for_timeout(100)
    assert person.page.locator(".hinted, .advice *").count() == 0
    expect(person.status).not_to_contain_text("perfect play")


@pytest.mark.long
def test_the_other_game_waits_for_a_new_one(person: Person) -> None:
    person.open()
    person.choose()
    person.press(4)
    person.sees_pieces(1)
    person.page.locator("input[name=game][value=classic]").check()
    expect(person.status).to_have_text("Classic four in a row, with these players, begins with New game.")
    person.sees_pieces(1)
    person.press("n")
    person.sees_pieces(0)


@pytest.mark.long
@pytest.mark.own_context
def test_a_drop_while_other_players_are_being_chosen_is_not_lost(person: Person) -> None:
    person.open()
    person.choose()
    person.press(4)
    person.sees_pieces(1)
    changes = Held(person.page, "**/api/v1/games/*")
    person.page.locator("#red-player").select_option("level:1")
    changes.wait()
    person.drop(5)
    changes.let_go()
    person.sees_pieces(3)  # ours, and the answer to it
    person.press(6)
    person.sees_pieces(5)
