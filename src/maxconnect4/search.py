"""The searching player: depth-limited minimax, done by the compiled core. The only module that imports it."""

from __future__ import annotations

import time

from . import _core
from .board import GREEN, RED, Board, check_player, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EVALUATIONS = ("best", "lines", "margin", "sign", "table", "table138", "windows")
DEFAULT_EVALUATION = {"max": "best", "classic": "windows"}
DEFAULT_DEPTH = {"max": 8, "classic": 5}
CLASSIC_WIN: int = _core.CLASSIC_WIN  # a won classic game is worth this less the number of pieces when it is won
CoreAnalysis = _core.Analysis  # these two are for solver.py
CoreSolver = _core.Solver
TABLE_BYTES = 256 << 20  # the transposition table grows with the search, up to this


class Choice:
    """A column that the search has chosen, and what it found out on the way."""

    __slots__ = {
        "column": "The column, from 1 at the left.",
        "cpu_seconds": "The CPU time that it took.",
        "depth": "The number of plies that were searched.",
        "exact": "Whether it is the value of the game itself: the end was reached, or a classic win or loss was found.",
        "lines": "For each column what best play goes on with, itself first, as far as the search remembers; empty if "
        "it has no value of its own.",
        "nodes": "How many positions were looked at.",
        "scores": "The value of each column from left to right, None for a full one; only if asked for.",
        "source": 'Where it comes from: "search" or "book".',
        "table_permille": "How full the transposition table is, in thousandths of what it may take; told while the "
        "search goes on.",
        "value": "What minimax gives the side to move, in the units of the evaluation; if `exact`, the final margin, "
        "in the classic game a large number less the pieces on the board when it is won.",
    }

    def __init__(
        self,
        column: int,
        value: int | None = None,
        depth: int = 0,
        nodes: int = 0,
        cpu_seconds: float = 0.0,
        scores: list[int | None] | None = None,
        exact: bool = False,
        source: str = "search",
        lines: list[list[int]] | None = None,
        table_permille: int = 0,
    ) -> None:
        self.column = column
        self.value = value
        self.depth = depth
        self.nodes = nodes
        self.cpu_seconds = cpu_seconds
        self.scores = scores
        self.exact = exact
        self.source = source
        self.lines = lines
        self.table_permille = table_permille

    def __repr__(self) -> str:
        return f"<Choice of column {self.column}, value {self.value} at depth {self.depth}, {self.nodes:,} nodes>"


def win_in(board: Board, value: int) -> int | None:
    """How many moves of the winner's own a classic game still takes that a search finds won or lost with a value.

    None if it finds neither.
    """
    pieces = CLASSIC_WIN - abs(value)
    if board.game != "classic" or pieces > board.width * board.height:
        return None
    return (pieces - board.pieces() + 1) // 2


