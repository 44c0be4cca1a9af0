"""Bad files of every kind but positions: what they are made from, and who has to read them."""

from __future__ import annotations

import contextlib
import io
import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any
from zlib import crc32

from fuzz_inputs import damaged, noise

from maxconnect4 import Board, MaxConnect4Error, board_from_moves
from maxconnect4.benchmark.positions import EXACT, read_positions
from maxconnect4.benchmark.store import Measurements
from maxconnect4.benchmark.summary import summarise
from maxconnect4.benchmark.tables import OURS, read_published
from maxconnect4.book import Book, save_book, shipped_book
from maxconnect4.book_builder import BookState, SolvedPosition
from maxconnect4.cli import main
from maxconnect4.cli.measure import measured_text
from maxconnect4.position_keys import plies_from_key
from maxconnect4.referee.config import read_tournament
from maxconnect4.referee.openings import openings_from
from maxconnect4.web.games import GameStore

Damage = Callable[[random.Random, bytes], bytes]
Reader = Callable[[str], object]

RARELY = 100
VALUES = [-1, 0, 3, 10**12, 1.5, "", "x", "4453", "1" * 50, "[]", "{}", "null", "5", '"x"', "[1, 2]", b"\xff", "\ud7ff"]
PARTS = [None, True, False, -1, 0, 10**30, 1.5, 1e300, "", "x", "max", "\0", "9" * 50]
TOURNAMENT = b"""title = "A class"
format = "swiss"
rounds = 3
openings = "random:plies=6,count=2"
seed = 7
depth = 4
adjudicate = 12
[limits]
seconds = 2.5
memory = "512M"
[[player]]
name = "Ada"
command = "python3 -c pass {in} {out} {depth}"
environment = { THREADS = "1" }
[[player]]
built_in = "depth:4,eval=lines"
[[player]]
built_in = "random:seed=7"
"""
OPENINGS = b"# two plies\n11\n12\n44 # the middle\n\n4444\n-\n"


class Files:
    """Files of a kind, which are damaged and read."""

    def __init__(self, name: str, good: bytes, damage: Damage, read: Reader, path: Path) -> None:
        self.name = name
        self.good = good
        self.damage = damage
        self.read = read
        self.path = path
        self.accepted = 0

    def make(self, rng: random.Random, number: int) -> bytes:
        return noise(rng) if number % 10 == 0 else self.damage(rng, self.good)

    def attempt(self, data: bytes, number: int) -> int:
        self.path.write_bytes(data)
        try:
            self.read(str(self.path))
            self.accepted += 1
        except MaxConnect4Error as refusal:
            assert str(refusal).isprintable(), str(refusal)
        for path in self.path.parent.iterdir():
            path.unlink()
        return 1


def kinds(folder: Path) -> Iterator[Files]:
    """All kinds of files."""

    def files(name: str, good: bytes, read: Reader, damage: Damage = damaged) -> Files:
        return Files(name, good, damage, read, folder / "file")

    exact = Path(EXACT).read_bytes().splitlines(keepends=True)
    yield files("files of tournaments", TOURNAMENT, read_tournament)
    yield files("files of openings", OPENINGS, openings_from)
    yield files("sets of positions", b"".join(exact[:30]), read_positions)
    yield files("published tables", Path(OURS).read_bytes(), read_published)
    book = folder / "book"
    save_book(str(book), {key: value for key, value in shipped_book() if plies_from_key(key) <= 2}, 2, {"by": "hand"})
    yield files("books", book.read_bytes(), read_book, damaged_book)
    with BookState(str(book.with_name("state"))) as state:
        state.add(SolvedPosition(key, value, 1, 0.001) for key, value in shipped_book() if plies_from_key(key) == 2)
    yield files("states of books", book.with_name("state").read_bytes(), read_state, damaged_database(folder))
    yield files("files of games", some_games(folder / "games"), read_games, damaged_database(folder))
    results = some_results(folder, "match", "random", "depth:1", "--openings", "random:plies=30,count=2")
    yield files("files of results", results, reported(folder), damaged_database(folder))
    measurements = some_results(folder, "measure", "depth", "--depths", "1", "--positions", "samples")
    yield files("files of measurements", measurements, read_measurements(folder), damaged_database(folder))


# Good files


def some_results(folder: Path, *words: str) -> bytes:
    """The file that a command keeps its results in."""
    with contextlib.redirect_stdout(io.StringIO()):
        assert main([*words, "--results", str(folder / "results")]) == 0
    data = (folder / "results").read_bytes()
    (folder / "results").unlink()
    return data


