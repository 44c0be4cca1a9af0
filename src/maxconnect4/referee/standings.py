"""Standings and cross table of a tournament.

A *pair* is two games with the same opening and swapped colours. It is complete if both games are played and neither is
void. The margin of a pair is the mean of the margins of its two games. A pair with a forfeit has no margin, as its game
is not finished. In the classic game the margin is the value of the win: see `game.points_of`. Only the faults of a void
game count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ..board import GREEN, RED
from .game import FORFEIT, PlayedGame
from .match_statistics import Interval, Rating, mean_interval


@dataclass(frozen=True, slots=True)
class Standing:
    """The results of a player in all games. A value without data, such as the mean of no numbers, is None."""

    rank: int  # from 1; shared by players with equal results
    name: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float  # 1 for a win, 0.5 for a draw
    points_for: int | None  # fours in all games that are not void; None in the classic game
    points_against: int | None
    rating: Rating | None
    margin: Interval  # of the pairs
    cpu_seconds: float | None  # mean CPU time of a move
    max_cpu_seconds: float | None
    regret: float | None  # mean of a move, of the reviewed games
    faults: dict[str, int]  # number by kind
    notes: dict[str, int]
    merit: str = ""  # the criterion of the rank if it is not the score


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The results of one player against another."""

    games: int
    wins: int
    draws: int
    losses: int
    score: float
    margin: float | None  # mean of the pairs


@dataclass(slots=True)
class _Totals:
    """Sums over the games of one player, or of one against another."""

    results: list[int] = field(default_factory=lambda: [0, 0, 0])  # losses, draws and wins
    points_for: int = 0
    points_against: int = 0
    margins: list[float] = field(default_factory=list)
    moves: int = 0
    cpu: float = 0.0
    max_cpu: float = 0.0
    reviewed: int = 0
    regret: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        return sum(self.results)

    @property
    def score(self) -> float:
        return self.results[2] + self.results[1] / 2


def standings(results: Iterable[PlayedGame], names: Sequence[str], game: str = "max") -> list[Standing]:
    """All players in `names`, best first: by score per game, then score, rating, margin and name.

    Players without games are last.
    """
    from .ratings import ratings  # imports numpy, which is slow

    results = list(results)
    by_player = {name: _Totals() for name in names}
    for played in results:
        for player in (RED, GREEN):
            _add(by_player[played.game.name(player)], played, player)
    by_pair = list(_by_pair(results))
    for one, other, margin in _margins(by_pair):
        by_player[one].margins.append(margin)
        by_player[other].margins.append(-margin)
    rated = ratings(names, [_scores(pair) for pair in by_pair])
    lines = [(_merit(totals, rated.get(name)), name) for name, totals in by_player.items()]
    lines.sort(key=lambda line: ([-part for part in line[0]], line[1]))
    ranks: dict[tuple[float, ...], int] = {}
    for place, (merit, _) in enumerate(lines, 1):
        ranks.setdefault(merit, place)
    table = [_standing(ranks[merit], name, by_player[name], rated.get(name)) for merit, name in lines]
    return table if game == "max" else [replace(each, points_for=None, points_against=None) for each in table]


def cross_table(results: Iterable[PlayedGame], names: Sequence[str]) -> dict[tuple[str, str], HeadToHead]:
    """The results by player and opponent."""
    results = list(results)
    by_player = {(one, other): _Totals() for one in names for other in names if one != other}
    for played in results:
        if played.result.score is not None:
            red, green = played.game.red, played.game.green
            by_player[red, green].results[round(2 * played.result.score)] += 1
            by_player[green, red].results[round(2 - 2 * played.result.score)] += 1
    for one, other, margin in _margins(_by_pair(results)):
        by_player[one, other].margins.append(margin)
        by_player[other, one].margins.append(-margin)
    return {key: _head_to_head(totals) for key, totals in by_player.items()}


