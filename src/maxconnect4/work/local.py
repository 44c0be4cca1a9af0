"""Who does the work: processes on this machine. `cluster` has the same for a Dask cluster."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
import traceback
from collections import Counter
from contextlib import suppress
from multiprocessing import connection, get_context, resource_tracker
from queue import SimpleQueue
from threading import Lock, Thread
from types import ModuleType

from ..errors import MaxConnect4Error, WorkersDied, reason
from .tasks import Done, JobFailed, Task, errors_that_travel, named, pickled_result, prepare_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterable
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess
    from typing import Any

    from .tasks import Job

SAFE_PATH = "PYTHONSAFEPATH"
READY = -1  # what a worker sends in place of an item when it is about to begin
SECONDS_TO_END = 2.0  # that a worker has for the `end` of its job


class LocalWorkers:
    """So many processes on this machine. They start as there is something to do for them."""

    MOST_DEATHS = 3  # of workers, without one item done in between
    MOST_DEATHS_AT_ONE = 2  # of workers at the same item, if it can be given up

    def __init__(self, job: Job, processes: int) -> None:
        self.job = job
        self.processes = processes

    def run(self, tasks: Iterable[Task]) -> Generator[list[Done]]:
        """Do all tasks: see `Workers`.

        A task is asked for when a process is free for it, and after all that is done has been given: what makes the
        tasks may depend on that, and may end at any time.
        """
        waiting = (task for task in tasks if task.items)
        left_over: list[Task] = []  # by workers that have died
        workers: dict[Connection, _Worker] = {}
        deaths = 0
        deaths_at: Counter[Any] = Counter()  # each item
        try:
            while True:
                idle = [worker for worker in workers.values() if not worker.left]
                while idle or len(workers) < self.processes:
                    task = left_over.pop() if left_over else next(waiting, None)
                    if task is None:
                        break
                    if not task.items:
                        continue
                    try:
                        worker = idle.pop() if idle else _Worker(self.job)
                    except OSError as error:
                        left_over.append(task)
                        if workers:
                            break  # go on with those that there are
                        raise WorkersDied(f"no worker can be started: {reason(error)}") from None
                    workers[worker.pipe] = worker
                    worker.take(task)
                if not any(worker.left for worker in workers.values()):
                    return
                done: list[Done] = []
                errors: list[Exception] = []
                for pipe in connection.wait(list(workers)):
                    worker = workers[pipe]  # type: ignore[index]
                    done += worker.reports(errors)
                    if worker.is_dead:
                        del workers[worker.pipe]
                        _stop([worker])
                        if worker.left:
                            deaths += 1
                            first, *rest = worker.left.values()
                            deaths_at[first] += worker.was_ready
                            if self.job.give_up and deaths_at[first] >= self.MOST_DEATHS_AT_ONE:
                                done.append(Done(first, named(self.job.give_up)(first)))
                            else:
                                rest.insert(0, first)
                            left_over.append(Task(worker.name, tuple(rest)))
                if done:
                    deaths = 0
                    yield done
                if errors:
                    raise errors[0]
                if deaths > self.MOST_DEATHS:
                    raise WorkersDied(f"{deaths} workers in a row have died: is there enough memory?")
        finally:
            _stop(workers.values())


class _Worker:
    """One process, seen from the coordinator."""

    def __init__(self, job: Job) -> None:
        self.job = job
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        paths = os.environ.get(SAFE_PATH)
        self.process: SpawnProcess = context.Process(target=_work, args=(theirs, job, paths), daemon=True)
        os.environ[SAFE_PATH] = "1"  # or Python would take a random.py of this folder for its own
        resource_tracker.ensure_running()  # its start would let Ctrl-C in again
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # Ctrl-C is the coordinator's
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")  # or it would run again there, and start workers in its turn
        try:
            self.process.start()  # inherits that
        finally:
            sys.modules["__main__"] = script
            _restore(paths)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        self.name = ""
        self.left: dict[int, Any] = {}  # the items of its task that are not done, by their place
        self.is_dead = False
        self.was_ready = False  # so that what it died of may be the item

    def take(self, task: Task) -> None:
        """Give it something to do."""
        self.name, self.left = task.name, dict(enumerate(task.items))
        data = pickle.dumps(task.items)
        with suppress(OSError):  # it has died, as the next report will say
            self.pipe.send_bytes(data)

    def reports(self, errors: list[Exception]) -> list[Done]:
        """All that it has done since the last time. What it has failed at is added to the errors."""
        reports: list[tuple[int | None, bytes]] = []
        try:
            while self.pipe.poll():
                reports.append(self.pipe.recv())
        except (EOFError, OSError):
            self.is_dead = True
        self.was_ready = self.was_ready or any(place == READY for place, _ in reports)
        errors += [pickle.loads(data) for place, data in reports if place is None]
        done = [(place, data) for place, data in reports if place is not None and place != READY]
        return [Done(self.left.pop(place), pickle.loads(data)) for place, data in done]


def _stop(workers: Collection[_Worker]) -> None:
    """End them, whatever they are doing."""
    for worker in workers:
        worker.pipe.close()  # so that they all begin to end now, even if this is interrupted
    last_moment = time.monotonic() + SECONDS_TO_END
    for worker in workers:
        if worker.job.end:
            worker.process.join(max(0.0, last_moment - time.monotonic()))
        worker.process.kill()
        worker.process.join()
        if worker.process.exitcode and worker.job.bury:
            named(worker.job.bury)(worker.process.pid)


def _restore(paths: str | None) -> None:
    """Have Python look for modules as it did."""
    if paths is None:
        os.environ.pop(SAFE_PATH, None)
    else:
        os.environ[SAFE_PATH] = paths


# In the worker


def _work(pipe: Connection, job: Job, paths: str | None) -> None:
    """The life of a worker: tasks in, results out. It ends at once when the coordinator does, however that ended."""
    _restore(paths)  # programs that it starts are to find their modules
    if job.end:
        for each in (signal.SIGTERM, signal.SIGHUP):  # in a thread, as this one may be in the middle of ending
            signal.signal(each, lambda *_: Thread(target=_leave, args=(job,)).start())
    tasks: SimpleQueue[bytes] = SimpleQueue()
    receiver = Thread(target=_receive, args=(pipe, job, tasks), daemon=True)
    try:
        receiver.start()
    except RuntimeError as error:  # there are as many threads as the system allows
        with suppress(OSError):  # another one has said so already, and nobody listens any more
            pipe.send((None, pickle.dumps(WorkersDied(f"no worker can be started: {reason(error)}"))))
        return
    try:
        try:
            with errors_that_travel():
                prepare_once(job.prepare)
            pipe.send((READY, b""))
            while True:
                with errors_that_travel():
                    items: tuple[Any, ...] = pickle.loads(tasks.get())
                for place, item in enumerate(items):
                    result = pickled_result(job, item)
                    with _leaving:  # what `end` has cut short is no result
                        pipe.send((place, result))
        except (MaxConnect4Error, JobFailed) as error:
            with _leaving:
                pipe.send((None, pickle.dumps(error)))
    except OSError:
        _leave(job)
    receiver.join()


def _receive(pipe: Connection, job: Job, tasks: SimpleQueue[bytes]) -> None:
    """Pass tasks on, until nobody is there to send any: the work is then left where it is."""
    try:
        while True:
            tasks.put(pipe.recv_bytes())
    except (EOFError, OSError):
        _leave(job)


_leaving = Lock()  # who has it may send something, or end the process


def _leave(job: Job) -> None:
    """End this process. Of several threads that try to, the first does."""
    _leaving.acquire()
    try:
        if job.end:
            named(job.end)()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)
