"""Reasons of moves: the four that they name is really there, and it is the one that a person would point at."""

from __future__ import annotations

import random

import msgspec
import pytest
from positions import full_board, random_board

from maxconnect4 import RED, Board, Solver, board_from_moves
from maxconnect4.reasons import Reason, completed_fours, find_reason, points_along, reason_text, variation
from maxconnect4.review import review

SEEDS = [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 24))]


def reason_of(moves: str, column: int, game: str = "max") -> Reason:
    board = board_from_moves(moves, game)
    best = Solver(threads=1).analyse(board).best
    assert best is not None
    reason = find_reason(board, column, best, Solver(threads=1))
    assert reason is not None
    return reason


def check(board: Board, reason: Reason, best: list[int]) -> None:
    """Check a reason against the rules: its line completes the four, with its last move."""
    assert (reason.player, reason.kind == "forced") == (board.to_move, not reason.four)
    assert (reason.better in best) == (reason.better is not None)
    if not reason.four:
        assert board.columns() == [reason.column]
        return
    assert reason.line[0] in (reason.column, reason.better)
    assert reason.cell in reason.four
    after = board.copy()
    for column in reason.line:
        after.drop(column)
    cells = after.cells_of(reason.scorer or 0)
    assert set(reason.four) in map(set, board.windows())
    if reason.kind in ("blocks", "threatens"):
        assert set(reason.four) - cells == {reason.cell}
    else:
        assert cells.issuperset(reason.four)
        assert reason.move == after.pieces()
        after.undo()
        assert set(reason.four) - after.cells_of(reason.scorer or 0) == {reason.cell}
    assert (reason.scorer == board.to_move) == (reason.kind in ("misses", "forgoes", "scores", "threatens"))
    assert reason_text(reason).endswith(".")
    assert msgspec.convert(msgspec.to_builtins(reason), Reason) == reason


@pytest.mark.parametrize("game", ["max", "classic"])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_mistake_has_a_four_that_its_line_completes(seed: int, game: str) -> None:
    rng = random.Random(seed)
    board = full_board(rng) if game == "max" else random_board(rng, 30, game)
    solver = Solver(threads=1)
    reviewed = review(board, solver, after=12, reasons=True)
    assert any(move.regret for move in reviewed.moves)
    for move in reversed(reviewed.moves):
        board.undo()
        assert move.choices == len(board.columns())
        assert (move.reason is not None) or not move.regret
        if move.reason:
            check(board, move.reason, move.best)
            assert (move.reason.better is None) == (move.regret == 0)


def test_a_variation_has_the_value_of_its_column() -> None:
    board, solver = random_board(random.Random(3), 20), Solver(threads=1)
    scores = solver.analyse(board).scores
    assert scores is not None
    for column in board.columns():
        line = variation(board, column, solver)
        after = board.copy()
        for move in line:
            after.drop(move)
        assert after.is_full()
        assert after.margin(board.to_move) == scores[column - 1]
        assert sum(points_along(board, line)) == len(list(completed_fours(board, line)))
        assert sum(points_along(board, line)) == sum(after.points(p) - board.points(p) for p in (1, 2))


@pytest.mark.parametrize(
    ("moves", "column", "kind", "threat", "cell", "reply"),
    [
        ("747413544773435252", 1, "misses", "standing", (5, 4), None),
        ("747413544773435252", 5, "scores", None, (5, 4), None),
        ("536376766517472612134724", 1, "ignores", "standing", (3, 4), 3),
        ("536376766517472612134724", 3, "blocks", None, (3, 4), None),
        ("611632226166515411233672737535", 4, "opens", "standing", (4, 3), 4),
        ("77111372", 1, "allows", "made", (5, 1), 4),
        ("32461175135152", 5, "allows", "standing", (4, 2), 5),
        ("453322761354513556", 1, "forgoes", "made", (2, 5), None),
        ("2552354651", 3, "threatens", None, (4, 3), None),
    ],
)
def test_a_reason_names_the_four_and_the_reply(
    moves: str, column: int, kind: str, threat: str | None, cell: tuple[int, int], reply: int | None
) -> None:
    reason = reason_of(moves, column)
    assert (reason.kind, reason.threat, reason.cell, reason.reply) == (kind, threat, cell, reply)


def test_a_forced_move_is_not_perfect() -> None:
    game = "131637415743457141625213546475627562722633"
    reviewed = review(game, after=36, reasons=True)
    forced = [move.number for move in reviewed.moves if move.forced]
    assert forced == [41, 42]
    assert all(move.reason and move.reason.kind == "forced" for move in reviewed.moves if move.forced)
    summary = reviewed.summary(RED)
    assert (summary.moves, summary.forced, summary.perfect) == (3, 1, 0)
