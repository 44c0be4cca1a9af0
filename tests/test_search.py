"""The search against its definition, and the promises that come with it."""

from __future__ import annotations

import itertools
import os
import random
import signal
import statistics
import subprocess
import sys
import threading
import time

import pytest
from cpu_clock import cpu_clock
from plain_minimax import cells_left, column_values, evaluate, minimax_choice
from positions import CLASSIC_LATE, exact_positions, full_board, random_board

import maxconnect4
from maxconnect4 import EVALUATIONS, Board, IllegalMove, SearchStopped, board_from_moves, choose
from maxconnect4.board import GREEN, RED
from maxconnect4.search import CLASSIC_WIN, win_in

ONE_BUCKET = 64  # bytes: four entries, which collide and are replaced all the time
LONG = pytest.mark.long


@pytest.mark.parametrize("game", ["max", "classic"])
@pytest.mark.parametrize("evaluation", EVALUATIONS)
@pytest.mark.parametrize(
    "positions",  # of each depth, from 1
    [pytest.param((12, 6, 2), id="to-depth-3"), pytest.param((60, 40, 20, 4, 1), id="to-depth-5", marks=LONG)],
)
def test_the_search_chooses_what_plain_minimax_chooses(game: str, evaluation: str, positions: tuple[int, ...]) -> None:
    rng = random.Random(f"{game} {evaluation}")
    for depth, count in enumerate(positions, start=1):
        for _ in range(count):
            board = random_board(rng, rng.randrange(42), game)
            column, value = minimax_choice(board, depth, evaluation)
            for table_bytes in (1 << 20, 4096, ONE_BUCKET):
                choice = choose(board, depth, evaluation=evaluation, table_bytes=table_bytes)
                assert (choice.column, choice.value) == (column, value), (board, depth, table_bytes)


@pytest.mark.parametrize("game", ["max", "classic"])
@pytest.mark.parametrize("evaluation", EVALUATIONS)
@pytest.mark.parametrize(("count", "earliest"), [(5, 36), pytest.param(12, 33, marks=LONG)])
def test_late_positions_are_searched_as_deep_as_minimax_can_follow(
    game: str, evaluation: str, count: int, earliest: int
) -> None:
    rng = random.Random(f"late {game} {evaluation}")
    for _ in range(count):
        board = random_board(rng, rng.randrange(earliest, 39), game)
        depth = rng.randrange(4, 8)
        column, value = minimax_choice(board, depth, evaluation)
        for table_bytes in (1 << 20, ONE_BUCKET):
            choice = choose(board, depth, evaluation=evaluation, table_bytes=table_bytes)
            assert (choice.column, choice.value) == (column, value), (board, depth)


@pytest.mark.parametrize("game", ["max", "classic"])
@pytest.mark.parametrize("evaluation", EVALUATIONS)
@pytest.mark.parametrize("count", [4, pytest.param(20, marks=LONG)])
def test_another_board_size_is_searched_as_well(game: str, evaluation: str, count: int) -> None:
    rng = random.Random(f"6x5 {game} {evaluation}")
    for _ in range(count):
        board = random_board(rng, rng.randrange(28), game, width=6, height=5)
        depth = rng.randrange(1, 4)
        choice = choose(board, depth, evaluation=evaluation)
        assert (choice.column, choice.value) == minimax_choice(board, depth, evaluation), (board, depth)


@pytest.mark.parametrize("game", ["max", "classic"])
@pytest.mark.parametrize(("depth", "count"), [(2, 3), pytest.param(3, 6, marks=LONG)])
def test_the_scores_of_all_columns_are_those_of_minimax(game: str, depth: int, count: int) -> None:
    rng = random.Random(f"scores {game}")
    for evaluation in EVALUATIONS * count:
        board = random_board(rng, rng.randrange(41), game)
        values = column_values(board, depth, evaluation)
        choice = choose(board, depth, evaluation=evaluation, scores=True)
        assert choice.scores == [values.get(column) for column in board.all_columns()]
        assert choice.column == choose(board, depth, evaluation=evaluation).column


def test_deep_searches_do_not_depend_on_the_table() -> None:
    rng = random.Random(7)
    for _ in range(20):
        board = random_board(rng, rng.randrange(20), rng.choice(["max", "classic"]))
        evaluation = rng.choice(EVALUATIONS)
        small, large = (choose(board, 9, evaluation=evaluation, table_bytes=size) for size in (1024, 64 << 20))
        assert (small.column, small.value) == (large.column, large.value)


def test_mirror_images_get_mirrored_values() -> None:
    for moves in ("", "44", "3445", "1234567", "4455"):
        mirrored = moves.translate(str.maketrans("1234567", "7654321"))
        for evaluation in EVALUATIONS:
            one, two = (
                choose(board_from_moves(text), 8, evaluation=evaluation, scores=True) for text in (moves, mirrored)
            )
            assert one.scores is not None
            assert two.scores is not None
            assert one.scores == two.scores[::-1]


