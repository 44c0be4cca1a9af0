"""What is in an opening book: its positions by plies and by result, and how it was made.

Values are final margins with perfect play in the view of the side to move, in the classic game scores as 'analyse' has
them. Mirror images are counted once.

Examples:
  maxconnect4 book stats
  maxconnect4 book stats --book my.book --json
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict

from ...errors import shown
from ...keys import plies_of
from ...outcomes import signed
from .arguments import add_book, book_as_told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ...book import Book
    from ..parsing import Arguments, PlainParser
    from ..terminal.screen import Screen

ROW = "{:>5}{:>12}{:>10}{:>10}{:>10}{:>10}{:>10}"


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--json", action="store_true", help="print one line of JSON instead of the table")
    add_book(parser)


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    return None


def run(args: Arguments, screen: Screen) -> int:
    """Count."""
    book = book_as_told(args)
    size = os.path.getsize(book.path)
    layers = _layers(book)
    if args.json:
        import json

        facts = {"game": book.game, "plies": book.plies, "positions": len(book), "bytes": size, "made": book.made}
        screen.say(json.dumps(facts | {"values": {n: dict(sorted(layer.items())) for n, layer in layers.items()}}))
        return 0
    screen.say(ROW.format("plies", "positions", "wins", "draws", "losses", "least", "most"))
    for plies, values in sorted(layers.items()):
        wins = sum(count for value, count in values.items() if value > 0)
        losses = sum(count for value, count in values.items() if value < 0)
        counts = f"{values.total():,}", f"{wins:,}", f"{values[0]:,}", f"{losses:,}"
        screen.say(ROW.format(plies, *counts, signed(min(values)), signed(max(values))))
    screen.say(f"\n{len(book):,} positions up to {book.plies} plies in {size:,} bytes.")
    for name, fact in book.made.items():
        screen.say(f"{shown(name.replace('_', ' '))[1:-1]}: {_fact(fact)}")
    return 0


def _fact(fact: object) -> str:
    return f"{fact:,}" if isinstance(fact, int | float) else shown(str(fact))[1:-1]


def _layers(book: Book) -> dict[int, Counter[int]]:
    """How often each value comes up, by plies."""
    layers: dict[int, Counter[int]] = defaultdict(Counter)
    for key, value in book:
        layers[plies_of(key)][value] += 1
    return layers
