"""What tests in a browser start from, and how long an example may take."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from playwright.sync_api import Browser, Page

pytest.register_assert_rewrite(
    *("analyst", "asking", "at_the_board", "bad_requests", "browser", "damage", "play_server"),
    *("reviewer", "talking", "terminal", "tournaments"),
)

from asking import Asking, asking  # noqa: E402
from at_the_board import Person  # noqa: E402
from browser import Visitor, started_browser  # noqa: E402
from play_server import PlayServer  # noqa: E402
from reviewer import Reviewer  # noqa: E402

# A busy machine makes an example slow, and no rule wrong.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")

# A shell has what it runs in the background ignore Ctrl-C, and nohup a terminal that goes: so would all programs here.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for a module: while Playwright runs, nothing else may use asyncio in this thread."""
    with started_browser() as browser:
        yield browser


@pytest.fixture
def visitor(chromium: Browser) -> Iterator[Visitor]:
    """Somebody at a big screen who does not like motion, and so need not wait for it."""
    visitor = Visitor(chromium, viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    yield visitor
    visitor.leave()


@pytest.fixture
def page(visitor: Visitor) -> Page:
    return visitor.page()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayServer]:
    """One server for a worker; its games are those of all tests."""
    with PlayServer(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def person(page: Page, server: PlayServer) -> Person:
    """Somebody who is about to open the page."""
    return Person(page, server)


@pytest.fixture
def on_a_phone(chromium: Browser, server: PlayServer) -> Iterator[Person]:
    """Somebody with a small screen and a finger, who is about to open the page."""
    phone = {"width": 360, "height": 740}
    visitor = Visitor(chromium, viewport=phone, has_touch=True, is_mobile=True, reduced_motion="reduce")
    yield Person(visitor.page(), server)
    visitor.leave()


@pytest.fixture
def reviewer(person: Person, server: PlayServer) -> Reviewer:
    """Somebody who is about to review a game."""
    return Reviewer(person, server)


@pytest.fixture
def analyst(person: Person) -> Person:
    """Somebody with the empty board before them."""
    person.open()
    person.tab("Analyse")
    return person


@pytest.fixture
def somebody(tmp_path: Path) -> Iterator[Asking]:
    """Somebody who asks the server's application."""
    with asking(tmp_path) as somebody:
        yield somebody
