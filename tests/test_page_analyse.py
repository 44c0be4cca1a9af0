"""Analysing on the page, in a real browser."""

from __future__ import annotations

import re

import pytest
from analyst import addressed, note, step, verdict
from at_the_board import Person, signed
from browser import Visitor
from playwright.sync_api import expect
from positions import exact_positions

from maxconnect4 import Board, board_from_moves

CLASSIC = "345172625527175777"  # red wins the classic game with piece 37
# Those columns that are marked as best.
BEST = "() => [...document.querySelectorAll('.strip .best b')].map((each) => Number(each.textContent))"
# Everything that the panel says of how far it is.
LISTEN = """() => {
    const facts = document.querySelector('.verdict .hint');
    window.heard = [];
    new MutationObserver(() => window.heard.push(facts.textContent)).observe(facts, { childList: true });
}"""


@pytest.mark.parametrize(("every", "least"), [(70, 3), pytest.param(9, 20, marks=pytest.mark.long)])
def test_the_margins_under_the_columns_are_the_exact_ones(analyst: Person, every: int, least: int) -> None:
    page = analyst.page
    chosen = [each for each in exact_positions() if len(each[0]) >= 16][::every]
    assert len(chosen) >= least
    for moves, value, scores in chosen:
        page.fill("#position-text", moves)
        analyst.press("Enter")
        margins = ["" if score is None else signed(score) for score in scores]
        expect(page.locator(".strip span")).to_have_text(margins)
        expect(page.locator(".worth b")).to_have_text(signed(value))
        expect(verdict(page)).to_contain_text("With perfect play")
        assert analyst.value(BEST) == [column for column, score in enumerate(scores, start=1) if score == value]


def test_the_bounds_close_in_before_your_eyes(analyst: Person) -> None:
    person = analyst
    person.value(LISTEN)
    person.page.fill("#position-text", "221411222673")
    person.press("Enter")
    person.sees(board_from_moves("221411222673"))
    expect(verdict(person.page)).to_contain_text("With perfect play green wins by 1.", timeout=60_000)
    heard = person.value("() => window.heard")
    assert any("of 7 columns settled" in words and "nodes in" in words for words in heard)
    assert heard[-1].startswith("Searched")


def test_margins_from_the_book_stay_on_while_playing_only_if_that_is_wanted(analyst: Person) -> None:
    page, switch = analyst.page, analyst.page.get_by_role("switch")
    expect(verdict(page)).to_contain_text("With perfect play the game is a draw.")
    expect(page.locator(".verdict")).to_contain_text("From the opening book.")
    analyst.tab("Play")
    expect(page.locator(".strip span")).to_have_text([""] * 7)
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


def test_a_finished_game_waits_for_nothing_and_another_one_is_played_on(person: Person) -> None:
    page = person.page
    person.open(game="classic", moves="1212121")
    expect(verdict(page)).to_have_text("Red wins with four.")
    for part in (".worth", ".verdict progress", ".line"):
        expect(page.locator("#panel-analyse").locator(part)).to_be_hidden()
    expect(person.button("Try again")).to_be_hidden()
    for moves, words in (("12131475", "Green wins with four."), (CLASSIC, "With perfect play red wins")):
        page.fill("#position-text", f"{person.address}/?game=classic&moves={moves}")
        person.press("Enter")
        expect(verdict(page)).to_contain_text(words)
    page.locator("#play-as").select_option("green")
    person.button("Play from here").click()
    board = board_from_moves(CLASSIC, "classic")
    person.sees_answer(board)  # red's
    expect(page.get_by_role("tab", selected=True)).to_have_text("Play")
    column = board.columns()[0]
    person.drop(column)
    board.drop(column)
    person.sees_answer(board)


def test_the_classic_game_says_who_wins_and_when(analyst: Person, visitor: Visitor) -> None:
    page = analyst.page
    page.locator("input[name=analysed][value=classic]").check()
    addressed(page, "/?game=classic")
    page.fill("#position-text", CLASSIC)
    analyst.press("Enter")
    analyst.sees(board_from_moves(CLASSIC, "classic"))
    expect(verdict(page)).to_contain_text("With perfect play red wins with its 10th move from now. Best: column 6.")
    expect(page.locator(".strip span")).to_have_text([*["win in 11"] * 3, "draw", "win in 12", "win in 10", ""])
    expect(analyst.column(4)).to_have_attribute("aria-label", re.compile(", draw$"))
    assert analyst.value(BEST) == [6]
    expect(page.locator(".worth b")).to_have_text("win in 10")
    step(page, 19).click()  # the line is played to its end
    analyst.sees_pieces(37)
    expect(analyst.status).to_contain_text("Red wins with four.")
    expect(analyst.button("Play from here")).to_be_disabled()
    expect(page.locator(".worth")).to_be_hidden()
    page.locator("input[name=analysed][value=max]").check()  # the same pieces, and the game goes on
    expect(verdict(page)).to_contain_text("With perfect play")
    page.locator("h1").click()
    analyst.press(6)
    expect(analyst.status).to_contain_text("Green drops in column 6")
    page.locator("input[name=analysed][value=classic]").click()
    expect(note(page)).to_contain_text("Move 38")
    expect(page.locator("input[name=analysed][value=max]")).to_be_checked()
    visitor.forgive("400 (Bad Request)")


def test_on_a_phone_words_fit_their_places_and_the_best_line_is_played_in_sight(person: Person) -> None:
    page = person.page
    page.set_viewport_size({"width": 360, "height": 640})
    person.open(game="classic", moves=CLASSIC + "6")
    expect(page.locator(".strip .best span").first).to_have_text("loss in 9")
    assert person.value("() => [...document.querySelectorAll('.strip > *')].every((each) => each.scrollWidth <= 49)")
    second = page.get_by_role("toolbar", name="Best line").get_by_role("button").nth(1)
    second.evaluate("(step) => step.scrollIntoView({ block: 'start' })")
    expect(page.locator("#board")).not_to_be_in_viewport()
    second.click()
    person.sees_pieces(21)
    expect(page.locator("#board")).to_be_in_viewport(ratio=0.9)
    page.set_viewport_size({"width": 1280, "height": 900})
    person.value("document.documentElement.style.fontSize = '32px'")
    for name in ("First", "Back", "Forward", "Last", "Set up"):
        assert person.button(name).evaluate("(button) => button.scrollWidth <= button.clientWidth"), name
