"""Drops as engine protocols write them: P@d1 in UCI, as tools that know chess expect, and d in UGI."""

from __future__ import annotations

from ..errors import IllegalMove, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..board import Board

LETTERS = "abcdefg"


def in_uci(board: Board, column: int) -> str:
    """A drop as a piece, an @ and the square where it comes to rest."""
    return f"P@{LETTERS[column - 1]}{len(board.stack(column)) + 1}"


def in_ugi(board: Board, column: int) -> str:
    """A drop as the letter of its column."""
    return LETTERS[column - 1]


def column_of(word: str, board: Board) -> int:
    """The column of a drop, written in any way in use: P@d1, d1, d, or 4. A square has to be where the piece falls."""
    square = word[2:] if word[:2] in ("P@", "p@") else word
    letter, row = square[:1], square[1:]
    if len(word) == 1 and word in "1234567"[: board.width]:
        return int(word)
    if letter == "" or letter not in LETTERS[: board.width] or (row == "" and word != square):
        raise IllegalMove(f"{shown(word)} is not a drop, such as P@d1")
    column = LETTERS.index(letter) + 1
    if column not in board.columns():
        raise IllegalMove(f"{shown(word)}: {'the game is over' if board.is_over() else f'column {letter} is full'}")
    if row and row != str(len(board.stack(column)) + 1):
        raise IllegalMove(f"{shown(word)}: a piece dropped in column {letter} falls to {in_uci(board, column)[2:]}")
    return column


def as_words(board: Board, line: list[int], write: Callable[[Board, int], str]) -> list[str]:
    """The drops of a line, one after the other."""
    board, words = board.copy(), []
    for column in line:
        words.append(write(board, column))
        board.drop(column)
    return words