def choose(
    board: Board,
    depth: int | None = None,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    evaluation: str | None = None,
    scores: bool = False,
    table_bytes: int = TABLE_BYTES,
    watch: Callable[[], None] | None = None,
    finished: Callable[[Choice], None] | None = None,
) -> Choice:
    """The column that minimax chooses for the side to move.

    >>> choose(Board(), depth=6).column
    4

    `depth` is the number of plies to look ahead, the own move being the first. With `seconds` or `nodes` the search
    deepens until so much is used; with none of the three it looks 8 plies ahead, 5 in the classic game. As many plies
    as there are empty cells are perfect play, for which nobody waits early in the game: `Solver` is the one to ask.
    Of columns with equal values the one nearest the centre is chosen, and the left one of two as near.

    `evaluation` is one of EVALUATIONS, by default "best", in the classic game "windows". `scores` asks for the value
    of every column, not only the best. `table_bytes` is the most that the transposition table may take. `watch` is
    called ten times a second, and `finished` with what each depth has found; what they raise stops the search.

    It knows boards of 7 columns and 6 rows, and of 6 and 5.
    """
    evaluation = DEFAULT_EVALUATION[board.game] if evaluation is None else evaluation
    check_evaluation(evaluation)
    board.check_goes_on()
    if board.width * (board.height + 1) > 64:
        raise ValueError(f"a board of {board.width} columns and {board.height} rows is not built in")
    if seconds is not None and not seconds > 0:
        raise ValueError(f"{seconds} seconds is no time to search in")
    if nodes is not None and not 0 < (nodes := whole(nodes, "a number of nodes")) < 1 << 64:
        raise ValueError(f"{nodes} nodes is no number of nodes to search")
    cells = board.width * board.height
    if depth is None:
        depth = DEFAULT_DEPTH[board.game] if seconds is None and nodes is None else cells
    depth = _checked_depth(depth)
    table_bytes = whole(table_bytes, "a size of the table in bytes")
    if table_bytes < 0:
        raise ValueError(f"a table of {table_bytes} bytes is negative")
    if depth == 0:
        nearest = next(column for column in board.from_the_centre() if column in board.columns())
        return Choice(nearest, scores=[None] * board.width if scores else None)
    red, green = as_bits(board, RED), as_bits(board, GREEN)
    limit = float("inf") if seconds is None else seconds
    depth = min(depth, cells)
    start = time.process_time()

    def as_choice(found: _core.Choice) -> Choice:
        return Choice(
            found.column + 1,
            found.value,
            found.depth,
            found.nodes,
            round(time.process_time() - start, 6),
            found.scores if scores else None,
            found.exact,
            lines=[[column + 1 for column in line] for line in found.lines],
            table_permille=found.table_permille,
        )

    found = _core.choose(
        board.width,
        board.height,
        board.game == "classic",
        red,
        green,
        evaluation,
        depth,
        limit,
        nodes or 0,
        scores,
        table_bytes,
        watch,
        finished and (lambda found: finished(as_choice(found))),
    )
    return as_choice(found)


def evaluate(board: Board, evaluation: str | None = None, player: int | None = None) -> int:
    """What an evaluation gives for a position, without any search, in the view of a player.

    By default it is "best", or in the classic game "windows", and the side to move.

    >>> evaluate(board_from_moves("4455"), "lines")
    0
    """
    evaluation = DEFAULT_EVALUATION[board.game] if evaluation is None else evaluation
    player = board.to_move if player is None else player
    check_evaluation(evaluation)
    check_player(player)
    red, green = as_bits(board, RED), as_bits(board, GREEN)
    return _core.evaluate(board.width, board.height, red, green, evaluation, player == RED)


def check_evaluation(name: str) -> None:
    """Refuse what is none of the evaluations."""
    if name not in EVALUATIONS:
        raise ValueError(f"{name!r} is not an evaluation: choose one of {', '.join(EVALUATIONS)}")


def perft(board: Board, depth: int) -> int:
    """How many ways there are to play so many plies on from a position.

    >>> perft(Board(), 4)
    2401
    """
    depth = _checked_depth(depth)
    if depth > 8:  # in steps that Ctrl-C can come between
        return sum(perft(following, depth - 1) for following in _followers(board))
    classic = board.game == "classic"
    return _core.perft(board.width, board.height, classic, as_bits(board, RED), as_bits(board, GREEN), depth)


def _checked_depth(depth: int) -> int:
    depth = whole(depth, "a depth")
    if depth < 0:
        raise ValueError(f"depth {depth} is negative")
    return depth


def _followers(board: Board) -> Iterator[Board]:
    for column in board.columns():
        following = board.copy()
        following.drop(column)
        yield following


def as_bits(board: Board, player: int) -> int:
    """The pieces of a player as the core takes them: bit (column - 1) * (height + 1) + (row - 1)."""
    bits = 0
    for column in board.all_columns():
        for row, piece in enumerate(board.stack(column), start=1):
            if piece == player:
                bits |= 1 << ((column - 1) * (board.height + 1) + row - 1)
    return bits
