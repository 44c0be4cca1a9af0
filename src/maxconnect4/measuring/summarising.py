"""From moves to rows: medians and spreads over runs, means over positions."""

from __future__ import annotations

import math
from collections import defaultdict
from statistics import fmean, median, stdev

from ..referee.faults import TIME_OUTS
from ..referee.opposing import games_of
from .results import OWN_DEPTH
from .stopping import why_stopped
from .summary import DEEPEST, Measured, Regret, Row, Series, Spread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from ..referee.opposing import Games, Outcome
    from .moves import Moved
    from .results import Measurements

    #: The moves of a run, by the place of the position.
    Run = dict[int, Moved]

LEAST_SEARCH = 0.01  # seconds of CPU time: of less, the speed of the search cannot be told


def measured(
    file: Measurements,
    players: Sequence[str] | None = None,
    sets: Sequence[str] | None = None,
    depths: Collection[int] | None = None,
) -> Measured:
    """What the file has of these players, sets and depths, or of all."""
    with file.as_written():
        return _measured(file, players, sets, depths)


def _measured(
    file: Measurements, players: Sequence[str] | None, sets: Sequence[str] | None, depths: Collection[int] | None
) -> Measured:
    facts = file.facts()
    players = list(facts.get("players", {})) if players is None else players
    sets = list(facts.get("sets", {})) if sets is None else sets
    found: dict[tuple[str, str], dict[int, dict[int, Run]]] = {}
    for (player, positions, place, depth, run), moved in file.moves().items():
        if not OWN_DEPTH <= depth <= DEEPEST:
            raise ValueError(f"nobody searches {depth} plies deep")
        if depths is None or depth == OWN_DEPTH or depth in depths:
            by_depth = found.setdefault((player, positions), {})
            by_depth.setdefault(depth, {}).setdefault(run, {})[place] = moved
    series = [
        _series(player, positions, facts["counts"][positions], found[player, positions], facts["limit"])
        for positions in sets
        for player in players
        if (player, positions) in found
    ]
    return Measured(tuple(series), tuple(_games(file, players, facts.get("game", "max"))), facts)


def _series(player: str, positions: str, count: int, by_depth: dict[int, dict[int, Run]], limit: float) -> Series:
    moves = {depth: [moved for run in runs.values() for moved in run.values()] for depth, runs in by_depth.items()}
    rows = [_row(depth, list(runs.values()), count) for depth, runs in sorted(by_depth.items())]
    return Series(player, positions, count, tuple(rows), _ended(moves, limit))


def _ended(moves: dict[int, list[Moved]], limit: float) -> str:
    """Why the deepest search is the last. If there was reason to stop before it, it is from a run that went on."""
    deepest = max(moves)
    if deepest == OWN_DEPTH or why_stopped({depth: moves[depth] for depth in moves if depth != deepest}, limit):
        return ""
    return why_stopped(moves, limit)


def _row(depth: int, runs: list[Run], count: int) -> Row:
    """A depth. Runs that somebody interrupted, or a player gave up, do not count; nor do positions without a move."""
    every = [moved for run in runs for moved in run.values()]
    faults = [moved for moved in every if moved.fault]
    reason = f"{faults[0].fault}: {faults[0].detail}" if faults else ""
    whole = [[moved for moved in run.values() if not moved.fault] for run in runs if len(run) == count]
    whole = [moves for moves in whole if moves]
    shown_depth = None if depth == OWN_DEPTH else depth
    if not whole:
        over = max(moved.cpu_seconds for moved in every) if all(moved.fault in TIME_OUTS for moved in every) else None
        why = reason or _unfinished(runs, count)
        return Row(shown_depth, len(runs), faults=len(faults), reason=why, given_up_after=over)
    moves = [moved for run in whole for moved in run]
    nodes = _mean(moved.nodes for moved in moves)
    return Row(
        shown_depth,
        len(whole),
        _spread(whole, lambda moved: moved.cpu_seconds),
        _spread(whole, lambda moved: moved.seconds),
        tuple(dict.fromkeys(moved.column for moved in moves if moved.column)) if count == 1 else (),
        nodes,
        _nodes_per_second(moves),
        None if nodes is None or shown_depth is None else branching_factor(nodes, shown_depth),
        _regret(runs),
        len(faults),
        reason,
    )


def _unfinished(runs: list[Run], count: int) -> str:
    return f"only {max(map(len, runs))} of {count} positions"


def _spread(runs: list[list[Moved]], of: Callable[[Moved], float]) -> Spread:
    means = [fmean(of(moved) for moved in run) for run in runs]
    return Spread(median(means), min(means), max(means))


def _mean(values: Iterable[int | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _nodes_per_second(moves: list[Moved]) -> float | None:
    told = [moved for moved in moves if moved.nodes is not None and moved.search_seconds is not None]
    seconds = sum(moved.search_seconds or 0.0 for moved in told)
    return sum(moved.nodes or 0 for moved in told) / seconds if seconds >= LEAST_SEARCH else None


def branching_factor(nodes: float, depth: int) -> float | None:
    """How many replies to each move a tree of so many nodes would have, if it had the same number everywhere.

    That is b with nodes = b + b**2 + ... + b**depth; the first position itself is not counted.
    """
    if depth < 1 or nodes < depth:
        return None
    low, high = 1.0, float(max(1.0, nodes ** (1 / depth)))  # b**depth alone is at most all of them
    for _ in range(60):
        middle = (low + high) / 2
        if sum(middle**ply for ply in range(1, depth + 1)) < nodes:
            low = middle
        else:
            high = middle
    return high


def _regret(runs: list[Run]) -> Regret | None:
    """Over positions; a position that was played several times counts with the mean of what was given away."""
    by_place: dict[int, list[int]] = defaultdict(list)
    for run in runs:
        for place, moved in run.items():
            if moved.regret is not None:
                by_place[place].append(moved.regret)
    if not by_place:
        return None
    means = [fmean(lost) for lost in by_place.values()]
    every = [lost for position in by_place.values() for lost in position]
    error = stdev(means) / math.sqrt(len(means)) if len(means) > 1 else 0.0
    return Regret(fmean(means), error, every.count(0) / len(every), max(every), len(every))


def _games(file: Measurements, players: Sequence[str], game: str) -> list[Games]:
    by_meeting: dict[tuple[str, str, int, int], list[Outcome]] = defaultdict(list)
    for player, opponent, depth, seed, _, _, score, points, opponent_points, fault in file.games():
        by_meeting[player, opponent, depth, seed].append((score, points, opponent_points, bool(fault)))
    places = {player: place for place, player in enumerate(players)}
    in_order = sorted(by_meeting.items(), key=lambda each: places.get(each[0][0], 0))
    return [
        games_of(player, opponent, outcomes, game, None if depth == OWN_DEPTH else depth)
        for (player, opponent, depth, _), outcomes in in_order
        if player in places
    ]
