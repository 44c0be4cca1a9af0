"""Accessibility of the page on every screen, in light and dark: axe, sizes, forced colours, keyboard and touch."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe import violations
from page_user import PageUser, wait_for_review
from playwright.sync_api import Browser, expect

from maxconnect4 import board_from_moves

PANELS = ("Analyse", "Review", "Puzzles", "Learn", "Play")
PLAYED = "574454235543324335472773775211"  # with a four in it, and soon analysed and reviewed
# What is not wholly between the left and the right edge of the part of the page that it is in, unless that scrolls.
STICKING_OUT = """() => ['header', '#points', '#board', '#actions', '#panels'].flatMap((part) => {
    const frame = document.querySelector(part), { left, right } = frame.getBoundingClientRect();
    const scrolls = (each) => each !== frame
        && (getComputedStyle(each).overflowX !== 'visible' || scrolls(each.parentElement));
    return [...frame.querySelectorAll(':not(svg *)')].filter((each) => each.checkVisibility()).filter((each) => {
        const box = each.getBoundingClientRect();
        return box.width && (box.left < left - 1 || box.right > right + 1) && !scrolls(each.parentElement);
    }).map((each) => each.outerHTML.slice(0, 200));
})"""
# What can be used, but is too small for a finger. Words in a text may be.
TOO_SMALL = """() => {
    const usable = [...document.querySelectorAll('button, select, input, textarea, summary')];
    return usable.filter((each) => each.checkVisibility({ visibilityProperty: true })).filter((each) => {
        const { width, height } = (each.closest('label') ?? each).getBoundingClientRect();
        return width < 24 || height < 24;
    }).map((each) => each.outerHTML.slice(0, 200));
}"""
BRIGHTNESS = """(() => {
    const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).map(Number);
    return (red + green + blue) / 3 / 255;
})()"""


@pytest.fixture(
    params=[
        ("dark", "on_a_phone"),
        *(pytest.param(each, marks=pytest.mark.long) for each in (("light", "on_a_phone"), ("light", "person"))),
        pytest.param(("dark", "person"), marks=pytest.mark.long),
    ],
    ids="-".join,
)
def reader(request: pytest.FixtureRequest, chromium: Browser) -> PageUser:
    scheme, fixture = request.param
    person: PageUser = request.getfixturevalue(fixture)
    person.page.emulate_media(color_scheme=scheme)
    return person


def visit(person: PageUser, panels: tuple[str, ...] = PANELS) -> Iterator[str]:
    """All that there is in the panels, one after another, with something in it; with all panels the dialogs as well."""
    person.open(moves=PLAYED)
    expect(person.page.locator("#board .best")).to_have_count(3)
    for panel in panels:
        person.tab(panel)
        if panel == "Review":
            yield "the list of games"
            person.button("Review the game from Analyse").click()
            wait_for_review(person)
        if panel == "Puzzles":
            expect(person.page.locator("#panel-puzzles .task")).to_contain_text("to move")
        if panel == "Learn":
            expect(person.page.locator("#panel-learn .counts dd").first).to_be_visible()
        yield panel
    if panels != PANELS:
        return
    person.tab("Analyse")
    person.button("Set up").click()
    yield "set-up"
    person.page.locator("#open-help").click()
    yield "help"


@pytest.mark.parametrize("panels", [("Learn",), pytest.param(PANELS, marks=pytest.mark.long)])
def test_every_panel_is_accessible_and_fits_its_screen(reader: PageUser, panels: tuple[str, ...]) -> None:
    for place in visit(reader, panels):
        assert violations(reader.page) == [], place
        assert reader.value(STICKING_OUT) == [], place
        assert reader.value(TOO_SMALL) == [], place
        assert reader.value("document.documentElement.scrollWidth") <= reader.value("innerWidth"), place


@pytest.mark.parametrize("panels", [("Analyse", "Play"), pytest.param(PANELS, marks=pytest.mark.long)])
def test_the_page_fits_screens_of_every_width(person: PageUser, panels: tuple[str, ...]) -> None:
    for place in visit(person, panels):
        for width in (320, 600, 860, 861, 1024, 1180, 1920):
            person.page.set_viewport_size({"width": width, "height": 700})
            assert person.value(STICKING_OUT) == [], f"{place}, {width} wide"
            assert person.value("document.documentElement.scrollWidth") <= width, f"{place}, {width} wide"


def test_the_theme_follows_the_system_and_the_button(reader: PageUser) -> None:
    reader.open()
    dark = reader.value("matchMedia('(prefers-color-scheme: dark)').matches")
    assert (reader.value(BRIGHTNESS) < 0.2) == dark
    assert (reader.value(BRIGHTNESS) > 0.8) == (not dark)
    for theme in ("light", "dark"):  # whatever the system has
        reader.page.locator("#theme").click()
        assert (reader.value(BRIGHTNESS) < 0.2) == (theme == "dark")
    reader.page.reload()
    assert reader.value(BRIGHTNESS) < 0.2


def test_a_game_fits_a_phone_and_is_played_by_touch(on_a_phone: PageUser) -> None:
    person = on_a_phone
    person.open()
    for part in ("#points", "#board", "#status", "#tabs"):
        box = person.page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= 740, part
    person.choose()
    for number in range(1, 4):
        person.column(1 + number % 2).tap()
        person.sees_pieces(number)
    person.sees(board_from_moves("212"))
    person.button("Undo").tap()
    person.sees(board_from_moves("21"))


def test_the_whole_board_is_visible_on_every_screen(person: PageUser) -> None:
    person.open()
    for width, height in ((740, 360), (640, 450), (1366, 650), (360, 740)):
        person.page.set_viewport_size({"width": width, "height": height})
        box = person.page.locator("#board").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height


def test_axe_finds_violations(person: PageUser) -> None:
    person.open()
    person.value("document.querySelector('#theme').textContent = ''")
    person.value("document.querySelector('#status').style.color = 'color-mix(in srgb, currentcolor 10%, white)'")
    assert {found.split(":")[0] for found in violations(person.page)} == {"button-name", "color-contrast"}


def test_the_page_works_without_sight_colours_or_a_mouse(person: PageUser) -> None:
    person.open(moves="44")
    expect(person.page.get_by_role("img", name="Column 4 from the bottom: red, green.")).to_be_visible()
    expect(person.column(4)).to_have_attribute("aria-label", "Column 4, 2 pieces, green on top, value 0, best")
    expect(person.page.get_by_role("group", name="Columns").get_by_role("button")).to_have_count(7)
    shapes = [
        person.page.locator(f"#board .piece.{colour} .mark").first.evaluate("(mark) => mark.tagName")
        for colour in ("red", "green")
    ]
    assert shapes[0] != shapes[1]
    person.page.get_by_role("tab", name="Analyse").focus()
    for panel in ("Review", "Puzzles", "Learn", "Play", "Analyse"):
        person.press("ArrowRight")
        expect(person.page.get_by_role("tab", name=panel)).to_be_focused()
        expect(person.page.get_by_role("tabpanel", name=panel)).to_be_visible()
        expect(person.page.get_by_role("tabpanel")).to_have_count(1)


def test_current_and_selected_elements_are_visible_in_forced_colours(person: PageUser) -> None:
    person.page.emulate_media(forced_colors="active")
    look = "(each) => ['backgroundColor', 'fill', 'borderColor'].map((name) => getComputedStyle(each)[name])"
    for place in visit(person, ("Review", "Learn")):
        if place == "Review":
            moves = person.page.locator(".move-list")
            current, other = (moves.locator(f"[aria-current={now}]").first for now in ("true", "false"))
            assert current.evaluate(look)[0] != other.evaluate(look)[0]
            page, border = person.page.locator("#panels").evaluate(look)[0], other.evaluate(look)[2]
            assert border == page, "a dashed box is for a branch alone"
        if place == "Learn":
            chosen, other = (person.page.locator(f"[data-path='{path}'] .outline") for path in ("", "1"))
            assert chosen.evaluate(look)[1] != other.evaluate(look)[1]
            bars = person.page.locator(".counts .bar")
            page = person.page.locator("#panels").evaluate(look)[0]
            assert page not in [bars.nth(index).evaluate(look)[0] for index in range(2)]