def some_games(path: Path) -> bytes:
    with GameStore(str(path)) as games:
        for drops in ("", "4", "44535"):
            games.change(games.create(Board(), None, ("person", "level:4")), board_from_moves(drops), "1")
    return path.read_bytes()


# Damage


def damaged_book(rng: random.Random, good: bytes) -> bytes:
    """A damaged book; often one whose checksum is right, or nothing else would ever be looked at."""
    data = damaged(rng, good)
    lines = data.split(b"\n", 2)
    if len(lines) == 3 and rng.random() < 0.7:
        lines[1] = b"%08x" % crc32(lines[2])
    return b"\n".join(lines)


def damaged_database(folder: Path) -> Damage:
    """Damage to an SQLite file: to its bytes, or to what stands in its tables."""

    def damage(rng: random.Random, good: bytes) -> bytes:
        way = rng.random()
        if way < 0.2:
            return damaged(rng, good)
        if way < 0.6:
            data = bytearray(good)
            for _ in range(rng.randint(1, 8)):
                data[rng.randrange(len(data))] = rng.randrange(256)
            return bytes(data)
        path = folder / "damaged"
        path.write_bytes(good)
        with closing(sqlite3.connect(path)) as database, contextlib.suppress(sqlite3.Error):
            _change_a_value(rng, database)
        return path.read_bytes()

    return damage


def _change_a_value(rng: random.Random, database: sqlite3.Connection) -> None:
    tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    table = rng.choice(tables)
    columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    rows = database.execute(f"SELECT * FROM {table}").fetchall()
    if not rows:
        return
    column, row = rng.randrange(len(columns)), rng.choice(rows)
    same = " AND ".join(f"{name} IS ?" for name in columns)
    value = _changed(rng, row[column])
    database.execute(f"UPDATE {table} SET {columns[column]} = ? WHERE {same}", (value, *row))
    database.commit()


def _changed(rng: random.Random, value: Any) -> Any:
    """Something else in place of a value; of one that is JSON, maybe only a part of it."""
    if isinstance(value, str) and value[:1] in ("{", "[") and rng.random() < 0.8:
        return json.dumps(_with_a_part_changed(rng, json.loads(value)))
    if isinstance(value, str) and rng.random() < 0.3:
        return damaged(rng, value.encode()).decode("latin-1")
    return rng.choice(VALUES)


def _with_a_part_changed(rng: random.Random, facts: Any) -> Any:
    """The same with a part taken out, or with another value of the same kind."""
    if not isinstance(facts, dict | list):
        return rng.choice([each for each in PARTS if type(each) is type(facts)])
    if not facts:
        return facts
    place = rng.choice(list(facts) if isinstance(facts, dict) else range(len(facts)))
    if rng.random() < 0.2:
        del facts[place]
    else:
        facts[place] = _with_a_part_changed(rng, facts[place])
    return facts


# Readers


def read_book(path: str) -> None:
    book = Book(path)
    board = Board()
    while book.value(board) is not None and (scores := book.scores(board)) is not None:
        board.drop(1 + scores.index(max(score for score in scores if score is not None)))
    list(book)


def read_state(path: str) -> None:
    with BookState(path) as state:
        state.values()
        list(state.solved())
        state.add([SolvedPosition(next(key for key, _ in shipped_book() if plies_from_key(key) == 3), 0, 1, 0.001)])


def read_games(path: str) -> None:
    with GameStore(path) as games:
        listed, _ = games.latest(10)
        for each in listed:
            games.change(each.game, each.game.board(), each.game.future)


def read_measurements(folder: Path) -> Reader:
    """Have a table made of it, and now and then a report, whose pictures take long."""
    report, times = reported(folder), count()

    def read(path: str) -> None:
        with Measurements(path, read_only=True) as file:
            measured_text(summarise(file))
        if next(times) % RARELY == 0:
            report(path)

    return read


def reported(folder: Path) -> Reader:
    """Have a report made of it."""

    def report(path: str) -> None:
        complaint = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(complaint):
            code = main(["report", path, "--html", str(folder / "page.html")])
        assert code in (0, 1, 2, 3), code
        if code:
            assert complaint.getvalue().count("\n") == 1, complaint.getvalue()
            assert not (folder / "page.html").exists()
            raise MaxConnect4Error(complaint.getvalue().rstrip("\n"))

    return report
