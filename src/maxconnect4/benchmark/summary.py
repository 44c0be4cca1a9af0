"""Summary of a benchmark: CPU time, nodes, regret and faults of each player by depth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from statistics import fmean, median

from ..referee.conformance import BaselineGame, BaselineResult, baseline_result
from ..referee.move_validation import TIME_OUTS
from ..sample_positions import Regret
from .players import TimedMove, stop_reason
from .store import OWN_DEPTH, Measurements, Metadata

DEEPEST = 1000  # plies


@dataclass(frozen=True, slots=True)
class Timing:
    """The median and the range of a time over several runs."""

    median: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class DepthResult:
    """Times, nodes and regret of a player at a depth. For several positions, times and nodes are means."""

    depth: int | None  # None for a player that sets its depth itself
    runs: int  # number of complete runs
    cpu_seconds: Timing | None = None  # None without a move
    seconds: Timing | None = None  # wall-clock time
    columns: tuple[int, ...] = ()  # columns played in a set of one position; empty for other sets
    nodes: float | None = None  # of built-in players
    nodes_per_second: float | None = None  # of CPU time of the search alone
    branching: float | None = None  # b such that nodes = b + b**2 + ... + b**depth
    regret: Regret | None = None  # None for a set without exact scores
    faults: int = 0  # number of failed moves
    reason: str = ""  # the first fault in one line: "crash: it ended with exit status 1"
    given_up_after: float | None = None  # seconds of CPU time, if all moves timed out


@dataclass(frozen=True, slots=True)
class DepthSeries:
    """The results of a player on a set of positions, by depth."""

    player: str  # name
    positions: str  # name of the set
    count: int  # number of positions
    rows: tuple[DepthResult, ...]
    ended: str = ""  # the reason why the last depth is the last; "" if no deeper one was requested


@dataclass(frozen=True, slots=True)
class MeasurementSummary:
    """The results of a benchmark: depth series, games and metadata."""

    series: tuple[DepthSeries, ...]
    games: tuple[BaselineResult, ...] = ()
    metadata: Metadata = field(default_factory=Metadata)

    def by_positions(self) -> dict[str, list[DepthSeries]]:
        """The series by position set, in their order."""
        found: dict[str, list[DepthSeries]] = {}
        for each in self.series:
            found.setdefault(each.positions, []).append(each)
        return found

    @property
    def game(self) -> str:
        """The game, "max" or "classic"."""
        return self.metadata.game


#: The moves of a run by the number of the position.
Run = dict[int, TimedMove]

LEAST_SEARCH = 0.01  # seconds of CPU time required for a search speed


def summarise(
    file: Measurements,
    players: Sequence[str] | None = None,
    sets: Sequence[str] | None = None,
    depths: Collection[int] | None = None,
) -> MeasurementSummary:
    """Summarise the measurements of these players, sets and depths, or of all."""
    with file.stored_values():
        return _summarise(file, players, sets, depths)


def _summarise(
    file: Measurements, players: Sequence[str] | None, sets: Sequence[str] | None, depths: Collection[int] | None
) -> MeasurementSummary:
    metadata = file.metadata_as(Metadata)
    players = list(metadata.players) if players is None else players
    sets = list(metadata.sets) if sets is None else sets
    limit = inf if metadata.limit is None else metadata.limit
    found: dict[tuple[str, str], dict[int, dict[int, Run]]] = {}
    for (player, positions, place, depth, run), move in file.moves().items():
        if not OWN_DEPTH <= depth <= DEEPEST:
            raise ValueError(f"depth {depth} is out of range")
        if depths is None or depth == OWN_DEPTH or depth in depths:
            by_depth = found.setdefault((player, positions), {})
            by_depth.setdefault(depth, {}).setdefault(run, {})[place] = move
    series = [
        _series(player, positions, metadata.counts[positions], found[player, positions], limit)
        for positions in sets
        for player in players
        if (player, positions) in found
    ]
    return MeasurementSummary(tuple(series), tuple(_games(file, players, metadata.game)), metadata)


def _series(player: str, positions: str, count: int, by_depth: dict[int, dict[int, Run]], limit: float) -> DepthSeries:
    moves = {depth: [move for run in runs.values() for move in run.values()] for depth, runs in by_depth.items()}
    rows = [_row(depth, list(runs.values()), count) for depth, runs in sorted(by_depth.items())]
    return DepthSeries(player, positions, count, tuple(rows), _ended(moves, limit))


def _ended(moves: dict[int, list[TimedMove]], limit: float) -> str:
    """The reason why the deepest depth is the last; "" if the run continued beyond its limit."""
    deepest = max(moves)
    if deepest == OWN_DEPTH or stop_reason({depth: moves[depth] for depth in moves if depth != deepest}, limit):
        return ""
    return stop_reason(moves, limit)


def _row(depth: int, runs: list[Run], count: int) -> DepthResult:
    every = [move for run in runs for move in run.values()]
    faults = [move for move in every if move.fault]
    reason = f"{faults[0].fault}: {faults[0].detail}" if faults else ""
    whole = [[move for move in run.values() if not move.fault] for run in runs if len(run) == count]
    whole = [moves for moves in whole if moves]
    shown_depth = None if depth == OWN_DEPTH else depth
    if not whole:
        over = max(move.cpu_seconds for move in every) if all(move.fault in TIME_OUTS for move in every) else None
        why = reason or f"only {max(map(len, runs))} of {count} positions"
        return DepthResult(shown_depth, len(runs), faults=len(faults), reason=why, given_up_after=over)
    moves = [move for run in whole for move in run]
    nodes = _mean(move.nodes for move in moves)
    return DepthResult(
        shown_depth,
        len(whole),
        _spread(whole, lambda move: move.cpu_seconds),
        _spread(whole, lambda move: move.seconds),
        tuple(dict.fromkeys(move.column for move in moves if move.column)) if count == 1 else (),
        nodes,
        _nodes_per_second(moves),
        None if nodes is None or shown_depth is None else branching_factor(nodes, shown_depth),
        _regret(runs),
        len(faults),
        reason,
    )


def _spread(runs: list[list[TimedMove]], of: Callable[[TimedMove], float]) -> Timing:
    means = [fmean(of(move) for move in run) for run in runs]
    return Timing(median(means), min(means), max(means))


def _mean(values: Iterable[int | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _nodes_per_second(moves: list[TimedMove]) -> float | None:
    known = [move for move in moves if move.nodes is not None and move.search_seconds is not None]
    seconds = sum(move.search_seconds or 0.0 for move in known)
    return sum(move.nodes or 0 for move in known) / seconds if seconds >= LEAST_SEARCH else None


def branching_factor(nodes: float, depth: int) -> float | None:
    """The effective branching factor b, with nodes = b + b**2 + ... + b**depth. The root is not counted."""
    if depth < 1 or nodes < depth:
        return None
    low, high = 1.0, float(max(1.0, nodes ** (1 / depth)))  # as b**depth <= nodes
    for _ in range(60):
        middle = (low + high) / 2
        if sum(middle**ply for ply in range(1, depth + 1)) < nodes:
            low = middle
        else:
            high = middle
    return high


def _regret(runs: list[Run]) -> Regret | None:
    by_place: dict[int, list[int]] = defaultdict(list)
    for run in runs:
        for place, move in run.items():
            if move.regret is not None:
                by_place[place].append(move.regret)
    return Regret.of(by_place.values()) if by_place else None


def _games(file: Measurements, players: Sequence[str], game: str) -> list[BaselineResult]:
    by_match: dict[tuple[str, str, int, int], list[BaselineGame]] = defaultdict(list)
    for key, each in file.games().items():
        result = BaselineGame(each.score, each.points, each.opponent_points, bool(each.fault))
        by_match[key.player, key.opponent, key.depth, key.seed].append(result)
    places = {player: place for place, player in enumerate(players)}
    in_order = sorted(by_match.items(), key=lambda each: places.get(each[0][0], 0))
    return [
        baseline_result(player, opponent, results, game, None if depth == OWN_DEPTH else depth)
        for (player, opponent, depth, _), results in in_order
        if player in places
    ]
