"""Max-Connect4: Connect Four played until the board is full, where every four is a point.

A board enforces the rules, and a search chooses columns:

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

The solver computes perfect play: the value of every column, and a principal variation.

>>> from maxconnect4 import analyse, board_from_moves
>>> analyse(board_from_moves("454672752411266535461732")).scores
[-4, -3, -3, -3, -1, -4, -5]

More modules: `review` computes the regret of every move of a game, `levels` and `players` are computer players,
`search_tree` shows how minimax searches, `book` is the opening book, and `referee.match` plays matches of programs.
"""

from .board import GREEN, RED, Board
from .errors import BadFile, BadPosition, CannotSave, CannotSolve, IllegalMove, MaxConnect4Error, SearchStopped
from .notation import board_from_moves
from .position_file import board_as_text, board_from_text, read_board, write_board
from .search import EVALUATIONS, Choice, choose, evaluate, perft
from .solver import Analysis, Progress, Solver, analyse

__version__ = "0.2.0"

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
    "SearchStopped",
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
