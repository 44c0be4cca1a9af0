"""What came of a tournament: a line for each player, and a table of who did what against whom.

A *pair* is two games with the same opening and swapped colours. It is complete when both are played and neither is
void. A *margin* is the points of a player less the opponent's; that of a pair is the mean of its two games'. A pair
with a game that ended by a forfeit has none, as the board was not played out. In the classic game the margin is what a
win is worth, the more the sooner it came: see `games.points_of`. A game that is void counts for nothing
but the faults in it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from ..board import GREEN, RED
from .games import FORFEIT
from .statistics.intervals import mean_interval
from .statistics.ratings import ratings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .games import Result
    from .statistics.intervals import Interval
    from .statistics.ratings import Rating


@dataclass(frozen=True, slots=True)
class Standing:
    """What came of all games of a player. None stands for a number that there is not, such as a mean of nothing."""

    rank: int  # from 1; shared by players who are equal in everything
    name: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float  # 1 for a win, 0.5 for a draw
    points_for: int | None  # fours, of all games that are not void; the classic game has no points
    points_against: int | None
    rating: Rating | None
    margin: Interval  # of the pairs
    cpu: float | None  # mean seconds of CPU time for a move
    most_cpu: float | None
    regret: float | None  # mean points given away by a move, of the games that were reviewed
    faults: dict[str, int]  # how many of each kind
    notes: dict[str, int]
    merit: str = ""  # what the rank is by, where that is not simply the score


@dataclass(frozen=True, slots=True)
class Meeting:
    """What came of the games of one player against another."""

    games: int
    wins: int
    draws: int
    losses: int
    score: float
    margin: float | None  # mean of the pairs


@dataclass(slots=True)
class _Tally:
    """What adds up, game by game, of one player or of one against another."""

    outcomes: list[int] = field(default_factory=lambda: [0, 0, 0])  # losses, draws and wins
    points_for: int = 0
    points_against: int = 0
    margins: list[float] = field(default_factory=list)
    moves: int = 0
    cpu: float = 0.0
    most_cpu: float = 0.0
    reviewed: int = 0
    given_away: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        return sum(self.outcomes)

    @property
    def score(self) -> float:
        return self.outcomes[2] + self.outcomes[1] / 2


def standings(results: Iterable[Result], names: Sequence[str], game: str = "max") -> list[Standing]:
    """All players of a game, the best first: by score for each game, score, rating, margin, and then by name.

    `names` are all that play in the results, and may be more. Somebody who has not played comes last.
    """
    results = list(results)
    tallies = {name: _Tally() for name in names}
    for result in results:
        for player in (RED, GREEN):
            _add(tallies[result.game.name(player)], result, player)
    together = list(_together(results))
    for one, other, margin in _margins(together):
        tallies[one].margins.append(margin)
        tallies[other].margins.append(-margin)
    rated = ratings(names, [_scores(pair) for pair in together])
    lines = [(_merit(tally, rated.get(name)), name) for name, tally in tallies.items()]
    lines.sort(key=lambda line: ([-part for part in line[0]], line[1]))
    ranks: dict[tuple[float, ...], int] = {}
    for place, (merit, _) in enumerate(lines, 1):
        ranks.setdefault(merit, place)
    table = [_standing(ranks[merit], name, tallies[name], rated.get(name)) for merit, name in lines]
    return table if game == "max" else [replace(each, points_for=None, points_against=None) for each in table]


def cross_table(results: Iterable[Result], names: Sequence[str]) -> dict[tuple[str, str], Meeting]:
    """What came of the games of each player, the first of the key, against each other one."""
    results = list(results)
    tallies = {(one, other): _Tally() for one in names for other in names if one != other}
    for result in results:
        if result.played.score is not None:
            red, green = result.game.red, result.game.green
            tallies[red, green].outcomes[round(2 * result.played.score)] += 1
            tallies[green, red].outcomes[round(2 - 2 * result.played.score)] += 1
    for one, other, margin in _margins(_together(results)):
        tallies[one, other].margins.append(margin)
        tallies[other, one].margins.append(-margin)
    return {key: _meeting(tally) for key, tally in tallies.items()}


def pairs(results: Iterable[Result], name: str, opponent: str | None = None) -> list[float]:
    """The scores of a player in the complete pairs, from 0 to 2, in the order in which these became complete.

    Those against one opponent, or against all.
    """
    ours = (result for result in results if name in (result.game.red, result.game.green))
    return [
        sum(pair[2]) if pair[0] == name else 2 - sum(pair[2])
        for pair in map(_scores, _together(ours))
        if len(pair[2]) == 2 and (opponent is None or opponent in pair[:2])
    ]


def _add(tally: _Tally, result: Result, player: int) -> None:
    played = result.played
    tally.faults.update(fault.kind for fault in played.faults if fault.player == player)
    score = played.score_of(player)
    if score is None:
        return
    tally.outcomes[round(2 * score)] += 1
    red, green = played.points
    tally.points_for += red if player == RED else green
    tally.points_against += green if player == RED else red
    cpu = result.of_player(player, played.cpu)
    tally.moves += len(cpu)
    tally.cpu += sum(cpu)
    tally.most_cpu = max(tally.most_cpu, *cpu) if cpu else tally.most_cpu
    all_given_away = result.given_away()
    if all_given_away is not None:
        given_away = [lost for lost in result.of_player(player, all_given_away) if lost is not None]
        tally.reviewed += len(given_away)
        tally.given_away += sum(given_away)
    tally.notes.update(note.kind for note in played.notes if note.player == player)


def _together(results: Iterable[Result]) -> Iterator[tuple[Result, ...]]:
    """The games that are not void, two of a pair together; then those whose other game is not there."""
    waiting: dict[tuple[int, str, str], Result] = {}
    for result in results:
        if result.played.score is None:
            continue
        game = result.game
        if first := waiting.pop((game.pair, game.green, game.red), None):
            yield first, result
        else:
            waiting[game.pair, game.red, game.green] = result
    for result in waiting.values():
        yield (result,)


def _scores(pair: tuple[Result, ...]) -> tuple[str, str, list[float]]:
    """Two players, and the first one's score in each game."""
    one = pair[0].game.red
    scores = [result.score_of(one) for result in pair]
    return one, pair[0].game.green, [score for score in scores if score is not None]