def pairs(results: Iterable[PlayedGame], name: str, opponent: str | None = None) -> list[float]:
    """The scores of a player in complete pairs against an opponent or all, from 0 to 2, in the order of completion."""
    ours = (played for played in results if name in (played.game.red, played.game.green))
    return [
        sum(pair[2]) if pair[0] == name else 2 - sum(pair[2])
        for pair in map(_scores, _by_pair(ours))
        if len(pair[2]) == 2 and (opponent is None or opponent in pair[:2])
    ]


def _add(totals: _Totals, played: PlayedGame, player: int) -> None:
    result = played.result
    totals.faults.update(fault.kind for fault in result.faults if fault.player == player)
    score = result.score_of(player)
    if score is None:
        return
    totals.results[round(2 * score)] += 1
    red, green = result.points
    totals.points_for += red if player == RED else green
    totals.points_against += green if player == RED else red
    cpu = played.of_player(player, result.cpu)
    totals.moves += len(cpu)
    totals.cpu += sum(cpu)
    totals.max_cpu = max(totals.max_cpu, *cpu) if cpu else totals.max_cpu
    all_regrets = played.regrets()
    if all_regrets is not None:
        regrets = [regret for regret in played.of_player(player, all_regrets) if regret is not None]
        totals.reviewed += len(regrets)
        totals.regret += sum(regrets)
    totals.notes.update(note.kind for note in result.notes if note.player == player)


def _by_pair(results: Iterable[PlayedGame]) -> Iterator[tuple[PlayedGame, ...]]:
    """The games that are not void, by pair, followed by single games of incomplete pairs."""
    waiting: dict[tuple[int, str, str], PlayedGame] = {}
    for played in results:
        if played.result.score is None:
            continue
        game = played.game
        if first := waiting.pop((game.pair, game.green, game.red), None):
            yield first, played
        else:
            waiting[game.pair, game.red, game.green] = played
    for played in waiting.values():
        yield (played,)


def _scores(pair: tuple[PlayedGame, ...]) -> tuple[str, str, list[float]]:
    """The two players of a pair, and the score of the first in each game."""
    one = pair[0].game.red
    scores = [played.score_of(one) for played in pair]
    return one, pair[0].game.green, [score for score in scores if score is not None]


def _margins(by_pair: Iterable[tuple[PlayedGame, ...]]) -> Iterator[tuple[str, str, float]]:
    """The two players and the margin of the first, for each pair that has a margin."""
    for pair in by_pair:
        if len(pair) == 2 and all(played.result.ending != FORFEIT for played in pair):
            one = pair[0].game.red
            yield one, pair[0].game.green, sum(played.margin_of(one) for played in pair) / 2


def _merit(totals: _Totals, rating: Rating | None) -> tuple[float, ...]:
    """The sort key of the ranks, in descending order. Ratings are rounded so that equal players have equal keys."""
    games = totals.games
    margin = sum(totals.margins) / len(totals.margins) if totals.margins else 0.0
    return totals.score / games if games else -1.0, totals.score, round(rating.elo, 6) if rating else 0.0, margin


def _head_to_head(totals: _Totals) -> HeadToHead:
    losses, draws, wins = totals.results
    margin = sum(totals.margins) / len(totals.margins) if totals.margins else None
    return HeadToHead(games=totals.games, wins=wins, draws=draws, losses=losses, score=totals.score, margin=margin)


def _standing(rank: int, name: str, totals: _Totals, rating: Rating | None) -> Standing:
    losses, draws, wins = totals.results
    return Standing(
        rank=rank,
        name=name,
        games=totals.games,
        wins=wins,
        draws=draws,
        losses=losses,
        score=totals.score,
        points_for=totals.points_for,
        points_against=totals.points_against,
        rating=rating,
        margin=mean_interval(totals.margins),
        cpu_seconds=totals.cpu / totals.moves if totals.moves else None,
        max_cpu_seconds=totals.max_cpu if totals.moves else None,
        regret=totals.regret / totals.reviewed if totals.reviewed else None,
        faults=dict(totals.faults),
        notes=dict(totals.notes),
    )
