"""Solve the empty board of Max-Connect4 in every size, the smallest first, and keep the results in a file.

The file is written whole after each size. A size that is solved there is not solved again, so Ctrl-C does no harm and
the next run goes on. Sizes are columns x rows, at least 4x4, with columns x (rows + 1) at most 64. Values are final
margins with perfect play in the view of the player who moves first. For 7x6 the scores of the first moves are
kept, too.

Examples:
  maxconnect4 solve-sizes --cells 25
  maxconnect4 solve-sizes --sizes 4x4,7x6 --memory 2G
  maxconnect4 solve-sizes --limit 600 --results results.json --plot map.svg
"""

from __future__ import annotations

from ..outcomes import signed
from ..saving import check_writable
from ..sizes.file import read_results, save_results
from ..sizes.solving import every_size, solved
from ..solver import Solver
from . import solving
from .arguments import add_number, number, seconds_from
from .output import Output, add_plot, clash, kind_of_picture, plot_contradiction
from .terminal.display import BoundsDisplay
from .terminal.screen import in_terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from typing import Any

    from ..sizes.solving import Size
    from .parsing import Arguments, PlainParser
    from .terminal.screen import Screen

SMALLEST, LARGEST = 16, 60  # cells
ROW = "{:>6}{:>7}{:>7}{:>18}{:>12}"


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "--results",
        default="solved.json",
        metavar="FILE",
        help="where the results are, and go (default: solved.json)",
    )
    parser.add_argument("--sizes", type=_sizes, metavar="CxR,...", help="only these sizes, such as 4x4,7x6")
    add_number(
        parser, "--cells", number("a number of cells", SMALLEST, LARGEST), "only boards of so many cells at the most"
    )
    parser.add_argument(
        "--limit",
        type=seconds_from,
        metavar="SECONDS",
        help="leave a size after so long (wall clock) and note it as unfinished; the next run tries it again",
    )
    add_plot(parser, "a map of the values by columns and rows")
    solving.add_solver(parser)


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    return plot_contradiction(args) or clash([args.results, args.plot])


def run(args: Arguments, screen: Screen) -> int:
    """Solve what is not solved yet, and print the table as it grows."""
    check_writable(args.results)
    if args.plot is not None:
        check_writable(args.plot)
    results = read_results(args.results)
    solver = Solver(args.memory, args.threads, book=False)
    screen.say(ROW.format("size", "cells", "value", "nodes", "CPU s"))
    for size in _chosen(args):
        name = "{}x{}".format(*size)
        if not results.get(name, {}).get("solved"):
            with BoundsDisplay() as display:
                results[name] = solved(size, solver, args.limit, display.show if in_terminal() else None)
            save_results(args.results, results)
        screen.say(_row(name, size, results[name]))
    if args.plot is not None:
        from ..sizes.drawing import map_of_sizes

        Output(screen, []).put(args.plot, map_of_sizes(results, kind_of_picture(args.plot)))
    return 0


def _chosen(args: Arguments) -> list[Size]:
    return [
        (columns, rows)
        for columns, rows in every_size()
        if (args.sizes is None or (columns, rows) in args.sizes)
        and (args.cells is None or columns * rows <= args.cells)
    ]


def _row(name: str, size: Size, facts: dict[str, Any]) -> str:
    cells = size[0] * size[1]
    if not facts["solved"]:
        return ROW.format(name, cells, "?", "unfinished", "").rstrip()
    return ROW.format(name, cells, signed(facts["value"]), f"{facts['nodes']:,}", f"{facts['cpu_seconds']:.2f}")


def _sizes(text: str) -> list[Size]:
    return [solving.size(word) for word in text.split(",")]
