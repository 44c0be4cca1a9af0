"""The solver: exact, always, whatever its table, its threads and what it did before."""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from cpu_clock import cpu_clock
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_minimax import column_values
from positions import exact_positions, full_board, random_board

from maxconnect4 import Board, CannotSolve, Progress, SearchStopped, Solver, analyse, board_from_moves, system
from maxconnect4.search import CoreSolver
from maxconnect4.system import processors

SMALLEST = 4096  # bytes: a table for 7x6
SIZES = [(7, 6), (6, 5), (7, 5), (4, 4), (5, 4), (4, 5), (8, 4), (5, 7), (6, 6), (7, 7), (8, 6), (4, 9)]
ROOT = Path(__file__).parent.parent
LONG = pytest.mark.long


def late_board(rng: random.Random, width: int, height: int) -> Board:
    return random_board(rng, width * height - rng.randint(1, 6), width=width, height=height)


def scores_by_minimax(board: Board) -> list[int | None]:
    values = column_values(board, 99, "margin")
    return [values.get(column) for column in board.all_columns()]


# Correct


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=LONG)])
def test_every_column_of_the_276_exact_positions(step: int) -> None:
    solver = Solver(memory=64 << 20, threads=1)
    for moves, value, scores in exact_positions()[::step]:
        analysis = solver.analyse(board_from_moves(moves))
        assert (analysis.value, analysis.scores) == (value, scores), moves


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize(
    ("memory", "first", "step"),
    [
        (SMALLEST, 120, 12),
        (1 << 20, 40, 24),
        pytest.param(SMALLEST, 60, 6, marks=LONG),
        pytest.param(1 << 20, 10, 6, marks=LONG),
    ],
)
def test_neither_threads_nor_the_table_change_a_value(memory: int, threads: int, first: int, step: int) -> None:
    solver = Solver(memory, threads)
    for moves, value, scores in exact_positions()[first::step]:
        board = board_from_moves(moves)
        assert solver.analyse(board, only_value=True).value == value, moves
        assert solver.analyse(board).scores == scores, moves


@settings(max_examples=3 * settings().max_examples)
@given(st.sampled_from(SIZES), st.integers(0, 2**32))
def test_late_positions_of_any_size_have_the_values_of_plain_minimax(size: tuple[int, int], seed: int) -> None:
    board = late_board(random.Random(seed), *size)
    analysis = Solver(1 << 20, threads=1).analyse(board)
    assert analysis.scores == scores_by_minimax(board)
    assert analysis.value == max(score for score in analysis.scores if score is not None)


def test_small_boards_have_the_published_values() -> None:
    known = {(4, 4): 0, (5, 4): 0, (4, 5): 0, (5, 5): 0, (4, 6): 0, (5, 6): 0, (6, 5): 0, (6, 4): -1, (7, 4): -1}
    for (width, height), value in known.items():
        board = Board(width=width, height=height)
        assert analyse(board, only_value=True, memory=1 << 20, threads=1).value == value


def test_a_symmetric_position_has_symmetric_scores_and_an_image_mirrored_ones() -> None:
    solver = Solver(64 << 20)
    scores = solver.analyse(board_from_moves("444444" + "3256" + "2365")).scores
    assert scores is not None
    assert scores == scores[::-1]
    for moves, _, scores in exact_positions()[30:60:5]:
        image = "".join(str(8 - int(column)) for column in moves)
        assert solver.analyse(board_from_moves(image)).scores == scores[::-1]


def test_a_best_line_is_played_to_the_end_and_keeps_its_promise() -> None:
    solver = Solver(64 << 20)
    for moves, value, _ in exact_positions()[::20]:
        board = board_from_moves(moves)
        player = board.to_move
        analysis = solver.analyse(board)
        assert analysis.line is not None
        assert analysis.best is not None
        assert analysis.line[0] == analysis.best[0]
        for column in analysis.line:
            board.drop(column)
        assert board.is_full()
        assert board.margin(player) == value


def test_the_best_columns_come_nearest_the_centre_first() -> None:
    board = board_from_moves("454672752411266535461732")
    analysis = analyse(board)
    assert analysis.scores is not None
    best = [column for column in board.columns() if analysis.scores[column - 1] == analysis.value]
    assert analysis.best == sorted(best, key=lambda column: (abs(column - 4), column))


def test_the_best_column_alone_is_the_first_of_the_best() -> None:
    solver = Solver(64 << 20)
    for moves, value, _ in exact_positions()[::12]:
        board = board_from_moves(moves)
        alone, best = solver.best_column(board), solver.analyse(board).best
        assert best is not None
        assert (alone.value, alone.best, alone.scores) == (value, best[:1], None)


