"""An SQLite file of our own: one process at a time writes it, and what is written stays, whatever happens."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import stat
import time
from contextlib import ExitStack, closing, contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from functools import cache
from pathlib import Path

import msgspec

from .errors import BadEntrant, BadFile, CannotSave, InUse, MaxConnect4Error, reason, shown, shown_path, why_not_written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Any, Self


LARGEST = 1 << 30  # bytes of a file: what is read of it is kept in memory
LARGEST_VALUE = 1 << 24  # bytes of a text
TIME_LIMIT = 60.0  # seconds in which a file has to be checked
STEPS = 100_000  # of SQLite's machine between two looks at the clock


class Database:
    """The base of such a file: a subclass says what it is. It is made if there is none; others may read meanwhile."""

    #: What the file is called in messages, such as "the state of a book".
    KIND: str
    #: SQLite's application_id: four letters.
    FORMAT: int
    VERSION = 1
    TABLES: tuple[str, ...]
    #: Names from TABLES that a file may lack when it is only read, because older versions did not make them.
    OPTIONAL: frozenset[str] = frozenset()
    #: How long to wait for somebody who reads, in seconds.
    PATIENCE = 60.0
    #: Permissions of a new file, and so of its journal.
    MODE = 0o666

    def __init__(self, path: str, *, read_only: bool = False) -> None:
        self.name = shown_path(path)
        self.paths = tuple(os.path.abspath(path) + ending for ending in ("", "-journal", "-wal", "-shm"))
        self._read_only = read_only
        # A reader, too, has to be able to write: it may have to undo what somebody who was killed has left half done.
        mode = "rwc" if not read_only else "rw" if os.access(path, os.W_OK) else "ro"
        uri = f"{Path(path).absolute().as_uri()}?mode={mode}"
        with ExitStack() as stack, self._in_words():
            if not read_only:  # from now on nobody else writes; SQLite's own locks would keep readers out, too
                stack.callback(os.close, self._claimed(path))
            if os.path.exists(path) and (size := os.path.getsize(path)) > LARGEST:
                raise BadFile(f"{self.name} is too large for {self.KIND}: {size:,} bytes, over {LARGEST:,}")
            self._database = sqlite3.connect(
                uri,
                uri=True,
                timeout=self.PATIENCE,
                isolation_level=None,
                check_same_thread=False,  # one thread at a time may use it, but not always the same
            )
            stack.callback(self._database.close)
            with self._distrust():
                if read_only:
                    self._database.execute("PRAGMA query_only = ON")
                else:
                    self._prepare()
                self._check()
            self._closing = stack.pop_all()

    def _claimed(self, path: str) -> int:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, self.MODE)
        except (OSError, ValueError) as error:
            raise CannotSave(f"{self.name} cannot be written: {why_not_written(path, error)}") from None
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise BadFile(f"{self.name} is not a regular file")
            flock(descriptor, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise InUse(f"{self.name} is in use by another process") from None
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    @contextmanager
    def _distrust(self) -> Iterator[None]:
        """Limit what SQLite does with a file until it is checked: see https://www.sqlite.org/security.html."""
        end = time.monotonic() + self.PATIENCE + TIME_LIMIT
        self._database.set_progress_handler(lambda: time.monotonic() > end, STEPS)
        self._database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
        self._database.execute("PRAGMA trusted_schema = OFF")
        self._database.execute("PRAGMA cell_size_check = ON")
        yield
        self._database.set_progress_handler(None, 0)

    def _prepare(self) -> None:
        """Make a new file one of this kind."""
        with self._one_step():
            kind = self._number("PRAGMA application_id")
            if kind == 0 and self._number("SELECT count(*) FROM sqlite_master") == 0:
                self._database.execute(f"PRAGMA application_id = {self.FORMAT}")
                self._database.execute(f"PRAGMA user_version = {self.VERSION}")
                self._check_schema()

    def _check(self) -> None:
        """Refuse a file that is something else."""
        if self._number("PRAGMA application_id") != self.FORMAT:
            raise BadFile(f"{self.name} is not {self.KIND}")
        version = self._number("PRAGMA user_version")
        if version != self.VERSION:
            raise BadFile(f"{self.name} is {self.KIND} of version {version}; this program reads version {self.VERSION}")
        self._check_schema()
        (problem,) = self._database.execute("PRAGMA quick_check(1)").fetchone()
        if problem != "ok":  # without this, two pointers to a page on each of some levels make a file of any size
            raise BadFile(f"{self.name} is damaged: {reason(ValueError(problem))}")
        for (table,) in self._rows("SELECT name FROM sqlite_master WHERE type = 'table'"):
            wrong = " OR ".join(_is_wrong(*column) for column in self._rows(f"PRAGMA table_info({table})"))
            if self._number(f"SELECT EXISTS (SELECT 1 FROM {table} WHERE {wrong})"):
                raise BadFile(f"{self.name} is damaged: not all values in {table} are of the right kind")

    def _check_schema(self) -> None:
        """Refuse a file with anything that is not declared, before it is read: views and triggers are programs.

        What is declared and missing is made, as an older version did not have it.
        """
        declared, found = _declared(self.TABLES), _schema(self._database)
        for what, sql in found.items():
            if what not in declared or _plain(sql) != _plain(declared[what]):
                kind, name = map(shown, what)
                raise BadFile(f"{self.name} is damaged: {self.KIND} has no {kind[1:-1]} {name} of this declaration")
        for (kind, name), sql in declared.items():
            if (kind, name) in found:
                continue
            if self._read_only and name not in self.OPTIONAL:
                raise BadFile(f"{self.name} is damaged: it has no {kind} {shown(name)}")
            if not self._read_only and sql:
                self._database.execute(sql)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._closing.close()

    def _rows(self, question: str, *values: Any) -> list[Any]:
        with self._in_words():
            return self._database.execute(question, values).fetchall()

    def _number(self, question: str, *values: Any) -> int:
        number: int = self._database.execute(question, values).fetchone()[0]
        return number

    def _insert(self, into: str, *values: Any) -> None:
        self._database.execute(f"INSERT {into} VALUES ({', '.join('?' * len(values))})", values)

    @contextmanager
    def _one_step(self, kind: str = "IMMEDIATE") -> Iterator[None]:
        """All of what is done within, or nothing."""
        self._database.execute(f"BEGIN {kind}")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    @contextmanager
    def as_written(self) -> Iterator[None]:
        """What is read within was written by this program: if it makes no sense at all, the file is damaged."""
        try:
            yield
        except BadEntrant as error:
            raise BadFile(f"{self.name} is damaged: {error}") from None
        except MaxConnect4Error:
            raise
        except KeyError as error:
            raise BadFile(f"{self.name} is damaged: it does not say what {reason(error)} is") from error
        except (*NONSENSE, msgspec.MsgspecError) as error:
            raise BadFile(f"{self.name} is damaged: a value in it makes no sense ({reason(error)})") from error

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._explained(error) from None
        except UnicodeDecodeError:  # in SQLite's own words on a table whose name is damaged
            raise BadFile(f"{self.name} is damaged: it has bytes that are no text") from None

    def _explained(self, error: sqlite3.Error) -> BadFile | CannotSave:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_NOTADB:
            return BadFile(f"{self.name} is not {self.KIND}")
        if code == sqlite3.SQLITE_CORRUPT:
            return BadFile(f"{self.name} is damaged: {reason(error)}")
        if code == sqlite3.SQLITE_TOOBIG:
            return BadFile(f"{self.name} is damaged: a value in it is too large")
        if code == sqlite3.SQLITE_INTERRUPT:
            return BadFile(f"{self.name} is damaged: it takes more than {TIME_LIMIT:g} s to check")
        if code == sqlite3.SQLITE_BUSY:
            return InUse(f"{self.name} is in use by another process")
        if self._read_only:
            return BadFile(f"{self.name} cannot be read: {reason(error)}")
        return CannotSave(f"{self.name} cannot be written: {reason(error)}")


