"""A game move by move, as the interface tells it."""

from __future__ import annotations

from ..board import GREEN, NAMES, RED
from ..review import review

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..board import Board
    from ..review import Review, ReviewedMove, Summary
    from ..solver import Solver
    from .searches import Search


def reviewed(board: Board, solver: Solver, search: Search) -> dict[str, Any]:
    """What each move gave away."""
    found = review(board, solver, progress=lambda done, total: search.tell({"done": done, "total": total}))
    return {
        "values": found.values(),
        "margins": found.margins,
        "moves": [_move(move) for move in found.moves],
        "players": [_player(found.summary(player)) for player in (RED, GREEN)],
        "words": _in_words(found),
    }


def _move(move: ReviewedMove) -> dict[str, Any]:
    names = ("number", "player", "column", "before", "after", "given_away", "best")
    return {name: getattr(move, name) for name in names} | {"words": _move_in_words(move)}


def _move_in_words(move: ReviewedMove) -> str:
    words = f"{NAMES[move.player].capitalize()} drops in column {move.column}"
    if not move.given_away:
        return f"{words}, which is perfect."
    return f"{words} and gives away {_points(move.given_away)}; best was column {' or '.join(map(str, move.best))}."


def _player(summary: Summary) -> dict[str, Any]:
    return {
        "moves": summary.moves,
        "mistakes": summary.mistakes,
        "given_away": summary.given_away,
        "perfect_share": summary.perfect_share,
        "worst": summary.worst and summary.worst.number,
    }


def _in_words(found: Review) -> str:
    words = []
    for player in (RED, GREEN):
        summary, name = found.summary(player), NAMES[player].capitalize()
        if summary.mistakes:
            mistakes = f"{summary.mistakes} mistake{'s' * (summary.mistakes > 1)}"
            words.append(f"{name} gave away {_points(summary.given_away)} in {mistakes}.")
        elif summary.moves:
            words.append(f"{name} played perfectly.")
    return " ".join(words)


def _points(number: int) -> str:
    return f"{number} point{'s' * (number > 1)}"
