"""SQLite files with a declared schema, one writing process at a time, and durable commits."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec

from .errors import (
    BadFile,
    BadSetup,
    CannotSave,
    FileInUse,
    MaxConnect4Error,
    error_reason,
    quote,
    quote_path,
    write_error_reason,
)

T = TypeVar("T")

LARGEST = 1 << 30  # bytes of a file, whose rows are loaded into memory
LARGEST_VALUE = 1 << 24  # bytes of a text
TIME_LIMIT = 60.0  # seconds for the check of a file
STEPS = 100_000  # instructions of SQLite's virtual machine between two checks of the time limit


class Database:
    """An SQLite file of a kind that a subclass declares, created if missing. Other processes can read it meanwhile."""

    #: The name of this kind of file in messages, such as "the state of a book".
    KIND: str
    #: SQLite's application_id: four letters.
    FORMAT: int
    VERSION = 1
    TABLES: tuple[str, ...]
    #: Names from TABLES that may be missing in a file that is only read, as older versions did not create them.
    OPTIONAL: frozenset[str] = frozenset()
    #: Time limit for waiting for readers, in seconds.
    LOCK_SECONDS = 60.0
    #: Permissions of a new file and its journal.
    MODE = 0o666

    def __init__(self, path: str, *, read_only: bool = False) -> None:
        self.name = quote_path(path)
        self.paths = tuple(os.path.abspath(path) + ending for ending in ("", "-journal", "-wal", "-shm"))
        self._read_only = read_only
        # A reader also needs write access: it may have to roll back an unfinished transaction of a killed process.
        mode = "rwc" if not read_only else "rw" if os.access(path, os.W_OK) else "ro"
        uri = f"{Path(path).absolute().as_uri()}?mode={mode}"
        with ExitStack() as stack, self._domain_errors():
            if not read_only:  # a lock against other writers; SQLite's own locks would also exclude readers
                stack.callback(os.close, self._lock(path))
            if os.path.exists(path) and (size := os.path.getsize(path)) > LARGEST:
                raise BadFile(f"{self.name} is too large for {self.KIND}: {size:,} bytes, more than {LARGEST:,}")
            self._database = sqlite3.connect(
                uri,
                uri=True,
                timeout=self.LOCK_SECONDS,
                isolation_level=None,
                check_same_thread=False,  # several threads may use it, one at a time
            )
            stack.callback(self._database.close)
            with self._limited():
                if read_only:
                    self._database.execute("PRAGMA query_only = ON")
                else:
                    self._initialise()
                self._check()
                if not read_only:
                    self._create_missing()
            self._closing = stack.pop_all()

    def _lock(self, path: str) -> int:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, self.MODE)
        except (OSError, ValueError) as error:
            raise CannotSave(f"{self.name} cannot be written: {write_error_reason(path, error)}") from None
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise BadFile(f"{self.name} is not a regular file")
            flock(descriptor, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise FileInUse(f"{self.name} is in use by another process") from None
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    @contextmanager
    def _limited(self) -> Iterator[None]:
        """Limit SQLite until a file is validated: see https://www.sqlite.org/security.html."""
        end = time.monotonic() + self.LOCK_SECONDS + TIME_LIMIT
        self._database.set_progress_handler(lambda: time.monotonic() > end, STEPS)
        self._database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
        self._database.execute("PRAGMA trusted_schema = OFF")
        self._database.execute("PRAGMA cell_size_check = ON")
        yield
        self._database.set_progress_handler(None, 0)

    def _initialise(self) -> None:
        with self._transaction():
            kind = self._number("PRAGMA application_id")
            if kind == 0 and self._number("SELECT count(*) FROM sqlite_master") == 0:
                self._database.execute(f"PRAGMA application_id = {self.FORMAT}")
                self._database.execute(f"PRAGMA user_version = {self.VERSION}")
                self._create_missing()

    def _check(self) -> None:
        """Raise BadFile for a file that is damaged or has another kind, version or schema."""
        if self._number("PRAGMA application_id") != self.FORMAT:
            raise BadFile(f"{self.name} is not {self.KIND}")
        version = self._number("PRAGMA user_version")
        if version != self.VERSION:
            raise BadFile(f"{self.name} is {self.KIND} of version {version}; this program reads version {self.VERSION}")
        self._check_schema()
        (problem,) = self._database.execute("PRAGMA quick_check(1)").fetchone()
        if problem != "ok":  # pages with several pointers to them could yield any number of rows
            raise BadFile(f"{self.name} is damaged: {error_reason(ValueError(problem))}")

    def _check_schema(self) -> None:
        """Raise BadFile for undeclared tables, indexes, views and triggers, before any query could execute them.

        Declared tables may be missing in a file that is opened for writing, as older versions did not create them.
        """
        declared, found = _declared(self.TABLES), _schema(self._database)
        for key, sql in found.items():
            if key not in declared or _normalised(sql) != _normalised(declared[key]):
                kind, name = map(quote, key)
                raise BadFile(f"{self.name} is damaged: {kind[1:-1]} {name} is not a valid part of {self.KIND}")
        for kind, name in declared.keys() - found.keys():
            if self._read_only and name not in self.OPTIONAL:
                raise BadFile(f"{self.name} is damaged: {kind} {quote(name)} is missing")

    def _create_missing(self) -> None:
        found = _schema(self._database)
        for key, sql in _declared(self.TABLES).items():
            if sql and key not in found:
                self._database.execute(sql)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._closing.close()

    def _rows(self, kind: Any, query: str, *values: Any) -> list[Any]:
        """The rows of a query as tuples of a type. Raises BadFile for a value of another type."""
        with self._domain_errors():
            rows = self._database.execute(query, values).fetchall()
        with self.stored_values():
            found: list[Any] = msgspec.convert(rows, list[kind])
            return found

    def _number(self, query: str, *values: Any) -> int:
        number: int = self._database.execute(query, values).fetchone()[0]
        return number

    def _insert(self, into: str, *values: Any) -> None:
        self._database.execute(f"INSERT {into} VALUES ({', '.join('?' * len(values))})", values)

    @contextmanager
    def _transaction(self, kind: str = "IMMEDIATE") -> Iterator[None]:
        """A transaction, which is rolled back if an exception is raised."""
        self._database.execute(f"BEGIN {kind}")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    @contextmanager
    def stored_values(self) -> Iterator[None]:
        """Raise BadFile for errors in stored values: the file is damaged."""
        try:
            yield
        except BadSetup as error:
            raise BadFile(f"{self.name} is damaged: {error}") from None
        except MaxConnect4Error:
            raise
        except KeyError as error:
            raise BadFile(f"{self.name} is damaged: the value {error_reason(error)} is missing") from error
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            raise BadFile(f"{self.name} is damaged: it has an invalid value ({error_reason(error)})") from error

    @contextmanager
    def _domain_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._domain_error(error) from None
        except UnicodeDecodeError:  # in a message of SQLite with the damaged name of a table
            raise BadFile(f"{self.name} is damaged: it has text that is not UTF-8") from None

    def _domain_error(self, error: sqlite3.Error) -> BadFile | CannotSave:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_NOTADB:
            return BadFile(f"{self.name} is not {self.KIND}")
        if code == sqlite3.SQLITE_CORRUPT:
            return BadFile(f"{self.name} is damaged: {error_reason(error)}")
        if code == sqlite3.SQLITE_TOOBIG:
            return BadFile(f"{self.name} is damaged: it has a value of more than {LARGEST_VALUE:,} bytes")
        if code == sqlite3.SQLITE_INTERRUPT:
            return BadFile(f"{self.name} is damaged: its validation takes more than {TIME_LIMIT:g} s")
        if code == sqlite3.SQLITE_BUSY:
            return FileInUse(f"{self.name} is in use by another process")
        if self._read_only:
            return BadFile(f"{self.name} cannot be read: {error_reason(error)}")
        return CannotSave(f"{self.name} cannot be written: {error_reason(error)}")


