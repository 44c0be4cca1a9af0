"""Generate puzzles: positions in which only one column is best, or check those of a file.

The file has a puzzle on each line: its game, its moves, the best column, the values of the best and the second best
column, a plausible wrong column, and the depth in plies at which that column turns out to be wrong. Each game gets
--count puzzles, equally many of each grade. The same seed gives the same puzzles. If the file exists, the command adds
what is missing, so that it resumes after Ctrl-C. The puzzles of this package were generated with --count 320.

Examples:
  maxconnect4 puzzles more.tsv --count 100 --seed 7
  maxconnect4 puzzles more.tsv --verify
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from ..board import GAMES
from ..errors import BadFile, NoSuchFile, error_reason, quote_path
from ..files import check_writable, write_atomic
from ..formatting import plural
from ..puzzles import Collection, make_puzzle, parse_puzzles
from ..solver import Solver
from . import FAILURE, UsageError, options
from .progress import ProgressBar
from .terminal import Screen

SAVE_EVERY = 20  # puzzles


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="file of puzzles to write or to extend, atomically")
    options.add_number(
        parser, "--count", options.number("a number of puzzles", 1, 10_000), "puzzles of each game (default: 100)", 100
    )
    options.add_number(parser, "--seed", options.number("a seed", 0, 1_000_000), "random seed (default: 1)", None)
    parser.add_argument("--verify", action="store_true", help="only check the puzzles of the file with the solver")
    options.add_solver(parser)


def run(args: Namespace, screen: Screen) -> int:
    collection = _read(args.file)
    solver = Solver(args.memory, args.threads)
    if args.verify:
        if collection is None:
            raise NoSuchFile(f"{quote_path(args.file)}: there is no such file")
        wrong = [
            each for game in GAMES for each in collection.puzzles[game] if make_puzzle(each.board(), solver) != each
        ]
        for each in wrong:
            screen.print(f"wrong: {each.game} {each.moves}")
        screen.print(f"{plural(len(collection), 'puzzle')}, {len(wrong)} wrong.")
        return FAILURE if wrong else 0
    if collection is None:
        collection = Collection(1 if args.seed is None else args.seed)
    elif args.seed not in (None, collection.seed):
        raise UsageError(f"{quote_path(args.file)} has seed {collection.seed}: use that seed, or another file")
    check_writable(args.file)
    try:
        _extend(collection, args, solver)
    finally:
        write_atomic(args.file, collection.text().encode())
    screen.print(f"{quote_path(args.file)} has {plural(len(collection), 'puzzle')}.")
    return 0


def _extend(collection: Collection, args: Namespace, solver: Solver) -> None:
    with ProgressBar(len(GAMES) * args.count) as bar:
        for game in GAMES:
            for _ in collection.extend(game, args.count, solver):
                bar.update(len(collection), f"{len(collection):,} of {len(GAMES) * args.count:,} puzzles")
                if len(collection) % SAVE_EVERY == 0:
                    write_atomic(args.file, collection.text().encode())


def _read(path: str) -> Collection | None:
    if not os.path.exists(path):
        return None
    try:
        with open(path, encoding="ascii") as file:
            return parse_puzzles(file.read(), quote_path(path))
    except (OSError, UnicodeDecodeError) as error:
        if isinstance(error, BadFile):
            raise
        raise BadFile(f"{quote_path(path)} cannot be read: {error_reason(error)}") from None
