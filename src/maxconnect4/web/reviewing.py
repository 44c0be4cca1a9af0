"""A game move by move, as the interface tells it."""

from __future__ import annotations

from itertools import pairwise

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
        "moves": [
            _move(move, abs(after - before))
            for move, (before, after) in zip(found.moves, pairwise(found.margins), strict=True)
        ],
        "players": [_player(found.summary(player)) for player in (RED, GREEN)],
        "words": _in_words(found),
    }


def _move(move: ReviewedMove, scored: int) -> dict[str, Any]:
    names = ("number", "player", "column", "before", "after", "given_away", "best")
    return {name: getattr(move, name) for name in names} | {"words": _move_in_words(move, scored)}


def _move_in_words(move: ReviewedMove, scored: int) -> str:
    done = [f"drops in column {move.column}"]
    if scored:
        done.append(f"scores {_points(scored)}")
    if move.given_away:
        done.append(f"gives away {_points(move.given_away)}")
    words = f"{NAMES[move.player].capitalize()} {_enumerated(done)}"
    return f"{words}: {_better(move)}." if move.given_away else f"{words}, which is perfect."


def _better(move: ReviewedMove) -> str:
    """What the best columns would have done."""
    value = move.before if move.player == RED else -move.before
    one = len(move.best) == 1
    columns = f"column{'s' * (not one)} {_enumerated([str(column) for column in sorted(move.best)])}"
    if value == 0:
        return f"{columns} keep{'s' * one} the draw"
    if value > 0:
        return f"{columns} win{'s' * one} by {value}"
    return f"{columns} lose{'s' * one} by {-value} only"


def _player(summary: Summary) -> dict[str, Any]:
    return {
        "moves": summary.moves,
        "mistakes": summary.mistakes,
        "given_away": summary.given_away,
        "perfect_share": summary.perfect_share,
        "worst": summary.worst and summary.worst.number,
        "words": _player_in_words(summary),
    }


def _player_in_words(summary: Summary) -> str:
    if not summary.moves:
        return "No move yet."
    perfect = summary.moves - summary.mistakes
    moves = f"move{'s' * (summary.moves > 1)}"
    words = f"{perfect} of {summary.moves} {moves} perfect ({100 * perfect // summary.moves} %)"
    return (
        f"{words}, {_points(summary.given_away)} given away." if summary.mistakes else f"{words}, nothing given away."
    )


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


def _enumerated(words: list[str]) -> str:
    """One, two and three."""
    return " and ".join([", ".join(words[:-1])] * (len(words) > 1) + words[-1:])


def _points(number: int) -> str:
    return f"{number} point{'s' * (number > 1)}"
