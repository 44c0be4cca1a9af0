"""Positions as the interface names and describes them."""

from __future__ import annotations

from ..board import GAMES, GREEN, NAMES, RED, Board, other
from ..errors import BadPosition, IllegalMove, shown
from ..files import HEIGHT, WIDTH, board_as_text, board_from_text
from ..notation import is_move_string

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..board import Line

CELLS = WIDTH * HEIGHT


def position_from(game: str = "max", start: str | None = None, moves: str = "") -> Board:
    """The board that these three name: see docs/api.md."""
    if game not in GAMES:
        raise BadPosition(f"{shown(game)} is not a game: choose {' or '.join(GAMES)}")
    board = Board(game)
    if start:
        if len(start) != CELLS or set(start) - set("012"):
            raise BadPosition(f"{shown(start)} is not a start: it has to be {CELLS} digits, each 0, 1 or 2")
        rows = [[int(digit) for digit in start[at : at + WIDTH]] for at in range(0, CELLS, WIDTH)]
        board = Board.from_rows(rows, game)
    if moves and not is_move_string(moves):
        raise BadPosition(f"{shown(moves)} is not a move string: it has to be columns from 1 to {WIDTH}, such as 44535")
    for number, digit in enumerate(moves, start=1):
        try:
            board.drop(int(digit))
        except IllegalMove as error:
            raise BadPosition(f"move {number} of {shown(moves)}: {error}") from None
    return board


def position_from_text(text: str, game: str = "max") -> Board:
    """The board that somebody has pasted or loaded: a position file, or a move string."""
    moves = "".join(text.split())
    if is_move_string(moves) and ("\n" not in text.strip() or len(moves) != CELLS + 1):
        return position_from(game, None, moves)
    return board_from_text(text, "the position", game)


def start_of(board: Board) -> str | None:
    """The digits of the position that a board was set up with, None for the empty board."""
    first = beginning(board)
    return "".join(_digits(first)) if first.pieces() else None


def beginning(board: Board) -> Board:
    """The board before its first drop."""
    first = board.copy()
    while first.drops:
        first.undo()
    return first


def described(board: Board) -> dict[str, Any]:
    """All that there is to know about a position, for somebody who knows no rules."""
    first = beginning(board)
    drops, replay = [], first.copy()
    for column in board.drops:
        drops.append(_drop(replay, column))
    return {
        "game": board.game,
        "start": "".join(_digits(first)) if first.pieces() else None,
        "moves": "".join(map(str, board.drops)),
        "width": board.width,
        "height": board.height,
        "cells": _digits(board),
        "to_move": board.to_move,
        "columns": board.columns(),
        "points": points(board),
        "fours": _fours(board),
        "over": board.is_over(),
        "winner": board.winner(),
        "result": result(board),
        "words": " ".join(
            [drops[-1]["words"]] * bool(drops) + [result(board) or f"{_name(board.to_move)} is to move."]
        ),
        "text": board_as_text(board),
        "begin": {
            "cells": _digits(first),
            "points": points(first),
            "fours": _fours(first),
            "to_move": first.to_move,
            "columns": first.columns(),
        },
        "drops": drops,
    }


def result(board: Board) -> str | None:
    """How a game has ended, in words; None while it goes on."""
    if not board.is_over():
        return None
    winner = board.winner()
    red, green = points(board)
    if board.game == "classic":
        return "A draw: the board is full." if winner is None else f"{_name(winner)} wins with four."
    if winner is None:
        return f"A draw, {red} to {green}."
    return f"{_name(winner)} wins by {abs(red - green)}, {max(red, green)} to {min(red, green)}."


def points(board: Board) -> list[int]:
    """The points of red and of green."""
    return [board.points(RED), board.points(GREEN)]


def _drop(board: Board, column: int) -> dict[str, Any]:
    """Drop, and say what came of it."""
    player = board.to_move
    before = board.fours(player)
    board.drop(column)
    fours = [four for four in board.fours(player) if four not in before]
    return {
        "number": board.pieces(),
        "player": player,
        "column": column,
        "row": len(board.stack(column)),
        "fours": [_cells(four) for four in fours],
        "points": points(board),
        "columns": board.columns(),
        "words": _in_words(board, player, column, len(fours)),
    }


def _in_words(board: Board, player: int, column: int, fours: int) -> str:
    words = f"{_name(player)} drops in column {column}"
    if fours and board.game == "max":
        words += f" and scores {fours} point{'s' * (fours > 1)}: red {board.points(RED)}, green {board.points(GREEN)}"
    return words + "."


def _name(player: int) -> str:
    return NAMES[player].capitalize()


def _digits(board: Board) -> list[str]:
    return ["".join(map(str, row)) for row in board.rows()]


def _fours(board: Board) -> list[list[list[list[int]]]]:
    return [[_cells(four) for four in board.fours(player)] for player in (RED, other(RED))]


def _cells(four: Line) -> list[list[int]]:
    return [[column, row] for column, row in four]
