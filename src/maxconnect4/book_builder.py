"""Building and verifying opening books: the deepest layer is solved, the other layers are derived from it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from .book import Book, BookLayer
from .database import Database
from .errors import BadFile
from .position_keys import KEY_LIMIT, board_from_key, derived_value, layers, moves_from_key, plies_from_key
from .sample_positions import random_board
from .scores import value_of_win
from .solver import Solver, default_memory
from .system import processors
from .workers import Task, WorkerJob, Workers
from .workers.dask import ClusterWorkers
from .workers.local import LocalWorkers

CLUSTER_MEMORY = 256 << 20  # the default size of the transposition table of a worker


class SolvedPosition(NamedTuple):
    """A solved position with its cost."""

    key: int
    value: int
    nodes: int
    cpu_seconds: float


_solver: Solver | None = None  # of this process, with its transposition table


def solve_position(key: int, memory: int, game: str = "max") -> SolvedPosition:
    """Solve one position with the solver of this process."""
    global _solver
    if _solver is None or _solver.memory != memory:
        _solver = Solver(memory, threads=1, book=False)
    analysis = _solver.analyse(board_from_key(key, game), only_value=True)
    return SolvedPosition(key, analysis.value, analysis.nodes, analysis.cpu_seconds)


def solve_job(memory: int, game: str = "max") -> WorkerJob[int, SolvedPosition]:
    """The job of solving positions, in which each worker has a transposition table of at most `memory` bytes."""
    return WorkerJob(solve_position, memory, game)


def local_solvers(
    processes: int | None = None, memory: int | None = None, game: str = "max"
) -> LocalWorkers[int, SolvedPosition]:
    """Solvers on this machine. `memory` is the maximum size of all their transposition tables together, in bytes."""
    processes = processes or processors()
    return LocalWorkers(solve_job((default_memory() if memory is None else memory) // processes, game), processes)


def cluster_solvers(address: str, memory: int | None = None, game: str = "max") -> ClusterWorkers[int, SolvedPosition]:
    """Solvers on a Dask cluster. `memory` is the maximum size of each transposition table, in bytes."""
    return ClusterWorkers(address, solve_job(CLUSTER_MEMORY if memory is None else memory, game))


WINDOWS = 69  # an upper bound of the margin
TABLE = """
CREATE TABLE solved (
    position INTEGER PRIMARY KEY,  -- its key
    value INTEGER NOT NULL,        -- with perfect play, from the point of view of the player to move
    nodes INTEGER NOT NULL,        -- of the search; 0 if the value is from a book
    microseconds INTEGER NOT NULL  -- of CPU time
)"""


class BookState(Database):
    """The solved positions of a book of Max-Connect4 with their cost, in an SQLite file that is created if missing."""

    KIND = "the state of a book"
    FORMAT = 0x4D433442  # "MC4B"
    TABLES = (TABLE,)
    game = "max"

    def values(self) -> dict[int, int]:
        """The value of every solved key."""
        return dict(self._rows(tuple[int, int], "SELECT position, value FROM solved"))

    def solved(self) -> Iterator[SolvedPosition]:
        """Every solved position with its cost."""
        rows = self._rows(tuple[int, int, int, int], "SELECT position, value, nodes, microseconds FROM solved")
        for key, value, nodes, microseconds in rows:
            yield SolvedPosition(key, value, nodes, microseconds / 1e6)

    def add(self, solved: Iterable[SolvedPosition]) -> int:
        """Store positions durably, and return the number of new ones.

        If a position is stored with another value, nothing is stored and BadFile is raised.
        """
        new = 0
        with self._domain_errors(), self._transaction():
            for key, value, nodes, seconds in solved:
                if not (0 < key < KEY_LIMIT and abs(value) <= WINDOWS):
                    raise BadFile(f"{value} is not a valid value of position {key}")
                row = (key, value, nodes, round(seconds * 1e6))
                if self._database.execute("INSERT OR IGNORE INTO solved VALUES (?, ?, ?, ?)", row).rowcount:
                    new += 1
                elif value != (stored := self._number("SELECT value FROM solved WHERE position = ?", key)):
                    raise BadFile(
                        f"{self.name} has the value {stored} for {moves_from_key(key)!r}: the new value is {value}"
                    )
        return new


class ClassicBookState(BookState):
    """The solved positions of a book of the classic game."""

    KIND = "the state of a book of the classic game"
    FORMAT = 0x4D433443  # "MC4C"
    game = "classic"


STATES: dict[str, type[BookState]] = {"max": BookState, "classic": ClassicBookState}

BATCH = 32  # positions of a task: a few seconds of work


class LayerShare(NamedTuple):
    """The share of a layer that one build solves: part `number` of `parts`."""

    number: int = 1
    parts: int = 1

    def tasks(self, plies: int, layer: list[int], done: Mapping[int, int]) -> list[Task[int]]:
        """The tasks with unsolved positions of this share, in batches of neighbouring keys with stable names."""
        tasks = []
        for number, start in enumerate(range(0, len(layer), BATCH)):
            if number * self.parts // -(-len(layer) // BATCH) == self.number - 1:
                keys = tuple(key for key in layer[start : start + BATCH] if key not in done)
                if keys:
                    tasks.append(Task(f"maxconnect4-book-{plies}-{number:06}", keys))
        return tasks


def solve_layer(
    plies: int,
    state: BookState,
    workers: Workers[int, SolvedPosition],
    part: LayerShare | None = None,
    progress: Callable[[LayerProgress], None] | None = None,
) -> int:
    """Solve all positions with `plies` pieces that are not in the state. The work can be interrupted at any time.

    Returns the number of unsolved positions, which belong to other shares.
    """
    *_, layer = layers(plies, state.game)
    solved_before = state.values()
    tasks = (part or LayerShare()).tasks(plies, layer, solved_before)
    now = LayerProgress(len(layer), sum(key in solved_before for key in layer), sum(len(task.items) for task in tasks))
    if progress is not None:
        progress(now)
    for done in workers.run(tasks) if tasks else ():
        solved = [each.result for each in done]
        state.add(solved)
        now.add(solved)
        if progress is not None:
            progress(now)
    return now.positions - now.done_before - now.done


class LayerProgress:
    """The progress of a layer: its positions, solved and to solve, and the speed."""

    def __init__(self, positions: int, done_before: int, to_do: int) -> None:
        #: All positions of the layer.
        self.positions = positions
        #: The positions solved before this run.
        self.done_before = done_before
        #: The positions to solve in this run.
        self.to_do = to_do
        #: The positions solved in this run.
        self.done = 0
        self.cpu_seconds = 0.0
        self._start = time.monotonic()

    def add(self, solved: list[SolvedPosition]) -> None:
        """Count solved positions."""
        self.done += len(solved)
        self.cpu_seconds += sum(each.cpu_seconds for each in solved)

    @property
    def per_second(self) -> float:
        """Positions per second of wall-clock time."""
        return self.done / max(time.monotonic() - self._start, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """The estimated time left in seconds; None before the first position."""
        return (self.to_do - self.done) / self.per_second if self.done else None


def derive_values(plies: int, deepest: Mapping[int, int], game: str = "max") -> dict[int, int]:
    """The value of every position up to `plies` plies, derived from the deepest layer."""
    *upper, last = layers(plies, game)
    values = {key: deepest[key] for key in last}
    for done, layer in reversed(list(enumerate(upper))):
        for key in layer:
            values[key] = derived_value(key, done, values, game)
    return values


def layer_of(plies: int, deepest: Mapping[int, int], game: str = "max") -> BookLayer:
    """The layer with the values of the positions with `plies` plies."""
    left_out = value_of_win(plies + 1) if game == "classic" else None
    return BookLayer.of({key: value for key, value in deepest.items() if value != left_out}, plies)


def solve_effort(plies: int, state: BookState) -> dict[str, int | float]:
    """The cost of the deepest layer, for the header of a book."""
    layer = [each for each in state.solved() if plies_from_key(each.key) == plies]
    solved = [each for each in layer if each.cpu_seconds]
    return {
        "solved": len(solved),
        "taken_over": len(layer) - len(solved),
        "nodes": sum(each.nodes for each in solved),
        "cpu_seconds": round(sum(each.cpu_seconds for each in solved), 3),
    }


def verify_structure(book: Book) -> list[str]:
    """Verify the structure of a book: list missing positions, and values that contradict those of successors."""
    values: dict[int, int] = {}
    every: list[list[int]] = []
    for layer in layers(book.plies, book.game):
        found = {key: value for key in layer if (value := book.value_of(key)) is not None}
        if len(found) < len(layer):
            return [f"{moves_from_key(key)!r} is missing" for key in layer if key not in found]
        values |= found
        every.append(layer)
    if len(book) != len(values):
        return [f"it has {len(book):,} entries for {len(values):,} positions"]
    errors = []
    for plies, layer in enumerate(every[:-1]):
        for key in layer:
            best = derived_value(key, plies, values, book.game)
            if best != values[key]:
                errors.append(f"{moves_from_key(key)!r} has the value {values[key]}, but the best move leads to {best}")
    return errors


def verify_layer(book: Book, count: int, seed: int, solver: Solver) -> list[str]:
    """Solve random positions of the layer and of some earlier plies with and without the book, and list differences."""
    assert book.layer is not None
    rng, with_book = random.Random(seed), Solver(solver.memory, solver.threads, book=book)
    errors = []
    for _ in range(count):
        board = random_board(rng, book.layer.plies, book.game)
        found, expected = (each.analyse(board, only_value=True).value for each in (with_book, solver))
        if found != expected:
            errors.append(f"{board.moves} has the value {found}, but the solver finds {expected}")
    return errors


def verify_sample(
    book: Book, count: int, seed: int, solver: Solver, progress: Callable[[int], None] | None = None
) -> list[str]:
    """Solve a random sample without the book, and list values that differ. `progress` gets the number completed."""
    errors = []
    entries = list(book)
    for done, (key, value) in enumerate(random.Random(seed).sample(entries, min(count, len(entries)))):

        def report(_: object = None, done: int = done) -> None:
            if progress is not None:
                progress(done)

        report()
        found = solver.analyse(board_from_key(key, book.game), only_value=True, progress=report).value
        if found != value:
            errors.append(f"{moves_from_key(key)!r} has the value {value}, but the solver finds {found}")
    return errors
