"""Depth-limited search: minimax with alpha-beta, evaluations and move counts, done by the compiled core.

No other module imports the core.
"""

from __future__ import annotations

import time

from . import _core
from .board import GREEN, RED, Board, as_int, check_player
from .errors import SearchStopped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


EVALUATIONS = ("best", "lines", "margin", "sign", "table", "table138", "windows")
DEFAULT_EVALUATION = {"max": "best", "classic": "windows"}
DEFAULT_DEPTH = {"max": 8, "classic": 5}
CLASSIC_WIN: int = _core.CLASSIC_WIN  # minus the number of pieces on the board is the value of a win
CoreAnalysis = _core.Analysis  # these three are for solver.py and book.py
CoreBookLayer = _core.BookLayer
CoreSolver = _core.Solver
build_layer = _core.build_layer
TABLE_BYTES = 256 << 20  # the transposition table grows with the search, up to this
SOLVER_TABLE_BYTES = 64 << 10  # the least that `choose` gives to the solver


class Choice:
    """The result of a search: the column to play, its value, and the cost."""

    __slots__ = {
        "column": "The column, from 1 at the left.",
        "cpu_seconds": "The CPU time of the search.",
        "depth": "The depth that was completed, in plies.",
        "exact": "Whether `value` is exact: the search reached the end of the game or a classic win or loss.",
        "lines": "The principal variation of each column, starting with it, up to the end of its table entries; empty "
        "if the column has no exact value.",
        "nodes": "The number of nodes searched.",
        "scores": "The value of each column from left to right, None for a full one; only if requested.",
        "source": 'The source of the value: "search" or "book".',
        "table_permille": "The used part of the transposition table, in thousandths of its limit.",
        "value": "The minimax value for the player to move, in units of the evaluation; if `exact`, the final margin, "
        "or in the classic game a large number minus the pieces on the board at the win.",
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
    """Number of moves the winner still makes, from the value of a classic search; None if it is not a win or loss."""
    pieces = CLASSIC_WIN - abs(value)
    if board.game != "classic" or pieces > board.width * board.height:
        return None
    return (pieces - board.pieces() + 1) // 2


def classic_score(board: Board, value: int) -> int | None:
    """The score of a win or loss that a classic search has found, as the solver counts; None for any other value."""
    if win_in(board, value) is None:
        return None
    from .scores import sign, value_of_win

    return sign(value) * value_of_win(CLASSIC_WIN - abs(value))


def choose(
    board: Board,
    depth: int | None = None,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    evaluation: str | None = None,
    scores: bool = False,
    table_bytes: int = TABLE_BYTES,
    stop: Callable[[], bool] | None = None,
    progress: Callable[[], None] | None = None,
    on_depth: Callable[[Choice], None] | None = None,
) -> Choice:
    """Choose a column for the player to move by minimax.

    >>> choose(Board(), depth=6).column
    4

    Ties go to the column nearest the centre, and to the left one at the same distance. The search supports boards of
    7x6 and 6x5. At a depth that reaches the end of the game the solver returns the same column and value in less time,
    unless `seconds`, `nodes` or `on_depth` is given.

    Args:
        board: The position.
        depth: The depth in plies. The default is 8 (5 in the classic game), or no limit with `seconds` or `nodes`.
        seconds: The limit on wall-clock time, for iterative deepening.
        nodes: The limit on nodes, for iterative deepening.
        evaluation: One of EVALUATIONS. The default is "best", in the classic game "windows".
        scores: Whether to compute the exact value of every column, not only of the best.
        table_bytes: Size limit of the transposition table in bytes.
        stop: Called ten times a second; the search stops when it returns True.
        progress: Called ten times a second, to display the elapsed time.
        on_depth: Called with the result of each completed depth.

    An exception in a callback, such as KeyboardInterrupt, ends the search and is raised.

    Returns:
        The column with its value, and the cost of the search.

    Raises:
        IllegalMove: If the game is over.
        SearchStopped: If `stop` returned True.
    """
    evaluation = DEFAULT_EVALUATION[board.game] if evaluation is None else evaluation
    check_evaluation(evaluation)
    board.check_not_over()
    if board.width * (board.height + 1) > 64:
        raise ValueError(f"a board of {board.width} columns and {board.height} rows is not built in")
    if seconds is not None and not seconds > 0:
        raise ValueError(f"a time limit of {seconds} seconds is not positive")
    if nodes is not None and not 0 < (nodes := as_int(nodes, "a number of nodes")) < 1 << 64:
        raise ValueError(f"a limit of {nodes} nodes is not from 1 to 2**64 - 1")
    cells = board.width * board.height
    if depth is None:
        depth = DEFAULT_DEPTH[board.game] if seconds is None and nodes is None else cells
    depth = _checked_depth(depth)
    table_bytes = as_int(table_bytes, "a size of the table in bytes")
    if table_bytes < 0:
        raise ValueError(f"a table of {table_bytes} bytes is negative")
    if depth == 0:
        nearest = next(column for column in board.from_the_centre() if column in board.columns())
        return Choice(nearest, scores=[None] * board.width if scores else None)
    red, green = as_bits(board, RED), as_bits(board, GREEN)
    limit = float("inf") if seconds is None else seconds
    start = time.process_time()
    empty = cells - board.pieces()
    if depth >= empty and seconds is None and nodes is None and on_depth is None:
        return _solve(board, scores, table_bytes, stop, progress)
    depth = min(depth, empty)

    def as_choice(result: _core.Choice) -> Choice:
        return Choice(
            result.column + 1,
            result.value,
            result.depth,
            result.nodes,
            round(time.process_time() - start, 6),
            result.scores if scores else None,
            result.exact,
            lines=[[column + 1 for column in line] for line in result.lines],
            table_permille=result.table_permille,
        )

    def check() -> None:
        if stop is not None and stop():
            raise SearchStopped
        if progress is not None:
            progress()

    result = _core.choose(
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
        None if stop is None and progress is None else check,
        on_depth and (lambda result: on_depth(as_choice(result))),
    )
    return as_choice(result)


def _solve(
    board: Board, scores: bool, table_bytes: int, stop: Callable[[], bool] | None, progress: Callable[[], None] | None
) -> Choice:
    """The choice of a search to the end of the game, with the same values, by the solver."""
    from .scores import ply_of_end
    from .solver import Solver

    def minimax_value(value: int) -> int:
        end = ply_of_end(board, value) if board.game == "classic" else None
        return value if end is None else (CLASSIC_WIN - end) * (1 if value > 0 else -1)

    early = 2 * board.pieces() < board.width * board.height  # loading the book takes longer than a late search
    solver = Solver(max(table_bytes, SOLVER_TABLE_BYTES), threads=1, book=early)

    def report(_: object) -> None:
        if progress is not None:
            progress()

    if scores:
        found = solver.analyse(board, line=False, stop=stop, progress=report)
    else:
        found = solver.best_column(board, stop=stop, progress=report)
    assert found.best
    return Choice(
        found.best[0],
        minimax_value(found.value),
        board.width * board.height - board.pieces(),
        found.nodes,
        found.cpu_seconds,
        found.scores and [None if score is None else minimax_value(score) for score in found.scores],
        exact=True,
        source=found.source,
        lines=[found.best[:1] if column == found.best[0] else [] for column in board.all_columns()],
        table_permille=solver.table_permille(),
    )


def evaluate(board: Board, evaluation: str | None = None, player: int | None = None) -> int:
    """Evaluate a position without a search.

    >>> evaluate(board_from_moves("4455"), "lines")
    0

    Args:
        board: The position.
        evaluation: One of EVALUATIONS. The default is "best", in the classic game "windows".
        player: The player for whom the position is evaluated. The default is the player to move.

    Returns:
        The value, in the unit of the evaluation.
    """
    evaluation = DEFAULT_EVALUATION[board.game] if evaluation is None else evaluation
    player = board.to_move if player is None else player
    check_evaluation(evaluation)
    check_player(player)
    red, green = as_bits(board, RED), as_bits(board, GREEN)
    return _core.evaluate(board.width, board.height, red, green, evaluation, player == RED)


def check_evaluation(name: str) -> None:
    """Raise ValueError unless `name` is one of EVALUATIONS."""
    if name not in EVALUATIONS:
        raise ValueError(f"{name!r} is not an evaluation: choose one of {', '.join(EVALUATIONS)}")


def perft(board: Board, depth: int) -> int:
    """Count the move sequences from a position, for tests of a move generator.

    >>> perft(Board(), 4)
    2401

    Args:
        board: The position.
        depth: The number of plies.

    Returns:
        The number of sequences.
    """
    depth = _checked_depth(depth)
    if depth > 8:  # in steps, so that Ctrl-C takes effect
        return sum(perft(successor, depth - 1) for successor in _successors(board))
    classic = board.game == "classic"
    return _core.perft(board.width, board.height, classic, as_bits(board, RED), as_bits(board, GREEN), depth)


def _checked_depth(depth: int) -> int:
    depth = as_int(depth, "a depth")
    if depth < 0:
        raise ValueError(f"depth {depth} is negative")
    return depth


def _successors(board: Board) -> Iterator[Board]:
    for column in board.columns():
        successor = board.copy()
        successor.drop(column)
        yield successor


def as_bits(board: Board, player: int) -> int:
    """The pieces of a player as a bitboard of the core: bit (column - 1) * (height + 1) + (row - 1)."""
    bits = 0
    for column in board.all_columns():
        for row, piece in enumerate(board.stack(column), start=1):
            if piece == player:
                bits |= 1 << ((column - 1) * (board.height + 1) + row - 1)
    return bits
