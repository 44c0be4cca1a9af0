"""Whoever uses the page with keys alone never loses their place: what has the keyboard keeps it, or hands it on."""

from __future__ import annotations

import re

import pytest
from at_the_board import Person
from playwright.sync_api import expect
from reviewer import Reviewer

MOVES = "4453"


def press_on(person: Person, name: str, key: str = "Enter") -> None:
    """Go to a button and press it with a key."""
    button = person.button(name).first
    button.focus()
    person.press(key)


@pytest.mark.long
def test_the_keyboard_stays_where_it_is_while_one_chooses(person: Person) -> None:
    person.open()
    person.choose(green="level:1")
    chosen = person.page.locator("#green-player")
    chosen.focus()
    person.press("ArrowDown", "ArrowDown")
    expect(chosen).to_be_focused()
    expect(chosen).to_have_value("level:3")
    person.sees_pieces(0)


def test_undo_keeps_the_keyboard_when_there_is_no_more_to_take_back(person: Person) -> None:
    person.open()
    person.choose()
    person.press(4)
    person.sees_pieces(1)
    undo = person.button("Undo")
    undo.focus()
    person.press("Enter")
    person.sees_pieces(0)
    expect(person.status).to_have_text("Taken back. Red is to move.")
    expect(undo).to_be_disabled()
    expect(undo).to_be_focused()
    person.press("Enter")
    person.button("Redo").click()
    expect(person.status).to_contain_text("Played again: Red drops in column 4.")


@pytest.mark.long
def test_a_button_that_is_of_no_more_use_keeps_the_keyboard(person: Person) -> None:
    person.open(moves=MOVES)
    for name in ("First", "Last", "Back", "First"):
        press_on(person, name)
        expect(person.button(name)).to_be_focused()
    expect(person.button("First")).to_be_disabled()
    person.press("Enter")  # which does nothing
    expect(person.status).to_have_text("The empty board. Red is to move.")
    person.open(moves=MOVES)
    person.tab("Learn")
    words = person.page.locator(".step-words")
    expect(words).to_contain_text("Step 47 of 47")
    for name, step in (("First", 0), ("Last", 47), ("First", 0), ("Next cut", 21), ("Last", 47)):
        press_on(person, name)
        expect(words).to_have_text(re.compile(f"^Step {step} of 47"))
        expect(person.button(name)).to_be_focused()
    expect(person.button("Next cut")).to_be_disabled()


@pytest.mark.long
def test_where_one_is_in_the_tree_stays_under_the_keyboard(person: Person) -> None:
    person.open(moves=MOVES)
    person.tab("Learn")
    person.page.locator("#tree-depth").select_option("4")
    expect(person.page.locator(".step-words")).to_contain_text("2,801 nodes")
    for _ in range(2):
        person.page.locator("[data-path='44']").press("Enter")
    trail = person.page.get_by_role("navigation", name="Where in the tree").get_by_role("button")
    expect(trail).to_have_count(3)
    trail.nth(1).press("Enter")
    expect(trail).to_have_count(2)
    expect(trail.nth(1)).to_be_focused()


@pytest.mark.long
def test_leaving_a_branch_hands_the_keyboard_on(person: Person) -> None:
    person.open(moves=MOVES)
    person.press("u", "1")
    press_on(person, "Leave branch")
    expect(person.button("Leave branch")).to_be_hidden()
    expect(person.button("Back")).to_be_focused()


@pytest.mark.long
def test_coming_back_to_a_game_hands_the_keyboard_on(reviewer: Reviewer) -> None:
    person = reviewer.person
    reviewer.look_at(MOVES)
    person.press("Home", "1")
    press_on(person, "Come back")
    expect(reviewer.branch).to_be_hidden()
    expect(reviewer.panel.get_by_role("heading").first).to_be_focused()


def test_a_game_that_is_deleted_hands_the_keyboard_on(reviewer: Reviewer) -> None:
    person = reviewer.person
    games = [reviewer.keep(MOVES), reviewer.keep("4")]
    person.open()
    person.tab("Review")
    press_on(person, "Delete")
    press_on(person, "Delete it")
    expect(person.status).to_have_text("The game is deleted.")
    next_one = reviewer.games.first.get_by_role("button", name="Review")
    expect(next_one).to_be_focused()
    expect(next_one).to_have_attribute("aria-describedby", f"game-{games[0]}")


@pytest.mark.long
def test_a_game_that_is_played_on_has_the_keyboard_at_the_board(reviewer: Reviewer) -> None:
    person = reviewer.person
    reviewer.keep(MOVES, players=["person", "person"])
    person.open()
    person.tab("Review")
    press_on(person, "Play on")
    expect(person.column(4)).to_be_focused()
