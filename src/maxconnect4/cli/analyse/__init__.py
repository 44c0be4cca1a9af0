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

from functools import partial

from ...amounts import how_many
from ...board import SIZE
from ...outcomes import best_in_words
from .. import arguments, solving
from ..terminal.display import watched
from ..terminal.screen import result
from ..terminal.worth import columns_text, value_in_words
from .facts import facts_of, line_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ...board import Board
    from ...solver import Analysis
    from ..parsing import Arguments, PlainParser
    from ..terminal.screen import Screen


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    arguments.add_position(parser)
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
        from .batch import solve_lines

        return solve_lines(args, size, solver, screen)
    board = arguments.position_as_told(args, size)
    if not args.json:
        screen.show(board)
    analysis = watched(partial(solver.analyse, only_value=args.value), board)
    if args.json:
        import json

        screen.say(json.dumps(facts_of(board, analysis)))
    else:
        screen.say(_in_words(board, analysis))
    return 0


def _in_words(board: Board, analysis: Analysis) -> str:
    if board.is_over():
        return result(board)
    text = value_in_words(board, analysis.value) + "\n"
    if analysis.scores is not None:
        assert analysis.best
        best = best_in_words(board, analysis.best)
        text += f"\n{columns_text(board, analysis.scores)}\n\n{best}\nBest line: {line_of(analysis)}\n"
    nodes = how_many(analysis.nodes, "node")
    return text + f"CPU time: {analysis.cpu_seconds:.3f} s, {nodes}, from the {analysis.source}."
