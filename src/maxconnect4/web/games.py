"""Stored games: the SQLite file of the server, undo and redo, and export."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import msgspec

from ..board import Board
from ..database import DatabaseWithMetadata
from ..errors import FileInUse, MaxConnect4Error, NoSuchGame
from ..position_file import board_as_text
from .positions import describe, initial_board, points, position_from, result
from .schemas import GameResponse, ListedGameResponse

PERSON = "person"
MAX_GAMES = 100_000
MAX_GAMES_OF_OWNER = 1_000  # on a shared server
MAX_GAMES_OF_ADDRESS = 5_000  # on a shared server: a class may have one address
COLUMNS = "id, game, start, moves, future, red, green, created, changed, owner"
GameRow = tuple[str, str, str | None, str, str, str, str, str, str, str]
ListedRow = tuple[str, str, str | None, str, str, str, str, str, str, str, int, int, str | None]
TABLES = (
    DatabaseWithMetadata.METADATA,
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
    """
CREATE TABLE seats (
    game TEXT NOT NULL,
    player INTEGER NOT NULL,  -- 1 or 2
    secret TEXT NOT NULL,     -- of the browser that plays this colour
    PRIMARY KEY (game, player)
)""",
)


@dataclass(frozen=True)
class StoredGame:
    """A game, with the moves that were undone and can be redone in `future`."""

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
        """The board after the moves."""
        return position_from(self.game, self.start, self.moves)

    @property
    def players(self) -> tuple[str, str]:
        """The players, red first: "person" or a level such as "level:4"."""
        return self.red, self.green


@dataclass(frozen=True)
class ListedGame:
    """A game in a list, with its points and its result."""

    game: StoredGame
    points: tuple[int, int]
    result: str | None


class GameConflict(MaxConnect4Error):
    """A change that the current state of a game does not allow."""

    def __init__(self, game: StoredGame, message: str) -> None:
        super().__init__(message)
        self.game = game


class GameStore(DatabaseWithMetadata):
    """The games of a server, in SQLite. The metadata of the file are the "address" of the server and its "token".

    Only one thread may use it at a time.
    """

    KIND = "a file of games"
    FORMAT = 0x4D433447  # "MC4G"
    TABLES = TABLES
    OPTIONAL = frozenset(  # new in version 0.2.0, and in 0.3.0
        {"addresses", "sqlite_autoindex_addresses_1", "games_of_address", "seats", "sqlite_autoindex_seats_1"}
    )
    LOCK_SECONDS = 0.3  # other requests for games wait during this time
    MODE = 0o600  # the file contains the token and the addresses of visitors

    def __init__(self, path: str, *, read_only: bool = False) -> None:
        self._path = path
        self._served: dict[str, Any] = {}
        self._file: tuple[int, int] | None = None
        self._open(read_only)

    def _open(self, read_only: bool = False) -> None:
        super().__init__(self._path, read_only=read_only)
        if not read_only:
            with self._domain_errors():  # a change is one write to the end of a file and does not wait for readers
                self._database.execute("PRAGMA journal_mode = WAL")
                self._database.execute("PRAGMA synchronous = NORMAL")
            self._file = _identity(self._path)

    def _lock(self, path: str) -> int:
        """Open and lock the file, and restrict its permissions: every account could read files of version 0.1.0."""
        descriptor = super()._lock(path)
        for name in (path, f"{path}-wal", f"{path}-shm"):
            with suppress(FileNotFoundError, PermissionError):  # not every file system has permissions
                os.chmod(name, self.MODE)
        return descriptor

    def check_file(self) -> None:
        """If the file was deleted or replaced, open or create the new one and raise `FileInUse` once.

        Otherwise SQLite would continue to write to the deleted file.
        """
        if self._file is not None:
            if self._file == _identity(self._path):
                return
            with self._domain_errors():  # otherwise SQLite would apply the old file's journal to the new one
                self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._closing.close()
            self._file = None  # closed; if opening fails, the next request tries again
        self._open()
        super().put_metadata(self._served)
        raise FileInUse(f"{self.name} was deleted or replaced, and has been opened again")

    def put_metadata(self, values: dict[str, Any]) -> None:
        """Store metadata of the server, also in a file that replaces this one."""
        self._served |= values
        super().put_metadata(values)

    def create(
        self, board: Board, start: str | None, players: tuple[str, str], owner: str = "", address: str = ""
    ) -> StoredGame:
        """Store a new game that begins with this board.

        On a shared server, games have an owner and an address. At a limit on the number of games the oldest game is
        deleted, unfinished games first.
        """
        now = _now()
        moves = "".join(map(str, board.drops))
        game = StoredGame(secrets.token_hex(16), board.game, start, moves, "", *players, now, now, owner)
        with self._domain_errors(), self._transaction():
            if owner:
                self._delete_oldest(MAX_GAMES_OF_OWNER, "owner = ?", owner)
            if address:
                self._delete_oldest(MAX_GAMES_OF_ADDRESS, "id IN (SELECT id FROM addresses WHERE address = ?)", address)
            self._delete_oldest(MAX_GAMES, "true")
            self._database.execute(
                f"INSERT INTO games ({COLUMNS}, turn, red_points, green_points, result) "
                f"VALUES ({', '.join('?' * 10)}, (SELECT coalesce(max(turn), 0) + 1 FROM games), ?, ?, ?)",
                (*_values(game), *points(board), result(board)),
            )
            if address:
                self._insert("INTO addresses", game.id, address)
        return game

    def _delete_oldest(self, limit: int, condition: str, *values: str) -> None:
        excess = self._number(f"SELECT count(*) FROM games WHERE {condition}", *values) + 1 - limit
        if excess > 0:
            oldest = f"SELECT id FROM games WHERE {condition} ORDER BY result IS NOT NULL, turn LIMIT ?"
            for (id_,) in self._database.execute(oldest, (*values, excess)).fetchall():
                self._remove(id_)

    def _remove(self, id_: str) -> None:
        for table in ("games", "addresses"):
            self._database.execute(f"DELETE FROM {table} WHERE id = ?", (id_,))
        self._database.execute("DELETE FROM seats WHERE game = ?", (id_,))

    def seats(self, id_: str) -> dict[int, str]:
        """The secrets of the people who play a game in two browsers, by player; empty for any other game."""
        return dict(self._rows(tuple[int, str], "SELECT player, secret FROM seats WHERE game = ?", id_))

    def add_seat(self, id_: str, player: int, secret: str) -> None:
        """Store the secret of the person who plays a colour."""
        with self._domain_errors(), self._transaction():
            self._insert("INTO seats", id_, player, secret)

    def change(self, game: StoredGame, board: Board, future: str) -> StoredGame:
        """Store the position of a game after a move, undo or redo."""
        game = replace(game, moves="".join(map(str, board.drops)), future=future, changed=_now())
        with self._domain_errors(), self._transaction():
            self._database.execute(
                "UPDATE games SET moves = ?, future = ?, changed = ?, turn = (SELECT max(turn) + 1 FROM games), "
                "red_points = ?, green_points = ?, result = ? WHERE id = ?",
                (game.moves, future, game.changed, *points(board), result(board), game.id),
            )
        return game

    def change_players(self, game: StoredGame, players: tuple[str, str]) -> StoredGame:
        """Store other players of a game."""
        game = replace(game, red=players[0], green=players[1], changed=_now())
        with self._domain_errors(), self._transaction():
            self._database.execute(
                "UPDATE games SET red = ?, green = ?, changed = ?, turn = (SELECT max(turn) + 1 FROM games) "
                "WHERE id = ?",
                (*players, game.changed, game.id),
            )
        return game

    def find(self, id_: str) -> StoredGame:
        """Load the game with this id.

        Raises:
            NoSuchGame: If it does not exist.
        """
        for row in self._rows(GameRow, f"SELECT {COLUMNS} FROM games WHERE id = ?", id_):
            return StoredGame(*row)
        raise NoSuchGame("this game does not exist: it may have been deleted")

    def delete(self, id_: str) -> None:
        """Delete a game."""
        with self._domain_errors(), self._transaction():
            self._remove(id_)

    def latest(self, limit: int, before: str | None = None, owner: str | None = None) -> tuple[list[ListedGame], bool]:
        """List the last changed games, and whether there are more. Games without moves are left out.

        Args:
            limit: The maximum number of games.
            before: The id of a game; the list continues after it.
            owner: The owner of the games; None for all.
        """
        conditions, values = ["(moves <> '' OR future <> '')"], []
        if before is not None:
            conditions.append("turn < (SELECT turn FROM games WHERE id = ?)")
            values.append(self.find(before).id)
        if owner is not None:
            conditions.append("owner = ?")
            values.append(owner)
        query = (
            f"SELECT {COLUMNS}, red_points, green_points, result FROM games WHERE {' AND '.join(conditions)} "
            "ORDER BY turn DESC LIMIT ?"
        )
        rows = self._rows(ListedRow, query, *values, limit + 1)
        games = [ListedGame(StoredGame(*row[:10]), row[10:12], row[12]) for row in rows[:limit]]
        return games, len(rows) > limit


def _values(game: StoredGame) -> tuple[str | None, ...]:
    return tuple(getattr(game, name) for name in COLUMNS.split(", "))


def _identity(path: str) -> tuple[int, int] | None:
    """The device and inode of a file; None if it does not exist."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def game_response(game: StoredGame, board: Board | None = None) -> GameResponse:
    """Convert a game for a response. With `board` the moves need not be replayed."""
    position = describe(board or game.board())
    return GameResponse(game.id, game.game, game.players, position, game.future, game.created, game.changed)


