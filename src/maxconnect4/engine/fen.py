"""Positions in FEN, as Fairy-Stockfish writes those of `cfour`, and as UGI engines write theirs.

    7/7/7/7/3p3/3PP2[PPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] b - - 0 2
    7/7/7/7/3y3/3rr2 y 2

The rows from the top, a digit for so many empty cells. Pieces of the first player are P or r, those of the second p or
y. In brackets, if at all, the pieces still to be dropped. Then the side to move: w or r for the first player, b or y
for the second. What follows are rights of chess and counts of moves, which say nothing here.
"""

from __future__ import annotations

from ..board import EMPTY, GREEN, NAMES, RED, SIZE, Board
from ..errors import BadPosition, shown

PIECES = {"P": RED, "r": RED, "p": GREEN, "y": GREEN}
SIDES = {"w": RED, "r": RED, "b": GREEN, "y": GREEN}


def board_from_fen(fields: list[str], game: str) -> Board:
    """The position that the fields of a FEN describe."""
    if not fields:
        raise BadPosition("there is no FEN")
    placement, bracket, pocket = fields[0].partition("[")
    if bracket and (not pocket.endswith("]") or set(pocket[:-1]) - set("Pp-")):
        raise BadPosition(f"{shown(fields[0])}: in brackets stand the pieces to be dropped, P and p")
    rows = [_cells(row) for row in placement.split("/")]
    if len(rows) != SIZE[1] or any(len(row) != SIZE[0] for row in rows):
        raise BadPosition(f"{shown(placement)} is not {SIZE[1]} rows of {SIZE[0]} cells")
    board = Board.from_rows(rows, game)
    side = fields[1] if len(fields) > 1 else ""
    if side not in SIDES:
        raise BadPosition(f"{shown(side)} is not a side to move: w or b, or r or y")
    if SIDES[side] != board.to_move:
        raise BadPosition(f"with so many pieces {NAMES[board.to_move]} is to move, not {shown(side)}")
    return board


def fen_of(board: Board) -> str:
    """A position as Fairy-Stockfish writes it."""
    letters = {EMPTY: " ", RED: "P", GREEN: "p"}
    rows = ["".join(letters[cell] for cell in row) for row in board.rows()]
    for empty in range(board.width, 0, -1):
        rows = [row.replace(" " * empty, str(empty)) for row in rows]
    each = board.width * board.height // 2
    pocket = "P" * (each - board.count(RED)) + "p" * (each - board.count(GREEN))
    side = "w" if board.to_move == RED else "b"
    return f"{'/'.join(rows)}[{pocket}] {side} - - 0 {board.pieces() // 2 + 1}"


def _cells(row: str) -> list[int]:
    cells: list[int] = []
    for letter in row[: SIZE[0] + 1]:
        if letter in PIECES:
            cells.append(PIECES[letter])
        elif letter in "1234567":
            cells += [EMPTY] * int(letter)
        else:
            raise BadPosition(
                f"{shown(letter)} in {shown(row)} is neither a piece (P or p) nor a number of empty cells"
            )
    return cells