@pytest.mark.parametrize("book", [True, False])
def test_what_is_not_asked_for_is_left_out(book: bool) -> None:
    solver = Solver(64 << 20, threads=1, book=book)
    board = board_from_moves("757147")  # in the book, and solved soon
    value = solver.analyse(board, only_value=True)
    assert (value.scores, value.best, value.line) == (None, None, None)
    scores = solver.analyse(board, line=False)
    assert scores.scores is not None
    assert scores.best is not None
    assert scores.line is None
    best = solver.best_column(board)
    assert (best.scores, best.best, best.line) == (None, scores.best[:1], None)
    for analysis in (value, scores, best):
        assert analysis.value == max(score for score in scores.scores if score is not None)
        assert (analysis.source, analysis.nodes > 0) == (("book", False) if book else ("search", True))


def test_the_times_are_those_of_the_analysis() -> None:
    solver, board = Solver(64 << 20, threads=1, book=False), board_from_moves("757147")
    start, cpu_start = time.perf_counter(), time.process_time()
    analysis = solver.analyse(board, only_value=True)  # longer than the 10 ms between ticks of some clocks
    assert 0 < analysis.seconds <= time.perf_counter() - start + 1e-6
    assert 0 < analysis.cpu_seconds <= time.process_time() - cpu_start + 1e-6
    assert repr(analysis) == f"<Analysis: value {analysis.value}, {analysis.nodes:,} nodes>"


def test_a_full_board_has_its_margin() -> None:
    board = full_board(random.Random(1))
    analysis = analyse(board)
    assert analysis.value == board.margin(board.to_move)
    assert analysis.best == analysis.line == []
    assert analysis.scores == [None] * 7


@pytest.fixture(scope="module")
def verify() -> Path:
    """The program that checks the solver against brute force: `make` builds it if it is not up to date."""
    subprocess.run(["make", "build/verify"], cwd=ROOT, check=True, capture_output=True)
    return ROOT / "build" / "verify"


