"""Values as the interface tells them: what is known, what to show, and whether it is good or bad."""

from __future__ import annotations

from ..board import NAMES, other
from ..solver import OUT_OF_SIGHT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..board import Board


def margin(low: int, high: int) -> dict[str, Any]:
    """Where a final margin lies, in the view of the side to move."""
    ends = [end if abs(end) < OUT_OF_SIGHT else None for end in (low, high)]
    shown = ["?" if end is None else signed(end) for end in ends]
    label = shown[0] if shown[0] == shown[1] else "..".join(shown)
    return {"low": ends[0], "high": ends[1], "label": label, "tone": _tone(low, high)}


def outcome(value: int | None, moves: int | None = None) -> dict[str, Any]:
    """How the classic game ends for the side to move: won 1, drawn 0, lost -1, in so many moves; None if unknown."""
    if value is None:
        return {"low": None, "high": None, "label": "?", "tone": "unknown"}
    label = {1: "win", 0: "draw", -1: "loss"}[value]
    if moves is not None:
        label += f" in {moves}"
    return {"low": value, "high": value, "label": label, "tone": _tone(value, value)}


def signed(value: int) -> str:
    """A margin with its sign."""
    return f"{value:+}" if value else "0"


def perfect_play(board: Board, value: int) -> str:
    """What perfect play comes to, in words."""
    if value == 0:
        return "With perfect play the game is a draw."
    winner = board.to_move if value > 0 else other(board.to_move)
    return f"With perfect play {NAMES[winner]} wins by {abs(value)}."


def _tone(low: int, high: int) -> str:
    return "win" if low > 0 else "loss" if high < 0 else "draw" if low == high == 0 else "unknown"