def _margins(together: Iterable[tuple[Result, ...]]) -> Iterator[tuple[str, str, float]]:
    """Two players and the first one's margin, for each pair that has one."""
    for pair in together:
        if len(pair) == 2 and all(result.played.ending != FORFEIT for result in pair):
            one = pair[0].game.red
            yield one, pair[0].game.green, sum(result.margin_of(one) for result in pair) / 2


def _merit(tally: _Tally, rating: Rating | None) -> tuple[float, ...]:
    """What players are ordered by, the largest first. Ratings are rounded, lest those of equals differ by nothing."""
    games = tally.games
    margin = sum(tally.margins) / len(tally.margins) if tally.margins else 0.0
    return tally.score / games if games else -1.0, tally.score, round(rating.elo, 6) if rating else 0.0, margin


def _meeting(tally: _Tally) -> Meeting:
    losses, draws, wins = tally.outcomes
    margin = sum(tally.margins) / len(tally.margins) if tally.margins else None
    return Meeting(games=tally.games, wins=wins, draws=draws, losses=losses, score=tally.score, margin=margin)


def _standing(rank: int, name: str, tally: _Tally, rating: Rating | None) -> Standing:
    losses, draws, wins = tally.outcomes
    return Standing(
        rank=rank,
        name=name,
        games=tally.games,
        wins=wins,
        draws=draws,
        losses=losses,
        score=tally.score,
        points_for=tally.points_for,
        points_against=tally.points_against,
        rating=rating,
        margin=mean_interval(tally.margins),
        cpu=tally.cpu / tally.moves if tally.moves else None,
        most_cpu=tally.most_cpu if tally.moves else None,
        regret=tally.given_away / tally.reviewed if tally.reviewed else None,
        faults=dict(tally.faults),
        notes=dict(tally.notes),
    )
