"""The stored games in the Review panel: open, continue, delete and export them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from browser import Visitor
from page_user import GAME, Reviewer
from playwright.sync_api import expect
from positions import digits

from maxconnect4 import Board, board_from_moves
from maxconnect4.position_file import board_as_text


def test_the_game_of_play_is_reviewed(reviewer: Reviewer) -> None:
    person = reviewer.person
    person.open()
    person.choose()
    for number in (1, 2, 3):
        person.drop(4)
        person.sees_pieces(number)
        person.tab("Review")
        reviewer.wait_for_review()
        expect(reviewer.moves).to_have_count(number + 1)
        reviewer.sees("4" * number)
        person.press("Home")
        reviewer.sees("")
        person.tab("Play")
        reviewer.sees("4" * number)
    person.tab("Review")  # nothing has been played since: it is as it was left
    reviewer.sees("")


def test_other_games_are_reviewed_and_stored_before_they_are_exported(
    reviewer: Reviewer, visitor: Visitor, tmp_path: Path
) -> None:
    reviewer.person.open(moves="4453")
    reviewer.person.tab("Review")
    reviewer.button("Review the game from Analyse").click()
    expect(reviewer.moves).to_have_count(5)
    game = json.loads(saved(reviewer, "JSON", tmp_path))
    assert game["position"]["moves"] == "4453"
    assert reviewer.server.ask(f"/games/{game['id']}")["players"] == ["person", "person"]
    expect(reviewer.button("Save this game")).to_have_count(0)
    reviewer.button("All games").click()
    field = reviewer.panel.get_by_label("Enter the moves of a game")
    field.fill("12344321")
    field.press("Enter")
    expect(reviewer.moves).to_have_count(9)
    reviewer.sees("12344321")
    reviewer.button("All games").click()
    field.fill("abc")
    field.press("Enter")
    expect(reviewer.status).to_contain_text("'abc' is not a move string: it must be columns from 1 to 7")
    field.fill("4444444")
    field.press("Enter")
    expect(reviewer.status).to_have_class("error")
    expect(reviewer.status).to_contain_text("column 4 is full")
    visitor.forgive("400 (Bad Request)")


def test_games_are_listed_in_pages_deleted_after_confirmation_and_continued(reviewer: Reviewer) -> None:
    for _ in range(19):
        reviewer.store("4")
    staying, going = reviewer.store("4453", players=["person", "person"]), reviewer.store("12")
    reviewer.store(GAME, players=["level:2", "level:2"])
    reviewer.person.open()
    reviewer.person.tab("Review")
    expect(reviewer.games).to_have_count(20)
    reviewer.button("More games").click()
    expect(reviewer.games.nth(21)).to_be_visible()
    names = reviewer.page.evaluate(
        "() => [...document.querySelectorAll('.game-list > li > p:first-child')].map(({ id }) => id)"
    )
    assert len(set(names)) == len(names) == reviewer.games.count()
    over, entry = reviewer.games.nth(0), reviewer.games.nth(1)
    level = reviewer.server.ask("/")["levels"]["max"][1]["name"]
    expect(over).to_contain_text(f"Red: {level}, green: {level}, just now")
    expect(over).to_contain_text("The board is full: red wins, 10 to 4.")
    expect(over.get_by_role("button", name="Continue")).to_have_count(0)
    entry.get_by_role("button", name="Delete").click()
    expect(entry).to_contain_text("Delete this game")
    entry.get_by_role("button", name="Cancel").click()
    assert reviewer.server.ask(f"/games/{going}")["id"] == going
    entry.get_by_role("button", name="Delete").click()
    entry.get_by_role("button", name="Delete game").click()
    expect(reviewer.status).to_contain_text("deleted")
    kept = [game["id"] for game in reviewer.server.ask("/games?limit=5")["games"]]
    assert staying in kept
    assert going not in kept
    open_ = reviewer.games.nth(1)
    expect(open_).to_contain_text("Red and Green, ")
    expect(open_).to_contain_text("after 4 moves, 0 to 0")
    open_.get_by_role("button", name="Continue").click()
    expect(reviewer.page.get_by_role("tab", name="Play")).to_have_attribute("aria-selected", "true")
    reviewer.sees("4453")
    reviewer.person.drop(1)
    reviewer.sees("44531")


@pytest.mark.parametrize("moves", ["4453", pytest.param(GAME, marks=pytest.mark.long)], ids=len)
def test_a_game_is_exported_and_a_branch_is_stored_as_a_game(reviewer: Reviewer, tmp_path: Path, moves: str) -> None:
    name, at = reviewer.open_game(moves, players=["person", "level:2"]), len(moves) // 2
    assert f"Moves: {moves}\n" in saved(reviewer, "Text", tmp_path)
    assert json.loads(saved(reviewer, "JSON", tmp_path)) == reviewer.server.ask(f"/games/{name}")
    assert saved(reviewer, "Position file", tmp_path) == board_as_text(board_from_moves(moves))
    reviewer.moves.nth(at).get_by_role("button").click()
    reviewer.person.press(7)
    reviewer.button("Save as a game").click()
    expect(reviewer.status).to_contain_text("Saved")
    expect(reviewer.moves).to_have_count(at + 2)
    reviewer.wait_for_review()
    expect(reviewer.status).to_contain_text("Saved")
    kept = reviewer.server.ask("/games?limit=1")["games"][0]
    assert (kept["moves"], kept["players"]) == (moves[:at] + "7", ["person", "level:2"])


def test_a_classic_game_is_reviewed_by_who_wins(reviewer: Reviewer, tmp_path: Path) -> None:
    person = reviewer.person
    begun = board_from_moves("345172625527175777")
    begun = Board.from_rows(begun.rows(), "classic")
    reviewer.store("1414261", game="classic", start=digits(begun), players=["person", "person"])
    person.open()
    person.tab("Review")
    reviewer.games.first.get_by_role("button", name="Review").click()
    reviewer.wait_for_review()
    expect(reviewer.moves).to_have_count(8)
    marks = [entry.locator("[aria-hidden=true]").first.inner_text().split()[2:] for entry in reviewer.moves.all()[1:]]
    assert marks == [["1", "later"], [], [], ["8", "sooner"], ["▼"], ["▲"], []]
    expect(reviewer.panel.locator("figure .mistake")).to_have_count(2)
    expect(reviewer.panel.locator("figcaption")).to_have_text("with perfect play▼▲ mistake")
    expect(reviewer.panel.locator(".summaries > div").first).to_contain_text("Red made 1 mistake in 4 moves")
    reviewer.button("Previous mistake").click()
    expect(reviewer.status).to_have_text(re.compile("Green plays column 6. This turns a win into a loss"))
    reviewer.button("Previous mistake").click()
    reviewer.button("Show me the better move").click()
    expect(reviewer.status).to_contain_text("column 2 is not the best. With perfect play red wins with its ")
    expect(reviewer.page.locator("#board .preview-piece").first).to_be_visible()
    person.press("Escape")
    person.press("Home", "ArrowRight")
    expect(reviewer.status).to_contain_text("This wins 1 move later than possible.")
    expect(reviewer.button("Show me the better move")).to_be_enabled()
    expect(reviewer.button("Previous mistake")).to_be_disabled()
    assert "1414261" in saved(reviewer, "Text", tmp_path)


@pytest.mark.parametrize(
    ("moves", "game"), [("1212121", "classic"), pytest.param(GAME, "max", marks=pytest.mark.long)], ids=["7", "42"]
)
def test_a_finished_game_is_reviewed_after_another_game(reviewer: Reviewer, moves: str, game: str) -> None:
    person = reviewer.person
    reviewer.store(moves[:-1], game=game, players=["person", "person"])
    person.open()
    person.tab("Review")
    reviewer.games.first.get_by_role("button", name="Continue").click()
    person.drop(int(moves[-1]))
    for _ in range(2):
        person.button("Review this game").click()
        expect(reviewer.moves).to_have_count(len(moves) + 1)
        reviewer.button("All games").click()
        field = reviewer.panel.get_by_label("Enter the moves of a game")
        field.fill("44")
        field.press("Enter")
        expect(reviewer.moves).to_have_count(3)
        person.tab("Play")


def saved(reviewer: Reviewer, form: str, folder: Path) -> str:
    with reviewer.page.expect_download() as download:
        reviewer.button(form).click()
    download.value.save_as(folder / "saved")
    return (folder / "saved").read_text()
