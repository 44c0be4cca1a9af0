"""Position files: six lines of seven digits, top row first, and a line with the player to move.

A board of another size has as many lines as rows and as many digits as columns; `size` names it to the reader.
"""

from __future__ import annotations

import os

from .board import GREEN, NAMES, RED, SIZE, Board
from .errors import BadFile, BadPosition, FloatingPiece, NoSuchFile, error_reason, quote, quote_path
from .files import write_atomic
from .notation import board_from_moves, is_move_string

LARGEST = 10_000  # bytes; a position file has about 57
BYTE_ORDER_MARK = "\xef\xbb\xbf"  # of UTF-8, decoded as Latin-1
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # the byte order marks of UTF-16


def board_from_text(text: str, name: str = "the text", game: str = "max", size: tuple[int, int] = SIZE) -> Board:
    """Parse the text of a position file.

    >>> board_from_text(board_as_text(board_from_moves("44535")))
    <Board of 5 pieces, max, green to move>

    Line endings may be LF, CRLF, CR or CRCRLF. Blanks at the ends of lines and of the file are ignored.

    Args:
        text: The lines of the board, and the player to move.
        name: The name of the text in error messages.
        game: "max" or "classic".
        size: The columns and rows of the board.

    Returns:
        The position, without earlier moves.

    Raises:
        BadPosition: If the text is not a position; the message has the line and the reason.
    """
    width, height = size
    lines = [line.rstrip(" \t") for line in with_newlines(text).rstrip(" \t\n").split("\n")]
    if lines == [""]:
        raise BadPosition(f"{name} is empty")
    for number, line in enumerate(lines[:height], start=1):
        for character in line:
            if character not in "012":
                raise BadPosition(f"{name}, line {number}: {quote(character)} is not 0, 1 or 2")
        if not line or (len(line) != width and len(lines) == height + 1):
            raise BadPosition(f"{name}, line {number}: {len(line)} digit{'s' * (len(line) != 1)} instead of {width}")
    if len(lines) != height + 1:
        place = f"{name}, line {min(len(lines), height + 1) + 1}"
        raise BadPosition(f"{place}: the file has {len(lines)} line{'s' * (len(lines) > 1)} instead of {height + 1}")
    last = lines[height]
    if last not in ("1", "2"):
        raise BadPosition(f"{name}, line {height + 1}: {quote(last)} is not 1 or 2, the player to move")
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
    """Replace the line ends CRCRLF, CRLF and CR by LF."""
    return text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n")


def board_as_text(board: Board) -> str:
    """Format a position as the text of a position file.

    Args:
        board: The position.

    Returns:
        The lines of the board, top row first, and a line with the player to move.
    """
    rows = ("".join(map(str, row)) for row in board.rows())
    return "\n".join([*rows, str(board.to_move)]) + "\n"


def read_board(source: str | os.PathLike[str], game: str = "max", size: tuple[int, int] = SIZE) -> Board:
    """Read a position.

    Args:
        source: A position file, a move string such as "44535", or "-" for standard input. A file takes precedence over
            a move string of the same name.
        game: "max" or "classic".
        size: The columns and rows of the board.

    Returns:
        The position.

    Raises:
        BadFile: If the file cannot be read.
        BadPosition: If it does not contain a position.
    """
    source = os.fspath(source)
    if source == "-":
        text = _read(0, "standard input")
        if is_move_string(text.strip()):
            return board_from_moves(text.strip(), game, size)
        return board_from_text(text, "standard input", game, size)
    if is_move_string(source) and not os.path.exists(source):
        return board_from_moves(source, game, size)
    name = quote_path(source)
    return board_from_text(_read(source, name), name, game, size)


def read_moves(source: str) -> str:
    """Read a move string: the argument itself, or the content of a file or of standard input ("-")."""
    if is_move_string(source) and not os.path.exists(source):
        return source
    path, name = (0, "standard input") if source == "-" else (source, quote_path(source))
    moves = _read(path, name).strip()
    if not is_move_string(moves):
        held = "a position without its moves" if _is_position(moves) else quote(moves)
        raise BadPosition(f"{name} does not contain a move string such as 44535, but {held}")
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
        raise BadFile(f"{name} cannot be read: {error_reason(error)}") from None
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
    """Write a position file atomically: a failure leaves the old file unchanged.

    Args:
        board: The position.
        path: The file.

    Raises:
        CannotSave: If the file cannot be written.
    """
    write_atomic(os.fspath(path), board_as_text(board).encode())
