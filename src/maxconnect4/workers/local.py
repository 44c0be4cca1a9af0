"""Worker processes on this machine."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import suppress
from multiprocessing import connection, get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from queue import SimpleQueue
from threading import Event, Lock, Thread
from types import ModuleType
from typing import Any, Generic

from .. import workers
from ..errors import MaxConnect4Error, WorkersCrashed, error_reason
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
    decoded_error,
    encode,
    encoded_error,
    encoded_result,
    import_function,
    item_type,
    make_descriptors_private,
    sendable_errors,
)

SAFE_PATH = "PYTHONSAFEPATH"
SHUT_DOWN_SECONDS = 2.0  # time limit of `shut_down`
HEARTBEAT = 0.5  # seconds between two heartbeats of a worker
STOPPED_SECONDS = 1.0  # before a stopped worker, for example by SIGSTOP, is killed
SILENT_SECONDS = 30.0  # without a heartbeat before a worker is killed; heartbeats are late on a busy machine
MAX_MESSAGE_BYTES = 64 << 20

# The first byte of a worker's message. The rest is empty, empty, a text, the index of an item and its result, an error.
READY, ALIVE, ANNOUNCED, RESULT, FAILED = b"R", b"A", b"N", b"D", b"F"


class LocalWorkers(Generic[Item, Output]):
    """Worker processes on this machine.

    Args:
        job: The function that the processes run on every item.
        processes: The maximum number of processes. Each one starts when there is a task for it.
    """

    MAX_CRASHES = 3  # of workers in a row without a result
    MAX_CRASHES_AT_ITEM = 2  # of workers at the same item if it can be given up

    def __init__(self, job: WorkerJob[Item, Output], processes: int) -> None:
        self.job = job
        self.processes = processes

    def run(self, tasks: Iterable[Task[Item]]) -> Generator[list[Done[Item, Output]]]:
        """Run all tasks: see `Workers`.

        The next task is taken from the iterable when a process is idle and all results have been yielded. So tasks may
        depend on earlier results.
        """
        waiting = (task for task in tasks if task.items)
        returned: list[Task[Item]] = []  # from workers that died
        running: dict[Connection, _Worker[Item, Output]] = {}
        crashes = 0
        announced: dict[Item, list[str]] = {}  # the last announcements of the workers that died at an item
        try:
            while True:
                self._assign(waiting, returned, running)
                if not any(worker.left for worker in running.values()):
                    return
                done: list[Done[Item, Output]] = []
                errors: list[Exception] = []
                ready = set(connection.wait(list(running), HEARTBEAT))
                for worker in list(running.values()):
                    if worker.pipe in ready:
                        done += worker.receive(errors)
                    elif worker.is_unresponsive():
                        worker.process.kill()
                        worker.is_dead = True
                    if worker.is_dead:
                        del running[worker.pipe]
                        _stop([worker])
                        if worker.left:
                            crashes += 1
                            returned.append(self._unfinished(worker, announced, done))
                if done:
                    crashes = 0
                    yield done
                if errors:
                    raise errors[0]
                if crashes > self.MAX_CRASHES:
                    raise WorkersCrashed(f"{crashes} workers in a row have died: check the memory of this machine")
        finally:
            _stop(running.values())

    def _assign(
        self,
        waiting: Iterator[Task[Item]],
        returned: list[Task[Item]],
        running: dict[Connection, _Worker[Item, Output]],
    ) -> None:
        """Assign tasks to the idle workers, and to new ones up to the maximum number."""
        idle = [worker for worker in running.values() if not worker.left]
        while idle or len(running) < self.processes:
            task = returned.pop() if returned else next(waiting, None)
            if task is None:
                return
            if not task.items:
                continue
            try:
                worker = idle.pop() if idle else _Worker(self.job)
            except OSError as error:
                returned.append(task)
                if running:
                    return  # continue with the running workers
                raise WorkersCrashed(f"no worker can be started: {error_reason(error)}") from None
            running[worker.pipe] = worker
            worker.assign(task)

    def _unfinished(
        self, worker: _Worker[Item, Output], announced: dict[Item, list[str]], done: list[Done[Item, Output]]
    ) -> Task[Item]:
        """The rest of the task of a dead worker. An item at which too many workers died is given up, and is done."""
        first, *rest = worker.left.values()
        if worker.was_ready:
            announced.setdefault(first, []).append(worker.announced)
        texts = announced.get(first, [])
        if self.job.give_up and len(texts) >= self.MAX_CRASHES_AT_ITEM:
            done.append(Done(first, self.job.give_up(first, texts)))
            return Task(worker.name, tuple(rest))
        return Task(worker.name, (first, *rest))


class _Worker(Generic[Item, Output]):
    """A worker process from the point of view of the coordinator."""

    def __init__(self, job: WorkerJob[Item, Output]) -> None:
        self.job = job
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        safe_path = os.environ.get(SAFE_PATH)
        self.process: SpawnProcess = context.Process(
            target=_run_worker, args=(theirs, job.names, safe_path), daemon=True
        )
        os.environ[SAFE_PATH] = "1"  # otherwise Python would import a random.py in the current folder
        resource_tracker.ensure_running()  # its start inside the block below would unblock SIGINT
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # only the coordinator handles Ctrl-C
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")  # otherwise the worker would run the script
        try:
            self.process.start()  # inherits the signal mask
        finally:
            sys.modules["__main__"] = script
            _restore_safe_path(safe_path)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        self.name = ""
        self.left: dict[int, Item] = {}  # the items of its task without a result, by index
        self.is_dead = False
        self.was_ready = False  # otherwise its item cannot be the cause of its death
        self.announced = ""
        self._last_message = time.monotonic()
        self._stopped_at: float | None = None  # the time at which it was first found stopped

    def assign(self, task: Task[Item]) -> None:
        """Send a task to the process."""
        self.name, self.left, self.announced = task.name, dict(enumerate(task.items)), ""
        data = encode(task.items)
        with suppress(OSError):  # `receive` detects that the worker has died
            self.pipe.send_bytes(data)

    def receive(self, errors: list[Exception]) -> list[Done[Item, Output]]:
        """The results received since the last call. Errors of the job are added to `errors`.

        A worker that sends invalid messages counts as dead.
        """
        done: list[Done[Item, Output]] = []
        try:
            while self.pipe.poll():
                message = self.pipe.recv_bytes(MAX_MESSAGE_BYTES)
                self._last_message = time.monotonic()
                kind, text = message[:1], message[1:]
                if kind == RESULT:
                    index, _, result = text.partition(b" ")
                    value = decode(result, self.job.result_type)
                    done.append(Done(self.left.pop(int(index)), value))
                    self.announced = ""
                elif kind == FAILED:
                    errors.append(decoded_error(text))
                elif kind == ANNOUNCED:
                    self.announced = text.decode()
                self.was_ready = self.was_ready or kind == READY
        except (EOFError, OSError, InvalidMessage, LookupError, ValueError):
            self.is_dead = True
        return done

    def is_unresponsive(self) -> bool:
        """Whether the process has been stopped or silent for too long."""
        now = time.monotonic()
        if not _is_stopped(self.process.pid):
            self._stopped_at = None
        elif self._stopped_at is None:
            self._stopped_at = now
        stopped = 0.0 if self._stopped_at is None else now - self._stopped_at
        return stopped > STOPPED_SECONDS or now - self._last_message > SILENT_SECONDS


def _is_stopped(process: int | None) -> bool:
    """Whether a signal or a debugger has stopped a process; always False without /proc."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return file.read().rpartition(b") ")[2][:1] in b"Tt"
    except OSError:
        return False


