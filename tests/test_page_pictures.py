"""The pictures of the page in the README and the documents: `make pictures` keeps what is otherwise thrown away."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from analyst import step
from at_the_board import Person
from browser import Visitor
from PIL import Image
from play_server import PlayServer
from playwright.sync_api import Browser, expect
from reviewer import at_the_end_of_the_review

LARGEST = 150_000  # bytes
WIDE = {"viewport": {"width": 1180, "height": 850}}
PHONE = {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
GAME = "574454235543324335472773775211221611661666"  # of levels 4 and 3, both of which err
PLAYED = GAME[:30]


def play(person: Person, server: PlayServer) -> None:
    """A game under way, with a four in it."""
    game = server.ask("/games", {"players": ["person", "level:5"], "moves": PLAYED})
    person.page.add_init_script(f"localStorage.setItem('maxconnect4.id', '{game['id']}')")
    person.open()
    person.sees_pieces(len(PLAYED))
    if not person.value("matchMedia('(pointer: coarse)').matches"):
        person.column(6).hover()


def analyse(person: Person, _: PlayServer) -> None:
    """A position with its margins, and the best line on the board."""
    person.open(moves=GAME[:22])
    step(person.page, 4).hover()
    expect(person.page.locator("#board .ghost")).to_have_count(4)


def review(person: Person, server: PlayServer) -> None:
    """A finished game at its last mistake."""
    game = server.ask("/games", {"players": ["level:4", "level:3"], "moves": GAME})
    person.page.add_init_script(f"localStorage.setItem('maxconnect4.id', '{game['id']}')")
    person.open()
    person.tab("Review")
    at_the_end_of_the_review(person)
    person.button("Previous mistake").click()
    person.button("Show me the better move").click()
    expect(person.page.locator("#board .ghost").first).to_be_visible()


def learn(person: Person, _: PlayServer) -> None:
    """The tree of a position, with its cut-offs."""
    person.open(moves=GAME[:6])
    person.tab("Learn")
    expect(person.page.locator("#panel-learn .counts dd").first).to_be_visible()


@pytest.mark.parametrize(
    ("name", "scene", "settings"),
    [
        ("play", play, WIDE),
        ("analyse", analyse, {**WIDE, "color_scheme": "dark"}),
        ("review", review, WIDE),
        ("learn", learn, WIDE),
        ("phone", play, PHONE),
    ],
)
def test_pictures_are_small_and_of_the_page_as_it_is(
    name: str,
    scene: Callable[[Person, PlayServer], None],
    settings: dict[str, Any],
    chromium: Browser,
    server: PlayServer,
    tmp_path: Path,
) -> None:
    visitor = Visitor(chromium, reduced_motion="reduce", **settings)
    person = Person(visitor.page(), server)
    scene(person, server)
    path = Path(os.environ.get("PICTURES", tmp_path)) / f"{name}.png"
    person.page.screenshot(path=path)
    with Image.open(path) as picture:
        colours = len(picture.convert("RGB").getcolors(1 << 24) or [])
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    assert colours > 50  # it is not blank
    assert path.stat().st_size < LARGEST
    visitor.leave()
