"""CPU times by ply."""

from __future__ import annotations

from collections import defaultdict
from typing import TypedDict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..games import Result


class Times(TypedDict):
    """A player's CPU time in seconds by ply, counted from 1."""

    plies: list[int]
    low: list[float]  # one move in ten takes less
    middle: list[float]  # the median
    high: list[float]  # one move in ten takes more


def times_by_ply(places: dict[str, int], results: Iterable[Result]) -> list[Times]:
    """The times of each player, in the order of their places."""
    taken: list[defaultdict[int, list[float]]] = [defaultdict(list) for _ in places]
    for result in results:
        opening = len(result.game.opening)
        movers = places[result.game.red], places[result.game.green]
        for ply, seconds in enumerate(result.played.cpu, start=opening):
            taken[movers[ply % 2]][ply + 1].append(seconds)
    return [_spread(by_ply) for by_ply in taken]


def _spread(by_ply: dict[int, list[float]]) -> Times:
    plies = sorted(by_ply)
    ordered = [sorted(by_ply[ply]) for ply in plies]
    low, middle, high = ([taken[int(len(taken) * share)] for taken in ordered] for share in (0.1, 0.5, 0.9))
    return Times(plies=plies, low=low, middle=middle, high=high)
