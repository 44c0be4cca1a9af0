"""Searches for many people at once: so many in threads, so many waiting, each with an end.

The core works without Python's lock, so that threads are as good as processes, and the server stays awake meanwhile.
What is quick does not wait behind what is long: each kind has a lane of its own.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from .http.refusals import BUSY, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from typing import Any

    Work = Callable[["Search"], Any]


SHARE = 5  # one visitor of many may have so small a part of the places, a fifth


class Stopped(Exception):
    """A search that nobody waits for any more."""


class TimeUp(Exception):
    """A search that has had its time."""


class Search:
    """A search and what it tells of itself. The work calls `check` or `tell` every tenth of a second."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = float("inf")
        self._stopped = False
        self._withdraw: Callable[[], None] = lambda: None
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._news: dict[str, Any] | None = None
        self.result: asyncio.Future[Any] = self._loop.create_future()

    # In the thread of the work

    def run(self, work: Work) -> Any:
        """Do the work, unless it has been stopped while it waited."""
        self.allow(self._seconds)
        self.check()
        return work(self)

    def allow(self, seconds: float) -> None:
        """Give the work so much time from now."""
        self._end = time.monotonic() + seconds

    def check(self, *_: object) -> None:
        """Raise if this is to end."""
        if self._stopped:
            raise Stopped
        if time.monotonic() > self._end:
            raise TimeUp

    def tell(self, news: dict[str, Any]) -> None:
        """Say how far the work is, or raise if this is to end."""
        self.check()
        self._loop.call_soon_threadsafe(self._hear, news)

    # In the thread of the server

    def _hear(self, news: dict[str, Any] | None) -> None:
        self._news = news  # in place of what nobody has read yet: who reads slowly misses some
        self._changed.set()

    def stop(self) -> None:
        """Have the search end soon; at once if it has not begun."""
        self._stopped = True
        self._withdraw()

    def when_stopped(self, withdraw: Callable[[], None]) -> None:
        """Have something done when the search is to end."""
        self._withdraw = withdraw

    async def news(self) -> AsyncIterator[dict[str, Any]]:
        """What the search tells, until it ends."""
        while not self.result.done():
            await self._changed.wait()
            self._changed.clear()
            news, self._news = self._news, None
            if news is not None:
                yield news

    def end(self, result: Any, error: BaseException | None) -> None:
        """Hand over what came of it."""
        if not self.result.done():
            if error is None:
                self.result.set_result(result)
            else:
                self.result.set_exception(error)
                self.result.exception()  # nobody may be waiting for it
        self._hear(None)


class Lane:
    """Searches of one kind: so many in threads at once, so many more waiting. Then people are asked to come back."""

    def __init__(self, name: str, at_once: int, waiting: int, *, nice: int = 0) -> None:
        self.name = name
        self.at_once = at_once
        self._most = at_once + waiting
        self._most_of_one = max(1, self._most // SHARE)
        self._searches: dict[Search, str] = {}  # and whose they are
        self._threads = ThreadPoolExecutor(at_once, name, initializer=_be_nice, initargs=(nice,))

    def begin(self, work: Work, seconds: float, visitor: str = "") -> Search:
        """Have a search done as soon as there is a thread for it, for so long at the most.

        If it is said whose search it is, there is room for so many of one visitor only.
        """
        if len(self._searches) >= self._most:
            raise Refused(BUSY, "too much is being searched already: try again in a moment")
        if visitor and list(self._searches.values()).count(visitor) >= self._most_of_one:
            raise Refused(BUSY, "too much is being searched for you already: try again in a moment")
        search = Search(seconds)
        self._searches[search] = visitor
        loop = asyncio.get_running_loop()

        def run() -> None:
            result, error = None, None
            try:
                result = search.run(work)
            except BaseException as problem:
                error = problem
            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(self._ended, search, result, error)

        place = self._threads.submit(run)

        def withdraw() -> None:
            if place.cancel():  # it was still waiting
                self._ended(search, None, Stopped())

        search.when_stopped(withdraw)
        return search

    def _ended(self, search: Search, result: Any, error: BaseException | None) -> None:
        self._searches.pop(search, None)
        search.end(result, error)

    def load(self) -> dict[str, int]:
        """How many searches run and wait."""
        running = min(len(self._searches), self.at_once)
        return {"running": running, "waiting": len(self._searches) - running}

    def close(self, *, wait: bool = False) -> None:
        """Stop all of them, and `wait` until their threads have ended."""
        self._most = 0
        for search in list(self._searches):
            search.stop()
            search.end(None, Stopped())
        self._threads.shutdown(wait=wait, cancel_futures=True)


def _be_nice(nice: int) -> None:
    """Let the threads of other lanes, and the server itself, go first. Only Linux has priorities of threads."""
    if nice and sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), nice)
