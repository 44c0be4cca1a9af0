"""The things that a program is tried on, one by one: positions of every stage, and files that it should refuse."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..files import board_as_text
from ..notation import board_from_moves
from .faults import COSMETIC, TIME_OUTS
from .programs.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..board import Board
    from .programs.program import Attempt

PASSED, FAILED, NOTED = "passed", "failed", "noted"
MOVES, ROBUSTNESS = "Legal moves", "Robustness"  # the two kinds of checks: what a match brings about, and the rest

#: In each game: six columns that are full, after which the first can be filled; and the middle of a game.
SIX_COLUMNS = {"max": "222222333333444444555555666666777777", "classic": "373325357442245224577733645667452666"}
MIDDLE = {"max": "4435241566322774", "classic": "6662356671554241"}
WON = "1212121"  # by red, in the classic game

LONGEST_REFUSAL = 10.0  # seconds: a program that has nothing to do need not think
#: Faults that are failures wherever they are: the program does not even run, or it does not end by itself.
ALWAYS_FAILURES = ("cannot start", "printed too much", *TIME_OUTS)


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

    @property
    def group(self) -> str:
        """MOVES for what a match brings about, where files are always written alike; ROBUSTNESS for all else."""
        usual = (self.line_end, self.last_end, self.depth) == ("\n", True, None)
        return MOVES if self.expected == "move" and usual else ROBUSTNESS


def trials_of(game: str) -> tuple[Trial, ...]:
    """All that a program is tried on, as a player of one of the two games."""
    middle, six_columns = MIDDLE[game], SIX_COLUMNS[game]
    letter = "0000000\n0000000\n000x000\n0000000\n0000000\n0000000\n1\n"
    return (
        Trial("from the empty board, as red", "move"),
        Trial("after the first drop, as green", "move", "4"),
        Trial("in the middle of the game, as red", "move", middle),
        Trial("in the middle of the game, as green", "move", middle + "4"),
        Trial("with the middle column full", "move", "444444"),
        Trial("with one column left", "move", six_columns),
        Trial("with one cell left, as green", "move", six_columns + "11111"),
        Trial("from a file with CR LF at the ends of its lines", "move", middle, line_end="\r\n"),
        Trial("from a file without a newline at its end", "move", middle, last_end=False),
        Trial("depth 0", "move", middle, depth=0),
        Trial("a full board", "nothing", six_columns + "111111"),
        *([Trial("a game that is won", "nothing", WON)] if game == "classic" else []),
        Trial("a file that is missing", "refusal", None),
        Trial("a file with a letter in it", "refusal", text=letter),
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
    fault: str | None = None  # see `faults.FAULTS`
    notes: tuple[str, ...] = ()  # see `faults.NOTES`; one for each move that it was made on


def tried(program: Program, trial: Trial) -> Check:
    """Try one thing."""
    return _move_check(program, trial) if trial.expected == "move" else _refusal_check(program, trial)


def result_with(notes: tuple[str, ...]) -> str:
    """What notes on legal moves make of a check: how an output is written is worth no mark of its own."""
    return NOTED if set(notes) - COSMETIC else PASSED


def _move_check(program: Program, trial: Trial) -> Check:
    assert trial.moves is not None
    board = board_from_moves(trial.moves, program.game)
    text = board_as_text(board).replace("\n", trial.line_end)
    position = text if trial.last_end else text.rstrip("\r\n")
    answer = program.move(board, position=position, depth=trial.depth)
    if answer.fault is None:
        notes = tuple(note.kind for note in answer.notes)
        detail = f"column {answer.column}, {answer.cpu_seconds:.2f} s of CPU time"
        return Check(trial.group, trial.name, result_with(notes), detail, notes=notes)
    kind = answer.fault.kind
    result = FAILED if trial.group == MOVES or kind in ALWAYS_FAILURES else NOTED
    return Check(trial.group, trial.name, result, f"{kind}: {answer.fault.detail}", answer.fault.printed, kind)


def _refusal_check(program: Program, trial: Trial) -> Check:
    limits = program.entrant.limits
    short = replace(limits, seconds=min(limits.seconds, LONGEST_REFUSAL))
    board = None if trial.text is not None or trial.moves is None else board_from_moves(trial.moves, program.game)
    text = trial.text if board is None else board_as_text(board)
    patient = Program(replace(program.entrant, limits=short), program.game)
    attempt = patient.attempt(None if text is None else text.encode(), 1 if board is None else board.to_move)
    if attempt.problem is not None and attempt.problem[0] in ALWAYS_FAILURES:
        kind, detail = attempt.problem
        return Check(trial.group, trial.name, FAILED, f"{kind}: {detail}", attempt.printed(), kind)
    wrong = []
    if attempt.output is not None or attempt.problem is not None:
        wrong.append(f"it wrote an output file{_what_is_in_it(attempt, board)}")
    if attempt.ran.signal is not None:
        wrong.append(attempt.ending())
    elif trial.expected == "refusal" and attempt.ran.exit_code == 0:
        wrong.append("it ended with exit code 0, as if all were well")
    if wrong:
        return Check(trial.group, trial.name, NOTED, "; ".join(wrong), attempt.printed())
    return Check(trial.group, trial.name, PASSED, f"it wrote nothing and ended with exit code {attempt.ran.exit_code}")


def _what_is_in_it(attempt: Attempt, board: Board | None) -> str:
    """What an output file that should not be there holds, if that is easily said."""
    if attempt.problem is not None or attempt.output is None:
        return ""
    if not attempt.output.strip():
        return ", which is empty"
    if board is None or attempt.output.decode("latin-1").split()[:6] != board_as_text(board).split()[:6]:
        return ""  # whatever its last line and its line ends are
    return ", which is the full board" if board.is_full() else ", which is the same board"
