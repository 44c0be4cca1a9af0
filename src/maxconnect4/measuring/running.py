"""Measuring: players are asked for moves, side by side, depth after depth. A run may end at any moment, and goes on."""

from __future__ import annotations

import datetime
from collections import deque
from dataclasses import dataclass, replace

from .. import __version__
from ..board import RED
from ..errors import BadFile, shown
from ..referee.faults import TIME_OUTS
from ..referee.games import Result
from ..referee.opposing import games_against
from ..referee.playing import play
from ..referee.programs.isolation import isolation_for
from .contenders import Contender
from .machine import machine
from .moves import mover_for
from .results import OWN_DEPTH
from .stopping import may_go_further, why_stopped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from ..referee.entrants import Entrant
    from ..referee.playing import Fixture
    from .moves import Moved, Mover
    from .positions.sets import PositionSet
    from .results import Measurements

    #: Is told how many moves are made, of how many (None if nobody knows), and what comes next.
    Progress = Callable[[int, int | None, str], None]

FEW_POSITIONS = 10  # of more, each is asked for once: what varies evens out over the set
RUNS = 3
FAULTS_IN_A_ROW = 3  # positions of a set, or games over time, after which the others are not tried at that depth


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured."""

    contenders: tuple[Contender, ...]
    sets: tuple[PositionSet, ...]
    first: int = 1  # depth
    last: int | None = None  # None to go on to the limit
    limit: float = 60.0  # seconds of CPU time: nothing deeper is tried after a move that took longer
    runs: int | None = None  # of each move; None for three, or one if the set is large
    opponent: Entrant | None = None
    games: int = 20
    game_depth: int = 4  # of players that have no depth of their own
    seed: int = 1
    game: str = "max"

    def runs_on(self, positions: PositionSet) -> int:
        """How often each move is asked for."""
        return self.runs or (RUNS if len(positions.positions) <= FEW_POSITIONS else 1)

    def depths(self, contender: Contender, positions: PositionSet) -> range:
        """The depths to be tried: no deeper than to the end of the game."""
        if not contender.every_depth:
            return range(OWN_DEPTH, OWN_DEPTH + 1)
        deepest = max(each.board.width * each.board.height - each.board.pieces() for each in positions.positions)
        return range(self.first, min(deepest, deepest if self.last is None else self.last) + 1)

    @property
    def total(self) -> int | None:
        """How many moves and games that is at the most, if the depth has an end."""
        if self.last is None and any(contender.every_depth for contender in self.contenders):
            return None
        moves = sum(
            len(self.depths(contender, each)) * len(each.positions) * self.runs_on(each)
            for contender in self.contenders
            for each in self.sets
        )
        return moves + (len(self.contenders) * self.games if self.opponent else 0)


def measure(plan: Plan, file: Measurements, progress: Progress | None = None) -> None:
    """Measure what the file does not have yet."""
    with file.as_written():
        _claim(plan, file)
    measuring = _Measuring(plan, file, progress)
    for positions in plan.sets:
        measuring.measure(positions)
    if plan.opponent is not None:
        measuring.play(plan.opponent)


def _claim(plan: Plan, file: Measurements) -> None:
    """See that what the file has is of the same players, positions and machine; write down what is new."""
    facts = file.facts()
    if facts and facts.get("game", "max") != plan.game:
        raise BadFile(f"{file.name} was measured in the game {facts.get('game', 'max')}: name another file")
    if facts.get("machine", machine()) != machine():
        raise BadFile(f"{file.name} was measured on another machine, {facts['machine']}: times do not mix")
    players, sets = dict(facts.get("players", {})), dict(facts.get("sets", {}))
    mine = [(players, each.name, each.description) for each in plan.contenders]
    mine += [(sets, each.name, each.fingerprint) for each in plan.sets]
    opponents = dict(facts.get("opponents", {}))
    if plan.opponent is not None:
        mine.append((opponents, plan.opponent.name, Contender(plan.opponent, every_depth=False).description))
    for known, name, description in mine:
        if known.setdefault(name, description) != description:
            raise BadFile(f"{file.name} has measured another {shown(name)}, {known[name]}: name another file")
    states = dict(facts.get("states", {}))
    for each in plan.contenders:
        if states.setdefault(each.name, each.state) != each.state:
            raise BadFile(f"{shown(each.name)} has changed since {file.name} was measured: --anew measures it again")
    file.put_facts(
        {
            "machine": machine(),
            "isolation": sorted({*facts.get("isolation", ()), *_isolations(plan)}),
            **({"game": plan.game} if plan.game != "max" else {}),
            "limit": plan.limit,
            "players": players,
            "sets": sets,
            "states": states,
            "opponents": opponents,
            "counts": {**facts.get("counts", {}), **{each.name: len(each.positions) for each in plan.sets}},
        }
    )


def _isolations(plan: Plan) -> set[str]:
    entrants = (each.entrant for each in plan.contenders)
    return {isolation_for(each.limits.isolation).name for each in entrants if each.command}


class _Measuring:
    def __init__(self, plan: Plan, file: Measurements, progress: Progress | None) -> None:
        self.plan = plan
        self.file = file
        self.progress = progress
        limits = {each.name: each.entrant.limits for each in plan.contenders}
        self.known = {
            key: moved
            for key, moved in file.moves().items()
            if key[0] not in limits or not may_go_further(moved, limits[key[0]])
        }
        self.total = plan.total
        self.done = 0
        self.noted: dict[str, str] = {}
        self.movers: dict[str, Mover] = {each.name: mover_for(each) for each in plan.contenders}

    def measure(self, positions: PositionSet) -> None:
        """Ask everybody for moves in a set, depth after depth; those that have become too slow are left out."""
        depths = {each.name: self.plan.depths(each, positions) for each in self.plan.contenders}
        for depth in range(OWN_DEPTH, max(each.stop for each in depths.values())):
            now = [each for each in self.plan.contenders if depth in depths[each.name]]
            now = [each for each in now if not self._stopped(each, positions, depth)]
            self._measure_depth(positions, depth, now)

    def _measure_depth(self, positions: PositionSet, depth: int, contenders: list[Contender]) -> None:
        """All runs at a depth. The players take turns, so that all meet the machine in the same state."""
        in_a_row = min(FAULTS_IN_A_ROW, len(positions.positions))
        latest: dict[str, deque[Moved]] = {each.name: deque(maxlen=in_a_row) for each in contenders}
        given_up: set[str] = set()
        for run in range(1, self.plan.runs_on(positions) + 1):
            for place in range(1, len(positions.positions) + 1):
                for contender in contenders:
                    if contender.name not in given_up:
                        moves = latest[contender.name]
                        moves.append(self._measure_move(contender, positions, place, depth, run))
                        if self._is_enough(moves, depth):
                            given_up.add(contender.name)

    def _is_enough(self, latest: deque[Moved], depth: int) -> bool:
        """Whether there is no sense in asking for more at this depth: too slow, or one fault after another."""
        too_slow = bool(why_stopped({depth: [latest[-1]]}, self.plan.limit))
        return too_slow or (len(latest) == latest.maxlen and all(moved.fault for moved in latest))

    def _measure_move(self, contender: Contender, positions: PositionSet, place: int, depth: int, run: int) -> Moved:
        """A move that the file has, or else one that is made now."""
        key = (contender.name, positions.name, place, depth, run)
        self.done += 1
        if key in self.known:
            return self.known[key]
        at = "" if depth == OWN_DEPTH else f" depth {depth},"
        which = f" position {place} of {len(positions.positions)}," if len(positions.positions) > 1 else ""
        self._tell(f"{contender.name}:{at}{which} run {run}")
        position = positions.positions[place - 1]
        chance = f"{self.plan.seed} {place} run {run}"
        moved = self.movers[contender.name](position.board, None if depth == OWN_DEPTH else depth, chance)
        if moved.column is not None:
            moved = replace(moved, regret=position.regret(moved.column))
        self._note_the_day()
        self.file.add(key, moved)
        self.known[key] = moved
        return moved

    def _stopped(self, contender: Contender, positions: PositionSet, depth: int) -> bool:
        before = range(self.plan.first, depth)
        by_depth = {each: list(self._moves(contender, positions, each)) for each in before}
        return bool(why_stopped({each: moves for each, moves in by_depth.items() if moves}, self.plan.limit))

    def _moves(self, contender: Contender, positions: PositionSet, depth: int) -> Iterator[Moved]:
        """What there is at a depth, in the order in which it was asked for."""
        for run in range(1, self.plan.runs_on(positions) + 1):
            for place in range(1, len(positions.positions) + 1):
                moved = self.known.get((contender.name, positions.name, place, depth, run))
                if moved is not None:
                    yield moved

    def play(self, opponent: Entrant) -> None:
        """Have everybody play against an opponent, but for those that run out of time in one game after another."""
        faults: dict[tuple[Any, ...], str] = {tuple(row[:5]): row[-1] for row in self.file.games()}
        for contender in self.plan.contenders:
            entrant = contender.playing(self.plan.game_depth)
            depth = self.plan.game_depth if contender.every_depth else OWN_DEPTH
            latest: deque[str] = deque(maxlen=FAULTS_IN_A_ROW)
            for fixture in games_against(entrant, opponent, self.plan.games, self.plan.seed, self.plan.game):
                if len(latest) == FAULTS_IN_A_ROW and all(fault in TIME_OUTS for fault in latest):
                    break
                number = fixture.game.number
                key = (contender.name, opponent.name, depth, self.plan.seed, number)
                self.done += 1
                if key not in faults:
                    self._tell(f"{contender.name} against {opponent.name}: game {number} of {self.plan.games}")
                    outcome = _outcome(fixture, contender.name)
                    self._note_the_day()
                    self.file.add_game(*key, *outcome)
                    faults[key] = outcome[-1]
                latest.append(faults[key])

    def _note_the_day(self) -> None:
        """When something was last measured, and by which version; to show it again is not to measure it."""
        today = {"date": datetime.date.today().isoformat(), "version": __version__}
        if today != self.noted:
            self.file.put_facts(today)
            self.noted = today

    def _tell(self, what: str) -> None:
        if self.progress is not None:
            self.progress(self.done - 1, self.total, what)


def _outcome(fixture: Fixture, name: str) -> tuple[Any, ...]:
    """A game as it is kept: the moves, the score of the player of that name, both one's points, and the fault."""
    played = play(fixture)
    colour = Result(fixture.game, played).colour_of(name)
    own, other = played.points if colour == RED else reversed(played.points)
    fault = next((fault.kind for fault in played.faults if fault.player == colour), "")
    return played.moves, played.score_of(colour), own, other, fault
