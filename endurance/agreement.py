"""A million random positions on which both implementations of the rules agree, and all bounds with the value.

They come from random games of both kinds on the two sizes that the search knows. In each position `board.py` and the
core say the same of the columns that take a piece, of the ways to play two plies on, of the points of both players and
of the end of the game. What the solver knows without a search fits together: no bound from below is above one from
above, in the position or in its mirror image, and when few cells are empty, the value that a search finds lies between
them. `build/verify bounds` and `classic-bounds` then compare every bound with brute force, in a million positions each
on boards of twenty sizes.

The first difference is printed, and the exit status is 1. It takes about 10 minutes of one processor, and brute force
half an hour:
    python endurance/agreement.py
    python endurance/agreement.py --count 10000 --seed 7
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from record import record

from maxconnect4 import GREEN, RED, Board, evaluate, perft
from maxconnect4.board import GAMES
from maxconnect4.search import CoreSolver, as_bits

ROOT = Path(__file__).parent.parent
SIZES = [(7, 6), (7, 6), (7, 6), (6, 5)]
TABLE = 1 << 20  # bytes
FEW = 14  # empty cells, that is: a search takes next to nothing


def games(rng: random.Random) -> Iterator[Board]:
    """Every position of random games, one game after another, the same board again and again."""
    while True:
        width, height = rng.choice(SIZES)
        board = Board(rng.choice(GAMES), width=width, height=height)
        yield board
        while not board.is_over():
            board.drop(rng.choice(board.columns()))
            yield board


def mirrored(board: Board) -> Board:
    return Board.from_rows([row[::-1] for row in board.rows()], board.game)


def check_rules(board: Board) -> None:
    """That the core counts drops, games and points as the plain rules do."""
    columns = board.columns()
    assert perft(board, 1) == len(columns), "columns"
    two_plies = 0
    for column in columns:
        board.drop(column)
        two_plies += len(board.columns())
        board.undo()
    assert perft(board, 2) == two_plies, "ways to play two plies on"
    red, green = board.points(RED), board.points(GREEN)
    assert evaluate(board, "margin", RED) == red - green == -evaluate(board, "margin", GREEN), "margin"
    # Each has the own points and the table, which is the same number for both but for its sign.
    assert evaluate(board, "table", RED) + evaluate(board, "table", GREEN) == red + green, "points"


def check_bounds(board: Board, solver: CoreSolver) -> bool:
    """That the bounds fit together, with the value if it is soon found: whether it was."""
    lower, upper = [], []
    for each in (board, mirrored(board)):  # which is worth the same, though its bounds may be others
        known = solver.bounds(as_bits(each, RED), as_bits(each, GREEN))
        lower += [known.at_least, known.running_up]
        upper += [known.at_most, known.follow_up, known.start, known.every_move]
    least = max((bound for bound in lower if bound is not None), default=None)
    most = min((bound for bound in upper if bound is not None), default=None)
    assert least is None or most is None or least <= most, f"at least {least}, at most {most}"
    empty = board.width * board.height - board.pieces()
    if empty > FEW:
        return False
    value = solver.analyse(as_bits(board, RED), as_bits(board, GREEN), "value", None).value
    if board.game == "max":  # what the player who does not make the last move gains from here on
        value = (value - board.margin(board.to_move)) * (-1 if empty % 2 else 1)
    assert least is None or least <= value, f"at least {least}, and the value is {value}"
    assert most is None or value <= most, f"at most {most}, and the value is {value}"
    return True


def agree(count: int, seed: int) -> int:
    """Try `count` positions, and return the number with a known value."""
    rng = random.Random(seed)
    solvers: dict[tuple[str, int, int], CoreSolver] = {}
    valued = 0
    for number, board in zip(range(count), games(rng), strict=False):
        kind = board.game, board.width, board.height
        if kind not in solvers:
            solvers[kind] = CoreSolver(board.width, board.height, board.game == "classic", TABLE, 1)
        try:
            check_rules(board)
            if not board.is_over():
                valued += check_bounds(board, solvers[kind])
        except AssertionError as difference:
            raise SystemExit(f"position {number}, {board!r}, {board.width}x{board.height}: {difference}") from None
    return valued


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000_000, help="positions of each kind (default: 1,000,000)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    valued = agree(args.count, args.seed)
    print(f"{args.count:,} positions: both rules and all bounds agree, in {valued:,} also with the value", flush=True)
    facts = {"positions": args.count, "with_value": valued}
    for kind in ("bounds", "classic-bounds"):
        subprocess.run([ROOT / "build" / "verify", kind, str(args.count), str(args.seed)], check=True)
        facts[kind] = args.count
    record(__file__, facts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
