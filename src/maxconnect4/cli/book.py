"""The sub-commands of `book`: look up, describe, verify, build, merge and export an opening book.

The docstring of each class is the help of its sub-command.
"""

from __future__ import annotations

import os
import time
from argparse import ArgumentParser, Namespace
from collections import Counter, defaultdict

from .. import __version__
from ..board import Board
from ..book import TITLE, Book, save_book, shipped_book
from ..book_builder import (
    STATES,
    LayerProgress,
    LayerShare,
    SolvedPosition,
    cluster_solvers,
    derive_values,
    layer_of,
    local_solvers,
    solve_effort,
    solve_layer,
    verify_layer,
    verify_sample,
    verify_structure,
)
from ..errors import BadFile, quote, quote_path
from ..files import check_writable, open_regular
from ..formatting import parse_bytes, plural
from ..position_keys import moves_from_key, plies_from_key
from ..scores import format_scores, format_signed, format_value
from ..solver import Solver
from ..workers import Workers
from . import FAILURE, UsageError, options
from .output import check_distinct, table_text
from .progress import ProgressBar, duration_text
from .terminal import Screen, print_error, program

STATE, BOOK = "book.sqlite", "opening.book"
MAX_PLIES = 14  # the positions with more would not fit into memory
LISTED = 8  # plies: with more, the list would be larger than a layer
MAX_FAULTS_SHOWN = 20  # faults of a book
LINES_AT_ONCE = 1000

SUMMARIES = {
    "lookup": "value of a position in the book",
    "stats": "contents of a book, and how it was built",
    "verify": "check a book against itself and against the solver",
    "build": "build a book, on this machine or on a cluster",
    "merge": "add positions that were solved elsewhere",
    "export": "print a book as text",
}

HELP = """usage: maxconnect4 book COMMAND ...

An opening book contains the exact value of every position up to a number of plies.
A book for each game is included. 'analyse', 'review' and perfect play use it.

{commands}

Examples:
  maxconnect4 book lookup 4453            value of every column
  maxconnect4 book stats                  contents of the book
  maxconnect4 book verify --sample 300    solve 300 positions again
  maxconnect4 book build --plies 6        build your own book

'maxconnect4 book COMMAND --help' describes a command."""


def _add_book(parser: ArgumentParser) -> None:
    parser.add_argument("--book", metavar="FILE", help="book file (default: the included book)")
    options.add_game(parser)


def _book_from_args(args: Namespace) -> Book:
    if args.book is None:
        return shipped_book(args.game)
    book = Book(args.book)
    return book if args.game == "max" else book.of_game(args.game)