def _stop(workers: Collection[_Worker[Any, Any]]) -> None:
    for worker in workers:
        worker.pipe.close()  # makes every worker exit, even if this function is interrupted
    end = time.monotonic() + SHUT_DOWN_SECONDS
    for worker in workers:
        if worker.job.names.shut_down:
            worker.process.join(max(0.0, end - time.monotonic()))
        worker.process.kill()
        worker.process.join()
        if worker.process.exitcode and worker.job.clean_up and worker.process.pid:
            worker.job.clean_up(worker.process.pid)


def _restore_safe_path(value: str | None) -> None:
    if value is None:
        os.environ.pop(SAFE_PATH, None)
    else:
        os.environ[SAFE_PATH] = value


# In the worker


def _run_worker(pipe: Connection, job: JobNames, safe_path: str | None) -> None:
    """Run a worker process, which receives tasks and sends results. It exits when the coordinator exits."""
    make_descriptors_private()
    _restore_safe_path(safe_path)  # for programs that the job starts
    if job.shut_down:
        for each in (signal.SIGTERM, signal.SIGHUP):  # in a new thread: this one may hold the lock of `_exit`
            signal.signal(each, lambda *_: Thread(target=_exit, args=(job,)).start())

    def send(message: bytes) -> None:
        with _send_or_exit:  # the result of an item that `shut_down` has interrupted must not be sent
            pipe.send_bytes(message)

    tasks: SimpleQueue[bytes] = SimpleQueue()
    receiver = Thread(target=_receive, args=(pipe, job, tasks), daemon=True)
    try:
        receiver.start()
        Thread(target=_send_heartbeats, args=(send,), daemon=True).start()
    except RuntimeError as error:  # the system's limit on threads is reached
        with suppress(OSError):  # the coordinator has stopped after the same error of another worker
            send(FAILED + encoded_error(WorkersCrashed(f"no worker can be started: {error_reason(error)}")))
        return
    workers.announce = lambda text: send(ANNOUNCED + text.encode())
    try:
        try:
            with sendable_errors():
                call_once(job.set_up)
            send(READY)
            while True:
                with sendable_errors():
                    kind = item_type(import_function(job.function))
                    items = decode(tasks.get(), tuple[kind, ...])  # type: ignore[valid-type]
                for index, item in enumerate(items):
                    send(b"%s%d %s" % (RESULT, index, encoded_result(job, item)))
        except (MaxConnect4Error, JobFailed) as error:
            send(FAILED + encoded_error(error))
    except OSError:
        _exit(job)
    receiver.join()


def _send_heartbeats(send: Callable[[bytes], None]) -> None:
    """Send heartbeats until the connection is closed."""
    pause = Event()
    with suppress(OSError):
        while not pause.wait(HEARTBEAT):
            send(ALIVE)


def _receive(pipe: Connection, job: JobNames, tasks: SimpleQueue[bytes]) -> None:
    """Queue received tasks until the coordinator closes the connection; then exit."""
    try:
        while True:
            tasks.put(pipe.recv_bytes())
    except (EOFError, OSError):
        _exit(job)


_send_or_exit = Lock()  # held while a message is sent, and from the start of `_exit` to the end of the process


def _exit(job: JobNames) -> None:
    """Call `shut_down` and end this process, in the first thread that calls this function. Other threads wait."""
    _send_or_exit.acquire()
    try:
        if job.shut_down:
            import_function(job.shut_down)()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)
