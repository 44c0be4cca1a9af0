"""Measure how strong the levels are; `make bench-levels` runs it. A quarter of an hour.

Each level plays the one below it and the one below that, and the first plays a random player: pairs of
games with colours swapped, seeded, so that the games are the same on every run. Searches to some depths play against
the levels, to compare with. Writes benchmarks/levels.json, and src/maxconnect4/level_strengths.json, the
measured strength of each level.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from measurement import HERE, begin, keep, progress

from maxconnect4 import Solver
from maxconnect4.board import GAMES, GREEN, NAMES, RED, Board, opponent
from maxconnect4.levels import LEVELS, STRENGTHS_FILE, LevelPlayer
from maxconnect4.players import RandomPlayer, SearchingPlayer
from maxconnect4.referee.ratings import ratings
from maxconnect4.review import review
from maxconnect4.search import DEFAULT_EVALUATION

PACKAGED = HERE.parent / "src" / "maxconnect4" / STRENGTHS_FILE.name
PAIRS = 100
PAIRS_OF_PERFECT_CLASSIC = 10  # each opening takes the solver its time
REVIEWED = 20  # pairs of each level
AT_RANDOM = 0  # the level below the first
DEPTHS = (1, 2, 4, 8)  # of searches to compare with, which count as levels -1, -2 and so on


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games between two levels, each of which begins one of them."""

    game: str
    strong: int
    weak: int
    number: int
    reviewed: bool


@dataclass(slots=True)
class GameResult:
    """The results of a pair."""

    pair: Pair
    scores: list[float] = field(default_factory=list)  # of the strong one
    seconds: float = 0.0  # of CPU, that the strong one took
    moves: int = 0
    regret: int = 0  # by the strong one, in both games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=PAIRS, help=f"of games between two levels (default: {PAIRS})")
    parser.add_argument("--game", choices=GAMES, help="only this game; what was found of the other stays")
    args = parser.parse_args()
    begin()
    games = [args.game] if args.game else list(GAMES)
    pairs = [pair for pair in schedule(args.pairs) if pair.game in games]
    played = []
    with multiprocessing.Pool() as pool:
        for done, each in enumerate(pool.imap_unordered(play, pairs), start=1):
            played.append(each)
            if done % 100 == 0:
                progress(f"{done:,} of {len(pairs):,} pairs of games")
    kept = json.loads((HERE / "levels.json").read_text()) if args.game else {}
    found = {
        game: summary(game, [each for each in played if each.pair.game == game]) if game in games else kept[game]
        for game in GAMES
    }
    keep("levels", "bench-levels", found, sys.argv[1:])
    strengths = {game: {each["level"]: strength(each) for each in figures["levels"]} for game, figures in found.items()}
    PACKAGED.write_text(json.dumps(strengths, indent=1) + "\n")


def schedule(count: int) -> list[Pair]:
    """The longest games come first, so that the processes end at about the same time."""
    pairs = []
    for game, levels in LEVELS.items():
        for strong in range(len(levels), 0, -1):
            long = game == "classic" and strong == len(levels)
            number = min(count, PAIRS_OF_PERFECT_CLASSIC) if long else count
            for weak in range(max(strong - 2, AT_RANDOM), strong):
                for each in range(number):
                    pairs.append(
                        Pair(game, strong, weak, each, game == "max" and weak == strong - 1 and each < REVIEWED)
                    )
            if 3 <= strong < len(levels):
                few = range(max(1, count // 4))
                pairs += [Pair(game, strong, -depth, each, False) for depth in DEPTHS for each in few]
    return pairs


def play(pair: Pair) -> GameResult:
    """Play both games."""
    result = GameResult(pair)
    for colour in (RED, GREEN):
        board = Board(pair.game)
        seed = f"{pair.game} {pair.strong} {pair.weak} {pair.number} {NAMES[colour]}"
        players = {colour: player(pair.strong, pair.game, seed), opponent(colour): player(pair.weak, pair.game, seed)}
        while not board.is_over():
            own = board.to_move == colour
            start = time.process_time()
            column = players[board.to_move].choose(board).column
            result.seconds += own * (time.process_time() - start)
            result.moves += own
            board.drop(column)
        result.scores.append({None: 0.5, colour: 1.0}.get(board.winner(), 0.0))
        if pair.reviewed:
            result.regret += review(board, solver()).summary(colour).regret
    return result


def player(level: int, game: str, seed: str) -> LevelPlayer | RandomPlayer | SearchingPlayer:
    if level == AT_RANDOM:
        return RandomPlayer(seed)
    if level < AT_RANDOM:
        return SearchingPlayer(-level, evaluation=DEFAULT_EVALUATION[game])
    return LevelPlayer(level, game, seed, solver=solver())


@cache
def solver() -> Solver:
    """One for each process."""
    return Solver(threads=1)


def summary(game: str, played: list[GameResult]) -> dict[str, Any]:
    """Each level of a game, and the searches."""
    numbers = [AT_RANDOM, *(level.number for level in LEVELS[game]), *(-depth for depth in DEPTHS)]
    names = {number: str(number) for number in numbers}
    pairs = [(names[each.pair.strong], names[each.pair.weak], each.scores) for each in played]
    rated = ratings(list(names.values()), pairs)
    zero = rated[names[AT_RANDOM]].elo
    against: dict[tuple[int, int], list[GameResult]] = defaultdict(list)
    for each in played:
        against[each.pair.strong, each.pair.weak].append(each)
    found = []
    for level in LEVELS[game]:
        below = against[level.number, level.number - 1]
        scores = [score for each in below for score in each.scores]
        reviewed = [each for each in below if each.pair.reviewed]
        found.append(
            {
                "level": level.number,
                "name": level.name,
                "description": level.description,
                "elo": round(rated[names[level.number]].elo - zero),
                "bar": round(rated[names[level.number]].bar),
                "score_against_the_one_below": round(sum(scores) / len(scores), 3),
                "games_against_the_one_below": len(scores),
                "regret_per_game": (
                    round(sum(each.regret for each in reviewed) / (2 * len(reviewed)), 1) if reviewed else None
                ),
                "cpu_ms_per_move": round(
                    1000 * sum(each.seconds for each in below) / sum(each.moves for each in below), 1
                ),
            }
        )
    searches = [
        {"depth": depth, "elo": round(rated[names[-depth]].elo - zero), "bar": round(rated[names[-depth]].bar)}
        for depth in DEPTHS
    ]
    return {"games": 2 * len(played), "levels": found, "searches": searches}


def strength(level: dict[str, Any]) -> dict[str, Any]:
    """The part of the figures that the package has."""
    return {"score": level["score_against_the_one_below"], "rating": level["elo"], "regret": level["regret_per_game"]}


if __name__ == "__main__":
    main()
