"""The board and the rules of both games.

This module is the reference for the rules. The core has a faster copy, which the tests compare with it.

Columns count from 1 at the left, rows from 1 at the bottom.
"""

from __future__ import annotations

from .errors import BadPosition, FloatingPiece, IllegalMove
from .formatting import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Window = tuple[tuple[int, int], ...]


SIZE = WIDTH, HEIGHT = 7, 6  # of the standard board: columns, rows
EMPTY, RED, GREEN = 0, 1, 2
NAMES = {RED: "red", GREEN: "green"}
GAMES = ("max", "classic")

_windows: dict[tuple[int, int], list[Window]] = {}  # the windows of each board size in use


def _find_windows(width: int, height: int) -> Iterator[Window]:
    for column in range(1, width + 1):
        for row in range(1, height + 1):
            for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if column + 3 * right <= width and 1 <= row + 3 * up <= height:
                    yield tuple((column + step * right, row + step * up) for step in range(4))


def opponent(player: int) -> int:
    """The opponent of a player."""
    return GREEN if player == RED else RED


def check_player(player: int) -> None:
    """Raise ValueError unless `player` is RED or GREEN."""
    if player not in NAMES:
        raise ValueError(f"{player!r} is not a player: RED is {RED}, GREEN is {GREEN}")


def check_game(game: str) -> None:
    """Raise ValueError unless `game` is "max" or "classic"."""
    if game not in GAMES:
        raise ValueError(f"{game!r} is not a game: choose {' or '.join(GAMES)}")


def as_int(number: int, name: str) -> int:
    """Convert an integer of any type, such as NumPy's, to int. The TypeError for another value names it `name`."""
    try:
        return number.__index__()
    except (AttributeError, TypeError):
        raise TypeError(f"{name} must be a whole number, not {number!r}") from None


