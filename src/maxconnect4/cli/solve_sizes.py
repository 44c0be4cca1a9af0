"""Solve the empty board of Max-Connect4 for every size, the smallest first, and store the results in a file.

The file is updated after each size. Sizes that it already contains are skipped, so the next run resumes after Ctrl-C.
Sizes are columns x rows, at least 4x4, with columns x (rows + 1) at most 64. Values are final margins with perfect play
from the point of view of the player who moves first. For 7x6 the scores of the first moves are also stored.

Examples:
  maxconnect4 solve-sizes --cells 25
  maxconnect4 solve-sizes --sizes 4x4,7x6 --memory 2G
  maxconnect4 solve-sizes --limit 600 --results results.json --plot map.svg
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from ..board_sizes import Size, read_results, save_results, size_map, solvable_sizes, solve_size
from ..files import check_writable
from ..formatting import parse_seconds
from ..scores import format_signed
from ..solver import Solver
from . import options
from .options import add_number, number
from .output import Output, add_plot, check_distinct, check_plot, plot_format
from .progress import SolverDisplay
from .terminal import Screen

SMALLEST, LARGEST = 16, 60  # cells
ROW = "{:>6}{:>7}{:>7}{:>18}{:>12}"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--results", default="solved.json", metavar="FILE", help="results file (default: solved.json)")
    parser.add_argument("--sizes", type=_sizes, metavar="CxR,...", help="only these sizes, such as 4x4,7x6")
    add_number(parser, "--cells", number("a number of cells", SMALLEST, LARGEST), "largest number of cells of a board")
    parser.add_argument(
        "--limit",
        type=parse_seconds,
        metavar="SECONDS",
        help="wall-clock time limit of a size; the next run tries an unfinished size again",
    )
    add_plot(parser, "a map of the values by columns and rows")
    options.add_solver(parser)


def check_arguments(args: Namespace) -> None:
    check_plot(args)
    check_distinct([args.results, args.plot])


def run(args: Namespace, screen: Screen) -> int:
    """Solve the sizes that are missing, and print a row for each."""
    check_writable(args.results)
    if args.plot is not None:
        check_writable(args.plot)
    results = read_results(args.results)
    solver = Solver(args.memory, args.threads, book=False)
    screen.print(ROW.format("size", "cells", "value", "nodes", "CPU s"))
    for size in _sizes_from_args(args):
        name = "{}x{}".format(*size)
        if not results.get(name, {}).get("solved"):
            with SolverDisplay(of=f"{name}: ") as display:
                results[name] = solve_size(size, solver, args.limit, display.update)
            save_results(args.results, results)
        screen.print(_row(name, size, results[name]))
    if args.plot is not None:
        Output(screen, []).write(args.plot, size_map(results, plot_format(args.plot)))
    return 0


def _sizes_from_args(args: Namespace) -> list[Size]:
    return [
        (columns, rows)
        for columns, rows in solvable_sizes()
        if (args.sizes is None or (columns, rows) in args.sizes)
        and (args.cells is None or columns * rows <= args.cells)
    ]


def _row(name: str, size: Size, result: dict[str, Any]) -> str:
    cells = size[0] * size[1]
    if not result["solved"]:
        return ROW.format(name, cells, "?", "unfinished", "").rstrip()
    return ROW.format(
        name, cells, format_signed(result["value"]), f"{result['nodes']:,}", f"{result['cpu_seconds']:.2f}"
    )


def _sizes(text: str) -> list[Size]:
    return [options.size_from(word) for word in text.split(",")]
