"""The Analyse panel in a real browser."""

from __future__ import annotations

import re

import pytest
from axe import violations
from browser import Visitor
from page_user import PageUser, best_line_move, expect_address, explanation, import_note, signed
from playwright.sync_api import expect
from positions import exact_positions

from maxconnect4 import Board, Solver, board_from_moves
from maxconnect4.reasons import find_reason, points_along

CLASSIC = "345172625527175777"  # red wins the classic game with piece 37
# The columns that are marked as best.
BEST = "() => [...document.querySelectorAll('.column-values .best b')].map((each) => Number(each.textContent))"
# Every text of the progress.
LISTEN = """() => {
    const facts = document.querySelector('.analysis-summary .hint');
    window.heard = [];
    new MutationObserver(() => window.heard.push(facts.textContent)).observe(facts, { childList: true });
}"""


@pytest.mark.parametrize(("every", "least"), [(70, 3), pytest.param(9, 20, marks=pytest.mark.long)])
def test_the_values_of_the_columns_are_exact(analyst: PageUser, every: int, least: int) -> None:
    page = analyst.page
    chosen = [each for each in exact_positions() if len(each[0]) >= 16][::every]
    assert len(chosen) >= least
    for moves, value, scores in chosen:
        page.fill("#position-text", moves)
        analyst.press("Enter")
        margins = ["" if score is None else signed(score) for score in scores]
        expect(page.locator(".column-values span")).to_have_text(margins)
        expect(page.locator(".position-value b")).to_have_text(signed(value))
        expect(explanation(page)).to_contain_text("With perfect play")
        assert analyst.value(BEST) == [column for column, score in enumerate(scores, start=1) if score == value]


def test_the_progress_of_the_analysis_is_shown(analyst: PageUser) -> None:
    person = analyst
    person.value(LISTEN)
    person.page.fill("#position-text", "221411222673")
    person.press("Enter")
    person.sees(board_from_moves("221411222673"))
    expect(explanation(person.page)).to_contain_text("With perfect play green wins by 1.", timeout=60_000)
    heard = person.value("() => window.heard")
    assert any("of 7 columns" in words and "nodes in" in words for words in heard)
    assert heard[-1].startswith("Searched")


def test_values_from_the_book_are_shown_in_play_if_switched_on(analyst: PageUser) -> None:
    page, switch = analyst.page, analyst.page.get_by_role("switch")
    expect(explanation(page)).to_contain_text("With perfect play the game is a draw.")
    expect(page.locator(".analysis-summary")).to_contain_text("From the opening book.")
    analyst.tab("Play")
    expect(page.locator(".column-values span")).to_have_text([""] * 7)
    analyst.tab("Analyse")
    switch.check()
    analyst.tab("Play")
    analyst.choose()
    expect(page.locator(".column-values .best")).not_to_have_count(0)
    analyst.drop(1)
    expect(page.locator(".column-values .best.win")).not_to_have_count(0)  # green's
    expect(page.locator(".column-values .best.draw")).to_have_count(0)
    page.reload()
    expect(page.locator(".column-values .best")).not_to_have_count(0)


def test_the_best_line_is_previewed_and_played(person: PageUser) -> None:
    page, moves = person.page, "144563327435476762"
    person.open(game="max", moves=moves)
    expect(best_line_move(page, 24)).to_be_visible()  # to the very end
    line = "".join(best_line_move(page, length).inner_text().strip() for length in range(1, 25))
    previewed = page.locator(".preview-piece")
    best_line_move(page, 3).hover()
    expect(previewed).to_have_count(3)
    assert previewed.locator("text").all_text_contents() == ["1", "2", "3"]
    fill = "(disc) => getComputedStyle(disc).fill"  # of a piece that is only previewed: the hole shows through
    pieces = page.locator("#board svg > g:not(.preview) .red .disc")
    assert previewed.first.locator(".disc").evaluate(fill) != pieces.first.evaluate(fill)
    page.locator("h1").hover()
    expect(previewed).to_have_count(0)
    best_line_move(page, 1).focus()
    person.press("ArrowRight")
    expect(previewed).to_have_count(2)
    person.press("Enter")
    person.sees(board_from_moves(moves + line[:2]))
    expect_address(page, moves + line[:2])
    expect(best_line_move(page, 1)).to_be_focused()  # the line goes on where the keyboard was
    expect(page.locator(".move-buttons button")).to_have_count(22)
    best_line_move(page, 22).click()
    finished = board_from_moves(moves + line)
    person.sees(finished)
    assert finished.is_over()
    expect(explanation(page)).to_contain_text("The board is full: red wins, ")


