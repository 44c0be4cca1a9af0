"""Play a tournament that a TOML file describes: its players, its format, its rules.

Formats are round-robin, gauntlet, swiss and knock-out; in each encounter every opening is played with both colours.
docs/tournaments.md has an example for a whole class. Each game is kept as it ends, in FILE with .sqlite at its end. The
tournament can be stopped at any moment: the same command goes on from there, and plays no game twice.

Examples:
  maxconnect4 tournament class.toml
  maxconnect4 tournament class.toml --processes 4 --review
  maxconnect4 tournament class.toml --openings random:plies=6,count=5 --seed 7 --results again.sqlite
  maxconnect4 tournament class.toml --scheduler tcp://192.168.1.10:8786
"""

from __future__ import annotations

import os
from dataclasses import replace

from ..referee.tournament_file import OPENINGS, read_tournament
from . import programs, refereeing, workers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from .parsing import Arguments, PlainParser
    from .terminal.screen import Screen


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("file", help="the tournament: a TOML file")
    refereeing.add_games(
        parser, f"those of the file, or {OPENINGS}", "that of the file, or max", "that of the file, or 1"
    )
    parser.add_argument(
        "--results", metavar="FILE", help="where the games are kept (default: beside the file, .sqlite)"
    )
    programs.add_isolation(parser)
    refereeing.add_running(parser)


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    return workers.contradiction(args)


def run(args: Arguments, screen: Screen) -> int:
    """Read the file and play."""
    tournament = read_tournament(args.file, args.openings, args.seed, refereeing.adjudicate_at(args), args.game)
    entrants = (replace(each, limits=replace(each.limits, isolation=args.isolation)) for each in tournament.entrants)
    tournament = replace(tournament, entrants=tuple(entrants))
    return refereeing.run(tournament, args.results or f"{os.path.splitext(args.file)[0]}.sqlite", args, screen)
