"""The screenshots of the page in the README and the documents, which `make pictures` writes to docs/pictures."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from page_user import PageUser, best_line_move, wait_for_review
from PIL import Image
from play_server import PlayServer
from playwright.sync_api import Browser, expect

LARGEST = 150_000  # bytes
GAME = "574454235543324335472773775211221611661666"  # of levels 4 and 3, both of which err
PLAYED = GAME[:30]


def play(person: PageUser, server: PlayServer) -> None:
    """A game under way, with a four in it."""
    game = server.ask("/games", {"players": ["person", "level:5"], "moves": PLAYED})
    person.open()
    person.value(f"localStorage.setItem('maxconnect4.id', '{game['id']}')")
    person.open()
    person.sees_pieces(len(PLAYED))
    if not person.value("matchMedia('(pointer: coarse)').matches"):
        person.column(6).hover()


def analyse(person: PageUser, _: PlayServer) -> None:
    """A position with its margins, and the best line on the board."""
    person.open(moves=GAME[:22])
    best_line_move(person.page, 4).hover()
    expect(person.page.locator("#board .preview-piece")).to_have_count(4)


def review(person: PageUser, server: PlayServer) -> None:
    """A finished game at its last mistake."""
    game = server.ask("/games", {"players": ["level:4", "level:3"], "moves": GAME})
    person.open()
    person.value(f"localStorage.setItem('maxconnect4.id', '{game['id']}')")
    person.open()
    person.tab("Review")
    wait_for_review(person)
    person.button("Previous mistake").click()
    person.button("Show me the better move").click()
    expect(person.page.locator("#board .preview-piece").first).to_be_visible()


def learn(person: PageUser, _: PlayServer) -> None:
    """The tree of a position, with its cut-offs."""
    person.open(moves=GAME[:6])
    person.tab("Learn")
    expect(person.page.locator("#panel-learn .counts dd").first).to_be_visible()


@pytest.mark.parametrize(
    ("name", "scene", "fixture"),
    [
        ("play", play, "person"),
        pytest.param("analyse", analyse, "person", marks=pytest.mark.long),
        pytest.param("review", review, "person", marks=pytest.mark.long),
        pytest.param("learn", learn, "person", marks=pytest.mark.long),
        pytest.param("phone", play, "on_a_phone", marks=pytest.mark.long),
    ],
)
def test_screenshots_are_small_and_not_blank(
    name: str,
    scene: Callable[[PageUser, PlayServer], None],
    fixture: str,
    chromium: Browser,
    server: PlayServer,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    person: PageUser = request.getfixturevalue(fixture)
    if fixture == "person":
        person.page.set_viewport_size({"width": 1180, "height": 850})
    person.page.emulate_media(color_scheme="dark" if name == "analyse" else "light")
    scene(person, server)
    path = Path(os.environ.get("PICTURES", tmp_path)) / f"{name}.png"
    person.page.screenshot(path=path)
    with Image.open(path) as picture:
        colours = len(picture.convert("RGB").getcolors(1 << 24) or [])
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    assert colours > 50  # it is not blank
    assert path.stat().st_size < LARGEST
