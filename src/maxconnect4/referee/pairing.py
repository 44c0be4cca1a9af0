"""Pairing systems: round-robin, gauntlet, Swiss and knock-out. Swiss pairs come from a maximum matching.

No library offers a matching in which pairs can be fixed one by one while it remains maximum. The search for an
alternating path is that of Jack Edmonds, "Paths, trees, and flowers" (1965).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple, Protocol

from ..errors import BadSetup, quote
from .game import PlayedGame, ScheduledGame


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players paired in a round. `first` is red in the first of their games."""

    round: int  # from 1
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Stage:
    """Pairings that can be played at the same time, with their games: each opening twice, with colours swapped.

    `game` derives a game from its number, as a stage may have millions of games.
    """

    pairings: Sequence[Pairing]
    openings: Sequence[str]
    first_number: int = 1
    first_pair: int = 1

    @property
    def numbers(self) -> range:
        """The numbers of the games."""
        return range(self.first_number, self.first_number + 2 * len(self.pairings) * len(self.openings))

    def game(self, number: int) -> ScheduledGame:
        """The game with a number."""
        pair, is_second = divmod(self.numbers.index(number), 2)
        place, opening = divmod(pair, len(self.openings))
        each = self.pairings[place]
        swapped = (opening + is_second) % 2
        red, green = (each.second, each.first) if swapped else (each.first, each.second)
        return ScheduledGame(number, each.round, self.first_pair + pair, red, green, self.openings[opening])

    def games(self) -> list[ScheduledGame]:
        """All games of the stage."""
        return [self.game(number) for number in self.numbers]

    def following(self, pairings: Sequence[Pairing]) -> Stage:
        """The next stage, with these pairings and the numbers that follow those of this stage."""
        pairs = len(self.numbers) // 2
        return Stage(pairings, self.openings, self.numbers.stop, self.first_pair + pairs)


class MatchScore(NamedTuple):
    """The score of one player of a pairing, without void games."""

    score: float = 0.0
    margin: int = 0
    faults: int = 0


class MatchScores:
    """The scores of all pairings in the played games."""

    def __init__(self, results: Iterable[PlayedGame]) -> None:
        #: The score by round, player and opponent.
        self.by_player: dict[tuple[int, str, str], MatchScore] = {}
        for played in results:
            for name in (played.game.red, played.game.green):
                key = (played.game.round, name, played.game.opponent(name))
                before = self.by_player.setdefault(key, MatchScore())
                score = played.score_of(name)
                if score is not None:
                    faults = sum(fault.player == played.colour_of(name) for fault in played.result.faults)
                    margin = before.margin + played.margin_of(name)
                    self.by_player[key] = MatchScore(before.score + score, margin, before.faults + faults)
        #: The number of pairings between two players.
        self.meetings = Counter(frozenset((name, opponent)) for _, name, opponent in self.by_player if name < opponent)
        #: The number of rounds with a game.
        self.rounds = max((number for number, _, _ in self.by_player), default=0)

    def points(self, number: int, name: str, opponent: str) -> float:
        """The result of a pairing for a player: 1 for the higher score, 0.5 for equal scores, 0 for the lower."""
        mine, theirs = self.by_player[number, name, opponent].score, self.by_player[number, opponent, name].score
        return 0.5 if mine == theirs else float(mine > theirs)

    def winner(self, number: int, better_seed: str, other: str) -> str | None:
        """The winner by score, then margin, fewer faults and seed; None without games of the pairing."""
        if (number, better_seed, other) not in self.by_player:
            return None
        mine, theirs = self.by_player[number, better_seed, other], self.by_player[number, other, better_seed]
        loses = (mine.score, mine.margin, -mine.faults) < (theirs.score, theirs.margin, -theirs.faults)
        return other if loses else better_seed


