"""What a position is worth with perfect play, and each of its columns."""

from __future__ import annotations

from ...board import NAMES
from ...outcomes import moves_to_win, signed, win_draw_or_loss, with_perfect_play

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...board import Board

WORTH = {"max": "margin", "classic": "score"}  # what the value of a game is called


def value_in_words(board: Board, value: int) -> str:
    """Whose turn it is, and what the game comes to."""
    outcome = with_perfect_play(board, value) + (f": score {signed(value)}" if board.game == "classic" else "")
    return f"{NAMES[board.to_move].capitalize()} is to move. With perfect play {outcome}."


def columns_text(board: Board, scores: list[int | None]) -> str:
    """The value of each column, and what the game then comes to."""
    rows = [
        ["column", *map(str, board.all_columns())],
        [WORTH[board.game], *("full" if score is None else signed(score) for score in scores)],
        ["result", *("" if score is None else win_draw_or_loss(score) for score in scores)],
    ]
    if board.game == "classic" and any(scores):
        rows.append(["in moves", *(str(moves_to_win(board, score)) if score else "" for score in scores)])
    width = max(len(row[0]) for row in rows)
    return "\n".join((f"{row[0]:<{width}}" + "".join(f"{cell:>6}" for cell in row[1:])).rstrip() for row in rows)
