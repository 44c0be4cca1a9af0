"""The results of a tournament: an SQLite file, to which each game is added as it ends."""

from __future__ import annotations

import json

import msgspec

from ..database import DatabaseWithFacts
from ..errors import BadFile
from .games import Fault, Game, Note, Played, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

TABLES = (
    DatabaseWithFacts.FACTS,
    """
CREATE TABLE games (
    number INTEGER PRIMARY KEY,  -- in the order of the schedule
    round INTEGER NOT NULL,
    pair INTEGER NOT NULL,       -- the same for two games with the same opening and colours swapped
    red TEXT NOT NULL,
    green TEXT NOT NULL,
    opening TEXT NOT NULL,       -- the first moves, which were given
    moves TEXT NOT NULL,         -- all of them, as columns from 1 to 7
    ending TEXT NOT NULL,        -- full, four (of a classic game), adjudicated, forfeit or void
    score REAL,                  -- red's: 1, 0.5 or 0; NULL if void
    red_points INTEGER NOT NULL, -- fours; in the classic game what the win is worth, the more the sooner it came
    green_points INTEGER NOT NULL,
    line TEXT NOT NULL,          -- how the solver played on, if it was adjudicated
    cpu TEXT NOT NULL,           -- seconds of CPU time for each move after the opening, as JSON
    seconds REAL NOT NULL,       -- by the clock
    given_away TEXT              -- points lost by each move after the opening, as JSON; NULL if not reviewed
)""",
    """
CREATE TABLE faults (
    game INTEGER NOT NULL REFERENCES games,
    player INTEGER NOT NULL,     -- 1 red, 2 green
    ply INTEGER NOT NULL,        -- which move it should have been
    kind TEXT NOT NULL,
    detail TEXT NOT NULL,
    input TEXT NOT NULL,         -- the evidence: what the program got, wrote and printed
    output TEXT NOT NULL,
    printed TEXT NOT NULL
)""",
    "CREATE TABLE notes (game INTEGER NOT NULL REFERENCES games, player INTEGER NOT NULL, ply INTEGER NOT NULL, "
    "kind TEXT NOT NULL)",
    "CREATE INDEX faults_of_game ON faults (game)",
    "CREATE INDEX notes_of_game ON notes (game)",
)


SECONDS = msgspec.json.Decoder(tuple[float, ...])
REGRETS = msgspec.json.Decoder(tuple[int, ...])


class Results(DatabaseWithFacts):
    """What a tournament is, and the games of it that are over."""

    KIND = "a file of results"
    FORMAT = 0x4D433452  # "MC4R"
    TABLES = TABLES

    def add(self, results: Iterable[Result]) -> None:
        """Keep games that are over. Once this returns they stay, whatever happens."""
        with self._in_words(), self._one_step():
            for result in results:
                self._add(result.game, result.played)

    def _add(self, game: Game, played: Played) -> None:
        given_away = None if played.given_away is None else json.dumps(played.given_away)
        self._insert(
            "INTO games",
            *(game.number, game.round, game.pair, game.red, game.green, game.opening),
            *(played.moves, played.ending, played.score, *played.points, played.line),
            *(json.dumps(played.cpu), played.seconds, given_away),
        )
        for fault in played.faults:
            evidence = map(_storable, (fault.detail, fault.input, fault.output, fault.printed))
            self._insert("INTO faults", game.number, fault.player, fault.ply, fault.kind, *evidence)
        for note in played.notes:
            self._insert("INTO notes", game.number, note.player, note.ply, note.kind)

    def put_given_away(self, games: Iterable[tuple[int, tuple[int, ...]]]) -> None:
        """Add reviews of games, by their numbers."""
        with self._in_words(), self._one_step():
            for number, given_away in games:
                self._database.execute(
                    "UPDATE games SET given_away = ? WHERE number = ?", (json.dumps(given_away), number)
                )

    def all(self) -> list[Result]:
        """Every game, in the order of the schedule."""
        with self._in_words(), self._one_step("DEFERRED"):  # all of one moment, though somebody may be adding games
            return self._all()

    def _all(self) -> list[Result]:
        faults: dict[int, list[Fault]] = {}
        for game, player, ply, kind, *rest in self._rows("SELECT * FROM faults ORDER BY rowid"):
            faults.setdefault(game, []).append(Fault(kind, player, ply, *rest))
        notes: dict[int, list[Note]] = {}
        for game, player, ply, kind in self._rows("SELECT * FROM notes ORDER BY rowid"):
            notes.setdefault(game, []).append(Note(kind, player, ply))
        with self.as_written():
            results = [
                _result(row, tuple(faults.pop(row[0], ())), tuple(notes.pop(row[0], ())))
                for row in self._rows("SELECT * FROM games ORDER BY number")
            ]
        for number in (*faults, *notes):
            raise BadFile(f"{self.name} is damaged: a fault or note of game {number}, which is not there")
        return results


def _result(row: Any, faults: tuple[Fault, ...], notes: tuple[Note, ...]) -> Result:
    number, round_, pair, red, green, opening, moves, ending, score, *rest = row
    red_points, green_points, line, cpu, seconds, given_away = rest
    return Result(
        Game(number, round_, pair, red, green, opening),
        Played(
            number,
            moves,
            ending,
            score,
            (red_points, green_points),
            SECONDS.decode(cpu),
            seconds,
            line,
            faults,
            notes,
            None if given_away is None else REGRETS.decode(given_away),
        ),
    )


def _storable(text: str) -> str:
    """A text without half characters, which SQLite does not take."""
    return text.encode("utf-8", "replace").decode("utf-8")
