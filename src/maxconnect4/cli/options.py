"""Options that several commands share, and the objects that they describe.

one-move loads this module at start-up: what it does not need is imported by the function that does.
"""

from __future__ import annotations

import os
import sys

from ..board import GAMES, SIZE, Board
from ..errors import BadFile, quote, quote_path
from ..formatting import is_number, parse_bytes, parse_seconds
from ..players import PerfectPlayer, SearchingPlayer
from ..position_file import read_board, read_moves
from ..search import DEFAULT_DEPTH, EVALUATIONS
from . import UsageError
from .terminal import in_terminal, print_error, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable

    from ..book import Book
    from ..players import Player
    from ..referee.limits import ResourceLimits
    from ..referee.players import PlayerSpec
    from ..search import Choice
    from ..solver import Solver
    from .fast_parser import PlainParser

    Parser = ArgumentParser | PlainParser


PERFECT = "perfect"
NO_BOOK = "none"
MAX_DEPTH = 10_000  # more than any board has cells


def add_position(parser: Parser) -> None:
    parser.add_argument(
        "position", nargs="?", help="a file, a move string, or - for standard input (default: the empty board)"
    )


def add_json(parser: Parser, instead: str = "board") -> None:
    parser.add_argument("--json", action="store_true", help=f"print one line of JSON instead of the {instead}")


def add_computer(parser: Parser) -> None:
    """The depth as the last positional argument, and the options."""
    parser.add_argument(
        "depth",
        nargs="?",
        type=depth_from,
        help="search depth in plies, including the computer's own move; 'perfect' solves the position "
        "(default: 8, in the classic game 5)",
    )
    add_game(parser)
    parser.add_argument(
        "--time",
        type=parse_seconds,
        metavar="SECONDS",
        help="time limit of a move (wall-clock time), instead of a depth",
    )
    parser.add_argument(
        "--level", type=_level, metavar="N", help="level from 1 (beginner) to 8 (perfect), instead of a depth"
    )
    add_evaluation(parser, "evaluation at the depth limit")
    add_book(parser)


def add_evaluation(parser: Parser, what: str) -> None:
    parser.add_argument(
        "--eval",
        choices=EVALUATIONS,
        metavar="NAME",
        help=f"{what}: {', '.join(EVALUATIONS)} (default: best, in the classic game windows)",
    )


def add_game(parser: Parser) -> None:
    parser.add_argument(
        "--game", choices=GAMES, default="max", help="max, or classic: the first four wins (default: max)"
    )


def add_book(parser: Parser) -> None:
    parser.add_argument(
        "--book", metavar="FILE", help="opening book for perfect play, or none (default: the included book)"
    )


def check_computer(args: Namespace) -> None:
    """Raise UsageError if the options of the computer contradict each other."""
    ways = {"a depth": args.depth, "--time": args.time, "--level": args.level}
    given = [way for way, value in ways.items() if value is not None]
    if len(given) > 1:
        raise UsageError(f"give {given[0]} or {given[1]}, not both")
    if args.eval is not None and (args.depth == PERFECT or args.level is not None):
        player = "perfect play" if args.depth == PERFECT else "a level"
        raise UsageError(f"--eval applies only to a depth-limited search: leave it out for {player}")
    if args.book is not None and args.depth != PERFECT and args.level is None:
        raise UsageError(f"--book applies only to perfect play: add the depth {PERFECT}, or leave out --book")


def position_from_args(args: Namespace, size: tuple[int, int] = SIZE) -> Board:
    if args.position is None:
        return Board(args.game, width=size[0], height=size[1])
    return read_position(args.position, args.game, size)


def read_position(source: str, game: str = "max", size: tuple[int, int] = SIZE) -> Board:
    """The position in a file, or after a move string, or on standard input."""
    try:
        return read_board(source, game, size)
    except FileNotFoundError:
        raise _no_position(source) from None


def read_position_or_start(source: str, game: str) -> Board:
    """The position; a file that does not exist, in a folder that does, means the empty board, with a warning."""
    try:
        return read_board(source, game)
    except FileNotFoundError:
        if not source or not os.path.isdir(os.path.dirname(source) or "."):
            raise _no_position(source) from None
        print_error(f"{quote_path(source)} does not exist: starting from the empty board")
        return Board(game)


