"""Positions for the tests: random ones, and those with exact values."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterable
from pathlib import Path

from hypothesis import strategies as st

from maxconnect4 import GREEN, RED, Board
from maxconnect4.benchmark.datasets import solve_scores
from maxconnect4.benchmark.positions import EXACT, Scores
from maxconnect4.workers import Done, Task


def exact_positions() -> list[tuple[str, int, list[int | None]]]:
    """Positions with the final margin of perfect play: moves, value, and the score of each column."""
    rows = (line.split("\t") for line in Path(EXACT).read_text().splitlines() if line[0].isdigit())
    return [(moves, int(value), [None if s == "." else int(s) for s in scores]) for moves, value, *scores in rows]


def known_counts() -> list[int]:
    """How many different positions of Max-Connect4 there are after 0 plies, after 1, and so on."""
    lines = (Path(__file__).parent / "data" / "max_counts.tsv").read_text().splitlines()
    counts = next(line.split("\t")[3] for line in lines if line.startswith("7\t6\t"))
    return [int(count) for count in counts.split(",")]


def drawn(position: str, game: str = "max") -> Board:
    """The board that a drawing shows, top row first."""
    return Board.from_rows([[int(cell) for cell in row] for row in position.split()], game)


def random_board(rng: random.Random, plies: int, game: str = "max", width: int = 7, height: int = 6) -> Board:
    """A board after so many random drops, on which the game goes on."""
    while True:
        board = Board(width=width, height=height)
        while board.pieces() < plies and not board.is_full():
            board.drop(rng.choice(board.columns()))
        if board.is_full():
            continue
        if game == "max":
            return board
        if not board.fours(RED) and not board.fours(GREEN):  # nor was there one before: a four stays on the board
            classic = Board(game, width=width, height=height)
            for column in board.drops:
                classic.drop(column)
            return classic


def full_board(rng: random.Random) -> Board:
    """The end of a random game of Max-Connect4."""
    board = random_board(rng, 41)
    board.drop(*board.columns())
    return board


def digits(board: Board) -> str:
    """The cells as links and the interface have them: row by row, the top row first."""
    return "".join(str(cell) for row in board.rows() for cell in row)


def mirror_image(board: Board) -> Board:
    return Board.from_rows([row[::-1] for row in board.rows()], board.game)


class WorkersInProcess:
    """Workers of a set of positions that start no process."""

    def __init__(self, game: str = "max") -> None:
        self.game = game

    def run(self, tasks: Iterable[Task[str]]) -> Generator[list[Done[str, Scores]]]:
        for task in tasks:
            yield [Done(moves, solve_scores(moves, 16 << 20, self.game)) for moves in task.items]


@st.composite
def boards(draw: st.DrawFn, game: str = "max", width: int = 7, height: int = 6) -> Board:
    board = Board(game, width=width, height=height)
    for choice in draw(st.lists(st.integers(0, width - 1), max_size=width * height)):
        columns = board.columns()
        if columns:
            board.drop(columns[choice % len(columns)])
    return board


#: Columns filled one after the other: a draw, 12 to 12.
FULL = "".join(column * 6 for column in "1234567")
#: A late position of the classic game, in which red loses with green's last piece but two.
CLASSIC_LATE = "641253234346172544314226"
#: A position file, as the assignment writes one.
SAMPLE = """\
0000000
0000000
0200000
0100002
0200111
1100222
1
"""
# Red is to move, and makes a four by a drop into column 4.
UPRIGHT = """
0000000
0000000
0000000
0001000
2001000
2201000"""
LEVEL = """
0000000
0000000
0000000
0000000
0000002
1110022"""
SLANTING = """
0000000
0000000
0000000
0012000
0122000
1211002"""
