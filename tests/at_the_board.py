"""What a person sees on the page and does there."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from play_server import PlayServer
from playwright.sync_api import Locator, Page, expect

from maxconnect4 import GREEN, RED, Board

# What is seen on the board once it has so many pieces and they have fallen. Where they are is read off the picture.
LOOK = """async (count) => {
    const board = document.querySelector('#board');
    const pieces = () => [...board.querySelectorAll('svg > g:not(.pointer, .ghosts) .piece')];
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
        points: [...document.querySelectorAll('#points b')].map((each) => Number(each.textContent)),
        fours: ['red', 'green'].map((colour) => board.querySelectorAll(`.four.${colour}`).length),
    };
}"""


def signed(margin: int) -> str:
    """A margin as the page writes it, with the sign for minus."""
    return f"{margin:+}".replace("-", "−") if margin else "0"


class Person:
    """Somebody at the page of a server."""

    def __init__(self, page: Page, server: PlayServer) -> None:
        self.page = page
        self.server = server
        self.address = server.address
        page.context.add_cookies([server.cookie])
        self.status = page.locator("#status")

    def open(self, **words: str) -> None:
        """Open the page, or a link to a position, and wait until it is ready."""
        self.page.goto(f"{self.address}/?{urlencode(words)}" if words else self.address)
        expect(self.page.get_by_role("tab", selected=True)).to_be_visible()

    def choose(self, red: str = "person", green: str = "person", game: str = "max") -> None:
        """Choose who plays what: `person`, or `level:3`."""
        self.page.locator(f"input[name=game][value={game}]").check()
        self.page.locator("#red-player").select_option(red)
        self.page.locator("#green-player").select_option(green)

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
        """Bring a panel to the front."""
        self.page.get_by_role("tab", name=name).click()

    def sees_pieces(self, count: int) -> list[list[int]]:
        """Wait until so many are on the board: its rows as they are seen, top row first."""
        rows: list[list[int]] = self.page.evaluate(LOOK, count)["rows"]
        assert sum(cell != 0 for row in rows for cell in row) == count
        return rows

    def sees(self, board: Board) -> None:
        """Wait until this is on the board: its pieces, its points if they count, and its fours."""
        assert self.page.evaluate(LOOK, board.pieces()) == {
            "rows": [list(row) for row in board.rows()],
            "points": [board.points(RED), board.points(GREEN)] if board.game == "max" else [],
            "fours": [len(board.fours(RED)), len(board.fours(GREEN))],
        }

    def sees_answer(self, board: Board) -> None:
        """Wait until the computer has dropped, and do the same on our board."""
        rows = self.sees_pieces(board.pieces() + 1)
        before = board.rows()
        (column,) = [x for x in range(7) if any(rows[y][x] != before[y][x] for y in range(6))]
        board.drop(column + 1)
        self.sees(board)

    def value(self, script: str) -> Any:
        return self.page.evaluate(script)
