"""What is solved of a book that is being made: an SQLite file, which only the coordinating process writes."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import ExitStack, contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path

from ..errors import BadFile, CannotSave, reason, shown_path
from ..keys import MOST, moves_of
from .workers import Solved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType
    from typing import Self

FORMAT = 0x4D433442  # "MC4B", as SQLite's application_id
VERSION = 1
LINES = 69  # no margin is larger
PATIENCE = 60  # seconds to wait for somebody who reads
TABLE = """
CREATE TABLE solved (
    position INTEGER PRIMARY KEY,  -- its key
    value INTEGER NOT NULL,        -- the final margin with perfect play, in the view of the side to move
    nodes INTEGER NOT NULL,        -- what it took; 0 if the value is from a book
    microseconds INTEGER NOT NULL  -- of CPU time
)"""


class State:
    """The positions that are solved, and what that took. The file is made if there is none.

    One process at a time writes; others may read meanwhile.
    """

    def __init__(self, path: str, *, read_only: bool = False) -> None:
        self.name = shown_path(path)
        self._read_only = read_only
        uri = f"{Path(path).absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
        with ExitStack() as closing, self._in_words():
            if not read_only:  # from now on nobody else writes; SQLite's own locks would keep readers out, too
                closing.callback(os.close, self._claimed(path))
            self._database = sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None)
            closing.callback(self._database.close)
            if not read_only:
                self._prepare()
            self._check()
            self._closing = closing.pop_all()

    def _claimed(self, path: str) -> int:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        except (OSError, ValueError) as error:
            raise CannotSave(f"{self.name} cannot be written: {reason(error)}") from None
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise BadFile(f"{self.name} is not a regular file")
            flock(descriptor, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise CannotSave(f"{self.name} is in use by another process") from None
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def _prepare(self) -> None:
        """Make the table in a file that is new."""
        with self._one_step():
            kind = self._number("PRAGMA application_id")
            if kind == 0 and self._number("SELECT count(*) FROM sqlite_master") == 0:
                self._database.execute(TABLE)
                self._database.execute(f"PRAGMA application_id = {FORMAT}")
                self._database.execute(f"PRAGMA user_version = {VERSION}")

    def _check(self) -> None:
        """Refuse a file that is something else."""
        if self._number("PRAGMA application_id") != FORMAT:
            raise BadFile(f"{self.name} is not the state of a book")
        version = self._number("PRAGMA user_version")
        if version != VERSION:
            raise BadFile(f"{self.name} is a state of version {version}; this program reads version {VERSION}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._closing.close()

    def values(self) -> dict[int, int]:
        """The value of each key that is solved."""
        with self._in_words():
            return dict(self._database.execute("SELECT position, value FROM solved"))

    def solved(self) -> Iterator[Solved]:
        """Each position that is solved, and what it took."""
        with self._in_words():
            for key, value, nodes, microseconds in self._database.execute("SELECT * FROM solved"):
                yield Solved(key, value, nodes, microseconds / 1e6)

    def add(self, solved: Iterable[Solved]) -> int:
        """Keep positions; the number of those that are new. Once this returns they stay, whatever happens.

        If a position is there already with another value, one of the two is wrong: then nothing is kept.
        """
        new = 0
        with self._in_words(), self._one_step():
            for key, value, nodes, seconds in solved:
                if not (0 < key < MOST and abs(value) <= LINES):
                    raise BadFile(f"{value} cannot be the value of position {key}")
                row = (key, value, nodes, round(seconds * 1e6))
                if self._database.execute("INSERT OR IGNORE INTO solved VALUES (?, ?, ?, ?)", row).rowcount:
                    new += 1
                elif value != (known := self._number("SELECT value FROM solved WHERE position = ?", key)):
                    raise BadFile(f"{self.name} has the value {known} for {moves_of(key)!r}, and here it is {value}")
        return new

    def _number(self, question: str, *values: int) -> int:
        number: int = self._database.execute(question, values).fetchone()[0]
        return number

    @contextmanager
    def _one_step(self) -> Iterator[None]:
        """All of what is done within, or nothing."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._explained(error) from None

    def _explained(self, error: sqlite3.Error) -> BadFile | CannotSave:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_NOTADB:
            return BadFile(f"{self.name} is not the state of a book")
        if code == sqlite3.SQLITE_CORRUPT:
            return BadFile(f"{self.name} is damaged: {reason(error)}")
        if self._read_only:
            return BadFile(f"{self.name} cannot be read: {reason(error)}")
        return CannotSave(f"{self.name} cannot be written: {reason(error)}")
