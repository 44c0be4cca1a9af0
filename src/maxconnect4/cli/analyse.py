"""Exact value of every column of a position, and the principal variation.

The position is a file, a move string such as 44535, or - for standard input; the default is the empty board. A margin
is the points of the side to move minus those of the opponent when the board is full. While the solver works, a terminal
shows the bounds of every column.

In the classic game, the values are scores: 0 is a draw, 1 is a win with the last piece that the side to move can play,
2 a win with the piece before it, and so on, so a higher score is an earlier win. Negative scores are losses.

With --batch, each line of a file is a move string; an empty line is the empty board. For each line, a line of JSON is
printed, in the same order. A line that is not a position produces an error, and the exit status is 3.

Examples:
  maxconnect4 analyse input2.txt
  maxconnect4 analyse 45461667 --size 7x4
  maxconnect4 analyse 4444445632 --game classic
  maxconnect4 analyse 454672752411266535461732 --json
  maxconnect4 analyse 4453 --reasons
  maxconnect4 analyse --batch positions.txt --value > values.jsonl
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from functools import partial
from typing import Any, BinaryIO

import msgspec

from ..board import GREEN, RED, SIZE, Board, result_text
from ..errors import BadFile, BadPosition, error_reason, quote_path
from ..files import lines_of
from ..formatting import plural
from ..notation import board_from_moves
from ..reasons import Reason, find_reason, reason_text
from ..scores import format_best_columns, format_scores, format_value, ply_of_end
from ..solver import Analysis, Progress, Solver
from . import BAD_POSITION, UsageError, options
from .progress import ProgressBar, solve_with_progress
from .terminal import Screen, print_error, wrap

MAX_LINE_BYTES = 1000  # bytes of a line of a batch; a game has 42 moves


def add_arguments(parser: ArgumentParser) -> None:
    options.add_position(parser)
    options.add_json(parser)
    parser.add_argument("--value", action="store_true", help="compute only the value of the position, which is faster")
    parser.add_argument(
        "--reasons", action="store_true", help="also print why each column is a mistake, or what it achieves"
    )
    parser.add_argument(
        "--batch", metavar="FILE", help="solve the move string on each line of a file, or - for standard input"
    )
    options.add_game(parser)
    options.add_size(parser)
    options.add_solver(parser)
    options.add_book(parser)


def check_arguments(args: Namespace) -> None:
    if args.position is not None and args.batch is not None:
        raise UsageError("give a position or --batch, not both")
    if args.reasons and (args.value or args.batch is not None):
        raise UsageError("--reasons needs the values of the columns of one position: leave out --value and --batch")


def run(args: Namespace, screen: Screen) -> int:
    solver = options.solver_from_args(args)
    size = args.size or SIZE
    if args.batch is not None:
        return _solve_batch(args, size, solver, screen)
    board = options.position_from_args(args, size)
    if not args.json:
        screen.print_board(board)
    analysis = solve_with_progress(partial(solver.analyse, only_value=args.value), board)
    result = analysis_dict(board, analysis)
    reasons: list[Reason | None] = []
    if args.reasons:
        open_columns, best = board.columns(), analysis.best or []
        reasons = [find_reason(board, x, best, solver) if x in open_columns else None for x in board.all_columns()]
        result["reasons"] = msgspec.to_builtins(reasons)
    if args.json:
        screen.print_json(result)
    else:
        screen.print(_analysis_text(board, analysis))
        columns: dict[str, list[str]] = {}
        for reason in filter(None, reasons):
            columns.setdefault(reason_text(reason), []).append(str(reason.column))
        for text, numbers in columns.items():
            screen.print(wrap(f"{', '.join(numbers)}: {text}"))
    return 0


def analysis_dict(board: Board, analysis: Analysis) -> dict[str, Any]:
    """A position and its analysis as JSON."""
    result = {
        "game": board.game,
        "size": [board.width, board.height],
        "moves": board.moves,
        "to_move": board.to_move,
        "over": board.is_over(),
        "points": [board.points(RED), board.points(GREEN)],
        "value": analysis.value,
        "scores": analysis.scores,
        "best": analysis.best,
        "pv": _pv(analysis),
        "nodes": analysis.nodes,
        "cpu_seconds": analysis.cpu_seconds,
        "seconds": analysis.seconds,
        "source": analysis.source,
    }
    if board.game == "classic":
        result["pieces_at_end"] = ply_of_end(board, analysis.value) or board.width * board.height
    return result


def _pv(analysis: Analysis) -> str | None:
    return None if analysis.line is None else "".join(map(str, analysis.line))


def _analysis_text(board: Board, analysis: Analysis) -> str:
    if board.is_over():
        return result_text(board)
    text = format_value(board, analysis.value) + "\n"
    if analysis.scores is not None:
        assert analysis.best
        best = format_best_columns(board, analysis.best)
        text += f"\n{format_scores(board, analysis.scores)}\n\n{best}\nBest line: {_pv(analysis)}\n"
    nodes = plural(analysis.nodes, "node")
    return text + f"CPU time: {analysis.cpu_seconds:.3f} s, {nodes}, from the {analysis.source}."


def _solve_batch(args: Namespace, size: tuple[int, int], solver: Solver, screen: Screen) -> int:
    bad = number = done = 0
    with _opened(args.batch) as file, ProgressBar(os.fstat(file.fileno()).st_size or None) as bar:

        def update(_: Progress | None = None) -> None:
            bar.update(done, f"position {number:,}")

        for number, line in enumerate(lines_of(file, MAX_LINE_BYTES, _file_name(args.batch)), start=1):
            update()
            try:
                board = board_from_moves(line.decode("utf-8-sig", "replace").strip(), args.game, size)
            except BadPosition as error:
                bad += 1
                result: dict[str, Any] = {"error": str(error), "line_number": number}
            else:
                result = analysis_dict(board, solver.analyse(board, only_value=args.value, progress=update))
            done += len(line)
            bar.hide()
            screen.print_json(result)
            if screen.failure:  # the reader has closed the pipe
                break
    if bad:
        what = "is not a position" if bad == 1 else "are not positions"
        print_error(f"{bad} of {plural(number, 'line')} {what}: their JSON has the error and the line_number")
    return BAD_POSITION if bad else 0


def _opened(path: str) -> BinaryIO:
    name = _file_name(path)
    try:
        return open(0 if path == "-" else path, "rb", closefd=path != "-")
    except FileNotFoundError:
        raise BadFile(f"{name}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise BadFile(f"{name} cannot be read: {error_reason(error)}") from None


def _file_name(path: str) -> str:
    return "standard input" if path == "-" else quote_path(path)