class Lookup:
    """Value of a position in the opening book, and of every column.

    The position is a file, a move string such as 44535, or - for standard input; the default is the empty board.
    Values are final margins for the player to move or, in the classic game, scores as in 'analyse'. The deepest
    positions of a book have no values of columns. If the position is not in the book, the exit status is 1.

    Examples:
      maxconnect4 book lookup
      maxconnect4 book lookup 4453 --json
      maxconnect4 book lookup position.txt --book my.book
      maxconnect4 book lookup --game classic
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        options.add_position(parser)
        options.add_json(parser)
        _add_book(parser)

    def run(self, args: Namespace, screen: Screen) -> int:
        book = _book_from_args(args)
        board = Board(book.game) if args.position is None else options.read_position(args.position, book.game)
        value, scores = book.value(board), book.scores(board)
        if value is None:
            print_error(_why_missing(book, board))
            return FAILURE
        if args.json:
            result = {
                "game": book.game,
                "moves": board.moves,
                "to_move": board.to_move,
                "value": value,
                "scores": scores,
                "source": "book",
            }
            screen.print_json(result)
            return 0
        screen.print_board(board)
        screen.print(format_value(board, value))
        if scores is not None:
            screen.print(f"\n{format_scores(board, scores)}")
        return 0


def _why_missing(book: Book, board: Board) -> str:
    if board.pieces() > book.plies:
        plies = f"the book ends after {book.plies} plies, and this position has {board.pieces()} pieces"
        return f"{plies}: '{program()} analyse' solves it"
    why = "the game is over" if board.is_over() else "no game leads to it"
    return f"the book does not have this position: {why}"


class Stats:
    """Contents of an opening book: its positions by plies and by result, and how it was built.

    Values are final margins with perfect play for the side to move or, in the classic game, scores as in 'analyse'.
    A position and its mirror image are counted once.

    Examples:
      maxconnect4 book stats
      maxconnect4 book stats --book my.book --json
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        options.add_json(parser)
        _add_book(parser)

    def run(self, args: Namespace, screen: Screen) -> int:
        book = _book_from_args(args)
        size = os.path.getsize(book.path)
        layers: dict[int, Counter[int]] = defaultdict(Counter)
        for key, value in book:
            layers[plies_from_key(key)][value] += 1
        if args.json:
            by_plies = {plies: dict(sorted(layer.items())) for plies, layer in layers.items()}
            result = {"game": book.game, "plies": book.plies, "positions": len(book), "bytes": size, "made": book.made}
            layer = book.layer
            result["layer"] = layer and {"plies": layer.plies, "positions": layer.positions, "bytes": layer.size}
            screen.print_json({**result, "values": by_plies})
            return 0
        rows = []
        for plies, values in sorted(layers.items()):
            wins = sum(count for value, count in values.items() if value > 0)
            losses = sum(count for value, count in values.items() if value < 0)
            counts = f"{values.total():,}", f"{wins:,}", f"{values[0]:,}", f"{losses:,}"
            rows.append([str(plies), *counts, format_signed(min(values)), format_signed(max(values))])
        screen.print(table_text(["plies", "positions", "wins", "draws", "losses", "least", "most"], rows))
        screen.print(f"\n{len(book):,} positions up to {book.plies} plies in {size:,} bytes.")
        if (layer := book.layer) is not None:
            screen.print(f"{layer.positions:,} positions after {layer.plies} plies in {layer.size:,} of them.")
        for name, detail in book.made.items():
            text = f"{detail:,}" if isinstance(detail, int | float) else quote(str(detail))[1:-1]
            screen.print(f"{quote(name.replace('_', ' '))[1:-1]}: {text}")
        return 0


