"""Move strings: a game as its columns one after the other, such as "44535"."""

from __future__ import annotations

from .board import SIZE, Board
from .errors import BadPosition, IllegalMove, quote


def is_move_string(text: str) -> bool:
    """Whether a text consists of ASCII digits only."""
    return text.isascii() and text.isdigit()


def board_from_moves(moves: str, game: str = "max", size: tuple[int, int] = SIZE) -> Board:
    """Play a move string from the empty board.

    >>> board_from_moves("44535")
    <Board 44535, max, green to move>

    Args:
        moves: The columns, one digit each.
        game: "max" or "classic".
        size: The columns and rows of the board.

    Returns:
        The board after the moves.

    Raises:
        BadPosition: If the text is not a move string, or a move is not legal.
    """
    board = Board(game, width=size[0], height=size[1])
    play(board, moves)
    return board


def play(board: Board, moves: str) -> None:
    """Play moves on a board."""
    if not isinstance(moves, str):
        raise TypeError(f'moves must be a string such as "44535", not {moves!r}')
    if moves and not is_move_string(moves):
        reason = f"it must be columns from 1 to {board.width}, such as 44535"
        raise BadPosition(f"{quote(moves)} is not a move string: {reason}")
    for number, digit in enumerate(moves, start=1):
        try:
            board.drop(int(digit))
        except IllegalMove as error:
            raise BadPosition(f"move {number} of {quote(moves)}: {error}") from None
