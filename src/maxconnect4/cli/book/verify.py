"""Check an opening book: that every position is there, that each value is the best of what follows, and that a random
sample has the values that the solver finds without any book.

Each fault is a line, and the exit code then is 1.

Examples:
  maxconnect4 book verify
  maxconnect4 book verify --sample 300 --seed 7
  maxconnect4 book verify --book my.book --sample 0
"""

from __future__ import annotations

from ...amounts import how_many
from ...bookmaking.verifying import faults_in_sample, faults_within
from ...solver import Solver
from ..arguments import add_number, number, seed_from
from ..solving import add_solver
from ..terminal.display import Bar
from .arguments import add_book, book_as_told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..parsing import Arguments, PlainParser
    from ..terminal.screen import Screen

MOST_SHOWN = 20


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    add_number(
        parser,
        "--sample",
        number("a number of positions", 0, 10**8),
        "how many positions to solve again (default: 100)",
        100,
    )
    add_number(parser, "--seed", seed_from, "which sample (default: 1)", 1)
    add_book(parser)
    add_solver(parser)


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    return None


def run(args: Arguments, screen: Screen) -> int:
    """Check it, and say what was found."""
    book = book_as_told(args)
    faults = faults_within(book)
    screen.say(
        f"{len(book):,} positions up to {book.plies} plies: {_verdict(faults, 'all there, and the values fit')}."
    )
    count = min(args.sample, len(book))
    if count and not faults:
        solver = Solver(args.memory, args.threads, book=False)
        with Bar(count) as bar:
            faults = faults_in_sample(
                book, count, args.seed, solver, lambda done: bar.show(done, f"position {done + 1:,} of {count:,}")
            )
        screen.say(f"{count:,} of them solved again: {_verdict(faults, 'every value is right')}.")
    for fault in faults[:MOST_SHOWN]:
        screen.say(f"  {fault}")
    if len(faults) > MOST_SHOWN:
        screen.say(f"  and {len(faults) - MOST_SHOWN:,} more")
    return 1 if faults else 0


def _verdict(faults: list[str], good: str) -> str:
    return how_many(len(faults), "fault") if faults else good
