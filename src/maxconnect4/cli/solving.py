"""The arguments of the commands that use the solver: its table and threads, and the size of the board."""

from __future__ import annotations

from ..amounts import is_number
from ..errors import shown
from ..resources import memory
from ..sizes.solving import can_be_solved
from ..solver import Solver
from .arguments import add_number, book_as_told, bytes_from, number, refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from .parsing import Arguments, PlainParser

MOST_THREADS = 1024
MOST_DIGITS = 9  # columns that a move string can name


def add_solver(parser: ArgumentParser | PlainParser) -> None:
    """What the solver may use."""
    parser.add_argument(
        "--memory",
        type=_memory,
        metavar="BYTES",
        help="the most that the solver's table may take, such as 512M, with K, M or G (default: half of what is free, "
        "1G at the most)",
    )
    add_number(
        parser,
        "--threads",
        number("a number of threads", 1, MOST_THREADS),
        "how many threads search (default: the number of processors)",
    )


def add_size(parser: ArgumentParser | PlainParser) -> None:
    """The size of the board of a position or a game."""
    parser.add_argument(
        "--size", type=_size_with_moves, metavar="CxR", help="columns and rows of the board, such as 5x4 (default: 7x6)"
    )


def solver_as_told(args: Arguments) -> Solver:
    """The solver, by the arguments of the command line."""
    return Solver(args.memory, args.threads, book=book_as_told(args))


def size(text: str) -> tuple[int, int]:
    """Columns and rows from a text such as 7x6."""
    columns, _, rows = text.partition("x")
    if is_number(columns) and is_number(rows) and can_be_solved(int(columns), int(rows)):
        return int(columns), int(rows)
    raise refusal(
        f"{shown(text)} is not a size that can be solved, such as 7x6: at least 4 columns and 4 rows, "
        "and columns x (rows + 1) at most 64"
    )


def _size_with_moves(text: str) -> tuple[int, int]:
    """A size whose columns a move string can name."""
    columns, rows = size(text)
    if columns > MOST_DIGITS:
        raise refusal(
            f"{shown(text)} has more columns than a move string can name, which is {MOST_DIGITS}; "
            "solve-sizes solves the empty board"
        )
    return columns, rows


def _memory(text: str) -> int:
    wanted, there_is = bytes_from(text), memory()
    if there_is is not None and wanted > there_is:
        raise refusal(f"{shown(text)} is more memory than there is, which is {there_is >> 20}M")
    return wanted
