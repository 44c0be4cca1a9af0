"""Play against the computer in the terminal.

The position after each move of the computer is kept in computer.txt, after each of yours in human.txt. The input is a
position file, a move string such as 44535, or - for standard input; a file that does not exist means the empty board.
Whoever is next takes the side to move. Without a position the game is a new one. At your turn type a column, or help.

Examples:
  maxconnect4 interactive                              a new game, you first
  maxconnect4 interactive computer-next                a new game, the computer first
  maxconnect4 interactive input1.txt computer-next 8   go on from a file, the computer looks 8 plies ahead
  maxconnect4 interactive 44535 human-next --time 2    go on after these moves, two seconds for each move
  maxconnect4 interactive --level 3                    against somebody who overlooks things
  maxconnect4 interactive --game classic               the first four wins; you are O and move first
"""

from __future__ import annotations

import os
import sys

from ...errors import did_you_mean, shown
from .. import arguments
from ..terminal.keyboard import Keyboard
from .game import Game
from .starting import starting_board

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..parsing import Arguments, PlainParser
    from ..terminal.screen import Screen

NEXT = {"computer-next": True, "computer-first": True, "human-next": False, "human-first": False}


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("input_file", nargs="?", help="the position to start from (default: the empty board)")
    parser.add_argument(
        "next",
        nargs="?",
        type=_next_or_depth,
        metavar="computer-next|human-next",
        help="who makes the next move (default: human-next)",
    )
    arguments.add_computer(parser)
    parser.add_argument(
        "--save-in", metavar="FOLDER", default="", help="where computer.txt and human.txt go (default: here)"
    )


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    message = _put_in_place(args)
    if message is not None:
        return message
    if args.save_in and not os.path.isdir(args.save_in):
        return f"--save-in: there is no folder {shown(args.save_in)}"
    return arguments.contradiction(args)


def run(args: Arguments, screen: Screen) -> int:
    """Set the game up and play it."""
    keyboard = Keyboard(sys.stdin, screen)
    board = starting_board(args, keyboard)
    return Game(board, args, NEXT[args.next], keyboard, screen).play()


def _put_in_place(args: Arguments) -> str | None:
    """The position, and who is next, can be left out: the words after them then stand one place too early."""
    words = [args.input_file, args.next, args.depth]
    if args.input_file in NEXT and not os.path.exists(args.input_file):
        words.insert(0, None)
    if words[1] is not None and words[1] not in NEXT:
        words.insert(1, None)
    position, who, depth, *left = words
    if depth in NEXT or any(word is not None for word in left):
        return "give the position first, then computer-next or human-next, then the depth"
    vars(args).update(input_file=position, next=who or "human-next", depth=depth)
    return None


def _next_or_depth(text: str) -> str | int:
    if text in NEXT:
        return text
    if arguments.is_depth(text):
        return arguments.depth_from(text)
    advice = did_you_mean(text, NEXT) or "computer-next or human-next, before the depth"
    raise arguments.refusal(f"{shown(text)} does not say who is next: {advice}")