class Board:
    """A position, the moves that led to it, and the rules.

    >>> board = Board()
    >>> for column in (1, 1, 2, 2, 3, 3, 4):
    ...     board.drop(column)
    >>> board.points(RED), board.fours(RED)
    (1, [((1, 1), (2, 1), (3, 1), (4, 1))])
    >>> board.to_move == GREEN, board.columns(), board.is_over()
    (True, [1, 2, 3, 4, 5, 6, 7], False)
    >>> board.undo()
    4

    Args:
        game: "max" (the board is filled, and every four is a point) or "classic" (the first four wins).
        width: The number of columns.
        height: The number of rows.
    """

    __slots__ = {
        "_drops": "The columns of the moves since the start.",
        "_stacks": "The pieces in each column, from the bottom.",
        "_start": "The number of pieces at the start.",
        "game": '"max" or "classic".',
        "height": "The number of rows.",
        "width": "The number of columns.",
    }

    def __init__(self, game: str = "max", *, width: int = WIDTH, height: int = HEIGHT) -> None:
        check_game(game)
        width, height = as_int(width, "a width"), as_int(height, "a height")
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
        """Make a board with these cells.

        Args:
            rows: The cells, top row first, as in a position file: 0 empty, 1 red, 2 green.
            game: "max" or "classic".

        Returns:
            A board without earlier moves.

        Raises:
            BadPosition: If no game can reach the position.
        """
        if len({len(row) for row in rows}) != 1 or not {cell for row in rows for cell in row} <= {EMPTY, RED, GREEN}:
            raise BadPosition("the rows of a position must have equal lengths and consist of 0, 1 and 2")
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
            raise BadPosition(
                f"{red} red and {green} green pieces: red moves first, so it has the same number or one more"
            )
        board._start = red + green
        if game == "classic" and board.points(board.to_move):
            raise BadPosition(f"{NAMES[board.to_move]} has four in a row: the classic game ends there")
        return board

    # The position

    def all_columns(self) -> range:
        """Every column, full or not."""
        return range(1, self.width + 1)

    def from_the_centre(self) -> list[int]:
        """Every column, nearest the centre first, and left before right at the same distance."""
        return sorted(self.all_columns(), key=lambda column: abs(2 * column - self.width - 1))

    def cell(self, column: int, row: int) -> int:
        """The content of a cell.

        Args:
            column: The column, from 1 at the left.
            row: The row, from 1 at the bottom.

        Returns:
            EMPTY, RED or GREEN.

        Raises:
            IndexError: If the cell is not on the board.
        """
        column, row = as_int(column, "a column"), as_int(row, "a row")
        if not (1 <= column <= self.width and 1 <= row <= self.height):
            raise IndexError(f"there is no cell in column {column}, row {row}")
        stack = self._stacks[column - 1]
        return stack[row - 1] if row <= len(stack) else EMPTY

    def stack(self, column: int) -> tuple[int, ...]:
        """The pieces in a column, from the bottom."""
        column = as_int(column, "a column")
        if not 1 <= column <= self.width:
            raise IndexError(f"there is no column {column}: choose 1 to {self.width}")
        return tuple(self._stacks[column - 1])

    def rows(self) -> list[list[int]]:
        """The cells, top row first, as in a position file."""
        return [[self.cell(column, row) for column in self.all_columns()] for row in range(self.height, 0, -1)]

    def count(self, player: int) -> int:
        """The number of pieces of a player."""
        check_player(player)
        return sum(stack.count(player) for stack in self._stacks)

    def pieces(self) -> int:
        """The number of pieces on the board."""
        return self._start + len(self._drops)

    @property
    def to_move(self) -> int:
        """The player to move: RED or GREEN. RED moves first."""
        return RED if self.pieces() % 2 == 0 else GREEN

    @property
    def drops(self) -> tuple[int, ...]:
        """The columns of the moves since the start, or since the position that was loaded."""
        return tuple(self._drops)

    @property
    def moves(self) -> str | None:
        """The whole game as a move string such as "44535"; None if it did not start from the empty board.

        Also None if a column has two digits, on a board of more than 9 columns.
        """
        return None if self._start or max(self._drops, default=0) > 9 else "".join(map(str, self._drops))

    # Playing

    def columns(self) -> list[int]:
        """The columns into which a piece can be dropped now."""
        if self.is_over():
            return []
        return [column for column in self.all_columns() if len(self._stacks[column - 1]) < self.height]

    def check_not_over(self) -> None:
        """Raise IllegalMove if the game is over."""
        if self.is_over():
            raise IllegalMove("the game is over: there is no column to choose")

    def drop(self, column: int) -> None:
        """Play a move: drop a piece of the player to move into a column.

        Args:
            column: The column, from 1 at the left.

        Raises:
            IllegalMove: If the column is full or off the board, or the game is over.
        """
        column = as_int(column, "a column")
        self.check_move(column)
        self._stacks[column - 1].append(self.to_move)
        self._drops.append(column)

    def check_move(self, column: int) -> None:
        """Raise IllegalMove if the column is full or off the board, or the game is over."""
        if not 1 <= column <= self.width:
            raise IllegalMove(f"there is no column {column}: choose 1 to {self.width}")
        if self.is_over():
            raise IllegalMove("the game is over")
        if len(self._stacks[column - 1]) == self.height:
            raise IllegalMove(f"column {column} is full")

    def undo(self) -> int:
        """Take back the last move.

        Returns:
            The column of the move.

        Raises:
            IllegalMove: If there is no move to undo.
        """
        if not self._drops:
            raise IllegalMove("there is no move to undo")
        column = self._drops.pop()
        self._stacks[column - 1].pop()
        return column

    def copy(self) -> Board:
        """An independent board with the same position and moves."""
        other = Board(self.game, width=self.width, height=self.height)
        other._stacks = [stack.copy() for stack in self._stacks]
        other._drops = self._drops.copy()
        other._start = self._start
        return other

    __copy__ = copy

    # Fours and the result

    def windows(self) -> list[Window]:
        """Every window of four cells, each cell as (column, row): 69 of them on the standard board."""
        size = self.width, self.height
        if size not in _windows:
            _windows[size] = list(_find_windows(*size))
        return _windows[size]

    def cells_of(self, player: int) -> set[tuple[int, int]]:
        """The cells, as (column, row), that hold pieces of a player."""
        check_player(player)
        return {
            (column, row)
            for column, stack in enumerate(self._stacks, start=1)
            for row, owner in enumerate(stack, start=1)
            if owner == player
        }

    def fours(self, player: int) -> list[Window]:
        """The windows that a player has filled: one point each."""
        own = self.cells_of(player)
        return [window for window in self.windows() if own.issuperset(window)]

    def makes_four(self, column: int, player: int) -> bool:
        """Whether a piece of a player on top of a column would complete a four."""
        cell = (column, len(self.stack(column)) + 1)
        own = self.cells_of(player) | {cell}
        return any(cell in window and own.issuperset(window) for window in self.windows())

    def points(self, player: int) -> int:
        """The points of a player: the number of fours."""
        return len(self.fours(player))

    def margin(self, player: int = RED) -> int:
        """The points of a player minus those of the opponent."""
        return self.points(player) - self.points(opponent(player))

    def is_full(self) -> bool:
        """Whether every cell holds a piece."""
        return self.pieces() == self.width * self.height

    def is_over(self) -> bool:
        """Whether the game has ended: the board is full, or in the classic game a player has four."""
        return self.is_full() or (self.game == "classic" and self.points(opponent(self.to_move)) > 0)

    def winner(self) -> int | None:
        """RED or GREEN if that player has won, None during the game and after a draw."""
        if not self.is_over() or (margin := self.margin()) == 0:
            return None
        return RED if margin > 0 else GREEN

    # Comparison and text

    def __eq__(self, other: object) -> bool:
        """Boards are equal if the game and the position are; the order of the moves does not matter."""
        if not isinstance(other, Board):
            return NotImplemented
        return (self.game, self.height, self._stacks) == (other.game, other.height, other._stacks)

    __hash__ = None  # type: ignore[assignment]  # a board is mutable

    def __str__(self) -> str:
        """The cells in the layout of a position file, with a dot for an empty cell."""
        return "\n".join("".join(".12"[cell] for cell in row) for row in self.rows())

    def __repr__(self) -> str:
        drops = (" " if self.width > 9 else "").join(map(str, self._drops))
        if self._start:
            drops = f"of {self._start} piece{'s' * (self._start > 1)}" + f", then {drops}" * bool(drops)
        if self.is_over():
            winner = self.winner()
            state = "drawn" if winner is None else f"{NAMES[winner]} has won"
        else:
            state = f"{NAMES[self.to_move]} to move"
        return f"<Board {drops or 'empty'}, {self.game}, {state}>"


def drop_text(player: int, column: int, scored: int = 0) -> str:
    """A move and the points that it scored, as a sentence without its full stop."""
    points = f" and scores {plural(scored, 'point')}" if scored else ""
    return f"{NAMES[player].capitalize()} plays column {column}{points}"


def result_text(board: Board) -> str:
    """The result of a game that is over, as a sentence."""
    winner = board.winner()
    if board.game == "classic":
        if winner is None:
            return "The board is full: a draw."
        return f"{NAMES[winner].capitalize()} has four in a row and wins."
    points = f"{max(board.points(RED), board.points(GREEN))} to {min(board.points(RED), board.points(GREEN))}"
    return f"The board is full: {'a draw' if winner is None else NAMES[winner] + ' wins'}, {points}."
