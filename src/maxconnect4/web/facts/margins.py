"""Values as the interface tells them: what is known, what to show, and whether it is good or bad."""

from __future__ import annotations

from ...outcomes import moves_to_win, sign, signed
from ...solver import OUT_OF_SIGHT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...board import Board


#: What is known of a classic game by the signs of its bounds.
OUTCOMES = {
    (1, 1): "win",
    (0, 0): "draw",
    (-1, -1): "loss",
    (0, 1): "no loss",
    (-1, 0): "no win",
    (-1, 1): "?",
}


def worth(board: Board, low: int, high: int) -> dict[str, Any]:
    """Between which bounds the value of a game lies, in the view of the side to move."""
    score = low if low == high else None
    facts = _outcome(board, low, high) if board.game == "classic" else _margin(low, high)
    return {**facts, "score": score, "tone": _tone(low, high)}


def unknown() -> dict[str, Any]:
    """A value of which nothing is known."""
    return {"low": None, "high": None, "label": "?", "score": None, "tone": "unknown"}


def _margin(low: int, high: int) -> dict[str, Any]:
    """Where a final margin lies."""
    ends = [end if abs(end) < OUT_OF_SIGHT else None for end in (low, high)]
    shown = ["?" if end is None else signed(end) for end in ends]
    label = shown[0] if shown[0] == shown[1] else "..".join(shown)
    return {"low": ends[0], "high": ends[1], "label": label}


def _outcome(board: Board, low: int, high: int) -> dict[str, Any]:
    """How the classic game ends: won 1, drawn 0, lost -1, and in how many moves once that is known."""
    worst, best = sign(low), sign(high)
    label = OUTCOMES[worst, best]
    if low == high != 0 and not board.is_over():
        label += f" in {moves_to_win(board, low)}"
    return {
        "low": None if worst == -1 < best else worst,  # a loss at the worst, of which that says nothing
        "high": None if best == 1 > worst else best,
        "label": label,
    }


def _tone(low: int, high: int) -> str:
    return "win" if low > 0 else "loss" if high < 0 else "draw" if low == high == 0 else "unknown"
