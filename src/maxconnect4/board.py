"""The rules, stated plainly. The searching core plays by a faster copy of them, which the tests hold against this one.

Columns count from 1 at the left, rows from 1 at the bottom.
"""

from __future__ import annotations

from .errors import BadPosition, FloatingPiece, IllegalMove

TYPE_CHECKING = False  # importing typing for it would cost as much as all of this package
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SIZE = WIDTH, HEIGHT = 7, 6  # of the usual board: columns, rows
EMPTY, RED, GREEN = 0, 1, 2
NAMES = {RED: "red", GREEN: "green"}
GAMES = ("max", "classic")

if TYPE_CHECKING:
    Line = tuple[tuple[int, int], ...]
_lines: dict[tuple[int, int], list[Line]] = {}  # the lines of each board size in use


def _find_lines(width: int, height: int) -> Iterator[Line]:
    for column in range(1, width + 1):
        for row in range(1, height + 1):
            for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if column + 3 * right <= width and 1 <= row + 3 * up <= height:
                    yield tuple((column + step * right, row + step * up) for step in range(4))


def other(player: int) -> int:
    """The opponent of a player."""
    return GREEN if player == RED else RED


def check_player(player: int) -> None:
    """Refuse what is neither RED nor GREEN."""
    if player not in NAMES:
        raise ValueError(f"{player!r} is not a player: RED is {RED}, GREEN is {GREEN}")


def check_game(game: str) -> None:
    """Refuse what is neither of the two games."""
    if game not in GAMES:
        raise ValueError(f"{game!r} is not a game: choose {' or '.join(GAMES)}")


def whole(number: int, what: str) -> int:
    """A whole number as an int, which one of NumPy and True are not; anything else is refused."""
    try:
        return number.__index__()
    except (AttributeError, TypeError):
        raise TypeError(f"{what} is a whole number, not {number!r}") from None


