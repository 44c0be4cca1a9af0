"""Values and scores: the winner and the length of the game that they imply, and their text form.

`solver.Analysis` defines the values of both games.
"""

from __future__ import annotations

from .board import GREEN, HEIGHT, NAMES, WIDTH, Board, opponent


def format_result(board: Board, value: int) -> str:
    """Format the result of the game with perfect play, such as "red wins by 3"."""
    if value == 0:
        return "the game is a draw"
    winner = NAMES[board.to_move if value > 0 else opponent(board.to_move)]
    if board.game == "max":
        return f"{winner} wins by {abs(value)}"
    moves = moves_to_win(board, value)
    return f"{winner} wins {f'in {moves} moves' if moves > 1 else 'with its next move'}"


def format_best_columns(board: Board, columns: list[int]) -> str:
    """Format the list of best columns as a sentence."""
    if len(columns) == len(board.columns()) > 1:
        return "All columns are equally good."
    *others, last = map(str, columns)
    return f"Best: columns {', '.join(others)} and {last}." if others else f"Best: column {last}."


def ply_of_end(board: Board, value: int) -> int | None:
    """Convert the value of a classic position to the length of the game.

    Args:
        board: The position.
        value: Its exact value.

    Returns:
        The number of pieces on the board at the end of the game; None for a draw.
    """
    if value == 0:
        return None
    winner = board.to_move if value > 0 else opponent(board.to_move)
    cells = board.width * board.height
    last = cells if (cells % 2 == 0) == (winner == GREEN) else cells - 1  # the winner's last piece on a full board
    return last - 2 * (abs(value) - 1)


def value_of_win(pieces: int) -> int:
    """Value of a classic game for the player whose four ends it, with this many pieces on a 7x6 board."""
    return (WIDTH * HEIGHT - pieces) // 2 + 1


def moves_to_win(board: Board, value: int) -> int:
    """Number of moves that the winner of a classic game still makes, including the winning one."""
    end = ply_of_end(board, value)
    if end is None:
        raise ValueError("a value of 0 is a draw, which has no winning move")
    return (end - board.pieces() + 1) // 2


def sign(value: int) -> int:
    """Sign of a value: 1 for a win, 0 for a draw, -1 for a loss."""
    return (value > 0) - (value < 0)


def result_name(value: int) -> str:
    """Name of the result of a value: win, draw or loss."""
    return "win" if value > 0 else "loss" if value < 0 else "draw"


def format_signed(margin: int) -> str:
    """Format a value with its sign: +3, -2, 0."""
    return f"{margin:+}" if margin else "0"


VALUE_NAMES = {"max": "margin", "classic": "score"}  # the term for a value in each game


def format_value(board: Board, value: int) -> str:
    """Format the value of a position: the player to move and the result with perfect play."""
    outcome = format_result(board, value) + (f": score {format_signed(value)}" if board.game == "classic" else "")
    return f"{NAMES[board.to_move].capitalize()} to move. With perfect play {outcome}."


def format_scores(board: Board, scores: list[int | None]) -> str:
    """Format the score of every column as a table, with the result after it."""
    rows = [
        ["column", *map(str, board.all_columns())],
        [VALUE_NAMES[board.game], *("full" if score is None else format_signed(score) for score in scores)],
        ["result", *("" if score is None else result_name(score) for score in scores)],
    ]
    if board.game == "classic" and any(scores):
        rows.append(["in moves", *(str(moves_to_win(board, score)) if score else "" for score in scores)])
    width = max(len(row[0]) for row in rows)
    return "\n".join((f"{row[0]:<{width}}" + "".join(f"{cell:>6}" for cell in row[1:])).rstrip() for row in rows)
