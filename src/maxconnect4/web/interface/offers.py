"""What there is to choose from: the games, the levels, the evaluations, and how far one can go."""

from __future__ import annotations

from dataclasses import asdict

from ... import __version__
from ...board import GAMES
from ...levels import LEVELS
from ...search import EVALUATIONS
from ...tree.words import EVALUATIONS_IN_WORDS
from ..games.kept import MOST_GAMES
from ..http.requests import LARGEST_BODY
from .endpoints import Endpoint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .endpoints import Call


async def offers(call: Call) -> dict[str, Any]:
    """All of it, and how much is being searched now."""
    return {
        "api": 1,
        "version": __version__,
        "games": list(GAMES),
        "levels": {game: _levels(game) for game in GAMES},
        "evaluations": [{"name": name, "description": EVALUATIONS_IN_WORDS[name]} for name in EVALUATIONS],
        "limits": {**asdict(call.service.limits), "body_bytes": LARGEST_BODY, "games": MOST_GAMES},
        "searches": {lane.name: lane.load() for lane in call.service.lanes},
    }


def _levels(game: str) -> list[dict[str, Any]]:
    return [
        {"level": level.number, "name": level.name, "description": level.description, "strength": level.strength}
        for level in LEVELS[game]
    ]


ENDPOINTS = (
    Endpoint("GET", "", offers, "What there is to choose from", "Offers"),
    Endpoint("GET", "/", offers, "What there is to choose from", "Offers"),
)
