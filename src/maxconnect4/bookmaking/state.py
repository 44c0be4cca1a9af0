"""What is solved of a book that is being made: an SQLite file, which only the coordinating process writes."""

from __future__ import annotations

from ..database import Database
from ..errors import BadFile
from ..keys import MOST, moves_of
from .solving import Solved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LINES = 69  # no margin is larger
TABLE = """
CREATE TABLE solved (
    position INTEGER PRIMARY KEY,  -- its key
    value INTEGER NOT NULL,        -- with perfect play, in the view of the side to move
    nodes INTEGER NOT NULL,        -- what it took; 0 if the value is from a book
    microseconds INTEGER NOT NULL  -- of CPU time
)"""


class State(Database):
    """The positions of Max-Connect4 that are solved, and what that took. The file is made if there is none."""

    KIND = "the state of a book"
    FORMAT = 0x4D433442  # "MC4B"
    TABLES = (TABLE,)
    game = "max"

    def values(self) -> dict[int, int]:
        """The value of each key that is solved."""
        return dict(self._rows("SELECT position, value FROM solved"))

    def solved(self) -> Iterator[Solved]:
        """Each position that is solved, and what it took."""
        for key, value, nodes, microseconds in self._rows("SELECT position, value, nodes, microseconds FROM solved"):
            yield Solved(key, value, nodes, microseconds / 1e6)

    def add(self, solved: Iterable[Solved]) -> int:
        """Keep positions; the number of those that are new. Once this returns they stay, whatever happens.

        If a position is there already with another value, one of the two is wrong: then nothing is kept.
        """
        new = 0
        with self._in_words(), self._one_step():
            for key, value, nodes, seconds in solved:
                if not (0 < key < MOST and abs(value) <= LINES):
                    raise BadFile(f"{value} cannot be the value of position {key}")
                row = (key, value, nodes, round(seconds * 1e6))
                if self._database.execute("INSERT OR IGNORE INTO solved VALUES (?, ?, ?, ?)", row).rowcount:
                    new += 1
                elif value != (known := self._number("SELECT value FROM solved WHERE position = ?", key)):
                    raise BadFile(f"{self.name} has the value {known} for {moves_of(key)!r}, and here it is {value}")
        return new


class ClassicState(State):
    """The same of the classic game."""

    KIND = "the state of a book of the classic game"
    FORMAT = 0x4D433443  # "MC4C"
    game = "classic"


STATES: dict[str, type[State]] = {"max": State, "classic": ClassicState}
