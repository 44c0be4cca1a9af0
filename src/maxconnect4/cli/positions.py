"""Make a set of positions with the exact score of every column, on which 'maxconnect4 measure' shows how strong players
are: a file with a position on each line, as its moves, with the final margin after a drop into each column. A file that
ends in .parquet or .npz is a data set to learn from: it has the boards as arrays, too.

The positions come from games of random drops, spread evenly over the plies. No two are the same, or mirror images, and
where all columns are worth the same, so that any move is a best one, they are left out, unless you want --all. The same
plies, count and seed give the same file; a smaller count gives the beginning of it. Early positions take the longest:
some tenths of a second each from 8 to 11 plies, and hardly anything from 20 on. After Ctrl-C the same command goes on
with what is solved, which is kept beside the file until then.

Examples:
  maxconnect4 positions --plies 8-30 --count 500 --seed 1 -o middle.tsv
  maxconnect4 positions --plies 12 --count 20
  maxconnect4 positions --plies 24-36 --count 1000 --seed 2026 --memory 256M --threads 2 -o late.tsv
  maxconnect4 positions --game classic --all --count 10000 -o classic.parquet
  maxconnect4 measure depth:4 depth:8 --positions middle.tsv
"""

from __future__ import annotations

import os
from contextlib import suppress

from ..amounts import how_many, is_number
from ..errors import NotEnough, shown, shown_path
from ..measuring.positions.data_set import as_data_set, check_can_be_made, is_data_set
from ..measuring.positions.making import LAST, MOST, MOST_SEEDS, Recipe, make, workers_here
from ..measuring.positions.set_file import as_text
from ..measuring.positions.unfinished import Remembering, Unfinished, beside
from ..saving import check_writable, save_whole
from . import arguments, solving
from .output import STANDARD_OUTPUT
from .terminal.display import Bar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable

    from ..measuring.positions.set_file import Scores
    from ..work.tasks import Workers
    from .parsing import Arguments, PlainParser
    from .terminal.screen import Screen


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "--plies",
        type=_plies,
        default=(8, 30),
        metavar="N-M",
        help=f"how many pieces are on the board, such as 8-30 or 12, {LAST} at the most (default: 8-30)",
    )
    arguments.add_number(
        parser, "--count", arguments.number("a number of positions", 1, MOST), "how many positions (default: 500)", 500
    )
    arguments.add_number(
        parser, "--seed", arguments.number("a seed", 0, MOST_SEEDS - 1), "which random games (default: 1)", 1
    )
    arguments.add_game(parser)
    parser.add_argument("--all", action="store_true", help="keep those where all columns are worth the same, too")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="where the set goes, whole or not at all (default: standard output)"
    )
    solving.add_solver(parser)


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    return None


def run(args: Arguments, screen: Screen) -> int:
    """Make the set, and write it."""
    earliest, latest = args.plies
    recipe = Recipe(earliest, latest, args.count, args.seed, args.game, args.all)
    to_file = args.output not in (None, STANDARD_OUTPUT)
    if to_file:
        check_can_be_made(args.output)
        check_writable(args.output)
    with Bar(recipe.count) as bar:

        def progress(there_are: int) -> None:
            bar.show(there_are, f"{there_are:,} of {recipe.count:,} positions")

        progress(0)
        workers = workers_here(args.threads, args.memory, args.game)
        kept = beside(args.output) if to_file else None
        made = make(recipe, workers, progress) if kept is None else _kept(kept, recipe, workers, progress)
    if to_file:
        is_data = is_data_set(args.output)
        save_whole(args.output, as_data_set(args.output, recipe, made) if is_data else _as_text(recipe, made).encode())
        screen.say(f"{shown_path(args.output)} has {how_many(recipe.count, 'position')} {recipe.plies_in_words}.")
        if kept is not None:
            os.unlink(kept)
    else:
        screen.say(_as_text(recipe, made), end="")
    return 0


def _kept(path: str, recipe: Recipe, workers: Workers, progress: Callable[[int], None]) -> list[tuple[str, Scores]]:
    """The positions, if Ctrl-C does not come before; what is solved then is kept."""
    with Unfinished(path) as file:
        try:
            return make(recipe, Remembering(workers, file, recipe.game), progress)
        except KeyboardInterrupt:
            if not len(file):
                raise
            raise KeyboardInterrupt(f"what is solved is kept in {file.name}, and the same command goes on") from None
        except NotEnough:
            os.unlink(path)
            raise
        finally:
            if not len(file):
                with suppress(FileNotFoundError):
                    os.unlink(path)


def _as_text(recipe: Recipe, made: list[tuple[str, Scores]]) -> str:
    return as_text(recipe.comments(), made, recipe.game)


# The arguments


def _plies(text: str) -> tuple[int, int]:
    earliest, dash, latest = text.partition("-")
    latest = latest if dash else earliest
    if is_number(earliest) and is_number(latest) and int(earliest) <= int(latest) <= LAST:
        return int(earliest), int(latest)
    raise arguments.refusal(f"{shown(text)} is not a number of plies from 0 to {LAST}, or two such as 8-30")
