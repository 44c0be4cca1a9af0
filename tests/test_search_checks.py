"""Checks of the search of a program: correct minimax at depths that reach the end of the game, and pruning."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from external_programs import player
from plain_minimax import column_values, minimax_choice

from maxconnect4 import Board, board_from_moves
from maxconnect4.referee.conformance import (
    ENDGAME,
    FAILED,
    MINIMAX,
    MOST_POSITIONS,
    MOVES,
    NOTED,
    PASSED,
    PHASES,
    REGRET,
    ConformanceReport,
    check,
    positions_of_phase,
)
from maxconnect4.referee.search_checks import (
    AS_PLAIN_MINIMAX,
    DEPTHS,
    PRUNES,
    UNCLEAR,
    Speed,
    is_correct,
    minimax_positions,
    minimax_result,
    plain_positions,
    pruning,
    retried_positions,
)

EVALUATION = {"max": "margin", "classic": "windows"}


@pytest.mark.parametrize("game", ["max", "classic"])
def test_positions_have_at_most_as_many_empty_cells_as_the_depth_and_values_of_plain_minimax(game: str) -> None:
    for depth in DEPTHS:
        positions = list(minimax_positions(depth, 6, game))
        assert {42 - position.board.pieces() for position in positions} == {depth, depth - (depth > 2)}
        assert {position.board.to_move for position in positions} == ({1, 2} if depth > 2 else {1})
        for position in positions[:3]:
            values = column_values(position.board, depth, EVALUATION[game])
            best = {column for column, value in values.items() if value == max(values.values())}
            assert best <= {column for column in values if is_correct(position, column)} < set(values)
        again = [position.board.moves for position in minimax_positions(depth, 6, game)]
        assert again == [position.board.moves for position in positions]


def columns_of(chooser: Callable[[Board, int], int | None], depth: int, count: int = 12) -> list[int | None]:
    return [chooser(position.board, depth) for position in minimax_positions(depth, count)]


def minimax(board: Board, depth: int) -> int:
    return minimax_choice(board, depth, "margin")[0]


def one_ply_short(board: Board, depth: int) -> int:
    return minimax(board, depth - 1)


@pytest.mark.parametrize("depth", DEPTHS)
def test_plain_minimax_is_perfect_and_other_searches_are_not(depth: int) -> None:
    positions = list(minimax_positions(depth, 12))
    perfect = minimax_result(depth, positions, columns_of(minimax, depth))
    assert (perfect.share, perfect.share_above_chance, perfect.counterexample, perfect.remarks()) == (1, 1, None, ())
    short = minimax_result(depth, positions, columns_of(one_ply_short, depth))
    assert short.share <= 0.75
    assert set(short.imperfect_by) == {1}
    assert retried_positions(short, positions, columns_of(one_ply_short, depth))
    fault = minimax_result(depth, positions, [None, *columns_of(minimax, depth)[1:]])
    assert (fault.perfect, fault.faults) == (11, 1)


def test_a_counterexample_shows_what_minimax_finds() -> None:
    positions = list(minimax_positions(4, 12))
    found = minimax_result(4, positions, columns_of(one_ply_short, 4)).counterexample
    assert found is not None
    board = board_from_moves(found.moves)
    assert (board.to_move, 42 - board.pieces(), found.depth) == (found.player, found.empty, 4)
    values = column_values(board, 4, "margin")
    assert {column: value for column, value in enumerate(found.values, 1) if value is not None} == values
    assert values[found.better] == max(values.values()) > values[found.played]
    for column, line in ((found.played, found.played_line), (found.better, found.better_line)):
        end = board_from_moves(found.moves + line)
        assert end.is_full()
        assert (int(line[0]), end.margin(found.player)) == (column, values[column])


def test_a_search_that_counts_results_only_is_recognised() -> None:
    def best_result(board: Board, depth: int) -> int:
        values = column_values(board, depth, "margin")
        signs = {column: (value > 0) - (value < 0) for column, value in values.items()}
        return random.Random(board.moves).choice([column for column in signs if signs[column] == max(signs.values())])

    for depth in DEPTHS:
        found = minimax_result(depth, list(minimax_positions(depth, 20)), columns_of(best_result, depth, 20))
        assert found.maximises_result
        assert len(found.remarks()) == 1


def checked(fault: str) -> ConformanceReport:
    return check(replace(player("searcher", fault), depth=1), deepest=0, positions=6)


def test_random_moves_fail_and_do_not_get_full_marks() -> None:
    report = checked("random")
    by_name = {each.name: each for each in report.checks}
    assert FAILED in {each.result for each in report.checks if each.group == MINIMAX}
    assert {each.result for each in report.checks if each.group == MOVES} == {PASSED}
    assert by_name[REGRET].earned < 1
    assert sum(earned for _, earned, _ in report.points()) < 85


def test_an_off_by_one_in_the_depth_is_found() -> None:
    report = checked("short")
    assert [(each.is_one_ply_short, each.share < 1) for each in report.minimax] == [(True, True)] * 3
    failed = [each for each in report.checks if each.group == MINIMAX]
    assert {(each.result, len(each.remarks)) for each in failed} == {(FAILED, 1)}
    assert all(each.counterexample is not None for each in failed)


@pytest.mark.parametrize(("fault", "only"), [("hasty", {FAILED, NOTED, PASSED}), ("as red", {FAILED, PASSED})])
def test_other_faults_of_a_search_are_not_explained_by_the_depth(fault: str, only: set[str]) -> None:
    report = checked(fault)
    found = {each.result for each in report.checks if each.group == MINIMAX}
    assert FAILED in found <= only
    assert not any(each.is_one_ply_short for each in report.minimax)


def test_every_ply_of_the_game_is_tried() -> None:
    boards = [
        position.board for phase in PHASES for position in positions_of_phase(phase, min(22, MOST_POSITIONS[phase]))
    ]
    assert {board.pieces() for board in boards} == set(range(42))
    assert not any(board.is_over() for board in boards)


def test_a_crash_near_the_end_of_the_game_fails() -> None:
    report = checked("no end")
    failed = {each.name: each for each in report.checks if each.result == FAILED}
    assert set(failed) == {"with one open column", "with one empty cell, as green", ENDGAME}
    assert failed[ENDGAME].fault == "crash"
    assert (failed[ENDGAME].input or "").count("\n") == 7


def test_plain_minimax_visits_every_sequence_of_moves() -> None:
    assert [plain_positions(depth) for depth in (0, 1, 2, 3)] == [0, 7, 56, 399]
    assert plain_positions(7) - plain_positions(6) == 7**7 - 7


def speeds(*seconds: float) -> list[Speed]:
    return [Speed(depth, each) for depth, each in zip((1, 2, 4, 6, 8), seconds, strict=False)]


@pytest.mark.parametrize(
    ("seconds", "conclusion", "growth"),
    [
        ((0.05, 0.05, 0.15, 5.0), AS_PLAIN_MINIMAX, 7.04),  # a script, of which depth 4 takes 0.1 s
        ((0.05, 0.05, 0.15, 0.95, 8.0), PRUNES, 2.99),
        ((0.01, 0.01, 0.01, 0.01, 0.02), PRUNES, None),  # less than 5 ns for each position of plain minimax
        ((0.3, 0.3, 0.31, 0.33, 0.35), UNCLEAR, None),
        ((0.05, 0.05, 0.15, 3.0), UNCLEAR, 5.43),
    ],
)
def test_the_growth_of_the_cpu_time_is_compared_with_plain_minimax(
    seconds: tuple[float, ...], conclusion: str, growth: float | None
) -> None:
    found = pruning(speeds(*seconds))
    assert found is not None
    assert (found.conclusion, found.growth) == (conclusion, growth)
    assert pruning(speeds(1.0)) is None
