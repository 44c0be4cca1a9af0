"""The standings and the games as CSV, for spreadsheets and statistics."""

from __future__ import annotations

from ...board import GREEN, RED
from ...writing.csv_table import csv_table
from .pgn import RESULTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..games import Result
    from ..standings import Standing

STANDINGS = (
    *("rank", "by", "name", "games", "wins", "draws", "losses", "score", "points_for", "points_against"),
    *("rating", "rating_bar", "margin", "margin_low", "margin_high", "cpu", "most_cpu", "regret", "notes"),
)
GAMES = (
    *("number", "round", "pair", "red", "green", "result", "score", "red_points", "green_points", "ending"),
    *("opening", "moves", "line", "red_cpu", "green_cpu", "seconds", "red_regret", "green_regret", "faults", "notes"),
)


def standings_csv(standings: Iterable[Standing]) -> str:
    """A row for each player, and a column for each kind of fault."""
    standings = list(standings)
    kinds = sorted({kind for standing in standings for kind in standing.faults})
    rows = ([*_standing(standing), *(standing.faults.get(kind, 0) for kind in kinds)] for standing in standings)
    return csv_table([*STANDINGS, *(f"faults: {kind}" for kind in kinds)], rows)


def games_csv(results: Iterable[Result], variant: str = "max") -> str:
    """A row for each game. Moves stand apart, as a spreadsheet would take 42 digits for a number and round it."""
    return csv_table(GAMES, (_game(result, variant) for result in results))


def _standing(standing: Standing) -> list[object]:
    rating, margin = standing.rating, standing.margin
    return [
        *(standing.rank, standing.merit, standing.name, standing.games, standing.wins, standing.draws, standing.losses),
        *(standing.score, standing.points_for, standing.points_against),
        *((None, None) if rating is None else (round(rating.elo, 2), round(rating.bar, 2))),
        *(_rounded(number) for number in (margin.mean, margin.low, margin.high)),
        *(_rounded(number) for number in (standing.cpu, standing.most_cpu, standing.regret)),
        sum(standing.notes.values()),
    ]


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 6)


def _game(result: Result, variant: str) -> list[object]:
    game, played = result.game, result.played
    points = played.points if variant == "max" else (None, None)
    given_away = result.given_away()
    lost = None if given_away is None else [each or 0 for each in given_away]
    regret = [None if lost is None else sum(result.of_player(player, lost)) for player in (RED, GREEN)]
    faults = "; ".join(f"{game.name(fault.player)}: {fault.kind}" for fault in played.faults)
    return [
        *(game.number, game.round, game.pair, game.red, game.green),
        *(RESULTS[played.score], played.score, *points, played.ending),
        *(" ".join(game.opening), " ".join(played.moves), " ".join(played.line)),
        *(f"{sum(result.of_player(player, played.cpu)):.6f}" for player in (RED, GREEN)),
        f"{played.seconds:.3f}",
        *regret,
        *(faults, len(played.notes)),
    ]
