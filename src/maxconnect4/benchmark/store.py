"""Benchmark database: an SQLite file with every move and game of a run."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from ..database import DatabaseWithMetadata
from .players import TimedMove

#: Player, position set, position in the set from 1, depth, and run from 1.
MoveKey = tuple[str, str, int, int, int]
MoveRow = tuple[str, str, int, int, int, int | None, float, float, int | None, float | None, str, str, int | None]
OWN_DEPTH = -1  # stored for a player that sets its depth itself


class GameKey(NamedTuple):
    """The key of a game between a player and an opponent."""

    player: str
    opponent: str
    depth: int  # of the player, or OWN_DEPTH
    seed: int
    number: int  # from 1; the player is red in games with odd numbers


class MeasuredGame(NamedTuple):
    """The result of a game, from the point of view of the player."""

    moves: str
    score: float  # 1, 0.5 or 0
    points: int
    opponent_points: int
    fault: str  # of the player, if it lost by a fault


class Metadata(msgspec.Struct, frozen=True, kw_only=True):
    """The metadata of a file of measurements. The names of the fields are the stored keys."""

    machine: str = ""
    date: str = ""  # of the last measurement
    version: str = ""  # of maxconnect4 at the last measurement
    command: str = ""  # to repeat the measurements
    limit: float | None = None  # seconds of CPU time: the first depth with a slower move is the last
    game: str = "max"
    isolation: tuple[str, ...] = ()
    players: dict[str, str] = {}  # settings or command by name
    states: dict[str, str] = {}  # fingerprint of the program by player
    opponents: dict[str, str] = {}  # settings or command by name
    sets: dict[str, str] = {}  # fingerprint by name
    counts: dict[str, int] = {}  # number of positions by set


TABLES = (
    DatabaseWithMetadata.METADATA,
    """
CREATE TABLE moves (
    player TEXT NOT NULL,
    positions TEXT NOT NULL,     -- the name of the set
    position INTEGER NOT NULL,   -- its place in the set, from 1
    depth INTEGER NOT NULL,      -- -1 for a player that sets its depth itself
    run INTEGER NOT NULL,        -- from 1
    "column" INTEGER,            -- from 1 to 7; NULL if there is a fault
    cpu_seconds REAL NOT NULL,   -- user and system, the whole tree of processes
    seconds REAL NOT NULL,       -- wall-clock time
    nodes INTEGER,
    search_seconds REAL,         -- CPU time of the search alone
    fault TEXT NOT NULL,
    detail TEXT NOT NULL,
    regret INTEGER,              -- NULL if the scores of the position are unknown
    PRIMARY KEY (player, positions, position, depth, run)
) WITHOUT ROWID""",
    """
CREATE TABLE games (
    player TEXT NOT NULL,
    opponent TEXT NOT NULL,
    depth INTEGER NOT NULL,      -- of the player; -1 if it sets its depth itself
    seed INTEGER NOT NULL,
    number INTEGER NOT NULL,     -- from 1; the player is red in games with odd numbers
    moves TEXT NOT NULL,
    score REAL NOT NULL,         -- of the player: 1, 0.5 or 0
    points INTEGER NOT NULL,
    opponent_points INTEGER NOT NULL,
    fault TEXT NOT NULL,         -- of the player, if it lost by a fault
    PRIMARY KEY (player, opponent, depth, seed, number)
) WITHOUT ROWID""",
)


class Measurements(DatabaseWithMetadata):
    """A file of measurements: timed moves, and games against an opponent."""

    KIND = "a file of measurements"
    FORMAT = 0x4D43344D  # "MC4M"
    TABLES = TABLES

    def moves(self) -> dict[MoveKey, TimedMove]:
        """All moves by key."""
        rows = self._rows(MoveRow, "SELECT * FROM moves ORDER BY player, positions, depth, run, position")
        return {row[:5]: TimedMove(*row[5:]) for row in rows}

    def add(self, key: MoveKey, move: TimedMove) -> None:
        """Store a move durably. It replaces a move with the same key."""
        with self._domain_errors(), self._transaction():
            self._insert(
                "OR REPLACE INTO moves",
                *(*key, move.column, move.cpu_seconds, move.seconds, move.nodes, move.search_seconds),
                *(move.fault, move.detail.encode("utf-8", "replace").decode(), move.regret),
            )

    def clear(self) -> None:
        """Delete all measurements."""
        with self._domain_errors(), self._transaction():
            for table in ("moves", "games", "facts"):
                self._database.execute(f"DELETE FROM {table}")

    def games(self) -> dict[GameKey, MeasuredGame]:
        """All games by key."""
        query = "SELECT * FROM games ORDER BY player, opponent, depth, seed, number"
        rows = self._rows(tuple[str, str, int, int, int, str, float, int, int, str], query)
        return {GameKey(*row[:5]): MeasuredGame(*row[5:]) for row in rows}

    def add_game(self, key: GameKey, game: MeasuredGame) -> None:
        """Store a game durably."""
        with self._domain_errors(), self._transaction():
            self._insert("INTO games", *key, *game)
