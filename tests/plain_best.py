"""A plain implementation of the evaluation `best`, from its definition in docs/explanation/evaluations.md.

L is the player who makes the last move of the game, O the other one. The cells of a column are, from the top, upper,
lower, upper, ...; an upper cell that can be played at once is a single. Windows are classed by the letters of their
empty cells: L lower, U upper, S single.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from maxconnect4 import GREEN, RED, Board
from maxconnect4.board import EMPTY, opponent

WEIGHTS_FILE = Path(__file__).parent.parent / "core" / "best_weights.hpp"
BEND = 100
CLASSES = [
    *("O to move, one " + kind for kind in ("single", "playable lower", "higher lower", "upper")),
    *("L to move, one " + kind for kind in ("single", "playable lower", "higher lower", "upper")),
    *["LL", "LU", "LS", "UU", "US", "SS", "LLL", "LLU", "LLS", "LUU", "LUS", "LSS", "UUU", "UUS", "USS", "SSS"],
    *("upright 2", "upright 3"),
]
FOURS = ("4 lower", "2 lower", "0 lower", "upright 4")
TURNS = ("O to move", "L to move")
NAMES = [*(f"O {name}" for name in CLASSES), *(f"L {name}" for name in CLASSES), *FOURS, *TURNS]


@cache
def weights() -> dict[str, int]:
    """The weights that the core has, by name."""
    table = WEIGHTS_FILE.read_text().partition("best_weights =")[2].partition(";")[0]
    return dict(zip(NAMES, map(int, re.findall(r"-?\d+", table)), strict=True))


def last_player(board: Board) -> int:
    return GREEN if board.width * board.height % 2 == 0 else RED


def empty_cells(board: Board) -> dict[tuple[int, int], str]:
    """The letter of each empty cell."""
    letters = {}
    for column in board.all_columns():
        landing = True
        for row in range(1, board.height + 1):
            if board.cell(column, row) == EMPTY:
                lower = (board.height - row) % 2 == 1
                letters[column, row] = "L" if lower else "S" if landing else "U"
                landing = False
    return letters


def features(board: Board) -> dict[str, int]:
    """How many open windows of each class there are, and whose turn it is."""
    letters = empty_cells(board)
    last = last_player(board)
    turn = "L to move" if board.to_move == last else "O to move"
    counts = dict.fromkeys(NAMES, 0)
    counts[turn] = 1
    cells = dict.fromkeys(letters, EMPTY)
    cells |= {cell: player for player in (RED, GREEN) for cell in board.cells_of(player)}
    for line in board.windows():
        owners = {cells[cell] for cell in line} - {EMPTY}
        empty = [cell for cell in line if cell in letters]
        if not empty or len(owners) == 2:
            continue
        upright = line[0][0] == line[1][0]
        kinds = "".join(sorted((letters[cell] for cell in empty), key="LUS".index))
        if len(empty) == 4:
            counts["upright 4" if upright else f"{kinds.count('L')} lower"] += 1
            continue
        if len(empty) == 1:
            column, row = empty[0]
            playable = row == 1 or cells[column, row - 1] != EMPTY
            kind = {"S": "single", "U": "upper", "L": "playable lower" if playable else "higher lower"}[kinds]
            name = f"{turn}, one {kind}"
        else:
            name = f"upright {len(empty)}" if upright else kinds
        counts["L " + name if owners == {last} else "O " + name] += 1
    return counts


def bound(board: Board) -> int | None:
    """What O gains at the most: L answers every drop on top of it, and the singles are taken in turn."""
    letters = empty_cells(board)
    singles = frozenset(cell for cell, letter in letters.items() if letter == "S")
    if len(singles) > 5:
        return None
    last = last_player(board)
    o_cells = board.cells_of(opponent(last)) | {cell for cell, letter in letters.items() if letter == "L"}
    l_cells = board.cells_of(last) | {cell for cell, letter in letters.items() if letter == "U"}

    def points(cells: set[tuple[int, int]] | frozenset[tuple[int, int]]) -> int:
        return sum(cells.issuperset(line) for line in board.windows())

    @cache
    def gain(taken: frozenset[tuple[int, int]]) -> int:
        return points(o_cells | taken) - points(l_cells | (singles - taken))

    @cache
    def settle(taken: frozenset[tuple[int, int]], rest: frozenset[tuple[int, int]]) -> int:
        if not rest:
            return gain(taken)
        if len(rest) % 2 == 0:  # O's turn
            return max(settle(taken | {cell}, rest - {cell}) for cell in rest)
        return min(settle(taken, rest - {cell}) for cell in rest)

    return settle(frozenset(), singles) - board.margin(opponent(last))


def bend(total: int, limit: int) -> int:
    """The smaller one, with a rounded corner."""
    above = total - limit
    if above >= BEND:
        return limit
    if above <= -BEND:
        return total
    return limit - (BEND - above) ** 2 // (4 * BEND)


def best(board: Board, player: int) -> int:
    """The prediction of the final margin, in hundredths of a point."""
    last = last_player(board)
    total = sum(weights()[name] * count for name, count in features(board).items())
    limit = bound(board)
    value = 100 * board.margin(opponent(last)) + (total if limit is None else bend(total, 100 * limit))
    return -value if player == last else value
