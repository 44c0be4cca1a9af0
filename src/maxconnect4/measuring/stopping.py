"""When a player is asked for no deeper search."""

from __future__ import annotations

from ..referee.faults import TIME_OUTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..referee.limits import Limits
    from .moves import Moved

CLEARLY = 1.1  # times what a move that was ended had, which no two that are ended by the same limit differ by
FAILURES_IN_A_ROW = 3  # depths without any move, after which the deeper ones are not tried


def why_stopped(by_depth: Mapping[int, Sequence[Moved]], limit: float) -> str:
    """Why nothing deeper is tried after these depths; "" if there is no reason to stop."""
    failed: list[int] = []
    for depth, moves in sorted(by_depth.items()):
        for moved in moves:
            if moved.fault in TIME_OUTS:
                return f"depth {depth} was given up: {moved.detail}"
            if moved.cpu_seconds > limit:
                return f"depth {depth} took over {limit:g} s"
        failed = [] if any(moved.column for moved in moves) else [*failed, depth]
        if len(failed) == FAILURES_IN_A_ROW:
            return f"no move at depths {failed[0]} to {failed[-1]}"
    return ""


def may_go_further(moved: Moved, limits: Limits) -> bool:
    """Whether a move that was ended for its time is worth asking for again: now it would have clearly more."""
    if moved.fault == "time-out":
        return limits.seconds > CLEARLY * moved.seconds
    return moved.fault == "CPU time-out" and limits.cpu_seconds > CLEARLY * moved.cpu_seconds
