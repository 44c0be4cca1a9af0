"""What the solver knows without a search: true, and as sharp as ever."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from plain_minimax import cells_left, minimax
from positions import random_board

from maxconnect4 import GREEN, RED, Solver, board_from_moves
from maxconnect4.board import opponent
from maxconnect4.search import CoreSolver, as_bits

DATA = Path(__file__).parent / "data"
SIZES = [(7, 6), (6, 5), (4, 4), (12, 4), (5, 7), (8, 6), (4, 9), (5, 11)]
MEMORY = 8 << 20  # enough for any of these sizes


def lines_of(name: str) -> Iterator[list[str]]:
    for line in (DATA / name).read_text().splitlines():
        yield line.split("\t")


def number(text: str) -> int | None:
    return None if text == "-" else int(text)


def bits_of(columns: str, height: int, player: str) -> int:
    """The pieces of a player as the core takes them, from columns such as "1221 - 2"."""
    return sum(
        1 << column * (height + 1) + row
        for column, pieces in enumerate(columns.split())
        for row, piece in enumerate(pieces)
        if piece == player
    )


@given(st.sampled_from(SIZES), st.integers(0, 2**32))
def test_no_bound_is_ever_broken(size: tuple[int, int], seed: int) -> None:
    rng = random.Random(seed)
    width, height = size
    board = random_board(rng, width * height - rng.randint(1, 7), width=width, height=height)
    bounds = CoreSolver(*size, False, MEMORY, 1).bounds(as_bits(board, RED), as_bits(board, GREEN))
    # What the player who does not make the last move gains from here to the end.
    player = board.to_move if cells_left(board) % 2 == 0 else opponent(board.to_move)
    gain = minimax(board, 99, "margin", player) - board.margin(player)
    assert bounds.follow_up is not None
    assert bounds.follow_up >= gain
    assert bounds.start is None or bounds.start >= gain
    assert bounds.every_move is None or bounds.every_move >= gain
    assert bounds.running_up is None or bounds.running_up <= gain


def test_several_running_columns_do_not_end_the_game_of_singles_and_runs() -> None:
    """Green is to move and will gain 3 points on red; if the game ended there, red would seem to lose only 2."""
    columns = "11122 12112211 11122111 222 222"
    red, green = bits_of(columns, 8, "1"), bits_of(columns, 8, "2")
    bounds = CoreSolver(5, 8, False, MEMORY, 1).bounds(red, green)
    assert bounds.running_up is not None
    assert bounds.running_up <= -3  # by brute force


def test_bounds_are_as_sharp_as_ever() -> None:
    """`build/verify list-bounds 440 1` and `classic-list-bounds 440 1` write bounds.tsv, anew if a bound gets better.

    more_bounds.tsv has positions that tell mutants of the bounds from them, such as those with an empty first column.
    """
    solvers: dict[tuple[str, str], CoreSolver] = {}
    for game, size, columns, value, *known in (*lines_of("bounds.tsv"), *lines_of("more_bounds.tsv")):
        width, height = (int(length) for length in size.split("x"))
        if (game, size) not in solvers:
            solvers[game, size] = CoreSolver(width, height, game == "classic", MEMORY, 1)
        found = solvers[game, size].bounds(bits_of(columns, height, "1"), bits_of(columns, height, "2"))
        at_least = [found.at_least, found.running_up]
        at_most = [found.at_most, found.follow_up, found.start, found.every_move]
        assert at_least + at_most == [number(text) for text in known], (game, size, columns)
        assert all(bound is None or bound <= int(value) for bound in at_least), (game, size, columns)
        assert all(bound is None or bound >= int(value) for bound in at_most), (game, size, columns)


def test_the_solver_takes_as_many_nodes_as_ever() -> None:
    """A signature, as `bench` has one of the search: whoever makes the solver better writes the numbers anew."""
    for game, moves, value, nodes in lines_of("solver_nodes.tsv"):
        found = Solver(1 << 20, threads=1, book=False).analyse(board_from_moves(moves, game), only_value=True)
        assert (found.value, found.nodes) == (int(value), int(nodes)), (game, moves)
