"""Max-Connect4: Connect Four played until the board is full, where every four is a point.

A board plays by the rules, and the computer chooses columns:

>>> from maxconnect4 import GREEN, RED, Board, choose
>>> board = Board()
>>> board.drop(4)
>>> board.drop(choose(board, depth=6).column)
>>> board
<Board 44, max, red to move>
>>> while not board.is_over():
...     board.drop(choose(board, depth=4).column)
>>> board.points(RED) - board.points(GREEN) == board.margin()
True

Perfect play is known, too: what a drop into each column comes to, and a best line.

>>> from maxconnect4 import analyse, board_from_moves
>>> analyse(board_from_moves("454672752411266535461732")).scores
[-4, -3, -3, -3, -1, -4, -5]

There is more in these modules: `review` says what each move of a game gave away, `levels` plays as people do, `players`
are all that choose, `tree` shows how minimax searches, `book` has the openings, `referee.matches` has programs play.
"""

from .board import GREEN, RED, Board
from .errors import BadFile, BadPosition, CannotSave, CannotSolve, IllegalMove, MaxConnect4Error
from .files import board_as_text, board_from_text, read_board, write_board
from .notation import board_from_moves
from .search import EVALUATIONS, Choice, choose, evaluate, perft
from .solver import Analysis, Progress, Solver, analyse

__version__ = "0.1.0"

__all__ = [
    "EVALUATIONS",
    "GREEN",
    "RED",
    "Analysis",
    "BadFile",
    "BadPosition",
    "Board",
    "CannotSave",
    "CannotSolve",
    "Choice",
    "IllegalMove",
    "MaxConnect4Error",
    "Progress",
    "Solver",
    "analyse",
    "board_as_text",
    "board_from_moves",
    "board_from_text",
    "choose",
    "evaluate",
    "perft",
    "read_board",
    "write_board",
]
