"""What a person does in the Review panel of the page."""

from __future__ import annotations

from typing import Any

from at_the_board import Person
from play_server import PlayServer
from playwright.sync_api import Locator, expect

from maxconnect4 import board_from_moves

GAME = "131637415743457141625213546475627562722633"  # by chance: 6 points for red in the end, after many mistakes


def at_the_end_of_the_review(person: Person) -> None:
    """Wait for it: the server's thread is a nice one, which gets little of a busy machine."""
    expect(person.page.locator("#panel-review .summaries h3")).to_have_count(2, timeout=90_000)


class Reviewer:
    """Somebody in the Review panel."""

    def __init__(self, person: Person, server: PlayServer) -> None:
        self.person = person
        self.page = person.page
        self.server = server
        self.panel = person.page.locator("#panel-review")
        self.status = person.status
        self.games = self.panel.locator(".games > li")
        self.moves = self.panel.locator(".movelist > li")
        self.branch = self.panel.locator(".branch")

    def keep(self, moves: str = GAME, **more: Any) -> str:
        """Have the server keep a game: its name."""
        return str(self.server.ask("/games", {"moves": moves, **more})["id"])

    def look_at(self, moves: str = GAME, **more: Any) -> str:
        """Keep a game and review it, to the end of the review."""
        name = self.keep(moves, **more)
        self.person.open()
        self.person.tab("Review")
        self.games.first.get_by_role("button", name="Review").click()
        self.at_the_end_of_the_review()
        return name

    def at_the_end_of_the_review(self) -> None:
        at_the_end_of_the_review(self.person)

    def sees(self, moves: str) -> None:
        self.person.sees(board_from_moves(moves))

    def button(self, name: str) -> Locator:
        return self.panel.get_by_role("button", name=name, exact=True)
