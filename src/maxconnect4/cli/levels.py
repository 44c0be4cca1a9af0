"""The computer's levels: their style of play and their measured strength.

Examples:
  maxconnect4 levels
  maxconnect4 levels --game classic
  maxconnect4 interactive --level 3     play against one of them
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from ..levels import LEVELS
from . import options
from .terminal import Screen, wrap


def add_arguments(parser: ArgumentParser) -> None:
    options.add_game(parser)
    options.add_json(parser, "list")


def run(args: Namespace, screen: Screen) -> int:
    levels = LEVELS[args.game]
    if args.json:
        described = [{"name": each.name, "description": each.description, **asdict(each.strength)} for each in levels]
        screen.print_json({"game": args.game, "levels": described})
        return 0
    for level in levels:
        screen.print(f"{level.number}  {level.name}")
        screen.print(wrap(f"{level.description} {level.strength}", "   "))
    return 0
