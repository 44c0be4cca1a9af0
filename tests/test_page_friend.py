"""A game between two people in two browsers, who see each other's moves at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe import violations
from browser import Visitor
from page_user import PageUser
from play_server import PlayServer
from playwright.sync_api import Browser, expect

from maxconnect4 import Board, board_from_moves


@pytest.fixture
def friend(chromium: Browser, server: PlayServer) -> Iterator[PageUser]:
    """A second person, with another browser."""
    visitor = Visitor(chromium, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    yield PageUser(visitor.page(), server)
    visitor.leave()


def invite(person: PageUser) -> str:
    """Start a game with a friend, and return the link."""
    person.open()
    person.button("Play a friend").click()
    link = person.page.get_by_label("Link for your friend")
    expect(link).to_be_visible()
    assert violations(person.page) == []
    return link.input_value()


def by_colour(*people: PageUser) -> list[PageUser]:
    """The people in the order of their colours, once the game has begun."""
    for each in people:
        expect(each.page.locator(".friend-game")).to_contain_text("against your friend.")
    return sorted(people, key=lambda each: "green" in each.page.locator(".friend-game").inner_text())


def test_two_people_play_with_a_link_and_reconnect(person: PageUser, friend: PageUser) -> None:
    friend.page.goto(invite(person))
    red, green = by_colour(person, friend)
    assert violations(friend.page) == []
    expect(green.column(1)).to_have_attribute("aria-disabled", "true")
    red.drop(4)
    for each in (red, green):
        each.sees(board_from_moves("4"))
    expect(green.page.locator("#points .to-move")).to_contain_text("You")
    green.drop(3)
    for each in (red, green):
        each.sees(board_from_moves("43"))

    address = green.page.url
    green.page.goto("about:blank")
    expect(red.page.locator(".friend-game")).to_contain_text("not connected")
    red.drop(5)
    green.page.goto(address)
    green.sees(board_from_moves("435"))
    expect(red.page.locator(".friend-game")).to_contain_text("against your friend.")
    green.drop(5)
    for each in (red, green):
        each.sees(board_from_moves("4355"))


def test_two_tabs_play_and_have_a_rematch(person: PageUser, visitor: Visitor) -> None:
    person.open()
    person.page.locator("input[name=game][value=classic]").check()
    link = invite(person)
    other = PageUser(visitor.page(), person.server)
    other.page.goto(link)
    red, green = by_colour(person, other)
    for number, column in enumerate("1212121", start=1):
        (red if number % 2 else green).drop(int(column))
        for each in (red, green):
            each.sees(board_from_moves("1212121"[:number], "classic"))
    green.button("Rematch").click()
    for each in (red, green):
        each.sees(Board("classic"))
    expect(green.page.locator(".friend-game")).to_contain_text("You play red")
    green.drop(4)
    red.sees(board_from_moves("4", "classic"))
