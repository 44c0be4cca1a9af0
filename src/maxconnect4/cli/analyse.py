"""Solve a position: what each column comes to with perfect play, and a best line.

The position is a file, a move string such as 44535, or - for standard input; without one it is the empty board. Margins
are points of the side to move less those of the opponent, when the board is full. A terminal shows meanwhile how the
bounds of each column close in. With --batch, a file with a move string on each line (an empty line is the empty board)
gives a line of JSON for each, in the same order; a line that is no position gives its error, and the exit code 3.

In the classic game there are scores instead of margins: 0 is a draw, 1 a win with the last piece that the side to move
has for a full board, 2 with the one before, and so on, so that more is sooner; -1, -2 and so on are such losses.

Examples:
  maxconnect4 analyse input2.txt
  maxconnect4 analyse 45461667 --size 7x4
  maxconnect4 analyse 4444445632 --game classic
  maxconnect4 analyse 454672752411266535461732 --json
  maxconnect4 analyse --batch positions.txt --value > values.jsonl
"""

from __future__ import annotations

import os
from functools import partial

from ..board import GREEN, NAMES, RED, SIZE, Board
from ..errors import BadFile, BadPosition, reason, shown_path
from ..notation import board_from_moves
from ..outcomes import moves_to_win, ply_of_end, with_perfect_play
from ..reading import lines_of
from . import arguments, solving
from .terminal.display import WORTH, Bar, watched
from .terminal.screen import complain, result, signed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from typing import Any, BinaryIO

    from ..solver import Analysis, Progress, Solver
    from .parsing import Arguments, PlainParser
    from .terminal.screen import Screen

LONGEST_LINE = 1000  # bytes of a line of a batch; a game has 42 moves
BAD_POSITION = 3


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "position", nargs="?", help="a file, a move string, or - for standard input (default: the empty board)"
    )
    parser.add_argument("--json", action="store_true", help="print one line of JSON instead of the board")
    parser.add_argument("--value", action="store_true", help="only the value of the position, which is faster")
    parser.add_argument(
        "--batch", metavar="FILE", help="solve the move string on each line of a file, or - for standard input"
    )
    arguments.add_game(parser)
    solving.add_size(parser)
    solving.add_solver(parser)
    arguments.add_book(parser)


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    if args.position is not None and args.batch is not None:
        return "give a position or --batch, not both"
    return None


def run(args: Arguments, screen: Screen) -> int:
    """Solve one position, or each line of a file."""
    solver = solving.solver_as_told(args)
    size = args.size or SIZE
    if args.batch is not None:
        return _solve_lines(args, size, solver, screen)
    if args.position is None:
        board = Board(args.game, width=size[0], height=size[1])
    else:
        board = arguments.read_position(args.position, args.game, size)
    if not args.json:
        screen.show(board)
    analysis = watched(partial(solver.analyse, only_value=args.value), board)
    if args.json:
        screen.say(_as_json(_facts(board, analysis)))
    else:
        screen.say(_in_words(board, analysis))
    return 0


# What is printed


def _facts(board: Board, analysis: Analysis) -> dict[str, Any]:
    facts = {
        "game": board.game,
        "moves": board.moves,
        "to_move": board.to_move,
        "points": [board.points(RED), board.points(GREEN)],
        "value": analysis.value,
        "scores": analysis.scores,
        "best": analysis.best,
        "line": _line(analysis),
        "nodes": analysis.nodes,
        "cpu_seconds": analysis.cpu_seconds,
        "seconds": analysis.seconds,
        "source": analysis.source,
    }
    if board.game == "classic":
        facts["pieces_at_end"] = ply_of_end(board, analysis.value) or board.width * board.height
    return facts


def _line(analysis: Analysis) -> str | None:
    return None if analysis.line is None else "".join(map(str, analysis.line))


def _as_json(facts: dict[str, Any]) -> str:
    import json

    return json.dumps(facts)


def _in_words(board: Board, analysis: Analysis) -> str:
    if board.is_over():
        return result(board)
    outcome = with_perfect_play(board, analysis.value)
    if board.game == "classic":
        outcome += f": score {signed(analysis.value)}"
    text = f"{NAMES[board.to_move].capitalize()} is to move. With perfect play {outcome}.\n"
    if analysis.scores is not None:
        assert analysis.best
        best = f"Best: column {' or '.join(map(str, analysis.best))}.\nBest line: {_line(analysis)}\n"
        text += f"\n{_table(board, analysis.scores)}\n\n{best}"
    nodes = f"{analysis.nodes:,} node{'s' * (analysis.nodes != 1)}"
    return text + f"CPU time: {analysis.cpu_seconds:.3f} s, {nodes}, from the {analysis.source}."


def _table(board: Board, scores: list[int | None]) -> str:
    rows = [
        ["column", *map(str, board.all_columns())],
        [WORTH[board.game], *("full" if score is None else signed(score) for score in scores)],
        ["result", *("" if score is None else _result(score) for score in scores)],
    ]
    if board.game == "classic" and any(scores):
        rows.append(["in moves", *(str(moves_to_win(board, score)) if score else "" for score in scores)])
    width = max(len(row[0]) for row in rows)
    return "\n".join((f"{row[0]:<{width}}" + "".join(f"{cell:>6}" for cell in row[1:])).rstrip() for row in rows)


def _result(score: int) -> str:
    return "win" if score > 0 else "loss" if score < 0 else "draw"


# Many positions


def _solve_lines(args: Arguments, size: tuple[int, int], solver: Solver, screen: Screen) -> int:
    bad = number = done = 0
    with _opened(args.batch) as file, Bar(_length(file)) as bar:

        def show(_: Progress | None = None) -> None:
            bar.show(done, f"position {number:,}")

        for number, line in enumerate(lines_of(file, LONGEST_LINE, "the batch"), start=1):
            show()
            try:
                board = board_from_moves(line.decode("utf-8-sig", "replace").strip(), args.game, size)
            except BadPosition as error:
                bad += 1
                facts: dict[str, Any] = {"error": str(error), "line_number": number}
            else:
                facts = _facts(board, solver.analyse(board, only_value=args.value, progress=show))
            done += len(line)
            bar.hide()
            screen.say(_as_json(facts))
            if screen.failure:  # nobody is reading
                break
    if bad:
        complain(f"{bad} of {number} lines {'is' if bad == 1 else 'are'} no position")
    return BAD_POSITION if bad else 0


def _opened(path: str) -> BinaryIO:
    name = "standard input" if path == "-" else shown_path(path)
    try:
        return open(0 if path == "-" else path, "rb", closefd=path != "-")
    except FileNotFoundError:
        raise BadFile(f"{name}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise BadFile(f"{name} cannot be read: {reason(error)}") from None


def _length(file: BinaryIO) -> int | None:
    """The bytes of a file; of a pipe nobody knows."""
    return os.fstat(file.fileno()).st_size or None
