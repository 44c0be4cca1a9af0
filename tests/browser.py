"""A real browser for the tests, without a window: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import pytest
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

# The headless shell is Chromium without its windows: it needs a quarter less CPU time.
PROGRAMS = ("chromium-headless-shell", "chromium", "google-chrome")
PROGRAM = next(filter(None, map(shutil.which, PROGRAMS)), None)
OPTIONS = (
    *("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-quic", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--font-render-hinting=none"),
    *("--in-process-gpu", "--enable-features=NetworkServiceInProcess2"),  # two processes fewer, a page opens sooner
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # a page that asks for anything else is not to get it
)
PATIENCE = 20_000  # milliseconds, on a machine that is busy with other tests
# The storage of an earlier test is deleted when a document begins, as the document before it can no longer write.
FORGET = "if (origin.startsWith('http') && 'used' in sessionStorage) { sessionStorage.clear(); localStorage.clear(); }"
# The first lesson starts on the first visit of a browser; only its tests are visitors of that kind.
SEEN = "if (origin.startsWith('http')) localStorage.setItem('maxconnect4.lesson', 'seen')"
LOCAL = ("http://127.0.0.1:", "file:", "data:", "blob:")


def lacks(words: str) -> NoReturn:
    """Skip a test that this machine cannot do; in CI it fails."""
    if os.environ.get("CI") == "true":
        pytest.fail(words)
    pytest.skip(words)


class _Playwright:
    """The event loop of Playwright, while there is a browser."""

    loop: asyncio.AbstractEventLoop | None = None


@contextmanager
def started_browser() -> Iterator[Browser]:
    """A browser."""
    if PROGRAM is None:
        lacks("there is no Chromium")
    with sync_playwright() as playwright:
        _Playwright.loop = asyncio._get_running_loop()
        expect.set_options(timeout=PATIENCE)
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=OPTIONS)
        yield browser
        let_browser_run(True)
        browser.close()
        _Playwright.loop = None


def let_browser_run(runs: bool) -> None:
    """Make Playwright's event loop the running one of this thread, or let others run there.

    Between two calls of Playwright its loop waits in the middle of a callback, and asyncio takes it for a running one.
    """
    if _Playwright.loop is not None:
        asyncio._set_running_loop(_Playwright.loop if runs else None)
        asyncio.set_event_loop(_Playwright.loop if runs else None)


class Visitor:
    """Opens pages in a browser context of its own, and records everything that goes wrong there.

    Args:
        browser: The browser.
        intercepting: Whether tests may intercept requests. A request that a page sends just when Chromium begins or
            ceases to intercept may never be answered: it begins here, and never ceases. It has no HTTP cache then.
        first_visit: Whether the first lesson starts.
        settings: Those of the context.
    """

    def __init__(
        self, browser: Browser, *, intercepting: bool = False, first_visit: bool = False, **settings: Any
    ) -> None:
        self.complaints: list[str] = []
        self.forgiven = False
        self.settings = settings
        self.context = browser.new_context(**settings)
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(FORGET)
        if not first_visit:
            self.context.add_init_script(SEEN)
        if intercepting:
            self.context.route("**/nothing", lambda route: route.continue_())
        self.context.on("weberror", lambda error: self.complaints.append(f"uncaught: {error.error}"))
        self.context.on("console", self._hear)
        self.context.on("request", self._look_where)
        self.context.on("requestfailed", self._miss)

    def page(self) -> Page:
        """A new page."""
        return self.context.new_page()

    def forgive(self, *words: str) -> None:
        """Complaints with these words were to come; without any of them the test fails."""
        self.forgiven = True
        for each in words:
            assert any(each in complaint for complaint in self.complaints), self.complaints
        self.complaints[:] = [it for it in self.complaints if not any(each in it for each in words)]

    def rest(self) -> None:
        """Forget the test: the next one finds the same page, which is quick to open again, as if it were a new one.

        The page stays where it is until then; what it has stored is deleted when the next document begins.
        """
        page, *others = self.context.pages or [self.page()]
        for each in others:
            each.close()
        if page.url.startswith("http"):
            page.evaluate("sessionStorage.setItem('used', '')")
        if self.forgiven:
            page.goto("about:blank")  # so that the next test does not hear of it
        page.set_viewport_size(self.settings["viewport"])
        page.emulate_media(color_scheme="light", forced_colors="none", reduced_motion="reduce")
        self.context.clear_permissions()
        complaints, self.complaints, self.forgiven = self.complaints, [], False
        assert complaints == []

    def leave(self) -> None:
        """Close everything. A page that has complained fails the test."""
        let_browser_run(True)  # at the end of all tests the last one may have had no browser
        self.context.close()
        assert self.complaints == []

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning", "assert"):
            self.complaints.append(f"{message.type}: {message.text} ({message.location['url']})")

    def _look_where(self, request: Any) -> None:
        if not request.url.startswith(LOCAL):
            self.complaints.append(f"asks for {request.url}")

    def _miss(self, request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # what a page has itself ended, such as a stream of events
            self.complaints.append(f"{request.failure}: {request.url}")


class Held:
    """The requests for an address, which reach the server no sooner than they are let go."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.routes: list[Route] = []
        page.route(address, lambda route: self.routes.append(route))

    def wait(self) -> None:
        """Wait until the browser has asked."""
        end = time.monotonic() + PATIENCE / 1000
        while not self.routes:
            assert time.monotonic() < end, f"no request for {self.address}"
            self.page.wait_for_timeout(10)  # which lets Playwright tell of requests

    def let_go(self) -> None:
        """Let the one request through, wait for its answer, and hold no more."""
        self.wait()
        (route,) = self.routes
        with self.page.expect_response(self.address):
            route.continue_()
        self.page.unroute(self.address)