class Verify:
    """Verify that an opening book is complete, that each value follows from those of the next ply, and that a random
    sample has the values that the solver computes without a book. If the book has a layer, a random sample of its
    positions is solved as well.

    Each fault is printed on its own line. If there are any, the exit status is 1.

    Examples:
      maxconnect4 book verify
      maxconnect4 book verify --sample 300 --seed 7
      maxconnect4 book verify --book my.book --sample 0
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        sample = options.number("a number of positions", 0, 10**8)
        options.add_number(parser, "--sample", sample, "number of positions to solve again (default: 100)", 100)
        options.add_number(parser, "--seed", options.seed_from, "random seed of the sample (default: 1)", 1)
        _add_book(parser)
        options.add_solver(parser)

    def run(self, args: Namespace, screen: Screen) -> int:
        book = _book_from_args(args)
        faults = verify_structure(book)
        positions = f"{len(book):,} positions up to {book.plies} plies"
        screen.print(f"{positions}: {_verdict(faults, 'complete, and the values agree')}.")
        count = min(args.sample, len(book))
        if count and not faults:
            solver = Solver(args.memory, args.threads, book=False)
            with ProgressBar(count) as bar:
                faults = verify_sample(
                    book, count, args.seed, solver, lambda done: bar.update(done, f"position {done + 1:,} of {count:,}")
                )
            screen.print(f"{count:,} of them solved again: {_verdict(faults, 'every value is correct')}.")
            if book.layer is not None and not faults:
                faults = verify_layer(book, args.sample, args.seed, solver)
                positions = f"{args.sample:,} random positions after {book.layer.plies} plies"
                screen.print(f"{positions} solved again: {_verdict(faults, 'every value is correct')}.")
        for fault in faults[:MAX_FAULTS_SHOWN]:
            screen.print(f"  {fault}")
        if len(faults) > MAX_FAULTS_SHOWN:
            screen.print(f"  and {len(faults) - MAX_FAULTS_SHOWN:,} more")
        return FAILURE if faults else 0


def _verdict(faults: list[str], good: str) -> str:
    return plural(len(faults), "fault") if faults else good


class Build:
    """Build an opening book: solve every position of its deepest ply, and derive the values of the others.

    Each solved position is immediately stored in the state, an SQLite file. The build can be stopped at any moment,
    by Ctrl-C, a signal or a power failure: the same command resumes it. When all positions are solved, the book is
    written.

    All positions up to --list plies are listed with their values. A deeper book also has a layer: the values of the
    positions of its deepest ply, in a few bits each. The solver searches from earlier positions down to the layer.

    The positions are solved by processes on this machine or, with --scheduler, by the workers of a Dask cluster
    (docs/how-to/cluster.md). Machines that are not connected can each solve a part with --part; 'book merge' joins
    the parts.

    Examples:
      maxconnect4 book build --plies 6
      maxconnect4 book build --plies 8 --state book8.sqlite --book book8.book --processes 4
      maxconnect4 book build --plies 9 --list 6
      maxconnect4 book build --plies 8 --scheduler tcp://192.168.1.10:8786
      maxconnect4 book build --plies 8 --part 2/4 --state part2.sqlite
      maxconnect4 book build --plies 5 --game classic --state classic.sqlite --book classic.book
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        plies = options.number("a number of plies", 1, MAX_PLIES)
        options.add_number(parser, "--plies", plies, "depth of the book in plies (default: 6)", 6)
        options.add_number(
            parser, "--list", plies, f"number of plies up to which positions are listed (default: at most {LISTED})"
        )
        options.add_game(parser)
        parser.add_argument("--state", default=STATE, metavar="FILE", help=f"solved positions (default: {STATE})")
        parser.add_argument("--book", default=BOOK, metavar="FILE", help=f"book file to write (default: {BOOK})")
        options.add_workers(parser, "positions")
        parser.add_argument("--part", type=_part, metavar="K/N", help="solve only part K of N, such as 2/4")
        parser.add_argument(
            "--memory",
            type=parse_bytes,
            metavar="BYTES",
            help="memory limit of all transposition tables together, such as 2G (default: half of the free memory, at "
            "most 1G); on a cluster, of each worker (default: 256M)",
        )

    def check_arguments(self, args: Namespace) -> None:
        options.check_workers(args)
        check_distinct([args.state, args.book])

    def run(self, args: Namespace, screen: Screen) -> int:
        """Solve the positions that are missing, and write the book."""
        _check_target(args.book, args.game)
        check_writable(args.state)
        workers = _workers_from_args(args)
        with STATES[args.game](args.state) as state:
            try:
                with ProgressBar(None) as bar:
                    bar.update(0, "listing the positions")

                    def show(now: LayerProgress) -> None:
                        bar.update(now.done, _build_step(now), now.to_do)

                    left = solve_layer(args.plies, state, workers, args.part, show)
            except KeyboardInterrupt:
                message = f"solved positions are stored in {state.name}; repeat the command to resume the build"
                raise KeyboardInterrupt(message) from None
            if left:
                screen.print(
                    f"This part is done. {left:,} positions are in other parts: '{program()} book merge' adds those."
                )
                return 0
            made = {"program": f"maxconnect4 {__version__}", "date": time.strftime("%Y-%m-%d", time.gmtime())}
            values = derive_values(args.plies, state.values(), args.game)
            effort = solve_effort(args.plies, state)
        plies, layer = min(args.plies, LISTED if args.list is None else args.list), None
        if plies < args.plies:
            deepest = {key: value for key, value in values.items() if plies_from_key(key) == args.plies}
            layer = layer_of(args.plies, deepest, args.game)
            values = {key: value for key, value in values.items() if plies_from_key(key) <= plies}
        save_book(args.book, values, plies, made | effort, args.game, layer)
        text = f"{quote_path(args.book)} has all {len(values):,} positions up to {plural(plies, 'ply', 'plies')}"
        screen.print(f"{text}." if layer is None else f"{text}, and {layer.positions:,} after {layer.plies}.")
        return 0


def _workers_from_args(args: Namespace) -> Workers[int, SolvedPosition]:
    if args.scheduler is None:
        return local_solvers(args.processes, args.memory, args.game)
    return cluster_solvers(args.scheduler, args.memory, args.game)


