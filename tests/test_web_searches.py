"""Searches are bounded in number and in time, and end when nobody waits for them."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator

import pytest
from asking import Asking

from maxconnect4.web.refusals import Refused
from maxconnect4.web.searches import Lane, Search, Stopped, TimeUp


@pytest.fixture
def lane() -> Iterator[Lane]:
    lane = Lane("test", at_once=2, waiting=1)
    yield lane
    lane.close()


def working(search: Search) -> None:
    """Work that never ends by itself."""
    while True:
        search.check()
        time.sleep(0.001)


def short(search: Search) -> str:
    time.sleep(0.1)
    search.check()
    return "done"


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def in_time() -> None:
        async with asyncio.timeout(20):
            await test()

    asyncio.run(in_time())


def test_so_many_run_and_wait_and_then_people_are_asked_to_come_back(lane: Lane) -> None:
    async def test() -> None:
        searches = [lane.begin(working, 60) for _ in range(3)]
        assert lane.load() == {"running": 2, "waiting": 1}
        with pytest.raises(Refused, match="too much is being searched already: try again in a moment") as refused:
            lane.begin(working, 60)
        assert (refused.value.status, refused.value.headers) == (503, {"Retry-After": "2"})
        for search in searches:
            search.stop()
            with pytest.raises(Stopped):
                await search.result
        assert lane.load() == {"running": 0, "waiting": 0}

    run(test)


def test_one_that_was_stopped_while_it_waited_is_never_begun(lane: Lane) -> None:
    begun: list[Search] = []

    async def test() -> None:
        first, second, waiting = lane.begin(working, 60), lane.begin(working, 60), lane.begin(begun.append, 60)
        waiting.stop()
        first.stop()
        second.stop()
        with pytest.raises(Stopped):
            await waiting.result

    run(test)
    assert begun == []


def test_who_goes_away_while_waiting_does_not_keep_a_place(lane: Lane) -> None:
    async def test() -> None:
        running = [lane.begin(working, 60) for _ in range(2)]
        for _ in range(5):
            waiting = lane.begin(working, 60)
            assert lane.load() == {"running": 2, "waiting": 1}
            waiting.stop()
            assert lane.load() == {"running": 2, "waiting": 0}
        for search in running:
            search.stop()
        for search in running:
            with pytest.raises(Stopped):
                await search.result

    run(test)


def test_the_time_counts_from_when_a_search_begins(lane: Lane) -> None:
    async def test() -> None:
        slow = [lane.begin(working, 0.3) for _ in range(2)]
        waiting = lane.begin(short, 0.25)
        assert await waiting.result == "done"
        for search in slow:
            with pytest.raises(TimeUp):
                await search.result

    run(test)


def test_who_listens_slowly_misses_news_but_not_the_end(lane: Lane) -> None:
    told = threading.Event()

    def work(search: Search) -> str:
        for number in range(100):
            search.tell({"number": number})
        told.set()
        return "done"

    async def test() -> None:
        search = lane.begin(work, 60)
        while not told.is_set():
            await asyncio.sleep(0.001)
        heard = [news["number"] async for news in search.news()]
        assert heard in ([99], [])
        assert await search.result == "done"

    run(test)


def test_all_end_when_the_server_ends(lane: Lane) -> None:
    async def test() -> None:
        searches = [lane.begin(working, 60) for _ in range(3)]
        lane.close()
        for search in searches:
            with pytest.raises(Stopped):
                await search.result
        with pytest.raises(Refused):
            lane.begin(working, 60)

    run(test)


def test_an_error_in_a_search_is_the_error_of_who_asked(lane: Lane) -> None:
    async def test() -> None:
        with pytest.raises(ZeroDivisionError):
            await lane.begin(lambda _: 1 / 0, 60).result

    run(test)


def test_the_computer_answers_though_all_places_for_analyses_are_taken(somebody: Asking) -> None:
    async def fill() -> list[Search]:
        searches = []
        while True:
            try:
                searches.append(somebody.service.studies.begin(working, 60))
            except Refused:
                return searches

    searches = somebody.runner.run(fill())
    answer = somebody.ask("GET", "/api/v1/analysis")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
    assert somebody.ask("GET", "/api/v1/analysis/events").status_code == 503
    assert somebody.get("/choice", level=4)["column"] in range(1, 8)
    assert somebody.get("/choice")["exact"]
    for search in searches:
        search.stop()
