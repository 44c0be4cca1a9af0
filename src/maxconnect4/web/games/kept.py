"""The games that are kept: an SQLite file in the user's data folder. Every change is there before it is answered."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from ...database import DatabaseWithFacts
from ..facts.positions import points, position_from, result
from ..http.refusals import NO_ROOM, NOT_FOUND, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...board import Board

MOST_GAMES = 100_000
MOST_OF_ONE = 1_000  # where many people share a server
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
    """All games of a server; its facts have the "address" at which the server is to be found."""

    KIND = "a file of games"
    FORMAT = 0x4D433447  # "MC4G"
    TABLES = TABLES
    PATIENCE = 0.3  # all requests wait meanwhile

    def __init__(self, path: str, *, read_only: bool = False) -> None:
        super().__init__(path, read_only=read_only)
        if not read_only:
            with self._in_words():  # a change is one write to the end of a file, and readers do not hold it up
                self._database.execute("PRAGMA journal_mode = WAL")
                self._database.execute("PRAGMA synchronous = NORMAL")

    def make(self, board: Board, start: str | None, players: tuple[str, str], owner: str = "") -> Game:
        """Keep a new game that begins with this board."""
        now = _now()
        moves = "".join(map(str, board.drops))
        game = Game(secrets.token_hex(16), board.game, start, moves, "", *players, now, now, owner)
        with self._in_words():
            if self._number("SELECT count(*) FROM games") >= MOST_GAMES:
                raise Refused(NO_ROOM, f"{MOST_GAMES:,} games are kept already: delete some first")
            if owner and self._number("SELECT count(*) FROM games WHERE owner = ?", owner) >= MOST_OF_ONE:
                raise Refused(NO_ROOM, f"{MOST_OF_ONE:,} of your games are kept already: delete some first")
            self._database.execute(
                f"INSERT INTO games ({COLUMNS}, turn, red_points, green_points, result) "
                f"VALUES ({', '.join('?' * 10)}, (SELECT coalesce(max(turn), 0) + 1 FROM games), ?, ?, ?)",
                (*_values(game), *points(board), result(board)),
            )
        return game

    def change(self, game: Game, board: Board, future: str) -> Game:
        """Keep what a game has become."""
        game = replace(game, moves="".join(map(str, board.drops)), future=future, changed=_now())
        with self._in_words():
            self._database.execute(
                "UPDATE games SET moves = ?, future = ?, changed = ?, turn = (SELECT max(turn) + 1 FROM games), "
                "red_points = ?, green_points = ?, result = ? WHERE id = ?",
                (game.moves, future, game.changed, *points(board), result(board), game.id),
            )
        return game

    def change_players(self, game: Game, players: tuple[str, str]) -> Game:
        """Have others play on."""
        game = replace(game, red=players[0], green=players[1], changed=_now())
        with self._in_words():
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
        with self._in_words():
            self._database.execute("DELETE FROM games WHERE id = ?", (id_,))

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


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
