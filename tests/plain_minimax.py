"""The definition that the search is held against: every evaluation and minimax, plain and slow."""

from __future__ import annotations

from plain_best import best

from maxconnect4 import GREEN, RED, Board
from maxconnect4.board import opponent
from maxconnect4.search import CLASSIC_WIN

Stacks = tuple[tuple[int, ...], ...]  # the pieces of each column


def minimax_choice(board: Board, depth: int, evaluation: str) -> tuple[int, int]:
    """The column that minimax chooses, and its value: nearest the centre of equals, the left one of two as near."""
    scores = column_values(board, depth, evaluation)
    middle = (board.width + 1) / 2
    column = min(scores, key=lambda column: (-scores[column], abs(column - middle), column))
    return column, scores[column]


def column_values(board: Board, depth: int, evaluation: str) -> dict[int, int]:
    searcher = board.to_move
    values = {}
    known: dict[Stacks, int] = {}
    for column in board.columns():
        board.drop(column)
        values[column] = minimax(board, depth - 1, evaluation, searcher, known)
        board.undo()
    return values


def minimax(board: Board, depth: int, evaluation: str, searcher: int, known: dict[Stacks, int] | None = None) -> int:
    """The value for the one who searches: the best of the columns at their turn, the worst at the opponent's.

    Most positions are reached in several orders of the same drops: their values are worked out once, for it is slow.
    """
    pieces = Board.from_rows(board.rows())  # its drops cost less, for it looks for fours only where it is asked to
    return _minimax(pieces, board.game, depth, evaluation, searcher, {} if known is None else known)


def _minimax(board: Board, game: str, depth: int, evaluation: str, searcher: int, known: dict[Stacks, int]) -> int:
    stacks = tuple(map(board.stack, board.all_columns()))
    if stacks in known:
        return known[stacks]
    if board.is_full() or (game == "classic" and board.points(opponent(board.to_move)) > 0):
        value = final_value(board, game, searcher)
    elif depth == 0:
        value = evaluate(board, evaluation, searcher)
    else:
        values = []
        for column in board.columns():
            board.drop(column)
            values.append(_minimax(board, game, depth - 1, evaluation, searcher, known))
            board.undo()
        value = max(values) if board.to_move == searcher else min(values)
    known[stacks] = value
    return value


def final_value(board: Board, game: str, player: int) -> int:
    """A finished game: the true margin; in the classic game a win, the sooner the better."""
    margin = board.margin(player)
    if game == "max" or margin == 0:
        return margin
    return (CLASSIC_WIN - board.pieces()) * (1 if margin > 0 else -1)


def as_score(board: Board, value: int) -> int:
    """The exact value of a search of the classic game as solvers count: by the pieces that the winner has left."""
    left = (board.width * board.height - (CLASSIC_WIN - abs(value))) // 2 + 1
    return 0 if value == 0 else left if value > 0 else -left


def evaluate(board: Board, evaluation: str, player: int) -> int:
    full = board.is_full()
    rival = opponent(player)
    margin = board.margin(player)
    match evaluation:
        case "margin":
            return margin
        case "sign" if full:
            return 1000 * margin + 500 * (threes(board, player) - threes(board, rival))
        case "sign":
            return 999 * ((margin > 0) - (margin < 0))
        case "table":
            return board.points(player) + table_sum(board, player) - table_sum(board, rival)
        case "table138":
            table = table_sum(board, GREEN) - table_sum(board, RED)
            return 138 + table + 2 * board.points(player) - board.points(rival)
        case "lines" if full:
            return 1_000_000 * ((margin > 0) - (margin < 0))
        case "lines":
            worth = {4: 1000, 3: 50, 2: 10}
            return sum(
                worth.get(own, 0) if theirs == 0 else -worth.get(theirs, 0) if own == 0 else 0
                for own, theirs in contents(board, player)
            )
        case "best":
            return margin if full else best(board, player)
        case "windows":
            worth = {4: 100_000, 3: 1000, 2: 100, 1: 10}
            return sum(
                5 if (own, theirs) == (0, 0) else worth[own] if theirs == 0 else -worth[theirs] if own == 0 else 0
                for own, theirs in contents(board, player)
            )
    raise AssertionError(evaluation)


def contents(board: Board, player: int) -> list[tuple[int, int]]:
    """For each line of four: how many pieces of the player and of the opponent it holds."""
    own, theirs = board.cells_of(player), board.cells_of(opponent(player))
    return [(len(own.intersection(line)), len(theirs.intersection(line))) for line in board.windows()]


def threes(board: Board, player: int) -> int:
    """Three pieces in a row in any direction, each such row counted."""
    count = 0
    for column in board.all_columns():
        for row in range(1, board.height + 1):
            for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(column + step * right, row + step * up) for step in range(3)]
                if all(c <= board.width and 1 <= r <= board.height for c, r in cells):
                    count += all(board.cell(c, r) == player for c, r in cells)
    return count


def table_sum(board: Board, player: int) -> int:
    """The number of lines through each piece of a player, added up."""
    own = board.cells_of(player)
    return sum(len(own.intersection(line)) for line in board.windows())


def cells_left(board: Board) -> int:
    return board.width * board.height - board.pieces()
