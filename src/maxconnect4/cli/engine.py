"""UCI and UGI engine for both games, on standard input and output.

The variant `cfour` is the classic game, as in Fairy-Stockfish, and `maxconnect4` is Max-Connect4.
docs/reference/protocols.md documents the commands. The engine exits at the end of the input.

Examples:
  maxconnect4 engine
  maxconnect4 engine --game max
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from ..board import GAMES
from ..engine.session import Session
from ..files import lines_of
from .terminal import Screen

MAX_LINE_BYTES = 1 << 16


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--game",
        choices=GAMES,
        default="classic",
        help="game until a command sets the variant: max or classic (default: classic, which other tools support)",
    )


def run(args: Namespace, screen: Screen) -> int:
    """Run commands until quit or the end of the input."""
    if sys.stdin is not None and sys.stdin.isatty():
        screen.print("info string waiting for commands of UCI or UGI; 'help' lists them, 'quit' ends")
    session = Session(screen.print, args.game)
    try:
        for line in lines_of(sys.stdin.buffer, MAX_LINE_BYTES, "standard input") if sys.stdin is not None else ():
            if not session.handle(line.decode("utf-8", "replace")) or screen.failure:
                break
    finally:
        session.close()
    return 0