def read_game(source: str) -> str:
    """The moves of a game in a file, as a move string, or on standard input."""
    try:
        return read_moves(source)
    except FileNotFoundError:
        raise _no_position(source) from None


def _no_position(source: str) -> BadFile:
    folder = os.path.dirname(source)
    if folder and not os.path.isdir(folder):
        return BadFile(f"{quote_path(source)}: there is no folder {quote_path(folder)}")
    return BadFile(f"{quote_path(source)}: there is no such file, and it is not a move string such as 44535")


def player_from_args(args: Namespace) -> Player:
    """The computer's player: a search, a level, or perfect play."""
    if args.depth == PERFECT:
        return _perfect(args)
    if args.level is not None:
        from ..levels import LEVELS, LevelPlayer

        return _perfect(args) if args.level == len(LEVELS[args.game]) else LevelPlayer(args.level, args.game)
    depth = None if args.time is not None else DEFAULT_DEPTH[args.game] if args.depth is None else args.depth

    def choose_with_progress(search: Callable[..., Choice], board: Board) -> Choice:
        if not in_terminal():
            return search(board)
        from .progress import search_with_progress

        return search_with_progress(search, board, depth)

    return SearchingPlayer(depth, seconds=args.time, evaluation=args.eval, with_progress=choose_with_progress)


def _perfect(args: Namespace) -> Player:
    from ..solver import Solver

    solver = Solver(book=book_from_args(args))
    if not in_terminal():
        return PerfectPlayer(solver)
    from .progress import solve_with_progress

    return PerfectPlayer(solver, solve_with_progress)


def book_from_args(args: Namespace) -> Book | bool:
    """The opening book, or whether to use the default one. A file that is not a book is reported, and not used."""
    from ..book import Book, shipped_book

    if args.book == NO_BOOK:
        return False
    try:
        return shipped_book(args.game) if args.book is None else Book(args.book).of_game(args.game)
    except BadFile as error:
        print_error(f"{error}; continuing without a book")
        return False


def depth_from(text: str) -> int | str:
    """A number of plies, or `perfect`."""
    if not is_depth(text):
        raise ValueError(f"{quote(text)} is not a depth: use a number of plies from 0, or 'perfect'")
    return PERFECT if text == PERFECT else min(int(text.lstrip("0")[:6] or 0), MAX_DEPTH)


def is_depth(text: str) -> bool:
    """Whether a word can only be a depth."""
    return text == PERFECT or (text.isascii() and text.isdigit())


def _level(text: str) -> int:
    from ..levels import LEVELS

    return number("a level", 1, len(LEVELS["max"]))(text)


# Numbers


def number(what: str, least: int, most: int) -> Callable[[str], int]:
    """The type of an argument that is a number, such as "a number of games"."""

    def parse(text: str) -> int:
        if is_number(text) and least <= int(text) <= most:
            return int(text)
        raise ValueError(f"{quote(text)} is not {what} from {least} to {most:,}")

    return parse


def add_number(parser: Parser, name: str, kind: Callable[[str], int], what: str, default: int | None = None) -> None:
    parser.add_argument(name, type=kind, default=default, metavar="N", help=what)


seed_from = number("a seed", 0, 10**9 - 1)


# The solver

MAX_THREADS = 1024
MAX_COLUMNS = 9  # columns that a move string can name


def add_solver(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--memory",
        type=_available_memory,
        metavar="BYTES",
        help="memory limit of the transposition table, such as 512M, with K, M or G (default: half of the free memory, "
        "at most 1G)",
    )
    threads = number("a number of threads", 1, MAX_THREADS)
    add_number(parser, "--threads", threads, "number of search threads (default: number of processors)")


def add_size(parser: ArgumentParser) -> None:
    """The size of the board of a position or a game."""
    parser.add_argument(
        "--size", type=_size_with_moves, metavar="CxR", help="columns and rows of the board, such as 5x4 (default: 7x6)"
    )


def solver_from_args(args: Namespace) -> Solver:
    """The solver with the memory, threads and book of the command line."""
    from ..solver import Solver

    return Solver(args.memory, args.threads, book=book_from_args(args))