def listed_game_response(listed: ListedGame) -> ListedGameResponse:
    """Convert a listed game for a response."""
    game = listed.game
    return ListedGameResponse(
        game.id,
        game.game,
        game.players,
        game.start,
        game.moves,
        listed.points,
        listed.result is not None,
        listed.result,
        game.created,
        game.changed,
    )


def next_player(game: StoredGame, board: Board) -> str:
    """The player to move: "person" or a level such as "level:4"."""
    return game.players[board.to_move - 1]


def drop(games: GameStore, game: StoredGame, column: int) -> tuple[StoredGame, Board]:
    """Make a move of the player to move."""
    board = game.board()
    board.drop(column)
    future = game.future[1:] if game.future[:1] == str(column) else ""
    return games.change(game, board, future), board


def undo(games: GameStore, game: StoredGame) -> tuple[StoredGame, Board]:
    """Undo the last move, or if one of the players is a person, all moves back to that person's turn."""
    board, future = game.board(), game.future
    if not board.drops:
        raise GameConflict(game, "there is no move to undo")
    while board.drops:
        future = f"{board.undo()}{future}"
        if _is_stop(game, board):
            return games.change(game, board, future), board
    raise GameConflict(game, "you have no move to undo")


def redo(games: GameStore, game: StoredGame) -> tuple[StoredGame, Board]:
    """Redo one move, or if one of the players is a person, all moves up to that person's turn."""
    board, future = game.board(), game.future
    if not future:
        raise GameConflict(game, "there is no move to redo")
    while future:
        board.drop(int(future[0]))
        future = future[1:]
        if _is_stop(game, board):
            break
    return games.change(game, board, future), board


