"""The games as JSON, one object on a line, with everything that is known of them."""

from __future__ import annotations

import json
from dataclasses import asdict

from ...board import NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ..games import Fault, Game, Note, Result


def games_jsonl(results: Iterable[Result], variant: str = "max") -> str:
    """A line for each game, in ASCII, so that what a program wrote comes back as it was."""
    return "".join(json.dumps(record(result, variant)) + "\n" for result in results)


def record(result: Result, variant: str) -> dict[str, Any]:
    """A game of one of the two kinds, and what came of it."""
    game, played = result.game, result.played
    return {
        **asdict(game),
        "game": variant,
        "moves": played.moves,
        "line": played.line,
        "ending": played.ending,
        "score": played.score,
        "points": played.points if variant == "max" else None,
        "cpu": played.cpu,
        "seconds": played.seconds,
        "given_away": played.given_away,
        "faults": [_of_player(game, fault) for fault in played.faults],
        "notes": [_of_player(game, note) for note in played.notes],
    }


def _of_player(game: Game, remark: Fault | Note) -> dict[str, Any]:
    return {**asdict(remark), "player": NAMES[remark.player], "name": game.name(remark.player)}
