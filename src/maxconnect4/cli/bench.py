"""Search a fixed list of positions and print the number of nodes: a signature of the search.

The number is the same on every run and every machine, and changes only if the search changes. The speed is also
printed.

Examples:
  maxconnect4 bench
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ..board import GAMES
from ..notation import board_from_moves
from ..search import EVALUATIONS, choose
from .terminal import Screen

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


def add_arguments(parser: ArgumentParser) -> None:
    """No arguments."""


def run(args: Namespace, screen: Screen) -> int:
    """Search each position with each evaluation, in both games."""
    total_nodes, total_seconds = 0, 0.0
    for game in GAMES:
        for evaluation in EVALUATIONS:
            nodes, seconds = 0, 0.0
            for moves in POSITIONS:
                choice = choose(board_from_moves(moves, game), PLIES, evaluation=evaluation)
                nodes += choice.nodes
                seconds += choice.cpu_seconds
            screen.print(
                f"{game:8} {evaluation:9} {nodes:>12,} nodes {nodes / max(seconds, 1e-9) / 1e6:>7.1f} million/s"
            )
            total_nodes += nodes
            total_seconds += seconds
    screen.print(f"CPU time {total_seconds:.2f} s")
    screen.print(f"Bench: {total_nodes}")
    return 0
