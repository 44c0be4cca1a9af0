"""Validation of the moves of external programs: faults, which lose a game, and notes, which do not.

`validate_move` compares the output position of a program with its input position.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..board import EMPTY, NAMES, Board
from ..errors import BadPosition, quote
from ..position_file import BYTE_ORDER_MARK, board_from_text, with_newlines

#: Faults, which lose a game.
FAULTS = {
    "cannot start": "The command could not be started.",
    "time-out": "The program was still running at the end of its wall-clock time limit, which leaves out the time in "
    "which it waited for a processor.",
    "CPU time-out": "The program and its processes exceeded the limit on CPU time.",
    "printed too much": "The program exceeded the limit on printed output.",
    "crash": "The program was killed by a signal or ended with an exit status other than 0, and wrote no position.",
    "out of memory": "The program exceeded the memory limit, or crashed when an allocation failed.",
    "too many processes": "The program exceeded the limit on processes and threads.",
    "wrote too much": "The program exceeded the limit on bytes written to files or on the number of files.",
    "no output": "The program ended with exit status 0 without an output file.",
    "not a file": "The output is a link, a folder, a pipe or a device instead of a regular file.",
    "output too large": "The output file is far larger than a position file.",
    "malformed output": "The output file does not begin with six lines of seven digits 0, 1 and 2.",
    "unchanged board": "The output is the input position, without a move.",
    "changed board": "Pieces on the board were changed or removed.",
    "killed the referee": "The process that runs the game was killed repeatedly.",
    "illegal move": "The output is not the input with one more piece of the player's colour on top of a column.",
}
TIME_OUTS = ("time-out", "CPU time-out")

#: Notes, which do not lose a game.
NOTES = {
    "exit code": "The program wrote a legal move, but ended with an exit status other than 0.",
    "signal": "The program wrote a legal move, but was killed by a signal.",
    "next player": "The last line of the output is not the player to move.",
    "line ends": "The lines of the output end with a carriage return.",
    "no last newline": "The last line of the output does not end with a newline.",
    "blanks": "The output has blanks at the ends of lines, or blank lines at its end.",
    "byte order mark": "The output begins with a byte order mark.",
    "extra lines": "The output has more lines than a position file.",
    "printed much": "The program printed more than 100,000 bytes.",
    "left processes running": "The program ended while processes that it had started were still running.",
}

#: Notes on the format of the output and on the exit status, which do not affect other programs.
COSMETIC = frozenset(
    {"exit code", "next player", "line ends", "no last newline", "blanks", "byte order mark", "extra lines"}
)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a player, which loses the game, with its evidence."""

    kind: str  # its name, such as "illegal move": see `FAULTS`
    player: int  # RED or GREEN
    ply: int  # of the missing move in the game, from 1
    detail: str  # the problem in one line
    input: str = ""  # the input file
    output: str = ""  # the beginning of the output file
    printed: str = ""  # the first and the last lines of its standard output and standard error


@dataclass(frozen=True, slots=True)
class Note:
    """A deviation from the assignment that does not lose the game."""

    kind: str  # such as "exit code": see `NOTES`
    player: int
    ply: int


@dataclass(frozen=True, slots=True)
class MoveResult:
    """A program's move: a column, or a fault."""

    column: int | None
    fault: Fault | None
    notes: tuple[Note, ...]
    cpu_seconds: float
    seconds: float = 0.0  # wall-clock time
    printed: str = ""  # the first and the last lines of its standard output and standard error


@dataclass(frozen=True, slots=True)
class MoveValidation:
    """The move in an output file: a column, or a fault with its detail; and notes on the format of the file."""

    column: int | None
    fault: str | None = None
    detail: str = ""
    notes: tuple[str, ...] = ()


def validate_move(board: Board, output: bytes) -> MoveValidation:
    """Find the move in the contents of a program's output file. The board is the position before the move."""
    text = output.decode("latin-1")
    bare = text.removeprefix(BYTE_ORDER_MARK)
    lines = with_newlines(bare).split("\n")
    rows = [line.rstrip(" \t") for line in lines[: board.height]]
    if len(rows) < board.height or not all(re.fullmatch(f"[012]{{{board.width}}}", row) for row in rows):
        return MoveValidation(None, "malformed output", _malformed(bare, board))
    verdict = _validate_rows(board, [[int(digit) for digit in row] for row in rows])
    if verdict.column is None:
        return verdict
    after = board.copy()
    after.drop(verdict.column)
    rest = [line.strip(" \t") for line in lines[board.height :]]
    notes = {
        "byte order mark": text != bare,
        "line ends": "\r" in bare,
        "no last newline": lines[-1] != "",
        "next player": rest[:1] != [str(after.to_move)],
        "extra lines": any(rest[1:]),
        "blanks": any(line != line.rstrip(" \t") for line in lines) or (len(rest) > 2 and not any(rest[1:])),
    }
    return MoveValidation(verdict.column, notes=tuple(note for note, there in notes.items() if there))


def _malformed(text: str, board: Board) -> str:
    try:
        board_from_text(text, "the output", board.game, (board.width, board.height))
    except BadPosition as error:
        return str(error)
    return f"the output begins with {quote(text[:40])}"


def _validate_rows(board: Board, rows: list[list[int]]) -> MoveValidation:
    was = board.rows()
    changed = [
        (index + 1, board.height - line, was[line][index], rows[line][index])
        for line in range(board.height)
        for index in range(board.width)
        if was[line][index] != rows[line][index]
    ]
    if not changed:
        return MoveValidation(None, "unchanged board", "the output is the input position, without a move")
    mover = NAMES[board.to_move]
    for column, row, old, new in changed:
        if old != EMPTY:
            became = f"became {NAMES[new]}" if new != EMPTY else "was removed"
            return MoveValidation(
                None, "changed board", f"the {NAMES[old]} piece in column {column}, row {row} {became}"
            )
    if len(changed) > 1:
        cells = ", ".join(f"{NAMES[new]} in column {column}, row {row}" for column, row, _, new in sorted(changed)[:4])
        dots = ", ..." if len(changed) > 4 else ""
        return MoveValidation(None, "illegal move", f"{len(changed)} pieces were added instead of one: {cells}{dots}")
    column, row, _, new = changed[0]
    if new != board.to_move:
        detail = f"a {NAMES[new]} piece was added in column {column}, row {row}, but {mover} was to move"
        return MoveValidation(None, "illegal move", detail)
    lowest = len(board.stack(column)) + 1
    if row != lowest:
        detail = f"the piece in column {column} is in row {row}: the lowest empty cell of that column is row {lowest}"
        return MoveValidation(None, "illegal move", detail)
    return MoveValidation(column)
