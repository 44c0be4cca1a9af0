"""Make one move: read a position, choose a column for the player to move, and write the position after it.

The input is a position file, a move string such as 44535, or - for standard input; a file that does not exist means the
empty board. The output is a file, which is written completely or not at all and can be the input file, or - for
standard output (the board is then printed on standard error).

Examples:
  maxconnect4 one-move input1.txt output.txt 8
  maxconnect4 one-move input1.txt input1.txt perfect
  maxconnect4 one-move 44535 output.txt --time 2 --json
  maxconnect4 one-move - - 8 < input1.txt
"""

from __future__ import annotations

import sys

from ..board import GREEN, RED, result_text
from ..files import check_writable
from ..formatting import JSON_VERSION
from ..position_file import board_as_text, write_board
from . import UsageError, options
from .terminal import Screen, choice_text, play_move

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from ..board import Board
    from ..search import Choice
    from .options import Parser

CHOICE_KEYS = ("value", "depth", "exact", "nodes", "cpu_seconds", "scores", "source")  # of a choice in JSON


def add_arguments(parser: Parser) -> None:
    parser.add_argument("input_file", help="position: a file, a move string, or - for standard input")
    parser.add_argument("output_file", help="file for the position after the move, or - for standard output")
    options.add_computer(parser)
    options.add_json(parser)
    parser.add_argument(
        "--strict",
        action="store_true",
        help="refuse an input file that does not exist, instead of starting from the empty board",
    )
    parser.add_argument(
        "--stats", action="store_true", help="print nodes and CPU time as a line of JSON on standard error"
    )


def check_arguments(args: Namespace) -> None:
    if args.json and args.output_file == "-":
        raise UsageError("--json and the output file - both use standard output: choose one of them")
    options.check_computer(args)


def run(args: Namespace, screen: Screen) -> int:
    """Read the position, choose a move, write the position after it."""
    to_stdout = args.output_file == "-"
    messages = Screen(None) if args.json else Screen(sys.stderr) if to_stdout else screen
    read = options.read_position if args.strict else options.read_position_or_start
    board = read(args.input_file, args.game)
    messages.print_board(board)
    choice = None
    if not board.is_over():
        if not to_stdout:
            check_writable(args.output_file)
        choice = options.player_from_args(args).choose(board, scores=args.json)
        messages.print(play_move(board, choice.column) + "\n")
        messages.print_board(board)
    if board.is_over():
        messages.print(result_text(board))
    if choice is not None:
        if to_stdout:
            screen.print(board_as_text(board), end="")
        else:
            write_board(board, args.output_file)
        messages.print(choice_text(choice))
        if args.stats:
            Screen(sys.stderr).print(stats_json(choice))
    if args.json:
        screen.print_json(move_dict(board, choice))
    return 0


def _classic_values(board: Board, choice: Choice) -> dict[str, Any]:
    """The exact value and scores as the solver counts; a score that the search has not proved is None."""
    from ..search import classic_score

    assert choice.value is not None
    to_the_end = choice.depth > board.width * board.height - board.pieces()  # the move is on the board
    scores = [
        None if score is None else classic_score(board, score) or (score if to_the_end else None)
        for score in choice.scores or []
    ]
    return {"value": classic_score(board, choice.value) or choice.value, "scores": scores}


def stats_json(choice: Choice) -> str:
    """Nodes and CPU time of a search as one line of JSON, without the start-up time of the json module."""
    return (
        f'{{"version": {JSON_VERSION}, "source": "{choice.source}", "depth": {choice.depth}, '
        f'"nodes": {choice.nodes}, "cpu_seconds": {choice.cpu_seconds:.6f}}}'
    )


def move_dict(board: Board, choice: Choice | None) -> dict[str, Any]:
    """A move and the board after it as JSON; without a move if the game was over."""
    values = {key: getattr(choice, key, None) for key in CHOICE_KEYS}
    if choice is not None and choice.exact and board.game == "classic":
        values |= _classic_values(board, choice)
    return {
        "game": board.game,
        "move": choice and choice.column,
        **values,
        "to_move": board.to_move,
        "over": board.is_over(),
        "points": [board.points(RED), board.points(GREEN)],
    }
