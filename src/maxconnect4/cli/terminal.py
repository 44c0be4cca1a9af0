"""The terminal: boards, messages and prompts."""

from __future__ import annotations

import os
import sys

from ..board import EMPTY, GREEN, NAMES, RED, Board, drop_text
from ..errors import BadFile, CannotSave, IllegalMove, did_you_mean, error_reason, quote, quote_path
from ..formatting import JSON_VERSION, is_number, plural
from ..position_file import is_position_file, write_board

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO

    from ..players import Player
    from ..search import Choice


DEFAULT_WIDTH = 80  # columns, if the output is not a terminal
ASCII = {EMPTY: ".", RED: "O", GREEN: "X"}
SHAPES = {EMPTY: "·", RED: "●", GREEN: "✕"}
COLOURS = {EMPTY: "2", RED: "31", GREEN: "32"}


class Screen:
    """An output stream. After its reader has closed the pipe, the program continues without output."""

    def __init__(self, stream: TextIO | None) -> None:
        self.stream = stream
        self.failure: OSError | None = None
        self.colour = _has_colour(self.in_terminal())
        self.shapes = ASCII
        if self.colour and stream is not None and (stream.encoding or "").lower().replace("-", "") == "utf8":
            self.shapes = SHAPES

    def print(self, text: str = "", end: str = "\n") -> None:
        if self.stream is None or self.failure:
            return
        try:
            self.stream.write(text + end)
            self.stream.flush()
        except UnicodeEncodeError:  # a file name that the locale cannot show
            self.print(ascii(text)[1:-1], end)
        except OSError as error:
            self.failure = error

    def in_terminal(self) -> bool:
        return self.stream is not None and self.stream.isatty()

    def print_json(self, result: dict[str, Any]) -> None:
        """Print a result as one line of JSON."""
        import json

        self.print(json.dumps({"version": JSON_VERSION, **result}))

    def close(self, code: int) -> int:
        """The exit status at the end: a full disk is a failure of standard output, a closed pipe is not."""
        if self.failure is None:
            return code
        _silence(1)
        if isinstance(self.failure, BrokenPipeError):
            return code
        print_error(f"standard output cannot be written: {error_reason(self.failure)}")
        return code or 1

    def print_board(self, board: Board) -> None:
        """Print the board and the points. The last move is in brackets; pieces of a four have a star."""
        narrow = (terminal_width() or DEFAULT_WIDTH) < 4 * board.width + 2
        self.print(self.render_board(board, narrow))
        red, green = (f"{self.player_name(player)} {board.points(player)}" for player in (RED, GREEN))
        separator = "\n        " if narrow else " "
        self.print(f"Points: {red},{separator}{green}\n" if board.game == "max" else "")

    def render_board(self, board: Board, narrow: bool = False) -> str:
        """The board as text; a narrow one has a single character between two pieces."""
        scoring = {cell for player in (RED, GREEN) for four in board.fours(player) for cell in four}
        last = (board.drops[-1], len(board.stack(board.drops[-1]))) if board.drops else None
        lines = []
        for row in range(board.height, 0, -1):
            pieces, gaps = [], [""]  # a gap has the marks of the pieces on both sides
            for column in board.all_columns():
                left, right = "[]" if (column, row) == last else "  "
                star = "*" if (column, row) in scoring else " "
                pieces.append(self.render_piece(board.cell(column, row), bold=star == "*"))
                gaps[-1] += left
                gaps.append(right + star)
            if narrow:
                gaps = [max(gap) for gap in gaps]  # a bracket, otherwise a star, otherwise a blank
            lines.append("|" + "".join(map("".join, zip(gaps, [*pieces, ""], strict=True))) + "|")
        columns = [f"{column} " if narrow else f" {column}  " for column in board.all_columns()]
        lines.append(f"+{'-' * (2 * board.width + 1 if narrow else 4 * board.width)}+")
        lines.append(" " * (2 if narrow else 1) + "".join(columns).rstrip())
        return "\n".join(lines)

    def render_piece(self, player: int, bold: bool = False) -> str:
        """The shape of a player's pieces, or of an empty cell."""
        if not self.colour:
            return self.shapes[player]
        return f"\x1b[{'1;' * bold}{COLOURS[player]}m{self.shapes[player]}\x1b[0m"

    def player_name(self, player: int) -> str:
        """A player's colour, with the shape of the pieces."""
        return f"{NAMES[player]} {self.render_piece(player)}"


