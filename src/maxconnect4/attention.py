"""What a person sees at a glance, and what a person overlooks.

People see a four that stands upright or lies level sooner than a slanting one, and one with a gap later than one that
goes on. They look at their own plans more than at the opponent's, and forget that a drop opens the cell above it. Their
eye goes to the last drop. They tire as the board fills up. What they have overlooked they overlook for some moves; but
nobody misses everything at once. Apart from fours they like the centre, and to build beside their own pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

from .board import EMPTY, Board, other

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .board import Line

    Cell = tuple[int, int]

SPELL = 8  # pieces that are dropped before somebody looks anew at what was overlooked
UPRIGHT = 0.5  # the share of oversights that remains for a four that stands upright,
AT_LAST_DROP = 0.5  # and for one that holds the piece dropped last
GAP = 0.9  # how well a four is seen whose empty cell is an inner one
#: In hundredths of a point. In the classic game the first four wins.
FOUR = {"max": 100, "classic": 10_000}
#: What a line without the opponent's pieces is worth by the own pieces in it before the drop; and the other way round.
BUILDING = (1, 4, 14)
HINDERING = (0, 2, 8)


@dataclass(frozen=True, slots=True)
class Attention:
    """How likely somebody is to see things. Each is that for level fours without a gap, on the empty board."""

    own: float  # a four that can be made
    theirs: float  # a four that the opponent could make in the same place
    above: float  # a four that the opponent could make on top of the drop
    slanting: float  # how much of this remains for slanting fours
    tiring: float = 0.0  # how much of it is lost until the board is full
    hindering: float = 0.5  # how much the opponent's plans count, beside the own ones


def glance(board: Board, attention: Attention, seed: str) -> dict[int, float]:
    """What each column seems to be worth to the side to move, in hundredths of a point. The same seed sees the same."""
    return _Glance(board, attention, seed).columns()


class _Glance:
    def __init__(self, board: Board, attention: Attention, seed: str) -> None:
        self.board = board
        self.attention = attention
        self.seed = seed
        self.lines = _lines_through(board.width, board.height)
        self.cells = {
            (column, row): piece for column in board.all_columns() for row, piece in enumerate(board.stack(column), 1)
        }
        self.freshness = 1 - attention.tiring * board.pieces() / (board.width * board.height)
        self.last = (board.drops[-1], len(board.stack(board.drops[-1]))) if board.drops else None

    def columns(self) -> dict[int, float]:
        """What each column that may be dropped into seems to be worth."""
        own, theirs = self.board.to_move, other(self.board.to_move)
        four = FOUR[self.board.game]
        worth = dict.fromkeys(self.board.columns(), 0.0)
        sights: list[tuple[bool, float, int, float]] = []  # seen?, how plain it is, the column, what it is worth
        for column in worth:
            cell = (column, len(self.board.stack(column)) + 1)
            worth[column] = self._shape(cell, own, theirs)
            for plain, line in self._fours(cell, own, self.attention.own):
                sights.append((self._is_seen(line, plain), plain, column, four * 1.1))
            for plain, line in self._fours(cell, theirs, self.attention.theirs):
                sights.append((self._is_seen(line, plain), plain, column, four))
            above = (column, cell[1] + 1)
            for plain, line in self._fours(above, theirs, self.attention.above):
                sights.append((self._is_seen(line, plain), plain, column, -four * 0.9))
            for plain, line in self._fours(above, own, self.attention.above):
                sights.append((self._is_seen(line, plain), plain, column, -four * 0.5))
        if len(sights) > 1 and not any(seen for seen, *_ in sights):
            plainest = max(sights, key=lambda sight: sight[1])
            sights = [(True, *plainest[1:])]
        for seen, _, column, value in sights:
            if seen:
                worth[column] += value
        return worth

    def _fours(self, cell: Cell, player: int, likely: float) -> list[tuple[float, Line]]:
        """The lines that a piece in a cell would make a four of a player, and how plain each is to see."""
        found = []
        for line in self.lines.get(cell, ()):
            if all(self.cells.get(each, EMPTY) == player for each in line if each != cell):
                found.append((self._plainness(line, cell, likely), line))
        return found

    def _plainness(self, line: Line, cell: Cell, likely: float) -> float:
        (first_column, first_row), last = line[0], line[3]
        if first_column == last[0]:
            likely = 1 - (1 - likely) * UPRIGHT
        elif first_row != last[1]:
            likely *= self.attention.slanting
        if cell not in (line[0], last):
            likely *= GAP
        likely *= self.freshness
        if self.last in line:
            likely = 1 - (1 - likely) * AT_LAST_DROP
        return likely

    def _is_seen(self, line: Line, plain: float) -> bool:
        """Whether it is seen in this spell. Spells begin at another moment for each line."""
        (column, row), (next_column, _) = line[0], line[1]
        spell = (self.board.pieces() + 3 * column + 5 * row) // SPELL
        return Random(f"{self.seed} {column} {row} {next_column} {line[3][1]} {spell}").random() < plain

    def _shape(self, cell: Cell, own: int, theirs: int) -> float:
        """What a drop does for lines that are still open."""
        worth = 0.0
        for line in self.lines[cell]:
            pieces = [self.cells.get(each, EMPTY) for each in line]
            mine, yours = pieces.count(own), pieces.count(theirs)
            if not yours and mine < 3:
                worth += BUILDING[mine]
            elif not mine and yours < 3:
                worth += self.attention.hindering * HINDERING[yours]
        return worth


@cache
def _lines_through(width: int, height: int) -> dict[Cell, list[Line]]:
    """The lines that go through each cell."""
    through: dict[Cell, list[Line]] = {}
    for line in Board(width=width, height=height).lines():
        for cell in line:
            through.setdefault(cell, []).append(line)
    return through
