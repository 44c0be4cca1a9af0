"""A user of the page: what they see on the board and in the panels, and what they do there."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from play_server import PlayServer
from playwright.sync_api import Locator, Page, expect

from maxconnect4 import GREEN, RED, Board, board_from_moves

# The visible board, once it has a number of pieces and they have fallen. Their cells are computed from the drawing.
VISIBLE_BOARD = """async (count) => {
    const board = document.querySelector('#board');
    const pieces = () => [...board.querySelectorAll('svg > g:not(.pointer, .preview) .piece')];
    const end = performance.now() + 20000;
    while (pieces().length !== count && performance.now() < end) await new Promise(requestAnimationFrame);
    const falls = board.getAnimations({ subtree: true });
    await Promise.all(falls.map((fall) => fall.finished.catch(() => null)));
    const frame = board.querySelector('svg').getBoundingClientRect();
    const rows = Array.from({ length: 6 }, () => Array(7).fill(0));
    for (const piece of pieces()) {
        const { left, right, top, bottom } = piece.getBoundingClientRect();
        const column = Math.floor(((left + right) / 2 - frame.left) / frame.width * 7);
        const row = Math.floor((frame.bottom - (top + bottom) / 2) / frame.width * 7);
        rows[5 - row][column] += piece.classList.contains('red') ? 1 : 2;
    }
    return {
        rows,
        points: [...document.querySelectorAll('#points b:not([hidden])')].map((each) => Number(each.textContent)),
        fours: ['red', 'green'].map((colour) => board.querySelectorAll(`.four.${colour}`).length),
    };
}"""


GAME = "131637415743457141625213546475627562722633"  # random: 6 points for red in the end, after many mistakes


def signed(margin: int) -> str:
    """A margin in the format of the page, with a minus sign."""
    return f"{margin:+}".replace("-", "−") if margin else "0"


class PageUser:
    """A user of the page of a server."""

    def __init__(self, page: Page, server: PlayServer) -> None:
        self.page = page
        self.server = server
        self.address = server.address
        page.context.add_cookies([server.cookie])
        self.status = page.locator("#status")

    def open(self, **words: str) -> None:
        """Open the page, or the link to a position, and wait until it is ready."""
        self.page.goto(f"{self.address}/?{urlencode(words)}" if words else self.address)
        expect(self.page.get_by_role("tab", selected=True)).to_be_visible()

    def choose(self, red: str = "person", green: str = "person", game: str = "max") -> None:
        """Choose the players, `person` or a level such as `level:3`, and the game."""
        sheet = self.button("Settings")
        in_sheet = sheet.is_visible()  # on a small screen
        if in_sheet:
            sheet.click()
        self.page.locator(f"input[name=game][value={game}]").check()
        self.page.locator("#red-player").select_option(red)
        self.page.locator("#green-player").select_option(green)
        if in_sheet:
            self.button("Done").click()

    def column(self, column: int) -> Locator:
        return self.page.locator(f"#board [data-column='{column}']")

    def drop(self, column: int) -> None:
        """Click on a column."""
        self.column(column).click()

    def press(self, *keys: str | int) -> None:
        for key in keys:
            self.page.keyboard.press(str(key))

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def tab(self, name: str) -> None:
        """Show a panel."""
        self.page.get_by_role("tab", name=name).click()

    def sees_pieces(self, count: int) -> list[list[int]]:
        """Wait for a number of pieces on the board, and return its visible rows, top row first."""
        rows: list[list[int]] = self.page.evaluate(VISIBLE_BOARD, count)["rows"]
        assert sum(cell != 0 for row in rows for cell in row) == count
        return rows

    def sees(self, board: Board) -> None:
        """Wait until the page shows a board: its pieces, its fours, and its points if the game has any."""
        assert self.page.evaluate(VISIBLE_BOARD, board.pieces()) == {
            "rows": [list(row) for row in board.rows()],
            "points": [board.points(RED), board.points(GREEN)] if board.game == "max" else [],
            "fours": [len(board.fours(RED)), len(board.fours(GREEN))],
        }

    def sees_answer(self, board: Board) -> None:
        """Wait for the move of the computer, and make it on `board` as well."""
        rows = self.sees_pieces(board.pieces() + 1)
        before = board.rows()
        (column,) = [x for x in range(7) if any(rows[y][x] != before[y][x] for y in range(6))]
        board.drop(column + 1)
        self.sees(board)

    def value(self, script: str) -> Any:
        return self.page.evaluate(script)


def explanation(page: Page) -> Locator:
    return page.locator(".analysis-summary .explanation")


def import_note(page: Page) -> Locator:
    return page.locator("#panel-analyse form [role=status]")


def expect_address(page: Page, end: str) -> None:
    """Wait until the address of the page ends with a text."""
    page.wait_for_url(lambda address: address.endswith(end))


def best_line_move(page: Page, number: int) -> Locator:
    """A move of the best line, counted from 1."""
    return page.locator(f".move-buttons:not([inert]) [data-length='{number}']")


def wait_for_review(person: PageUser) -> None:
    """Wait for the end of the review, for which the server uses a thread of low priority."""
    expect(person.page.locator("#panel-review .summaries h3")).to_have_count(2, timeout=90_000)


class Reviewer:
    """A user of the Review panel."""

    def __init__(self, person: PageUser, server: PlayServer) -> None:
        self.person = person
        self.page = person.page
        self.server = server
        self.panel = person.page.locator("#panel-review")
        self.status = person.status
        self.games = self.panel.locator(".game-list > li")
        self.moves = self.panel.locator(".move-list > li")
        self.branch = self.panel.locator(".branch")

    def store(self, moves: str = GAME, **more: Any) -> str:
        """Store a game on the server, and return its id."""
        return str(self.server.ask("/games", {"moves": moves, **more})["id"])

    def open_game(self, moves: str = GAME, **more: Any) -> str:
        """Store a game, open it in Review, and wait for the end of the review."""
        game_id = self.store(moves, **more)
        self.person.open()
        self.person.tab("Review")
        self.games.first.get_by_role("button", name="Review").click()
        self.wait_for_review()
        return game_id

    def wait_for_review(self) -> None:
        wait_for_review(self.person)

    def sees(self, moves: str) -> None:
        self.person.sees(board_from_moves(moves))

    def button(self, name: str) -> Locator:
        return self.panel.get_by_role("button", name=name, exact=True)
