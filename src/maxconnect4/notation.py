"""Move strings: a game as its columns one after the other, such as "44535"."""

from __future__ import annotations

from .board import SIZE, Board
from .errors import BadPosition, IllegalMove, shown


def is_move_string(text: str) -> bool:
    """Whether a text is made of digits alone, as move strings are."""
    return text.isascii() and text.isdigit()


def board_from_moves(moves: str, game: str = "max", size: tuple[int, int] = SIZE) -> Board:
    """The board after these moves, from the empty board of a size: columns, rows. A column is one digit.

    >>> board_from_moves("44535")
    <Board 44535, max, green to move>
    """
    board = Board(game, width=size[0], height=size[1])
    play(board, moves)
    return board


def play(board: Board, moves: str) -> None:
    """Play moves on a board."""
    if not isinstance(moves, str):
        raise TypeError(f'moves are a text such as "44535", not {moves!r}')
    if moves and not is_move_string(moves):
        reason = f"it has to be columns from 1 to {board.width}, such as 44535"
        raise BadPosition(f"{shown(moves)} is not a move string: {reason}")
    for number, digit in enumerate(moves, start=1):
        try:
            board.drop(int(digit))
        except IllegalMove as error:
            raise BadPosition(f"move {number} of {shown(moves)}: {error}") from None