def _has_colour(in_terminal: bool) -> bool:
    """Whether to print colours: see https://no-color.org, https://force-color.org and https://bixense.com/clicolors."""
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR") or os.environ.get("CLICOLOR_FORCE", "0") not in ("", "0")
    return bool(forced) or (in_terminal and os.environ.get("TERM") != "dumb")


def program() -> str:
    """The program as the user typed it, for commands in messages."""
    path = sys.argv[0]
    folder, name = os.path.split(path)
    if name == "__main__.py" and os.path.basename(folder) == "maxconnect4":
        return "python3 -m maxconnect4"
    if name == "maxconnect4.py" or (name == "maxconnect4" and folder):
        import shlex
        import shutil

        quoted = shlex.quote(path)
        return f"python3 {quoted}" if name.endswith(".py") else name if shutil.which(name) == path else quoted
    return "maxconnect4"


def play_move(board: Board, column: int) -> str:
    """Play a move, and return a sentence about it."""
    player = board.to_move
    before = board.points(player)
    board.drop(column)
    scored = board.points(player) - before if board.game == "max" else 0
    return f"{drop_text(player, column, scored)}."


def choice_text(choice: Choice) -> str:
    """CPU time, depth and nodes of a search."""
    if choice.source == "book":
        return f"From the book; CPU time: {choice.cpu_seconds:.3f} s."
    text = f"CPU time of the search: {choice.cpu_seconds:.3f} s"
    if choice.nodes:
        text += f", {'solved' if choice.exact else f'depth {choice.depth}'}, {plural(choice.nodes, 'node')}"
    return text + "."


def wrap(sentences: str, indent: str = "") -> str:
    """Sentences wrapped at the width of the terminal."""
    width = terminal_width()
    if width is None or len(indent + sentences) <= width:
        return indent + sentences
    import textwrap

    return textwrap.fill(sentences, max(width, 20), initial_indent=indent, subsequent_indent=indent)


def terminal_width() -> int | None:
    """What fits into a line of the terminal, if standard output is one."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    import shutil

    return shutil.get_terminal_size().columns


def in_terminal() -> bool:
    """Whether standard error is a terminal that can update a display."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def print_error(message: str, program: str = "maxconnect4") -> None:
    """Print one line on standard error."""
    if sys.stderr is None:
        return
    try:
        print(f"{program}: {message}", file=sys.stderr, flush=True)
    except OSError:  # the reader has closed the pipe
        _silence(2)


