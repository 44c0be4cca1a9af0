"""The layout of the page on phones, tablets and large screens."""

from __future__ import annotations

import pytest
from axe import violations
from page_user import PageUser
from playwright.sync_api import Locator, expect

FINGER = 44  # CSS pixels, the least size of a touch target
ACTIONS = ("Undo", "Redo", "Hint", "New game", "Settings")


SCREENS = [(360, 640), (390, 844), (844, 390), (768, 1024)]


def box(locator: Locator) -> tuple[float, float, float, float]:
    """The left, top, right and bottom edges of an element on the screen."""
    found = locator.bounding_box()
    assert found is not None
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


def open_at(person: PageUser, width: int, height: int) -> None:
    person.page.set_viewport_size({"width": width, "height": height})
    person.open()
    expect(person.button("New game")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844), (768, 1024)])
def test_upright_the_board_is_as_wide_as_the_screen_above_the_actions(
    on_a_phone: PageUser, width: int, height: int
) -> None:
    person, page = on_a_phone, on_a_phone.page
    open_at(person, width, height)
    points, board, tabs = (box(page.locator(each)) for each in ("#points", "#board", "#tabs"))
    assert (board[0], board[2]) == pytest.approx((0, width), abs=1)
    assert points[3] <= board[1]
    rows = [box(person.button(name)) for name in ACTIONS]
    assert len({row[1] for row in rows}) == 1
    for left, top, right, bottom in rows:
        assert board[3] <= top
        assert bottom <= tabs[1] < tabs[3] <= height
        assert min(right - left, bottom - top) >= FINGER


def test_on_its_side_the_board_uses_the_height_beside_the_actions(on_a_phone: PageUser) -> None:
    open_at(on_a_phone, 844, 390)
    board = box(on_a_phone.page.locator("#board"))
    assert board[3] - board[1] > 0.9 * 390
    for name in ACTIONS:
        left, _, right, bottom = box(on_a_phone.button(name))
        assert board[2] <= left < right <= 844
        assert bottom <= 390


@pytest.mark.parametrize(
    ("width", "height"),
    [SCREENS[2], *(pytest.param(*each, marks=pytest.mark.long) for each in (*SCREENS[:2], SCREENS[3]))],
)
def test_every_panel_is_accessible_and_as_wide_as_the_screen(on_a_phone: PageUser, width: int, height: int) -> None:
    person, page = on_a_phone, on_a_phone.page
    open_at(person, width, height)
    for tab in page.get_by_role("tab").all():
        tab.tap()
        expect(tab).to_have_attribute("aria-selected", "true")
        if tab.get_attribute("id") == "tab-puzzles":
            expect(page.locator(".puzzles > h2")).not_to_be_empty()  # it has loaded
        assert violations(page) == [], tab.inner_text()
        assert person.value("document.documentElement.scrollWidth") == width, tab.inner_text()


def test_the_board_grows_with_a_large_window(person: PageUser) -> None:
    sizes = []
    for width, height in ((1280, 720), (1920, 1080)):
        open_at(person, width, height)
        left, _, right, bottom = box(person.page.locator("#board"))
        assert bottom <= height
        sizes.append(right - left)
    assert sizes[0] > 0.45 * 1280
    assert sizes[1] > 1.4 * sizes[0]


def test_a_phone_shows_its_settings_in_a_sheet_and_no_keyboard_help(on_a_phone: PageUser) -> None:
    person, page = on_a_phone, on_a_phone.page
    person.open()
    expect(page.locator("#green-player")).to_be_hidden()
    person.choose(green="level:1")
    expect(page.locator("#points")).to_contain_text("Beginner")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.locator("#open-help").tap()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator("#help kbd").first).to_be_hidden()
