"""Files that others made to harm: every command that reads one refuses it in one line, soon, and with little memory."""

from __future__ import annotations

import contextlib
import io
import os
import resource
import sqlite3
import stat
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from zlib import crc32

import pytest

from maxconnect4 import database
from maxconnect4.benchmark.datasets import SolvedPositions
from maxconnect4.benchmark.store import Measurements
from maxconnect4.book_builder import BookState
from maxconnect4.cli import main
from maxconnect4.database import Database, DatabaseWithMetadata
from maxconnect4.errors import BadFile
from maxconnect4.referee.store import ResultStore
from maxconnect4.web.games import GameStore

MOST_MEMORY = 300 << 20  # bytes that refusing a file may add
pytestmark = pytest.mark.timeout(120)

#: Every kind of database, with the commands that read and write it; FILE is its name.
MATCH = "match random depth:1 --openings random:plies=38,count=1 --processes 1 --results FILE"
COMMANDS: dict[type[Database], list[str]] = {
    ResultStore: ["report FILE --csv -", MATCH],
    Measurements: ["report FILE --html -", "measure random --results FILE --positions 444"],
    BookState: ["book build --plies 1 --state FILE --book new.book", "book merge new.sqlite FILE"],
    SolvedPositions: ["positions --plies 38 --count 1 -o set.txt"],  # which has FILE beside it
    GameStore: ["play --no-browser --port 0 --games FILE"],
}
NAMES: dict[type[Database], str] = {SolvedPositions: "set.txt.unfinished"}
KINDS = pytest.mark.parametrize("kind", list(COMMANDS), ids=lambda kind: kind.__name__)


def refused(command: str) -> str:
    """Run a command that has to end in one line and exit status 3, and return the line."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    printed, complaint = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complaint):
        code = main(command.split())
    line = complaint.getvalue()
    assert (code, printed.getvalue(), line.count("\n")) == (3, "", 1), line[:1_000]
    assert line[:-1].isprintable()
    assert len(line) < 400
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10 < MOST_MEMORY
    return line


NEW: dict[str, bytes] = {}


@pytest.fixture(scope="module", autouse=True)
def new_files(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A new file of each kind, and one of a match that was played, which the tests copy."""
    folder = tmp_path_factory.mktemp("new")
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for kind in COMMANDS:
            with kind(kind.__name__):
                pass
        assert main(MATCH.replace("FILE", "match").split()) == 0
    for path in folder.iterdir():
        NEW[path.name] = path.read_bytes()


def made(kind: type[Database]) -> str:
    """A new file of a kind in the working folder."""
    path = NAMES.get(kind, "file.sqlite")
    Path(path).write_bytes(NEW[kind.__name__])
    return path


def change(path: str, *statements: str, writable_schema: bool = False) -> None:
    with closing(sqlite3.connect(path)) as connection:
        if writable_schema:
            connection.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def beginning(path: str) -> tuple[int, bytes]:
    with open(path, "rb") as file:
        return os.path.getsize(path), file.read(100_000)