def _check_target(path: str, game: str) -> None:
    """Refuse to overwrite anything but a book of the same game, before hours are spent on it."""
    check_writable(path)
    if not os.path.exists(path):
        return
    with open_regular(path, "book") as file:
        start = file.read(len(TITLE))
    if start not in (b"", TITLE):
        raise BadFile(f"{quote_path(path)} exists and is not a book: use another file with --book")
    try:
        existing = Book(path).game
    except BadFile:  # it is empty or damaged: nothing is lost
        return
    if existing != game:
        raise BadFile(f"{quote_path(path)} exists and is a book of the game {existing}: use another file with --book")


def _build_step(now: LayerProgress) -> str:
    left = ""
    if now.seconds_left is not None:
        left = f" ({now.per_second:.1f}/s, about {duration_text(now.seconds_left)} left)"
    return f"{now.done_before + now.done:,} of {now.positions:,} positions{left}"


def _part(text: str) -> LayerShare:
    number, slash, parts = text.partition("/")
    are_numbers = slash and all(word.isascii() and word.isdigit() and len(word) < 5 for word in (number, parts))
    if are_numbers and 1 <= int(number) <= int(parts):
        return LayerShare(int(number), int(parts))
    raise ValueError(f"{quote(text)} is not a part: use K/N with K from 1 to N, such as 2/4")


class Merge:
    """Add positions of other states, or of books, to a state.

    A state is the SQLite file of 'book build'. Merge the parts that were solved on different machines. The next
    'book build' resumes from there, and writes the book if no position is missing. If two files disagree about a
    position, that is an error, and the state does not change.

    Examples:
      maxconnect4 book merge book.sqlite part2.sqlite part3.sqlite
      maxconnect4 book merge book.sqlite old.book
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("state", help="state to extend; created if it does not exist")
        options.add_game(parser)
        parser.add_argument("others", nargs="+", metavar="FILE", help="state or book with the positions to add")

    def check_arguments(self, args: Namespace) -> None:
        if any(os.path.realpath(other) == os.path.realpath(args.state) for other in args.others):
            raise UsageError(f"{quote_path(args.state)} cannot be merged with itself: choose two different files")

    def run(self, args: Namespace, screen: Screen) -> int:
        solved = [each for other in args.others for each in _solved_in(other, args.game)]
        with STATES[args.game](args.state) as state:
            new = state.add(solved)
        screen.print(f"{new:,} of {plural(len(solved), 'position')} were added to {quote_path(args.state)}.")
        return 0


def _solved_in(path: str, game: str) -> list[SolvedPosition]:
    with open_regular(path, "file") as file:
        is_book = file.read(len(TITLE)) == TITLE
    if is_book:
        return [SolvedPosition(key, value, 0, 0.0) for key, value in Book(path).of_game(game)]
    try:
        with STATES[game](path, read_only=True) as state:
            return list(state.solved())
    except BadFile:  # SQLite repairs the file of a build that was killed, if it may write
        with STATES[game](path) as state:
            return list(state.solved())


class Export:
    """Print a book as text: a line for each position, with its plies, a move string that leads to it, and its value.

    Tabs separate the fields. Positions with fewer plies come first. A position and its mirror image are listed
    once. Values are final margins with perfect play for the side to move or, in the classic game, scores as in
    'analyse'.

    Examples:
      maxconnect4 book export > book.tsv
      maxconnect4 book export --plies 4
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        plies = options.number("a number of plies", 0, 42)
        options.add_number(parser, "--plies", plies, "maximum number of plies (default: all positions)")
        _add_book(parser)

    def run(self, args: Namespace, screen: Screen) -> int:
        book = _book_from_args(args)
        most = book.plies if args.plies is None else args.plies
        entries = sorted((plies, key, value) for key, value in book if (plies := plies_from_key(key)) <= most)
        screen.print("plies\tmoves\tvalue")
        for start in range(0, len(entries), LINES_AT_ONCE):
            part = entries[start : start + LINES_AT_ONCE]
            screen.print("\n".join(f"{plies}\t{moves_from_key(key)}\t{value}" for plies, key, value in part))
            if screen.failure:  # the reader has closed the pipe
                break
        return 0


COMMANDS = {
    "lookup": Lookup(),
    "stats": Stats(),
    "verify": Verify(),
    "build": Build(),
    "merge": Merge(),
    "export": Export(),
}
