"""The games that are kept, on the page: which to review, to play on, to delete and to save."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from browser import Visitor
from playwright.sync_api import expect
from positions import digits
from reviewer import GAME, Reviewer

from maxconnect4 import Board, board_from_moves
from maxconnect4.files import board_as_text


def test_what_has_just_been_played_is_reviewed(reviewer: Reviewer) -> None:
    person = reviewer.person
    person.open()
    person.choose()
    for number in (1, 2, 3):
        person.drop(4)
        person.sees_pieces(number)
        person.tab("Review")
        reviewer.at_the_end_of_the_review()
        expect(reviewer.moves).to_have_count(number + 1)
        reviewer.sees("4" * number)
        person.press("Home")
        reviewer.sees("")
        person.tab("Play")
        reviewer.sees("4" * number)
    person.tab("Review")  # nothing has been played since: it is as it was left
    reviewer.sees("")


def test_moves_and_lines_from_elsewhere_are_reviewed_and_kept_before_they_are_saved(
    reviewer: Reviewer, visitor: Visitor, tmp_path: Path
) -> None:
    reviewer.person.open(moves="4453")
    reviewer.person.tab("Review")
    reviewer.button("Review the game from Analyse").click()
    expect(reviewer.moves).to_have_count(5)
    game = json.loads(saved(reviewer, "JSON", tmp_path))
    assert game["position"]["moves"] == "4453"
    assert reviewer.server.ask(f"/games/{game['id']}")["players"] == ["person", "person"]
    expect(reviewer.button("Keep this game")).to_have_count(0)
    reviewer.button("All games").click()
    field = reviewer.panel.get_by_label("Review a game from its moves")
    field.fill("12344321")
    field.press("Enter")
    expect(reviewer.moves).to_have_count(9)
    reviewer.sees("12344321")
    reviewer.button("All games").click()
    field.fill("abc")
    field.press("Enter")
    expect(reviewer.status).to_contain_text("'abc' is not a move string: it has to be columns from 1 to 7")
    field.fill("4444444")
    field.press("Enter")
    expect(reviewer.status).to_have_class("problem")
    expect(reviewer.status).to_contain_text("column 4 is full")
    visitor.forgive("400 (Bad Request)")


def test_games_are_listed_in_parts_the_last_first_deleted_after_a_question_and_played_on(reviewer: Reviewer) -> None:
    for _ in range(19):
        reviewer.keep("4")
    staying, going = reviewer.keep("4453", players=["person", "person"]), reviewer.keep("12")
    reviewer.keep(GAME, players=["level:2", "level:2"])
    reviewer.person.open()
    reviewer.person.tab("Review")
    expect(reviewer.games).to_have_count(20)
    reviewer.button("More games").click()
    expect(reviewer.games.nth(21)).to_be_visible()
    names = reviewer.page.evaluate(
        "() => [...document.querySelectorAll('.games > li > p:first-child')].map(({ id }) => id)"
    )
    assert len(set(names)) == len(names) == reviewer.games.count()
    over, entry = reviewer.games.nth(0), reviewer.games.nth(1)
    level = reviewer.server.ask("/")["levels"]["max"][1]["name"]
    expect(over).to_contain_text(f"Red: {level}, green: {level}, just now")
    expect(over).to_contain_text("Red wins by 6")
    expect(over.get_by_role("button", name="Play on")).to_have_count(0)
    entry.get_by_role("button", name="Delete").click()
    expect(entry).to_contain_text("Delete this game for good?")
    entry.get_by_role("button", name="Keep it").click()
    assert reviewer.server.ask(f"/games/{going}")["id"] == going
    entry.get_by_role("button", name="Delete").click()
    entry.get_by_role("button", name="Delete it").click()
    expect(reviewer.status).to_contain_text("The game is deleted.")
    kept = [game["id"] for game in reviewer.server.ask("/games?limit=5")["games"]]
    assert staying in kept
    assert going not in kept
    open_ = reviewer.games.nth(1)
    expect(open_).to_contain_text("Red and Green, ")
    expect(open_).to_contain_text("Under way after 4 moves, 0 to 0.")
    open_.get_by_role("button", name="Play on").click()
    expect(reviewer.page.get_by_role("tab", name="Play")).to_have_attribute("aria-selected", "true")
    reviewer.sees("4453")
    reviewer.person.drop(1)
    reviewer.sees("44531")


@pytest.mark.parametrize("moves", ["4453", pytest.param(GAME, marks=pytest.mark.long)], ids=len)
def test_a_game_is_saved_as_a_file_and_a_branch_is_kept_as_a_game(
    reviewer: Reviewer, tmp_path: Path, moves: str
) -> None:
    name, at = reviewer.look_at(moves, players=["person", "level:2"]), len(moves) // 2
    assert f"Moves: {moves}\n" in saved(reviewer, "Text", tmp_path)
    assert json.loads(saved(reviewer, "JSON", tmp_path)) == reviewer.server.ask(f"/games/{name}")
    assert saved(reviewer, "Position file", tmp_path) == board_as_text(board_from_moves(moves))
    reviewer.moves.nth(at).get_by_role("button").click()
    reviewer.person.press(7)
    reviewer.button("Keep it as a game").click()
    expect(reviewer.status).to_contain_text("It is kept")
    expect(reviewer.moves).to_have_count(at + 2)
    reviewer.at_the_end_of_the_review()
    expect(reviewer.status).to_contain_text("It is kept")
    kept = reviewer.server.ask("/games?limit=1")["games"][0]
    assert (kept["moves"], kept["players"]) == (moves[:at] + "7", ["person", "level:2"])


def test_a_classic_game_is_reviewed_by_who_wins(reviewer: Reviewer, tmp_path: Path) -> None:
    person = reviewer.person
    begun = board_from_moves("345172625527175777")
    begun = Board.from_rows(begun.rows(), "classic")
    reviewer.keep("1414261", game="classic", start=digits(begun), players=["person", "person"])
    person.open()
    person.tab("Review")
    reviewer.games.first.get_by_role("button", name="Review").click()
    reviewer.at_the_end_of_the_review()
    expect(reviewer.moves).to_have_count(8)
    marks = [entry.locator("[aria-hidden=true]").first.inner_text().split()[2:] for entry in reviewer.moves.all()[1:]]
    assert marks == [["1", "later"], [], [], ["8", "sooner"], ["▼"], ["▲"], []]
    expect(reviewer.panel.locator("figure .mistake")).to_have_count(2)
    expect(reviewer.panel.locator("figcaption")).to_have_text("with perfect play▼▲ mistake")
    expect(reviewer.panel.locator(".summaries > div").first).to_contain_text("2 of 4 moves perfect (50 %), 1 not quite")
    reviewer.button("Previous mistake").click()
    expect(reviewer.status).to_have_text(re.compile("Green drops in column 6 and turns a win into a loss"))
    reviewer.button("Previous mistake").click()
    reviewer.button("Show me the better move").click()
    expect(reviewer.status).to_contain_text("instead of column 2. With perfect play red wins with its ")
    expect(reviewer.page.locator("#board .ghost").first).to_be_visible()
    person.press("Escape")
    person.press("Home", "ArrowRight")
    expect(reviewer.status).to_contain_text("wins 1 move later than it could: column 6 is best.")
    expect(reviewer.button("Show me the better move")).to_be_enabled()
    expect(reviewer.button("Previous mistake")).to_be_disabled()
    assert "1414261" in saved(reviewer, "Text", tmp_path)


@pytest.mark.parametrize(
    ("moves", "game"), [("1212121", "classic"), pytest.param(GAME, "max", marks=pytest.mark.long)], ids=["7", "42"]
)
def test_a_finished_game_is_reviewed_whatever_was_looked_at_before(reviewer: Reviewer, moves: str, game: str) -> None:
    person = reviewer.person
    reviewer.keep(moves[:-1], game=game, players=["person", "person"])
    person.open()
    person.tab("Review")
    reviewer.games.first.get_by_role("button", name="Play on").click()
    person.drop(int(moves[-1]))
    for _ in range(2):
        person.button("Review this game").click()
        expect(reviewer.moves).to_have_count(len(moves) + 1)
        reviewer.button("All games").click()
        field = reviewer.panel.get_by_label("Review a game from its moves")
        field.fill("44")
        field.press("Enter")
        expect(reviewer.moves).to_have_count(3)
        person.tab("Play")


def saved(reviewer: Reviewer, form: str, folder: Path) -> str:
    with reviewer.page.expect_download() as download:
        reviewer.button(form).click()
    download.value.save_as(folder / "saved")
    return (folder / "saved").read_text()
