"""Who solves the positions of a book: processes on this machine. `cluster` has the same for a Dask cluster."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from multiprocessing import connection, get_context, resource_tracker
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple, Protocol

from ..errors import CannotSolve
from ..keys import board_of
from ..solver import Solver, default_memory, default_threads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess


class Task(NamedTuple):
    """A batch of neighbouring positions. The name is always the same for the same batch."""

    name: str
    keys: tuple[int, ...]


class Solved(NamedTuple):
    """A position that has been solved, and what that took."""

    key: int
    value: int
    nodes: int
    cpu_seconds: float


class Workers(Protocol):
    """Several solvers at work at once."""

    def solve(self, tasks: Iterable[Task]) -> Iterator[list[Solved]]:
        """Solve all tasks, in any order, and give each position soon after it is solved.

        If a worker dies, others take up what is left of its task. Closing the iterator stops the work.
        """


_solver: Solver | None = None  # of this process: its table stays warm from task to task


def solve_position(key: int, memory: int) -> Solved:
    """Solve one position, with this process's solver."""
    global _solver
    if _solver is None or _solver.memory != memory:
        _solver = Solver(memory, threads=1, book=False)
    analysis = _solver.analyse(board_of(key), only_value=True)
    return Solved(key, analysis.value, analysis.nodes, analysis.cpu_seconds)


class LocalWorkers:
    """Processes on this machine. `memory` is the most that all their tables may take together, in bytes."""

    MOST_DEATHS = 3  # of workers, without one position solved in between

    def __init__(self, processes: int | None = None, memory: int | None = None) -> None:
        self.processes = processes or default_threads()
        self.memory = (default_memory() if memory is None else memory) // self.processes

    def solve(self, tasks: Iterable[Task]) -> Iterator[list[Solved]]:
        """Solve all tasks: see `Workers`."""
        waiting = list(tasks)[::-1]
        workers: dict[Connection, _Worker] = {}
        deaths = 0
        try:
            while waiting or workers:
                while waiting and len(workers) < self.processes:
                    worker = _Worker(self.memory)
                    workers[worker.pipe] = worker
                    worker.take(waiting.pop())
                solved: list[Solved] = []
                for pipe in connection.wait(list(workers)):
                    worker = workers[pipe]  # type: ignore[index]
                    solved += worker.reports()
                    if worker.is_dead and worker.keys:
                        deaths += 1
                        waiting.append(Task(worker.name, tuple(worker.keys)))
                    elif worker.keys:
                        continue
                    elif waiting and not worker.is_dead:
                        worker.take(waiting.pop())
                        continue
                    worker.stop()
                    del workers[worker.pipe]
                if solved:
                    deaths = 0
                    yield solved
                if deaths > self.MOST_DEATHS:
                    raise CannotSolve(f"{deaths} workers in a row have died: is there enough memory?")
        finally:
            for worker in workers.values():
                worker.stop()


class _Worker:
    """One process, seen from the coordinator."""

    def __init__(self, memory: int) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_work, args=(theirs, memory), daemon=True)
        resource_tracker.ensure_running()  # its start would let Ctrl-C in again
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # Ctrl-C is the coordinator's
        try:
            self.process.start()  # inherits that
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        self.name = ""
        self.keys: list[int] = []
        self.is_dead = False

    def take(self, task: Task) -> None:
        """Give it something to do."""
        self.name, self.keys = task.name, list(task.keys)
        with suppress(OSError):  # it has died, as the next report will say
            self.pipe.send(task.keys)

    def reports(self) -> list[Solved]:
        """All positions that it has solved since the last time."""
        reports: list[Solved] = []
        try:
            while self.pipe.poll():
                solved: Solved | Exception = self.pipe.recv()
                if isinstance(solved, Exception):
                    raise solved
                self.keys.remove(solved.key)
                reports.append(solved)
        except (EOFError, OSError):
            self.is_dead = True
        return reports

    def stop(self) -> None:
        """End it, whatever it is doing."""
        self.pipe.close()
        self.process.kill()
        self.process.join()


def _work(pipe: Connection, memory: int) -> None:
    """The life of a worker: tasks in, positions out. It ends at once when the coordinator does, however that ended."""
    tasks: SimpleQueue[tuple[int, ...]] = SimpleQueue()
    Thread(target=_receive, args=(pipe, tasks), daemon=True).start()
    while True:
        for key in tasks.get():
            try:
                pipe.send(solve_position(key, memory))
            except CannotSolve as error:
                pipe.send(error)
            except OSError:
                os._exit(1)


def _receive(pipe: Connection, tasks: SimpleQueue[tuple[int, ...]]) -> None:
    """Pass tasks on, until nobody is there to send any: the search is then left where it is."""
    try:
        while True:
            tasks.put(pipe.recv())
    except (EOFError, OSError):
        os._exit(0)
