"""The Review panel in a real browser."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from axe import violations
from browser import Visitor
from page_user import GAME, PageUser, Reviewer, signed
from play_server import PlayServer
from playwright.sync_api import Browser, expect
from positions import digits

from maxconnect4 import board_from_moves
from maxconnect4.review import Review, review
from maxconnect4.solver import Solver

BETTER = 18  # a mistake where only one column was best
BEGUN, END = 30, 36  # where a part of the game begins and ends that is soon reviewed
QUICK = (2, 6, 2)  # columns that are open there, and not what was played


@pytest.fixture(scope="module")
def reviewed() -> Review:
    return review(GAME)


def test_the_list_of_moves_agrees_with_the_library(reviewer: Reviewer, reviewed: Review) -> None:
    reviewer.open_game()
    expect(reviewer.moves).to_have_count(43)
    for move, entry in zip(reviewed.moves, reviewer.moves.all()[1:], strict=True):
        words = entry.locator(".visually-hidden").inner_text()
        assert words.startswith(f"Move {move.number}: {('Red', 'Green')[move.player - 1]} plays column {move.column}")
        assert (f"Regret: {move.regret} point" in words) == (move.regret > 0)
        assert ("only legal move" in words) == move.forced
        shown = entry.locator("[aria-hidden=true]").first.inner_text().split()
        assert shown[:2] == [str(move.number), str(move.column)]
        assert [part[1:] for part in shown if part[0] in "▼▲"] == [str(move.regret)] * bool(move.regret)
    for player, summary in zip((1, 2), reviewer.panel.locator(".summaries > div").all(), strict=True):
        found = reviewed.summary(player)
        assert found.worst is not None
        expect(summary).to_contain_text(f"{found.perfect} of {found.moves - found.forced} moves")
        expect(summary).to_contain_text(
            f"made {found.mistakes} mistakes in {found.moves} moves, with a regret of {found.regret} points"
        )
        summary.get_by_role("button", name=f"Worst: move {found.worst.number}").click()
        reviewer.sees(GAME[: found.worst.number])


def test_the_plot_agrees_with_the_library(reviewer: Reviewer, reviewed: Review) -> None:
    reviewer.open_game()
    graph = reviewer.panel.locator(".review-plot")
    for name, margins in (("value-curve", reviewed.values()), ("margin-curve", reviewed.margins)):
        path = graph.locator(f"path.{name}").get_attribute("d") or ""
        heights = [float(height) for height in re.findall(r"(?:M[\d.]+ |V)([\d.]+)", path)]
        ticks = dict(zip(graph.locator(".tick").all_text_contents(), graph.locator(".gridline").all(), strict=True))
        zero, two = (float(ticks[tick].get_attribute("y1") or 0) for tick in ("0", "+2"))
        assert [round((zero - height) / (zero - two) * 2, 6) for height in heights] == margins, name
    mistakes = [move for move in reviewed.moves if move.regret]
    assert graph.locator(".mistake text").all_text_contents() == [str(move.regret) for move in mistakes]
    colours = ["red" if move.player == 1 else "green" for move in mistakes]
    assert [(each.get_attribute("class") or "").split()[1] for each in graph.locator(".mistake").all()] == colours
    expect(graph).to_have_attribute("role", "img")
    expect(graph).to_have_attribute("aria-label", re.compile(f"{len(mistakes)} mistakes"))


@pytest.mark.long
def test_a_game_is_stepped_through_with_keys_buttons_and_the_slider(reviewer: Reviewer) -> None:
    reviewer.open_game()
    slider = reviewer.panel.get_by_role("slider")
    reviewer.sees(GAME)
    for key, at in (
        ("ArrowLeft", 41),
        ("ArrowLeft", 40),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("ArrowRight", 1),
        ("End", 42),
    ):
        reviewer.person.press(key)
        reviewer.sees(GAME[:at])
        expect(slider).to_have_value(str(at))
        expect(reviewer.moves.nth(at).get_by_role("button")).to_have_attribute("aria-current", "true")
        expect(reviewer.panel.locator("[aria-current=true]")).to_have_count(1)
    expect(reviewer.status).to_contain_text("The board is full: red wins, 10 to 4.")
    for name, at in (("First (Home)", 0), ("Forward (→)", 1), ("Last (End)", 42), ("Back (←)", 41)):
        reviewer.button(name).click()
        reviewer.sees(GAME[:at])
    slider.fill("7")
    reviewer.sees(GAME[:7])
    expect(reviewer.status).to_contain_text("Move 7: Red plays column 4")
    reviewer.moves.nth(20).get_by_role("button").click()
    reviewer.sees(GAME[:20])
    reviewer.person.press("ArrowDown", "ArrowLeft")  # in the list: to the row below, and one back
    reviewer.sees(GAME[:21])
    expect(reviewer.moves.nth(21).get_by_role("button")).to_be_focused()


@pytest.mark.long
def test_the_plot_selects_moves(reviewer: Reviewer) -> None:
    reviewer.open_game()
    graph = reviewer.panel.locator(".review-plot")
    cursor = graph.locator(".cursor line")
    box = graph.bounding_box()
    assert box is not None
    reviewer.person.press("Home")
    first = float(cursor.get_attribute("x1") or 0)
    reviewer.person.press("End")
    last = float(cursor.get_attribute("x1") or 0)
    for at in (10, 25):
        x = first + (last - first) * at / 42
        graph.click(position={"x": x, "y": 90})
        reviewer.sees(GAME[:at])
        assert float(cursor.get_attribute("x1") or 0) == pytest.approx(x, abs=0.1)
    reviewer.page.mouse.move(box["x"] + last, box["y"] + 60)
    reviewer.page.mouse.down()
    reviewer.page.mouse.move(box["x"] + first, box["y"] + 90, steps=5)
    reviewer.page.mouse.move(box["x"] - 60, box["y"] + 90)
    reviewer.sees("")
    reviewer.page.mouse.up()
    reviewer.page.mouse.move(box["x"] + last, box["y"] + 60)
    reviewer.sees("")


def test_the_better_move_is_shown_on_the_board(reviewer: Reviewer, reviewed: Review) -> None:
    reviewer.open_game()
    move = reviewed.moves[BETTER - 1]
    assert move.regret
    assert len(move.best) == 1
    reviewer.moves.nth(BETTER).get_by_role("button").click()
    expect(reviewer.status).to_contain_text(f"Regret: {move.regret} point")
    expect(reviewer.status).to_contain_text(f"Column {move.best[0]} ")
    reviewer.button("Show me the better move").click()
    reviewer.sees(GAME[: BETTER - 1])
    previewed = reviewer.page.locator("#board .preview-piece")
    expect(previewed).to_have_count(8)
    solved = Solver().analyse(board_from_moves(GAME[: BETTER - 1]))
    assert solved.scores is not None
    expected = ["" if score is None else signed(score) for score in solved.scores]
    assert reviewer.page.locator("#board .column-values span").all_text_contents() == expected
    expect(reviewer.status).to_contain_text(f"Best: column {move.best[0]}.")
    reviewer.button("Back to the game").click()
    reviewer.sees(GAME[:BETTER])
    expect(previewed).to_have_count(0)
    assert not any(reviewer.page.locator("#board .column-values span").all_text_contents())
    reviewer.person.press("ArrowLeft")
    expect(reviewer.button("Show me the better move")).to_be_visible()


def test_the_reason_of_a_mistake_is_drawn_and_a_branch_has_verdicts(reviewer: Reviewer) -> None:
    reasons = review(GAME, after=24, reasons=True).moves
    mistake = next(move for move in reasons if move.reason and move.reason.kind == "ignores")
    assert mistake.reason is not None
    marks = reviewer.page.locator("#board .reason-marks")
    reviewer.open_game()
    reviewer.moves.nth(mistake.number).get_by_role("button").click()
    expect(marks.locator(".reason circle")).to_have_count(4)
    expect(marks.locator(".reply, .better")).to_have_count(1)
    expect(reviewer.status).to_contain_text(f"Column {mistake.column} does not stop")
    reviewer.button("Show what follows").click()
    expect(reviewer.page.locator("#board .preview-piece")).to_have_count(1)
    reviewer.button("Show what follows").click()
    expect(reviewer.page.locator("#board .preview-piece")).to_have_count(0)
    reviewer.moves.nth(mistake.number - 1).get_by_role("button").click()
    assert mistake.column != mistake.reason.reply
    open_columns = board_from_moves(GAME[: mistake.number - 1]).columns()
    reviewer.person.drop(next(each for each in open_columns if each not in (*mistake.best, mistake.column)))
    expect(reviewer.branch).to_contain_text("Regret: ")
    expect(reviewer.branch.locator(".mistake-mark")).to_have_count(1)
    expect(marks.locator(".reason")).to_have_count(1)
    assert violations(reviewer.page) == []


@pytest.mark.long
def test_buttons_go_from_mistake_to_mistake(reviewer: Reviewer, reviewed: Review) -> None:
    reviewer.open_game()
    mistakes = [move.number for move in reviewed.moves if move.regret][-4:]
    reviewer.moves.nth(mistakes[0] - 1).get_by_role("button").click()
    for at in mistakes:
        reviewer.button("Next mistake").click()
        expect(reviewer.status).to_contain_text(f"Move {at}:")
    expect(reviewer.button("Next mistake")).to_have_attribute("aria-disabled", "true")
    reviewer.button("Previous mistake").click()
    reviewer.sees(GAME[: mistakes[-2]])
    reviewer.person.press("Home")
    expect(reviewer.button("Previous mistake")).to_have_attribute("aria-disabled", "true")


def test_a_branch_leaves_the_game_and_returns(reviewer: Reviewer) -> None:
    reviewer.open_game()
    reviewer.moves.nth(12).get_by_role("button").click()
    reviewer.person.drop(int(GAME[12]))  # what was played: a step along the game
    reviewer.sees(GAME[:13])
    expect(reviewer.branch).to_be_hidden()
    for column in (2, 5):
        reviewer.person.drop(column)
    reviewer.sees(GAME[:13] + "25")
    expect(reviewer.branch).to_contain_text("You have left the game after move 13.")
    reviewer.person.press("ArrowLeft")  # the mouse was on the board, and arrows step all the same
    reviewer.sees(GAME[:13] + "2")
    expect(reviewer.moves.nth(13).get_by_role("button")).to_have_attribute("aria-current", "true")
    reviewer.person.press("End")
    reviewer.sees(GAME[:13] + "25")
    reviewer.person.press("Escape")
    reviewer.sees(GAME[:13])
    expect(reviewer.branch).to_be_hidden()
    reviewer.person.press(7, 7)
    reviewer.sees(GAME[:13] + "77")
    reviewer.button("Back to the game").click()
    reviewer.person.press("ArrowRight")
    reviewer.sees(GAME[:14])
    reviewer.person.press(1)  # off the game, back, and on with what was played
    reviewer.sees(GAME[:14] + "1")
    reviewer.person.press("ArrowLeft", GAME[14])
    reviewer.sees(GAME[:15])
    expect(reviewer.branch).to_be_hidden()
    reviewer.person.press("ArrowRight")
    reviewer.sees(GAME[:16])
    reviewer.person.press("End", "Home", 4)
    expect(reviewer.branch).to_contain_text("left the game at the start")
    reviewer.moves.nth(30).get_by_role("button").click()
    reviewer.sees(GAME[:30])
    expect(reviewer.branch).to_be_hidden()


@pytest.fixture
def late() -> dict[str, str]:
    """The end of the game, which is soon reviewed: from a position that was set up."""
    return {"moves": GAME[BEGUN:END], "start": digits(board_from_moves(GAME[:BEGUN]))}


def test_a_game_is_stepped_through_by_keys_buttons_slider_list_and_plot(
    reviewer: Reviewer, reviewed: Review, late: dict[str, str]
) -> None:
    person, panel = reviewer.person, reviewer.panel
    reviewer.open_game(**late)
    slider, last = panel.get_by_role("slider"), END - BEGUN
    assert reviewer.moves.locator("i").all_text_contents() == [str(number + 1) for number in range(BEGUN, END)]
    for key, at in (("ArrowLeft", last - 1), ("Home", 0), ("ArrowLeft", 0), ("ArrowRight", 1), ("End", last)):
        person.press(key)
        reviewer.sees(GAME[: BEGUN + at])
        expect(slider).to_have_value(str(at))
        expect(reviewer.moves.nth(at).get_by_role("button")).to_have_attribute("aria-current", "true")
        expect(panel.locator("[aria-current=true]")).to_have_count(1)
    for name, at in (("First (Home)", 0), ("Forward (→)", 1), ("Last (End)", last), ("Back (←)", last - 1)):
        reviewer.button(name).click()
        reviewer.sees(GAME[: BEGUN + at])
    slider.fill("3")
    reviewer.sees(GAME[: BEGUN + 3])
    expect(reviewer.status).to_contain_text(f"Move {BEGUN + 3}: Red plays column {GAME[BEGUN + 2]}")
    reviewer.moves.nth(4).get_by_role("button").click()
    person.press("ArrowDown", "ArrowLeft")  # in the list: to the row below, and one back
    reviewer.sees(GAME[: BEGUN + 5])
    expect(reviewer.moves.nth(5).get_by_role("button")).to_be_focused()
    mistakes = [move for move in reviewed.moves[BEGUN:END] if move.regret]
    assert len(mistakes) > 1
    reviewer.button("First (Home)").click()
    expect(reviewer.button("Previous mistake")).to_have_attribute("aria-disabled", "true")
    for move in mistakes:
        reviewer.button("Next mistake").click()
        expect(reviewer.status).to_contain_text(f"Move {move.number}:")
    expect(reviewer.button("Next mistake")).to_have_attribute("aria-disabled", "true")
    reviewer.button("Previous mistake").click()
    reviewer.sees(GAME[: mistakes[-2].number])
    graph = panel.locator(".review-plot")
    cursor, box = graph.locator(".cursor line"), graph.bounding_box()
    assert box is not None
    ends = []
    for key in ("Home", "End"):
        person.press(key)
        ends.append(float(cursor.get_attribute("x1") or 0))
    graph.click(position={"x": ends[0] + (ends[1] - ends[0]) * 2 / last, "y": 90})
    reviewer.sees(GAME[: BEGUN + 2])
    reviewer.page.mouse.down()
    reviewer.page.mouse.move(box["x"] - 60, box["y"] + 90)
    reviewer.sees(GAME[:BEGUN])
    reviewer.page.mouse.up()
    reviewer.page.mouse.move(box["x"] + ends[1], box["y"] + 60)
    reviewer.sees(GAME[:BEGUN])
    press = "key => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))"
    drops = [str(column) for column in QUICK]
    person.value(f"{drops}.forEach({press})")  # before the server can answer any of them
    reviewer.sees(GAME[:BEGUN] + "".join(drops))


def test_a_review_works_on_a_phone(
    on_a_phone: PageUser, server: PlayServer, reviewed: Review, late: dict[str, str]
) -> None:
    reviewer = Reviewer(on_a_phone, server)
    reviewer.open_game(**late)
    reviewer.moves.nth(0).get_by_role("button").tap()
    for count, column in enumerate(QUICK[:2], start=1):
        reviewer.person.column(column).tap()
        expect(reviewer.branch.locator(".move-buttons button")).to_have_count(count)
    assert violations(reviewer.page) == []
    assert reviewer.person.value("document.documentElement.scrollWidth") == 360
    worst = max(reviewed.moves[BEGUN:END:2], key=lambda move: move.regret).number
    reviewer.button(f"Worst: move {worst}").tap()
    expect(reviewer.status).to_contain_text(f"Move {worst}: Red")
    expect(reviewer.page.locator("#board")).to_be_in_viewport(ratio=0.99)
    reviewer.button("Show me the better move").tap()
    expect(reviewer.page.locator("#board .preview-piece").first).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_review_is_accessible_on_a_phone(
    chromium: Browser, server: PlayServer, scheme: Literal["light", "dark"]
) -> None:
    phone = Visitor(chromium, viewport={"width": 360, "height": 740}, color_scheme=scheme, has_touch=True)
    reviewer = Reviewer(PageUser(phone.page(), server), server)
    reviewer.open_game()
    reviewer.moves.nth(12).get_by_role("button").tap()
    for column in (5, 2):
        reviewer.person.column(column).tap()
        expect(reviewer.branch.locator(".move-buttons button")).to_have_count(1 if column == 5 else 2)
    assert violations(reviewer.page) == []
    assert reviewer.person.value("document.documentElement.scrollWidth") == 360
    reviewer.button("Worst: move 19").tap()
    expect(reviewer.page.locator("#board")).to_be_in_viewport(ratio=0.99)
    reviewer.button("Show me the better move").tap()
    expect(reviewer.page.locator("#board .preview-piece")).to_have_count(8)
    assert violations(reviewer.page) == []
    phone.leave()
