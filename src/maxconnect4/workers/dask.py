"""Workers of a Dask cluster.

Dask identifies tasks of all clients by their names. If two coordinators submit tasks with the same name at the same
time, Dask runs the first one and sends its results to both. This is correct for positions, which have one value, but
not for games: a task that must not be shared has a name that is unique to its run.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import socket
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from functools import cache
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any, Generic
from urllib.parse import urlsplit

from .. import __version__
from ..errors import ClusterUnavailable, MaxConnect4Error, WorkersCrashed, error_reason, quote, requires_extra
from . import (
    Done,
    InvalidMessage,
    Item,
    JobFailed,
    JobNames,
    Output,
    Task,
    WorkerJob,
    call_once,
    decode,
    encode,
    encoded_result,
    import_function,
    item_type,
    make_descriptors_private,
    sendable_errors,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from distributed import Client, Future

Report = tuple[str, bytes]  # the name of a task, and the indices of some of its items with their results

TOPIC = "maxconnect4-done"  # of the reports that workers publish
REPORT_INTERVAL = 1.0  # seconds between two reports of a worker, as many workers share a scheduler
MAX_SUBMITTED = 2000  # submitted tasks at a time
TERMINAL_LOGGERS = ("distributed", "distributed.client", "tornado.application")  # loggers that write to the terminal


class ClusterWorkers(Generic[Item, Output]):
    """The workers of the Dask scheduler at `address`, with at most `max_submitted` submitted tasks at a time."""

    CONNECT_SECONDS = 5.0  # time limit for the first response of a scheduler

    def __init__(self, address: str, job: WorkerJob[Item, Output], max_submitted: int = MAX_SUBMITTED) -> None:
        self.host, self.port = host_and_port(address)
        self.address = address
        self.job = job
        self.max_submitted = max_submitted
        with self._connected():
            pass  # raises an error for an unusable scheduler before any other work

    def run(self, tasks: Iterable[Task[Item]]) -> Generator[list[Done[Item, Output]]]:
        """Run all tasks: see `Workers`. If the cluster has no workers, wait for them.

        If the work is stopped, the workers still finish their current tasks.
        """
        waiting = (task for task in tasks if task.items)
        events: SimpleQueue[Report | _Batch[Item, Output]] = SimpleQueue()
        submitted: dict[str, _Batch[Item, Output]] = {}
        with self._connected() as client:
            client.subscribe_topic(TOPIC, lambda event: events.put(tuple(event[1])))
            try:
                while True:
                    for task in islice(waiting, self.max_submitted - len(submitted)):
                        submitted[task.name] = _Batch(task, self.job)
                        submitted[task.name].submit(client, events)
                    if not submitted:
                        return
                    reports, ended = self._next_events(events, client)
                    done = [
                        each
                        for name, data in reports
                        if name in submitted
                        for each in submitted[name].new_results(data)
                    ]
                    if done:
                        yield done
                    for batch in ended:
                        try:
                            done = batch.result()
                        except CancelledError:
                            raise self._connection_lost() from None
                        if done:
                            yield done
                        if batch.left and self.job.give_up:  # four workers of Dask have died with it
                            yield [batch.give_up_item(self.job.give_up)]
                        if batch.left:
                            batch.submit(client, events)
                        else:
                            del submitted[batch.name]
            finally:
                with suppress(Exception):  # the scheduler may be unreachable
                    client.cancel([batch.future for batch in submitted.values()])

    def _next_events(
        self, events: SimpleQueue[Report | _Batch[Item, Output]], client: Client
    ) -> tuple[list[Report], list[_Batch[Item, Output]]]:
        """All new reports of workers and all newly ended tasks, after waiting for at most a second."""
        reports: list[Report] = []
        ended: list[_Batch[Item, Output]] = []
        with suppress(Empty):
            while True:
                item = events.get(timeout=0 if reports or ended else 1)
                if isinstance(item, _Batch):
                    ended.append(item)
                else:
                    reports.append(item)
        if not reports and not ended and client.status != "running":
            raise self._connection_lost()
        return reports, ended

    def _connection_lost(self) -> ClusterUnavailable:
        return ClusterUnavailable(f"the connection to the scheduler at {self.address} is lost")

    @contextmanager
    def _connected(self) -> Iterator[Client]:
        """Connect a client to the scheduler. Raises ClusterUnavailable if the address has no scheduler."""
        with requires_extra("cluster"):
            from distributed import Client
        for name in TERMINAL_LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:  # first without Dask, which retries for a long time
            socket.create_connection((self.host, self.port), self.CONNECT_SECONDS).close()
        except (OSError, UnicodeError) as error:
            raise ClusterUnavailable(
                f"the scheduler at {self.address} cannot be reached: {error_reason(error)}"
            ) from None
        try:
            asyncio.run(asyncio.wait_for(_identify_scheduler(self.address), self.CONNECT_SECONDS))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about different versions: incompatible ones make tasks fail
                client = Client(self.address, timeout=self.CONNECT_SECONDS, set_as_default=False)
        except Exception:  # Dask raises many kinds of exceptions for the response of another server
            raise ClusterUnavailable(f"there is no Dask scheduler at {self.address}") from None
        try:
            yield client
        finally:
            client.close()


class _Batch(Generic[Item, Output]):
    """A submitted task with its items without a result."""

    MAX_TRIES = 3  # in a row without a new result; in each of them four workers of Dask have died

    def __init__(self, task: Task[Item], job: WorkerJob[Item, Output]) -> None:
        self.name = task.name
        self.job = job
        self.left: dict[int, Item] = dict(enumerate(task.items))  # by index
        self.tries = 0
        self.future: Future = None

    def submit(self, client: Client, events: SimpleQueue[Report | _Batch[Item, Output]]) -> None:
        """Submit the items without a result."""
        self.tries += 1
        if self.tries > self.MAX_TRIES:
            raise WorkersCrashed(f"every worker that runs {self.name} dies: check the memory of the workers")
        key = self.name if self.future is None else f"{self.name}-last-{len(self.left)}-try-{self.tries}"
        payload = encode((self.job.names, list(self.left), list(self.left.values())))
        self.future = client.submit(_remote(), self.name, payload, __version__, key=key)
        self.future.add_done_callback(lambda _: events.put(self))

    def new_results(self, data: bytes) -> list[Done[Item, Output]]:
        """The new results of a report. Results are repeated at the end of a task, and if the task is run again."""
        new = []
        try:
            for index, result in decode(data, list[tuple[int, str]]):
                if index in self.left:
                    value = decode(result.encode(), self.job.result_type)
                    self.tries = 0
                    new.append(Done(self.left.pop(index), value))
        except InvalidMessage as error:
            raise ClusterUnavailable(f"a worker sent an invalid result: {error_reason(error)}") from None
        return new

    def give_up_item(self, give_up: Callable[[Item, list[str]], Output]) -> Done[Item, Output]:
        """Give up the first item without a result, at which the workers have died."""
        item = self.left.pop(next(iter(self.left)))
        self.tries = 0
        return Done(item, give_up(item, []))

    def result(self) -> list[Done[Item, Output]]:
        """The new results at the end of the task; empty if its workers have died.

        Raises the error of the job, ClusterUnavailable for any other error of the cluster, or CancelledError if the
        connection to the scheduler is lost.
        """
        from distributed import KilledWorker

        error = self.future.exception()
        if isinstance(error, (MaxConnect4Error, JobFailed, CancelledError)):
            raise error
        if error is not None and not isinstance(error, KilledWorker):
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise ClusterUnavailable(f"a worker failed: install maxconnect4 {__version__} there: {reason[:200]}")
        return self.new_results(self.future.result()) if self.left and error is None else []


async def _identify_scheduler(address: str) -> None:
    """Raise an exception unless a scheduler responds. Dask's own client waits forever for a server without response."""
    from distributed.comm import connect

    comm = await connect(address)
    try:
        await comm.write({"op": "identity", "reply": True})
        if (await comm.read())["type"] != "Scheduler":
            raise ValueError
    finally:
        comm.abort()


