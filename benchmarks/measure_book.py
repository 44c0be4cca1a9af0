"""Measure how long the score of every column takes with the book, and write benchmarks/book.json; `make bench-book`.

CPU time with one thread: 2,000 random positions with 0 to 41 plies, a new solver for each; the positions of 200 games
of perfect play against a random and a depth-6 opponent, one solver a game; and random positions of the classic game
with 6 to 14 plies, a new solver for each. So that the games differ, perfect play takes any of the best columns.
"""

from __future__ import annotations

import argparse
import random
import sys
import timeit
from pathlib import Path
from typing import TYPE_CHECKING, Any

from measurement import begin, keep, progress

from maxconnect4 import GREEN, RED, Board, Solver, choose
from maxconnect4.book import Book, shipped_book

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from positions import random_board

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 2026
GIB = 1 << 30


def main() -> None:
    parser = argparse.ArgumentParser(description="measure the solver with its book")
    parser.add_argument("--positions", type=int, default=2000, help="random positions (default: %(default)s)")
    parser.add_argument("--games", type=int, default=200, help="games of perfect play (default: %(default)s)")
    parser.add_argument("--classic", type=int, default=200, help="positions a ply (default: %(default)s)")
    args = parser.parse_args()
    begin()
    book = shipped_book()
    results = {
        "plies": book.plies,
        "made": book.made,
        "lookup": lookup(book),
        "random": spread(random_positions(args.positions)),
        "games": spread(games(args.games)),
        "classic": {plies: spread(classic_positions(plies, args.classic)) for plies in range(6, 15)},
    }
    keep("book", "bench-book", results, sys.argv[1:])


def lookup(book: Book) -> dict[str, float]:
    """Microseconds for looking up a position in the book, and for opening it."""
    board = Board()
    return {
        "value": round(per_run(lambda: book.value(board), 10_000), 1),
        "scores": round(per_run(lambda: book.scores(board), 1000), 1),
        "open": round(per_run(lambda: Book(book.path), 20), 1),
    }


def per_run(what: Any, runs: int) -> float:
    return min(timeit.repeat(what, number=runs, repeat=5)) / runs * 1e6


def random_positions(count: int) -> Iterator[tuple[Board, float]]:
    rng = random.Random(SEED)
    for number in range(count):
        board = random_board(rng, rng.randrange(42))
        progress(f"random position {number + 1} of {count}")
        yield board, Solver(GIB, 1).analyse(board, line=False).cpu_seconds


def classic_positions(plies: int, count: int) -> Iterator[tuple[Board, float]]:
    rng = random.Random(SEED + plies)
    progress(f"{count} classic positions with {plies} plies")
    for _ in range(count):
        board = random_board(rng, plies, "classic")
        yield board, Solver(GIB, 1).analyse(board, line=False).cpu_seconds


def games(count: int) -> Iterator[tuple[Board, float]]:
    """Every position of the games, the opponent's too. Half are against each opponent, and half with each colour."""
    rng = random.Random(SEED)
    for number in range(count):
        progress(f"game {number + 1} of {count}")
        board, solver = Board(), Solver(GIB, 1)
        perfect, searching = (RED, GREEN)[number % 2], number % 4 < 2
        while not board.is_over():
            analysis = solver.analyse(board, line=False)
            assert analysis.best
            yield board, analysis.cpu_seconds
            if board.to_move == perfect:
                board.drop(rng.choice(analysis.best))
            else:
                board.drop(choose(board, 6).column if searching else rng.choice(board.columns()))


def spread(found: Iterator[tuple[Board, float]]) -> dict[str, Any]:
    rows = sorted((seconds, board.pieces(), str(board.moves)) for board, seconds in found)
    return {
        "positions": len(rows),
        "median_seconds": rows[len(rows) // 2][0],
        "p99_seconds": rows[len(rows) * 99 // 100][0],
        "most_seconds": rows[-1][0],
        "most_moves": rows[-1][2],
        "mean_seconds": round(sum(row[0] for row in rows) / len(rows), 6),
    }


if __name__ == "__main__":
    main()
