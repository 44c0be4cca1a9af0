"""Speak UCI or UGI on standard input and output, as an engine for other people's programs: both games.

The variant `cfour` is the classic game, as Fairy-Stockfish knows it, and `maxconnect4` ours; docs/protocols.md tells
all about it. The end of the input ends the program.

Examples:
  maxconnect4 engine
  maxconnect4 engine --game max
"""

from __future__ import annotations

import sys

from ..board import GAMES
from ..reading import lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from .parsing import Arguments, PlainParser
    from .terminal.screen import Screen

LONGEST_LINE = 1 << 16


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "--game",
        choices=GAMES,
        default="classic",
        help="the game until the tool names a variant: classic (the default), which tools know, or max",
    )


def contradiction(args: Arguments) -> str | None:
    """Nothing can be wrong."""
    return None


def run(args: Arguments, screen: Screen) -> int:
    """Listen until told to quit."""
    from ..engine.session import Session

    if sys.stdin is not None and sys.stdin.isatty():
        screen.say("info string waiting for commands of UCI or UGI; 'help' lists them, 'quit' ends")
    session = Session(screen.say, args.game)
    try:
        for line in lines_of(sys.stdin.buffer, LONGEST_LINE, "standard input") if sys.stdin is not None else ():
            if not session.obey(line.decode("utf-8", "replace")) or screen.failure:
                break
    finally:
        session.close()
    return 0
