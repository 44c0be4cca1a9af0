"""Make one move: read a position, choose a column for the player to move, and write the position after it.

The input is a position file, a move string such as 44535, or - for standard input. The output is a file, which is
written whole or not at all and may be the input file, or - for standard output (the board then goes to standard error).

Examples:
  maxconnect4 one-move input1.txt output.txt 8
  maxconnect4 one-move input1.txt input1.txt perfect
  maxconnect4 one-move 44535 output.txt --time 2 --json
  maxconnect4 one-move - - 8 < input1.txt
"""

from __future__ import annotations

import sys

from ..board import GREEN, RED
from ..files import board_as_text, write_board
from ..saving import check_writable
from . import arguments
from .terminal.screen import Screen, choice_in_words, drop_in_words, result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..board import Board
    from ..search import Choice
    from .parsing import Arguments, PlainParser

FOUND = ("value", "depth", "exact", "nodes", "cpu_seconds", "scores", "source")  # what JSON says of a choice


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("input_file", help="the position: a file, a move string, or - for standard input")
    parser.add_argument("output_file", help="where the position after the move goes: a file, or - for standard output")
    arguments.add_computer(parser)
    parser.add_argument("--json", action="store_true", help="print one line of JSON instead of the board")


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    if args.json and args.output_file == "-":
        return "--json and the output - both want standard output: choose one"
    return arguments.contradiction(args)


def run(args: Arguments, screen: Screen) -> int:
    """Read, choose, drop, write."""
    to_stdout = args.output_file == "-"
    talk = Screen(None) if args.json else Screen(sys.stderr) if to_stdout else screen
    board = arguments.read_position(args.input_file, args.game)
    talk.show(board)
    if board.is_over():
        talk.say(result(board))
        if args.json:
            screen.say(_as_json(board, None))
        return 0
    if not to_stdout:
        check_writable(args.output_file)
    choice = arguments.computer_as_told(args).choose(board, scores=args.json)
    talk.say(drop_in_words(board, choice.column) + "\n")
    talk.show(board)
    if board.is_over():
        talk.say(result(board))
    if to_stdout:
        screen.say(board_as_text(board), end="")
    else:
        write_board(board, args.output_file)
    talk.say(choice_in_words(choice))
    if args.json:
        screen.say(_as_json(board, choice))
    return 0


def _as_json(board: Board, choice: Choice | None) -> str:
    import json

    found = {name: getattr(choice, name, None) for name in FOUND}
    points = [board.points(RED), board.points(GREEN)]
    return json.dumps({"move": choice and choice.column, **found, "points": points, "over": board.is_over()})
