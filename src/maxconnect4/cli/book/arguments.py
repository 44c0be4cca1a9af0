"""The arguments that the commands around the book share."""

from __future__ import annotations

from ...book import Book, shipped_book
from ..arguments import add_game

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..parsing import Arguments, PlainParser

STATE = "book.sqlite"


def add_book(parser: ArgumentParser | PlainParser) -> None:
    """The book that a command is about."""
    parser.add_argument("--book", metavar="FILE", help="the book (default: the one that comes with the program)")
    add_game(parser)


def book_as_told(args: Arguments) -> Book:
    """The book, by the arguments of the command line. A file says itself which game it is of."""
    if args.book is None:
        return shipped_book(args.game)
    book = Book(args.book)
    return book if args.game == "max" else book.of_game(args.game)
