"""What the commands print: the board, with colours and shapes in a terminal and in plain ASCII elsewhere."""

from __future__ import annotations

import os
import sys

from ...amounts import how_many
from ...board import EMPTY, GREEN, NAMES, RED, Board
from ...errors import reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from ...search import Choice

ASCII = {EMPTY: ".", RED: "O", GREEN: "X"}
SHAPES = {EMPTY: "·", RED: "●", GREEN: "✕"}
COLOURS = {EMPTY: "2", RED: "31", GREEN: "32"}


class Screen:
    """Standard output. If its reader goes away, the work goes on without it."""

    def __init__(self, stream: TextIO | None) -> None:
        self.stream = stream
        self.failure: OSError | None = None
        terminal = stream is not None and stream.isatty()
        self.colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.shapes = ASCII
        if self.colour and stream is not None and (stream.encoding or "").lower().replace("-", "") == "utf8":
            self.shapes = SHAPES

    def say(self, text: str = "", end: str = "\n") -> None:
        """Print, at once."""
        if self.stream is None or self.failure:
            return
        try:
            self.stream.write(text + end)
            self.stream.flush()
        except UnicodeEncodeError:  # a file name that the locale cannot show
            self.say(ascii(text)[1:-1], end)
        except OSError as error:
            self.failure = error

    def close(self, code: int) -> int:
        """The exit code in the end: a full disk under standard output is a failure, a reader who left is none."""
        if self.failure is None:
            return code
        _silence(1)
        if isinstance(self.failure, BrokenPipeError):
            return code
        complain(f"standard output cannot be written: {reason(self.failure)}")
        return code or 1

    def show(self, board: Board) -> None:
        """The board and the points. The last drop is in brackets, pieces of a four that counts have a star."""
        self.say(self.drawing(board))
        points = f"Score: {self.name(RED)} {board.points(RED)}, {self.name(GREEN)} {board.points(GREEN)}\n"
        self.say(points if board.game == "max" else "")

    def drawing(self, board: Board) -> str:
        """The board as text."""
        scoring = {cell for player in (RED, GREEN) for four in board.fours(player) for cell in four}
        last = (board.drops[-1], len(board.stack(board.drops[-1]))) if board.drops else None
        lines = []
        for row in range(board.height, 0, -1):
            cells = []
            for column in board.all_columns():
                left, right = "[]" if (column, row) == last else "  "
                star = "*" if (column, row) in scoring else " "
                cells.append(left + self.piece(board.cell(column, row), bold=star == "*") + right + star)
            lines.append(f"|{''.join(cells)}|")
        lines.append(f"+{'-' * 4 * board.width}+")
        lines.append(" " + "".join(f" {column}  " for column in board.all_columns()).rstrip())
        return "\n".join(lines)

    def piece(self, player: int, bold: bool = False) -> str:
        """The shape of a player's pieces, or of an empty cell."""
        if not self.colour:
            return self.shapes[player]
        return f"\x1b[{'1;' * bold}{COLOURS[player]}m{self.shapes[player]}\x1b[0m"

    def name(self, player: int) -> str:
        """A player's colour, with the shape of the pieces."""
        return f"{NAMES[player]} {self.piece(player)}"


def drop_in_words(board: Board, column: int) -> str:
    """Drop, and say what that did."""
    player = board.to_move
    before = board.points(player)
    board.drop(column)
    scored = board.points(player) - before if board.game == "max" else 0
    points = f", which scores {how_many(scored, 'point')}" if scored else ""
    return f"{NAMES[player].capitalize()} drops in column {column}{points}."


def choice_in_words(choice: Choice) -> str:
    """How long a choice took, and what for. `measuring.moves` reads this, too."""
    if choice.source == "book":
        return f"From the book; CPU time: {choice.cpu_seconds:.3f} s."
    plies = f"{how_many(choice.depth, 'ply', 'plies')} ahead"
    return f"CPU time of the search: {choice.cpu_seconds:.3f} s, {plies}, {how_many(choice.nodes, 'node')}."


def result(board: Board) -> str:
    """How a game that is over ended, in words."""
    winner = board.winner()
    if board.game == "classic":
        return "The board is full: a draw." if winner is None else f"{NAMES[winner].capitalize()} has four and wins."
    points = f"{max(board.points(RED), board.points(GREEN))} to {min(board.points(RED), board.points(GREEN))}"
    if winner is None:
        return f"The board is full: a draw, {points}."
    return f"The board is full: {NAMES[winner]} wins, {points}."


def folded(sentences: str) -> str:
    """The same, broken between words where a line of the terminal ends."""
    width = terminal_width()
    if width is None or len(sentences) <= width:
        return sentences
    import textwrap

    return textwrap.fill(sentences, max(width, 20))


def terminal_width() -> int | None:
    """What fits into a line of the terminal, if standard output is one."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    import shutil

    return shutil.get_terminal_size().columns


def in_terminal() -> bool:
    """Whether standard error can show something that moves."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def complain(message: str, program: str = "maxconnect4") -> None:
    """One line on standard error."""
    if sys.stderr is None:
        return
    try:
        print(f"{program}: {message}", file=sys.stderr, flush=True)
    except OSError:  # nobody is there to read it
        _silence(2)


def _silence(descriptor: int) -> None:
    """Let what Python still holds for a stream that failed go nowhere, so that its end does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
