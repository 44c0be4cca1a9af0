"""States of builds of opening books that are nearly complete, as a whole build takes hours."""

from __future__ import annotations

import random
from collections.abc import Collection
from functools import cache
from pathlib import Path

from maxconnect4.book import shipped_book
from maxconnect4.book_builder import STATES, SolvedPosition
from maxconnect4.position_keys import plies_from_key

PLIES = shipped_book().plies


class UnfinishedBook:
    """A shipped book, some positions of whose deepest layer are not solved yet."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.book = shipped_book(game)
        self.plies = self.book.plies
        self.deepest = {key: value for key, value in self.book if plies_from_key(key) == self.plies}
        self.command = ("book", "build", "--game", game, "--plies", str(self.plies))

    def store(self, path: Path, missing: Collection[int]) -> None:
        """Make a state that has all positions of the deepest layer but these."""
        with STATES[self.game](str(path)) as state:
            state.add(SolvedPosition(key, value, 1, 0.001) for key, value in self.deepest.items() if key not in missing)

    def sample(self, count: int, seed: int) -> list[int]:
        return random.Random(seed).sample(sorted(self.deepest), count)


@cache
def unfinished_book(game: str) -> UnfinishedBook:
    return UnfinishedBook(game)


def quick_positions() -> list[int]:
    """Positions of the classic book that are solved in milliseconds, as their games end soon."""
    return sorted(key for key, value in unfinished_book("classic").deepest.items() if abs(value) > 8)


def middling_positions() -> list[int]:
    """Positions of the classic book that are solved in some tenths of a second."""
    return sorted(key for key, value in unfinished_book("classic").deepest.items() if 6 <= abs(value) <= 7)


def slow_positions() -> list[int]:
    """Positions of the classic book that together take minutes. The others come before them in a build."""
    deepest = unfinished_book("classic").deepest
    return [key for key in sorted(deepest)[-300:] if deepest[key] == 0]


def nearly_done(path: Path, missing: int, seed: int = 1) -> list[int]:
    """Make a state of Max-Connect4 that lacks a few positions of the deepest layer, chosen at random: these."""
    keys = unfinished_book("max").sample(missing, seed)
    unfinished_book("max").store(path, keys)
    return keys