class Board:
    """A position, the drops that led to it, and the rules that say what may follow.

    >>> board = Board()
    >>> for column in (1, 1, 2, 2, 3, 3, 4):
    ...     board.drop(column)
    >>> board.points(RED), board.fours(RED)
    (1, [((1, 1), (2, 1), (3, 1), (4, 1))])
    >>> board.to_move == GREEN, board.columns(), board.is_over()
    (True, [1, 2, 3, 4, 5, 6, 7], False)
    >>> board.undo()
    4

    `game` is "max" (play on until the board is full, every four is a point) or "classic" (the first four wins).
    """

    __slots__ = {
        "_drops": "The columns dropped into since the start.",
        "_stacks": "The pieces in each column, from the bottom.",
        "_start": "How many pieces there were at the start.",
        "game": '"max" or "classic".',
        "height": "The number of rows.",
        "width": "The number of columns.",
    }

    def __init__(self, game: str = "max", *, width: int = WIDTH, height: int = HEIGHT) -> None:
        check_game(game)
        width, height = whole(width, "a width"), whole(height, "a height")
        if width < 1 or height < 1:
            raise ValueError(f"a board of {width} columns and {height} rows has no cells")
        self.game = game
        self.width = width
        self.height = height
        self._stacks: list[list[int]] = [[] for _ in range(width)]
        self._drops: list[int] = []
        self._start = 0

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[int]], game: str = "max") -> Board:
        """The position with these cells, top row first, as in a position file: 0 empty, 1 red, 2 green."""
        if len({len(row) for row in rows}) != 1 or not {cell for row in rows for cell in row} <= {EMPTY, RED, GREEN}:
            raise BadPosition("a position has rows of equal length, made of 0, 1 and 2")
        board = cls(game, width=len(rows[0]), height=len(rows))
        for column in board.all_columns():
            cells = [row[column - 1] for row in reversed(rows)]
            stack = [cell for cell in cells if cell != EMPTY]
            for row in range(len(stack) + 1, board.height + 1):
                if cells[row - 1] != EMPTY:
                    raise FloatingPiece(column, row)
            board._stacks[column - 1] = stack
        red, green = board.count(RED), board.count(GREEN)
        if red - green not in (0, 1):
            raise BadPosition(f"{red} red and {green} green pieces: red moves first, so it has as many or one more")
        board._start = red + green
        if game == "classic" and board.points(board.to_move):
            raise BadPosition(
                f"{NAMES[board.to_move]} has four and the game went on: not a position of the classic game"
            )
        return board

    # What is on the board

    def all_columns(self) -> range:
        """Every column, full or not."""
        return range(1, self.width + 1)

    def from_the_centre(self) -> list[int]:
        """Every column, the one nearest the centre first, and of two as near the left one."""
        return sorted(self.all_columns(), key=lambda column: abs(2 * column - self.width - 1))

    def cell(self, column: int, row: int) -> int:
        """What is in a cell: EMPTY, RED or GREEN."""
        column, row = whole(column, "a column"), whole(row, "a row")
        if not (1 <= column <= self.width and 1 <= row <= self.height):
            raise IndexError(f"there is no cell in column {column}, row {row}")
        stack = self._stacks[column - 1]
        return stack[row - 1] if row <= len(stack) else EMPTY

    def stack(self, column: int) -> tuple[int, ...]:
        """The pieces in a column, from the bottom."""
        column = whole(column, "a column")
        if not 1 <= column <= self.width:
            raise IndexError(f"there is no column {column}: they are 1 to {self.width}")
        return tuple(self._stacks[column - 1])

    def rows(self) -> list[list[int]]:
        """The cells, top row first, as in a position file."""
        return [[self.cell(column, row) for column in self.all_columns()] for row in range(self.height, 0, -1)]

    def count(self, player: int) -> int:
        """How many pieces a player has on the board."""
        check_player(player)
        return sum(stack.count(player) for stack in self._stacks)

    def pieces(self) -> int:
        """How many pieces are on the board."""
        return self._start + len(self._drops)

    @property
    def to_move(self) -> int:
        """Whose turn it is: RED moves first, and they take turns."""
        return RED if self.pieces() % 2 == 0 else GREEN

    @property
    def drops(self) -> tuple[int, ...]:
        """The columns dropped into since the start, or since the position that was read from a file."""
        return tuple(self._drops)

    @property
    def moves(self) -> str | None:
        """The whole game as a move string such as "44535"; None if it did not start from the empty board.

        None, too, if a column has two digits, as on a very wide board.
        """
        return None if self._start or max(self._drops, default=0) > 9 else "".join(map(str, self._drops))

    # Playing

    def columns(self) -> list[int]:
        """The columns into which a piece can be dropped now."""
        if self.is_over():
            return []
        return [column for column in self.all_columns() if len(self._stacks[column - 1]) < self.height]

    def check_goes_on(self) -> None:
        """Refuse to choose a column if the game is over."""
        if self.is_over():
            raise IllegalMove("the game is over: there is no column to choose")

    def drop(self, column: int) -> None:
        """Drop a piece of the side to move; it falls to the lowest empty cell of the column."""
        column = whole(column, "a column")
        if not 1 <= column <= self.width:
            raise IllegalMove(f"there is no column {column}: they are 1 to {self.width}")
        if self.is_over():
            raise IllegalMove("the game is over")
        if len(self._stacks[column - 1]) == self.height:
            raise IllegalMove(f"column {column} is full")
        self._stacks[column - 1].append(self.to_move)
        self._drops.append(column)

    def undo(self) -> int:
        """Take back the last drop and return its column."""
        if not self._drops:
            raise IllegalMove("there is no drop to undo")
        column = self._drops.pop()
        self._stacks[column - 1].pop()
        return column

    def copy(self) -> Board:
        """An independent board with the same position and drops."""
        twin = Board(self.game, width=self.width, height=self.height)
        twin._stacks = [stack.copy() for stack in self._stacks]
        twin._drops = self._drops.copy()
        twin._start = self._start
        return twin

    __copy__ = copy

    # Fours and the result

    def lines(self) -> list[Line]:
        """Every line of four cells, each cell as (column, row): 69 of them on the usual board."""
        size = self.width, self.height
        if size not in _lines:
            _lines[size] = list(_find_lines(*size))
        return _lines[size]

    def cells_of(self, player: int) -> set[tuple[int, int]]:
        """The cells, as (column, row), that hold pieces of a player."""
        check_player(player)
        return {
            (column, row)
            for column, stack in enumerate(self._stacks, start=1)
            for row, owner in enumerate(stack, start=1)
            if owner == player
        }

    def fours(self, player: int) -> list[Line]:
        """The lines of four that a player has filled."""
        own = self.cells_of(player)
        return [line for line in self.lines() if own.issuperset(line)]

    def makes_four(self, column: int, player: int) -> bool:
        """Whether a piece of a player on top of a column would complete a four."""
        cell = (column, len(self.stack(column)) + 1)
        own = self.cells_of(player) | {cell}
        return any(cell in line and own.issuperset(line) for line in self.lines())

    def points(self, player: int) -> int:
        """A player's fours, each worth a point."""
        return len(self.fours(player))

    def margin(self, player: int = RED) -> int:
        """The points of a player less those of the opponent."""
        return self.points(player) - self.points(other(player))

    def is_full(self) -> bool:
        """Whether every cell holds a piece."""
        return self.pieces() == self.width * self.height

    def is_over(self) -> bool:
        """Whether the game has ended: the board is full, or in the classic game somebody has four."""
        return self.is_full() or (self.game == "classic" and self.points(other(self.to_move)) > 0)

    def winner(self) -> int | None:
        """RED or GREEN if that player has won, None while the game goes on and after a draw."""
        if not self.is_over() or (margin := self.margin()) == 0:
            return None
        return RED if margin > 0 else GREEN

    # As a value

    def __eq__(self, another: object) -> bool:
        """Boards are equal if the game and the position are, however it came about."""
        if not isinstance(another, Board):
            return NotImplemented
        return (self.game, self.height, self._stacks) == (another.game, another.height, another._stacks)

    __hash__ = None  # type: ignore[assignment]  # a board changes with every drop

    def __str__(self) -> str:
        """The cells as a position file has them, with a dot for an empty cell."""
        return "\n".join("".join(".12"[cell] for cell in row) for row in self.rows())

    def __repr__(self) -> str:
        drops = (" " if self.width > 9 else "").join(map(str, self._drops))
        if self._start:
            drops = f"of {self._start} piece{'s' * (self._start > 1)}" + f", then {drops}" * bool(drops)
        if self.is_over():
            winner = self.winner()
            now = "drawn" if winner is None else f"{NAMES[winner]} has won"
        else:
            now = f"{NAMES[self.to_move]} to move"
        return f"<Board {drops or 'empty'}, {self.game}, {now}>"
