"""Searches are bounded in number and in time, and end when nobody waits for them."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from api_client import ApiClient, api_client

from maxconnect4.errors import SearchStopped
from maxconnect4.web.api import TimeLimits
from maxconnect4.web.jobs import Job, JobQueue, QueueFull


@pytest.fixture
def queue() -> Iterator[JobQueue]:
    queue = JobQueue("test", threads=2, waiting=1)
    yield queue
    queue.close()


def working(job: Job[Any]) -> None:
    """Work that never ends by itself."""
    while True:
        job.check()
        time.sleep(0.001)


def short(job: Job[Any]) -> str:
    job.check()
    return "done"


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def in_time() -> None:
        async with asyncio.timeout(20):
            await test()

    asyncio.run(in_time())


def test_a_full_queue_refuses_further_jobs(queue: JobQueue) -> None:
    async def test() -> None:
        jobs = [queue.submit(working, 60) for _ in range(3)]
        assert queue.load() == {"running": 2, "waiting": 1}
        with pytest.raises(QueueFull, match="too many searches are running"):
            queue.submit(working, 60)
        for job in jobs:
            job.cancel()
            with pytest.raises(SearchStopped):
                await job.result
        assert queue.load() == {"running": 0, "waiting": 0}

    run(test)


def test_a_job_cancelled_while_waiting_never_starts(queue: JobQueue) -> None:
    begun: list[Job[Any]] = []

    async def test() -> None:
        first, second, waiting = queue.submit(working, 60), queue.submit(working, 60), queue.submit(begun.append, 60)
        waiting.cancel()
        first.cancel()
        second.cancel()
        with pytest.raises(SearchStopped):
            await waiting.result

    run(test)
    assert begun == []


def test_a_client_that_disconnects_while_waiting_frees_its_place(queue: JobQueue) -> None:
    async def test() -> None:
        running = [queue.submit(working, 60) for _ in range(2)]
        for _ in range(5):
            waiting = queue.submit(working, 60)
            assert queue.load() == {"running": 2, "waiting": 1}
            waiting.cancel()
            assert queue.load() == {"running": 2, "waiting": 0}
        for job in running:
            job.cancel()
        for job in running:
            with pytest.raises(SearchStopped):
                await job.result

    run(test)


def test_the_time_counts_from_when_a_search_begins(queue: JobQueue) -> None:
    async def test() -> None:
        slow = [queue.submit(working, 1.0) for _ in range(2)]
        waiting = queue.submit(short, 0.9)
        assert await waiting.result == "done"
        for job in slow:
            with pytest.raises(SearchStopped) as stopped:
                await job.result
            assert stopped.value.timed_out

    run(test)


def test_a_slow_reader_misses_updates_but_not_the_result(queue: JobQueue) -> None:
    told = threading.Event()

    def work(job: Job[Any]) -> str:
        for number in range(100):
            job.publish({"number": number})
        told.set()
        return "done"

    async def test() -> None:
        job = queue.submit(work, 60)
        while not told.is_set():
            await asyncio.sleep(0.001)
        heard = [news["number"] async for news in job.updates()]
        assert heard in ([99], [])
        assert await job.result == "done"

    run(test)


def test_all_end_when_the_server_ends(queue: JobQueue) -> None:
    async def test() -> None:
        jobs = [queue.submit(working, 60) for _ in range(3)]
        queue.close()
        for job in jobs:
            with pytest.raises(SearchStopped):
                await job.result
        with pytest.raises(QueueFull):
            queue.submit(working, 60)

    run(test)


def test_an_error_in_a_search_is_the_error_of_who_asked(queue: JobQueue) -> None:
    async def test() -> None:
        with pytest.raises(ZeroDivisionError):
            await queue.submit(lambda _: 1 / 0, 60).result

    run(test)


def test_one_of_many_clients_gets_a_share_of_the_queue() -> None:
    queue = JobQueue("test", threads=2, waiting=8)

    async def test() -> None:
        jobs = [queue.submit(working, 60, who) for who in ("192.0.2.1", "192.0.2.2") * 2]
        for who in ("192.0.2.1", "192.0.2.2"):
            with pytest.raises(QueueFull, match="too many of your searches are running"):
                queue.submit(working, 60, who)
        jobs[0].cancel()
        with pytest.raises(SearchStopped):
            await jobs[0].result
        queue.submit(working, 60, "192.0.2.1")
        queue.submit(working, 60, "192.0.2.3")

    try:
        run(test)
    finally:
        queue.close()


def test_on_a_shared_server_one_address_cannot_fill_the_queue(tmp_path: Path) -> None:
    with api_client(tmp_path, shared=True) as client:
        jobs = filled(client, client.service.analyses, visitor="127.0.0.1")
        assert len(jobs) == 4
        words = "too many of your searches are running: try again in a moment"
        assert client.refused("GET", "/analysis", 503) == words
        assert client.get("/choice", level=1)["column"] in range(1, 8)
        for job in jobs:
            job.cancel()


def filled(client: ApiClient, queue: JobQueue, visitor: str = "") -> list[Job[Any]]:
    """Searches that take all places of a queue, or all of one visitor's."""

    async def fill() -> list[Job[Any]]:
        jobs = []
        while True:
            try:
                jobs.append(queue.submit(working, 60, visitor))
            except QueueFull:
                return jobs

    return client.runner.run(fill())


@pytest.mark.parametrize("path", ["/choice?depth=42", "/choice?depth=9", "/tree?depth=4", "/tree.svg?depth=1"])
def test_long_jobs_do_not_delay_moves(tmp_path: Path, path: str) -> None:
    with api_client(tmp_path, limits=TimeLimits(move_seconds=0.3)) as client:
        service = client.service
        jobs = filled(client, service.analyses) + filled(client, service.trees)
        client.refused("GET", path, 503)
        assert client.get("/choice", depth=8)["depth"] == 8
        for job in jobs:
            job.cancel()


def test_a_tree_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    with api_client(tmp_path, limits=TimeLimits(move_seconds=0.0)) as client:
        path = "/tree?depth=4&pruning=false"
        assert client.refused("GET", path, 503) == "the search took too long and was stopped"


def test_the_computer_answers_though_all_places_for_analyses_are_taken(client: ApiClient) -> None:
    jobs = filled(client, client.service.analyses)
    answer = client.ask("GET", "/api/v2/analysis")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
    assert client.ask("GET", "/api/v2/analysis/events").status_code == 503
    assert client.get("/choice", level=4)["column"] in range(1, 8)
    assert client.get("/choice")["exact"]
    for job in jobs:
        job.cancel()
