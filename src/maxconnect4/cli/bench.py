"""Search a fixed list of positions and print the number of nodes: a signature of the search.

It is the same on every run and on every machine, and changes when the search does. The speed is printed beside it.

Examples:
  maxconnect4 bench
"""

from __future__ import annotations

from ..board import GAMES
from ..notation import board_from_moves
from ..search import EVALUATIONS, choose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from .parsing import Arguments, PlainParser
    from .terminal.screen import Screen

POSITIONS = (
    "",
    "4",
    "44535",
    "444444",
    "5363767665",
    "174726121347",
    "24515216243277",
    "4277125542217127",
    "227233256622735414",
)
PLIES = 10


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """The command takes no arguments."""


def contradiction(args: Arguments) -> str | None:
    """Nothing can be wrong."""
    return None


def run(args: Arguments, screen: Screen) -> int:
    """Search each position with each evaluation, in both games."""
    total_nodes, total_seconds = 0, 0.0
    for game in GAMES:
        for evaluation in EVALUATIONS:
            nodes, seconds = 0, 0.0
            for moves in POSITIONS:
                choice = choose(board_from_moves(moves, game), PLIES, evaluation=evaluation)
                nodes += choice.nodes
                seconds += choice.cpu_seconds
            screen.say(f"{game:8} {evaluation:9} {nodes:>12,} nodes {nodes / max(seconds, 1e-9) / 1e6:>7.1f} million/s")
            total_nodes += nodes
            total_seconds += seconds
    screen.say(f"CPU time {total_seconds:.2f} s")
    screen.say(f"Bench: {total_nodes}")
    return 0
