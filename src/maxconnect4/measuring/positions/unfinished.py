"""What is solved of a set of positions that is being made: an SQLite file beside it, until the set is there."""

from __future__ import annotations

import json
import os
import time
from typing import Annotated

import msgspec

from ...database import Database
from ...work.tasks import Done, Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from ...work.tasks import Workers
    from .set_file import Scores

SCORES = msgspec.json.Decoder(tuple[Annotated[int, msgspec.Meta(ge=-69, le=69)] | None, ...])
PATIENCE = 1.0  # seconds after which what is solved is written


class Unfinished(Database):
    """The scores of positions, by their moves. It does not matter which of them come to be in the set."""

    KIND = "a set of positions that is being made"
    FORMAT = 0x4D433450  # "MC4P"
    TABLES = (
        "CREATE TABLE solved (game TEXT NOT NULL, moves TEXT NOT NULL, scores TEXT NOT NULL, "
        "PRIMARY KEY (game, moves)) WITHOUT ROWID",
    )

    def __len__(self) -> int:
        with self._in_words():
            return self._number("SELECT count(*) FROM solved")

    def scores(self, game: str) -> dict[str, Scores]:
        """What is known of a game."""
        rows = self._rows("SELECT moves, scores FROM solved WHERE game = ?", game)
        with self.as_written():
            return {moves: SCORES.decode(scores) for moves, scores in rows}

    def add(self, game: str, scores: Iterable[tuple[str, Scores]]) -> None:
        """Keep scores. Once this returns they stay, whatever happens."""
        with self._in_words(), self._one_step():
            for moves, each in scores:
                self._database.execute(
                    "INSERT OR REPLACE INTO solved VALUES (?, ?, ?)", (game, moves, json.dumps(each))
                )


class Remembering:
    """Workers who do not solve again what such a file has, and whose results are kept in it."""

    def __init__(self, workers: Workers, file: Unfinished, game: str) -> None:
        self.workers = workers
        self.file = file
        self.game = game

    def run(self, tasks: Iterable[Task]) -> Generator[list[Done]]:
        """Do all tasks: see `Workers`."""
        known = self.file.scores(self.game)
        found: list[Done] = []
        fresh: list[tuple[str, Scores]] = []
        written = time.monotonic()

        def unknown() -> Iterator[Task]:
            for task in tasks:
                found.extend(Done(moves, known[moves]) for moves in task.items if moves in known)
                yield Task(task.name, tuple(moves for moves in task.items if moves not in known))

        try:
            for done in self.workers.run(unknown()):
                fresh += done
                if time.monotonic() > written + PATIENCE:
                    self.file.add(self.game, fresh)
                    fresh, written = [], time.monotonic()
                yield done + found
                found.clear()
        finally:
            self.file.add(self.game, fresh)
        if found:
            yield found


def beside(path: str) -> str | None:
    """Where what is solved of a set is kept, if that is to be a file."""
    is_device = path.startswith("/dev/") or (os.path.exists(path) and not os.path.isfile(path))
    return None if is_device else f"{path}.unfinished"
