"""Fit the weights of the evaluation `best` to exact values, and write core/best_weights.hpp.

    python benchmarks/tune_best.py make 20000 > positions.tsv     positions with exact values, from random play
    python benchmarks/tune_best.py fit positions.tsv ...          least squares through the bend at the bound

Each line of a positions file is a move string, a tab, and the final margin of perfect play for the side to move.
The fit needs numpy, which nothing else here does.
"""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

from maxconnect4 import Board, board_from_moves, choose
from maxconnect4.board import opponent

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))  # the plain statement of `best` lives with the tests

from plain_best import BEND, WEIGHTS_FILE, bound, features, last_player

FEWEST_PLIES, MOST_PLIES = 22, 36  # earlier positions take this program long to solve, later ones have little to tell
RIDGE = 3.0
STEPS = 12


def make(count: int, seed: int = 1) -> None:
    """Print `count` positions, half from random games and half from games with some shallow searches."""
    rng = random.Random(seed)
    for number in range(count):
        board = Board()
        for _ in range(rng.randrange(FEWEST_PLIES, MOST_PLIES + 1)):
            sensible = number % 2 and rng.random() < 0.5
            board.drop(choose(board, 2).column if sensible else rng.choice(board.columns()))
        print(board.moves, choose(board, 42).value, sep="\t", flush=True)


def fit(paths: list[str]) -> None:
    """Gauss-Newton steps on the squared error of bend(features x weights, bound) against the future margin."""
    import numpy as np

    rows, targets, limits = [], [], []
    for path in paths:
        for line in Path(path).read_text().splitlines():
            moves, value = line.split("\t")[:2]
            if not moves.isdigit():
                continue
            board = board_from_moves(moves)
            first = opponent(last_player(board))
            limit = bound(board)
            rows.append(list(features(board).values()))
            targets.append(int(value) * (1 if board.to_move == first else -1) - board.margin(first))
            limits.append(1000 if limit is None else limit)
    x, y, high = np.array(rows, float), np.array(targets, float), np.array(limits, float)
    width = BEND / 100
    keep = RIDGE * np.eye(x.shape[1])
    weights = np.linalg.solve(x.T @ x + keep, x.T @ y)
    for _ in range(STEPS):
        straight = x @ weights
        above = straight - high
        bent = np.where(
            above >= width, high, np.where(above <= -width, straight, high - (width - above) ** 2 / (4 * width))
        )
        slope = np.clip((width - above) / (2 * width), 0, 1)
        steep = x * slope[:, None]
        weights = np.linalg.solve(steep.T @ steep + keep, steep.T @ (y - bent + slope * straight))
    print(f"{len(y):,} positions, root mean square error {np.sqrt(((y - bent) ** 2).mean()):.3f} points")
    write([round(100 * weight) for weight in weights])


def write(weights: list[int]) -> None:
    """Put the numbers in the place of those that are there, in the same order."""
    head, mark, numbers = WEIGHTS_FILE.read_text().partition("best_weights =")
    fresh = iter(weights)
    body, _, tail = numbers.partition(";")
    WEIGHTS_FILE.write_text(head + mark + re.sub(r"-?\d+", lambda _: str(next(fresh)), body) + ";" + tail)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["make", count]:
            make(int(count))
        case ["fit", *paths] if paths:
            fit(paths)
        case _:
            sys.exit(__doc__)
