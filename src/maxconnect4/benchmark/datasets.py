"""Resumable builds of position sets with exact scores, and their Parquet and NumPy formats."""

from __future__ import annotations

import io
import json
import os
import random
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count as numbers
from itertools import islice
from typing import Annotated, Any

import msgspec

from .. import __version__
from ..board import HEIGHT, WIDTH
from ..database import Database
from ..errors import NotEnoughPositions, requires_extra
from ..formatting import plural
from ..notation import board_from_moves
from ..position_keys import key_of
from ..sample_positions import have_different_values, random_board
from ..solver import Solver, default_memory
from ..system import processors
from ..workers import Done, Task, WorkerJob, Workers
from .positions import Scores

Solution = tuple[str, Scores]  # moves, and the score of every column
SCORES = msgspec.json.Decoder(tuple[Annotated[int, msgspec.Meta(ge=-69, le=69)] | None, ...])
SAVE_INTERVAL = 1.0  # seconds between writes of solved positions


class SolvedPositions(Database):
    """The scores of the solved positions of an unfinished build, by their moves."""

    KIND = "an unfinished set of positions"
    FORMAT = 0x4D433450  # "MC4P"
    TABLES = (
        "CREATE TABLE solved (game TEXT NOT NULL, moves TEXT NOT NULL, scores TEXT NOT NULL, "
        "PRIMARY KEY (game, moves)) WITHOUT ROWID",
    )

    def __len__(self) -> int:
        with self._domain_errors():
            return self._number("SELECT count(*) FROM solved")

    def scores(self, game: str) -> dict[str, Scores]:
        """The scores of the solved positions of a game."""
        rows = self._rows(tuple[str, str], "SELECT moves, scores FROM solved WHERE game = ?", game)
        with self.stored_values():
            return {moves: SCORES.decode(scores) for moves, scores in rows}

    def add(self, game: str, scores: Iterable[Solution]) -> None:
        """Store scores durably."""
        with self._domain_errors(), self._transaction():
            for moves, each in scores:
                self._database.execute(
                    "INSERT OR REPLACE INTO solved VALUES (?, ?, ?)", (game, moves, json.dumps(each))
                )


class CachingWorkers:
    """Workers that read known scores from a file and store new scores in it."""

    def __init__(self, workers: Workers[str, Scores], file: SolvedPositions, game: str) -> None:
        self.workers = workers
        self.file = file
        self.game = game

    def run(self, tasks: Iterable[Task[str]]) -> Generator[list[Done[str, Scores]]]:
        """Run all tasks: see `Workers`."""
        known = self.file.scores(self.game)
        found: list[Done[str, Scores]] = []
        fresh: list[Solution] = []
        written = time.monotonic()

        def unknown() -> Iterator[Task[str]]:
            for task in tasks:
                found.extend(Done(moves, known[moves]) for moves in task.items if moves in known)
                yield Task(task.name, tuple(moves for moves in task.items if moves not in known))

        try:
            for done in self.workers.run(unknown()):
                fresh += done
                if time.monotonic() > written + SAVE_INTERVAL:
                    self.file.add(self.game, fresh)
                    fresh, written = [], time.monotonic()
                yield done + found
                found.clear()
        finally:
            self.file.add(self.game, fresh)
        if found:
            yield found


def resume_path(path: str) -> str | None:
    """The path of the state of a build, next to its output; None if the output is not a regular file."""
    is_device = path.startswith("/dev/") or (os.path.exists(path) and not os.path.isfile(path))
    return None if is_device else f"{path}.unfinished"


