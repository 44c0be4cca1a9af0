"""The arguments that the commands around the book share."""

from __future__ import annotations

from ...book import Book, shipped_book
from ..arguments import refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..parsing import Arguments, PlainParser

STATE = "book.sqlite"


def add_book(parser: ArgumentParser | PlainParser) -> None:
    """The book that a command is about."""
    parser.add_argument("--book", metavar="FILE", help="the book (default: the one that comes with the program)")


def book_as_told(args: Arguments) -> Book:
    """The book, by the arguments of the command line."""
    return shipped_book() if args.book is None else Book(args.book)


def whole_number(text: str, least: int, most: int, what: str) -> int:
    """A number of something from a word of the command line."""
    if text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most:
        return int(text)
    raise refusal(f"{text[:40]!a} is not a number of {what}, from {least} to {most:,}")
