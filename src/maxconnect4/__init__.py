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

__version__ = "0.2.0"

# The modules are imported when a name is first used: the command line starts sooner, and handles Ctrl-C from the start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from .board import GREEN, RED, Board
    from .errors import BadFile, BadPosition, CannotSave, CannotSolve, IllegalMove, MaxConnect4Error, SearchStopped
    from .notation import board_from_moves
    from .position_file import board_as_text, board_from_text, read_board, write_board
    from .search import EVALUATIONS, Choice, choose, evaluate, perft
    from .solver import Analysis, Progress, Solver, analyse

_MODULES = {
    "board": ("GREEN", "RED", "Board"),
    "errors": (
        *("BadFile", "BadPosition", "CannotSave", "CannotSolve"),
        *("IllegalMove", "MaxConnect4Error", "SearchStopped"),
    ),
    "notation": ("board_from_moves",),
    "position_file": ("board_as_text", "board_from_text", "read_board", "write_board"),
    "search": ("EVALUATIONS", "Choice", "choose", "evaluate", "perft"),
    "solver": ("Analysis", "Progress", "Solver", "analyse"),
}

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


def __getattr__(name: str) -> object:
    from importlib import import_module

    for module, names in _MODULES.items():
        if name in names:
            value = globals()[name] = getattr(import_module(f"{__name__}.{module}"), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
