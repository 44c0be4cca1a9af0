"""What a person sees at a glance, and what a person overlooks.

People see a four that stands upright or lies level sooner than a slanting one, and one with a gap later than one that
goes on. They look at their own plans more than at the opponent's, and forget that a drop opens the cell above it. Their
eye goes to the last drop. They tire as the board fills up. What they have overlooked they overlook for some moves; but
nobody misses everything at once. Apart from fours they like the centre, and to build beside their own pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random

from ..board import EMPTY, Board, other

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..board import Line

    Cell = tuple[int, int]

SPELL = 6  # pieces that are dropped before somebody looks anew at what was overlooked
UPRIGHT = 0.5  # the share of oversights that remains for a four that stands upright,
AT_LAST_DROP = 0.5  # and for one that holds the piece dropped last
GAP = 0.5  # how much of the chance to overlook a four is added if its empty cell is an inner one
#: What is seen is acted upon: a four counts for more than all the rest. In the classic game it ends the game.
FOUR = {"max": 300, "classic": 10_000}
#: What a line without the opponent's pieces is worth by the own pieces in it before the drop; and the other way round.
BUILDING = (1, 4, 14)
HINDERING = (0, 2, 8)
CENTRE = 2  # what a column nearer the centre is worth, beside the lines


@dataclass(frozen=True, slots=True)
class Attention:
    """How likely somebody is to see a level four without a gap, on the empty board."""

    own: float  # that can be made
    theirs: float  # that the opponent could make in the same place
    above: float  # that the opponent could make on top of the drop
    slanting: float  # how much of this remains for slanting fours
    tiring: float = 0.0  # how much of it is lost until the board is full


@dataclass(frozen=True, slots=True)
class Impression:
    """What somebody makes of a position at a glance."""

    worth: dict[int, float]  # what each column seems to be worth to the side to move: a four is 300 or so
    overlooked: int  # fours that were there to be seen, and were not


def glance(board: Board, attention: Attention, seed: str) -> Impression:
    """What the side to move sees. The same seed sees the same."""
    return _Glance(board, attention, seed).impression()


@dataclass(frozen=True, slots=True)
class _Sight:
    """A four that a drop makes, stops, or makes possible."""

    column: int  # of the drop
    worth: float
    plain: float  # how likely it is to be seen
    seen: bool


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

    def impression(self) -> Impression:
        """All that is seen, added up for each column."""
        landings = {column: (column, len(self.board.stack(column)) + 1) for column in self.board.columns()}
        worth = {column: self._shape(cell) for column, cell in landings.items()}
        sights = [sight for cell in landings.values() for sight in self._sights(cell)]
        seen = [sight for sight in sights if sight.seen]
        if len(sights) > 1 and not seen:
            seen = [max(sights, key=lambda sight: sight.plain)]
        for sight in seen:
            worth[sight.column] += sight.worth
        return Impression(worth, len(sights) - len(seen))

    def _sights(self, cell: Cell) -> Iterator[_Sight]:
        """What there is to be seen of a drop into a cell."""
        own, theirs = self.board.to_move, other(self.board.to_move)
        four, above = FOUR[self.board.game], (cell[0], cell[1] + 1)
        yield from self._fours(cell, own, self.attention.own, 1.1 * four)
        yield from self._fours(cell, theirs, self.attention.theirs, four)
        yield from self._fours(above, theirs, self.attention.above, -0.9 * four)
        yield from self._fours(above, own, self.attention.above, -0.5 * four)  # it will be stopped

    def _fours(self, cell: Cell, player: int, likely: float, worth: float) -> Iterator[_Sight]:
        """The fours that a piece of a player in a cell would make."""
        for number, line in self.lines.get(cell, ()):
            if all(self.cells.get(each, EMPTY) == player for each in line if each != cell):
                plain = self._plainness(line, cell, likely)
                yield _Sight(cell[0], worth, plain, self._luck(number) < plain)

    def _shape(self, cell: Cell) -> float:
        """What a drop seems to do for lines that are still open, and how near the centre it is."""
        own, theirs = self.board.to_move, other(self.board.to_move)
        worth = -CENTRE * abs(cell[0] - (self.board.width + 1) / 2)
        for number, line in self.lines[cell]:
            pieces = [self.cells.get(each, EMPTY) for each in line]
            mine, yours = pieces.count(own), pieces.count(theirs)
            if (mine and yours) or mine == 3 or yours == 3:
                continue
            likely = self.attention.theirs if yours else self.attention.own
            if self._luck(number) < self._plainness(line, cell, likely) ** 2:  # it takes more than to see a four
                worth += HINDERING[yours] if yours else BUILDING[mine]
        return worth

    def _plainness(self, line: Line, cell: Cell, likely: float) -> float:
        """How likely it is that a line is seen from a cell, by how likely a level one without a gap is."""
        first, last = line[0], line[3]
        if first[0] == last[0]:
            likely = 1 - (1 - likely) * UPRIGHT
        elif first[1] != last[1]:
            likely *= self.attention.slanting
        if cell not in (first, last):
            likely *= 1 - (1 - likely) * GAP
        likely *= self.freshness
        if self.last in line:
            likely = 1 - (1 - likely) * AT_LAST_DROP
        return likely

    def _luck(self, line: int) -> float:
        """By chance, from 0 to 1, in each spell of the game. Spells begin at another moment for each line."""
        return _draws(self.seed, (self.board.pieces() + line) // SPELL, len(self.board.lines()))[line]


@lru_cache(1024)
def _draws(seed: str, spell: int, lines: int) -> list[float]:
    chance = Random(f"{seed} {spell}")
    return [chance.random() for _ in range(lines)]


@cache
def _lines_through(width: int, height: int) -> dict[Cell, list[tuple[int, Line]]]:
    """The lines that go through each cell, numbered."""
    through: dict[Cell, list[tuple[int, Line]]] = {}
    for number, line in enumerate(Board(width=width, height=height).lines()):
        for cell in line:
            through.setdefault(cell, []).append((number, line))
    return through
