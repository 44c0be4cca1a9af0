"""Analyses, reviews and computer moves for the page: the functions that run in the thread of a job."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from typing import Literal

from ..board import GREEN, RED, Board
from ..errors import SearchStopped
from ..players import PerfectPlayer
from ..reasons import Reason, find_reason, points_along
from ..review import Review, ReviewedMove, move_text, review, summary_text
from ..scores import format_best_columns, format_result, format_signed, moves_to_win, sign
from ..search import Choice, choose, classic_score, win_in
from ..solver import NO_BOUND, Progress, Solver
from .jobs import Job
from .positions import result
from .schemas import (
    AnalysisResponse,
    Bounds,
    ChoiceResponse,
    MoveReview,
    PlayerReview,
    ReasonsResponse,
    ReviewProgress,
    ReviewResponse,
)

TABLE_BYTES = 16 << 20  # of the transposition table of a search by depth; many of them may run at once
UNKNOWN = Bounds(None, None, "?", None, "unknown")
#: Labels of a classic game by the signs of its bounds.
LABELS = {(1, 1): "win", (0, 0): "draw", (-1, -1): "loss", (0, 1): "no loss", (-1, 0): "no win", (-1, 1): "?"}


def bounds(board: Board, low: int, high: int) -> Bounds:
    """Bounds of a value, from the point of view of the side to move."""
    tone: Literal["win", "draw", "loss", "unknown"]
    tone = "win" if low > 0 else "loss" if high < 0 else "draw" if low == high == 0 else "unknown"
    ends, label = _classic_bounds(board, low, high) if board.game == "classic" else _margin_bounds(low, high)
    return Bounds(*ends, label, low if low == high else None, tone)


def _margin_bounds(low: int, high: int) -> tuple[tuple[int | None, int | None], str]:
    ends = [end if abs(end) < NO_BOUND else None for end in (low, high)]
    shown = ["?" if end is None else format_signed(end) for end in ends]
    return (ends[0], ends[1]), shown[0] if shown[0] == shown[1] else "..".join(shown)


def _classic_bounds(board: Board, low: int, high: int) -> tuple[tuple[int | None, int | None], str]:
    """The bounds as win 1, draw 0 or loss -1, and the label, with the number of moves once it is exact."""
    lower, upper = sign(low), sign(high)
    label = LABELS[lower, upper]
    if low == high != 0 and not board.is_over():
        label += f" in {moves_to_win(board, low)}"
    # A lower bound of a loss and an upper bound of a win hold for every position.
    return (None if lower == -1 < upper else lower, None if upper == 1 > lower else upper), label


def analyse(board: Board, solver: Solver, job: Job[AnalysisResponse], seconds: float) -> AnalysisResponse:
    """Compute the exact value of every column, or its bounds if the time limit of `seconds` is over."""
    try:
        found = solver.analyse(
            board, stop=job.stopped, progress=lambda progress: job.publish(_partial_analysis(board, progress))
        )
    except SearchStopped as error:
        if job.cancelled:
            raise
        partial = _partial_analysis(board, error.progress)
        values = "margins" if board.game == "max" else "results"
        partial.description = f"Not solved within {seconds:g} seconds; the {values} are within these bounds."
        return partial
    assert found.scores is not None
    assert found.best is not None
    assert found.line is not None
    columns = [None if score is None else bounds(board, score, score) for score in found.scores]
    analysis = _analysis(bounds(board, found.value, found.value), columns, found.nodes, found.seconds)
    analysis.best, analysis.pv = found.best, "".join(map(str, found.line))
    analysis.pv_points = points_along(board, found.line)
    analysis.exact, analysis.source = True, found.source
    analysis.description = result(board) or _analysis_text(board, found.value, found.best)
    return analysis


def _partial_analysis(board: Board, progress: Progress | None) -> AnalysisResponse:
    if progress is None:
        unknown = [UNKNOWN if column in board.columns() else None for column in board.all_columns()]
        return _analysis(UNKNOWN, unknown, 0, 0.0)
    columns = [None if each is None else bounds(board, *each) for each in progress.columns]
    return _analysis(bounds(board, *progress.value), columns, progress.nodes, progress.seconds)


def _analysis(value: Bounds, columns: list[Bounds | None], nodes: int, seconds: float) -> AnalysisResponse:
    return AnalysisResponse(
        value=value.value,
        scores=[None if column is None else column.value for column in columns],
        bounds=value,
        columns=columns,
        best=[],
        pv=None,
        pv_points=[],
        exact=False,
        source="search",
        nodes=nodes,
        seconds=round(seconds, 3),
        description="",
    )


def _analysis_text(board: Board, value: int, best: list[int]) -> str:
    return f"With perfect play {format_result(board, value)}. {format_best_columns(board, best)}"


def explain_columns(board: Board, solver: Solver, job: Job[ReasonsResponse]) -> ReasonsResponse:
    """Find the reason for every column; those that are not found within the time limit are None."""
    best = solver.analyse(board, line=False, stop=job.stopped).best or []
    reasons: list[Reason | None] = [None] * board.width
    for column in board.columns():
        try:
            reasons[column - 1] = find_reason(board, column, best, solver, job.stopped)
        except SearchStopped:
            if job.cancelled:
                raise
    return ReasonsResponse(reasons)


def choose_by_depth(
    board: Board, depth: int, evaluation: str | None, seconds: float, job: Job[ChoiceResponse]
) -> ChoiceResponse:
    """Choose by a search to this depth, or less if the time limit is over first."""
    return choice_response(board, lambda: _search(board, job, seconds, depth, evaluation))


def choose_perfectly(board: Board, solver: Solver, fallback_seconds: float, job: Job[ChoiceResponse]) -> ChoiceResponse:
    """Choose by perfect play, or if that takes too long, by a search of `fallback_seconds`."""

    def choose_column() -> Choice:
        try:
            return PerfectPlayer(solver, stop=job.stopped).choose(board)
        except SearchStopped:
            job.limit(2 * fallback_seconds)
            job.check()  # the job may have been cancelled
            return _search(board, job, fallback_seconds)

    return choice_response(board, choose_column)


def _search(
    board: Board, job: Job[ChoiceResponse], seconds: float, depth: int | None = None, evaluation: str | None = None
) -> Choice:
    """Choose by a search. If it reaches the end of a classic game, its value is converted to the solver's score."""
    found = choose(board, depth, seconds=seconds, evaluation=evaluation, table_bytes=TABLE_BYTES, stop=job.stopped)
    if found.exact and board.game == "classic" and found.value is not None:
        found.value = classic_score(board, found.value) or 0
    return found


