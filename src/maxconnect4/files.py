"""Position files: six lines of seven digits, top row first, and a line with the player to move.

A board of another size has as many lines and digits as that has rows and columns; the reader is told the size.
"""

from __future__ import annotations

import os

from .board import GREEN, NAMES, RED, SIZE, Board
from .errors import BadFile, BadPosition, FloatingPiece, NoSuchFile, reason, shown, shown_path
from .notation import board_from_moves, is_move_string
from .saving import save_whole

LARGEST = 10_000  # bytes; a position file has about 57
BYTE_ORDER_MARK = "\xef\xbb\xbf"  # what some editors put before UTF-8, read as Latin-1
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # how its files begin


def board_from_text(text: str, name: str = "the text", game: str = "max", size: tuple[int, int] = SIZE) -> Board:
    """The position that a position file holds, from its text; `name` is what messages call it.

    >>> board_from_text(board_as_text(board_from_moves("44535")))
    <Board of 5 pieces, max, green to move>

    Line ends may be of any kind met in the wild, and blanks at the ends of lines and of the file do not matter.
    """
    width, height = size
    lines = [line.rstrip(" \t") for line in with_newlines(text).rstrip(" \t\n").split("\n")]
    if lines == [""]:
        raise BadPosition(f"{name} is empty")
    for number, line in enumerate(lines[:height], start=1):
        for character in line:
            if character not in "012":
                raise BadPosition(f"{name}, line {number}: {shown(character)} is not 0, 1 or 2")
        if not line or (len(line) != width and len(lines) == height + 1):
            raise BadPosition(f"{name}, line {number}: {len(line)} digit{'s' * (len(line) != 1)} instead of {width}")
    if len(lines) != height + 1:
        place = f"{name}, line {min(len(lines), height + 1) + 1}"
        raise BadPosition(f"{place}: the file has {len(lines)} line{'s' * (len(lines) > 1)} instead of {height + 1}")
    last = lines[height]
    if last not in ("1", "2"):
        raise BadPosition(f"{name}, line {height + 1}: {shown(last)} is not 1 or 2, the player to move")
    rows = [[int(digit) for digit in line] for line in lines[:height]]
    player = int(last)
    try:
        board = Board.from_rows(rows, game)
    except FloatingPiece as error:
        raise BadPosition(f"{name}, line {height + 1 - error.row}: {error}") from None
    except BadPosition as error:
        raise BadPosition(f"{name}, line {height + 1}: {error}") from None
    if board.to_move != player:
        counts = f"{board.count(RED)} red and {board.count(GREEN)} green pieces"
        raise BadPosition(f"{name}, line {height + 1}: {player} ({NAMES[player]}) cannot be to move with {counts}")
    return board


def with_newlines(text: str) -> str:
    """A text in which a newline alone ends every line: files have carriage returns there, too, even two of them."""
    return text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n")


def board_as_text(board: Board) -> str:
    """The position in the format of the assignment."""
    rows = ("".join(map(str, row)) for row in board.rows())
    return "\n".join([*rows, str(board.to_move)]) + "\n"


def read_board(source: str | os.PathLike[str], game: str = "max", size: tuple[int, int] = SIZE) -> Board:
    """The position from a file, from a move string such as "44535", or from standard input ("-").

    A file is taken before a move string of the same name.
    """
    source = os.fspath(source)
    if source == "-":
        text = _read(0, "standard input")
        if is_move_string(text.strip()):
            return board_from_moves(text.strip(), game, size)
        return board_from_text(text, "standard input", game, size)
    if is_move_string(source) and not os.path.exists(source):
        return board_from_moves(source, game, size)
    name = shown_path(source)
    return board_from_text(_read(source, name), name, game, size)


def read_moves(source: str) -> str:
    """The move string that this is, or that a file or standard input ("-") holds, as `read_board` finds them."""
    if is_move_string(source) and not os.path.exists(source):
        return source
    path, name = (0, "standard input") if source == "-" else (source, shown_path(source))
    moves = _read(path, name).strip()
    if not is_move_string(moves):
        held = "a position, whose moves are not known" if _is_position(moves) else shown(moves)
        raise BadPosition(f"{name} does not hold a move string such as 44535, but {held}")
    return moves


def _read(path: str | int, name: str) -> str:
    try:
        with open(path, "rb", closefd=path != 0) as file:
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise NoSuchFile(f"{name}: there is no such file") from None
    except IsADirectoryError:
        raise BadFile(f"{name} is a folder, not a position file") from None
    except (OSError, ValueError) as error:
        raise BadFile(f"{name} cannot be read: {reason(error)}") from None
    if len(data) > LARGEST:
        raise BadFile(f"{name} is too large for a position file: over {LARGEST:,} bytes")
    if data.startswith(UTF_16):
        raise BadPosition(f"{name} is written in UTF-16: save it as plain text, or UTF-8")
    return data.decode("latin-1").removeprefix(BYTE_ORDER_MARK)


def is_position_file(path: str) -> bool:
    """Whether a file holds a position."""
    try:
        return _is_position(_read(path, path))
    except (BadFile, BadPosition):
        return False


def _is_position(text: str) -> bool:
    try:
        board_from_text(text, "")
    except BadPosition:
        return False
    return True


def write_board(board: Board, path: str | os.PathLike[str]) -> None:
    """Write the position whole or not at all: a reader never sees half a file, and a failure leaves the old one."""
    save_whole(os.fspath(path), board_as_text(board).encode())
