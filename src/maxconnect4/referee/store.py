"""Results files: the settings and the played games of a tournament, in SQLite."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from ..database import DatabaseWithMetadata
from ..errors import BadFile
from .game import GameResult, PlayedGame, ScheduledGame
from .move_validation import Fault, Note

TABLES = (
    DatabaseWithMetadata.METADATA,
    """
CREATE TABLE games (
    number INTEGER PRIMARY KEY,  -- in the order of the schedule
    round INTEGER NOT NULL,
    pair INTEGER NOT NULL,       -- the same for two games with the same opening and colours swapped
    red TEXT NOT NULL,
    green TEXT NOT NULL,
    opening TEXT NOT NULL,       -- move string
    moves TEXT NOT NULL,         -- move string of the whole game, including the opening
    ending TEXT NOT NULL,        -- full, four (of a classic game), adjudicated, forfeit or void
    score REAL,                  -- red's: 1, 0.5 or 0; NULL if void
    red_points INTEGER NOT NULL, -- fours; in the classic game the value of the win
    green_points INTEGER NOT NULL,
    line TEXT NOT NULL,          -- the solver's moves in an adjudicated game
    cpu TEXT NOT NULL,           -- seconds of CPU time for each move after the opening, as JSON
    seconds REAL NOT NULL,       -- wall-clock time
    given_away TEXT              -- regret of each move after the opening, as JSON; NULL if not reviewed
)""",
    """
CREATE TABLE faults (
    game INTEGER NOT NULL REFERENCES games,
    player INTEGER NOT NULL,     -- 1 red, 2 green
    ply INTEGER NOT NULL,        -- of the missing move
    kind TEXT NOT NULL,
    detail TEXT NOT NULL,
    input TEXT NOT NULL,         -- the evidence: input file, output file and printed text
    output TEXT NOT NULL,
    printed TEXT NOT NULL
)""",
    "CREATE TABLE notes (game INTEGER NOT NULL REFERENCES games, player INTEGER NOT NULL, ply INTEGER NOT NULL, "
    "kind TEXT NOT NULL)",
    """
