"""Solve the empty board of Max-Connect4 in every size, the smallest first, and keep the results in a file.

The file is written whole after each size. A size that is solved there is not solved again, so Ctrl-C does no harm and
the next run goes on. Sizes are columns x rows, at least 4x4, with columns x (rows + 1) at most 64. Values are final
margins with perfect play in the view of the player who moves first. For 7x6 the scores of the first moves are
kept, too.

Examples:
  maxconnect4 solve-sizes --cells 25
  maxconnect4 solve-sizes --sizes 4x4,7x6 --memory 2G
  maxconnect4 solve-sizes --limit 600 --file results.json --plot map.svg
"""

from __future__ import annotations

from ..amounts import is_number
from ..board import Board
from ..errors import BadFile, reason, shown_path
from ..saving import check_writable, save_whole
from ..solver import Solver
from . import solving
from .arguments import refusal, seconds_from
from .terminal.display import BoundsDisplay, in_terminal
from .terminal.screen import signed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from typing import Any

    from ..solver import Progress
    from .parsing import Arguments, PlainParser
    from .terminal.screen import Screen

    Size = tuple[int, int]
    Results = dict[str, dict[str, Any]]

WITH_SCORES = (7, 6)
SMALLEST = 16  # cells
ROW = "{:>6}{:>7}{:>7}{:>18}{:>12}"


class TimeIsUp(Exception):
    """A size has had all the time that it may have."""


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--file", default="solved.json", help="where the results are, and go (default: solved.json)")
    parser.add_argument("--sizes", type=_sizes, metavar="CxR,...", help="only these sizes, such as 4x4,7x6")
    parser.add_argument("--cells", type=_cells, metavar="N", help="only boards of so many cells at the most")
    parser.add_argument(
        "--limit",
        type=seconds_from,
        metavar="SECONDS",
        help="leave a size after so long (wall clock) and note it as unfinished; the next run tries it again",
    )
    solving.add_plot(parser, "a map of the values by columns and rows")
    solving.add_solver(parser)


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    return solving.plot_contradiction(args)


def run(args: Arguments, screen: Screen) -> int:
    """Solve what is not solved yet, and print the table as it grows."""
    check_writable(args.file)
    if args.plot is not None:
        check_writable(args.plot)
    results = _read(args.file)
    solver = Solver(args.memory, args.threads, book=False)
    screen.say(ROW.format("size", "cells", "value", "nodes", "CPU s"))
    for size in _chosen(args):
        name = "{}x{}".format(*size)
        if not results.get(name, {}).get("solved"):
            results[name] = _solved(size, solver, args.limit)
            save_whole(args.file, _as_text(results))
        screen.say(_row(name, size, results[name]))
    if args.plot is not None:
        from .plot import map_of_sizes

        save_whole(args.plot, map_of_sizes(results, args.plot[-3:].lower()))
    return 0


def every_size() -> list[Size]:
    """All sizes that can be solved, those with the fewest cells first."""
    sizes = [
        (columns, rows) for columns in range(4, 13) for rows in range(4, 16) if solving.can_be_solved(columns, rows)
    ]
    return sorted(sizes, key=lambda size: (size[0] * size[1], size))


def _chosen(args: Arguments) -> list[Size]:
    return [
        (columns, rows)
        for columns, rows in every_size()
        if (args.sizes is None or (columns, rows) in args.sizes)
        and (args.cells is None or columns * rows <= args.cells)
    ]


def _solved(size: Size, solver: Solver, limit: float | None) -> dict[str, Any]:
    """What is found out about a size; `solved` says whether the time was enough."""
    facts: dict[str, Any] = {"columns": size[0], "rows": size[1], "solved": False}
    board = Board(width=size[0], height=size[1])
    shown = in_terminal()
    with BoundsDisplay() as display:

        def progress(now: Progress) -> None:
            if shown:
                display.show(now)
            if limit is not None and now.seconds > limit:
                raise TimeIsUp

        try:
            analysis = solver.analyse(board, only_value=size != WITH_SCORES, progress=progress)
        except TimeIsUp:
            return {**facts, "seconds": limit}
    facts |= {"solved": True, "value": analysis.value}
    if analysis.scores is not None:
        facts["scores"] = analysis.scores
    return facts | {name: getattr(analysis, name) for name in ("nodes", "cpu_seconds", "seconds")}


def _row(name: str, size: Size, facts: dict[str, Any]) -> str:
    cells = size[0] * size[1]
    if not facts["solved"]:
        return ROW.format(name, cells, "?", "unfinished", "").rstrip()
    return ROW.format(name, cells, signed(facts["value"]), f"{facts['nodes']:,}", f"{facts['cpu_seconds']:.2f}")


# The file


def _as_text(results: Results) -> bytes:
    import json

    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(facts)}" for name, facts in results.items())
    return f"{{\n{lines}\n}}\n".encode()


def _read(path: str) -> Results:
    import json

    name = shown_path(path)
    try:
        with open(path, "rb") as file:
            results = json.load(file)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadFile(f"{name} cannot be read: {reason(error)}") from None
    except (ValueError, RecursionError):
        results = None
    if not isinstance(results, dict) or not all(_is_result(*item) for item in results.items()):
        raise BadFile(f"{name} is there already and does not hold results of solve-sizes: name another with --file")
    return results


def _is_result(name: str, facts: object) -> bool:
    if not isinstance(facts, dict) or name != f"{facts.get('columns')}x{facts.get('rows')}":
        return False
    if facts.get("solved") is False:
        return "value" not in facts
    numbers = [facts.get(key) for key in ("nodes", "cpu_seconds")]
    return isinstance(facts.get("value"), int) and all(isinstance(n, int | float) and 0 <= n < 1e15 for n in numbers)


# The arguments


def _sizes(text: str) -> list[Size]:
    return [solving.size(word) for word in text.split(",")]


def _cells(text: str) -> int:
    if not is_number(text) or int(text) < SMALLEST:
        raise refusal(f"{text[:40]!a} is not a number of cells, from {SMALLEST} up")
    return int(text)
