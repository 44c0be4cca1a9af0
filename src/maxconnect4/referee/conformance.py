"""Conformance checks of an external program: legal moves, correct minimax, strength, robustness and CPU time."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from typing import Any, NamedTuple

from ..board import RED, Board
from ..errors import BadSetup
from ..formatting import plural
from ..notation import board_from_moves
from ..position_file import board_as_text
from ..sample_positions import Position, Regret, have_different_values, random_board
from ..solver import Solver
from .game import LOSE, GameSetup, PlayedGame, Rules, ScheduledGame, play
from .move_validation import COSMETIC, TIME_OUTS, Fault, validate_move
from .players import PlayerSpec, parse_player, unique_names
from .program import Program, ProgramRun
from .search_checks import (
    AS_PLAIN_MINIMAX,
    DEPTHS,
    UNCLEAR,
    CheckedMove,
    Counterexample,
    MinimaxResult,
    Pruning,
    Speed,
    is_correct,
    minimax_positions,
    minimax_result,
    pruning,
    quiet_board,
    retried_positions,
)

PASSED, FAILED, NOTED = "passed", "failed", "noted"
#: Groups of checks: moves from files as in a match, the search, the quality of the moves, and other files.
MOVES, MINIMAX, STRENGTH, ROBUSTNESS = "Legal moves", "Correct minimax", "Strength", "Robustness"
FINDINGS = "Findings"  # without points and without a verdict
GROUPS = (MOVES, MINIMAX, STRENGTH, ROBUSTNESS, FINDINGS)
#: The points of each group, which its checks share by their weights.
POINTS: Mapping[str, float] = {MOVES: 40, MINIMAX: 25, STRENGTH: 20, ROBUSTNESS: 15, FINDINGS: 0}
WHOLE_PHASE = 4.0  # weight of a check of many positions

#: For each game: a position in which only column 1 is not full, and one in the middle of a game.
SIX_COLUMNS = {"max": "222222333333444444555555666666777777", "classic": "373325357442245224577733645667452666"}
MIDDLE = {"max": "4435241566322774", "classic": "6662356671554241"}
WON = "1212121"  # by red, in the classic game

LONGEST_REFUSAL = 10.0  # seconds for a program that has no legal move, or searches to depth 0
#: Faults that are failures in every check except depth 0: the program does not start, or has to be killed.
ALWAYS_FAILURES = ("cannot start", "printed too much", *TIME_OUTS)


@dataclass(frozen=True, slots=True)
class ConformanceCheck:
    """A check: an input file, and the expected behaviour of the program."""

    name: str
    #: "move" (a legal one), "refusal" (an error and no output), "nothing" (no output), or "start" (a refusal, or a move
    #: from the empty board).
    expected: str
    moves: str | None = ""  # the position; None for a missing input file
    line_end: str = "\n"
    last_end: bool = True  # whether the last line ends with a newline
    text: str | None = None  # the text of a file that is not a position
    depth: int | None = None  # the depth, if it is not that of the player

    @property
    def group(self) -> str:
        """MOVES for a legal move from a file as written in a match; ROBUSTNESS for any other check."""
        usual = (self.line_end, self.last_end, self.depth) == ("\n", True, None)
        return MOVES if self.expected == "move" and usual else ROBUSTNESS


def conformance_checks(game: str) -> tuple[ConformanceCheck, ...]:
    """The conformance checks of a game, "max" or "classic"."""
    middle, six_columns = MIDDLE[game], SIX_COLUMNS[game]
    letter = "0000000\n0000000\n000x000\n0000000\n0000000\n0000000\n1\n"
    return (
        ConformanceCheck("from the empty board, as red", "move"),
        ConformanceCheck("after the first move, as green", "move", "4"),
        ConformanceCheck("in the middle of the game, as red", "move", middle),
        ConformanceCheck("in the middle of the game, as green", "move", middle + "4"),
        ConformanceCheck("with the middle column full", "move", "444444"),
        ConformanceCheck("with one open column", "move", six_columns),
        ConformanceCheck("with one empty cell, as green", "move", six_columns + "11111"),
        ConformanceCheck("from a file with CR LF line ends", "move", middle, line_end="\r\n"),
        ConformanceCheck("from a file without a newline at the end", "move", middle, last_end=False),
        ConformanceCheck("depth 0", "move", middle, depth=0),
        ConformanceCheck("a full board", "nothing", six_columns + "111111"),
        *([ConformanceCheck("a won game", "nothing", WON)] if game == "classic" else []),
        ConformanceCheck("a missing file", "start", None),
        ConformanceCheck("a file with a letter", "refusal", text=letter),
        ConformanceCheck("a truncated file", "refusal", text="0000000\n0000000\n"),
    )


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a conformance check."""

    group: str  # one of GROUPS
    name: str  # the same for every program, unique in its group
    result: str  # PASSED, FAILED or NOTED
    detail: str  # in one line
    printed: str = ""  # the output of the program, if there is a problem
    fault: str | None = None  # see `FAULTS`
    notes: tuple[str, ...] = ()  # see `NOTES`; one for each note on a move
    remarks: tuple[str, ...] = ()  # explanations and hints, in one line each
    input: str | None = None  # the input file of the first fault, which reproduces it
    depth: int | None = None  # the value of {depth} with that file
    counterexample: Counterexample | None = None
    weight: float = 1.0  # relative to the other checks of the group
    share: float | None = None  # share of the points, from 0 to 1; None for all of them unless it failed

    @property
    def earned(self) -> float:
        """The share of its points that the check earns, from 0 to 1."""
        return float(self.result != FAILED) if self.share is None else self.share


