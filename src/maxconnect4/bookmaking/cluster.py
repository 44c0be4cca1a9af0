"""Who solves the positions of a book: the workers of a Dask cluster. `workers` has the same for this machine."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
import warnings
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Lock
from urllib.parse import urlsplit

from .. import __version__
from ..errors import CannotSolve, MaxConnect4Error, NoCluster, reason, shown
from .workers import Solved, solve_position

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from distributed import Client, Future

    from .workers import Task

MEMORY = 256 << 20  # of one worker's table, unless another size is asked for
TOPIC = "maxconnect4"  # under which the workers tell what they have solved
TELL_EVERY = 1.0  # seconds, at the most: a scheduler of many workers has a lot to listen to
LOUD = ("distributed", "distributed.client", "tornado.application")  # loggers that would write on the terminal


class ClusterWorkers:
    """The workers of the Dask scheduler at `address`. `memory` is the most that each one's table may take, in bytes."""

    MOST_AT_WORK = 2000  # tasks that the scheduler knows at a time
    SECONDS_TO_ANSWER = 5.0  # that a scheduler has

    def __init__(self, address: str, memory: int | None = None) -> None:
        self.host, self.port = host_and_port(address)
        self.address = address
        self.memory = MEMORY if memory is None else memory
        with self._connected():
            pass  # what is wrong shows here, before anything else is begun

    def solve(self, tasks: Iterable[Task]) -> Iterator[list[Solved]]:
        """Solve all tasks: see `Workers`. As long as the cluster has no workers, this waits for them."""
        waiting = iter(tasks)
        news: SimpleQueue[list[Solved] | Future] = SimpleQueue()
        at_work: dict[str, _Batch] = {}  # by the name that Dask has for it
        batch_of: dict[int, _Batch] = {}  # by each position that is not solved
        with self._connected() as client:
            client.subscribe_topic(TOPIC, lambda event: news.put([Solved(*row) for row in event[1]]))
            try:
                while True:
                    for task in islice(waiting, self.MOST_AT_WORK - len(at_work)):
                        batch = at_work[task.name] = _Batch(task)
                        batch.begin(client, self.memory, news)
                        batch_of |= dict.fromkeys(task.keys, batch)
                    if not at_work:
                        return
                    told, ended = self._next(news, client)
                    yield from _fresh(told, batch_of)
                    for batch in [at_work.pop(future.key) for future in ended]:
                        try:
                            solved = batch.result()
                        except CancelledError:
                            raise self._gone() from None
                        yield from _fresh(solved, batch_of)
                        if batch.left:
                            batch.begin(client, self.memory, news)
                            at_work[batch.name] = batch
            finally:
                with suppress(Exception):  # of a scheduler that has gone away
                    client.cancel([batch.future for batch in at_work.values()])

    def _next(self, news: SimpleQueue[list[Solved] | Future], client: Client) -> tuple[list[Solved], list[Future]]:
        """All that the workers have solved meanwhile, and the tasks that have ended; nothing after a second."""
        told: list[Solved] = []
        ended: list[Future] = []
        with suppress(Empty):
            while True:
                item = news.get(timeout=0 if told or ended else 1)
                if isinstance(item, list):
                    told += item
                else:
                    ended.append(item)
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
            raise NoCluster("a cluster needs more packages: pip install 'maxconnect4[cluster]'") from None
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


def _fresh(solved: list[Solved], batch_of: dict[int, _Batch]) -> Iterator[list[Solved]]:
    """What is new of it. Some come twice: as they are solved, with the whole task, and anew if its worker has died."""
    fresh = []
    for each in solved:
        if each.key in batch_of:
            batch_of.pop(each.key).solved(each.key)
            fresh.append(each)
    if fresh:
        yield fresh


class _Batch:
    """A task that the cluster is at."""

    MOST_TRIES = 3  # in a row, without one position solved; in each Dask has lost four workers

    def __init__(self, task: Task) -> None:
        self.first_name = self.name = task.name
        self.left = dict.fromkeys(task.keys)  # in their order
        self.tries = 0
        self.future: Future = None

    def begin(self, client: Client, memory: int, news: SimpleQueue[list[Solved] | Future]) -> None:
        """Hand it to the scheduler: what is left of it, if it has been there before."""
        self.tries += 1
        if self.tries > self.MOST_TRIES:
            raise CannotSolve(f"every worker that takes up {self.name} dies: is there enough memory?")
        if self.future is not None:
            self.name = f"{self.first_name}-last-{len(self.left)}-try-{self.tries}"
        self.future = client.submit(_remote(), tuple(self.left), memory, __version__, key=self.name)
        self.future.add_done_callback(news.put)

    def solved(self, key: int) -> None:
        """Take note that one of its positions is solved."""
        del self.left[key]
        self.tries = 0

    def result(self) -> list[Solved]:
        """What came of it, now that it has ended: nothing, if all is known or if its workers have died.

        What went wrong is raised; CancelledError, if the scheduler has gone away.
        """
        from distributed import KilledWorker

        error = self.future.exception()
        if isinstance(error, (MaxConnect4Error, CancelledError)):
            raise error
        if error is not None and not isinstance(error, KilledWorker):
            words = " ".join(f"{type(error).__name__}: {error}".split())
            raise NoCluster(f"a worker failed, is maxconnect4 {__version__} installed there? {words[:200]}")
        return self.future.result() if self.left and error is None else []


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


def _remote() -> Callable[[tuple[int, ...], int, str], list[Solved]]:
    """`solve_batch`, in a function that Dask sends as it is, not by name.

    The scheduler then needs no maxconnect4; and a worker without one says so, where it would otherwise die of a name
    that it cannot look up.
    """

    def remote(keys: tuple[int, ...], memory: int, version: str) -> list[Solved]:
        from distributed import get_worker

        try:
            from maxconnect4.bookmaking.cluster import solve_batch
        except ImportError as error:
            raise ImportError(f"{error}, at {get_worker().address}") from None
        return solve_batch(keys, memory, version)

    return remote


_turn = Lock()  # the solver of a process takes one position at a time


def solve_batch(keys: tuple[int, ...], memory: int, version: str) -> list[Solved]:
    """What a worker does: solve positions one after another, and tell of them meanwhile."""
    from distributed import get_worker

    worker = get_worker()
    if version != __version__:
        raise NoCluster(f"the worker at {worker.address} has maxconnect4 {__version__}, and here it is {version}")
    solved: list[Solved] = []
    told, next_time = 0, time.monotonic() + TELL_EVERY
    for key in keys:
        with _turn:
            solved.append(solve_position(key, memory))
        if time.monotonic() >= next_time or len(solved) == len(keys):
            worker.log_event(TOPIC, [list(each) for each in solved[told:]])
            told, next_time = len(solved), time.monotonic() + TELL_EVERY
    return solved


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
