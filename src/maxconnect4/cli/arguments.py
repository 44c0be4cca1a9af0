"""The arguments that several commands share: how the computer chooses, and where a position comes from."""

from __future__ import annotations

from ..board import GAMES, SIZE, Board
from ..errors import BadFile, shown_path
from ..files import read_board
from ..players import PerfectPlayer, SearchingPlayer
from ..search import DEFAULT_EVALUATION, EVALUATIONS
from .terminal.screen import complain

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
DEFAULT_DEPTH = {"max": 8, "classic": 5}


def add_computer(parser: ArgumentParser | PlainParser) -> None:
    """The depth as the last positional argument, and the options."""
    parser.add_argument(
        "depth",
        nargs="?",
        type=_depth,
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
        "--eval",
        choices=EVALUATIONS,
        metavar="NAME",
        help=f"what a position at the depth limit is worth: {', '.join(EVALUATIONS)} "
        "(default: best, in the classic game windows)",
    )
    add_book(parser)


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
    if args.depth is not None and args.time is not None:
        return "give a depth or --time, not both"
    return None


def read_position(source: str, game: str = "max", size: tuple[int, int] = SIZE) -> Board:
    """The position that a word of the command line names; a missing file is an error."""
    try:
        return read_board(source, game, size)
    except FileNotFoundError:
        raise BadFile(f"{shown_path(source)}: there is no such file") from None


def computer_as_told(args: Arguments) -> Player:
    """Who plays for the computer, by the arguments of the command line."""
    if args.depth == PERFECT:
        from ..solver import Solver
        from .terminal.display import watched

        return PerfectPlayer(Solver(book=book_as_told(args)), watched)
    evaluation = args.eval or DEFAULT_EVALUATION[args.game]
    if args.time is not None:
        return SearchingPlayer(seconds=args.time, evaluation=evaluation)
    depth = DEFAULT_DEPTH[args.game] if args.depth is None else args.depth
    return SearchingPlayer(depth, evaluation=evaluation)


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


def describe(choice: Choice) -> str:
    """How long a choice took, and what for."""
    if choice.source == "book":
        return f"From the book; CPU time: {choice.cpu_seconds:.3f} s."
    plies = f"{choice.depth} pl{'y' if choice.depth == 1 else 'ies'} ahead"
    nodes = f"{choice.nodes:,} node{'s' * (choice.nodes != 1)}"
    return f"CPU time of the search: {choice.cpu_seconds:.3f} s, {plies}, {nodes}."


def _depth(text: str) -> int | str:
    if text == PERFECT:
        return PERFECT
    if text.isascii() and text.isdigit():
        return min(int(text.lstrip("0")[:6] or 0), DEEPEST)
    raise refusal(f"{text[:40]!a} is not a number of plies, from 0 up, or 'perfect'")


def seconds_from(text: str) -> float:
    """A number of seconds that one can wait."""
    from ..amounts import seconds_from

    return amount(seconds_from, text)


def amount(read: Callable[[str], T], text: str) -> T:
    """What a reader of amounts makes of a word of the command line."""
    try:
        return read(text)
    except ValueError as error:
        raise refusal(str(error)) from None


def whole_number(text: str, least: int, most: int, what: str) -> int:
    """A number of something from a word of the command line."""
    if text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most:
        return int(text)
    raise refusal(f"{text[:40]!a} is not a number of {what}, from {least} to {most:,}")


def refusal(message: str) -> ArgumentTypeError:
    """What the type of an argument raises; argparse then says it."""
    from argparse import ArgumentTypeError

    return ArgumentTypeError(message)