def run_check(program: Program, case: ConformanceCheck) -> CheckResult:
    """Run a conformance check."""
    return _move_check(program, case) if case.expected == "move" else _refusal_check(program, case)


def result_with(notes: tuple[str, ...]) -> str:
    """The result of a check whose moves are legal: NOTED unless all notes are cosmetic."""
    return NOTED if set(notes) - COSMETIC else PASSED


def _move_check(program: Program, case: ConformanceCheck) -> CheckResult:
    assert case.moves is not None
    board = board_from_moves(case.moves, program.game)
    text = board_as_text(board).replace("\n", case.line_end)
    position = text if case.last_end else text.rstrip("\r\n")
    if case.depth == 0:
        program = _with_short_limit(program)
    answer = program.move(board, position=position, depth=case.depth)
    if answer.fault is None:
        notes = tuple(note.kind for note in answer.notes)
        detail = f"column {answer.column}, {answer.cpu_seconds:.2f} s of CPU time"
        return CheckResult(case.group, case.name, result_with(notes), detail, notes=notes)
    kind = answer.fault.kind
    never_in_a_match = case.depth == 0 and kind != "cannot start"
    is_failure = case.group == MOVES or (kind in ALWAYS_FAILURES and not never_in_a_match)
    return CheckResult(
        case.group,
        case.name,
        FAILED if is_failure else NOTED,
        f"{kind}: {answer.fault.detail}",
        answer.fault.printed,
        kind,
        input=position,
        depth=program.player.depth if case.depth is None else case.depth,
    )