def choice_response(board: Board, choose_column: Callable[[], Choice]) -> ChoiceResponse:
    """Choose a column and measure the wall-clock time."""
    start = time.perf_counter()
    choice = choose_column()
    return ChoiceResponse(
        column=choice.column,
        value=choice.value,
        depth=choice.depth,
        nodes=choice.nodes,
        seconds=round(time.perf_counter() - start, 3),
        exact=choice.exact,
        source=choice.source,
        description=_choice_text(board, choice),
    )


def _choice_text(board: Board, choice: Choice) -> str:
    text = f"Column {choice.column}"
    if choice.exact and choice.value is not None:
        return f"{text}. With perfect play {format_result(board, choice.value)}."
    if choice.depth:
        text += f", found by a search to depth {choice.depth}"
        if board.game == "classic" and choice.value is not None and win_in(board, choice.value) is None:
            text += ", which found neither a win nor a loss"
    return f"{text}."


def review_game(board: Board, solver: Solver, job: Job[ReviewResponse]) -> ReviewResponse:
    """Compute the regret of every move of a game."""
    found = review(
        board,
        solver,
        reasons=True,
        stop=job.stopped,
        progress=lambda done, total: job.publish(ReviewProgress(done, total)),
    )
    moves = [
        _move(move, abs(after - before))
        for move, (before, after) in zip(found.moves, pairwise(found.margins), strict=True)
    ]
    return ReviewResponse(found.values(), found.margins, moves, _player(found, RED), _player(found, GREEN))


def _move(move: ReviewedMove, points: int) -> MoveReview:
    return MoveReview(
        number=move.number,
        player=move.player,
        column=move.column,
        before=move.before,
        after=move.after,
        regret=move.regret,
        mistake=move.mistake,
        best=move.best,
        source=move.source,
        choices=move.choices,
        reason=move.reason,
        description=move_text(move, points),
    )


def _player(found: Review, player: int) -> PlayerReview:
    summary = found.summary(player)
    return PlayerReview(
        moves=summary.moves,
        forced=summary.forced,
        perfect=summary.perfect,
        mistakes=summary.mistakes,
        regret=summary.regret,
        perfect_share=summary.perfect_share,
        detours=summary.detours,
        worst=None if summary.worst is None else summary.worst.number,
        description=summary_text(found, player),
    )
