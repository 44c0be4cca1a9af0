"""What a game that is over is worth to a player: whether it is won, or by how many points."""

from __future__ import annotations

from ..outcomes import sign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..board import Board

REWARDS = ("winner", "margin")


def checked_rewards(rewards: str) -> str:
    """A kind of rewards, if it is one."""
    if rewards not in REWARDS:
        raise ValueError(f"'{rewards}' is not a kind of rewards: choose {' or '.join(REWARDS)}")
    return rewards


def reward(board: Board, player: int, rewards: str) -> int:
    """1, 0 or -1 by the winner, or the margin in points; 0 while the game goes on."""
    if not board.is_over():
        return 0
    margin = board.margin(player)
    return margin if rewards == "margin" else sign(margin)
