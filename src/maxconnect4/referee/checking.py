"""Whether a program keeps to the assignment: legal moves, other files than it expects, its speed and its strength."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, replace

from ..board import Board
from ..files import board_as_text
from ..notation import board_from_moves
from ..solver import Solver
from .program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .entrants import Entrant
    from .program import Answer

PASSED, FAILED, NOTED = "passed", "failed", "noted"
MOVES, ROBUSTNESS = "Legal moves", "Robustness"  # the two kinds of checks

SIX_COLUMNS = "222222333333444444555555666666777777"
MIDDLE = "4435241566322774"
FULL = SIX_COLUMNS + "111111"

LONGEST_REFUSAL = 10.0  # seconds: a program that has nothing to do need not think
LONGEST_SPEED = 5.0  # seconds: no deeper search is tried after one that took so long
MOST_FAULTS = 3  # after so many, no more positions are tried
EARLIEST, LATEST = 14, 30  # plies of the positions that show the strength
SEED = 2026
MEMORY = 64 << 20  # for the solver; positions as late as these take little


@dataclass(frozen=True, slots=True)
class Trial:
    """One thing to try, and what is expected: a legal move, "move"; an error, "refusal"; or "nothing" at all."""

    name: str
    expected: str
    moves: str | None = ""  # the position; None for no input file
    line_end: str = "\n"
    last_end: bool = True  # whether the last line ends, too
    text: str | None = None  # what the file holds instead of a position
    depth: int | None = None  # if not that of the entrant


TRIALS = (
    Trial("from the empty board, as red", "move"),
    Trial("after the first drop, as green", "move", "4"),
    Trial("in the middle of the game, as red", "move", MIDDLE),
    Trial("in the middle of the game, as green", "move", MIDDLE + "4"),
    Trial("with the middle column full", "move", "444444"),
    Trial("with one column left", "move", SIX_COLUMNS),
    Trial("with one cell left, as green", "move", SIX_COLUMNS + "11111"),
    Trial("from a file with CR LF at the ends of its lines", "move", MIDDLE, line_end="\r\n"),
    Trial("from a file without a newline at its end", "move", MIDDLE, last_end=False),
    Trial("depth 0", "move", MIDDLE, depth=0),
    Trial("a full board", "nothing", FULL),
    Trial("a file that is missing", "refusal", None),
    Trial("a file with a letter in it", "refusal", text="0000000\n0000000\n000x000\n0000000\n0000000\n0000000\n1\n"),
    Trial("a file that ends too early", "refusal", text="0000000\n0000000\n"),
)


@dataclass(frozen=True, slots=True)
class Check:
    """What came of something that was tried."""

    group: str  # MOVES or ROBUSTNESS
    name: str
    result: str  # PASSED, FAILED or NOTED
    detail: str  # in one line
    printed: str = ""  # what the program printed, if there is something wrong
    notes: tuple[str, ...] = ()  # see `judging.NOTES`


@dataclass(frozen=True, slots=True)
class Speed:
    """What a move from the empty board took at a depth."""

    depth: int
    cpu_seconds: float
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Strength:
    """What moves gave away against perfect play, in points, one after another."""

    given_away: tuple[int, ...]

    @property
    def mean(self) -> float:
        """Points for each move."""
        return sum(self.given_away) / len(self.given_away)

    @property
    def perfect_share(self) -> float:
        """How many of the moves gave nothing away."""
        return self.given_away.count(0) / len(self.given_away)


@dataclass(frozen=True, slots=True)
class Report:
    """All that is known of a program after it was checked."""

    entrant: Entrant
    checks: tuple[Check, ...]
    speeds: tuple[Speed, ...]
    strength: Strength | None  # None if no position was tried, or no move made
    seconds: float

    def count(self, result: str) -> int:
        """How many checks came out so."""
        return sum(check.result == result for check in self.checks)

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return self.count(FAILED) == 0


def check(
    entrant: Entrant, *, deepest: int = 8, positions: int = 40, progress: Callable[[int, int, str], None] | None = None
) -> Report:
    """Try a program on everything; `progress` is told how much is done, of how much, and what comes next."""
    start = time.monotonic()
    program = Program(entrant)
    depths = depths_up_to(deepest)
    total = len(TRIALS) + len(depths) + positions
    tell = progress or (lambda done, total, what: None)
    checks = []
    makes_moves = False
    for number, trial in enumerate(TRIALS):
        tell(number, total, trial.name)
        checks.append(tried(program, trial))
        makes_moves |= checks[-1].group == MOVES and checks[-1].result != FAILED
    speeds: list[Speed] = []
    strength = None
    if makes_moves:
        for number, depth in enumerate(depths):
            tell(len(TRIALS) + number, total, f"depth {depth}")
            speeds.append(_speed(program, depth))
            if speeds[-1].fault or speeds[-1].cpu_seconds > LONGEST_SPEED:
                break
        before = len(TRIALS) + len(depths)
        found, strength = _strength(
            program, positions, lambda done: tell(before + done, total, f"position {done + 1} of {positions}")
        )
        checks += found
    elif positions:
        checks.append(Check(MOVES, _middles(positions), FAILED, "not tried, as it made no move at all"))
    return Report(entrant, tuple(checks), tuple(speeds), strength, time.monotonic() - start)


def depths_up_to(deepest: int) -> list[int]:
    """The depths at which the speed is measured: 1 and the even ones."""
    return [depth for depth in (1, *range(2, deepest + 1, 2)) if depth <= deepest]


def tried(program: Program, trial: Trial) -> Check:
    """Try one thing."""
    if trial.expected == "move":
        assert trial.moves is not None
        return _move_check(program, trial, board_from_moves(trial.moves))
    return _refusal_check(program, trial)


def _move_check(program: Program, trial: Trial, board: Board) -> Check:
    text = board_as_text(board).replace("\n", trial.line_end)
    position = text if trial.last_end else text.rstrip("\r\n")
    answer = program.move(board, position=position, depth=trial.depth)
    notes = tuple(note.kind for note in answer.notes)
    group = MOVES if trial.depth is None else ROBUSTNESS
    if answer.fault is None:
        detail = f"column {answer.column}, {answer.cpu_seconds:.2f} s"
        return Check(group, trial.name, NOTED if notes else PASSED, detail, notes=notes)
    # Nothing says what depth 0 should mean, but a program has to end.
    result = NOTED if trial.depth is not None and "time-out" not in answer.fault.kind else FAILED
    return Check(group, trial.name, result, f"{answer.fault.kind}: {answer.fault.detail}", answer.fault.printed)


def _refusal_check(program: Program, trial: Trial) -> Check:
    limits = program.entrant.limits
    short = replace(limits, seconds=min(limits.seconds, LONGEST_REFUSAL))
    text = trial.text
    if text is None and trial.moves is not None:
        text = board_as_text(board_from_moves(trial.moves))
    attempt = Program(replace(program.entrant, limits=short)).attempt(None if text is None else text.encode(), 1)
    if attempt.problem is not None and (attempt.ran.stopped is not None or attempt.problem[0] == "cannot start"):
        return Check(ROBUSTNESS, trial.name, FAILED, f"{attempt.problem[0]}: {attempt.problem[1]}", attempt.printed())
    wrong = []
    if attempt.output is not None or attempt.problem is not None:
        wrong.append("it wrote an output file")
    if attempt.ran.signal is not None:
        wrong.append(attempt.ending())
    elif trial.expected == "refusal" and attempt.ran.exit_code == 0:
        wrong.append("it ended with exit code 0, as if all were well")
    if wrong:
        return Check(ROBUSTNESS, trial.name, NOTED, "; ".join(wrong), attempt.printed())
    return Check(ROBUSTNESS, trial.name, PASSED, f"it wrote nothing and ended with exit code {attempt.ran.exit_code}")


def _speed(program: Program, depth: int) -> Speed:
    answer = program.move(Board(), depth=depth)
    return Speed(depth, answer.cpu_seconds, answer.fault.kind if answer.fault else None)


def _strength(program: Program, positions: int, tell: Callable[[int], None]) -> tuple[list[Check], Strength | None]:
    """Whether the moves in the middle of games are legal, and what they give away."""
    lost: list[int] = []
    faults: list[Answer] = []
    for number, (board, scores) in enumerate(positions_with_scores(positions)):
        tell(number)
        answer = program.move(board)
        if answer.column is None:
            faults.append(answer)
            if len(faults) == MOST_FAULTS:
                break
        else:
            lost.append(max(scores.values()) - scores[answer.column])
    if not lost and not faults:
        return [], None
    name = _middles(positions)
    if faults:
        fault = faults[0].fault
        assert fault is not None
        detail = f"{len(faults)} of {len(lost) + len(faults)} without a legal move, first {fault.kind}: {fault.detail}"
        found = Check(MOVES, name, FAILED, detail, fault.printed)
    else:
        found = Check(MOVES, name, PASSED, "all moves are legal")
    return [found], Strength(tuple(lost)) if lost else None


def _middles(positions: int) -> str:
    return f"in {positions} position{'s' * (positions != 1)} of {EARLIEST} to {LATEST} plies"


def positions_with_scores(count: int) -> Iterator[tuple[Board, dict[int, int]]]:
    """Positions from random games, always the same, where the columns are not all worth the same; and their worth."""
    source = random.Random(SEED)
    solver = Solver(MEMORY, 1)
    for number in range(count):
        plies = EARLIEST + number % (LATEST - EARLIEST + 1)
        scores: dict[int, int] = {}
        while len(set(scores.values())) < 2:
            board = Board()
            while board.pieces() < plies:
                board.drop(source.choice(board.columns()))
            found = solver.analyse(board, line=False).scores
            assert found is not None
            scores = {column: score for column, score in enumerate(found, start=1) if score is not None}
        yield board, scores
