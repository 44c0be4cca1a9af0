"""Drops as engine protocols write them: P@d1 in UCI, as tools that know chess expect, and d in UGI."""

from __future__ import annotations

from ..errors import IllegalMove, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..board import Board

LETTERS = "abcdefg"
COLUMNS = {name: column for names in (LETTERS, "1234567") for column, name in enumerate(names, start=1)}


def in_uci(board: Board, column: int) -> str:
    """A drop as a piece, an @ and the square where it comes to rest."""
    return f"P@{LETTERS[column - 1]}{len(board.stack(column)) + 1}"


def in_ugi(board: Board, column: int) -> str:
    """A drop as the letter of its column."""
    return LETTERS[column - 1]


def column_of(word: str, board: Board) -> int:
    """The column of a drop, written in any way in use: P@d1, d1, d, or 4. A square has to be where the piece falls."""
    square = word[2:] if word[:2] in ("P@", "p@") else word
    column = COLUMNS.get(word) or (LETTERS.find(square[0]) + 1 if len(square) > 1 else 0)
    if not column:
        raise IllegalMove(f"{shown(word)} is not a drop, such as P@d1")
    letter = LETTERS[column - 1]
    if column not in board.columns():
        raise IllegalMove(f"{shown(word)}: {'the game is over' if board.is_over() else f'column {letter} is full'}")
    falls_to = in_uci(board, column)[2:]
    if len(square) > 1 and square != falls_to:
        raise IllegalMove(f"{shown(word)}: a piece dropped in column {letter} falls to {falls_to}")
    return column


def as_words(board: Board, line: list[int], write: Callable[[Board, int], str]) -> list[str]:
    """The drops of a line, one after the other."""
    board, words = board.copy(), []
    for column in line:
        words.append(write(board, column))
        board.drop(column)
    return words
