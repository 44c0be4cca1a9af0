"""What an analysis has found, as JSON has it."""

from __future__ import annotations

from ...board import GREEN, RED
from ...outcomes import ply_of_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...board import Board
    from ...solver import Analysis


def facts_of(board: Board, analysis: Analysis) -> dict[str, Any]:
    """All that is known of a position."""
    facts = {
        "game": board.game,
        "size": [board.width, board.height],
        "moves": board.moves,
        "to_move": board.to_move,
        "points": [board.points(RED), board.points(GREEN)],
        "value": analysis.value,
        "scores": analysis.scores,
        "best": analysis.best,
        "line": line_of(analysis),
        "nodes": analysis.nodes,
        "cpu_seconds": analysis.cpu_seconds,
        "seconds": analysis.seconds,
        "source": analysis.source,
    }
    if board.game == "classic":
        facts["pieces_at_end"] = ply_of_end(board, analysis.value) or board.width * board.height
    return facts


def line_of(analysis: Analysis) -> str | None:
    """The best line as a move string, if there is one."""
    return None if analysis.line is None else "".join(map(str, analysis.line))
