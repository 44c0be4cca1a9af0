"""Max-Connect4: Connect Four played until the board is full, where every four is a point.

>>> from maxconnect4 import Board, choose
>>> board = Board()
>>> while not board.is_over():
...     board.drop(choose(board, depth=4).column)
>>> board.is_full()
True
"""

from .board import GREEN, RED, Board
from .errors import BadFile, BadPosition, CannotSave, CannotSolve, IllegalMove, MaxConnect4Error
from .files import read_board, write_board
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
    "board_from_moves",
    "choose",
    "evaluate",
    "perft",
    "read_board",
    "write_board",
]