def _is_stop(game: StoredGame, board: Board) -> bool:
    """Whether undo and redo stop at this position."""
    return game.players.count(PERSON) != 1 or next_player(game, board) == PERSON


TITLES = {"max": "Max-Connect4", "classic": "Classic four in a row"}
EXPORTS = {
    "text": (".txt", "text/plain"),
    "json": (".json", "application/json"),
    "position": ("-position.txt", "text/plain"),
}


def export(game: StoredGame, form: str) -> tuple[str, str, str]:
    """Export a game as a file: its name, its media type and its text."""
    ending, media_type = EXPORTS[form]
    if form == "text":
        text = _as_text(game)
    elif form == "json":
        text = msgspec.json.format(msgspec.json.encode(game_response(game)), indent=2).decode() + "\n"
    else:
        text = board_as_text(game.board())
    return f"{game.game}-{game.created[:10]}-{game.id[:6]}{ending}", media_type, text


def _as_text(game: StoredGame) -> str:
    board = game.board()
    position = describe(board)
    lines = [
        f"{TITLES[game.game]}, {game.created[:10]}",
        f"Red: {_player(game.red)}. Green: {_player(game.green)}.",
        f"Moves: {game.moves or 'none'}",
        position.result or position.description,
        "",
    ]
    if game.start:
        lines += ["Initial position (1 is red, 2 is green):", "", str(initial_board(board)), ""]
    lines += [f"{move.number:>2}. {move.description}" for move in position.history]
    return "\n".join([*lines, "", str(board)]) + "\n"


def _player(player: str) -> str:
    return "person" if player == PERSON else f"computer, level {player.removeprefix('level:')}"