@pytest.mark.parametrize("evaluation", EVALUATIONS)
@pytest.mark.parametrize("count", [80, pytest.param(1000, marks=LONG)])
def test_the_core_values_positions_as_the_definition_does(evaluation: str, count: int) -> None:
    rng = random.Random(evaluation)
    for _ in range(count):
        board = random_board(rng, rng.randrange(42))
        for player in (RED, GREEN):
            assert maxconnect4.evaluate(board, evaluation, player) == evaluate(board, evaluation, player), board


@pytest.mark.parametrize("evaluation", EVALUATIONS)
def test_the_core_values_full_boards_as_the_definition_does(evaluation: str) -> None:
    rng = random.Random(evaluation)
    for _ in range(50):
        board = full_board(rng)
        for player in (RED, GREEN):
            assert maxconnect4.evaluate(board, evaluation, player) == evaluate(board, evaluation, player), board


@pytest.mark.parametrize("earliest", [30, pytest.param(28, marks=LONG)])
def test_a_depth_that_reaches_the_end_is_perfect_play_with_every_evaluation(earliest: int) -> None:
    late = [known for known in exact_positions() if len(known[0]) >= earliest]
    for (moves, value, scores), evaluation in zip(late, itertools.cycle(EVALUATIONS), strict=False):
        board = board_from_moves(moves)
        for depth in (cells_left(board), 99):
            choice = choose(board, depth, evaluation=evaluation, scores=True)
            assert choice.exact
            assert (choice.value, choice.scores) == (value, scores), moves


@pytest.mark.parametrize("game", ["max", "classic"])
@pytest.mark.parametrize("evaluation", EVALUATIONS)
@pytest.mark.parametrize(("count", "earliest"), [(4, 35), pytest.param(20, 33, marks=LONG)])
def test_at_a_depth_that_reaches_the_end_the_solver_returns_the_move_and_values_of_minimax(
    game: str, evaluation: str, count: int, earliest: int
) -> None:
    rng = random.Random(f"end {game} {evaluation}")
    for _ in range(count):
        board = random_board(rng, rng.randrange(earliest, 42), game)
        cells = cells_left(board)
        column, value = minimax_choice(board, cells, evaluation)
        values = column_values(board, cells, evaluation)
        for depth in (cells, cells + 3):
            choice = choose(board, depth, evaluation=evaluation)
            assert (choice.column, choice.value, choice.depth, choice.exact) == (column, value, cells, True), board
        choice = choose(board, cells, evaluation=evaluation, scores=True)
        assert choice.column == column
        assert choice.scores == [values.get(each) for each in board.all_columns()], board
        limited = choose(board, cells, nodes=10**9, evaluation=evaluation, scores=True)  # by the search itself
        assert (limited.column, limited.value, limited.scores) == (column, value, choice.scores), board


def test_a_depth_to_the_end_of_the_game_costs_no_more_than_the_solver() -> None:
    opening = choose(Board(), 42)
    assert (opening.column, opening.value, opening.source) == (4, 0, "book")
    middle = choose(board_from_moves("5745746671276262"), 26, evaluation="windows")
    assert middle.exact
    assert middle.nodes < 1_000_000


@pytest.mark.parametrize("depths", [(1, 2, 4), pytest.param((1, 2, 4, 6, 8), marks=LONG)])
def test_best_never_has_more_regret_and_at_depth_4_less_than_half(depths: tuple[int, ...]) -> None:
    reported = exact_positions()[1::2]
    lost = {
        (evaluation, depth): sum(
            value - int(scores[choose(board_from_moves(moves), depth, evaluation=evaluation).column - 1] or 0)
            for moves, value, scores in reported
        )
        for evaluation in EVALUATIONS
        for depth in depths
    }
    least = {depth: min(lost[name, depth] for name in EVALUATIONS if name != "best") for depth in depths}
    assert all(lost["best", depth] <= least[depth] for depth in least), (lost, least)
    assert lost["best", 4] < least[4] / 2


def test_a_win_in_one_is_worth_more_than_a_win_in_three() -> None:
    board = board_from_moves("121212", "classic")
    choice = choose(board, 6, evaluation="windows", scores=True)
    assert choice.column == 1
    assert choice.value == maxconnect4.search.CLASSIC_WIN - 7
    assert choice.exact


def test_depth_0_visits_no_node_and_takes_the_column_nearest_the_centre() -> None:
    board = Board()
    for expected in (4,) * 6 + (3,) * 6 + (5,) * 6 + (2,) * 6 + (6,) * 6 + (1,) * 6 + (7,) * 6:
        assert choose(board, 0).column == expected
        board.drop(expected)
    with pytest.raises(IllegalMove, match="the game is over"):
        choose(board, 0)