def _refusal_check(program: Program, case: ConformanceCheck) -> CheckResult:
    board = None if case.text is not None or case.moves is None else board_from_moves(case.moves, program.game)
    text = case.text if board is None else board_as_text(board)
    run = _with_short_limit(program).run(None if text is None else text.encode(), 1 if board is None else board.to_move)
    if run.problem is not None and run.problem[0] in ALWAYS_FAILURES:
        kind, detail = run.problem
        return CheckResult(case.group, case.name, FAILED, f"{kind}: {detail}", run.printed(), kind)
    if case.expected == "start" and run.problem is None and run.output is not None:
        column = validate_move(Board(program.game), run.output).column
        if column is not None and run.ran.exit_code == 0:
            return CheckResult(case.group, case.name, PASSED, f"column {column}, from the empty board")
    wrong = []
    if run.output is not None or run.problem is not None:
        wrong.append(f"it wrote an output file{_describe_output(run, board)}")
    if run.ran.signal is not None:
        wrong.append(run.ending())
    elif case.expected in ("refusal", "start") and run.ran.exit_code == 0:
        wrong.append("it ended with exit status 0, which means success")
    if wrong:
        return CheckResult(case.group, case.name, NOTED, "; ".join(wrong), run.printed())
    return CheckResult(
        case.group, case.name, PASSED, f"it wrote nothing and ended with exit status {run.ran.exit_code}"
    )


def _with_short_limit(program: Program) -> Program:
    limits = program.player.limits
    short = replace(limits, seconds=min(limits.seconds, LONGEST_REFUSAL))
    return Program(replace(program.player, limits=short), program.game)


def _describe_output(run: ProgramRun, board: Board | None) -> str:
    """Describe an unexpected output file that is empty or repeats the board."""
    if run.problem is not None or run.output is None:
        return ""
    if not run.output.strip():
        return ", which is empty"
    if board is None or run.output.decode("latin-1").split()[:6] != board_as_text(board).split()[:6]:
        return ""  # whatever its last line and its line ends are
    return ", which is the full board" if board.is_full() else ", which is the same board"


LONGEST_SPEED = 5.0  # seconds: the measurement ends with the first search that takes longer
FAST = 0.5  # seconds: after a faster search, greater depths are tried to find out whether the program prunes
MORE_DEPTHS = 3
MOST_FAULTS = 3  # in positions, after which the other positions are skipped
MOST_TIME_OUTS = 3  # after which all other checks are skipped
EARLIEST, LATEST = 14, 30  # plies of the positions that measure the strength
OPENING, MIDDLE_GAME, ENDGAME = "in the opening", "in the middle game", "in the endgame"
#: The first and the last ply of each phase of the game; together they are all plies, and so both colours.
PHASES = {OPENING: (0, EARLIEST - 1), MIDDLE_GAME: (EARLIEST, LATEST), ENDGAME: (LATEST + 1, 41)}
MOST_POSITIONS = {OPENING: 14, MIDDLE_GAME: 1_000_000, ENDGAME: 22}
MOST_MINIMAX = 20  # positions at each depth
REGRET = "regret in the middle game"
FULL_STRENGTH = 0.5  # share of the regret of random moves to avoid for all points of REGRET
SEED = 2026
MEMORY = 64 << 20  # bytes for the solver, enough for positions of 14 plies and more
NO_MOVE, TOO_SLOW = (
    "skipped, because the program made no move",
    "skipped, because the program exceeded its time limit three times",
)


@dataclass(frozen=True, slots=True)
class Strength:
    """The regret of each move in positions with known values."""

    regrets: tuple[int, ...]
    kept: int | None = None  # in the classic game: number of moves that keep the result of perfect play
    #: The mean regret of a player that moves at random in these positions.
    chance: float | None = None

    @property
    def regret(self) -> Regret:
        """Mean, worst and share of perfect moves."""
        return Regret.of((each,) for each in self.regrets)

    @property
    def kept_share(self) -> float | None:
        """The share of moves that keep the result of perfect play; None outside the classic game."""
        return None if self.kept is None else self.kept / len(self.regrets)

    @property
    def share_above_chance(self) -> float:
        """The share of the regret of random moves that the program avoids: 0 for random moves, 1 for perfect ones."""
        return max(0.0, 1 - self.regret.mean / self.chance) if self.chance else 0.0


