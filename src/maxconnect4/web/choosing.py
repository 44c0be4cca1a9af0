"""The computer's choice: by a level, by a depth, or the best that there is."""

from __future__ import annotations

import time

from ..players import PerfectPlayer
from ..search import DEFAULT_EVALUATION, choose
from .classic import decided, sign
from .margins import perfect_play
from .searches import TimeUp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..board import Board
    from ..search import Choice
    from ..solver import Solver
    from .searches import Search

TABLE_BYTES = 16 << 20  # of a search by depth; so many of them may run at once


def by_depth(board: Board, depth: int, evaluation: str | None, seconds: float, search: Search) -> dict[str, Any]:
    """What a search so deep chooses; less deep if its time does not suffice."""

    def ask() -> Choice:
        return choose(
            board,
            depth,
            seconds=seconds,
            evaluation=evaluation or DEFAULT_EVALUATION[board.game],
            table_bytes=TABLE_BYTES,
            watch=search.check,
        )

    return timed(board, ask)


def best(board: Board, solver: Solver, moment: float, search: Search) -> dict[str, Any]:
    """The best that there is: perfect play, or, if that takes too long, what can be seen in a moment."""

    def ask() -> Choice:
        if board.game == "classic":
            return _in_time(board, moment, search)
        try:
            return PerfectPlayer(solver, lambda ask, board: ask(board, progress=search.check)).choose(board)
        except TimeUp:
            return _in_time(board, moment, search)

    return timed(board, ask)


def _in_time(board: Board, seconds: float, search: Search) -> Choice:
    search.allow(2 * seconds)
    return choose(board, seconds=seconds, table_bytes=TABLE_BYTES, watch=search.check)


def timed(board: Board, ask: Callable[[], Choice]) -> dict[str, Any]:
    """A choice as the interface tells it, with the time that it took."""
    start = time.perf_counter()
    choice = ask()
    value = choice.value
    if choice.exact and board.game == "classic" and value is not None:
        value = sign(value)
    return {
        "column": choice.column,
        "value": value,
        "depth": choice.depth,
        "nodes": choice.nodes,
        "seconds": round(time.perf_counter() - start, 3),
        "exact": choice.exact,
        "source": choice.source,
        "words": _in_words(board, choice),
    }


def _in_words(board: Board, choice: Choice) -> str:
    words = f"Column {choice.column}"
    if choice.exact and choice.value is not None:
        known = decided if board.game == "classic" else perfect_play
        return f"{words}. {known(board, choice.value)}"
    if choice.depth:
        words += f", looking {choice.depth} pl{'y' if choice.depth == 1 else 'ies'} ahead"
        if board.game == "classic" and choice.value is not None and not sign(choice.value):
            words += ": neither a win nor a loss is in sight"
    return f"{words}."