def test_depth_0_costs_nothing_and_values_no_column() -> None:
    choice = choose(Board(), 0, scores=True)
    assert (choice.value, choice.depth, choice.nodes, choice.cpu_seconds, choice.exact) == (None, 0, 0, 0, False)
    assert choice.scores == [None] * 7
    assert choice.source == "search"
    assert choose(Board(), 0).scores is None


@pytest.mark.parametrize(("game", "depth"), [("max", 8), ("classic", 5)])
def test_without_a_limit_the_depth_is_the_default_of_the_game(game: str, depth: int) -> None:
    board = board_from_moves(CLASSIC_LATE, game)
    choice = choose(board)
    assert (choice.depth, choice.exact) == (depth, False)
    assert choose(board, nodes=10**9).exact
    assert choose(board, seconds=60).exact


def test_the_cpu_time_is_that_of_the_search() -> None:
    before = time.process_time()
    choice = choose(Board(), 15)  # some 0.1 s, as some clocks tick every 10 ms
    assert 0 < choice.cpu_seconds <= time.process_time() - before + 1e-6


def test_a_classic_value_says_how_many_moves_the_winner_still_makes() -> None:
    board = board_from_moves("121212", "classic")
    for moves in (1, 2, 18):  # of red, who is to move, or of green
        assert win_in(board, CLASSIC_WIN - (6 + 2 * moves - 1)) == moves
        assert win_in(board, (6 + 2 * moves) - CLASSIC_WIN) == moves
    for value in (0, CLASSIC_WIN - 43, 43 - CLASSIC_WIN):
        assert win_in(board, value) is None
    assert win_in(board_from_moves("121212"), CLASSIC_WIN - 7) is None


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="depth -1 is negative"):
        choose(Board(), -1)
    with pytest.raises(ValueError, match="'nonsense' is not an evaluation"):
        choose(Board(), 1, evaluation="nonsense")
    with pytest.raises(ValueError, match="'nonsense' is not an evaluation"):
        maxconnect4.evaluate(Board(), "nonsense")
    for seconds in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="seconds is not positive"):
            choose(Board(), seconds=seconds)
    with pytest.raises(ValueError, match="9 columns and 6 rows is not built in"):
        choose(Board(width=9), 1)
    too_wide = Board(width=10)
    for _ in range(6):
        too_wide.drop(10)  # to cells beyond 64 bits
    with pytest.raises(ValueError, match="10 columns and 6 rows is not built in"):
        choose(too_wide, 1)
    with pytest.raises(ValueError, match="a table of -1 bytes is negative"):
        choose(Board(), 1, table_bytes=-1)


def test_a_search_needs_no_table() -> None:
    assert choose(Board(), 4, table_bytes=0).value == choose(Board(), 4).value


def test_a_time_limit_deepens_until_the_time_is_used() -> None:
    start = time.monotonic()
    choice = choose(Board(), seconds=0.15)
    assert 0.1 < time.monotonic() - start < 30
    assert choice.depth > 8
    assert choice.column == choose(Board(), choice.depth).column


def test_a_time_limit_ends_early_when_the_game_is_solved() -> None:
    board = random_board(random.Random(3), 36)
    start = time.monotonic()
    choice = choose(board, seconds=60)
    assert time.monotonic() - start < 30
    assert choice.exact
    assert choice.depth == 6


def test_even_no_time_at_all_gives_a_move() -> None:
    assert choose(Board(), seconds=1e-9).depth >= 1


def test_the_nodes_are_the_same_on_every_run() -> None:
    assert choose(Board(), 10).nodes == choose(Board(), 10).nodes


def test_other_threads_run_while_it_searches() -> None:
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.002)

    thread = threading.Thread(target=tick)
    thread.start()
    for _ in range(3):  # a busy machine may give the thread little time
        choose(Board(), seconds=0.2)
    done.set()
    thread.join()
    assert ticks > 10


def test_a_classic_win_that_is_found_ends_the_search() -> None:
    board = board_from_moves("121212", "classic")
    start = time.monotonic()
    choice = choose(board, seconds=60, evaluation="windows")
    assert time.monotonic() - start < 30
    assert (choice.column, choice.exact, choice.depth) == (1, True, 1)
    assert choose(board, 9, scores=True, evaluation="windows").depth == 9


def test_perft_refuses_a_negative_depth() -> None:
    with pytest.raises(ValueError, match="depth -1 is negative"):
        maxconnect4.perft(Board(), -1)


def test_counting_games_leaves_the_board_as_it_was_however_it_ends() -> None:
    def ring(*_: object) -> None:
        raise InterruptedError

    board = Board()
    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.1)
    try:
        with pytest.raises(InterruptedError):
            maxconnect4.perft(board, 20)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    assert board.drops == ()


