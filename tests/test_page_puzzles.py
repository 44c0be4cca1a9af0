"""The Puzzles panel in a real browser."""

from __future__ import annotations

import re

from axe import violations
from page_user import GAME, PageUser, Reviewer, expect_address
from play_server import PlayServer
from playwright.sync_api import expect

from maxconnect4.puzzles import shipped_puzzles
from maxconnect4.review import review


def test_a_puzzle_is_solved_and_the_progress_is_kept(person: PageUser, server: PlayServer) -> None:
    page, panel = person.page, person.page.locator("#panel-puzzles")
    puzzle = shipped_puzzles()["max"][4]
    page.goto(f"{server.address}/puzzles/max-5")
    person.sees(puzzle.board())
    expect(panel.locator(".task")).to_contain_text(("Red", "Green")[puzzle.board().to_move - 1])
    person.drop(puzzle.tempting)
    expect(panel.locator(".verdict")).to_contain_text("Not the best move.")
    person.button("Show the solution").click()
    expect(panel.locator(".verdict")).to_contain_text(f"column {puzzle.column}.")
    expect(page.locator("#board .reason-marks .reason")).to_have_count(1)
    assert violations(page) == []
    person.button("Try again").click()
    person.sees(puzzle.board())
    person.drop(puzzle.column)
    expect(panel.locator(".verdict.right")).to_contain_text("Right!")
    expect(panel.locator(".hint")).to_have_text(re.compile("^1 puzzle solved, streak 1, best 1"))
    board = puzzle.board()
    board.drop(puzzle.column)
    person.sees(board)
    person.press("n")
    page.wait_for_url(re.compile(r"/puzzles/max-(?!5$)\d+$"))
    page.reload()
    expect(panel.locator(".hint")).to_have_text(re.compile("^1 puzzle solved, streak 1"))


def test_the_daily_puzzle_is_the_same_all_day_for_each_game(person: PageUser) -> None:
    panel = person.page.locator("#panel-puzzles")
    person.open()
    person.tab("Puzzles")
    expect(panel.get_by_role("heading")).to_contain_text("Puzzle of the day")
    expect_address(person.page, "/puzzles/daily?game=max")
    today = person.value("new Date().toLocaleDateString('sv')")
    for game in ("classic", "max"):
        panel.locator(f"input[value={game}]").check()
        expect_address(person.page, f"game={game}")
        told = person.server.ask(f"/puzzles?game={game}&date={today}")
        person.sees(shipped_puzzles()[game][told["daily"]].board())
    person.tab("Play")
    expect(person.page.locator("#board .reason-marks .reason")).to_have_count(0)


def test_mistakes_of_reviewed_games_become_puzzles(reviewer: Reviewer) -> None:
    person = reviewer.person
    reviewer.open_game(players=["person", "level:1"])
    mistakes = [move for move in review(GAME).moves if move.player == 1 and move.mistake and len(move.best) == 1]
    person.tab("Puzzles")
    panel = person.page.locator("#panel-puzzles")
    panel.get_by_label("My mistakes").check()
    expect(panel.locator(".hint")).to_have_text(f"{len(mistakes)} mistakes left")
    shown = person.value("document.querySelectorAll('#board svg > g:not(.pointer, .preview) .piece').length")
    (mistake,) = [move for move in mistakes if move.number == shown + 1]
    person.drop(mistake.best[0])
    expect(panel.locator(".verdict")).to_contain_text("Right!")
    expect(panel.locator(".hint")).to_have_text(f"{len(mistakes) - 1} mistakes left")
