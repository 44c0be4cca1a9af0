"""The position editor, and import and export of positions, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Visitor
from page_user import PageUser, expect_address, explanation, import_note
from playwright.sync_api import Page, expect
from positions import SAMPLE

from maxconnect4 import Board, board_from_moves, read_board


def load(page: Page, name: str, text: bytes) -> None:
    page.set_input_files("#panel-analyse input[type=file]", {"name": name, "mimeType": "", "buffer": text})


def pasted(page: Page, text: str) -> None:
    """Ctrl-V, with this on the clipboard."""
    page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Control+V")


def dragged(page: Page, name: str, text: str) -> None:
    """Drag a file onto the board."""
    page.evaluate(
        """([name, text]) => {
            const dataTransfer = new DataTransfer(), board = document.querySelector('#board svg');
            dataTransfer.items.add(new File([text], name));
            for (const kind of ['dragover', 'drop'])
                board.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
        }""",
        [name, text],
    )


def test_a_position_is_set_up_by_hand(person: PageUser, visitor: Visitor) -> None:
    page = person.page
    person.open(game="max", moves="44")
    ways: list[Callable[[], None]] = [
        lambda: person.press("Escape"),
        lambda: person.button("Cancel").click(),
        lambda: person.tab("Learn"),
    ]
    for leave in ways:  # which leaves the position as it was
        person.button("Set up").click()
        person.button("Clear").click()
        person.sees(Board())
        leave()
        person.sees(board_from_moves("44"))
        person.tab("Analyse")
        expect(person.button("Set up")).to_be_visible()
    person.button("Set up").click()
    person.drop(1)  # red
    person.press("g")
    person.drop(2)
    person.press("e", 4)
    words = page.locator("#panel-analyse [role=status]")
    expect(words).to_have_text(re.compile("Green .* column 4, row 2. Green to move.$"))
    page.get_by_label("Red", exact=True).check()
    person.press(7)
    expect(words).to_contain_text("3 red and 1 green pieces")
    expect(person.button("Done")).to_be_disabled()
    expect(page.locator(".column-values span")).to_have_text([""] * 7)
    visitor.forgive("400 (Bad Request)")
    person.press("g", 7)
    expect(words).to_have_text("Green in column 7, row 2. Green to move.")
    person.button("Done").click()
    person.sees(Board.from_rows([[0] * 7] * 4 + [[0, 0, 0, 0, 0, 0, 2], [1, 2, 0, 1, 0, 0, 1]]))
    expect(person.status).to_have_text("Position set up. Green to move.")
    expect_address(page, "start=" + "0" * 34 + "2" + "1201001")
    expect(explanation(page)).to_contain_text("With perfect play")
    expect(page.locator(".column-values span")).to_have_text([re.compile(r"\d")] * 7)


def test_a_full_column_takes_no_piece_and_an_empty_one_loses_none(analyst: PageUser) -> None:
    expect(explanation(analyst.page)).to_contain_text("With perfect play")  # which moves the button
    analyst.button("Set up").click()
    expect(analyst.button("Done")).to_be_visible()
    for hand in "rgrgrg":
        analyst.press(hand, 1)
    analyst.sees_pieces(6)
    expect(analyst.column(1)).to_have_attribute("aria-disabled", "true")
    words = analyst.page.locator("#panel-analyse [role=status]")
    analyst.press(1)
    expect(words).to_have_text("Column 1 is full. Red to move.")
    analyst.press("e")
    expect(analyst.column(1)).to_have_attribute("aria-disabled", "false")
    expect(analyst.column(2)).to_have_attribute("aria-disabled", "true")
    analyst.press(2)
    expect(words).to_have_text("Column 2 is empty. Red to move.")
    analyst.press(1)
    analyst.sees_pieces(5)


@pytest.mark.parametrize("ends", ["\r\n", *(pytest.param(ends, marks=pytest.mark.long) for ends in ("\n", "\r\r\n"))])
def test_a_position_file_is_saved_as_it_was_loaded(analyst: PageUser, tmp_path: Path, ends: str) -> None:
    load(analyst.page, "input2.txt", SAMPLE.replace("\n", ends).encode())
    (tmp_path / "input2.txt").write_text(SAMPLE)
    analyst.sees(read_board(tmp_path / "input2.txt"))
    with analyst.page.expect_download() as saving:
        analyst.button("Save").click()
    assert saving.value.suggested_filename == "position.txt"
    assert saving.value.path().read_bytes() == SAMPLE.encode()


def test_invalid_position_files_are_refused_with_the_reason(analyst: PageUser, visitor: Visitor) -> None:
    page = analyst.page
    load(page, "essay.txt", b"Dear diary")
    expect(import_note(page)).to_have_text("essay.txt, line 1: 'D' is not 0, 1 or 2.")
    load(page, "float.txt", SAMPLE.replace("0200000", "0210000").encode())
    expect(import_note(page)).to_contain_text("float.txt, line 3")
    visitor.forgive("400 (Bad Request)")
    load(page, "huge.txt", b"0" * 100_000)
    expect(import_note(page)).to_have_text("huge.txt: the file is too large for a position file.")
    dragged(page, "notes.txt", "0000000\n")
    expect(analyst.status).to_contain_text("notes.txt")
    visitor.forgive("400 (Bad Request)")
    analyst.sees(Board())


def test_moves_files_and_links_can_be_pasted_and_dragged_anywhere(person: PageUser, visitor: Visitor) -> None:
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = person.page
    person.open()
    dragged(page, "input2.txt", SAMPLE)
    person.sees_pieces(12)
    expect(page.get_by_role("tab", selected=True)).to_have_text("Analyse")
    person.tab("Play")
    person.sees_pieces(0)
    pasted(page, "4453\n")
    person.sees(board_from_moves("4453"))
    pasted(page, SAMPLE)
    person.sees_pieces(12)
    pasted(page, f"{person.address}/?game=classic&moves=1234")
    person.sees(board_from_moves("1234", "classic"))
    expect_address(page, "game=classic&moves=1234")
    pasted(page, "4444444")
    expect(person.status).to_have_text("Pasted text: move 7 of '4444444': column 4 is full.")
    visitor.forgive("400 (Bad Request)")
    page.fill("#position-text", "")
    page.locator("#position-text").focus()
    person.press("Control+V")
    expect(page.locator("#position-text")).to_have_value("4444444")  # a field keeps what is pasted into it


def test_a_link_that_is_copied_opens_the_same_position(person: PageUser, visitor: Visitor) -> None:
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    person.open()
    person.tab("Analyse")
    load(person.page, "input2.txt", SAMPLE.encode())
    person.sees_pieces(12)
    person.drop(4)
    rows = person.sees_pieces(13)
    person.button("Copy link").click()
    expect(import_note(person.page)).to_contain_text("copied")
    link = person.value("() => navigator.clipboard.readText()")
    assert link == f"{person.address}/analyse?game=max&start={''.join(SAMPLE.split()[:6])}&moves=4"
    friend = PageUser(visitor.page(), person.server)
    friend.page.goto(link)
    assert friend.sees_pieces(13) == rows
    expect(friend.page.get_by_role("tab", selected=True)).to_have_text("Analyse")

    person.value("Object.defineProperty(navigator, 'clipboard', { value: undefined })")  # a browser that forbids it
    person.press("u")  # what is shown is what is shared
    person.button("Copy link").click()
    shown = person.page.get_by_label("Link to the position")
    expect(shown).to_have_value(link.removesuffix("&moves=4"))
    expect(shown).to_be_focused()


def test_the_address_follows_the_board_and_a_link_keeps_the_game(person: PageUser, visitor: Visitor) -> None:
    page = person.page
    person.open(game="max", moves="4444444")
    expect(person.status).to_contain_text("move 7 of '4444444': column 4 is full.")
    person.sees(Board())
    visitor.forgive("400 (Bad Request)")
    page.fill("#position-text", "4453")
    person.press("Enter")
    person.sees(board_from_moves("4453"))
    person.drop(3)
    expect_address(page, "/analyse?game=max&moves=44533")
    person.press("u", "u")
    expect_address(page, "/analyse?game=max&moves=44533&at=3")
    person.tab("Play")
    expect_address(page, f"{person.address}/")
    expect(person.status).to_contain_text("New game.")
    person.sees(Board())
    board = board_from_moves("2")
    person.drop(2)
    person.sees_answer(board)
    person.open(moves="445312")
    person.sees(board_from_moves("445312"))
    person.tab("Play")
    person.sees(board)
    person.tab("Analyse")
    page.fill("#position-text", "445312")
    person.press("Enter")
    person.sees(board_from_moves("445312"))
    person.button("Play from here").click()
    page.locator("#green-player").select_option("level:1")
    position = board_from_moves("445312")
    person.sees(position)  # another opponent leaves it as it is
    person.drop(4)
    position.drop(4)
    person.sees_answer(position)
