"""The games that are kept: an SQLite file in the user's data folder. Every change is there before it is answered."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from ...database import DatabaseWithFacts
from ..facts.positions import points, position_from, result
from ..http.refusals import BUSY, NOT_FOUND, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...board import Board

MOST_GAMES = 100_000
MOST_OF_OWNER = 1_000  # on a shared server
MOST_OF_ADDRESS = 5_000  # on a shared server: a class may have one address
COLUMNS = "id, game, start, moves, future, red, green, created, changed, owner"
TABLES = (
    DatabaseWithFacts.FACTS,
    """
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,       -- max or classic
    start TEXT,               -- 42 digits, top row first; NULL for the empty board
    moves TEXT NOT NULL,
    future TEXT NOT NULL,     -- what was undone and can be redone
    red TEXT NOT NULL,        -- person or level:4
    green TEXT NOT NULL,
    created TEXT NOT NULL,    -- such as 2026-11-16T10:00:00Z
    changed TEXT NOT NULL,
    owner TEXT NOT NULL,      -- who began it, where many people share a server
    turn INTEGER NOT NULL,    -- counts all changes of all games, so that the last changed is the first listed
    red_points INTEGER NOT NULL,
    green_points INTEGER NOT NULL,
    result TEXT               -- in words; NULL while the game goes on
)""",
    "CREATE UNIQUE INDEX games_by_turn ON games (turn)",
    "CREATE INDEX games_of_owner ON games (owner, turn)",
    "CREATE TABLE addresses (id TEXT PRIMARY KEY, address TEXT NOT NULL)  -- of who began a game, on a shared server",
    "CREATE INDEX games_of_address ON addresses (address)",
)


@dataclass(frozen=True)
class Game:
    """A game as it is kept."""

    id: str
    game: str
    start: str | None
    moves: str
    future: str
    red: str
    green: str
    created: str
    changed: str
    owner: str

    def board(self) -> Board:
        """The position that it has come to."""
        return position_from(self.game, self.start, self.moves)

    @property
    def players(self) -> tuple[str, str]:
        """Red's and green's."""
        return self.red, self.green


@dataclass(frozen=True)
class Listed:
    """A game in a list, with what came of it."""

    game: Game
    points: tuple[int, int]
    result: str | None


class Games(DatabaseWithFacts):
    """All games of a server; its facts have the "address" of the server and its "token".

    One thread at a time may use it.
    """

    KIND = "a file of games"
    FORMAT = 0x4D433447  # "MC4G"
    TABLES = TABLES
    OPTIONAL = frozenset({"addresses", "sqlite_autoindex_addresses_1", "games_of_address"})  # new in version 0.2.0
    PATIENCE = 0.3  # other requests for games wait meanwhile
    MODE = 0o600  # for the token, and the addresses of visitors

    def __init__(self, path: str, *, read_only: bool = False) -> None:
        self._path = path
        self._served: dict[str, Any] = {}
        self._file: tuple[int, int] | None = None
        self._open(read_only)

    def _open(self, read_only: bool = False) -> None:
        super().__init__(self._path, read_only=read_only)
        if not read_only:
            with self._in_words():  # a change is one write to the end of a file, and readers do not hold it up
                self._database.execute("PRAGMA journal_mode = WAL")
                self._database.execute("PRAGMA synchronous = NORMAL")
            self._file = _identity(self._path)

    def _claimed(self, path: str) -> int:
        """Open and lock the file. A file of version 0.1.0 could be read by everybody."""
        descriptor = super()._claimed(path)
        for name in (path, f"{path}-wal", f"{path}-shm"):
            with suppress(FileNotFoundError, PermissionError):  # not every file system has permissions
                os.chmod(name, self.MODE)
        return descriptor

    def check_file(self) -> None:
        """Refuse once if the file was deleted or replaced: SQLite would write to a file that nobody finds again.

        Then a new file is in use, or the one that replaced it.
        """
        if self._file is not None:
            if self._file == _identity(self._path):
                return
            with self._in_words():  # empties the journal of the old file, which the new one would take for its own
                self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._closing.close()
            self._file = None  # closed, and if it cannot be opened again, the next request tries to
        self._open()
        super().put_facts(self._served)
        raise Refused(BUSY, "the file of games was deleted or replaced, and is opened again: try again")

    def put_facts(self, facts: dict[str, Any]) -> None:
        """Write down things about the server, also in a file that replaces this one."""
        self._served |= facts
        super().put_facts(facts)

    def make(
        self, board: Board, start: str | None, players: tuple[str, str], owner: str = "", address: str = ""
    ) -> Game:
        """Store a new game that begins with this board.

        On a shared server it has an owner and an address. Where there are too many games, the oldest goes: unfinished
        ones first.
        """
        now = _now()
        moves = "".join(map(str, board.drops))
        game = Game(secrets.token_hex(16), board.game, start, moves, "", *players, now, now, owner)
        with self._in_words(), self._one_step():
            if owner:
                self._make_room(MOST_OF_OWNER, "owner = ?", owner)
            if address:
                self._make_room(MOST_OF_ADDRESS, "id IN (SELECT id FROM addresses WHERE address = ?)", address)
            self._make_room(MOST_GAMES, "true")
            self._database.execute(
                f"INSERT INTO games ({COLUMNS}, turn, red_points, green_points, result) "
                f"VALUES ({', '.join('?' * 10)}, (SELECT coalesce(max(turn), 0) + 1 FROM games), ?, ?, ?)",
                (*_values(game), *points(board), result(board)),
            )
            if address:
                self._insert("INTO addresses", game.id, address)
        return game

    def _make_room(self, most: int, condition: str, *values: str) -> None:
        excess = self._number(f"SELECT count(*) FROM games WHERE {condition}", *values) + 1 - most
        if excess > 0:
            oldest = f"SELECT id FROM games WHERE {condition} ORDER BY result IS NOT NULL, turn LIMIT ?"
            for (id_,) in self._database.execute(oldest, (*values, excess)).fetchall():
                self._remove(id_)

    def _remove(self, id_: str) -> None:
        for table in ("games", "addresses"):
            self._database.execute(f"DELETE FROM {table} WHERE id = ?", (id_,))

    def change(self, game: Game, board: Board, future: str) -> Game:
        """Store what a game has become."""
        game = replace(game, moves="".join(map(str, board.drops)), future=future, changed=_now())
        with self._in_words(), self._one_step():
            self._database.execute(
                "UPDATE games SET moves = ?, future = ?, changed = ?, turn = (SELECT max(turn) + 1 FROM games), "
                "red_points = ?, green_points = ?, result = ? WHERE id = ?",
                (game.moves, future, game.changed, *points(board), result(board), game.id),
            )
        return game

    def change_players(self, game: Game, players: tuple[str, str]) -> Game:
        """Have others play on."""
        game = replace(game, red=players[0], green=players[1], changed=_now())
        with self._in_words(), self._one_step():
            self._database.execute(
                "UPDATE games SET red = ?, green = ?, changed = ?, turn = (SELECT max(turn) + 1 FROM games) "
                "WHERE id = ?",
                (*players, game.changed, game.id),
            )
        return game

    def find(self, id_: str) -> Game:
        """The game of a name."""
        for row in self._rows(f"SELECT {COLUMNS} FROM games WHERE id = ?", id_):
            return Game(*row)
        raise Refused(NOT_FOUND, "there is no such game")

    def delete(self, id_: str) -> None:
        """Forget a game."""
        with self._in_words(), self._one_step():
            self._remove(id_)

    def listed(self, limit: int, before: str | None = None, owner: str | None = None) -> tuple[list[Listed], bool]:
        """The last changed games, of one owner or of all, after one in that order; and whether there are more.

        Those in which nobody has dropped yet are left out.
        """
        conditions, values = ["(moves <> '' OR future <> '')"], []
        if before is not None:
            conditions.append("turn < (SELECT turn FROM games WHERE id = ?)")
            values.append(self.find(before).id)
        if owner is not None:
            conditions.append("owner = ?")
            values.append(owner)
        question = (
            f"SELECT {COLUMNS}, red_points, green_points, result FROM games WHERE {' AND '.join(conditions)} "
            "ORDER BY turn DESC LIMIT ?"
        )
        rows = self._rows(question, *values, limit + 1)
        games = [Listed(Game(*row[:-3]), (row[-3], row[-2]), row[-1]) for row in rows[:limit]]
        return games, len(rows) > limit


def _values(game: Game) -> tuple[str | None, ...]:
    return tuple(getattr(game, name) for name in COLUMNS.split(", "))


def _identity(path: str) -> tuple[int, int] | None:
    """The file behind a path, None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
