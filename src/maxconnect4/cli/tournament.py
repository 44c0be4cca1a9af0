"""Play a tournament from a TOML file with its players, format and rules.

The formats are round-robin, gauntlet, swiss and knock-out. Each pairing plays every opening twice, with colours
swapped. docs/reference/tournament-file.md has an example for a whole class. Each game is stored in the results file
when it ends. You can stop the tournament at any moment: the same command resumes it, and plays no game twice.

The same command also plays the games of a new player, and repeats those of a player whose program or settings have
changed. It prints these changes. Other games are kept.

Examples:
  maxconnect4 tournament class.toml
  maxconnect4 tournament class.toml --processes 4 --review
  maxconnect4 tournament class.toml --openings random:plies=6,count=5 --seed 7 --results again.sqlite
  maxconnect4 tournament class.toml --scheduler tcp://192.168.1.10:8786
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from ..referee.config import OPENINGS, read_tournament
from . import games, options
from .terminal import Screen


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", help="TOML file of the tournament")
    games.add_games(parser, f"those of the file, or {OPENINGS}", "that of the file, or max", "that of the file, or 1")
    parser.add_argument(
        "--results", metavar="FILE", help="results file (default: next to FILE, with the ending .sqlite)"
    )
    options.add_isolation(parser)
    games.add_running(parser)


def check_arguments(args: Namespace) -> None:
    options.check_workers(args)


def run(args: Namespace, screen: Screen) -> int:
    tournament = read_tournament(args.file, args.openings, args.seed, games.adjudicate_at(args), args.game)
    tournament = games.with_isolation(tournament, args.isolation)
    return games.play_tournament(tournament, args.results or f"{os.path.splitext(args.file)[0]}.sqlite", args, screen)
