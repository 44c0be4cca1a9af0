"""Who does the work: processes on this machine. `cluster` has the same for a Dask cluster."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from contextlib import suppress
from multiprocessing import connection, get_context, resource_tracker
from queue import SimpleQueue
from threading import Event, Lock, Thread
from types import ModuleType

from ..errors import MaxConnect4Error, WorkersDied, reason
from . import tasks as work
from .tasks import (
    Done,
    Garbled,
    JobFailed,
    Task,
    decode,
    decoded_error,
    encode,
    encoded_error,
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
    from collections.abc import Callable, Collection, Generator, Iterable
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess
    from typing import Any

    from .tasks import Job

SAFE_PATH = "PYTHONSAFEPATH"
SECONDS_TO_END = 2.0  # that a worker has for the `end` of its job
HEARTBEAT = 0.5  # seconds between two signs of life of a worker
STOPPED_SECONDS = 1.0  # after which a worker that is stopped, as by SIGSTOP, is killed
SILENT_SECONDS = 30.0  # without a sign of life after which any worker is: it may only be waiting for a processor
LARGEST_MESSAGE = 64 << 20  # bytes

# The first byte of a worker's message, before nothing, nothing, a text, the place of an item and its result, an error.
READY, ALIVE, ANNOUNCED, RESULT, FAILED = b"R", b"A", b"N", b"D", b"F"


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
        last_words: dict[Any, list[str]] = {}  # what workers had announced that died at an item
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
                ready = set(connection.wait(list(workers), HEARTBEAT))
                for worker in list(workers.values()):
                    if worker.pipe in ready:
                        done += worker.reports(errors)
                    elif worker.is_silent():
                        worker.process.kill()
                        worker.is_dead = True
                    if worker.is_dead:
                        del workers[worker.pipe]
                        _stop([worker])
                        if worker.left:
                            deaths += 1
                            first, *rest = worker.left.values()
                            if worker.was_ready:
                                last_words.setdefault(first, []).append(worker.announced)
                            words = last_words.get(first, [])
                            if self.job.give_up and len(words) >= self.MOST_DEATHS_AT_ONE:
                                done.append(Done(first, named(self.job.give_up)(first, words)))
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
        self.announced = ""
        self._last_message = time.monotonic()
        self._stopped_at: float | None = None  # when it was first seen stopped

    def take(self, task: Task) -> None:
        """Give it something to do."""
        self.name, self.left, self.announced = task.name, dict(enumerate(task.items)), ""
        data = encode(task.items)
        with suppress(OSError):  # it has died, as the next report will say
            self.pipe.send_bytes(data)

    def reports(self, errors: list[Exception]) -> list[Done]:
        """All that it has done since the last time. What it has failed at is added to the errors.

        A worker whose messages make no sense is as good as dead.
        """
        done: list[Done] = []
        try:
            while self.pipe.poll():
                message = self.pipe.recv_bytes(LARGEST_MESSAGE)
                self._last_message = time.monotonic()
                kind, text = message[:1], message[1:]
                if kind == RESULT:
                    place, _, result = text.partition(b" ")
                    value = decode(result, result_type(self.job.function))
                    done.append(Done(self.left.pop(int(place)), value))
                    self.announced = ""
                elif kind == FAILED:
                    errors.append(decoded_error(text))
                elif kind == ANNOUNCED:
                    self.announced = text.decode()
                self.was_ready = self.was_ready or kind == READY
        except (EOFError, OSError, Garbled, LookupError, ValueError):
            self.is_dead = True
        return done

    def is_silent(self) -> bool:
        """Whether it is stopped, or has sent no sign of life, for too long."""
        now = time.monotonic()
        if not _is_stopped(self.process.pid):
            self._stopped_at = None
        elif self._stopped_at is None:
            self._stopped_at = now
        stopped = 0.0 if self._stopped_at is None else now - self._stopped_at
        return stopped > STOPPED_SECONDS or now - self._last_message > SILENT_SECONDS


def _is_stopped(process: int | None) -> bool:
    """Whether a signal, or a debugger, has stopped a process; False where the system does not say."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return file.read().rpartition(b") ")[2][:1] in b"Tt"
    except OSError:
        return False


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
    make_descriptors_private()
    _restore(paths)  # programs that it starts are to find their modules
    if job.end:
        for each in (signal.SIGTERM, signal.SIGHUP):  # in a thread, as this one may be in the middle of ending
            signal.signal(each, lambda *_: Thread(target=_leave, args=(job,)).start())

    def send(message: bytes) -> None:
        with _leaving:  # what `end` has cut short is not a result
            pipe.send_bytes(message)

    tasks: SimpleQueue[bytes] = SimpleQueue()
    receiver = Thread(target=_receive, args=(pipe, job, tasks), daemon=True)
    try:
        receiver.start()
        Thread(target=_beat, args=(send,), daemon=True).start()
    except RuntimeError as error:  # there are as many threads as the system allows
        with suppress(OSError):  # another one has said so already, and nobody listens any more
            send(FAILED + encoded_error(WorkersDied(f"no worker can be started: {reason(error)}")))
        return
    work.announce = lambda text: send(ANNOUNCED + text.encode())
    try:
        try:
            with errors_that_travel():
                prepare_once(job.prepare)
            send(READY)
            while True:
                with errors_that_travel():
                    kind = item_type(job.function)
                    items = decode(tasks.get(), tuple[kind, ...])  # type: ignore[valid-type]
                for place, item in enumerate(items):
                    send(b"%s%d %s" % (RESULT, place, encoded_result(job, item)))
        except (MaxConnect4Error, JobFailed) as error:
            send(FAILED + encoded_error(error))
    except OSError:
        _leave(job)
    receiver.join()


def _beat(send: Callable[[bytes], None]) -> None:
    """Send a sign of life now and then."""
    pause = Event()
    with suppress(OSError):
        while not pause.wait(HEARTBEAT):
            send(ALIVE)


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
