"""A tournament: its players, format, openings and rules, the stages of its schedule, and its sequential test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Self

import msgspec

from ..board import check_game
from ..errors import BadSetup, quote
from ..formatting import plural
from .game import ON_FAULT, PlayedGame, Rules
from .match_statistics import MatchElo, Sprt, match_elo, pair_counts, sprt
from .pairing import Format, Stage, format_from
from .players import PlayerSpec
from .standings import HeadToHead, Standing, cross_table, pairs, standings


@dataclass(frozen=True, slots=True)
class SprtHypotheses:
    """The Elo differences of the hypotheses H0 and H1, and the error probabilities of the test."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05


class SequentialTest:
    """The sequential test of a match, on the pairs played so far, from the point of view of its first player."""

    def __init__(self, hypotheses: SprtHypotheses, name: str) -> None:
        self.hypotheses = hypotheses
        self.name = name
        #: The score of each pair, from 0 to 2.
        self.pairs: list[float] = []
        #: The number of the last game that is counted.
        self.games = 0
        self.state = self._state()

    @property
    def is_decided(self) -> bool:
        """Whether the test has a decision. It then ignores further games."""
        return self.state.decision is not None

    def __str__(self) -> str:
        found, given = self.state, self.hypotheses
        pairs = plural(self.games // 2, "pair")
        ends = {"H0": f"{given.elo0:g} is accepted", "H1": f"{given.elo1:g} is accepted", None: "undecided"}
        llr = f"LLR {found.llr:+.2f} ({found.lower:.2f} to {found.upper:+.2f})"
        return f"Elo {given.elo0:g} against {given.elo1:g}: {llr}, {ends[found.decision]} after {pairs}"

    def take(self, results: Mapping[int, PlayedGame]) -> None:
        """Count the next pairs, as far as both games have results."""
        while not self.is_decided:
            pair = [results.get(self.games + 1), results.get(self.games + 2)]
            if pair[0] is None or pair[1] is None:
                return
            self.games += 2
            scores = [played.score_of(self.name) for played in pair if played is not None]
            if None not in scores:
                self.pairs.append(sum(score or 0 for score in scores))
                self.state = self._state()

    def _state(self) -> Sprt:
        test = self.hypotheses
        return sprt(pair_counts(self.pairs), test.elo0, test.elo1, test.alpha, test.beta)


OLD_KEYS = {"players": "entrants"}  # keys in results files, kept for compatibility
ADJUDICATE = 14  # empty cells: the default, for which the solver is instantaneous


@dataclass(frozen=True, slots=True)
class Tournament:
    """The settings of a tournament, from which its schedule follows."""

    title: str
    format: str
    players: tuple[PlayerSpec, ...]
    openings: tuple[str, ...]
    rules: Rules
    rounds: int | None = None  # of a Swiss tournament; None for the default
    heads: int = 1  # number of players of a gauntlet that meet all others
    test: SprtHypotheses | None = None  # of a match, which ends at the decision

    @property
    def names(self) -> list[str]:
        """The names of the players."""
        return [player.name for player in self.players]

    def pairing(self) -> Format:
        """The pairing system."""
        return format_from(self.format, self.names, rounds=self.rounds, heads=self.heads)

    def to_dict(self) -> dict[str, Any]:
        """The form in a results file, with the keys of the first version of the format."""
        return {OLD_KEYS.get(key, key): value for key, value in asdict(self).items()}

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> Tournament:
        """Parse the form in a results file, and validate the type of every value."""
        new_keys = {old: key for key, old in OLD_KEYS.items()}
        tournament = msgspec.convert({new_keys.get(key, key): value for key, value in stored.items()}, cls)
        check_game(tournament.rules.game)
        if tournament.rules.on_fault not in ON_FAULT:
            raise BadSetup(f"on_fault: {quote(tournament.rules.on_fault)} is not one of {', '.join(ON_FAULT)}")
        tournament.pairing()
        return tournament


def stages(tournament: Tournament, results: Mapping[int, PlayedGame]) -> Iterator[Stage]:
    """Yield the stages of the schedule. The pairings of a stage may depend on the results of all earlier ones.

    The caller adds results to `results` between stages.
    """
    if not tournament.openings:
        raise BadSetup("the tournament has no openings: add at least one, which may be the empty board")
    pairing = tournament.pairing()
    stage, last_round = Stage((), tournament.openings), 0
    while pairings := pairing.next_pairings([played for played in results.values() if played.game.round <= last_round]):
        stage, last_round = stage.following(pairings), pairings[-1].round
        yield stage


def standings_of(tournament: Tournament, results: Sequence[PlayedGame]) -> list[Standing]:
    """Compute the standings of a tournament.

    Args:
        tournament: The players, the format and the rules.
        results: The games so far.

    Returns:
        A row for each player, in the order of the format.
    """
    table = standings(results, tournament.names, tournament.rules.game)
    pairing = tournament.pairing()
    played_games = Counter(_match_key(played) for played in results)
    over = [played for played in results if played_games[_match_key(played)] == 2 * len(tournament.openings)]
    ranking = pairing.ranking(over)
    if not ranking:
        return table
    by_name = {each.name: each for each in table}
    return [replace(by_name[name], rank=rank, merit=merit) for rank, (name, merit) in enumerate(ranking, start=1)]


def _match_key(played: PlayedGame) -> tuple[int, frozenset[str]]:
    return played.game.round, frozenset((played.game.red, played.game.green))


def sequential_test(tournament: Tournament, results: Mapping[int, PlayedGame]) -> SequentialTest | None:
    """The sequential test of a match after these results; None if the match has no test."""
    if tournament.test is None:
        return None
    test = SequentialTest(tournament.test, tournament.players[0].name)
    test.take(results)
    return test


def counted_games(tournament: Tournament, results: Mapping[int, PlayedGame]) -> list[PlayedGame]:
    """The games that count, in the order of the schedule: all, or those up to the decision of a sequential test."""
    test = sequential_test(tournament, results)
    last = test.games if test is not None and test.is_decided else None
    return [results[number] for number in sorted(results) if last is None or number <= last]


@dataclass(frozen=True)
class TournamentResult:
    """The result of a match or a tournament: its settings, and the games that count in the order of the schedule."""

    tournament: Tournament
    results: tuple[PlayedGame, ...]

    @classmethod
    def of(cls, tournament: Tournament, results: Mapping[int, PlayedGame]) -> Self:
        """The result after these games, given by number."""
        return cls(tournament, tuple(counted_games(tournament, results)))

    @cached_property
    def standings(self) -> list[Standing]:
        """The standings, best first, with games, points, margin, CPU time and faults of each player."""
        return standings_of(self.tournament, self.results)

    @cached_property
    def cross_table(self) -> dict[tuple[str, str], HeadToHead]:
        """The results by player and opponent."""
        return cross_table(self.results, self.tournament.names)

    @cached_property
    def elo(self) -> MatchElo:
        """The Elo difference between the first player and its opponents."""
        return match_elo(pair_counts(pairs(self.results, self.tournament.names[0])))

    @cached_property
    def test(self) -> SequentialTest | None:
        """The sequential test, or None."""
        return sequential_test(self.tournament, {played.game.number: played for played in self.results})

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: see docs/reference/json.md."""
        return {
            "title": self.tournament.title,
            "game": self.tournament.rules.game,
            "format": self.tournament.format,
            "games": len(self.results),
            "match": asdict(self.elo) if len(self.tournament.players) == 2 else None,
            "sprt": None if self.test is None else {"pairs": self.test.games // 2, **asdict(self.test.state)},
            "standings": [asdict(each) for each in self.standings],
            "cross_table": [
                {"player": one, "opponent": other, **asdict(meeting)}
                for (one, other), meeting in self.cross_table.items()
                if meeting.games
            ],
        }