class DatabaseWithFacts(Database):
    """One that also keeps some things that hold for all of it, by name. `FACTS` is to be one of its tables."""

    FACTS = "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)  -- of all that is here, as JSON"

    def facts(self) -> dict[str, Any]:
        """What was written down."""
        with self.as_written():
            return {name: msgspec.json.decode(value) for name, value in self._rows("SELECT name, value FROM facts")}

    def put_facts(self, facts: dict[str, Any]) -> None:
        """Write things down, in place of those of the same names."""
        with self._in_words(), self._one_step():
            for name, value in facts.items():
                self._insert("OR REPLACE INTO facts", name, json.dumps(value))


@cache
def _declared(tables: tuple[str, ...]) -> dict[tuple[str, str], str]:
    with closing(sqlite3.connect(":memory:")) as database:
        for table in tables:
            database.execute(table)
        return _schema(database)


def _schema(database: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """The declaration of everything in a database by type, such as "table", and name; "" for what SQLite adds."""
    texts = (f"CAST(coalesce({column}, '') AS TEXT)" for column in ("type", "name", "sql"))
    return {(kind, name): sql for kind, name, sql in database.execute(f"SELECT {', '.join(texts)} FROM sqlite_master")}


def _plain(sql: str) -> str:
    """A declaration without comments and needless blanks, which may differ between versions.

    None of ours has hyphens in quotes, so one that has some never looks like ours afterwards.
    """
    return re.sub(r"(?:--.*|[ \t\n\f\r])+", " ", sql).strip(" ")


NONSENSE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
KINDS = {"INTEGER": "('integer')", "REAL": "('real', 'integer')", "TEXT": "('text')"}
NONE = "('blob')"  # what no column of ours has


def _is_wrong(_: int, name: str, kind: str, needed: int, __: object, is_key: int) -> str:
    """When a value of a column, as SQLite tells of it, is of another kind than it says."""
    wrong = f"typeof({name}) NOT IN {KINDS.get(kind, NONE)}"
    return wrong if needed or is_key else f"({name} IS NOT NULL AND {wrong})"
