"""What the value of a position means: who wins, when a classic game ends, and that in words. See `solver.Analysis`."""

from __future__ import annotations

from .board import GREEN, HEIGHT, NAMES, WIDTH, other

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .board import Board


def with_perfect_play(board: Board, value: int) -> str:
    """How a game ends that is worth so much to the side to move."""
    if value == 0:
        return "the game is a draw"
    winner = NAMES[board.to_move if value > 0 else other(board.to_move)]
    if board.game == "max":
        return f"{winner} wins by {abs(value)}"
    moves = moves_to_win(board, value)
    return f"{winner} wins with its {ordinal(moves) + ' move from now' if moves > 1 else 'next move'}"


def best_in_words(board: Board, columns: list[int]) -> str:
    """The columns that are as good as each other."""
    if len(columns) == len(board.columns()) > 1:
        return "Every column is as good as the others."
    *others, last = map(str, columns)
    return f"Best: column {', '.join(others)} or {last}." if others else f"Best: column {last}."


def ply_of_end(board: Board, value: int) -> int | None:
    """How many pieces will be on the board when a classic game with a value ends, None for a draw."""
    if value == 0:
        return None
    winner = board.to_move if value > 0 else other(board.to_move)
    cells = board.width * board.height
    last = cells if (cells % 2 == 0) == (winner == GREEN) else cells - 1  # the winner's last piece on a full board
    return last - 2 * (abs(value) - 1)


def worth_of_four(pieces: int) -> int:
    """What a classic game is worth to the player whose four ends it, with so many pieces on the usual board."""
    return (WIDTH * HEIGHT - pieces) // 2 + 1


def moves_to_win(board: Board, value: int) -> int:
    """How many moves of the winner's own a classic game still takes that is won or lost, the last one counted."""
    end = ply_of_end(board, value)
    if end is None:
        raise ValueError("nobody wins a game that is a draw")
    return (end - board.pieces() + 1) // 2


def sign(value: int) -> int:
    """Whether a game is won (1), drawn (0) or lost (-1)."""
    return (value > 0) - (value < 0)


def win_draw_or_loss(value: int) -> str:
    """The same in a word."""
    return "win" if value > 0 else "loss" if value < 0 else "draw"


def signed(margin: int) -> str:
    """A margin with its sign."""
    return f"{margin:+}" if margin else "0"


def ordinal(number: int) -> str:
    """Which one it is: 1st, 2nd, 3rd, 4th."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
