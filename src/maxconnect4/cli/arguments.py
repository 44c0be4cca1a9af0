"""The arguments that several commands share: a position, the game, how the computer chooses, numbers of things."""

from __future__ import annotations

from ..board import GAMES, SIZE, Board
from ..errors import BadFile, shown, shown_path
from ..files import read_board, read_moves
from ..players import PerfectPlayer, SearchingPlayer
from ..search import DEFAULT_DEPTH, EVALUATIONS
from .terminal.screen import complain, in_terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, ArgumentTypeError
    from collections.abc import Callable
    from typing import TypeVar

    from ..book import Book
    from ..players import Player
    from ..search import Choice
    from .parsing import Arguments, PlainParser

    T = TypeVar("T")

PERFECT = "perfect"
NO_BOOK = "none"
DEEPEST = 10_000  # more than any board has cells


def add_position(parser: ArgumentParser | PlainParser) -> None:
    """The position that a command is about."""
    parser.add_argument(
        "position", nargs="?", help="a file, a move string, or - for standard input (default: the empty board)"
    )


def add_computer(parser: ArgumentParser | PlainParser) -> None:
    """The depth as the last positional argument, and the options."""
    parser.add_argument(
        "depth",
        nargs="?",
        type=depth_from,
        help="plies to look ahead, the computer's own move being the first; 'perfect' solves the position "
        "(default: 8, in the classic game 5)",
    )
    add_game(parser)
    parser.add_argument(
        "--time",
        type=seconds_from,
        metavar="SECONDS",
        help="look ever further ahead for so long (wall clock), instead of a depth",
    )
    parser.add_argument(
        "--level", type=_level, metavar="N", help="play as one of the levels, 1 (a beginner) to 8, instead of a depth"
    )
    add_evaluation(parser, "what a position at the depth limit is worth")
    add_book(parser)


def add_evaluation(parser: ArgumentParser | PlainParser, what: str) -> None:
    """Which evaluation a search uses."""
    parser.add_argument(
        "--eval",
        choices=EVALUATIONS,
        metavar="NAME",
        help=f"{what}: {', '.join(EVALUATIONS)} (default: best, in the classic game windows)",
    )


def add_game(parser: ArgumentParser | PlainParser) -> None:
    """Which of the two games it is."""
    parser.add_argument(
        "--game", choices=GAMES, default="max", help="max (the default), or classic: the first four wins"
    )


def add_book(parser: ArgumentParser | PlainParser) -> None:
    """Which opening book perfect play may use."""
    parser.add_argument(
        "--book",
        metavar="FILE",
        help="the opening book for perfect play, or none to do without (default: the one that comes with the program)",
    )


def contradiction(args: Arguments) -> str | None:
    """What is wrong with these arguments taken together, if anything is."""
    ways = {"a depth": args.depth, "--time": args.time, "--level": args.level}
    given = [way for way, value in ways.items() if value is not None]
    if len(given) > 1:
        return f"give {given[0]} or {given[1]}, not both"
    if args.eval is not None and (args.depth == PERFECT or args.level is not None):
        return f"--eval is for a search: {'perfect play' if args.depth == PERFECT else 'a level'} takes none"
    if args.book is not None and args.depth != PERFECT and args.level is None:
        return f"--book is for perfect play: give the depth {PERFECT}, too"
    return None


def position_as_told(args: Arguments, size: tuple[int, int] = SIZE) -> Board:
    """The position that a command is about, by the arguments of the command line."""
    if args.position is None:
        return Board(args.game, width=size[0], height=size[1])
    return read_position(args.position, args.game, size)


def read_position(source: str, game: str = "max", size: tuple[int, int] = SIZE) -> Board:
    """The position that a word of the command line names; a missing file is an error."""
    try:
        return read_board(source, game, size)
    except FileNotFoundError:
        raise _nothing_there(source) from None


def read_game(source: str) -> str:
    """The moves of the game that a word of the command line names."""
    try:
        return read_moves(source)
    except FileNotFoundError:
        raise _nothing_there(source) from None


def _nothing_there(source: str) -> BadFile:
    return BadFile(f"{shown_path(source)}: there is no such file, and it is no move string such as 44535")


def computer_as_told(args: Arguments) -> Player:
    """Who plays for the computer, by the arguments of the command line."""
    if args.depth == PERFECT:
        return _perfect(args)
    if args.level is not None:
        from ..levels import LEVELS, LevelPlayer

        return _perfect(args) if args.level == len(LEVELS[args.game]) else LevelPlayer(args.level, args.game)
    depth = None if args.time is not None else DEFAULT_DEPTH[args.game] if args.depth is None else args.depth

    def watched(search: Callable[..., Choice], board: Board) -> Choice:
        if not in_terminal():
            return search(board)
        from .terminal.thinking import watched_search

        return watched_search(search, board, depth)

    return SearchingPlayer(depth, seconds=args.time, evaluation=args.eval, watched=watched)


def _perfect(args: Arguments) -> Player:
    from ..solver import Solver
    from .terminal.display import watched

    return PerfectPlayer(Solver(book=book_as_told(args)), watched)


def book_as_told(args: Arguments) -> Book | bool:
    """The book, by the arguments of the command line. One that cannot be used is named, and the game goes on."""
    from ..book import Book, shipped_book

    if args.book == NO_BOOK:
        return False
    try:
        return shipped_book(args.game) if args.book is None else Book(args.book).of_game(args.game)
    except BadFile as error:
        complain(f"{error}; going on without a book")
        return False


def depth_from(text: str) -> int | str:
    """A number of plies, or `perfect`."""
    if not is_depth(text):
        raise refusal(f"{shown(text)} is not a number of plies, from 0 up, or 'perfect'")
    return PERFECT if text == PERFECT else min(int(text.lstrip("0")[:6] or 0), DEEPEST)


def is_depth(text: str) -> bool:
    """Whether a word can only be meant as a depth."""
    return text == PERFECT or (text.isascii() and text.isdigit())


def _level(text: str) -> int:
    from ..levels import LEVELS

    return number("a level", 1, len(LEVELS["max"]))(text)


def seconds_from(text: str) -> float:
    """A number of seconds that one can wait."""
    from ..amounts import seconds_from

    return _amount(seconds_from, text)


def bytes_from(text: str) -> int:
    """A number of bytes from a text such as 512M."""
    from ..amounts import bytes_from

    return _amount(bytes_from, text)


def _amount(read: Callable[[str], T], text: str) -> T:
    """What a reader of amounts makes of a word of the command line."""
    try:
        return read(text)
    except ValueError as error:
        raise refusal(str(error)) from None


def number(what: str, least: int, most: int) -> Callable[[str], int]:
    """The type of an argument that is a number, such as "a number of games"."""

    def read(text: str) -> int:
        from ..amounts import is_number

        if is_number(text) and least <= int(text) <= most:
            return int(text)
        raise refusal(f"{shown(text)} is not {what}, from {least} to {most:,}")

    return read


def add_number(
    parser: ArgumentParser | PlainParser, name: str, kind: Callable[[str], int], what: str, default: int | None = None
) -> None:
    """An option that takes a number."""
    parser.add_argument(name, type=kind, default=default, metavar="N", help=what)


seed_from = number("a seed", 0, 10**9 - 1)


def refusal(message: str) -> ArgumentTypeError:
    """What the type of an argument raises; argparse then says it."""
    from argparse import ArgumentTypeError

    return ArgumentTypeError(message)
