"""Jobs of the server: work in threads with a time limit, a queue for each kind, and updates while a job runs.

The core releases Python's global interpreter lock, so threads are as fast as processes and the server stays responsive.
Each kind of job has its own queue and threads, so quick jobs do not wait for long ones.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Generic, TypeVar

from ..errors import SearchStopped

Result = TypeVar("Result")
CLIENT_SHARE = 5  # a client gets at most a fifth of the capacity of a queue


class QueueFull(Exception):
    """A queue that is full, or that has no more capacity for this client."""


class Job(Generic[Result]):
    """Work in a thread, with its updates and its result.

    The work has to call `stopped` or `check` about ten times a second.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._deadline = float("inf")
        self.cancelled = False
        self._loop = asyncio.get_running_loop()
        self._updated = asyncio.Event()
        self._update: Any = None
        self.future: Future[None] | None = None  # of the thread pool
        self.result: asyncio.Future[Result] = self._loop.create_future()

    # In the thread of the work

    def run(self, work: Callable[[Job[Result]], Result]) -> Result:
        """Do the work, unless the job was cancelled while it waited.

        Raises:
            SearchStopped: If the time limit is over or the job was cancelled.
        """
        self.limit(self._seconds)
        self.check()
        try:
            return work(self)
        except SearchStopped:
            self.check()  # raises with the reason
            raise

    def limit(self, seconds: float) -> None:
        """Set the time limit, counted from now."""
        self._deadline = time.monotonic() + seconds

    def stopped(self) -> bool:
        """Whether the work has to stop: the job was cancelled, or its time limit is over."""
        return self.cancelled or time.monotonic() > self._deadline

    def check(self) -> None:
        """Raise `SearchStopped` if the work has to stop."""
        if self.cancelled:
            raise SearchStopped
        if self.stopped():
            raise SearchStopped("the search took too long and was stopped", timed_out=True)

    def publish(self, update: Any) -> None:
        """Publish the state of the work."""
        self._loop.call_soon_threadsafe(self._set_update, update)

    # In the thread of the server

    def _set_update(self, update: Any) -> None:
        self._update = update  # replaces an unread update: a slow reader misses some
        self._updated.set()

    def cancel(self) -> None:
        """Stop the work soon, or immediately if it has not started."""
        self.cancelled = True
        if self.future is not None:
            self.future.cancel()

    async def updates(self) -> AsyncIterator[Any]:
        """The updates, until the job ends."""
        while not self.result.done():
            await self._updated.wait()
            self._updated.clear()
            update, self._update = self._update, None
            if update is not None:
                yield update

    def end(self, result: Result | None, error: BaseException | None) -> None:
        """Set the result, or the error."""
        if not self.result.done():
            if error is None:
                self.result.set_result(result)  # type: ignore[arg-type]
            else:
                self.result.set_exception(error)
                self.result.exception()  # marks it as retrieved: nothing may be waiting for it
        self._set_update(None)


class JobQueue:
    """Jobs of one kind. Some run in threads, others wait; when the queue is full, `QueueFull` is raised."""

    def __init__(self, name: str, threads: int, waiting: int, *, nice: int = 0) -> None:
        self.name = name
        self._max_running = threads
        self._capacity = threads + waiting
        self._client_capacity = max(1, self._capacity // CLIENT_SHARE)
        self._jobs: dict[Job[Any], str] = {}  # and their clients
        self._threads = ThreadPoolExecutor(threads, name, initializer=_set_priority, initargs=(nice,))

    def submit(self, work: Callable[[Job[Result]], Result], seconds: float, client: str = "") -> Job[Result]:
        """Queue work with a time limit.

        Args:
            work: The work, which gets its job.
            seconds: The time limit, counted from the start of the work.
            client: The client, whose share of the queue is limited; no limit if empty.

        Raises:
            QueueFull: If the queue is full, or the share of the client is used up.
        """
        if len(self._jobs) >= self._capacity:
            raise QueueFull("too many searches are running: try again in a moment")
        if client and list(self._jobs.values()).count(client) >= self._client_capacity:
            raise QueueFull("too many of your searches are running: try again in a moment")
        job = Job[Result](seconds)
        self._jobs[job] = client
        loop = asyncio.get_running_loop()

        def run() -> None:
            result, error = None, None
            try:
                result = job.run(work)
            except BaseException as problem:
                error = problem
            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(self._end, job, result, error)

        def end_if_cancelled(future: Future[None]) -> None:
            if future.cancelled():
                self._end(job, None, SearchStopped())

        job.future = self._threads.submit(run)
        job.future.add_done_callback(end_if_cancelled)
        return job

    def _end(self, job: Job[Any], result: Any, error: BaseException | None) -> None:
        self._jobs.pop(job, None)
        job.end(result, error)

    def load(self) -> dict[str, int]:
        """The numbers of running and waiting jobs."""
        running = min(len(self._jobs), self._max_running)
        return {"running": running, "waiting": len(self._jobs) - running}

    def close(self, *, wait: bool = False) -> None:
        """Cancel all jobs, and with `wait` also wait until their threads have ended."""
        self._capacity = 0
        for job in list(self._jobs):
            job.cancel()
            job.end(None, SearchStopped("the server is stopping"))
        self._threads.shutdown(wait=wait, cancel_futures=True)


def _set_priority(nice: int) -> None:
    """Lower the priority of the current thread. Only Linux has thread priorities."""
    if nice and sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), nice)
