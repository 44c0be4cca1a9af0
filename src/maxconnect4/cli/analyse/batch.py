"""Many positions: a line of JSON for each line of a file."""

from __future__ import annotations

import json
import os

from ...errors import BadFile, BadPosition, reason, shown_path
from ...notation import board_from_moves
from ...reading import lines_of
from .. import BAD_POSITION
from ..terminal.display import Bar
from ..terminal.screen import complain
from .facts import facts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

    from ...solver import Progress, Solver
    from ..parsing import Arguments
    from ..terminal.screen import Screen

LONGEST_LINE = 1000  # bytes of a line of a batch; a game has 42 moves


def solve_lines(args: Arguments, size: tuple[int, int], solver: Solver, screen: Screen) -> int:
    """Solve the move string on each line, and return the exit code."""
    bad = number = done = 0
    with _opened(args.batch) as file, Bar(_length(file)) as bar:

        def show(_: Progress | None = None) -> None:
            bar.show(done, f"position {number:,}")

        for number, line in enumerate(lines_of(file, LONGEST_LINE, _name(args.batch)), start=1):
            show()
            try:
                board = board_from_moves(line.decode("utf-8-sig", "replace").strip(), args.game, size)
            except BadPosition as error:
                bad += 1
                facts: dict[str, Any] = {"error": str(error), "line_number": number}
            else:
                facts = facts_of(board, solver.analyse(board, only_value=args.value, progress=show))
            done += len(line)
            bar.hide()
            screen.say(json.dumps(facts))
            if screen.failure:  # nobody is reading
                break
    if bad:
        complain(f"{bad} of {number} lines {'is' if bad == 1 else 'are'} no position")
    return BAD_POSITION if bad else 0


def _opened(path: str) -> BinaryIO:
    name = _name(path)
    try:
        return open(0 if path == "-" else path, "rb", closefd=path != "-")
    except FileNotFoundError:
        raise BadFile(f"{name}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise BadFile(f"{name} cannot be read: {reason(error)}") from None


def _name(path: str) -> str:
    return "standard input" if path == "-" else shown_path(path)


def _length(file: BinaryIO) -> int | None:
    """The bytes of a file; of a pipe nobody knows."""
    return os.fstat(file.fileno()).st_size or None
