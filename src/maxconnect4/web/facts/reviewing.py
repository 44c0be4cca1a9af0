"""A game move by move, as the interface tells it."""

from __future__ import annotations

from itertools import pairwise

from ...amounts import how_many
from ...board import GREEN, NAMES, RED
from ...outcomes import win_draw_or_loss
from ...review import review

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...board import Board
    from ...review import Review, ReviewedMove, Summary
    from ...solver import Solver
    from ..searches import Search


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
        "players": [_player(found.summary(player), found.game) for player in (RED, GREEN)],
        "words": _in_words(found),
    }


def _move(move: ReviewedMove, scored: int) -> dict[str, Any]:
    names = ("number", "player", "column", "before", "after", "given_away", "mistake", "best")
    words = _classic_move_in_words(move) if move.game == "classic" else _move_in_words(move, scored)
    return {name: getattr(move, name) for name in names} | {"words": words}


def _move_in_words(move: ReviewedMove, scored: int) -> str:
    done = [f"drops in column {move.column}"]
    if scored:
        done.append(f"scores {_points(scored)}")
    if move.given_away:
        done.append(f"gives away {_points(move.given_away)}")
    words = f"{NAMES[move.player].capitalize()} {_enumerated(done)}"
    return f"{words}: {_better(move)}." if move.given_away else f"{words}, which is perfect."


def _classic_move_in_words(move: ReviewedMove) -> str:
    words = f"{NAMES[move.player].capitalize()} drops in column {move.column}"
    before, after = (win_draw_or_loss(value if move.player == RED else -value) for value in (move.before, move.after))
    if move.mistake:
        return f"{words} and turns a {before} into a {after}: {_better(move)}."
    if move.moves_lost:
        moves = how_many(move.moves_lost, "move")
        faster = f"wins {moves} later than it could" if after == "win" else f"loses {moves} sooner than it has to"
        return f"{words} and {faster}: {_columns(move)} {'is' if len(move.best) == 1 else 'are'} best."
    return f"{words}, which is perfect."


def _columns(move: ReviewedMove) -> str:
    return f"column{'s' * (len(move.best) > 1)} {_enumerated([str(column) for column in sorted(move.best)])}"


def _better(move: ReviewedMove) -> str:
    """What the best columns would have done."""
    value = move.before if move.player == RED else -move.before
    one = len(move.best) == 1
    columns = _columns(move)
    if move.game == "classic":
        return f"{columns} keep{'s' * one} the {win_draw_or_loss(value)}"
    if value == 0:
        return f"{columns} keep{'s' * one} the draw"
    if value > 0:
        return f"{columns} win{'s' * one} by {value}"
    return f"{columns} lose{'s' * one} by {-value} only"


def _player(summary: Summary, game: str) -> dict[str, Any]:
    return {
        "moves": summary.moves,
        "mistakes": summary.mistakes,
        "given_away": summary.given_away,
        "perfect_share": summary.perfect_share,
        "detours": summary.detours,
        "worst": summary.worst and summary.worst.number,
        "words": _player_in_words(summary, game),
    }


def _player_in_words(summary: Summary, game: str) -> str:
    if not summary.moves:
        return "No move yet."
    perfect = summary.moves - summary.mistakes - summary.detours
    moves = f"move{'s' * (summary.moves > 1)}"
    words = f"{perfect} of {summary.moves} {moves} perfect ({100 * perfect // summary.moves} %)"
    if game == "classic":
        detours = f", {summary.detours} not quite best" if summary.detours else ""
        return f"{words}{detours}, {_mistakes(summary)}."
    return (
        f"{words}, {_points(summary.given_away)} given away." if summary.mistakes else f"{words}, nothing given away."
    )


def _in_words(found: Review) -> str:
    words = []
    for player in (RED, GREEN):
        summary, name = found.summary(player), NAMES[player].capitalize()
        if summary.mistakes and found.game == "classic":
            words.append(f"{name} made {_mistakes(summary)}.")
        elif summary.mistakes:
            words.append(f"{name} gave away {_points(summary.given_away)} in {_mistakes(summary)}.")
        elif summary.detours:
            words.append(f"{name} made no mistake.")
        elif summary.moves:
            words.append(f"{name} played perfectly.")
    return " ".join(words)


def _mistakes(summary: Summary) -> str:
    return f"{summary.mistakes or 'no'} mistake{'s' * (summary.mistakes > 1)}"


def _enumerated(words: list[str]) -> str:
    """One, two and three."""
    return " and ".join([", ".join(words[:-1])] * (len(words) > 1) + words[-1:])


def _points(number: int) -> str:
    return how_many(number, "point")
