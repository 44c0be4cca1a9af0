"""What tests in a browser start from, and how long an example may take."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from playwright.sync_api import Browser, Page

pytest.register_assert_rewrite(
    *("api_client", "bad_requests", "browser", "fuzz_inputs", "page_user", "play_server"),
    *("engine_client", "terminal", "tournaments"),
)

from api_client import ApiClient, api_client  # noqa: E402
from browser import Visitor, let_browser_run, started_browser  # noqa: E402
from dask_cluster import WITHOUT_PROGRAM, DaskCluster  # noqa: E402
from page_user import PageUser, Reviewer  # noqa: E402
from play_server import PlayServer  # noqa: E402

# A busy machine makes an example slow, and no rule wrong. `make test-all` asks for the thorough profile.
hypothesis.settings.register_profile("quick", deadline=None, max_examples=25)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=200)
hypothesis.settings.load_profile("quick")

# A shell has what it runs in the background ignore Ctrl-C, and nohup a terminal that goes: so would all programs here.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):  # which some CI systems set
    os.environ.pop(name, None)

# Modules and tests stay to the end: looking for garbage among them costs a tenth of the time that collection takes.
gc.disable()

WIDE = {"width": 1280, "height": 900}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "own_context: has a browser context of its own, for what cannot be undone and for intercepting requests",
    )


SHARED = ("chromium", "site", "cluster")  # fixtures that take seconds to start


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests that share an expensive fixture first and in a row, so that one xdist worker has most of them."""
    items.sort(key=lambda item: min((SHARED.index(name) for name in _fixtures(item) if name in SHARED), default=9))


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def _fixtures(item: pytest.Item) -> list[str]:
    return item.fixturenames if isinstance(item, pytest.Function) else []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let tests without a browser run event loops of their own."""
    let_browser_run(_has_browser(item))
    return (yield)


def _has_browser(item: pytest.Item) -> bool:
    return "chromium" in _fixtures(item)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests."""
    with started_browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def _desktop(chromium: Browser) -> Iterator[Visitor]:
    visitor = Visitor(chromium, viewport=WIDE, reduced_motion="reduce")
    yield visitor
    visitor.leave()


@pytest.fixture
def visitor(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Visitor]:
    """A visitor with a large screen and reduced motion."""
    if request.node.get_closest_marker("own_context"):
        visitor = Visitor(chromium, intercepting=True, viewport=WIDE, reduced_motion="reduce")
        yield visitor
        visitor.leave()
    else:
        visitor = request.getfixturevalue("_desktop")
        yield visitor
        visitor.rest()


@pytest.fixture
def page(visitor: Visitor) -> Page:
    return visitor.context.pages[0] if visitor.context.pages else visitor.page()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayServer]:
    """One server for a worker; its games are those of all tests."""
    with PlayServer(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def person(page: Page, server: PlayServer) -> PageUser:
    """A user who has not opened the page yet."""
    return PageUser(page, server)


@pytest.fixture(scope="session")
def _phone(chromium: Browser) -> Iterator[Visitor]:
    phone: dict[str, Any] = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2}
    visitor = Visitor(chromium, viewport={"width": 360, "height": 740}, reduced_motion="reduce", **phone)
    visitor.page()
    yield visitor
    visitor.leave()


@pytest.fixture
def on_a_phone(_phone: Visitor, server: PlayServer) -> Iterator[PageUser]:
    """A user with a small touch screen, who has not opened the page yet."""
    yield PageUser(_phone.context.pages[0], server)
    _phone.rest()


@pytest.fixture
def reviewer(person: PageUser, server: PlayServer) -> Reviewer:
    """A user of the Review panel, who has not opened the page yet."""
    return Reviewer(person, server)


@pytest.fixture
def analyst(person: PageUser) -> PageUser:
    """A user of the Analyse panel with the empty board."""
    person.open()
    person.tab("Analyse")
    return person


@pytest.fixture
def client(tmp_path: Path) -> Iterator[ApiClient]:
    """A client of the server's application."""
    with api_client(tmp_path) as client:
        yield client


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """A Dask scheduler, which does not have the program, and a worker that no test may end."""
    folder = tmp_path_factory.mktemp("dask")
    (folder / "sitecustomize.py").write_text(WITHOUT_PROGRAM)
    with DaskCluster(folder, PYTHONPATH=str(folder)) as running:
        running.add_worker()
        yield running


@pytest.fixture(autouse=True)
def no_subreaper() -> Iterator[None]:
    """Undo what commands that run programs do: a child subreaper collects the orphans of later tests."""
    yield
    sandbox = sys.modules.get("maxconnect4.referee.sandbox")
    if sandbox is not None and sandbox._adopting:
        sandbox.become_subreaper(False)
