"""A match between two players: what it is, and playing one from Python, such as `match("depth:4", "random").score`."""

from __future__ import annotations

from dataclasses import dataclass

from ..board import check_game
from ..errors import BadEntrant
from .entrants import DEPTH, entrant_from, with_names_apart
from .openings import random_openings
from .playing import Rules
from .running import play_all
from .schedule.pairings import ROUND_ROBIN
from .standings import pairs
from .statistics.elo import match_elo
from .statistics.pentanomial import pair_counts
from .tournament import Tournament, standings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .games import Result
    from .limits import Limits
    from .sequential import Hypotheses
    from .standings import Standing
    from .statistics.elo import MatchElo

GAMES = 40


@dataclass(frozen=True, slots=True)
class Match:
    """What came of a match, in the view of its first player."""

    tournament: Tournament
    results: tuple[Result, ...]  # a game each, with its moves and faults

    def __repr__(self) -> str:
        return f"<Match {self.tournament.title}: {self.score:g} out of {len(self.results)} games>"

    @property
    def score(self) -> float:
        """1 for each game that was won, 0.5 for each draw."""
        return sum(result.score_of(self.tournament.names[0]) or 0.0 for result in self.results)

    @property
    def elo(self) -> MatchElo:
        """How much stronger the first player is, and how sure that is."""
        return match_elo(pair_counts(pairs(self.results, self.tournament.names[0])))

    @property
    def standings(self) -> list[Standing]:
        """Both players, the better one first: games, points, margin, CPU time and faults."""
        return standings_of(self.tournament, self.results)


def match(
    first: str,
    second: str,
    games: int = GAMES,
    *,
    openings: Sequence[str] | None = None,
    game: str = "max",
    depth: int = DEPTH,
    limits: Limits | None = None,
    seed: int = 1,
    processes: int | None = None,
) -> Match:
    """Play a match here and now. Players are what `maxconnect4 match` takes: `depth:6`, `level:4`, `python3 mine.py`.

    Each opening, of four random drops unless others are given, as move strings, is played with both colours: so the
    number of games is even. `depth` and `limits` are those of commands. The same seed gives the same openings.
    """
    check_game(game)
    if openings is None:
        if games < 2 or games % 2:
            raise BadEntrant(f"{games} games make no match: each opening is played twice, with both colours")
        openings = random_openings(count=games // 2, seed=seed, game=game)
    tournament = match_between(first, second, openings, Rules(seed=seed, game=game), depth=depth, limits=limits)
    return Match(tournament, tuple(play_all(tournament, processes)))


def match_between(
    first: str,
    second: str,
    openings: Sequence[str],
    rules: Rules,
    *,
    depth: int = DEPTH,
    limits: Limits | None = None,
    test: Hypotheses | None = None,
) -> Tournament:
    """A match, as a tournament of two."""
    entrants = with_names_apart(entrant_from(text, depth, limits, rules.game) for text in (first, second))
    title = " against ".join(entrant.name for entrant in entrants)
    return Tournament(title, ROUND_ROBIN, tuple(entrants), tuple(openings), rules, test=test)