@dataclass(frozen=True, slots=True)
class ConformanceReport:
    """The results of all conformance checks of a program."""

    player: PlayerSpec
    checks: tuple[CheckResult, ...]
    speeds: tuple[Speed, ...]
    strength: Strength | None  # None without a legal move in the positions
    seconds: float
    games: BaselineResult | None = None  # None without baseline games
    game: str = "max"
    minimax: tuple[MinimaxResult, ...] = ()  # by depth
    pruning: Pruning | None = None  # None if fewer than two depths were measured
    moves: tuple[CheckedMove, ...] = ()  # in positions that are the same for every program
    remarks: tuple[str, ...] = ()  # on the whole program

    def points(self, points: Mapping[str, float] = POINTS) -> list[tuple[CheckResult, float, float]]:
        """Each check that has points, with the points earned and their maximum.

        Args:
            points: The points of each group, which its checks share by their weights.
        """
        weights: Counter[str] = Counter()
        for check in self.checks:
            weights[check.group] += check.weight  # type: ignore[assignment]
        most = [(check, points.get(check.group, 0) * check.weight / weights[check.group]) for check in self.checks]
        return [(check, check.earned * maximum, maximum) for check, maximum in most if maximum]

    def notes(self) -> dict[str, int]:
        """The number of notes by kind."""
        return dict(Counter(kind for check in self.checks for kind in check.notes))

    def count(self, result: str) -> int:
        """The number of checks with this result."""
        return sum(check.result == result for check in self.checks)

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return self.count(FAILED) == 0


def check(
    player: PlayerSpec,
    *,
    deepest: int = 8,
    positions: int = 40,
    setups: Sequence[GameSetup] = (),
    progress: Callable[[int, int, str], None] | None = None,
    game: str = "max",
) -> ConformanceReport:
    """Run all conformance checks of a program.

    Args:
        player: The program.
        deepest: The largest depth of the speed measurement.
        positions: The number of positions in the middle game; in the other phases and at each depth of minimax fewer.
        setups: Games between the program, red in the first, and one other player: see `baseline_games`.
        progress: Called with the number of completed steps, the total, and the name of the next step.
    """
    start = time.monotonic()
    depths = depths_up_to(deepest)
    checks = conformance_checks(game)
    counts = {name: min(positions, most) for name, most in MOST_POSITIONS.items()}
    searches = min(positions, MOST_MINIMAX)
    total = len(checks) + len(depths) + sum(counts.values()) + searches * len(DEPTHS) + len(setups)
    checking = _Checker(Program(player, game), total, progress)
    checking.run_checks([case for case in checks if case.group == MOVES])
    if all(check.result == FAILED for check in checking.checks):
        checking.give_up(NO_MOVE)
    checking.measure_speed(depths)
    for phase, count in counts.items():
        checking.play_phase(phase, count)
    for depth in DEPTHS:
        checking.check_minimax(depth, searches)
    checking.check_strength(counts[MIDDLE_GAME])
    checking.run_checks([case for case in checks if case.group == ROBUSTNESS])
    games = checking.play_games(setups) if setups else None
    found = checking.find_pruning()
    return ConformanceReport(
        player,
        tuple(checking.checks),
        tuple(checking.speeds),
        checking.strength,
        time.monotonic() - start,
        games,
        game,
        tuple(checking.minimax),
        found,
        tuple(checking.moves),
        () if checking.program.python2 is None else (str(checking.program.python2),),
    )


def depths_up_to(deepest: int) -> list[int]:
    """The depths of the speed measurement: 1 and the even ones."""
    return [1, *range(2, deepest + 1, 2)] if deepest else []


