"""What tests in a browser start from."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import Visitor, started_browser
from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for a module: while Playwright runs, nothing else may use asyncio in this thread."""
    with started_browser() as browser:
        yield browser


@pytest.fixture
def visitor(chromium: Browser) -> Iterator[Visitor]:
    visitor = Visitor(chromium, viewport={"width": 1280, "height": 900})
    yield visitor
    visitor.leave()


@pytest.fixture
def page(visitor: Visitor) -> Page:
    return visitor.page()