@pytest.mark.parametrize(
    "waits",  # the table grows at some of these moments
    [(0.1, 0.2, 0.4), pytest.param((0.1, 0.2, 0.4, 0.8, 1.2, 1.6, 2.0), marks=LONG)],
)
def test_ctrl_c_stops_a_search_within_50_milliseconds(waits: tuple[float, ...]) -> None:
    program = """
import sys, time
from maxconnect4 import Board, choose
try:
    print("go", flush=True)
    choose(Board(), 41)
except KeyboardInterrupt:
    print(time.process_time(), flush=True)
"""
    delays = []
    for wait in waits:
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "go\n"
            time.sleep(wait)
            sent, before = time.monotonic(), cpu_clock(process.pid)
            os.kill(process.pid, signal.SIGINT)
            delays.append(float(process.stdout.readline()) - before)
            assert time.monotonic() - sent < 10
    assert statistics.median(delays) < 0.05, delays


def test_a_search_in_another_thread_can_be_stopped() -> None:
    calls = 0
    caught: list[SearchStopped] = []

    def stop() -> bool:
        nonlocal calls
        calls += 1
        return calls == 2

    def search() -> None:
        try:
            choose(Board("classic"), 41, stop=stop)  # takes minutes
        except SearchStopped as error:
            caught.append(error)

    start = time.monotonic()
    thread = threading.Thread(target=search)
    thread.start()
    thread.join()
    assert (len(caught), calls) == (1, 2)
    assert time.monotonic() - start < 30


def test_an_exception_of_the_progress_callback_ends_a_search() -> None:
    calls = {"stop": 0, "progress": 0}

    def stop() -> bool:
        calls["stop"] += 1
        return False

    def progress() -> None:
        calls["progress"] += 1
        if calls["progress"] == 2:
            raise TimeoutError("enough")

    for arguments in ({"progress": progress}, {"progress": progress, "stop": stop}):
        calls["progress"] = 0
        with pytest.raises(TimeoutError, match="enough"):
            choose(Board("classic"), 41, **arguments)
        assert calls["progress"] == 2
    assert calls["stop"] == 2


@pytest.mark.parametrize("game", ["max", "classic"])
def test_the_value_stays_the_same_along_the_line_of_each_column(game: str) -> None:
    rng = random.Random(f"lines {game}")
    for _ in range(15):
        board = random_board(rng, rng.randrange(36), game)
        found = choose(board, 6, evaluation="margin", scores=True)
        assert found.scores is not None
        assert found.lines is not None
        for column, (score, line) in enumerate(zip(found.scores, found.lines, strict=True), start=1):
            if score is None:
                assert line == []
                continue
            assert line[0] == column
            following, sign = board.copy(), 1
            for plies, drop in enumerate(line, start=1):
                following.drop(drop)
                sign = -sign
                if plies == found.depth or following.is_over():
                    break
                left = choose(following, found.depth - plies, evaluation="margin")
                assert left.value is not None
                assert sign * left.value == score, (board, line, plies)


def test_each_completed_depth_is_reported() -> None:
    told: list[maxconnect4.Choice] = []
    last = choose(Board(), 7, on_depth=told.append)
    assert [choice.depth for choice in told] == [1, 2, 3, 4, 5, 6, 7]
    assert [choice.column for choice in told] == [choose(Board(), depth).column for depth in range(1, 8)]
    assert all(0 <= choice.table_permille <= 1000 for choice in told)
    assert (told[-1].column, told[-1].value, told[-1].nodes) == (last.column, last.value, last.nodes)


def test_what_is_raised_when_a_depth_is_finished_stops_the_search() -> None:
    told = []

    def enough(choice: maxconnect4.Choice) -> None:
        told.append(choice.depth)
        if choice.depth == 3:
            raise TimeoutError("enough")

    with pytest.raises(TimeoutError, match="enough"):
        choose(Board(), on_depth=enough)
    assert told == [1, 2, 3]


def test_a_search_keeps_to_its_nodes_and_never_finds_less_than_one_ply() -> None:
    for nodes in (1, 50, 5_000, 123_456):
        found = choose(Board(), nodes=nodes)
        assert found.depth >= 1
        assert found.nodes <= nodes + 7 * 8  # those next to the horizon are counted together
        assert found.value == choose(Board(), found.depth).value
    for nodes in (0, -1, 1 << 64):
        with pytest.raises(ValueError, match="nodes"):
            choose(Board(), nodes=nodes)


def test_a_small_table_is_reported_as_full() -> None:
    told: list[maxconnect4.Choice] = []
    choose(Board(), 12, table_bytes=1 << 14, on_depth=told.append)
    assert told[-1].table_permille > 900
