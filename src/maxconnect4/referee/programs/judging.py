"""Whether what a program wrote is the position after one legal move, and what is wrong if not."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...board import EMPTY, NAMES, Board
from ...errors import BadPosition, shown
from ...files import BYTE_ORDER_MARK, board_as_text, board_from_text

#: What loses a game.
FAULTS = {
    "cannot start": "The command could not be run at all.",
    "time-out": "The program had not ended when its time by the clock was over.",
    "CPU time-out": "The program and its processes used more CPU time than is allowed.",
    "printed too much": "The program printed more than is allowed.",
    "crash": "A signal or an exit code other than 0 ended the program, and it had not written a position.",
    "out of memory": "A crash, and what the program printed says that it could have no more memory.",
    "no output": "The program ended as if all were well, but there is no output file.",
    "not a file": "The output is a link, a folder, a pipe or a device instead of a file of its own.",
    "output too large": "The output file is far larger than a position.",
    "malformed output": "The output file does not begin with six lines of seven digits 0, 1 and 2.",
    "unchanged board": "The output is the position that the program was given, without a move.",
    "changed board": "Pieces that were on the board have changed or are gone.",
    "killed the referee": "The process that refereed the game was killed, more than once.",
    "illegal move": "What was added to the board is not one piece of the own colour on top of a column.",
}

#: What is taken as it was meant.
NOTES = {
    "exit code": "It ended with an exit code other than 0, though it had written a good move.",
    "signal": "A signal ended it, though it had written a good move.",
    "next player": "The last line of its output is not the player to move.",
    "line ends": "The lines of its output end in a carriage return.",
    "no last newline": "The last line of its output has no end.",
    "blanks": "There are blanks at the ends of lines, or blank lines at the end, of its output.",
    "byte order mark": "Its output begins with a byte order mark.",
    "extra lines": "There is more in its output than a position.",
    "printed much": "It printed more than 100,000 bytes.",
    "left processes running": "It ended while processes that it had started were still running.",
}

#: Notes on how a move is written, and on a program that should end otherwise, which harms nobody.
COSMETIC = frozenset(
    {"exit code", "next player", "line ends", "no last newline", "blanks", "byte order mark", "extra lines"}
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A column, or a fault and what is wrong in one line; and the notes on how the output is written."""

    column: int | None
    fault: str | None = None
    detail: str = ""
    notes: tuple[str, ...] = ()


def judge(board: Board, output: bytes) -> Verdict:
    """Find the move that a program made on a board in the file that it wrote."""
    text = output.decode("latin-1")
    bare = text.removeprefix(BYTE_ORDER_MARK)
    lines = bare.replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    rows = [line.rstrip(" \t") for line in lines[: board.height]]
    if len(rows) < board.height or not all(re.fullmatch(f"[012]{{{board.width}}}", row) for row in rows):
        return Verdict(None, "malformed output", _malformed(bare, board))
    verdict = _judge_rows(board, [[int(digit) for digit in row] for row in rows])
    if verdict.column is None:
        return verdict
    after = board.copy()
    after.drop(verdict.column)
    if text == board_as_text(after):
        return verdict
    rest = [line.strip(" \t") for line in lines[board.height :]]
    notes = {
        "byte order mark": text != bare,
        "line ends": "\r" in bare,
        "no last newline": lines[-1] != "",
        "next player": rest[:1] != [str(after.to_move)],
        "extra lines": any(rest[1:]),
        "blanks": any(line != line.rstrip(" \t") for line in lines) or (len(rest) > 2 and not any(rest[1:])),
    }
    return Verdict(verdict.column, notes=tuple(note for note, there in notes.items() if there))


def _malformed(text: str, board: Board) -> str:
    try:
        board_from_text(text, "the output", board.game, (board.width, board.height))
    except BadPosition as error:
        return str(error)
    return f"the output begins with {shown(text[:40])}"


def _judge_rows(board: Board, rows: list[list[int]]) -> Verdict:
    was = board.rows()
    changed = [
        (index + 1, board.height - line, was[line][index], rows[line][index])
        for line in range(board.height)
        for index in range(board.width)
        if was[line][index] != rows[line][index]
    ]
    if not changed:
        return Verdict(None, "unchanged board", "the board is as it was, without a move")
    mover = NAMES[board.to_move]
    for column, row, old, new in changed:
        if old != EMPTY:
            became = f"became {NAMES[new]}" if new != EMPTY else "is gone"
            return Verdict(None, "changed board", f"the {NAMES[old]} piece in column {column}, row {row} {became}")
    if len(changed) > 1:
        cells = ", ".join(f"{NAMES[new]} in column {column}, row {row}" for column, row, _, new in sorted(changed)[:4])
        dots = ", ..." if len(changed) > 4 else ""
        return Verdict(None, "illegal move", f"{len(changed)} pieces were added instead of one: {cells}{dots}")
    column, row, _, new = changed[0]
    if new != board.to_move:
        detail = f"a {NAMES[new]} piece was added in column {column}, row {row}, though {mover} was to move"
        return Verdict(None, "illegal move", detail)
    lowest = len(board.stack(column)) + 1
    if row != lowest:
        detail = f"the piece in column {column}, row {row} floats: the lowest empty cell there is row {lowest}"
        return Verdict(None, "illegal move", detail)
    return Verdict(column)
