"""Checking a book: that it is whole, that its values fit together, and that a sample is what the solver says."""

from __future__ import annotations

import random

from ..keys import best_of, board_of, layers, moves_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..book import Book
    from ..solver import Solver


def faults_within(book: Book) -> list[str]:
    """What is wrong with a book by itself: positions that lack, or values that are not the best of what follows."""
    values: dict[int, int] = {}
    every: list[list[int]] = []
    for layer in layers(book.plies, book.game):
        found = {key: value for key in layer if (value := book.value_of(key)) is not None}
        if len(found) < len(layer):
            return [f"{moves_of(key)!r} is missing" for key in layer if key not in found]
        values |= found
        every.append(layer)
    if len(book) != len(values):
        return [f"it has {len(book):,} entries for {len(values):,} positions"]
    faults = []
    for plies, layer in enumerate(every[:-1]):
        for key in layer:
            best = best_of(key, plies, values, book.game)
            if best != values[key]:
                faults.append(f"{moves_of(key)!r} has the value {values[key]}, but the best drop leads to {best}")
    return faults


def faults_in_sample(
    book: Book, count: int, seed: int, solver: Solver, progress: Callable[[int], None] | None = None
) -> list[str]:
    """Solve a random sample again, without a book, and say which values differ. `progress` gets the number done."""
    faults = []
    entries = list(book)
    for done, (key, value) in enumerate(random.Random(seed).sample(entries, min(count, len(entries)))):

        def report(_: object = None, done: int = done) -> None:
            if progress is not None:
                progress(done)

        report()
        found = solver.analyse(board_of(key, book.game), only_value=True, progress=report).value
        if found != value:
            faults.append(f"{moves_of(key)!r} has the value {value}, but the solver finds {found}")
    return faults
