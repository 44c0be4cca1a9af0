"""Take over what was solved elsewhere: add the positions of other states, or of books, to a state.

A state is what 'book build' keeps, an SQLite file. So the parts come together that were built on machines without a
network between them; the next 'book build' goes on from there, and writes the book if nothing is missing. If two files
disagree about a position, that is said, and the state stays as it was.

Examples:
  maxconnect4 book merge book.sqlite part2.sqlite part3.sqlite
  maxconnect4 book merge book.sqlite old.book
"""

from __future__ import annotations

import os

from ...book import TITLE, Book
from ...bookmaking.solving import Solved
from ...bookmaking.state import STATES
from ...errors import BadFile, shown_path
from ...reading import open_regular
from ..arguments import add_game

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..parsing import Arguments, PlainParser
    from ..terminal.screen import Screen


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("state", help="the state that grows; it is made if there is none")
    add_game(parser)
    parser.add_argument("others", nargs="+", metavar="FILE", help="a state or a book whose positions are added")


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    if any(os.path.realpath(other) == os.path.realpath(args.state) for other in args.others):
        return "a state cannot be merged with itself"
    return None


def run(args: Arguments, screen: Screen) -> int:
    """Read all of the others, then write."""
    solved = [each for other in args.others for each in _read(other, args.game)]
    with STATES[args.game](args.state) as state:
        new = state.add(solved)
    screen.say(f"{shown_path(args.state)} has {new:,} new positions, of {len(solved):,}.")
    return 0


def _read(path: str, game: str) -> list[Solved]:
    with open_regular(path, "file") as file:
        is_book = file.read(len(TITLE)) == TITLE
    if is_book:
        return [Solved(key, value, 0, 0.0) for key, value in Book(path).of_game(game)]
    try:
        with STATES[game](path, read_only=True) as state:
            return list(state.solved())
    except BadFile:  # a build that was killed may have left it half written: SQLite mends that, if it may write
        with STATES[game](path) as state:
            return list(state.solved())
