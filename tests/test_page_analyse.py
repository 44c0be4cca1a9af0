"""Analysing on the page, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from at_the_board import Person
from browser import Visitor
from playwright.sync_api import Locator, Page, expect
from positions import exact_positions

from maxconnect4 import Board, board_from_moves, read_board

SAMPLE = "0000000\n0000000\n0200000\n0100002\n0200111\n1100222\n1\n"
# The margins under the columns, from the left, and those of them that are marked as best.
MARGINS = "() => [...document.querySelectorAll('.strip span')].map((each) => each.textContent)"
BEST = "() => [...document.querySelectorAll('.strip .best b')].map((each) => Number(each.textContent))"
# Everything that the panel says of how far it is.
LISTEN = """() => {
    const facts = document.querySelector('.verdict .hint');
    window.heard = [];
    new MutationObserver(() => window.heard.push(facts.textContent)).observe(facts, { childList: true });
}"""


@pytest.fixture
def analyst(person: Person) -> Person:
    """Somebody with the empty board before them."""
    person.open()
    person.tab("Analyse")
    return person


def verdict(page: Page) -> Locator:
    return page.locator(".verdict .words")


def step(page: Page, length: int) -> Locator:
    """The move of the best line that is the so manyth."""
    return page.locator(f".line:not([inert]) [data-length='{length}']")


def note(page: Page) -> Locator:
    return page.locator("#panel-analyse form [role=status]")


def addressed(page: Page, words: str) -> None:
    """Wait until the address holds this."""
    page.wait_for_url(lambda address: address.endswith(words))


def refused(visitor: Visitor) -> None:
    """The server has said no, of which browsers complain."""
    assert visitor.complaints
    assert all("400 (Bad Request)" in each for each in visitor.complaints)
    visitor.complaints.clear()


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


def test_the_margins_under_the_columns_are_the_exact_ones(analyst: Person) -> None:
    page = analyst.page
    chosen = [each for each in exact_positions() if len(each[0]) >= 16][::9]
    assert len(chosen) > 20
    for moves, value, scores in chosen:
        page.fill("#position-text", moves)
        analyst.press("Enter")
        margins = ["" if score is None else f"{score:+}" if score else "0" for score in scores]
        expect(page.locator(".strip span")).to_have_text(margins)
        expect(page.locator(".worth b")).to_have_text(f"{value:+}" if value else "0")
        expect(verdict(page)).to_contain_text("With perfect play")
        assert analyst.value(BEST) == [column for column, score in enumerate(scores, start=1) if score == value]


def test_the_bounds_close_in_before_your_eyes(person: Person) -> None:
    person.open()
    person.tab("Analyse")
    person.value(LISTEN)
    person.page.fill("#position-text", "221411222673")
    person.press("Enter")
    person.sees(board_from_moves("221411222673"))
    expect(verdict(person.page)).to_contain_text("With perfect play green wins by 1.", timeout=60_000)
    heard = person.value("() => window.heard")
    assert any("of 7 columns settled" in words and "nodes in" in words for words in heard)
    assert heard[-1].startswith("Searched")


def test_the_empty_board_is_in_the_book(analyst: Person) -> None:
    expect(verdict(analyst.page)).to_contain_text("With perfect play the game is a draw.")
    expect(analyst.page.locator(".verdict")).to_contain_text("From the opening book.")


def test_the_margins_stay_on_while_playing_only_if_that_is_wanted(analyst: Person) -> None:
    page, switch = analyst.page, analyst.page.get_by_role("switch")
    expect(verdict(page)).to_contain_text("draw")
    analyst.tab("Play")
    assert analyst.value(MARGINS) == [""] * 7
    analyst.tab("Analyse")
    switch.check()
    analyst.tab("Play")
    analyst.choose()
    expect(page.locator(".strip .best")).not_to_have_count(0)
    analyst.drop(1)
    expect(page.locator(".strip .best.win")).not_to_have_count(0)  # green's
    expect(page.locator(".strip .best.draw")).to_have_count(0)
    page.reload()
    expect(page.locator(".strip .best")).not_to_have_count(0)


def test_the_best_line_is_shown_on_the_board_and_played(person: Person) -> None:
    page, moves = person.page, "144563327435476762"
    person.open(game="max", moves=moves)
    expect(step(page, 24)).to_be_visible()  # to the very end
    line = "".join(step(page, length).inner_text().strip() for length in range(1, 25))
    ghosts = page.locator(".ghost")
    step(page, 3).hover()
    expect(ghosts).to_have_count(3)
    assert ghosts.locator("text").all_text_contents() == ["1", "2", "3"]
    page.locator("h1").hover()
    expect(ghosts).to_have_count(0)
    step(page, 1).focus()
    person.press("ArrowRight")
    expect(ghosts).to_have_count(2)
    person.press("Enter")
    person.sees(board_from_moves(moves + line[:2]))
    addressed(page, moves + line[:2])
    expect(step(page, 1)).to_be_focused()  # the line goes on where the keyboard was
    expect(page.locator(".line button")).to_have_count(22)
    step(page, 22).click()
    finished = board_from_moves(moves + line)
    person.sees(finished)
    assert finished.is_over()
    expect(verdict(page)).to_contain_text("Red wins by 1")


def test_drops_are_free_and_keys_go_back_and_forward(analyst: Person) -> None:
    page = analyst.page
    for column in (4, 4, 5):
        analyst.drop(column)
        expect(analyst.status).to_contain_text(f"drops in column {column}")
    analyst.sees(board_from_moves("445"))
    analyst.press("u", "u")
    analyst.sees(board_from_moves("4"))
    analyst.press("r")
    analyst.sees(board_from_moves("44"))
    analyst.button("First").click()
    analyst.sees(Board())
    expect(analyst.button("Back")).to_be_disabled()
    analyst.button("Last").click()
    analyst.sees(board_from_moves("445"))
    analyst.press("u", 1)
    analyst.sees(board_from_moves("441"))
    analyst.press(2)
    analyst.sees(board_from_moves("4412"))
    analyst.button("Leave branch").click()
    analyst.sees(board_from_moves("44"))
    expect(page.locator(".moves")).to_have_text("445")
    analyst.press("n")
    analyst.sees(Board())


def test_a_position_is_set_up_by_hand(person: Person, visitor: Visitor) -> None:
    page = person.page
    person.open(game="max", moves="44")
    person.button("Set up").click()
    person.drop(1)  # red
    person.press("g")
    person.drop(2)
    person.press("e", 4)
    words = page.locator("#panel-analyse [role=status]")
    expect(words).to_have_text("Green taken from column 4, row 2. Green is to move.")
    page.get_by_label("Red", exact=True).check()
    person.press(7)
    expect(words).to_contain_text("3 red and 1 green pieces")
    expect(person.button("Done")).to_be_disabled()
    assert person.value(MARGINS) == [""] * 7
    refused(visitor)
    person.press("g", 7)
    expect(words).to_have_text("Green in column 7, row 2. Green is to move.")
    person.button("Done").click()
    person.sees(Board.from_rows([[0] * 7] * 4 + [[0, 0, 0, 0, 0, 0, 2], [1, 2, 0, 1, 0, 0, 1]]))
    expect(person.status).to_have_text("The position that was set up. Green is to move.")
    addressed(page, "start=" + "0" * 34 + "2" + "1201001")
    expect(verdict(page)).to_contain_text("With perfect play")
    assert all(person.value(MARGINS))


def test_a_set_up_that_is_cancelled_leaves_the_position_as_it_was(person: Person) -> None:
    person.open(game="max", moves="4453")
    ways: list[Callable[[], None]] = [
        lambda: person.press("Escape"),
        lambda: person.button("Cancel").click(),
        lambda: person.tab("Learn"),
    ]
    for leave in ways:
        person.button("Set up").click()
        person.button("Clear").click()
        person.sees(Board())
        leave()
        person.sees(board_from_moves("4453"))
        person.tab("Analyse")
        expect(person.button("Set up")).to_be_visible()


def test_a_full_column_takes_no_more_pieces_and_an_empty_one_gives_none(analyst: Person) -> None:
    analyst.button("Set up").click()
    for hand in "rgrgrg":
        analyst.press(hand, 1)
    analyst.sees_pieces(6)
    expect(analyst.column(1)).to_have_attribute("aria-disabled", "true")
    words = analyst.page.locator("#panel-analyse [role=status]")
    analyst.press(1)
    expect(words).to_have_text("Column 1 is full. Red is to move.")
    analyst.press("e")
    expect(analyst.column(1)).to_have_attribute("aria-disabled", "false")
    expect(analyst.column(2)).to_have_attribute("aria-disabled", "true")
    analyst.press(2)
    expect(words).to_have_text("Column 2 is empty. Red is to move.")
    analyst.press(1)
    analyst.sees_pieces(5)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r\r\n"])
def test_a_position_file_goes_round_unharmed(analyst: Person, tmp_path: Path, ends: str) -> None:
    load(analyst.page, "input2.txt", SAMPLE.replace("\n", ends).encode())
    (tmp_path / "input2.txt").write_text(SAMPLE)
    analyst.sees(read_board(tmp_path / "input2.txt"))
    with analyst.page.expect_download() as saving:
        analyst.button("Save").click()
    assert saving.value.suggested_filename == "position.txt"
    assert saving.value.path().read_bytes() == SAMPLE.encode()


def test_a_file_that_is_dragged_onto_the_board_is_loaded_in_any_panel(person: Person) -> None:
    person.open()
    dragged(person.page, "input2.txt", SAMPLE)
    person.sees_pieces(12)
    expect(person.page.get_by_role("tab", selected=True)).to_have_text("Analyse")


def test_files_that_are_no_positions_are_refused_with_the_reason(analyst: Person, visitor: Visitor) -> None:
    page = analyst.page
    load(page, "essay.txt", b"Dear diary")
    expect(note(page)).to_have_text("essay.txt, line 1: 'D' is not 0, 1 or 2")
    load(page, "float.txt", SAMPLE.replace("0200000", "0210000").encode())
    expect(note(page)).to_contain_text("float.txt, line 3")
    refused(visitor)
    load(page, "huge.txt", b"0" * 100_000)
    expect(note(page)).to_have_text("huge.txt: it is too large for a position file")
    dragged(page, "notes.txt", "0000000\n")
    expect(analyst.status).to_contain_text("notes.txt")
    refused(visitor)
    analyst.sees(Board())


def test_moves_files_and_links_can_be_pasted_anywhere(person: Person, visitor: Visitor) -> None:
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = person.page
    person.open()
    pasted(page, "4453\n")
    person.sees(board_from_moves("4453"))
    pasted(page, SAMPLE)
    person.sees_pieces(12)
    pasted(page, f"{person.address}/?game=classic&moves=1234")
    person.sees(board_from_moves("1234"))
    addressed(page, "game=classic&moves=1234")
    pasted(page, "4444444")
    expect(person.status).to_have_text("What was pasted: move 7 of '4444444': column 4 is full")
    refused(visitor)
    page.fill("#position-text", "")
    page.locator("#position-text").focus()
    person.press("Control+V")
    expect(page.locator("#position-text")).to_have_value("4444444")  # a field keeps what is pasted into it


def test_a_link_that_is_copied_opens_the_same_position(person: Person, visitor: Visitor) -> None:
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    person.open()
    person.tab("Analyse")
    load(person.page, "input2.txt", SAMPLE.encode())
    person.sees_pieces(12)
    person.drop(4)
    rows = person.sees_pieces(13)
    person.button("Copy link").click()
    expect(note(person.page)).to_have_text("The link is copied.")
    link = person.value("() => navigator.clipboard.readText()")
    assert link == f"{person.address}/?game=max&start={''.join(SAMPLE.split()[:6])}&moves=4"
    friend = Person(visitor.page(), person.address)
    friend.page.goto(link)
    assert friend.sees_pieces(13) == rows
    expect(friend.page.get_by_role("tab", selected=True)).to_have_text("Analyse")


def test_a_browser_that_forbids_copying_shows_the_link(person: Person) -> None:
    person.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    person.open(game="max", moves="4453")
    person.press("u")  # what is shown is what is shared
    person.button("Copy link").click()
    link = person.page.get_by_label("Link to the position")
    expect(link).to_have_value(f"{person.address}/?game=max&moves=445")
    expect(link).to_be_focused()


def test_the_address_follows_the_board_and_is_plain_in_play(person: Person) -> None:
    person.open(game="max", moves="4453")
    person.drop(3)
    addressed(person.page, "/?game=max&moves=44533")
    person.press("u", "u")
    addressed(person.page, "/?game=max&moves=445")
    person.tab("Play")
    assert person.page.url == f"{person.address}/"
    expect(person.status).to_contain_text("A new game.")
    person.choose()
    person.drop(2)
    person.sees(board_from_moves("2"))


def test_a_link_that_holds_no_position_says_why(person: Person, visitor: Visitor) -> None:
    person.open(game="max", moves="4444444")
    expect(person.status).to_have_text("The link holds no position: move 7 of '4444444': column 4 is full")
    person.sees(Board())
    refused(visitor)


def test_a_game_is_played_on_from_the_position(person: Person) -> None:
    person.open(game="max", moves="4453")
    person.page.locator("#play-as").select_option("green")
    person.button("Play from here").click()
    board = board_from_moves("4453")
    person.sees_answer(board)  # red's
    expect(person.page.get_by_role("tab", selected=True)).to_have_text("Play")
    column = board.columns()[0]
    person.drop(column)
    board.drop(column)
    person.sees_answer(board)


def test_the_classic_game_says_who_wins_and_how_deep_it_looked(analyst: Person, visitor: Visitor) -> None:
    page = analyst.page
    page.locator("input[name=analysed][value=classic]").check()
    addressed(page, "/?game=classic")
    page.fill("#position-text", "44556")
    analyst.press("Enter")
    analyst.sees_pieces(5)
    page.locator("h1").click()
    analyst.press(1)
    analyst.sees(board_from_moves("445561", "classic"))
    expect(verdict(page)).to_contain_text("Red wins in 1 move. Best: column 3 or 7. Looked")
    assert analyst.value(BEST) == [3, 7]
    analyst.press(3)
    expect(analyst.status).to_contain_text("Red wins with four.")
    expect(analyst.button("Play from here")).to_be_disabled()
    expect(page.locator(".worth")).to_be_hidden()
    page.locator("input[name=analysed][value=max]").check()  # the same pieces, and the game goes on
    expect(verdict(page)).to_contain_text("With perfect play")
    analyst.press(1)
    expect(analyst.status).to_contain_text("Green drops in column 1")
    page.locator("input[name=analysed][value=classic]").click()
    expect(note(page)).to_contain_text("Move 8")
    expect(page.locator("input[name=analysed][value=max]")).to_be_checked()
    refused(visitor)


def test_what_the_columns_are_worth_fits_under_them_on_a_phone(person: Person) -> None:
    person.page.set_viewport_size({"width": 360, "height": 740})
    person.open(game="classic", moves="445561")
    expect(person.page.locator(".strip .best span")).to_have_text(["win in 1", "win in 1"])
    assert person.value("() => [...document.querySelectorAll('.strip > *')].every((each) => each.scrollWidth <= 49)")


def test_a_move_of_the_best_line_is_played_in_sight_on_a_phone(person: Person) -> None:
    person.page.set_viewport_size({"width": 360, "height": 640})
    person.open(moves="4453")
    step = person.page.get_by_role("toolbar", name="Best line").get_by_role("button").nth(1)
    step.evaluate("(step) => step.scrollIntoView({ block: 'start' })")
    expect(person.page.locator("#board")).not_to_be_in_viewport()
    step.click()
    person.sees_pieces(6)
    expect(person.page.locator("#board")).to_be_in_viewport(ratio=0.9)


def test_letters_twice_as_large_stay_inside_their_buttons(person: Person) -> None:
    person.open(moves="4453")
    person.value("document.documentElement.style.fontSize = '32px'")
    for name in ("First", "Back", "Forward", "Last", "Set up"):
        assert person.button(name).evaluate("(button) => button.scrollWidth <= button.clientWidth"), name