def is_refused(kind: type[Database], path: str) -> None:
    before = beginning(path)
    for command in COMMANDS[kind]:
        assert path in refused(command.replace("FILE", path))
    assert beginning(path) == before
    with pytest.raises(BadFile):
        kind(path, read_only=True)


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def first_table(kind: type[Database]) -> tuple[str, list[str]]:
    """The name of a table, and its columns."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(kind.TABLES[0])
        ((name,),) = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return name, [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]


def endless_view(kind: type[Database]) -> list[str]:
    name, columns = first_table(kind)
    names, ones = ", ".join(columns), ", ".join("1" * len(columns))
    rows = f"WITH RECURSIVE endless({names}) AS (SELECT {ones} UNION ALL SELECT {names} FROM endless)"
    return [f"DROP TABLE {name}", f"CREATE VIEW {name} AS {rows} SELECT {names} FROM endless"]


def endless_trigger(kind: type[Database], name: str = "meddling") -> list[str]:
    table, _ = first_table(kind)
    rows = "WITH RECURSIVE endless(x) AS (SELECT 1 UNION ALL SELECT x FROM endless) SELECT sum(x) FROM endless"
    return [f"CREATE TRIGGER {name} BEFORE INSERT ON {table} BEGIN {rows}; END"]


UNDECLARED: dict[str, Callable[[type[Database]], list[str]]] = {
    "endless view": endless_view,
    "endless trigger": endless_trigger,
    "trigger of a table's name": lambda kind: endless_trigger(kind, first_table(kind)[0]),
    "table": lambda kind: ["CREATE TABLE more (x)"],
    "index": lambda kind: [f"CREATE INDEX more ON {first_table(kind)[0]} ({first_table(kind)[1][0]})"],
    "index of an expression": lambda kind: [
        f"CREATE INDEX more ON {first_table(kind)[0]} (length({first_table(kind)[1][0]}))"
    ],
    "virtual table": lambda kind: ["CREATE VIRTUAL TABLE more USING fts5(x)"],
    "column": lambda kind: [f"ALTER TABLE {first_table(kind)[0]} ADD COLUMN more"],
    "generated column": lambda kind: [f"ALTER TABLE {first_table(kind)[0]} ADD COLUMN more AS (zeroblob(1000000000))"],
}


@KINDS
@pytest.mark.parametrize("what", UNDECLARED)
def test_a_database_with_anything_that_is_not_declared_is_refused(kind: type[Database], what: str) -> None:
    path = made(kind)
    change(path, *UNDECLARED[what](kind))
    is_refused(kind, path)


@KINDS
@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', 'NOT NULL DEFAULT ''--''') WHERE type = 'table'",
        "UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', 'NOT NULL CHECK (abs(random()) >= 0)')",
        "UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE type = 'table'",
        "UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', 'NOT' || char(160) || 'NULL') WHERE type = 'table'",
        "INSERT INTO sqlite_master VALUES ('table', 'more', 'more', 0, x'ff00fe')",
        "INSERT INTO sqlite_master VALUES (x'00', x'01', 3, 'four', 5)",
    ],
)
def test_a_database_with_other_declarations_is_refused(kind: type[Database], edit: str) -> None:
    path = made(kind)
    change(path, edit, writable_schema=True)
    is_refused(kind, path)


@KINDS
def test_a_trigger_is_found_whatever_its_place_in_the_schema(kind: type[Database]) -> None:
    path = made(kind)
    change(path, *endless_trigger(kind, first_table(kind)[0]))
    change(path, "UPDATE sqlite_master SET rowid = -1 WHERE type = 'trigger'", writable_schema=True)
    is_refused(kind, path)


@KINDS
def test_a_database_of_too_many_bytes_is_refused(kind: type[Database]) -> None:
    path = made(kind)
    os.truncate(path, (1 << 30) + 1)  # a hole: it takes no room
    is_refused(kind, path)


@pytest.mark.parametrize("kind", [ResultStore, Measurements, SolvedPositions])
def test_a_value_of_too_many_bytes_is_refused(kind: type[Database]) -> None:
    path = made(kind)
    name, columns = first_table(kind)
    change(path, f"INSERT INTO {name} VALUES ('max', {'1, ' * (len(columns) - 2)} printf('%.*c', 17000000, '1'))")
    for command in COMMANDS[kind]:
        assert path in refused(command.replace("FILE", path))


def test_pages_that_are_there_several_times_are_refused() -> None:
    path = made(ResultStore)
    with closing(sqlite3.connect(path)) as connection:
        connection.executemany("INSERT INTO notes VALUES (1, 1, 1, ?)", [("x" * 300,)] * 20_000)
        connection.commit()
        ((root,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'notes'")
        ((page_size,),) = connection.execute("PRAGMA page_size")
    data = bytearray(Path(path).read_bytes())
    page = (root - 1) * page_size
    assert data[page] == 5, "the root has children"
    (cells,) = struct.unpack_from(">H", data, page + 3)
    (child,) = struct.unpack_from(">I", data, page + 8)
    assert cells > 1
    for number in range(cells):
        (cell,) = struct.unpack_from(">H", data, page + 12 + 2 * number)
        struct.pack_into(">I", data, page + cell, child)
    Path(path).write_bytes(data)
    is_refused(ResultStore, path)


def test_checking_a_database_ends_after_some_time(monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(ResultStore)
    change(path, *(f"INSERT INTO notes VALUES ({number}, 1, 1, '')" for number in range(1_000)))
    monkeypatch.setattr(database, "TIME_LIMIT", -1e9)
    monkeypatch.setattr(database, "STEPS", 100)
    is_refused(ResultStore, path)


# What an older version made


@KINDS
def test_comments_and_blanks_of_declarations_may_differ(kind: type[Database]) -> None:
    with closing(sqlite3.connect("old")) as connection:
        for table in kind.TABLES:
            connection.execute(table.replace("NOT NULL", "--  an old comment; it's (unlike) others\n\tNOT  NULL"))
        connection.execute(f"PRAGMA application_id = {kind.FORMAT}")
        connection.execute("PRAGMA user_version = 1")
    for read_only in (True, False):
        with kind("old", read_only=read_only):
            pass


def test_what_is_declared_and_missing_is_made_when_a_file_is_written() -> None:
    class Older(DatabaseWithMetadata):
        KIND, FORMAT = "a test", 7
        TABLES: tuple[str, ...] = (DatabaseWithMetadata.METADATA,)

    class Newer(Older):
        TABLES = (*Older.TABLES, "CREATE TABLE more (x INTEGER NOT NULL)", "CREATE INDEX more_by_x ON more (x)")

    class Tolerant(Newer):
        OPTIONAL = frozenset({"more", "more_by_x"})

    with Older("file") as old:
        old.put_metadata({"kept": 1})
    with pytest.raises(BadFile):
        Newer("file", read_only=True)
    for kind in (Tolerant, Older):
        with kind("file", read_only=True) as file:
            assert file.metadata() == {"kept": 1}
    with Newer("file") as new:
        assert new.metadata() == {"kept": 1}
    with Newer("file", read_only=True) as new:
        assert new._rows(tuple[int], "SELECT * FROM more") == []
    with pytest.raises(BadFile):
        Older("file", read_only=True)


def test_a_class_may_keep_its_files_to_their_owner() -> None:
    class Private(SolvedPositions):
        MODE = 0o600

    before = os.umask(0o022)
    try:
        for kind, mode in ((SolvedPositions, 0o644), (Private, 0o600)):
            with kind(kind.__name__):
                pass
            assert stat.S_IMODE(os.stat(kind.__name__).st_mode) == mode
    finally:
        os.umask(before)


# JSON

DEEP = ["[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"a":' * 100_000, "[" * 900 + "]" * 900]
NUMBERS = ["9" * 6_000, "[" + "9" * 4_000 + "]", "1e999", "[-1e999]", "NaN", "[Infinity]"]
NESTED = pytest.mark.parametrize("text", [*DEEP, *NUMBERS], ids=lambda text: f"{text[:6]} {len(text)}")


def played_match() -> str:
    Path("file.sqlite").write_bytes(NEW["match"])
    return "file.sqlite"


@NESTED
def test_json_of_results_is_refused(text: str, tmp_path: Path) -> None:
    path = played_match()
    whole = Path(path).read_bytes()
    for update in (
        f"UPDATE facts SET value = '{text}' WHERE name = 'tournament'",
        f"UPDATE facts SET value = '{{\"title\": {text}}}' WHERE name = 'tournament'",
        f"UPDATE games SET cpu = '{text}'",
        f"UPDATE games SET given_away = '{text}'",
    ):
        Path(path).write_bytes(whole)
        change(path, update)
        for command in COMMANDS[ResultStore]:
            assert path in refused(command.replace("FILE", path))


@NESTED
def test_json_of_measurements_is_refused(text: str) -> None:
    path = made(Measurements)
    change(path, f"INSERT INTO facts VALUES ('players', '{text}')")
    for command in COMMANDS[Measurements]:
        assert path in refused(command.replace("FILE", path))


@NESTED
def test_json_of_a_set_that_is_being_made_is_refused(text: str) -> None:
    path = made(SolvedPositions)
    change(path, f"INSERT INTO solved VALUES ('max', '4', '{text}')")
    for command in COMMANDS[SolvedPositions]:
        assert path in refused(command)


@NESTED
@pytest.mark.parametrize(
    "form", ["{}", '{{"4x4": {}}}', '{{"4x4": {{"columns": 4, "rows": 4, "solved": false, "x": {}}}}}']
)
def test_json_of_sizes_is_refused(text: str, form: str) -> None:
    Path("solved.json").write_text(form.format(text))
    assert "solved.json" in refused("solve-sizes --cells 16")


@NESTED
def test_json_of_a_book_is_refused(text: str) -> None:
    facts = f'{{"made": {{"x": {text}}}, "plies": 0, "positions": 0}}\n'.encode()
    Path("a.book").write_bytes(b"maxconnect4 opening book 1\n%08x\n" % crc32(facts) + facts)
    for command in ("book stats --book a.book", "book stats --json --book a.book"):
        assert "a.book" in refused(command)


# TOML

TWO = '[[player]]\nbuilt_in = "depth:1"\n[[player]]\nbuilt_in = "random"\n'


@pytest.mark.parametrize(
    "text",
    [
        "title = " + "[" * 100_000,
        "title = " + "[" * 100_000 + "]" * 100_000,
        "title = " + "[\n" * 100_000,
        "title = " + "{a=" * 60_000 + "1" + "}" * 60_000,
        "title = " + "{a=" * 200 + "1" + "}" * 200,
        "title = " + "[" * 200 + "]" * 200,
        "seed = " + "9" * 6_000,
        "seed = " + "9" * 250_000,
        "seed = 0x" + "f" * 250_000,
        "title = 0x" + "f" * 250_000,
        "seed = 9223372036854775808",
        "[limits]\nseconds = 0x" + "f" * 250_000,
        "[limits]\nseconds = 1e999",
        "[limits]\nmemory = 0x" + "f" * 250_000,
        "title = [" + "1, " * 80_000 + "]",
        ".".join("a" * 100_000) + " = 1",
        "x = {" + ".".join("a" * 100_000) + " = 1}",
        "[" + ".".join("a" * 100_000) + "]",
        ".".join(['"\u2028"'] * 40_000) + " = 1",
        "".join(f"k{number}{'.a' * 100} = 1\n" for number in range(100)),
        pytest.param("".join(f"k{number}{'.a' * 100} = 1\n" for number in range(400)), marks=pytest.mark.long),
        pytest.param("".join(f"k{number}{'.a' * 100} = 1\n" for number in range(1_300)), marks=pytest.mark.long),
        "[[player]]\n" * 25_000,
        "a" * 250_000,
        '"' * 250_000,
    ],
    ids=lambda text: f"{text[:12]!a} {len(text)}",
)
def test_toml_is_refused(text: str) -> None:
    Path("t.toml").write_text(f"{text}\n{TWO}")
    assert "t.toml" in refused("tournament t.toml")
    assert not Path("t.sqlite").exists()
