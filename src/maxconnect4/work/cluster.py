"""Who does the work: the workers of a Dask cluster. `local` has the same for this machine.

Dask knows a task by its name, whoever hands it in. If two coordinators have a task of the same name at the same time,
it is done once, the way the first one wanted it, and both get the results: fine for positions that have one value,
and wrong for games. Names that should not be shared have to have something in them that is the run's own.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import socket
import time
import warnings
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from functools import cache
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from .. import __version__
from ..errors import MaxConnect4Error, NoCluster, NotInstalled, WorkersDied, reason, shown
from .tasks import (
    Done,
    Garbled,
    Job,
    JobFailed,
    decode,
    encode,
    encoded_result,
    errors_that_travel,
    item_type,
    make_descriptors_private,
    named,
    prepare_once,
    result_type,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from distributed import Client, Future

    from .tasks import Task

    Told = tuple[str, bytes]  # the name of a task, and the places of some of its items with their results

TOPIC = "maxconnect4-done"  # under which the workers tell what they have done
TELL_EVERY = 1.0  # seconds, at the most: a scheduler of many workers has a lot to listen to
MOST_AT_WORK = 2000  # tasks that the scheduler knows at a time
LOUD = ("distributed", "distributed.client", "tornado.application")  # loggers that would write on the terminal


class ClusterWorkers:
    """The workers of the Dask scheduler at `address`. It is given `most_at_work` tasks at a time."""

    SECONDS_TO_ANSWER = 5.0  # that a scheduler has

    def __init__(self, address: str, job: Job, most_at_work: int = MOST_AT_WORK) -> None:
        self.host, self.port = host_and_port(address)
        self.address = address
        self.job = job
        self.most_at_work = most_at_work
        with self._connected():
            pass  # what is wrong shows here, before anything else is begun

    def run(self, tasks: Iterable[Task]) -> Generator[list[Done]]:
        """Do all tasks: see `Workers`. As long as the cluster has no workers, this waits for them.

        Workers finish the item that they are at, and the rest of its task, even if the work is stopped.
        """
        waiting = (task for task in tasks if task.items)
        news: SimpleQueue[Told | _Batch] = SimpleQueue()
        at_work: dict[str, _Batch] = {}
        with self._connected() as client:
            client.subscribe_topic(TOPIC, lambda event: news.put(tuple(event[1])))
            try:
                while True:
                    for task in islice(waiting, self.most_at_work - len(at_work)):
                        at_work[task.name] = _Batch(task, self.job)
                        at_work[task.name].begin(client, news)
                    if not at_work:
                        return
                    told, ended = self._next(news, client)
                    done = [each for name, data in told if name in at_work for each in at_work[name].fresh(data)]
                    if done:
                        yield done
                    for batch in ended:
                        try:
                            done = batch.result()
                        except CancelledError:
                            raise self._gone() from None
                        if done:
                            yield done
                        if batch.left and self.job.give_up:  # Dask has lost four workers with it
                            yield [batch.given_up()]
                        if batch.left:
                            batch.begin(client, news)
                        else:
                            del at_work[batch.name]
            finally:
                with suppress(Exception):  # of a scheduler that has gone away
                    client.cancel([batch.future for batch in at_work.values()])

    def _next(self, news: SimpleQueue[Told | _Batch], client: Client) -> tuple[list[Told], list[_Batch]]:
        """All that the workers have told meanwhile, and the tasks that have ended; nothing after a second."""
        told: list[Told] = []
        ended: list[_Batch] = []
        with suppress(Empty):
            while True:
                item = news.get(timeout=0 if told or ended else 1)
                if isinstance(item, _Batch):
                    ended.append(item)
                else:
                    told.append(item)
        if not told and not ended and client.status != "running":
            raise self._gone()
        return told, ended

    def _gone(self) -> NoCluster:
        return NoCluster(f"the scheduler at {self.address} has gone away")

    @contextmanager
    def _connected(self) -> Iterator[Client]:
        """A client of the scheduler, or one line on why there is none."""
        try:
            from distributed import Client
        except ImportError:
            raise NotInstalled("Dask", "cluster") from None
        for name in LOUD:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:  # first without Dask, which would keep trying
            socket.create_connection((self.host, self.port), self.SECONDS_TO_ANSWER).close()
        except (OSError, UnicodeError) as error:
            raise NoCluster(f"the scheduler at {self.address} cannot be reached: {reason(error)}") from None
        try:
            asyncio.run(asyncio.wait_for(_ask_for_a_scheduler(self.address), self.SECONDS_TO_ANSWER))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of versions that differ: a task tells if that does harm
                client = Client(self.address, timeout=self.SECONDS_TO_ANSWER, set_as_default=False)
        except Exception:  # whatever Dask made of the answer
            raise NoCluster(f"no Dask scheduler answers at {self.address}") from None
        try:
            yield client
        finally:
            client.close()


class _Batch:
    """A task that the cluster is at."""

    MOST_TRIES = 3  # in a row, without one item done; in each Dask has lost four workers

    def __init__(self, task: Task, job: Job) -> None:
        self.name = task.name
        self.job = job
        self.left: dict[int, Any] = dict(enumerate(task.items))  # by their place
        self.tries = 0
        self.future: Future = None

    def begin(self, client: Client, news: SimpleQueue[Told | _Batch]) -> None:
        """Hand it to the scheduler: what is left of it, if it has been there before."""
        self.tries += 1
        if self.tries > self.MOST_TRIES:
            raise WorkersDied(f"every worker that takes up {self.name} dies: is there enough memory?")
        key = self.name if self.future is None else f"{self.name}-last-{len(self.left)}-try-{self.tries}"
        work = encode((self.job, list(self.left), list(self.left.values())))
        self.future = client.submit(_remote(), self.name, work, __version__, key=key)
        self.future.add_done_callback(lambda _: news.put(self))

    def fresh(self, data: bytes) -> list[Done]:
        """What is new in a report. Some come twice: as they are done, with the whole task, and if its worker died."""
        fresh = []
        try:
            for place, result in decode(data, list[tuple[int, str]]):
                if place in self.left:
                    value = decode(result.encode(), result_type(self.job.function))
                    self.tries = 0
                    fresh.append(Done(self.left.pop(place), value))
        except Garbled as error:
            raise NoCluster(f"a worker sent a result that makes no sense: {reason(error)}") from None
        return fresh

    def given_up(self) -> Done:
        """The item that its workers have died at, with a result to continue with."""
        item = self.left.pop(next(iter(self.left)))
        self.tries = 0
        return Done(item, named(self.job.give_up)(item, []))

    def result(self) -> list[Done]:
        """What came of it, now that it has ended: nothing, if all is known or if its workers have died.

        What went wrong is raised; CancelledError, if the scheduler has gone away.
        """
        from distributed import KilledWorker

        error = self.future.exception()
        if isinstance(error, (MaxConnect4Error, JobFailed, CancelledError)):
            raise error
        if error is not None and not isinstance(error, KilledWorker):
            words = " ".join(f"{type(error).__name__}: {error}".split())
            raise NoCluster(f"a worker failed, is maxconnect4 {__version__} installed there? {words[:200]}")
        return self.fresh(self.future.result()) if self.left and error is None else []


async def _ask_for_a_scheduler(address: str) -> None:
    """Return if one answers, and raise anything if not. Dask's own client waits for ever if nothing is said at all."""
    from distributed.comm import connect

    comm = await connect(address)
    try:
        await comm.write({"op": "identity", "reply": True})
        if (await comm.read())["type"] != "Scheduler":
            raise ValueError
    finally:
        comm.abort()


