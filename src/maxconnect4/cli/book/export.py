"""A book as text: a line for each position, with its plies, a move string that leads to it, and its value.

Tabs are between them. Positions with fewer plies come first; mirror images are there once. A value is the final margin
with perfect play in the view of the side to move, in the classic game a score as 'analyse' has it.

Examples:
  maxconnect4 book export > book.tsv
  maxconnect4 book export --plies 4
"""

from __future__ import annotations

from ...keys import moves_of, plies_of
from ..arguments import add_number, number
from .arguments import add_book, book_as_told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..parsing import Arguments, PlainParser
    from ..terminal.screen import Screen

LINES_AT_ONCE = 1000


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    add_number(parser, "--plies", number("a number of plies", 0, 42), "only positions with at most so many pieces")
    add_book(parser)


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    return None


def run(args: Arguments, screen: Screen) -> int:
    """Print every position."""
    book = book_as_told(args)
    most = book.plies if args.plies is None else args.plies
    entries = sorted((plies, key, value) for key, value in book if (plies := plies_of(key)) <= most)
    screen.say("plies\tmoves\tvalue")
    for start in range(0, len(entries), LINES_AT_ONCE):
        lines = (f"{plies}\t{moves_of(key)}\t{value}" for plies, key, value in entries[start : start + LINES_AT_ONCE])
        screen.say("\n".join(lines))
        if screen.failure:  # nobody is reading
            break
    return 0