class _Checker:
    def __init__(self, program: Program, total: int, progress: Callable[[int, int, str], None] | None) -> None:
        self.program = program
        self.checks: list[CheckResult] = []
        self.speeds: list[Speed] = []
        self.strength: Strength | None = None
        self.minimax: list[MinimaxResult] = []
        self.moves: list[CheckedMove] = []
        self._not_tried: str | None = None  # the reason for skipping all further checks
        self._time_outs = 0
        self._done, self._total = 0, total
        self._progress = progress

    def give_up(self, reason: str) -> None:
        """Skip all further checks, for the first reason that is given."""
        self._not_tried = self._not_tried or reason

    def run_checks(self, checks: list[ConformanceCheck]) -> None:
        """Run checks in sequence."""
        for number, case in enumerate(checks):
            if self._not_tried is not None:
                self.checks.append(CheckResult(case.group, case.name, FAILED, self._not_tried))
                continue
            self._report(number, case.name)
            self.checks.append(run_check(self.program, case))
            if self.checks[-1].result == FAILED:
                self._note_time_out(self.checks[-1].fault)
        self._done += len(checks)

    def measure_speed(self, depths: list[int]) -> None:
        """Measure a move from the empty board at each depth, up to the first slow one."""
        for number, depth in enumerate(depths):
            if self._not_tried is not None:
                break
            self._report(number, f"depth {depth}")
            answer = self.program.move(Board(self.program.game), depth=depth)
            self.speeds.append(Speed(depth, answer.cpu_seconds, answer.fault.kind if answer.fault else None))
            if answer.fault or answer.cpu_seconds > LONGEST_SPEED:
                break
        self._done += len(depths)

    def find_pruning(self) -> Pruning | None:
        """Compare the growth of the CPU time with plain minimax: a finding without points.

        If the program is too fast for a conclusion, it is also measured at greater depths.
        """
        speeds = list(self.speeds)
        found = pruning(speeds)
        for _ in range(MORE_DEPTHS):
            last = speeds[-1] if speeds else None
            is_unclear = found is not None and found.growth is None and found.conclusion == UNCLEAR
            if last is None or not is_unclear or last.fault or last.cpu_seconds > FAST or last.depth < 4:
                break
            answer = self.program.move(Board(self.program.game), depth=last.depth + 2)
            speeds.append(Speed(last.depth + 2, answer.cpu_seconds, answer.fault.kind if answer.fault else None))
            found = pruning(speeds)
        if found is not None:
            result = NOTED if found.conclusion == AS_PLAIN_MINIMAX else PASSED
            self.checks.append(CheckResult(FINDINGS, "pruning", result, f"{found.conclusion}: {found.detail}"))
        return found

    def play_phase(self, phase: str, count: int) -> None:
        """Validate the program's moves in positions of a phase of the game, and store their regret if it is known."""
        if not count:
            return
        if self._not_tried is not None:
            self._skip(MOVES, phase, count, WHOLE_PHASE)
            return
        found = positions_of_phase(phase, count, self.program.game)
        faults, notes = self._moves_in(phase, found, count, self.program.player.depth)
        tried = sum(move.phase == phase for move in self.moves)
        check = self._legality_check(phase, "positions without a legal move", count, tried, faults, notes)
        self.checks.append(replace(check, weight=WHOLE_PHASE))
        self._done += count

    def check_minimax(self, depth: int, count: int) -> None:
        """Compare the program's moves with minimax in positions whose end the depth reaches."""
        name = f"at depth {depth}"
        if not count:
            return
        if self._not_tried is not None:
            self._skip(MINIMAX, name, count)
            return
        positions = list(minimax_positions(depth, count, self.program.game))
        faults, _ = self._moves_in(name, iter(positions), count, depth)
        columns = [move.column for move in self.moves if move.phase == name]
        self._done += count
        result = minimax_result(depth, positions[: len(columns)], columns)
        wrong = retried_positions(result, positions[: len(columns)], columns)
        if wrong and self._not_tried is None:
            result = replace(result, is_one_ply_short=self._plays_perfectly(wrong, depth + 1))
        self.minimax.append(result)
        perfect = f"{result.perfect} of {plural(result.tried, 'move')} {'is' if result.tried == 1 else 'are'} perfect"
        if result.tried == result.perfect:
            outcome = PASSED
        else:
            outcome = NOTED if result.maximises_result else FAILED
            perfect += f" ({result.share:.0%}, random moves {result.chance:.0%})"
        if faults:
            perfect += f"; first fault: {faults[0].kind}: {faults[0].detail}"
        example = result.counterexample
        self.checks.append(
            CheckResult(
                MINIMAX,
                name,
                outcome,
                perfect,
                faults[0].printed if faults else "",
                faults[0].kind if faults else None,
                remarks=result.remarks(),
                input=faults[0].input if faults else example.position if example else None,
                depth=depth if outcome != PASSED else None,
                counterexample=example,
                share=1.0 if outcome == NOTED else result.share_above_chance,
            )
        )

    def _plays_perfectly(self, positions: list[Position], depth: int) -> bool:
        for position in positions:
            answer = self.program.move(position.board, depth=depth)
            if answer.column is None or not is_correct(position, answer.column):
                return False
        return True

    def _moves_in(
        self, name: str, positions: Iterator[Position], count: int, depth: int
    ) -> tuple[list[Fault], tuple[str, ...]]:
        """Store the program's moves in these positions. The third fault, or time-out in all, skips the others."""
        faults: list[Fault] = []
        notes: list[str] = []
        for number, position in enumerate(positions):
            self._report(number, f"{name}, position {number + 1} of {count}")
            answer = self.program.move(position.board, depth=depth)
            notes += [note.kind for note in answer.notes]
            moves, column = position.board.moves or "", answer.column
            if answer.fault is not None or column is None:
                assert answer.fault is not None
                faults.append(answer.fault)
                self.moves.append(CheckedMove(name, moves, depth, None, answer.fault.kind))
                self._note_time_out(answer.fault.kind)
                if self._not_tried is not None or len(faults) == MOST_FAULTS:
                    break
            elif position.scores is None:
                self.moves.append(CheckedMove(name, moves, depth, column))
            else:
                regret, keeps = position.regret(column), position.keeps_result(column)
                scored = [each for each, score in enumerate(position.scores, 1) if score is not None]
                chance = fmean(position.regret(each) or 0 for each in scored)
                self.moves.append(CheckedMove(name, moves, depth, column, None, regret, keeps, chance))
        return faults, tuple(notes)

    def check_strength(self, count: int) -> None:
        """Compare the regret in the middle game with that of random moves."""
        played = [move for move in self.moves if move.phase == MIDDLE_GAME]
        regrets = tuple(move.regret for move in played if move.regret is not None)
        if regrets:
            kept = sum(move.keeps_result is True for move in played)
            chance = fmean(move.chance for move in played if move.chance is not None)
            self.strength = Strength(regrets, kept if self.program.game == "classic" else None, chance)
        if not count:
            return
        if self.strength is None:
            reason = self._not_tried or "skipped, because it made no legal move in the middle game"
            self.checks.append(CheckResult(STRENGTH, REGRET, FAILED, reason))
            return
        strength = self.strength
        share = min(1.0, strength.share_above_chance / FULL_STRENGTH)
        detail = (
            f"mean regret {strength.regret.mean:.2f} in {plural(len(strength.regrets), 'position')}, "
            f"random moves {strength.chance:.2f}"
        )
        self.checks.append(CheckResult(STRENGTH, REGRET, PASSED if share == 1 else NOTED, detail, share=share))

    def play_games(self, setups: Sequence[GameSetup]) -> BaselineResult:
        """Play games and check that the program makes legal moves only."""
        player, opponent = setups[0].game.red, setups[0].game.green
        results: list[PlayedGame] = []
        faults: list[Fault] = []
        notes: list[str] = []
        for number, setup in enumerate(setups):
            if self._not_tried is not None:
                break
            self._report(number, f"game {number + 1} of {len(setups)}")
            result = PlayedGame(setup.game, play(setup))
            results.append(result)
            colour = result.colour_of(player)
            notes += [note.kind for note in result.result.notes if note.player == colour]
            for fault in result.result.faults:
                if fault.player == colour:
                    faults.append(fault)
                    self._note_time_out(fault.kind)
        name = f"games against {opponent}"
        check = self._legality_check(name, "games lost by a fault", len(setups), len(results), faults, tuple(notes))
        self.checks.append(replace(check, weight=WHOLE_PHASE))
        found = baseline_result_of(player, opponent, results, self.program.game)
        won = PASSED if found.consistent else FAILED if not results else NOTED
        detail = f"{found.summary_text()}: {found.verdict()}" if results else str(self._not_tried)
        self.checks.append(
            CheckResult(STRENGTH, f"beats {opponent} consistently", won, detail, share=float(found.consistent))
        )
        return found

    def _legality_check(
        self, name: str, wrong: str, count: int, tried: int, faults: list[Fault], notes: tuple[str, ...]
    ) -> CheckResult:
        if not tried:
            assert self._not_tried is not None
            return CheckResult(MOVES, name, FAILED, self._not_tried)
        if not faults:
            what = plural(count, wrong.partition(" ")[0][:-1])
            return CheckResult(MOVES, name, result_with(notes), f"all moves are legal, {what}", notes=notes)
        which = f"{tried}" if tried == count else f"the first {tried}"
        skipped = "" if tried == count else ", the others are skipped"
        first = f"first fault: {faults[0].kind}: {faults[0].detail}"
        detail = f"{len(faults)} of {which} {wrong}{skipped}; {first}"
        return CheckResult(
            MOVES,
            name,
            FAILED,
            detail,
            faults[0].printed,
            faults[0].kind,
            notes,
            input=faults[0].input,
            depth=self.program.player.depth,
        )

    def _skip(self, group: str, name: str, count: int, weight: float = 1.0) -> None:
        self.checks.append(CheckResult(group, name, FAILED, str(self._not_tried), weight=weight))
        self._done += count

    def _note_time_out(self, fault: str | None) -> None:
        self._time_outs += fault in TIME_OUTS
        if self._time_outs == MOST_TIME_OUTS:
            self.give_up(TOO_SLOW)

    def _report(self, number: int, what: str) -> None:
        if self._progress is not None:
            self._progress(self._done + number, self._total, what)


