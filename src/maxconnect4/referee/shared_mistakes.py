"""Shared mistakes: pairs of players that make the same wrong moves in the same positions, compared with a base rate.

They are a hint to compare two programs, and never a proof: programs with the same evaluation, depth and move order make
the same mistakes without a common source.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from ..notation import board_from_moves
from .conformance import ConformanceReport
from .game import PlayedGame

LEAST_COMMON = 5  # positions in which both players of a pair are wrong
MOST_PAIRS = 20  # in a table
LARGEST_PROBABILITY = 0.05
HINT = (
    "Pairs that chose the same wrong move more often than the other players suggest, in positions in which both were "
    "wrong. This is a hint to compare two programs, and not a proof: programs with the same evaluation and move order "
    "make the same mistakes without a common source, the moves of a game depend on each other, and among many pairs a "
    "few are unusual by chance."
)


class Mistake(NamedTuple):
    """A wrong move of a player: one with a regret."""

    player: str
    position: str  # the same text for the same position
    column: int


@dataclass(frozen=True, slots=True)
class SharedMistakes:
    """The mistakes of two players in the positions in which both were wrong."""

    first: str
    second: str
    positions: int
    same: int  # positions with the same wrong move
    expected: float  # the number of these at the base rate
    probability: float  # of at least so many at the base rate


def shared_mistakes(mistakes: Iterable[Mistake], players: Collection[str] | None = None) -> list[SharedMistakes]:
    """Find the pairs of players that share more mistakes than the base rate explains, the least probable first.

    The base rate of a position is the share of wrong moves that are the same as that of the pair's first player, among
    that move and those of all players outside the pair. So a mistake that all players make is no evidence. Positions
    in which no other player is wrong are left out. Only the first move of a player in a position counts.

    Args:
        mistakes: The wrong moves of all players.
        players: The players whose pairs are compared, by default all. The others only contribute to the base rate.
    """
    by_position: defaultdict[str, dict[str, Mistake]] = defaultdict(dict)
    for mistake in mistakes:
        by_position[mistake.position].setdefault(mistake.player, mistake)
    chances: defaultdict[tuple[str, str], list[tuple[float, bool]]] = defaultdict(list)
    for wrong in by_position.values():
        for first, second in combinations(sorted(name for name in wrong if players is None or name in players), 2):
            one, other = wrong[first], wrong[second]
            others = [each.column for name, each in wrong.items() if name not in (first, second)]
            if not others:
                continue
            rate = (others.count(one.column) + 1) / (len(others) + 1)
            chances[first, second].append((rate, one.column == other.column))
    found = []
    for (first, second), each in chances.items():
        same = sum(is_same for _, is_same in each)
        probability = probability_of_at_least(same, [chance for chance, _ in each])
        if len(each) >= LEAST_COMMON and probability <= LARGEST_PROBABILITY:
            expected = sum(chance for chance, _ in each)
            found.append(SharedMistakes(first, second, len(each), same, round(expected, 2), probability))
    return sorted(found, key=lambda pair: (pair.probability, -pair.same, pair.first, pair.second))[:MOST_PAIRS]


def probability_of_at_least(count: int, chances: Iterable[float]) -> float:
    """The probability that at least `count` of independent events with these probabilities happen."""
    distribution = [1.0]
    for chance in chances:
        stay, more = [*distribution, 0.0], [0.0, *distribution]
        distribution = [(1 - chance) * one + chance * other for one, other in zip(stay, more, strict=True)]
    return min(1.0, sum(distribution[count:]))


def mistakes_of_reports(reports: Iterable[tuple[str, ConformanceReport]]) -> Iterator[Mistake]:
    """The wrong moves of programs, by name, in the positions of `check`, which are the same for all programs."""
    for name, report in reports:
        for move in report.moves:
            if move.column is not None and move.regret:
                yield Mistake(name, f"{move.phase} {move.moves}", move.column)


def mistakes_of_games(games: Iterable[PlayedGame], game: str = "max") -> Iterator[Mistake]:
    """The wrong moves in reviewed games. A random move that replaced a fault does not count."""
    for played in games:
        regrets = played.regrets()
        if regrets is None:
            continue
        board = board_from_moves(played.game.opening, game)
        for column, regret in zip(map(int, played.result.moves[len(played.game.opening) :]), regrets, strict=True):
            if regret:
                stacks = "/".join("".join(map(str, board.stack(each))) for each in board.all_columns())
                yield Mistake(played.game.name(board.to_move), stacks, column)
            board.drop(column)


def shared_mistakes_rows(pairs: list[SharedMistakes]) -> list[tuple[str, str, str, str, str]]:
    """The rows of a table: the players, positions, the same moves, those at the base rate, and the probability."""
    return [
        (
            f"{each.first}, {each.second}",
            str(each.positions),
            str(each.same),
            f"{each.expected:.1f}",
            f"{each.probability:.1g}" if each.probability >= 1e-6 else "under 0.000001",
        )
        for each in pairs
    ]


HEADS = ("players", "positions where both are wrong", "same wrong move", "at the base rate", "probability")