def test_a_reason_is_drawn_and_the_line_marks_its_points(person: PageUser) -> None:
    page, moves = person.page, "45332276135451355"
    board, solver = board_from_moves(moves), Solver()
    analysis = solver.analyse(board)
    assert analysis.line is not None
    assert analysis.best is not None
    person.open(game="max", moves=moves)
    expect(best_line_move(page, len(analysis.line))).to_be_visible()
    points = [best_line_move(page, length).get_attribute("data-points") for length in range(1, 26)]
    assert [int(each or 0) for each in points] == points_along(board, analysis.line)
    mistake = find_reason(board, 2, analysis.best, solver)
    assert mistake is not None
    entry = page.locator(".reasons button", has=page.get_by_text("2", exact=True)).first
    expect(entry).to_have_attribute("data-kind", mistake.kind)
    entry.hover()
    expect(page.locator(".preview-piece")).to_have_count(len(mistake.line))
    expect(page.locator(".reason-marks .reason.red circle")).to_have_count(4)
    expect(page.locator(".reason-marks .completing")).to_have_count(1)
    page.locator("h1").hover()
    expect(page.locator(".reason-marks circle")).to_have_count(0)
    expect(page.locator("#panel-analyse .verdict")).to_contain_text("Red plays column 5.")
    assert violations(page) == []


def test_moves_are_made_and_undone_by_clicks_and_keys(analyst: PageUser) -> None:
    page = analyst.page
    for column in (4, 4, 5):
        analyst.drop(column)
        expect(analyst.status).to_contain_text(f"plays column {column}")
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


def test_a_finished_game_needs_no_analysis_and_another_game_is_played_from_there(person: PageUser) -> None:
    page = person.page
    person.open(game="classic", moves="1212121")
    expect(explanation(page)).to_have_text("Red has four in a row and wins.")
    for part in (".position-value", ".analysis-summary progress", ".move-buttons"):
        expect(page.locator("#panel-analyse").locator(part)).to_be_hidden()
    expect(person.button("Try again")).to_be_hidden()
    for moves, words in (("12131475", "Green has four in a row and wins."), (CLASSIC, "With perfect play red wins")):
        page.fill("#position-text", f"{person.address}/?game=classic&moves={moves}")
        person.press("Enter")
        expect(explanation(page)).to_contain_text(words)
    page.locator("#play-as").select_option("green")
    person.button("Play from here").click()
    board = board_from_moves(CLASSIC, "classic")
    person.sees_answer(board)  # red's
    expect(page.get_by_role("tab", selected=True)).to_have_text("Play")
    column = board.columns()[0]
    person.drop(column)
    board.drop(column)
    person.sees_answer(board)


def test_the_classic_game_shows_who_wins_and_when(analyst: PageUser, visitor: Visitor) -> None:
    page = analyst.page
    page.locator("input[name=analysed][value=classic]").check()
    expect_address(page, "/analyse?game=classic")
    page.fill("#position-text", CLASSIC)
    analyst.press("Enter")
    analyst.sees(board_from_moves(CLASSIC, "classic"))
    expect(explanation(page)).to_contain_text("With perfect play red wins in 10 moves. Best: column 6.")
    expect(page.locator(".column-values span")).to_have_text([*["win in 11"] * 3, "draw", "win in 12", "win in 10", ""])
    expect(analyst.column(4)).to_have_attribute("aria-label", re.compile(", draw$"))
    assert analyst.value(BEST) == [6]
    expect(page.locator(".position-value b")).to_have_text("win in 10")
    best_line_move(page, 19).click()  # the line is played to its end
    analyst.sees_pieces(37)
    expect(analyst.status).to_contain_text("Red has four in a row and wins.")
    expect(analyst.button("Play from here")).to_be_disabled()
    expect(page.locator(".position-value")).to_be_hidden()
    page.locator("input[name=analysed][value=max]").check()  # the same pieces, and the game goes on
    expect(explanation(page)).to_contain_text("With perfect play")
    page.locator("h1").click()
    analyst.press(6)
    expect(analyst.status).to_contain_text("Green plays column 6")
    page.locator("input[name=analysed][value=classic]").click()
    expect(import_note(page)).to_contain_text("Move 38")
    expect(page.locator("input[name=analysed][value=max]")).to_be_checked()
    visitor.forgive("400 (Bad Request)")


def test_on_a_phone_values_fit_and_the_board_is_visible_when_the_best_line_is_played(person: PageUser) -> None:
    page = person.page
    page.set_viewport_size({"width": 360, "height": 640})
    person.open(game="classic", moves=CLASSIC + "6")
    expect(page.locator(".column-values .best span").first).to_have_text("loss in 9")
    assert person.value(
        "[...document.querySelectorAll('.column-values > *')].every((each) => each.scrollWidth <= each.clientWidth)"
    )
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