LAST_PLY = 40  # later positions may have a single legal move
MAX_POSITIONS = 100_000
MAX_SEEDS = 10**18
BATCH = 4  # positions of a task
#: Number of random games in a row without a new position after which the positions count as exhausted.
MAX_DUPLICATES = 10_000
#: The description of the fields, for the comments of a set file.
SCORE_COMMENTS = {
    "max": (
        "Positions of Max-Connect4 (7 columns, 6 rows) with exact scores, one per line, separated by tabs.",
        "moves: columns 1 to 7 from the empty board, or - for the empty board. value, c1 to c7: the final margin with",
        "perfect play, and the margin after a move in each column, for the player to move; . is a full column.",
    ),
    "classic": (
        "Positions of classic four in a row (7 columns, 6 rows) with exact scores, one per line, separated by tabs.",
        "classic: columns 1 to 7 from the empty board, or - for the empty board. value, c1 to c7: the score with",
        "perfect play, and the score after a move in each column, for the player to move; . is a full column. A score",
        "is 0 for a draw, n for a win with the winner's n-th last piece on a full board, and -n for such a loss.",
    ),
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """The parameters of a position set, which determine its positions."""

    earliest: int  # plies
    latest: int
    count: int
    seed: int
    game: str = "max"
    every: bool = False  # whether to include positions in which all columns have the same score

    @property
    def command(self) -> str:
        """The command that builds the set."""
        more = " --game classic" * (self.game == "classic") + " --all" * self.every
        return f"maxconnect4 positions --plies {self.plies} --count {self.count} --seed {self.seed}{more}"

    @property
    def plies(self) -> str:
        """The range of plies, such as 8-30, or 12 alone."""
        return f"{self.earliest}-{self.latest}" if self.earliest < self.latest else f"{self.earliest}"

    @property
    def plies_phrase(self) -> str:
        """The range of plies as a phrase: of 8-30 plies, of 1 ply."""
        return f"of {self.plies} {'ply' if self.plies == '1' else 'plies'}"

    def comments(self) -> list[str]:
        """The comment lines of a file with the set."""
        return [
            f"Made by maxconnect4 {__version__}:",
            self.command,
            *SCORE_COMMENTS[self.game],
            "Each position is from a random game, in which every open column is equally likely. No two positions are",
            "equal or mirror images."
            + " Positions in which all columns have the same score are omitted." * (not self.every),
        ]


def build_positions(
    recipe: Recipe, workers: Workers[str, Scores], progress: Callable[[int], None] | None = None
) -> list[Solution]:
    """Build the positions of a recipe. `progress` is called with the number of positions so far."""
    groups = {plies: _Candidates(plies, recipe) for plies in range(recipe.earliest, recipe.latest + 1)}
    found_positions = 0
    while found_positions < recipe.count:
        if not any(group.has_more for group in groups.values()):
            wanted = f"{plural(recipe.count, 'different position')} {recipe.plies_phrase}"
            which = " with columns of different scores" * (not recipe.every)
            found = f"only {found_positions:,}{which}"
            advice = "use a smaller --count or more plies" + ", or --all" * (not recipe.every)
            raise NotEnoughPositions(f"{wanted} cannot be found, {found}: {advice}")
        with closing(workers.run(_tasks(list(groups.values()), recipe.count))) as solving:
            for done in solving:
                found_positions += sum(groups[len(each.item)].record(each.item, each.result) for each in done)
                if progress is not None:
                    progress(found_positions)
    selected = [group.selected() for group in groups.values()]
    return [each[turn] for turn in range(recipe.count) for each in selected if turn < len(each)]


def solver_workers(processes: int | None = None, memory: int | None = None, game: str = "max") -> Workers[str, Scores]:
    """Processes on this machine that solve positions. `memory` is the total size of their transposition tables."""
    from ..workers.local import LocalWorkers

    processes = processes or processors()
    share = (default_memory() if memory is None else memory) // processes
    return LocalWorkers(WorkerJob(solve_scores, share, game), processes)


_solver: Solver | None = None  # of this process, with its transposition table


def solve_scores(moves: str, memory: int, game: str = "max") -> tuple[int | None, ...]:
    """The exact score of every column, from the book or the solver of this process."""
    global _solver
    if _solver is None or _solver.memory != memory:
        _solver = Solver(memory, threads=1)
    scores = _solver.analyse(board_from_moves(moves, game), line=False).scores
    assert scores is not None
    return tuple(scores)


class _Candidates:
    """The candidates of one ply. Those in which the columns have different scores become positions of the set."""

    def __init__(self, plies: int, recipe: Recipe) -> None:
        self.has_more = True
        self._every = recipe.every
        self.expected = 0  # positions, if all unsolved candidates qualify
        self._scores: dict[str, Scores] = {}  # by moves, in the order of the games; empty if unsolved
        self._games = _distinct_positions(random.Random(recipe.seed * (LAST_PLY + 1) + plies), plies, recipe.game)

    def draw(self, count: int) -> list[str]:
        """Up to `count` more candidates to solve."""
        moves = list(islice(self._games, count))
        self._scores.update(dict.fromkeys(moves, ()))
        self.expected += len(moves)
        self.has_more = len(moves) == count
        return moves

    def record(self, moves: str, scores: Scores) -> bool:
        """Store the scores of a candidate, and return whether it qualifies."""
        self._scores[moves] = scores
        qualifies = self._qualifies(scores)
        self.expected -= not qualifies
        return qualifies

    def selected(self) -> list[Solution]:
        """The candidates that qualify."""
        return [(moves, scores) for moves, scores in self._scores.items() if self._qualifies(scores)]

    def _qualifies(self, scores: Scores) -> bool:
        return have_different_values(scores) or (self._every and len(scores) > 0)


def _tasks(groups: list[_Candidates], count: int) -> Iterator[Task[str]]:
    """Yield candidates to solve until there are enough positions. Early positions, which are the slowest, are first."""
    for number in numbers():
        batch: list[str] = []
        for at, group in enumerate(groups):
            lacking = _shares(groups, count)[at] - group.expected
            if lacking > 0 and group.has_more:
                batch += group.draw(min(lacking, BATCH - len(batch)))
            if len(batch) == BATCH:
                break
        if not batch:
            return
        yield Task(f"positions-{number}", tuple(batch))


def _shares(groups: list[_Candidates], count: int) -> list[int]:
    """The number of positions of each ply, if plies with enough positions contribute equally."""
    shares = [0] * len(groups)
    while count:
        giving = [at for at, group in enumerate(groups) if group.has_more or shares[at] < group.expected][:count]
        if not giving:
            break
        left = [groups[at].expected - shares[at] for at in giving if not groups[at].has_more]
        turns = min([count // len(giving), *left])
        for at in giving:
            shares[at] += turns
        count -= turns * len(giving)
    return shares


def _distinct_positions(source: random.Random, plies: int, game: str) -> Iterator[str]:
    """Yield distinct positions of unfinished random games as moves, without mirror images."""
    known: set[int] = set()
    duplicates = 0
    while duplicates < MAX_DUPLICATES:
        board = random_board(source, plies, game)
        if board.is_over():
            continue
        key = key_of(board)
        duplicates = duplicates + 1 if key in known else 0
        if not duplicates:
            known.add(key)
            yield "".join(map(str, board.drops))


PARQUET, NUMPY = ".parquet", ".npz"
ENDINGS = (PARQUET, NUMPY)
FULL_COLUMN = -128  # the score of a full column in a NumPy array, which has no null


def is_dataset(path: str) -> bool:
    """Whether the name of a file is that of a Parquet or NumPy file."""
    return path.lower().endswith(ENDINGS)


def check_dataset_support(path: str) -> None:
    """Raise PackageMissing if the format of a file requires a package that is not installed."""
    if path.lower().endswith(PARQUET):
        _pyarrow()


def format_dataset(path: str, recipe: Recipe, entries: Sequence[Solution]) -> bytes:
    """Format the positions of a recipe as Parquet or NumPy, by the name of the file."""
    return (_as_parquet if path.lower().endswith(PARQUET) else _as_numpy)(recipe, entries)


def _as_parquet(recipe: Recipe, entries: Sequence[Solution]) -> bytes:
    """A row for each position. The score of a full column is null."""
    arrow = _pyarrow()
    boards = [board_from_moves(moves, recipe.game) for moves, _ in entries]
    small = arrow.int8()
    columns = {
        "game": (arrow.string(), [recipe.game] * len(boards)),
        "moves": (arrow.string(), [moves for moves, _ in entries]),
        "key": (arrow.int64(), [key_of(board) for board in boards]),
        "board": (
            arrow.list_(small, WIDTH * HEIGHT),
            [[cell for row in board.rows() for cell in row] for board in boards],
        ),
        "to_move": (small, [board.to_move for board in boards]),
        "value": (small, _values(entries)),
        "scores": (arrow.list_(small, WIDTH), [list(scores) for _, scores in entries]),
    }
    fields = [arrow.field(name, kind, nullable=False) for name, (kind, _) in columns.items()]
    schema = arrow.schema(fields, metadata={"game": recipe.game, "command": recipe.command})
    table = arrow.table({name: arrow.array(values, kind) for name, (kind, values) in columns.items()}, schema=schema)
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(table, file, compression="zstd")
    return file.getvalue()


def _as_numpy(recipe: Recipe, entries: Sequence[Solution]) -> bytes:
    """An array for each property. Its first index is the position."""
    import numpy as np

    boards = [board_from_moves(moves, recipe.game) for moves, _ in entries]
    scores = [[FULL_COLUMN if score is None else score for score in scores] for _, scores in entries]
    file = io.BytesIO()
    np.savez_compressed(
        file,
        game=np.array(recipe.game),
        command=np.array(recipe.command),
        moves=np.array([moves for moves, _ in entries]),
        keys=np.array([key_of(board) for board in boards], np.int64),
        boards=np.array([board.rows() for board in boards], np.int8),
        to_move=np.array([board.to_move for board in boards], np.int8),
        values=np.array(_values(entries), np.int8),
        scores=np.array(scores, np.int8),
        has_room=np.array(scores) != FULL_COLUMN,
    )
    return file.getvalue()


def _values(entries: Sequence[Solution]) -> list[int]:
    return [max(score for score in scores if score is not None) for _, scores in entries]


def _pyarrow() -> Any:
    with requires_extra("datasets"):
        import pyarrow
    return pyarrow
