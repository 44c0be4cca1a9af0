"""Resumable benchmark runs, in which every player makes moves on sets of positions by increasing depth."""

from __future__ import annotations

import datetime
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from .. import __version__
from ..board import RED
from ..errors import BadFile, quote
from ..referee.conformance import baseline_games
from ..referee.game import GameSetup, PlayedGame, play
from ..referee.isolation import isolation_for
from ..referee.move_validation import TIME_OUTS
from ..referee.players import PlayerSpec
from ..system import machine
from .players import BenchmarkPlayer, MoveFunction, TimedMove, move_function, should_retry, stop_reason
from .positions import PositionSet
from .store import OWN_DEPTH, GameKey, MeasuredGame, Measurements, Metadata

#: A function that is called with the number of completed moves, the total (None if unknown) and the next move.
Progress = Callable[[int, int | None, str], None]

FEW_POSITIONS = 10  # in a larger set each move is made once, as the mean reduces the variation
RUNS = 3
FAULTS_IN_A_ROW = 3  # faults or timed-out games in a row after which the rest of a depth is skipped


@dataclass(frozen=True, slots=True)
class Plan:
    """Players, positions, depths and games of a benchmark run."""

    players: tuple[BenchmarkPlayer, ...]
    sets: tuple[PositionSet, ...]
    first: int = 1  # depth
    last: int | None = None  # depth; None for no limit other than the CPU time
    limit: float = 60.0  # seconds of CPU time: the first depth with a slower move is the last
    runs: int | None = None  # of each move; None for three, or one in a large set
    opponent: PlayerSpec | None = None
    games: int = 20
    game_depth: int = 4  # of players that are measured at every depth
    seed: int = 1
    game: str = "max"

    def runs_on(self, positions: PositionSet) -> int:
        """The number of runs of each move."""
        return self.runs or (RUNS if len(positions.positions) <= FEW_POSITIONS else 1)

    def depths(self, player: BenchmarkPlayer, positions: PositionSet) -> range:
        """The depths to measure, up to the end of the game."""
        if not player.every_depth:
            return range(OWN_DEPTH, OWN_DEPTH + 1)
        deepest = max(each.board.width * each.board.height - each.board.pieces() for each in positions.positions)
        return range(self.first, min(deepest, deepest if self.last is None else self.last) + 1)

    @property
    def total(self) -> int | None:
        """The maximum number of moves and games; None if the depth has no limit."""
        if self.last is None and any(player.every_depth for player in self.players):
            return None
        moves = sum(
            len(self.depths(player, each)) * len(each.positions) * self.runs_on(each)
            for player in self.players
            for each in self.sets
        )
        return moves + (len(self.players) * self.games if self.opponent else 0)


def measure(plan: Plan, file: Measurements, progress: Progress | None = None) -> None:
    """Make the moves and play the games of a plan that are not in the file yet."""
    with file.stored_values():
        _register(plan, file)
    measuring = _BenchmarkRun(plan, file, progress)
    for positions in plan.sets:
        measuring.measure(positions)
    if plan.opponent is not None:
        measuring.play(plan.opponent)


def _register(plan: Plan, file: Measurements) -> None:
    """Compare players, positions and machine with those in the file, and store new ones."""
    known = file.metadata_as(Metadata)
    if known != Metadata() and known.game != plan.game:
        raise BadFile(f"{file.name} has measurements of the game {known.game}: use another file")
    if known.machine not in ("", machine()):
        raise BadFile(f"{file.name} has times of another machine, {known.machine}: use another file")
    opponent = plan.opponent and BenchmarkPlayer(plan.opponent, every_depth=False)
    players = _merged(file, known.players, [(each.name, each.description) for each in plan.players])
    sets = _merged(file, known.sets, [(each.name, each.fingerprint) for each in plan.sets])
    opponents = _merged(file, known.opponents, [(opponent.name, opponent.description)] if opponent else [])
    states = {each.name: each.fingerprint for each in plan.players}
    for name, state in states.items():
        if known.states.get(name, state) != state:
            raise BadFile(f"{quote(name)} has changed since the measurements in {file.name}: use --restart")
    file.put_metadata(
        {
            "machine": machine(),
            "isolation": sorted({*known.isolation, *_isolations(plan)}),
            **({"game": plan.game} if plan.game != "max" else {}),
            "limit": plan.limit,
            "players": players,
            "sets": sets,
            "states": known.states | states,
            "opponents": opponents,
            "counts": known.counts | {each.name: len(each.positions) for each in plan.sets},
        }
    )