def _remote() -> Callable[[str, bytes, str], bytes]:
    """`run_task` in a function that Dask sends by value, not by name.

    So the scheduler does not need maxconnect4, and a worker without maxconnect4 reports an error instead of dying.
    """

    def remote(name: str, payload: bytes, version: str) -> bytes:
        from distributed import get_worker

        try:
            from maxconnect4.workers.dask import run_task
        except ImportError as error:
            raise ImportError(f"{error}, at {get_worker().address}") from None
        return run_task(name, payload, version)

    return remote


# In the worker

_item_lock = Lock()  # a process runs one item at a time, in any of its threads


def run_task(name: str, payload: bytes, version: str) -> bytes:
    """Run the items of a task in sequence, and publish reports with their results."""
    from distributed import get_worker

    worker = get_worker()
    if version != __version__:
        raise ClusterUnavailable(
            f"the worker at {worker.address} has maxconnect4 {__version__}, this machine has {version}"
        )
    make_descriptors_private()
    job, indices, values = decode(payload, tuple[JobNames, list[int], list[Any]])
    with _item_lock:
        function = import_function(job.function)  # outside sendable_errors: an ImportError is not an error of the job
        call_once(job.set_up)
        _call_at_exit(job.shut_down)
    with sendable_errors():
        items = decode(encode(values), list[item_type(function)])  # type: ignore[misc]
    done: list[tuple[int, str]] = []
    reported, next_report = 0, time.monotonic() + REPORT_INTERVAL
    for index, item in zip(indices, items, strict=True):
        with _item_lock:
            done.append((index, encoded_result(job, item).decode()))
        if len(items) > 1 and (time.monotonic() >= next_report or len(done) == len(items)):
            worker.log_event(TOPIC, (name, encode(done[reported:])))
            reported, next_report = len(done), time.monotonic() + REPORT_INTERVAL
    return encode(done)


@cache
def _call_at_exit(name: str) -> None:
    if name:
        atexit.register(import_function(name))


def host_and_port(address: str) -> tuple[str, int]:
    """Parse an address such as tcp://node7:8786. Returns its host and port."""
    try:
        parts = urlsplit(address)
        plain = address.isprintable() and "@" not in address and address == f"tcp://{parts.netloc}"
        if plain and parts.hostname and parts.port:
            return parts.hostname, parts.port
    except ValueError:
        pass
    raise ClusterUnavailable(f"{quote(address)} is not an address of a scheduler: use the form tcp://node7:8786")
