"""Who wins after each column of the classic game. No solver knows it, so a search looks ever deeper, and settles what
it can in its time."""

from __future__ import annotations

import time

from ..board import NAMES, other
from ..search import CLASSIC_WIN, choose, moves_to_win
from .analysis import best_in_words, progress_facts
from .margins import outcome
from .positions import CELLS, result
from .searches import TimeUp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..board import Board
    from .analysis import Facts
    from .searches import Search

TABLE_BYTES = 32 << 20  # more does not help within seconds


def deepened(board: Board, search: Search) -> Facts:
    """What can be seen in the time that there is."""
    start, nodes, depth = time.perf_counter(), 0, 0
    scores: list[int | None] = [None] * board.width
    last = _facts(board, scores, 0)
    try:
        while not last["exact"]:
            depth += 1
            # This evaluation gives 0 to all that is not decided, so that only wins and losses count.
            found = choose(board, depth, evaluation="margin", scores=True, table_bytes=TABLE_BYTES, watch=search.check)
            assert found.scores is not None
            nodes += found.nodes
            last = _facts(board, found.scores, depth, nodes, time.perf_counter() - start)
            search.tell({name: last[name] for name in ("value", "columns", "nodes", "seconds")})
    except TimeUp:
        pass
    return last


def _facts(board: Board, scores: list[int | None], depth: int, nodes: int = 0, seconds: float = 0.0) -> Facts:
    """What these scores of a search so deep tell: a win or a loss is settled, and at the end of the game all is."""
    to_the_end = depth >= CELLS - board.pieces() or board.is_over()
    open_columns = board.columns()
    settled = {
        column: score
        for column, score in enumerate(scores, start=1)
        if score is not None and (score or to_the_end) and column in open_columns
    }
    all_settled = len(settled) == len(open_columns)
    top = max(settled.values(), default=0)
    best = [column for column, score in settled.items() if score == top] if top > 0 or all_settled else []
    columns = [
        None if column not in open_columns else _outcome(board, settled.get(column)) for column in board.all_columns()
    ]
    if board.is_over():
        value = outcome({None: 0, board.to_move: 1}.get(board.winner(), -1))
    else:
        value = _outcome(board, top if best else None)
    return progress_facts(value, columns, nodes, seconds) | {
        "best": best,
        "line": None,
        "exact": all_settled,
        "source": "search",
        "words": result(board) or _in_words(board, top if best else None, best, depth),
    }


def _outcome(board: Board, score: int | None) -> Facts:
    if score is None:
        return outcome(None)
    return outcome(sign(score), moves_to_win(board, score) if sign(score) else None)


def sign(score: int) -> int:
    """Whether a search that settled the game found it won (1), drawn (0) or lost (-1), whatever its evaluation."""
    return 0 if abs(score) < CLASSIC_WIN - CELLS else 1 if score > 0 else -1


def _in_words(board: Board, score: int | None, best: list[int], depth: int) -> str:
    looked = f"Looked {depth} pl{'y' if depth == 1 else 'ies'} ahead."
    if score is None:
        return f"Nothing is decided yet. {looked}"
    return f"{decided(board, score)} {best_in_words(board, best)} {looked}"


def decided(board: Board, score: int) -> str:
    """How the classic game ends with best play, in words."""
    if not sign(score):
        return "With best play the game is a draw."
    winner = board.to_move if score > 0 else other(board.to_move)
    moves = moves_to_win(board, score)
    return f"{NAMES[winner].capitalize()} wins in {moves} move{'s' * (moves != 1)}."
