"""Whether a program keeps to the assignment: legal moves, other files than it expects, its speed and its strength."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass

from ..amounts import how_many
from ..board import Board
from ..sampling import random_board, show_strength
from ..solver import Solver
from .faults import TIME_OUTS
from .games import Result
from .opposing import tally
from .playing import play
from .programs.program import Program
from .trials import FAILED, MOVES, ROBUSTNESS, Check, result_with, trials_of, tried

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .entrants import Entrant
    from .games import Fault
    from .opposing import Games
    from .playing import Fixture
    from .trials import Trial

LONGEST_SPEED = 5.0  # seconds: no deeper search is tried after one that took so long
MOST_FAULTS = 3  # after so many, no more positions are tried
MOST_TIME_OUTS = 3  # after so many, nothing more is tried
EARLIEST, LATEST = 14, 30  # plies of the positions that show the strength
SEED = 2026
MEMORY = 64 << 20  # for the solver; positions as late as these take little
NO_MOVE, TOO_SLOW = "not tried, as it made no move at all", "not tried, as it was too slow three times"


@dataclass(frozen=True, slots=True)
class Speed:
    """What a move from the empty board took at a depth."""

    depth: int
    cpu_seconds: float
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Strength:
    """What moves gave away against perfect play, in points, one after another; of the classic game see `points_of`."""

    given_away: tuple[int, ...]
    kept: int | None = None  # of the classic game: how many of the moves kept a win a win, and a draw a draw

    @property
    def mean(self) -> float:
        """Points for each move."""
        return sum(self.given_away) / len(self.given_away)

    @property
    def perfect_share(self) -> float:
        """How many of the moves gave nothing away."""
        return self.given_away.count(0) / len(self.given_away)

    @property
    def kept_share(self) -> float | None:
        """How many of the moves of the classic game kept the result."""
        return None if self.kept is None else self.kept / len(self.given_away)


@dataclass(frozen=True, slots=True)
class Report:
    """All that is known of a program after it was checked."""

    entrant: Entrant
    checks: tuple[Check, ...]
    speeds: tuple[Speed, ...]
    strength: Strength | None  # None if no position was tried, or no move made
    seconds: float
    games: Games | None = None  # None if none were asked for
    game: str = "max"

    def notes(self) -> dict[str, int]:
        """How many moves there is a note on, by its kind."""
        return dict(Counter(kind for check in self.checks for kind in check.notes))

    def count(self, result: str) -> int:
        """How many checks came out so."""
        return sum(check.result == result for check in self.checks)

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return self.count(FAILED) == 0


def check(
    entrant: Entrant,
    *,
    deepest: int = 8,
    positions: int = 40,
    fixtures: Sequence[Fixture] = (),
    progress: Callable[[int, int, str], None] | None = None,
    game: str = "max",
) -> Report:
    """Try a program on everything; `progress` is told how much is done, of how much, and what comes next.

    `fixtures` are games of the program, red in the first, against one other player: see `opposing`.
    """
    start = time.monotonic()
    depths = depths_up_to(deepest)
    trials = trials_of(game)
    checking = _Checking(Program(entrant, game), len(trials) + len(depths) + positions + len(fixtures), progress)
    checking.try_all([trial for trial in trials if trial.group == MOVES])
    if all(check.result == FAILED for check in checking.checks):
        checking.give_up(NO_MOVE)
    checking.measure_speed(depths)
    checking.try_positions(positions)
    checking.try_all([trial for trial in trials if trial.group == ROBUSTNESS])
    games = checking.play_games(fixtures) if fixtures else None
    seconds = time.monotonic() - start
    return Report(entrant, tuple(checking.checks), tuple(checking.speeds), checking.strength, seconds, games, game)


def depths_up_to(deepest: int) -> list[int]:
    """The depths at which the speed is measured: 1 and the even ones."""
    return [1, *range(2, deepest + 1, 2)] if deepest else []


class _Checking:
    """A program that is being checked, and what has come of it."""

    def __init__(self, program: Program, total: int, progress: Callable[[int, int, str], None] | None) -> None:
        self.program = program
        self.checks: list[Check] = []
        self.speeds: list[Speed] = []
        self.strength: Strength | None = None
        self._not_tried: str | None = None  # why nothing more is tried
        self._time_outs = 0
        self._done, self._total = 0, total
        self._progress = progress

    def give_up(self, reason: str) -> None:
        """Try nothing more; the first reason counts."""
        self._not_tried = self._not_tried or reason

    def try_all(self, trials: list[Trial]) -> None:
        """Try these things one after another."""
        for number, trial in enumerate(trials):
            if self._not_tried is not None:
                self.checks.append(Check(trial.group, trial.name, FAILED, self._not_tried))
                continue
            self._tell(number, trial.name)
            self.checks.append(tried(self.program, trial))
            self._note_time_out(self.checks[-1].fault)
        self._done += len(trials)

    def measure_speed(self, depths: list[int]) -> None:
        """Measure what a move from the empty board takes, as long as that is not long."""
        for number, depth in enumerate(depths):
            if self._not_tried is not None:
                break
            self._tell(number, f"depth {depth}")
            answer = self.program.move(Board(self.program.game), depth=depth)
            self.speeds.append(Speed(depth, answer.cpu_seconds, answer.fault.kind if answer.fault else None))
            if answer.fault or answer.cpu_seconds > LONGEST_SPEED:
                break
        self._done += len(depths)

    def try_positions(self, count: int) -> None:
        """See whether the moves in the middle of games are legal, and what they give away."""
        lost: list[int] = []
        kept = 0
        faults: list[Fault] = []
        notes: list[str] = []
        game = self.program.game
        for number, (board, scores) in enumerate(positions_with_scores(0 if self._not_tried else count, game)):
            self._tell(number, f"position {number + 1} of {count}")
            answer = self.program.move(board)
            notes += [note.kind for note in answer.notes]
            if answer.fault is not None:
                faults.append(answer.fault)
                self._note_time_out(answer.fault.kind)
                if self._not_tried is not None or len(faults) == MOST_FAULTS:
                    break
            else:
                assert answer.column is not None
                best, score = max(scores.values()), scores[answer.column]
                lost.append(best - score)
                kept += _sign(best) == _sign(score)
        if lost:
            self.strength = Strength(tuple(lost), kept if game == "classic" else None)
        if count:
            self.checks.append(self._positions_check(count, len(lost) + len(faults), faults, tuple(notes)))
        self._done += count

    def _positions_check(self, count: int, tried: int, faults: list[Fault], notes: tuple[str, ...]) -> Check:
        name = f"in {how_many(count, 'position')} of {EARLIEST} to {LATEST} plies"
        return self._legality_check(name, "without a legal move", count, tried, faults, notes)

    def play_games(self, fixtures: Sequence[Fixture]) -> Games:
        """Play games to their end, and see whether all moves are legal there."""
        player, opponent = fixtures[0].game.red, fixtures[0].game.green
        results: list[Result] = []
        faults: list[Fault] = []
        notes: list[str] = []
        for number, fixture in enumerate(fixtures):
            if self._not_tried is not None:
                break
            self._tell(number, f"game {number + 1} of {len(fixtures)}")
            result = Result(fixture.game, play(fixture))
            results.append(result)
            colour = result.colour_of(player)
            notes += [note.kind for note in result.played.notes if note.player == colour]
            for fault in result.played.faults:
                if fault.player == colour:
                    faults.append(fault)
                    self._note_time_out(fault.kind)
        name = f"in {how_many(len(fixtures), 'game')} against {opponent}"
        check = self._legality_check(name, "lost by a fault", len(fixtures), len(results), faults, tuple(notes))
        self.checks.append(check)
        return tally(player, opponent, results, self.program.game)

    def _legality_check(
        self, name: str, wrong: str, count: int, tried: int, faults: list[Fault], notes: tuple[str, ...]
    ) -> Check:
        if not tried:
            assert self._not_tried is not None
            return Check(MOVES, name, FAILED, self._not_tried)
        if not faults:
            return Check(MOVES, name, result_with(notes), "all moves are legal", notes=notes)
        which = f"{tried}" if tried == count else f"the first {tried}"
        stopped = "" if tried == count else ", and no more were tried"
        first = f"first {faults[0].kind}: {faults[0].detail}"
        detail = f"{len(faults)} of {which} {wrong}{stopped}; {first}"
        return Check(MOVES, name, FAILED, detail, faults[0].printed, faults[0].kind, notes)

    def _note_time_out(self, fault: str | None) -> None:
        self._time_outs += fault in TIME_OUTS
        if self._time_outs == MOST_TIME_OUTS:
            self.give_up(TOO_SLOW)

    def _tell(self, number: int, what: str) -> None:
        if self._progress is not None:
            self._progress(self._done + number, self._total, what)


def positions_with_scores(count: int, game: str = "max") -> Iterator[tuple[Board, dict[int, int]]]:
    """Positions from random games, always the same, where the columns are not all worth the same; and their worth."""
    source = random.Random(SEED)
    solver = Solver(MEMORY, 1)
    for number in range(count):
        plies = EARLIEST + number % (LATEST - EARLIEST + 1)
        scores: dict[int, int] = {}
        while not show_strength(scores.values()):
            board = random_board(source, plies, game)
            found = solver.analyse(board, line=False).scores
            assert found is not None
            scores = {column: score for column, score in enumerate(found, start=1) if score is not None}
        yield board, scores


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