CREATE TABLE retired (
    game TEXT NOT NULL,          -- a game of an earlier version of a program or of the schedule, as JSON
    red TEXT NOT NULL,           -- the fingerprints of its players
    green TEXT NOT NULL
)""",
    "CREATE INDEX faults_of_game ON faults (game)",
    "CREATE INDEX notes_of_game ON notes (game)",
)


class RunMetadata(msgspec.Struct, frozen=True, kw_only=True):
    """The metadata of a results file. The names of the fields are the stored keys."""

    tournament: dict[str, Any] | None = None  # see `Tournament.from_dict`; None in a new file
    name: str = ""  # unique name of the run
    began: str = ""
    isolation: tuple[str, ...] = ()  # of external programs; several if the run was resumed with another one
    fingerprints: dict[str, str] = {}  # of the players whose games are stored, by name; none in an old file
    history: tuple[str, ...] = ()  # changes of players, with their dates


class RetiredGame(NamedTuple):
    """A game that is not part of the schedule, or was played by another version of a program."""

    row: int
    played: PlayedGame
    red: str  # the fingerprints of the players
    green: str


class GameRow(NamedTuple):
    """A row of the table of games."""

    number: int
    round: int
    pair: int
    red: str
    green: str
    opening: str
    moves: str
    ending: str
    score: float | None
    red_points: int
    green_points: int
    line: str
    cpu: str
    seconds: float
    regrets: str | None


FaultRow = tuple[int, int, int, str, str, str, str, str]
SECONDS = msgspec.json.Decoder(tuple[float, ...])
REGRETS = msgspec.json.Decoder(tuple[int, ...])


class ResultStore(DatabaseWithMetadata):
    """A results file."""

    KIND = "a results file"
    FORMAT = 0x4D433452  # "MC4R"
    TABLES = TABLES
    OPTIONAL = frozenset({"retired"})

    def add(self, results: Iterable[PlayedGame]) -> None:
        """Store played games durably."""
        with self._domain_errors(), self._transaction():
            for played in results:
                self._add(played.game, played.result)

    def _add(self, game: ScheduledGame, result: GameResult) -> None:
        regrets = None if result.regrets is None else json.dumps(result.regrets)
        self._insert(
            "INTO games",
            *(game.number, game.round, game.pair, game.red, game.green, game.opening),
            *(result.moves, result.ending, result.score, *result.points, result.line),
            *(json.dumps(result.cpu), result.seconds, regrets),
        )
        for fault in result.faults:
            evidence = map(_storable, (fault.detail, fault.input, fault.output, fault.printed))
            self._insert("INTO faults", game.number, fault.player, fault.ply, fault.kind, *evidence)
        for note in result.notes:
            self._insert("INTO notes", game.number, note.player, note.ply, note.kind)

    def retire(self, fingerprints: dict[str, str], metadata: dict[str, Any]) -> None:
        """Set all games aside, with the fingerprints of their players, and store metadata, at once."""
        results = self.all()
        with self._domain_errors(), self._transaction():
            for played in results:
                prints = (fingerprints.get(name, "") for name in (played.game.red, played.game.green))
                self._insert("INTO retired", msgspec.json.encode(played).decode(), *prints)
            for table in ("faults", "notes", "games"):
                self._database.execute(f"DELETE FROM {table}")
            self._put_metadata(metadata)

    def retired(self) -> list[RetiredGame]:
        """The games that were set aside."""
        rows = self._rows(tuple[int, str, str, str], "SELECT rowid, * FROM retired ORDER BY rowid")
        with self.stored_values():
            return [RetiredGame(row[0], msgspec.json.decode(row[1], type=PlayedGame), *row[2:]) for row in rows]

    def reuse(self, games: Iterable[tuple[RetiredGame, PlayedGame]]) -> None:
        """Make retired games part of the schedule again, as these played games."""
        with self._domain_errors(), self._transaction():
            for retired, played in games:
                self._add(played.game, played.result)
                self._database.execute("DELETE FROM retired WHERE rowid = ?", (retired.row,))

    def put_regrets(self, games: Iterable[tuple[int, tuple[int, ...]]]) -> None:
        """Add reviews of games, by their numbers."""
        with self._domain_errors(), self._transaction():
            for number, regrets in games:
                self._database.execute(
                    "UPDATE games SET given_away = ? WHERE number = ?", (json.dumps(regrets), number)
                )

    def all(self) -> list[PlayedGame]:
        """Every game, in the order of the schedule."""
        with self._domain_errors(), self._transaction("DEFERRED"):  # a snapshot, as another process may add games
            return self._all()

    def _all(self) -> list[PlayedGame]:
        faults: dict[int, list[Fault]] = {}
        for game, player, ply, kind, *evidence in self._rows(FaultRow, "SELECT * FROM faults ORDER BY rowid"):
            faults.setdefault(game, []).append(Fault(kind, player, ply, *evidence))
        notes: dict[int, list[Note]] = {}
        for game, player, ply, kind in self._rows(tuple[int, int, int, str], "SELECT * FROM notes ORDER BY rowid"):
            notes.setdefault(game, []).append(Note(kind, player, ply))
        with self.stored_values():
            results = [
                _result(row, tuple(faults.pop(row[0], ())), tuple(notes.pop(row[0], ())))
                for row in self._rows(GameRow, "SELECT * FROM games ORDER BY number")
            ]
        for number in (*faults, *notes):
            raise BadFile(f"{self.name} is damaged: it has a fault or a note of game {number}, but not the game")
        return results


def _result(row: GameRow, faults: tuple[Fault, ...], notes: tuple[Note, ...]) -> PlayedGame:
    return PlayedGame(
        ScheduledGame(*row[:6]),
        GameResult(
            row.number,
            row.moves,
            row.ending,
            row.score,
            (row.red_points, row.green_points),
            SECONDS.decode(row.cpu),
            row.seconds,
            row.line,
            faults,
            notes,
            None if row.regrets is None else REGRETS.decode(row.regrets),
        ),
    )


def _storable(text: str) -> str:
    """The text without lone surrogates, which SQLite rejects."""
    return text.encode("utf-8", "replace").decode("utf-8")