@pytest.mark.parametrize("game", ["", "classic-"])
@pytest.mark.parametrize(
    ("check", "positions"),
    [("late", 100), ("bounds", 400), pytest.param("late", 1000, marks=LONG), pytest.param("bounds", 3000, marks=LONG)],
)
def test_the_verifying_program_agrees_on_boards_of_all_sizes(
    verify: Path, game: str, check: str, positions: int
) -> None:
    done = subprocess.run([verify, game + check, str(positions), "7"], capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stdout[-500:]
    assert "12x4: " in done.stdout


# Interrupted, reported, refused


class Enough(Exception):
    pass


@pytest.mark.parametrize("step", [15, pytest.param(5, marks=LONG)])
def test_a_stopped_analysis_leaves_the_solver_exact(step: int) -> None:
    solver = Solver(SMALLEST * 16, threads=2, book=False)

    def stop(progress: Progress) -> None:
        raise Enough

    for moves, value, scores in exact_positions()[40:100:step]:
        with pytest.raises(Enough):
            solver.analyse(Board(), progress=stop)
        analysis = solver.analyse(board_from_moves(moves))
        assert (analysis.value, analysis.scores) == (value, scores)


def test_a_time_limit_ends_an_analysis_with_the_bounds_proved_so_far() -> None:
    solver = Solver(SMALLEST * 16, threads=2, book=False)
    for solve in (solver.analyse, solver.best_column):
        start = time.monotonic()
        with pytest.raises(SearchStopped) as stopped:
            solve(Board("classic"), seconds=0.3)
        assert 0.3 <= time.monotonic() - start < 5
        assert stopped.value.timed_out
        assert stopped.value.progress is not None
        assert stopped.value.progress.nodes > 0
        assert stopped.value.progress.seconds > 0.3
    with pytest.raises(ValueError, match="not positive"):
        solver.analyse(Board(), seconds=0)
    assert solver.analyse(board_from_moves("454672752411266535461732"), seconds=60).value == -1


def test_an_analysis_ends_when_stop_returns_true() -> None:
    calls = 0

    def stop() -> bool:
        nonlocal calls
        calls += 1
        return calls == 3

    with pytest.raises(SearchStopped) as stopped:
        analyse(Board(), memory=SMALLEST * 16, book=False, stop=stop)
    assert calls == 3
    assert not stopped.value.timed_out


def test_progress_closes_in_on_the_values() -> None:
    reports: list[Progress] = []

    def keep(progress: Progress) -> None:
        reports.append(progress)
        if progress.columns != reports[0].columns or len(reports) == 200:
            raise Enough

    with pytest.raises(Enough):
        Solver(64 << 20, threads=1, book=False).analyse(board_from_moves("17"), progress=keep)
    nodes = [report.nodes for report in reports]
    assert nodes == sorted(nodes)
    for early, late in itertools.pairwise(reports):
        for before, after in zip(early.columns, late.columns, strict=True):
            assert before is not None
            assert after is not None
            assert before[0] <= after[0] <= after[1] <= before[1]
    assert reports[-1].columns != reports[0].columns


@pytest.mark.parametrize("delays", [(0.3,), pytest.param((0.2, 1.0, 2.5), marks=LONG)])
def test_ctrl_c_stops_the_solver_at_once(delays: tuple[float, ...]) -> None:
    program = """
import sys, time
from maxconnect4 import Board, analyse
print("ready", flush=True)
try:
    analyse(Board(width=8, height=7))
except KeyboardInterrupt:
    print(time.process_time(), flush=True)
"""
    for delay in delays:
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(delay)
            start, before = time.monotonic(), cpu_clock(process.pid)
            os.kill(process.pid, signal.SIGINT)
            stopped = float(process.stdout.readline())
        assert stopped - before < 0.5 * processors()
        assert time.monotonic() - start < 10


def test_two_threads_cannot_use_one_solver_at_once() -> None:
    solver = Solver(64 << 20, threads=1, book=False)
    started, refused = threading.Event(), threading.Event()

    def hold(_: Progress) -> None:
        started.set()
        if refused.is_set():
            raise Enough

    def work() -> None:
        with pytest.raises(Enough):
            solver.analyse(Board(), progress=hold)

    thread = threading.Thread(target=work)
    thread.start()
    assert started.wait(20)
    try:
        with pytest.raises(RuntimeError, match="searching another position"):
            solver.analyse(Board())
    finally:
        refused.set()
        thread.join()


def test_sizes_and_memory_out_of_range_are_refused() -> None:
    with pytest.raises(CannotSolve, match="3x6"):
        analyse(Board(width=3, height=6))
    with pytest.raises(CannotSolve, match="10x6"):
        analyse(Board(width=10, height=6))
    with pytest.raises(CannotSolve, match="at least 4K"):
        analyse(Board(), memory=4095)
    with pytest.raises(CannotSolve, match="at least 4K"):
        analyse(Board(), memory=0, book=False)
    with pytest.raises(CannotSolve, match="negative"):
        analyse(Board(), memory=-1)
    with pytest.raises(CannotSolve, match="memory"):
        analyse(Board(), memory=1 << 60)
    with pytest.raises(ValueError, match="0 threads"):
        Solver(threads=0)


@pytest.mark.parametrize(("free", "memory"), [(100 << 20, 50 << 20), (2 << 30, 1 << 30), (64 << 30, 1 << 30)])
def test_the_default_memory_is_half_of_what_is_free_up_to_a_gibibyte(
    monkeypatch: pytest.MonkeyPatch, free: int, memory: int
) -> None:
    monkeypatch.setattr(system, "free_memory", lambda: free)
    assert Solver().memory == memory


def test_a_default_memory_that_is_not_there_is_reduced_and_one_that_was_asked_for_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes: list[int] = []

    def limited(width: int, height: int, classic: bool, memory: int, threads: int, layer: None) -> CoreSolver:
        sizes.append(memory)
        if memory > limit:
            raise MemoryError
        return CoreSolver(width, height, classic, memory, threads, layer)

    monkeypatch.setattr(system, "free_memory", lambda: 2 << 30)
    monkeypatch.setattr("maxconnect4.solver.CoreSolver", limited)
    board, limit = board_from_moves("454672752411266535461732"), 100 << 20
    assert analyse(board, book=False).value == -1
    assert sizes == [1 << 30, 256 << 20, 64 << 20]
    with pytest.raises(CannotSolve, match="256M"):
        analyse(board, book=False, memory=256 << 20)
    limit = 0
    with pytest.raises(CannotSolve, match="4M"):
        analyse(board, book=False)
    assert sizes[-2:] == [16 << 20, 4 << 20]


def test_one_solver_takes_boards_of_different_sizes() -> None:
    solver = Solver(1 << 20, threads=1)
    for _ in range(2):
        assert solver.analyse(Board(width=6, height=4)).value == -1
        assert solver.analyse(Board(width=4, height=5)).value == 0


def test_the_nodes_of_one_thread_are_the_same_on_every_run() -> None:
    board = board_from_moves("4444443322")
    assert len({Solver(64 << 20, threads=1, book=False).analyse(board, only_value=True).nodes for _ in range(3)}) == 1


def test_a_solver_that_forgets_has_an_empty_table() -> None:
    solver, board = Solver(16 * SMALLEST, threads=1, book=False), board_from_moves("454672752411266535461732")
    solver.clear_table()
    solver.analyse(board)
    assert solver.table_permille() > 0
    known = solver.analyse(board).nodes
    solver.clear_table()
    assert solver.table_permille() == 0
    assert solver.analyse(board).nodes > known


def test_the_bounds_that_are_reported_hold_the_scores_points_on_the_board_included() -> None:
    solver, reports = Solver(SMALLEST, threads=1, book=False), list[Progress]()
    board = board_from_moves("273746131")
    assert board.margin() != 0
    analysis = solver.analyse(board, progress=reports.append)
    assert reports
    assert analysis.scores is not None
    for report in reports:
        assert report.value[0] <= analysis.value <= report.value[1]
        for bounds, score in zip(report.columns, analysis.scores, strict=True):
            assert (bounds is None) == (score is None)
            assert bounds is None or score is None or bounds[0] <= score <= bounds[1]