class DatabaseWithMetadata(Database):
    """A database with metadata: named values for the whole file. A subclass includes `METADATA` in its TABLES."""

    METADATA = "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)  -- values as JSON"

    def metadata(self) -> dict[str, Any]:
        """The stored values by name."""
        with self.stored_values():
            return {
                name: msgspec.json.decode(value)
                for name, value in self._rows(tuple[str, str], "SELECT name, value FROM facts")
            }

    def metadata_as(self, kind: type[T]) -> T:
        """The stored values as a struct with a field for each name. Raises BadFile if a value has another type."""
        with self.stored_values():
            return msgspec.convert(self.metadata(), kind)

    def put_metadata(self, values: dict[str, Any]) -> None:
        """Store values by name, replacing existing ones."""
        with self._domain_errors(), self._transaction():
            self._put_metadata(values)

    def _put_metadata(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            self._insert("OR REPLACE INTO facts", name, json.dumps(value))


@cache
def _declared(tables: tuple[str, ...]) -> dict[tuple[str, str], str]:
    with closing(sqlite3.connect(":memory:")) as database:
        for table in tables:
            database.execute(table)
        return _schema(database)


def _schema(database: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """The SQL of all schema objects by type, such as "table", and name; "" for those that SQLite creates itself."""
    texts = (f"CAST(coalesce({column}, '') AS TEXT)" for column in ("type", "name", "sql"))
    return {(kind, name): sql for kind, name, sql in database.execute(f"SELECT {', '.join(texts)} FROM sqlite_master")}


def _normalised(sql: str) -> str:
    """A declaration with single blanks and without comments, which may differ between versions.

    No declared table has hyphens in quotes, so a found declaration with such hyphens never equals a declared one.
    """
    return re.sub(r"(?:--.*|[ \t\n\f\r])+", " ", sql).strip(" ")
