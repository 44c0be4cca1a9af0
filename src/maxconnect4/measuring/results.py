"""What has been measured: an SQLite file, to which each move and each game is added as it ends."""

from __future__ import annotations

from ..database import DatabaseWithFacts
from .moves import Moved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    #: Which move it is: the player, the set of positions, the place in it from 1, the depth, and the run from 1.
    Key = tuple[str, str, int, int, int]

OWN_DEPTH = -1  # of a player whose depth is its own
TABLES = (
    DatabaseWithFacts.FACTS,
    """
CREATE TABLE moves (
    player TEXT NOT NULL,
    positions TEXT NOT NULL,     -- the name of the set
    position INTEGER NOT NULL,   -- its place in the set, from 1
    depth INTEGER NOT NULL,      -- -1 for a player whose depth is its own
    run INTEGER NOT NULL,        -- from 1
    "column" INTEGER,            -- from 1 to 7; NULL if there is a fault
    cpu_seconds REAL NOT NULL,   -- user and system, the whole tree of processes
    seconds REAL NOT NULL,       -- by the clock
    nodes INTEGER,
    search_seconds REAL,         -- CPU time of the search alone
    fault TEXT NOT NULL,
    detail TEXT NOT NULL,
    regret INTEGER,              -- points given away, if the scores of the position are known
    PRIMARY KEY (player, positions, position, depth, run)
) WITHOUT ROWID""",
    """
CREATE TABLE games (
    player TEXT NOT NULL,
    opponent TEXT NOT NULL,
    depth INTEGER NOT NULL,      -- of the player; -1 if it is its own
    seed INTEGER NOT NULL,
    number INTEGER NOT NULL,     -- from 1; the player is red in those with an odd number
    moves TEXT NOT NULL,
    score REAL NOT NULL,         -- of the player: 1, 0.5 or 0
    points INTEGER NOT NULL,
    opponent_points INTEGER NOT NULL,
    fault TEXT NOT NULL,         -- of the player, if it lost by one
    PRIMARY KEY (player, opponent, depth, seed, number)
) WITHOUT ROWID""",
)


class Measurements(DatabaseWithFacts):
    """Moves and what they took, and games against an opponent."""

    KIND = "a file of measurements"
    FORMAT = 0x4D43344D  # "MC4M"
    TABLES = TABLES

    def moves(self) -> dict[Key, Moved]:
        """Every move that has been made."""
        rows = self._rows("SELECT * FROM moves ORDER BY player, positions, depth, run, position")
        return {tuple(row[:5]): Moved(*row[5:]) for row in rows}

    def add(self, key: Key, moved: Moved) -> None:
        """Keep a move, in place of one of the same key. Once this returns it stays, whatever happens."""
        with self._in_words(), self._one_step():
            self._insert(
                "OR REPLACE INTO moves",
                *(*key, moved.column, moved.cpu_seconds, moved.seconds, moved.nodes, moved.search_seconds),
                *(moved.fault, moved.detail.encode("utf-8", "replace").decode(), moved.regret),
            )

    def forget(self) -> None:
        """Remove everything that was measured."""
        with self._in_words(), self._one_step():
            for table in ("moves", "games", "facts"):
                self._database.execute(f"DELETE FROM {table}")

    def games(self) -> list[tuple[Any, ...]]:
        """Every game: player, opponent, depth, seed, number, moves, score, points, the opponent's points, fault."""
        return self._rows("SELECT * FROM games ORDER BY player, opponent, depth, seed, number")

    def add_game(self, *values: Any) -> None:
        """Keep a game, with what `games` says."""
        with self._in_words(), self._one_step():
            self._insert("INTO games", *values)