def _merged(file: Measurements, known: dict[str, str], new: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Known and new descriptions by name. Raises BadFile if a name has two different descriptions."""
    merged = dict(known)
    for name, description in new:
        if merged.setdefault(name, description) != description:
            raise BadFile(f"{file.name} has measurements of another {quote(name)}, {merged[name]}: use another file")
    return merged


def _isolations(plan: Plan) -> set[str]:
    specs = (each.spec for each in plan.players)
    return {isolation_for(each.limits.isolation).name for each in specs if each.command}


class _BenchmarkRun:
    def __init__(self, plan: Plan, file: Measurements, progress: Progress | None) -> None:
        self.plan = plan
        self.file = file
        self.progress = progress
        limits = {each.name: each.spec.limits for each in plan.players}
        self.known = {
            key: move
            for key, move in file.moves().items()
            if key[0] not in limits or not should_retry(move, limits[key[0]])
        }
        self.total = plan.total
        self.done = 0
        self.recorded: dict[str, str] = {}
        self.move_functions: dict[str, MoveFunction] = {each.name: move_function(each) for each in plan.players}

    def measure(self, positions: PositionSet) -> None:
        """Measure all players on a set by increasing depth, each up to its last depth."""
        depths = {each.name: self.plan.depths(each, positions) for each in self.plan.players}
        for depth in range(OWN_DEPTH, max(each.stop for each in depths.values())):
            now = [each for each in self.plan.players if depth in depths[each.name]]
            now = [each for each in now if not self._stopped(each, positions, depth)]
            self._measure_depth(positions, depth, now)

    def _measure_depth(self, positions: PositionSet, depth: int, players: list[BenchmarkPlayer]) -> None:
        """Make all runs at a depth. The players alternate, so that the load of the machine affects all of them."""
        in_a_row = min(FAULTS_IN_A_ROW, len(positions.positions))
        latest: dict[str, deque[TimedMove]] = {each.name: deque(maxlen=in_a_row) for each in players}
        given_up: set[str] = set()
        for run in range(1, self.plan.runs_on(positions) + 1):
            for place in range(1, len(positions.positions) + 1):
                for player in players:
                    if player.name not in given_up:
                        moves = latest[player.name]
                        moves.append(self._measure_move(player, positions, place, depth, run))
                        if self._is_enough(moves, depth):
                            given_up.add(player.name)

    def _is_enough(self, latest: deque[TimedMove], depth: int) -> bool:
        """Whether to skip the rest of a depth, as a move is too slow or the latest moves are faults."""
        too_slow = bool(stop_reason({depth: [latest[-1]]}, self.plan.limit))
        return too_slow or (len(latest) == latest.maxlen and all(move.fault for move in latest))

    def _measure_move(
        self, player: BenchmarkPlayer, positions: PositionSet, place: int, depth: int, run: int
    ) -> TimedMove:
        key = (player.name, positions.name, place, depth, run)
        self.done += 1
        if key in self.known:
            return self.known[key]
        at = "" if depth == OWN_DEPTH else f" depth {depth},"
        which = f" position {place} of {len(positions.positions)}," if len(positions.positions) > 1 else ""
        self._report(f"{player.name}:{at}{which} run {run}")
        position = positions.positions[place - 1]
        seed = f"{self.plan.seed} {place} run {run}"
        move = self.move_functions[player.name](position.board, None if depth == OWN_DEPTH else depth, seed)
        if move.column is not None:
            move = replace(move, regret=position.regret(move.column))
        self._record_date()
        self.file.add(key, move)
        self.known[key] = move
        return move

    def _stopped(self, player: BenchmarkPlayer, positions: PositionSet, depth: int) -> bool:
        before = range(self.plan.first, depth)
        by_depth = {each: list(self._moves(player, positions, each)) for each in before}
        return bool(stop_reason({each: moves for each, moves in by_depth.items() if moves}, self.plan.limit))

    def _moves(self, player: BenchmarkPlayer, positions: PositionSet, depth: int) -> Iterator[TimedMove]:
        for run in range(1, self.plan.runs_on(positions) + 1):
            for place in range(1, len(positions.positions) + 1):
                move = self.known.get((player.name, positions.name, place, depth, run))
                if move is not None:
                    yield move

    def play(self, opponent: PlayerSpec) -> None:
        """Play the games of all players against an opponent. Three timeouts in a row end those of a player."""
        faults = {key: game.fault for key, game in self.file.games().items()}
        for player in self.plan.players:
            spec = player.spec_at_depth(self.plan.game_depth)
            depth = self.plan.game_depth if player.every_depth else OWN_DEPTH
            latest: deque[str] = deque(maxlen=FAULTS_IN_A_ROW)
            for setup in baseline_games(spec, opponent, self.plan.games, self.plan.seed, self.plan.game):
                if len(latest) == FAULTS_IN_A_ROW and all(fault in TIME_OUTS for fault in latest):
                    break
                number = setup.game.number
                key = GameKey(player.name, opponent.name, depth, self.plan.seed, number)
                self.done += 1
                if key not in faults:
                    self._report(f"{player.name} against {opponent.name}: game {number} of {self.plan.games}")
                    game = _measured_game(setup, player.name)
                    self._record_date()
                    self.file.add_game(key, game)
                    faults[key] = game.fault
                latest.append(faults[key])

    def _record_date(self) -> None:
        today = {"date": datetime.date.today().isoformat(), "version": __version__}
        if today != self.recorded:
            self.file.put_metadata(today)
            self.recorded = today

    def _report(self, what: str) -> None:
        if self.progress is not None:
            self.progress(self.done - 1, self.total, what)


def _measured_game(setup: GameSetup, name: str) -> MeasuredGame:
    """Play a game. The result is from the point of view of the player with this name."""
    played = PlayedGame(setup.game, play(setup))
    colour, score = played.colour_of(name), played.score_of(name)
    assert score is not None, "a fault loses the game"
    own, other = played.result.points if colour == RED else reversed(played.result.points)
    fault = next((fault.kind for fault in played.result.faults if fault.player == colour), "")
    return MeasuredGame(played.result.moves, score, own, other, fault)
