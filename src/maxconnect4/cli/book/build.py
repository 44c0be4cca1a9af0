"""Make an opening book: solve every position with as many pieces as the book has plies, and derive the others.

Each position that is solved is kept at once in the state, an SQLite file. The build can be stopped at any moment, by
Ctrl-C, a signal or a power failure: the same command goes on from there. When all is solved, the book is written.

The work is done by processes on this machine, or with --scheduler by the workers of a Dask cluster (docs/cluster.md).
Machines without a network between them can build a part each, with --part; 'book merge' brings the states together.

Examples:
  maxconnect4 book build --plies 6
  maxconnect4 book build --plies 8 --state book8.sqlite --book book8.book --processes 4
  maxconnect4 book build --plies 8 --scheduler tcp://192.168.1.10:8786
  maxconnect4 book build --plies 8 --part 2/4 --state part2.sqlite
  maxconnect4 book build --plies 5 --game classic --state classic.sqlite --book classic.book
"""

from __future__ import annotations

import os
import time

from ... import __version__
from ...amounts import how_many
from ...book import TITLE, Book, save_book
from ...bookmaking.building import Part, Progress, all_values, effort, solve_layer
from ...bookmaking.solving import workers_here, workers_of_cluster
from ...bookmaking.state import STATES
from ...errors import BadFile, shown, shown_path
from ...reading import open_regular
from ...saving import check_writable
from .. import workers
from ..arguments import add_game, add_number, bytes_from, number, refusal
from ..output import clash
from ..terminal.display import Bar, duration
from ..terminal.screen import complain, in_terminal
from .arguments import STATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ...work.tasks import Workers
    from ..parsing import Arguments, PlainParser
    from ..terminal.screen import Screen

BOOK = "opening.book"
MOST_PLIES = 14  # the positions with more would not fit into memory
LINE_EVERY = 60  # seconds, where there is no terminal


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    add_number(parser, "--plies", number("a number of plies", 1, MOST_PLIES), "how far the book goes (default: 6)", 6)
    add_game(parser)
    parser.add_argument("--state", default=STATE, metavar="FILE", help=f"what is solved so far (default: {STATE})")
    parser.add_argument("--book", default=BOOK, metavar="FILE", help=f"where the book goes (default: {BOOK})")
    workers.add_workers(parser, "positions")
    parser.add_argument("--part", type=_part, metavar="K/N", help="solve only part K of N, such as 2/4")
    parser.add_argument(
        "--memory",
        type=bytes_from,
        metavar="BYTES",
        help="the most that the tables may take together, such as 2G (default: half of what is free, 1G at the most); "
        "on a cluster that of each worker (default: 256M)",
    )


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    return workers.contradiction(args) or clash([args.state, args.book])


def run(args: Arguments, screen: Screen) -> int:
    """Solve what is not solved yet, and write the book."""
    _check_target(args.book, args.game)
    check_writable(args.state)
    at_work = _workers_as_told(args)
    with STATES[args.game](args.state) as state:
        try:
            with Bar(None) as bar:
                bar.show(0, "listing the positions")
                left = solve_layer(args.plies, state, at_work, args.part, _Watcher(bar).show)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"what is solved is kept in {state.name}, and the same command goes on") from None
        if left:
            screen.say(
                f"This part is done. {left:,} positions are in other parts: 'maxconnect4 book merge' adds those."
            )
            return 0
        made = {"program": f"maxconnect4 {__version__}", "date": time.strftime("%Y-%m-%d", time.gmtime())}
        values = all_values(args.plies, state.values(), args.game)
        save_book(args.book, values, args.plies, made | effort(args.plies, state), args.game)
    screen.say(
        f"{shown_path(args.book)} has all {len(values):,} positions up to {how_many(args.plies, 'ply', 'plies')}."
    )
    return 0


def _workers_as_told(args: Arguments) -> Workers:
    if args.scheduler is None:
        return workers_here(args.processes, args.memory, args.game)
    return workers_of_cluster(args.scheduler, args.memory, args.game)


def _check_target(path: str, game: str) -> None:
    """Refuse to write a book over something else, before hours are spent on it."""
    check_writable(path)
    if not os.path.exists(path):
        return
    with open_regular(path, "book") as file:
        start = file.read(len(TITLE))
    if start not in (b"", TITLE):
        raise BadFile(f"{shown_path(path)} is there already and is not a book: name another with --book")
    try:
        there = Book(path).game
    except BadFile:  # it is empty or damaged: nothing is lost
        return
    if there != game:
        raise BadFile(f"{shown_path(path)} is there already, of the game {there}: name another with --book")


class _Watcher:
    """Shows how far the build is: a bar in a terminal, a line now and then elsewhere."""

    def __init__(self, bar: Bar) -> None:
        self.bar = bar
        self._next_line = time.monotonic() + LINE_EVERY

    def show(self, now: Progress) -> None:
        """Show it."""
        left = "" if now.seconds_left is None else f", {now.per_second:.1f}/s, about {duration(now.seconds_left)} left"
        text = f"{now.done_before + now.done:,} of {now.positions:,} positions{left}"
        self.bar.show(now.done, text, total=now.to_do)
        if not in_terminal() and time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + LINE_EVERY
            complain(text)


# The arguments


def _part(text: str) -> Part:
    number, slash, parts = text.partition("/")
    are_numbers = slash and all(word.isascii() and word.isdigit() and len(word) < 5 for word in (number, parts))
    if are_numbers and 1 <= int(number) <= int(parts):
        return Part(int(number), int(parts))
    raise refusal(f"{shown(text)} is not a part, such as 2/4")
