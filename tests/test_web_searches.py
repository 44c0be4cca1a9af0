"""Searches are bounded in number and in time, and end when nobody waits for them."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from asking import Asking, asking

from maxconnect4.web.http.refusals import Refused
from maxconnect4.web.interface.service import Limits
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
        slow = [lane.begin(working, 1.0) for _ in range(2)]
        waiting = lane.begin(short, 0.9)
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


def test_one_visitor_of_many_gets_a_part_of_the_places() -> None:
    lane = Lane("test", at_once=2, waiting=8)

    async def test() -> None:
        searches = [lane.begin(working, 60, who) for who in ("192.0.2.1", "192.0.2.2") * 2]
        for who in ("192.0.2.1", "192.0.2.2"):
            with pytest.raises(Refused, match="too much is being searched for you already"):
                lane.begin(working, 60, who)
        searches[0].stop()
        with pytest.raises(Stopped):
            await searches[0].result
        lane.begin(working, 60, "192.0.2.1")
        lane.begin(working, 60, "192.0.2.3")

    try:
        run(test)
    finally:
        lane.close()


def test_on_a_shared_server_one_address_does_not_take_all_places(tmp_path: Path) -> None:
    with asking(tmp_path, shared=True) as somebody:
        searches = filled(somebody, somebody.service.studies, visitor="127.0.0.1")
        assert len(searches) == 4
        words = "too much is being searched for you already: try again in a moment"
        assert somebody.refused("GET", "/analysis", 503) == words
        assert somebody.get("/choice", level=1)["column"] in range(1, 8)
        for search in searches:
            search.stop()


def filled(somebody: Asking, lane: Lane, visitor: str = "") -> list[Search]:
    """Searches that take all places of a lane, or all of one visitor's."""

    async def fill() -> list[Search]:
        searches = []
        while True:
            try:
                searches.append(lane.begin(working, 60, visitor))
            except Refused:
                return searches

    return somebody.runner.run(fill())


@pytest.mark.parametrize("path", ["/choice?depth=42", "/choice?depth=9", "/tree?depth=4", "/tree.svg?depth=1"])
def test_what_takes_long_is_not_in_the_way_of_moves(tmp_path: Path, path: str) -> None:
    with asking(tmp_path, limits=Limits(move_seconds=0.3)) as somebody:
        service = somebody.service
        searches = filled(somebody, service.studies) + filled(somebody, service.trees)
        somebody.refused("GET", path, 503)
        assert somebody.get("/choice", depth=8)["depth"] == 8
        for search in searches:
            search.stop()


def test_a_tree_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    with asking(tmp_path, limits=Limits(move_seconds=0.0)) as somebody:
        path = "/tree?depth=4&pruning=false"
        assert somebody.refused("GET", path, 503) == "this took too long, and was stopped"


def test_the_computer_answers_though_all_places_for_analyses_are_taken(somebody: Asking) -> None:
    searches = filled(somebody, somebody.service.studies)
    answer = somebody.ask("GET", "/api/v1/analysis")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
    assert somebody.ask("GET", "/api/v1/analysis/events").status_code == 503
    assert somebody.get("/choice", level=4)["column"] in range(1, 8)
    assert somebody.get("/choice")["exact"]
    for search in searches:
        search.stop()
