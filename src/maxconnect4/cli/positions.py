"""Generate positions with the exact score of every column, for the regret that 'maxconnect4 measure' reports.

The output is a text file with a position on each line: its moves, its value, and the final margin after a move in each
column. A file that ends in .parquet or .npz is a data set, which also contains the boards as arrays.

The positions come from games of random moves, spread evenly over the plies, without duplicates and mirror images.
Positions in which all columns have the same score are omitted, unless --all is set. The same plies, count and seed give
the same file, and a smaller count gives the beginning of that file. Early positions take longest. The same command
resumes after Ctrl-C: solved positions are stored next to the file until it is complete.

Examples:
  maxconnect4 positions --plies 8-30 --count 500 --seed 1 -o middle.tsv
  maxconnect4 positions --plies 12 --count 20
  maxconnect4 positions --plies 24-36 --count 1000 --seed 2026 --memory 256M --threads 2 -o late.tsv
  maxconnect4 positions --game classic --all --count 10000 -o classic.parquet
  maxconnect4 measure depth:4 depth:8 --positions middle.tsv
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import suppress

from ..benchmark.datasets import (
    LAST_PLY,
    MAX_POSITIONS,
    MAX_SEEDS,
    CachingWorkers,
    Recipe,
    Solution,
    SolvedPositions,
    build_positions,
    check_dataset_support,
    format_dataset,
    is_dataset,
    resume_path,
    solver_workers,
)
from ..benchmark.positions import Scores, format_position_set
from ..errors import NotEnoughPositions, quote, quote_path
from ..files import check_writable, write_atomic
from ..formatting import is_number, plural
from ..workers import Workers
from . import options
from .output import STANDARD_OUTPUT
from .progress import ProgressBar
from .terminal import Screen


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--plies",
        type=_plies,
        default=(8, 30),
        metavar="N-M",
        help=f"range of the number of pieces on the board, such as 8-30 or 12, up to {LAST_PLY} (default: 8-30)",
    )
    options.add_number(
        parser,
        "--count",
        options.number("a number of positions", 1, MAX_POSITIONS),
        "number of positions (default: 500)",
        500,
    )
    options.add_number(parser, "--seed", options.number("a seed", 0, MAX_SEEDS - 1), "random seed (default: 1)", 1)
    options.add_game(parser)
    parser.add_argument(
        "--all", action="store_true", help="also include positions in which all columns have the same score"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="file to write, atomically (default: standard output)")
    options.add_solver(parser)


def run(args: Namespace, screen: Screen) -> int:
    earliest, latest = args.plies
    recipe = Recipe(earliest, latest, args.count, args.seed, args.game, args.all)
    to_file = args.output not in (None, STANDARD_OUTPUT)
    if to_file:
        check_dataset_support(args.output)
        check_writable(args.output)
    with ProgressBar(recipe.count) as bar:

        def progress(found: int) -> None:
            bar.update(found, f"{found:,} of {recipe.count:,} positions")

        progress(0)
        workers = solver_workers(args.threads, args.memory, args.game)
        state = resume_path(args.output) if to_file else None
        if state is None:
            entries = build_positions(recipe, workers, progress)
        else:
            entries = _build_resumable(state, recipe, workers, progress)
    if to_file:
        is_data = is_dataset(args.output)
        write_atomic(
            args.output, format_dataset(args.output, recipe, entries) if is_data else _as_text(recipe, entries).encode()
        )
        screen.print(f"{quote_path(args.output)} has {plural(recipe.count, 'position')} {recipe.plies_phrase}.")
        if state is not None:
            os.unlink(state)
    else:
        screen.print(_as_text(recipe, entries), end="")
    return 0


def _build_resumable(
    path: str, recipe: Recipe, workers: Workers[str, Scores], progress: Callable[[int], None]
) -> list[Solution]:
    """Build the positions; what is solved when the user presses Ctrl-C is kept in a file."""
    with SolvedPositions(path) as file:
        try:
            return build_positions(recipe, CachingWorkers(workers, file, recipe.game), progress)
        except KeyboardInterrupt:
            if not len(file):
                raise
            raise KeyboardInterrupt(f"solved positions are in {file.name}; repeat the command to resume") from None
        except NotEnoughPositions:
            os.unlink(path)
            raise
        finally:
            if not len(file):
                with suppress(FileNotFoundError):
                    os.unlink(path)


def _as_text(recipe: Recipe, entries: list[Solution]) -> str:
    return format_position_set(recipe.comments(), entries, recipe.game)


# The arguments


def _plies(text: str) -> tuple[int, int]:
    earliest, dash, latest = text.partition("-")
    latest = latest if dash else earliest
    if is_number(earliest) and is_number(latest) and int(earliest) <= int(latest) <= LAST_PLY:
        return int(earliest), int(latest)
    raise ValueError(f"{quote(text)} is not a range of plies: use one such as 8-30 or 12, from 0 to {LAST_PLY}")
