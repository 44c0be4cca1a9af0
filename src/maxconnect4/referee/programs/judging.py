"""Whether what a program wrote is the position after one legal move, and what is wrong if not."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...board import EMPTY, NAMES, Board
from ...errors import BadPosition, shown
from ...files import BYTE_ORDER_MARK, board_from_text, with_newlines


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
    lines = with_newlines(bare).split("\n")
    rows = [line.rstrip(" \t") for line in lines[: board.height]]
    if len(rows) < board.height or not all(re.fullmatch(f"[012]{{{board.width}}}", row) for row in rows):
        return Verdict(None, "malformed output", _malformed(bare, board))
    verdict = _judge_rows(board, [[int(digit) for digit in row] for row in rows])
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