def _silence(descriptor: int) -> None:
    """Redirect a stream that failed to the null device, so that the flush at exit does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


MAX_LINE_LENGTH = 1_000_000  # characters of one line
MAX_INVALID = 1_000  # invalid answers in a row, where the input is not a terminal


class EndOfInput(Exception):
    """The end of the input, or the user quits; the message says which."""


class Keyboard:
    """Prompts on a screen, and reads the answers from standard input."""

    def __init__(self, stream: TextIO | None, screen: Screen) -> None:
        self.stream = stream
        self.screen = screen
        self.invalid = 0
        self._pushed_back: list[str] = []
        self._edits = screen.in_terminal() and stream is not None and stream.isatty() and _has_readline()
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="surrogateescape")  # file names may be any bytes

    def prompt(self, text: str) -> str:
        """Print a prompt and return the answer. A terminal has line editing and a history."""
        if self._edits:
            try:
                return input(text).strip()
            except EOFError:
                self.screen.print()
                raise EndOfInput("End of input.") from None
        self.screen.print(text, end="")
        if self.screen.failure:
            raise EndOfInput("Standard output is closed.")
        try:
            answer = self.read_line()
        except EndOfInput:
            self.screen.print()
            raise
        if self.stream is not None and not self.stream.isatty():
            self.screen.print(printable(answer))  # a terminal echoes the input; a transcript should also show it
        return answer

    def read_line(self) -> str:
        """The next line, without surrounding blanks."""
        if self._pushed_back:
            return self._pushed_back.pop()
        try:
            line = self.stream.readline(MAX_LINE_LENGTH) if self.stream is not None else ""
        except (OSError, ValueError):
            line = ""
        if not line:
            raise EndOfInput("End of input.")
        if len(line) == MAX_LINE_LENGTH:
            raise EndOfInput("The line is too long.")
        return line.strip()

    def push_back(self, line: str) -> None:
        """Return a line to the input: it is the next one to be read."""
        self._pushed_back.append(line)

    def count_invalid(self) -> None:
        """Count an invalid answer: too many in a row end the game, except at a terminal."""
        self.invalid += 1
        if self.invalid >= MAX_INVALID and self.stream is not None and not self.stream.isatty():
            raise EndOfInput(f"No valid move in {MAX_INVALID:,} lines.")


def _has_readline() -> bool:
    try:
        import readline  # noqa: F401
    except ImportError:
        return False
    return True


def printable(text: str) -> str:
    """The printable characters of the beginning of a text."""
    return "".join(character for character in text[:60] if character.isprintable())


MOVE_COMMANDS = ("undo", "hint", "save", "help", "quit")
MOVE_HELP = """  1 to 7      drop a piece in that column
  undo        undo your last move and the reply to it
  hint        the move that the computer would play for you
  save FILE   write the position to a file
  q           quit
  help        this list"""


class MovePrompt:
    """The user's turn: prompts for a column, and runs the commands undo, hint, save, help and quit."""

    def __init__(self, keyboard: Keyboard, screen: Screen, hints: Player, first_ply: int) -> None:
        self.keyboard = keyboard
        self.screen = screen
        self.hints = hints
        self.first_ply = first_ply  # the moves before it cannot be undone

    def ask(self, board: Board) -> int | None:
        """A legal column, or None to undo the last two moves.

        Raises:
            EndOfInput: If the user quits, or the input ends.
        """
        while True:
            answer = self.keyboard.prompt(f"Your move, {NAMES[board.to_move]}: ")
            word, argument = (*answer.split(maxsplit=1), "", "")[:2]
            command = answer if argument and word.lower() != "save" else word.lower()
            match command:
                case "undo" if len(board.drops) >= self.first_ply + 2:
                    return None
                case "q" | "quit" | "exit":
                    raise EndOfInput("Bye.")
                case _ if is_number(answer):
                    try:
                        board.check_move(int(answer))
                    except IllegalMove as error:
                        self.screen.print(f"{str(error).capitalize()}.")
                    else:
                        self.keyboard.invalid = 0
                        return int(answer)
                case _:
                    self.screen.print(self._reply(board, command, answer, argument))
            self.keyboard.count_invalid()

    def _reply(self, board: Board, command: str, answer: str, argument: str) -> str:
        match command:
            case "":
                return "Enter a column, or help."
            case "help" | "?":
                return MOVE_HELP
            case "undo":
                return "You have no move to undo."
            case "hint":
                return f"The computer would play column {self.hints.choose(board).column}."
            case "save":
                return _save(board, argument)
        advice = did_you_mean(command.partition(" ")[0], MOVE_COMMANDS) or "help lists the commands."
        return f"{quote(answer)} is not a column from 1 to {board.width}: {advice}"


def _save(board: Board, path: str) -> str:
    """Write a position to the file that the user has entered, and return a sentence about it."""
    if path in ("", "-"):
        return "Enter the name of a file: save FILE."
    if path[0] == path[-1] in "'\"" and len(path) > 2:  # quotes around a name with blanks, as in a shell
        path = path[1:-1]
    path = os.path.expanduser(path)
    try:
        check_overwritable(path, "choose another name")
        write_board(board, path)
    except (BadFile, CannotSave) as error:
        return f"{error}."
    return f"Saved in {quote_path(path)}."


def check_overwritable(path: str, advice: str) -> None:
    """Raise BadFile for a file that is not a position file, which is never overwritten."""
    if os.path.isfile(path) and os.path.getsize(path) > 0 and not is_position_file(path):
        raise BadFile(f"{quote_path(path)} exists and is not a position file: {advice}")
