"""The keyboard focus: an element keeps it or passes it on, so that a user of the keyboard never loses their place."""

from __future__ import annotations

import re

from browser import Held
from page_user import PageUser, Reviewer
from playwright.sync_api import expect

MOVES = "4453"


def press_on(person: PageUser, name: str, key: str = "Enter") -> None:
    """Go to a button and press it with a key."""
    button = person.button(name).first
    button.focus()
    person.press(key)


def test_focus_stays_on_a_select_field_and_on_undo_when_it_is_disabled(person: PageUser) -> None:
    person.open()
    person.choose(green="level:1")
    chosen = person.page.locator("#green-player")
    chosen.focus()
    person.press("ArrowDown", "ArrowDown")
    expect(chosen).to_be_focused()
    expect(chosen).to_have_value("level:3")
    person.sees_pieces(0)
    person.choose()
    chosen.blur()
    person.press(4)
    person.sees_pieces(1)
    undo = person.button("Undo")
    undo.focus()
    person.press("Enter")
    person.sees_pieces(0)
    expect(person.status).to_contain_text("Red to move.")
    expect(undo).to_be_disabled()
    expect(undo).to_be_focused()
    person.press("Enter")
    person.button("Redo").click()
    expect(person.status).to_contain_text("Red plays column 4.")


def test_a_button_that_is_disabled_or_hidden_keeps_or_passes_on_the_focus(person: PageUser) -> None:
    person.open(moves=MOVES)
    person.press("u", "1")
    press_on(person, "Leave branch")
    expect(person.button("Leave branch")).to_be_hidden()
    expect(person.button("Back")).to_be_focused()
    for name in ("First", "Last", "Back", "First"):
        press_on(person, name)
        expect(person.button(name)).to_be_focused()
    expect(person.button("First")).to_be_disabled()
    person.press("Enter")  # which does nothing
    expect(person.status).to_have_text("Empty board. Red to move.")
    press_on(person, "Last")
    person.tab("Learn")
    words = person.page.locator(".step-description")
    expect(words).to_contain_text("Step 47 of 47")
    for name, step in (("First", 0), ("Last", 47), ("First", 0), ("Next cut-off", 21), ("Last", 47)):
        press_on(person, name)
        expect(words).to_have_text(re.compile(f"^Step {step} of 47"))
        expect(person.button(name)).to_be_focused()
    expect(person.button("Next cut-off")).to_be_disabled()
    person.page.locator("#tree-depth").select_option("3")
    expect(words).to_contain_text("400 nodes")
    for _ in range(2):
        person.page.locator("[data-path='44']").press("Enter")
    trail = person.page.get_by_role("navigation", name="Path in the tree").get_by_role("button")
    expect(trail).to_have_count(3)
    trail.nth(1).press("Enter")
    expect(trail).to_have_count(2)
    expect(trail.nth(1)).to_be_focused()  # where one is in the tree


def test_the_list_of_games_and_a_review_pass_on_the_focus(reviewer: Reviewer) -> None:
    person = reviewer.person
    games = [reviewer.store(MOVES, players=["person", "person"]), reviewer.store("4")]
    person.open()
    person.tab("Review")
    press_on(person, "Delete")
    press_on(person, "Delete game")
    expect(person.status).to_contain_text("deleted")
    next_one = reviewer.games.first.get_by_role("button", name="Review")
    expect(next_one).to_be_focused()
    expect(next_one).to_have_attribute("aria-describedby", f"game-{games[0]}")
    person.press("Enter")
    reviewer.wait_for_review()
    person.press("Home", "1")
    press_on(person, "Back to the game")
    expect(reviewer.branch).to_be_hidden()
    expect(reviewer.panel.get_by_role("heading").first).to_be_focused()
    reloaded = Held(person.page, "**/games?limit=*")
    press_on(person, "All games")
    person.button("Continue").first.focus()
    old = reviewer.games.first.element_handle()
    reloaded.let_go()
    person.page.wait_for_function("old => !old.isConnected", arg=old)
    expect(person.button("Continue").first).to_be_focused()
    person.press("Enter")
    expect(person.column(4)).to_be_focused()