class KnockOut:
    """A knock-out, in which the order of the players is their seeding. The two best seeds can only meet in the final.

    If the number of players is not a power of two, the first seeds have a bye in the first round. Ties are broken by
    the margin, then by fewer faults, then by the seed.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)

    def next_pairings(self, results: Sequence[PlayedGame]) -> list[Pairing]:
        """The next round: see `Format`."""
        return self._play(results)[0]

    def places(self, results: Sequence[PlayedGame]) -> list[str]:
        """The players by the round that they reached, then by seed, best first."""
        rounds_won = self._play(results)[1]
        return sorted(self.names, key=lambda name: (-rounds_won[name], self.names.index(name)))

    def ranking(self, results: Sequence[PlayedGame]) -> list[tuple[str, str]]:
        """The round that each player reached: see `Format`."""
        rounds, rounds_won = (len(self.names) - 1).bit_length(), self._play(results)[1]
        words = {rounds: "winner", rounds - 1: "final"}
        return [(name, words.get(rounds_won[name], f"round {rounds_won[name] + 1}")) for name in self.places(results)]

    def _play(self, results: Sequence[PlayedGame]) -> tuple[list[Pairing], dict[str, int]]:
        """The first unfinished round, and the number of rounds that each player has won."""
        scores = MatchScores(results)
        rounds_won = dict.fromkeys(self.names, 0)
        bracket = [self.names[seed - 1] if seed <= len(self.names) else None for seed in seeds(len(self.names))]
        for number in range(1, len(bracket).bit_length()):
            pairings, winners = [], []
            for one, other in zip(bracket[::2], bracket[1::2], strict=True):
                winner = one or other
                if one is not None and other is not None:
                    better, worse = sorted((one, other), key=self.names.index)
                    winner = scores.winner(number, better, worse)
                    pairings.append(Pairing(number, better, worse))
                if winner is not None:
                    rounds_won[winner] += 1
                winners.append(winner)
            if None in winners:
                return pairings, rounds_won
            bracket = winners
        return [], rounds_won


def seeds(players: int) -> list[int]:
    """The seeds in the order of the bracket, with first opponents side by side. Seeds above `players` are byes.

    >>> seeds(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    bracket = [1]
    while len(bracket) < players:
        bracket = [each for seed in bracket for each in (seed, 2 * len(bracket) + 1 - seed)]
    return bracket


class Swiss:
    """A Swiss tournament, by default with enough rounds for a single leader. The order of the players is their seeding.

    The higher score in a pairing gives one point, equal scores half a point each. With an odd number of players, a
    low-ranked player with the fewest byes has a bye, which gives one point.
    """

    def __init__(self, names: Sequence[str], rounds: int | None = None) -> None:
        most = len(names) - 1 + len(names) % 2  # rounds without a repeated pairing
        self.names = tuple(names)
        self.rounds = min(most, (len(names) - 1).bit_length() + 1) if rounds is None else rounds
        if self.rounds < 1:
            raise BadSetup(f"{self.rounds} rounds: choose at least 1")

    def next_pairings(self, results: Sequence[PlayedGame]) -> list[Pairing]:
        """The next round: see `Format`."""
        standing = _Standing(self.names, results)
        number = standing.scores.rounds + 1
        if number > self.rounds:
            return []
        pairings = []
        for place, (one, other) in enumerate(standing.pairs()):
            first, second = (one, other) if (number + place) % 2 else (other, one)
            pairings.append(Pairing(number, first, second))
        return pairings

    def places(self, results: Sequence[PlayedGame]) -> list[str]:
        """The players by points, then by the points of their opponents (Buchholz), then by seed, best first."""
        standing = _Standing(self.names, results)
        return sorted(self.names, key=lambda name: (-standing.points[name], -standing.buchholz[name]))

    def ranking(self, results: Sequence[PlayedGame]) -> list[tuple[str, str]]:
        """Points and Buchholz: see `Format`."""
        standing = _Standing(self.names, results)
        bye = {name: ", a bye" if byes else "" for name, byes in standing.byes.items()}
        words = {name: f"{standing.points[name]:g} ({standing.buchholz[name]:g}{bye[name]})" for name in self.names}
        return [(name, words[name]) for name in self.places(results)]


class _Standing:
    """The points of all players after some rounds."""

    def __init__(self, names: Sequence[str], results: Sequence[PlayedGame]) -> None:
        self.scores = scores = MatchScores(results)
        self.points = dict.fromkeys(names, 0.0)
        self.byes = dict.fromkeys(names, 0)
        playing: dict[int, set[str]] = {}
        for number, name, opponent in scores.by_player:
            self.points[name] += scores.points(number, name, opponent)
            playing.setdefault(number, set()).add(name)
        for paired in playing.values():
            if len(paired) == len(names) - 1:  # in an unfinished round more players are missing
                (free,) = set(names) - paired
                self.byes[free] += 1
                self.points[free] += 1
        # A stable sort: by seed within equal points.
        self.order = sorted(names, key=lambda name: -self.points[name])

    @cached_property
    def buchholz(self) -> dict[str, float]:
        """The sum of the points of all opponents."""
        sums = dict.fromkeys(self.points, 0.0)
        for _, name, opponent in self.scores.by_player:
            sums[name] += self.points[opponent]
        return sums

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The pairs of the next round."""
        if len(self.order) % 2 == 0:
            return self._pairs_of(self.order)
        # The last player with the fewest byes whose bye leaves a pairing of the others without repetitions.
        fewest = min(self.byes.values())
        candidates = [name for name in reversed(self.order) if self.byes[name] == fewest]
        for free in candidates:
            others = [name for name in self.order if name != free]
            if not self._matching(others, 0).unmatched:
                return self._pairs_of(others)
        return self._pairs_of([name for name in self.order if name != candidates[0]])

    def _pairs_of(self, order: list[str], meetings: int = 0) -> Iterator[tuple[str, str]]:
        """Pair players from the top, each with the best opponent that leaves a maximum matching of the rest.

        Players without a new opponent are paired with an earlier one.
        """
        matching = self._matching(order, meetings)
        left = list(range(len(order)))
        again = []
        while left:
            one = left.pop(0)
            other = next((each for each in self._by_preference(one, left, order) if matching.fix(one, each)), None)
            if other is None:
                again.append(order[one])
            else:
                left.remove(other)
                yield order[one], order[other]
        if again:
            yield from self._pairs_of(again, meetings + 1)

    def _matching(self, order: list[str], meetings: int) -> Matching:
        met = self.scores.meetings
        return Matching(
            [
                [
                    other
                    for other, second in enumerate(order)
                    if other != one and met[frozenset((first, second))] <= meetings
                ]
                for one, first in enumerate(order)
            ]
        )

    def _by_preference(self, one: int, left: list[int], order: list[str]) -> Iterator[int]:
        """Opponents, best first: the lower half of the players with equal points, the upper half, then the others."""
        for points, players in groupby(left, key=lambda each: self.points[order[each]]):
            group = list(players)
            middle = len(group) // 2 if points == self.points[order[one]] else 0
            yield from group[middle:]
            yield from reversed(group[:middle])


ROUND_ROBIN, GAUNTLET, SWISS, KNOCK_OUT = "round-robin", "gauntlet", "swiss", "knock-out"
MOST_PLAYERS = 1_000
FORMATS = (ROUND_ROBIN, GAUNTLET, SWISS, KNOCK_OUT)


class Format(Protocol):
    """A pairing system."""

    def next_pairings(self, results: Sequence[PlayedGame]) -> list[Pairing]:
        """The next pairings after these results; empty at the end.

        All returned pairings can be played at the same time, even if they belong to several rounds.
        """

    def ranking(self, results: Sequence[PlayedGame]) -> list[tuple[str, str]]:
        """All players, best first, with the criterion of their ranks; empty if the score is the criterion."""


def format_from(name: str, names: Sequence[str], *, rounds: int | None = None, heads: int = 1) -> Format:
    """Create a format. `rounds` is for a Swiss tournament; `heads` players of a gauntlet meet all others."""
    if len(names) < 2:
        raise BadSetup(f"{len(names)} players: a tournament needs at least 2")
    if len(names) > MOST_PLAYERS:
        raise BadSetup(f"{len(names):,} players: a tournament can have at most {MOST_PLAYERS:,}")
    for place, each in enumerate(names):
        if each in names[:place]:
            raise BadSetup(f"two players have the name {quote(each)}: set a different name")
    if rounds is not None and name != SWISS:
        raise BadSetup(f"rounds: only {SWISS} has a number of rounds, not {quote(name)}")
    if heads != 1 and name != GAUNTLET:
        raise BadSetup(f"heads: only {GAUNTLET} has heads, not {quote(name)}")
    if name == ROUND_ROBIN:
        return RoundRobin(names)
    if name == GAUNTLET:
        return Gauntlet(names, heads)
    if name == SWISS:
        return Swiss(names, rounds)
    if name == KNOCK_OUT:
        return KnockOut(names)
    raise BadSetup(f"{quote(name)} is not a format: choose {', '.join(FORMATS)}")


class RoundRobin:
    """A round-robin: all players meet each other once. With an odd number, one player has a bye in each round."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)

    def next_pairings(self, results: Sequence[PlayedGame]) -> list[Pairing]:
        """All pairings at once: see `Format`."""
        if results:
            return []
        # The circle method: the first player remains in place, the others rotate by one place in each round.
        table: list[int | None] = [*range(len(self.names)), *([None] * (len(self.names) % 2))]
        pairings = []
        for number in range(1, len(table)):
            for one, other in zip(table[: len(table) // 2], reversed(table), strict=False):
                if one is not None and other is not None:
                    pairings.append(_pairing(number, self.names, one, other))
            table.insert(1, table.pop())
        return pairings

    def ranking(self, results: Sequence[PlayedGame]) -> list[tuple[str, str]]:
        """The score: see `Format`."""
        return []


class Gauntlet:
    """A gauntlet: the first players, or only the first one, meet all others, which do not meet each other."""

    def __init__(self, names: Sequence[str], heads: int) -> None:
        if not 1 <= heads < len(names):
            some = f"1 to {len(names) - 1}" if len(names) > 2 else "1"
            raise BadSetup(f"heads: {heads} of {len(names)} players cannot meet all others: choose {some}")
        self.names = tuple(names)
        self.heads = heads

    def next_pairings(self, results: Sequence[PlayedGame]) -> list[Pairing]:
        """All pairings at once: see `Format`."""
        if results:
            return []
        few, many = sorted((range(self.heads), range(self.heads, len(self.names))), key=len)
        return [
            _pairing(shift + 1, self.names, one, many[(place + shift) % len(many)])
            for shift in range(len(many))
            for place, one in enumerate(few)
        ]

    def ranking(self, results: Sequence[PlayedGame]) -> list[tuple[str, str]]:
        """The score: see `Format`."""
        return []


def _pairing(number: int, names: Sequence[str], one: int, other: int) -> Pairing:
    """The pairing of two places. Every player is first in half of its pairings, alternating by place."""
    low, high = sorted((one, other))
    return Pairing(number, names[low], names[high]) if (low + high) % 2 else Pairing(number, names[high], names[low])


# Matching

UNMATCHED = -1


class Matching:
    """A maximum matching of a graph, given as the neighbours of each player. Players are numbers from 0."""

    def __init__(self, neighbours: list[list[int]]) -> None:
        players = range(len(neighbours))
        self._neighbours = [list(others) for others in neighbours]
        self._partner = [UNMATCHED] * len(players)
        self._fixed = [False] * len(players)
        for one in players:
            if self._partner[one] == UNMATCHED:
                self._augment(one)
        #: Players without a partner.
        self.unmatched = [one for one in players if self._partner[one] == UNMATCHED]
        # Each of these is paired with a dummy, which is a neighbour of all players. This makes the matching perfect,
        # and lets any other player be unmatched instead.
        for dummy, one in enumerate(self.unmatched, start=len(players)):
            for each in players:
                self._neighbours[each].append(dummy)
            self._neighbours.append([*players])
            self._fixed.append(False)
            self._partner.append(one)
            self._partner[one] = dummy

    def fix(self, one: int, other: int) -> bool:
        """Fix a pair. Returns False without a change if the pair would make the matching smaller."""
        if other not in self._neighbours[one] or self._fixed[one] or self._fixed[other]:
            return False
        self._fixed[one] = self._fixed[other] = True
        left, right = self._partner[one], self._partner[other]
        if left == other:
            return True
        self._partner[left] = self._partner[right] = UNMATCHED
        if self._augment(left):
            self._partner[one], self._partner[other] = other, one
            return True
        self._partner[left], self._partner[right] = one, other
        self._fixed[one] = self._fixed[other] = False
        return False

    def _augment(self, unmatched: int) -> bool:
        """Find an alternating path from an unmatched player to another one, and swap the pairs along it.

        Players are at even or odd steps from the start. From an even step the search continues to every neighbour. Two
        neighbours at even steps close an odd cycle, a blossom, whose players are all at even steps from then on.
        """
        partner = self._partner
        previous = [UNMATCHED] * len(partner)
        base = list(range(len(partner)))  # of the blossom of each player
        is_even = [False] * len(partner)
        is_even[unmatched] = True
        queue = [unmatched]
        for one in queue:
            for other in self._neighbours[one]:
                if self._fixed[other] or base[one] == base[other] or partner[one] == other:
                    continue
                if is_even[other]:
                    self._close_blossom(one, other, previous, base, is_even, queue)
                elif previous[other] == UNMATCHED:
                    previous[other] = one
                    if partner[other] == UNMATCHED:
                        self._swap_along(other, previous)
                        return True
                    is_even[partner[other]] = True
                    queue.append(partner[other])
        return False

    def _close_blossom(
        self, one: int, other: int, previous: list[int], base: list[int], is_even: list[bool], queue: list[int]
    ) -> None:
        stem = self._common_base(one, other, previous, base)
        inside = set()
        for here, there in ((one, other), (other, one)):
            while base[here] != stem:
                between = self._partner[here]
                inside |= {base[here], base[between]}
                previous[here] = there
                here, there = previous[between], between
        for each in range(len(base)):
            if base[each] in inside:
                base[each] = stem
                if not is_even[each]:
                    is_even[each] = True
                    queue.append(each)

    def _common_base(self, one: int, other: int, previous: list[int], base: list[int]) -> int:
        """The first common base on the paths back from two even steps."""
        seen = set()
        here = base[one]
        while True:
            seen.add(here)
            if self._partner[here] == UNMATCHED:
                break
            here = base[previous[self._partner[here]]]
        here = base[other]
        while here not in seen:
            here = base[previous[self._partner[here]]]
        return here

    def _swap_along(self, end: int, previous: list[int]) -> None:
        while end != UNMATCHED:
            before = previous[end]
            following = self._partner[before]
            self._partner[end], self._partner[before] = before, end
            end = following