def _remote() -> Callable[[str, bytes, str], bytes]:
    """`do_task`, in a function that Dask sends as it is, not by name.

    The scheduler then needs no maxconnect4; and a worker without one says so, where it would otherwise die of a name
    that it cannot look up.
    """

    def remote(name: str, work: bytes, version: str) -> bytes:
        from distributed import get_worker

        try:
            from maxconnect4.work.cluster import do_task
        except ImportError as error:
            raise ImportError(f"{error}, at {get_worker().address}") from None
        return do_task(name, work, version)

    return remote


# In the worker

_turn = Lock()  # a process does one item at a time, however many threads it has


def do_task(name: str, work: bytes, version: str) -> bytes:
    """What a worker does: the items of a task one after another, and tell of them meanwhile. See `_Batch.fresh`."""
    from distributed import get_worker

    worker = get_worker()
    if version != __version__:
        raise NoCluster(f"the worker at {worker.address} has maxconnect4 {__version__}, and here it is {version}")
    make_descriptors_private()
    job, places, values = decode(work, tuple[Job, list[int], list[Any]])
    with _turn:
        named(job.function)  # if there is none, the worker is to blame, not the job
        prepare_once(job.prepare)
        _call_at_exit(job.end)
    with errors_that_travel():
        items = decode(encode(values), list[item_type(job.function)])  # type: ignore[misc]
    done: list[tuple[int, str]] = []
    told, next_time = 0, time.monotonic() + TELL_EVERY
    for place, item in zip(places, items, strict=True):
        with _turn:
            done.append((place, encoded_result(job, item).decode()))
        if len(items) > 1 and (time.monotonic() >= next_time or len(done) == len(items)):
            worker.log_event(TOPIC, (name, encode(done[told:])))
            told, next_time = len(done), time.monotonic() + TELL_EVERY
    return encode(done)


@cache
def _call_at_exit(end: str) -> None:
    if end:
        atexit.register(named(end))


def host_and_port(address: str) -> tuple[str, int]:
    """The two parts of an address such as tcp://node7:8786."""
    try:
        parts = urlsplit(address)
        plain = address.isprintable() and "@" not in address and address == f"tcp://{parts.netloc}"
        if plain and parts.hostname and parts.port:
            return parts.hostname, parts.port
    except ValueError:
        pass
    raise NoCluster(f"{shown(address)} is not the address of a scheduler, such as tcp://node7:8786")
