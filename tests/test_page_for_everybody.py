"""The page on every screen, by day and by night, and for people who do not see it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from at_the_board import Person
from axe import violations
from browser import Visitor
from play_server import PlayServer
from playwright.sync_api import Browser, expect

from maxconnect4 import board_from_moves

PANELS = ("Play", "Analyse", "Review", "Learn")
SCREENS = {"wide": {"width": 1280, "height": 900}, "phone": {"width": 360, "height": 740}}
PLAYED = "1234567123456712345671"  # with a four in it, and soon analysed
# What can be used but is not wholly between the left and the right edge of the screen, or too small for a finger.
OUT_OF_REACH = """() => {
    const usable = [...document.querySelectorAll('button, select, input, textarea, a[href], summary, [tabindex="0"]')];
    return usable.filter((each) => each.checkVisibility({ visibilityProperty: true })).filter((each) => {
        const { left, right, width, height } = (each.closest('label') ?? each).getBoundingClientRect();
        return left < 0 || right > innerWidth || width < 24 || height < 24;
    }).map((each) => each.outerHTML);
}"""
BRIGHTNESS = """(() => {
    const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).map(Number);
    return (red + green + blue) / 3 / 255;
})()"""


@pytest.fixture(params=[(scheme, screen) for scheme in ("light", "dark") for screen in SCREENS], ids="-".join)
def somebody(request: pytest.FixtureRequest, chromium: Browser, server: PlayServer) -> Iterator[Person]:
    scheme, screen = request.param
    phone = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2} if screen == "phone" else {}
    visitor = Visitor(chromium, viewport=SCREENS[screen], color_scheme=scheme, reduced_motion="reduce", **phone)
    yield Person(visitor.page(), server.address)
    visitor.leave()


def test_nothing_stands_in_anybodys_way(somebody: Person) -> None:
    somebody.open(moves=PLAYED)
    expect(somebody.page.locator("#board .best")).to_have_count(1)
    for panel in PANELS:
        somebody.tab(panel)
        somebody.at_rest()
        assert violations(somebody.page) == [], panel
        assert somebody.value("document.documentElement.scrollWidth") <= somebody.value("innerWidth"), panel
        assert somebody.value(OUT_OF_REACH) == [], panel
    somebody.tab("Analyse")
    somebody.button("Set up").click()
    assert violations(somebody.page) == []
    somebody.page.locator("#open-help").click()
    assert violations(somebody.page) == []
    assert somebody.value(OUT_OF_REACH) == []


def test_the_page_is_dark_where_that_is_liked(somebody: Person) -> None:
    somebody.open()
    dark = somebody.value("matchMedia('(prefers-color-scheme: dark)').matches")
    assert (somebody.value(BRIGHTNESS) < 0.2) == dark
    assert (somebody.value(BRIGHTNESS) > 0.8) == (not dark)
    for theme in ("light", "dark"):  # whatever the system has
        somebody.page.locator("#theme").click()
        assert (somebody.value(BRIGHTNESS) < 0.2) == (theme == "dark")
    somebody.page.reload()
    assert somebody.value(BRIGHTNESS) < 0.2


def test_a_game_can_be_played_with_a_finger_on_a_phone(chromium: Browser, server: PlayServer) -> None:
    visitor = Visitor(chromium, viewport=SCREENS["phone"], has_touch=True, is_mobile=True, reduced_motion="reduce")
    person = Person(visitor.page(), server.address)
    person.open()
    person.choose()
    for number in range(1, 9):
        person.column(1 + number % 2).tap()
        person.sees_pieces(number)
    person.sees(board_from_moves("21212121"))
    person.button("Undo").tap()
    person.sees(board_from_moves("2121212"))
    visitor.leave()


def test_the_board_fits_the_screen_of_a_phone_with_its_points_and_words(chromium: Browser, server: PlayServer) -> None:
    visitor = Visitor(chromium, viewport=SCREENS["phone"])
    person = Person(visitor.page(), server.address)
    person.open()
    for part in ("#points", "#board", "#status", "#tabs"):
        box = person.page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= SCREENS["phone"]["height"], part
    visitor.leave()


def test_what_axe_is_asked_can_be_answered_with_no(person: Person) -> None:
    person.open()
    person.value("document.querySelector('#theme').textContent = ''")
    person.value("document.querySelector('#status').style.color = 'color-mix(in srgb, currentcolor 10%, white)'")
    assert {found.split(":")[0] for found in violations(person.page)} == {"button-name", "color-contrast"}


def test_whoever_does_not_see_the_board_hears_what_is_on_it(person: Person) -> None:
    person.open(moves="44")
    expect(person.page.get_by_role("img", name="Column 4 from the bottom: red, green.")).to_be_visible()
    expect(person.column(4)).to_have_attribute("aria-label", "Column 4, 2 pieces, green on top, margin 0, best")
    expect(person.page.get_by_role("group", name="Columns").get_by_role("button")).to_have_count(7)


def test_red_and_green_differ_in_shape_not_in_colour_alone(person: Person) -> None:
    person.open(moves="44")
    shapes = [
        person.page.locator(f"#board .piece.{colour} .mark").first.evaluate("(mark) => mark.tagName")
        for colour in ("red", "green")
    ]
    assert shapes[0] != shapes[1]


def test_tabs_are_walked_through_with_arrows(person: Person) -> None:
    person.open()
    person.page.get_by_role("tab", name="Play").focus()
    for panel in ("Analyse", "Review", "Learn", "Play"):
        person.press("ArrowRight")
        expect(person.page.get_by_role("tab", name=panel)).to_be_focused()
        expect(person.page.get_by_role("tabpanel", name=panel)).to_be_visible()
        expect(person.page.get_by_role("tabpanel")).to_have_count(1)