def size_from(text: str) -> tuple[int, int]:
    """Columns and rows from a text such as 7x6."""
    from ..board_sizes import is_solvable

    columns, _, rows = text.partition("x")
    if is_number(columns) and is_number(rows) and is_solvable(int(columns), int(rows)):
        return int(columns), int(rows)
    raise ValueError(
        f"{quote(text)} is not a size that can be solved: use columns x rows, such as 7x6, at least 4x4, "
        "with columns x (rows + 1) at most 64"
    )


def _size_with_moves(text: str) -> tuple[int, int]:
    columns, rows = size_from(text)
    if columns > MAX_COLUMNS:
        raise ValueError(
            f"{quote(text)} has more than the {MAX_COLUMNS} columns that a move string can name: "
            f"use '{program()} solve-sizes' for the empty board"
        )
    return columns, rows


def _available_memory(text: str) -> int:
    from ..system import memory

    size, available = parse_bytes(text), memory()
    if available is not None and size > available:
        raise ValueError(f"{quote(text)} is more than the memory of this machine: use at most {available >> 20}M")
    return size


# Worker processes


def add_workers(parser: ArgumentParser, tasks: str) -> None:
    """Processes on this machine, or a Dask cluster."""
    processes = number("a number of processes", 1, 1024)
    add_number(parser, "--processes", processes, "number of worker processes (default: number of processors)")
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help=f"scheduler of a Dask cluster to use for the {tasks}: see docs/how-to/cluster.md",
    )


def check_workers(args: Namespace) -> None:
    """Raise UsageError if both kinds of workers are given."""
    if args.scheduler is not None and args.processes is not None:
        raise UsageError("give --processes or --scheduler, not both")


# External programs

MAX_PROGRAM_DEPTH = 1000


def add_depth(parser: ArgumentParser) -> None:
    from ..referee.players import DEPTH

    depth = number("a number of plies", 0, MAX_PROGRAM_DEPTH)
    add_number(parser, "--depth", depth, f"value of {{depth}} in commands, in plies (default: {DEPTH})", DEPTH)


def add_seconds(parser: ArgumentParser) -> None:
    from ..referee.limits import ResourceLimits

    parser.add_argument(
        "--seconds",
        type=parse_seconds,
        default=ResourceLimits().cpu_seconds,
        metavar="SECONDS",
        help=f"limit on the CPU time of a move; the wall-clock limit is three times as long "
        f"(default: {ResourceLimits().cpu_seconds:g})",
    )


def add_restart(parser: ArgumentParser, what: str) -> None:
    """An option that measures again. Its name in version 0.1.0 is still accepted."""
    from argparse import SUPPRESS

    parser.add_argument("--restart", action="store_true", help=what)
    parser.add_argument("--anew", action="store_true", dest="restart", help=SUPPRESS)


def add_program_memory(parser: ArgumentParser) -> None:
    from ..referee.limits import ResourceLimits

    parser.add_argument(
        "--memory",
        type=parse_bytes,
        default=ResourceLimits().memory,
        metavar="BYTES",
        help="memory limit of all processes of a program, such as 512M (default: 2G)",
    )


def add_isolation(parser: ArgumentParser) -> None:
    from ..referee.isolation import AUTO, ISOLATIONS

    parser.add_argument(
        "--isolation",
        choices=ISOLATIONS,
        default=AUTO,
        help="isolation of external programs: auto (the strongest available), bubblewrap or none (default: auto)",
    )


def limits_from_args(args: Namespace) -> ResourceLimits:
    from ..referee.limits import limits_of_move

    return limits_of_move(args.seconds, args.memory, args.isolation)


def report_isolation(players: Iterable[PlayerSpec], scheduler: str | None = None) -> None:
    """Print the isolation of external programs on standard error, where it was chosen automatically."""
    from ..referee.isolation import AUTO, isolation_for

    if sys.stderr is None or not any(each.command and each.limits.isolation == AUTO for each in players):
        return
    where = "the strongest available on the machine of each worker; the results record the method."
    print(f"Isolation: {where}" if scheduler else isolation_for(AUTO), file=sys.stderr, flush=True)