def positions_of_phase(phase: str, count: int, game: str = "max") -> Iterator[Position]:
    """A fixed sequence of positions of one of PHASES, from its first to its last ply; scores are those that matter."""
    if phase == MIDDLE_GAME:
        yield from positions_with_scores(count, game)
        return
    source, (first, last) = random.Random(f"{SEED} {phase} {game}"), PHASES[phase]
    for number in range(count):
        yield Position(quiet_board(source, first + number * (last - first) // max(1, count - 1), game))


def positions_with_scores(count: int, game: str = "max") -> Iterator[Position]:
    """A fixed sequence of positions from random games in which the columns have different values."""
    source = random.Random(SEED)
    solver = Solver(MEMORY, 1)
    for number in range(count):
        plies = EARLIEST + number % (LATEST - EARLIEST + 1)
        scores: tuple[int | None, ...] = ()
        while not have_different_values(scores):
            board = random_board(source, plies, game)
            found = solver.analyse(board, line=False).scores
            assert found is not None
            scores = tuple(found)
        yield Position(board, scores)


# Baseline games

OPPONENT = "random"
BASELINE_GAMES = 20
FEWEST = 10  # games for a verdict: an equal player often wins two of two
BASELINE_SEED = 1


class BaselineGame(NamedTuple):
    """The result of one game between a player and a weak opponent."""

    score: float
    points: int
    opponent_points: int
    fault: bool  # whether the player committed a fault


@dataclass(frozen=True, slots=True)
class BaselineResult:
    """The result of baseline games, which are games against a weak opponent."""

    player: str
    opponent: str
    wins: int
    draws: int
    losses: int
    points: int | None  # of the player in all games; None in the classic game
    opponent_points: int | None
    faults: int  # games lost by a fault
    depth: int | None = None  # of the player's moves; None if the player sets its depth itself

    @property
    def played(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def consistent(self) -> bool:
        """Whether the player wins at least nine of ten games, in ten games or more. A draw is not a win.

        A player that wins three of four games in the long run wins 18 of 20 in fewer than one of ten trials.
        """
        return self.played >= FEWEST and self._nearly_all_won()

    def _nearly_all_won(self) -> bool:
        return 10 * self.wins >= 9 * self.played

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {**asdict(self), "played": self.played, "consistent": self.consistent}

    def summary_text(self) -> str:
        """The result in one line, such as: 18 wins, 1 draw, 1 loss in 20 games, 61 points to 12."""
        won = plural(self.wins, "win")
        drawn = plural(self.draws, "draw")
        lost = plural(self.losses, "loss", "losses")
        faults = f" ({self.faults} by a fault)" if self.faults else ""
        games = plural(self.played, "game")
        points = "" if self.points is None else f", {plural(self.points, 'point')} to {self.opponent_points}"
        return f"{won}, {drawn}, {lost}{faults} in {games}{points}"

    def verdict(self) -> str:
        """Whether the player beats the opponent consistently, as the end of a sentence."""
        if not self.played:
            return "no game was played"
        if self.consistent:
            return "it wins consistently, as the assignment requires of a reasonable evaluation"
        if self._nearly_all_won():
            return f"too few games for a verdict: play at least {FEWEST}"
        enough = -(-9 * max(self.played, FEWEST) // 10)
        return (
            "it does not win consistently, which the assignment requires of a reasonable evaluation: "
            f"it needs {enough} wins in {max(self.played, FEWEST)} games"
        )


def baseline_games(
    spec: PlayerSpec,
    opponent: PlayerSpec | None = None,
    games: int = BASELINE_GAMES,
    seed: int = BASELINE_SEED,
    game: str = "max",
) -> list[GameSetup]:
    """Schedule games from the empty board against a weak opponent, with alternating colours. A fault loses the game.

    The player is red in the first game. The default opponent is `random`. Each game derives its own random seed from
    `seed`; two deterministic players repeat the same two games.
    """
    player, other = unique_names([spec, opponent or parse_player(OPPONENT)])
    for each in (player, other):
        if each.is_human:
            raise BadSetup("human: baseline games need two computer players")
    rules = Rules(LOSE, seed=seed, game=game)
    setups = []
    for number in range(1, games + 1):
        red, green = (player, other) if number % 2 else (other, player)
        setups.append(
            GameSetup(ScheduledGame(number, 1, (number + 1) // 2, red.name, green.name, ""), red, green, rules)
        )
    return setups


def baseline_result_of(player: str, opponent: str, played: Iterable[PlayedGame], game: str = "max") -> BaselineResult:
    """Sum up the games of two players, given by their names in the games. Void games do not count."""
    games = []
    for each in played:
        score, colour = each.score_of(player), each.colour_of(player)
        if score is not None:
            own, other = each.result.points if colour == RED else each.result.points[::-1]
            games.append(BaselineGame(score, own, other, any(fault.player == colour for fault in each.result.faults)))
    return baseline_result(player, opponent, games, game)


def baseline_result(
    player: str, opponent: str, games: Sequence[BaselineGame], game: str = "max", depth: int | None = None
) -> BaselineResult:
    """Sum up games. In the classic game there are no points."""
    scores = [each.score for each in games]
    wins, draws, losses = (scores.count(score) for score in (1, 0.5, 0))
    own = sum(each.points for each in games) if game == "max" else None
    other = sum(each.opponent_points for each in games) if game == "max" else None
    faults = sum(each.fault for each in games)
    return BaselineResult(player, opponent, wins, draws, losses, own, other, faults, depth)
