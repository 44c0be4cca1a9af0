"""Positions as the interface names and describes them."""

from __future__ import annotations

from functools import cache

from ...amounts import how_many
from ...board import GAMES, GREEN, HEIGHT, NAMES, RED, WIDTH, Board, other
from ...errors import BadPosition, shown
from ...files import board_as_text, board_from_text
from ...notation import is_move_string, play

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...board import Line

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
    play(board, moves)
    return board


def position_from_text(text: str, game: str = "max") -> Board:
    """The board that somebody has pasted or loaded: a position file, or a move string."""
    words = text.split()
    digits = "".join(words)
    # Either may be cut short, or have a wrong digit: two of these three tell what was meant.
    signs_of_a_file = ["0" in digits, len(words) > 1, not set(digits) - set("012")]
    if (is_move_string(digits) or len(words) == 1) and sum(signs_of_a_file) < 2:
        return position_from(game, None, digits)
    return board_from_text(text, "the position", game)


def start_of(board: Board) -> str | None:
    """The digits of the position that a board was set up with, None for the empty board."""
    return _start(beginning(board))


def _start(first: Board) -> str | None:
    return "".join(_digits(first)) if first.pieces() else None


def query(game: str, board: Board | None) -> str:
    """What stands behind the address of the page to have it show a position."""
    named = {"game": game} if board is not None or game != GAMES[0] else {}
    if board is not None:
        named |= {"start": start_of(board) or "", "moves": "".join(map(str, board.drops))}
    words = "&".join(f"{name}={value}" for name, value in named.items() if value)
    return f"?{words}" if words else ""


def beginning(board: Board) -> Board:
    """The board before its first drop."""
    first = board.copy()
    while first.drops:
        first.undo()
    return first


def described(board: Board) -> dict[str, Any]:
    """All that there is to know about a position, for somebody who knows no rules."""
    first = beginning(board)
    begin_fours = _fours(first)
    drops = _drops(first, board)
    fours = [begin_fours[player - 1] + _made_by(player, drops) for player in (RED, GREEN)]
    words = [drops[-1]["words"]] if drops else []
    words.append(result(board) or f"{_name(board.to_move)} is to move.")
    return {
        "game": board.game,
        "start": _start(first),
        "moves": "".join(map(str, board.drops)),
        "width": board.width,
        "height": board.height,
        "cells": _digits(board),
        "to_move": board.to_move,
        "columns": board.columns(),
        "points": [len(its) for its in fours],
        "fours": fours,
        "over": board.is_over(),
        "winner": board.winner(),
        "result": result(board),
        "words": " ".join(words),
        "text": board_as_text(board),
        "begin": {
            "cells": _digits(first),
            "points": [len(its) for its in begin_fours],
            "fours": begin_fours,
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


def _drops(first: Board, board: Board) -> list[dict[str, Any]]:
    """What each drop did. To ask a board for its fours after each would take ten times as long."""
    cells = {cell: player for player in (RED, GREEN) for cell in first.cells_of(player)}
    heights = [len(first.stack(column)) for column in first.all_columns()]
    so_far, player, number = points(first), first.to_move, first.pieces()
    drops: list[dict[str, Any]] = []
    for column in board.drops:
        number += 1
        heights[column - 1] += 1
        cell = column, heights[column - 1]
        cells[cell] = player
        fours = [line for line in _lines_through(cell) if all(cells.get(each) == player for each in line)]
        so_far = [count + len(fours) * (player == owner) for owner, count in zip((RED, GREEN), so_far, strict=True)]
        won = bool(fours) and board.game == "classic"
        open_columns = [each for each, height in enumerate(heights, start=1) if height < board.height]
        drops.append(
            {
                "number": number,
                "player": player,
                "column": column,
                "row": cell[1],
                "fours": [_cells(four) for four in fours],
                "points": so_far,
                "columns": [] if won else open_columns,
                "words": _in_words(board.game, player, column, len(fours), so_far),
            }
        )
        player = other(player)
    return drops


@cache
def _lines_through(cell: tuple[int, int]) -> list[Line]:
    return [line for line in Board().lines() if cell in line]


def _made_by(player: int, drops: list[dict[str, Any]]) -> list[list[list[int]]]:
    return [four for drop in drops if drop["player"] == player for four in drop["fours"]]


def _in_words(game: str, player: int, column: int, fours: int, so_far: list[int]) -> str:
    words = f"{_name(player)} drops in column {column}"
    if fours and game == "max":
        words += f" and scores {how_many(fours, 'point')}: red {so_far[0]}, green {so_far[1]}"
    return words + "."


def _name(player: int) -> str:
    return NAMES[player].capitalize()


def _digits(board: Board) -> list[str]:
    return ["".join(map(str, row)) for row in board.rows()]


def _fours(board: Board) -> list[list[list[list[int]]]]:
    return [[_cells(four) for four in board.fours(player)] for player in (RED, GREEN)]


def _cells(four: Line) -> list[list[int]]:
    return [[column, row] for column, row in four]
