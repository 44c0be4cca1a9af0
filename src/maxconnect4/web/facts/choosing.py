"""The computer's choice: by a level, by a depth, or the best that there is."""

from __future__ import annotations

import time

from ...amounts import how_many
from ...outcomes import sign, with_perfect_play, worth_of_four
from ...players import PerfectPlayer
from ...search import CLASSIC_WIN, choose, win_in
from ..searches import TimeUp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ...board import Board
    from ...search import Choice
    from ...solver import Solver
    from ..searches import Search

TABLE_BYTES = 16 << 20  # of a search by depth; so many of them may run at once


def by_depth(board: Board, depth: int, evaluation: str | None, seconds: float, search: Search) -> dict[str, Any]:
    """What a search so deep chooses; less deep if its time does not suffice."""
    return timed(board, lambda: _searched(board, search, seconds, depth, evaluation))


def best(board: Board, solver: Solver, moment: float, search: Search) -> dict[str, Any]:
    """The best that there is: perfect play, or, if that takes too long, what can be seen in a moment."""

    def ask() -> Choice:
        try:
            return PerfectPlayer(solver, lambda ask, board: ask(board, progress=search.check)).choose(board)
        except TimeUp:
            search.allow(2 * moment)
            return _searched(board, search, moment)

    return timed(board, ask)


def _searched(
    board: Board, search: Search, seconds: float, depth: int | None = None, evaluation: str | None = None
) -> Choice:
    """What a search chooses; if it has come to the end of a classic game, its value is as a solver has it."""
    found = choose(board, depth, seconds=seconds, evaluation=evaluation, table_bytes=TABLE_BYTES, watch=search.check)
    if found.exact and board.game == "classic" and found.value is not None:
        score = 0 if win_in(board, found.value) is None else worth_of_four(CLASSIC_WIN - abs(found.value))
        found.value = sign(found.value) * score
    return found


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
        return f"{words}. With perfect play {with_perfect_play(board, choice.value)}."
    if choice.depth:
        words += f", looking {how_many(choice.depth, 'ply', 'plies')} ahead"
        if board.game == "classic" and choice.value is not None and win_in(board, choice.value) is None:
            words += ": neither a win nor a loss is in sight"
    return f"{words}."
