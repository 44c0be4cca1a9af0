"""The arguments that the commands around the book share."""

from __future__ import annotations

from ...board import GAMES
from ...book import Book, shipped_book

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..parsing import Arguments, PlainParser

STATE = "book.sqlite"


def add_book(parser: ArgumentParser | PlainParser) -> None:
    """The book that a command is about."""
    parser.add_argument("--book", metavar="FILE", help="the book (default: the one that comes with the program)")
    add_game(parser)


def add_game(parser: ArgumentParser | PlainParser) -> None:
    """The game that the book is of."""
    parser.add_argument(
        "--game", choices=GAMES, default="max", help="max (the default), or classic: the first four wins"
    )


def book_as_told(args: Arguments) -> Book:
    """The book, by the arguments of the command line."""
    return shipped_book(args.game) if args.book is None else Book(args.book)
