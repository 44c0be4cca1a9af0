"""What a game starts from: a file, a move string, or the first lines that are typed."""

from __future__ import annotations

from ...board import HEIGHT, WIDTH, Board
from ...errors import shown_path
from ...files import board_from_text, read_board
from ...notation import board_from_moves, is_move_string
from ..terminal.keyboard import EndOfInput
from ..terminal.screen import complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..parsing import Arguments
    from ..terminal.keyboard import Keyboard


def starting_board(args: Arguments, keyboard: Keyboard) -> Board:
    """The position, by the arguments of the command line; a file that does not exist means the empty board."""
    if args.input_file is None:
        return Board(args.game)
    if args.input_file == "-":
        return _typed_board(keyboard, args.game)
    try:
        return read_board(args.input_file, args.game)
    except FileNotFoundError:
        complain(f"{shown_path(args.input_file)} does not exist: starting from the empty board")
        return Board(args.game)


def _typed_board(keyboard: Keyboard, game: str) -> Board:
    """The position from the first lines of standard input; the lines after it are the person's moves."""
    lines: list[str] = []
    try:
        lines.append(keyboard.line().removeprefix("\ufeff"))
        while len(lines) <= HEIGHT and _may_be_row(lines[0]):
            lines.append(keyboard.line())
            if len(lines) == 2 and not _may_be_row(lines[1]):  # 1212121 is a row of a board, but also seven moves
                keyboard.unread(lines.pop())
                break
    except EndOfInput:
        pass  # too few lines: the reader of positions says so
    if len(lines) == 1 and is_move_string(lines[0]):
        return board_from_moves(lines[0], game)
    return board_from_text("\n".join(lines), "standard input", game)


def _may_be_row(line: str) -> bool:
    return len(line) == WIDTH and set(line) <= set("012")
