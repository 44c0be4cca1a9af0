"""The opening book: a file with the exact value of every position up to some number of plies.

    Max-Connect4 opening book, version 1
    8 hexadecimal digits: the CRC-32 of the rest
    {"game": "max", "made": {...}, "plies": 4, "positions": 719}
    8 bytes for each position, lowest byte first: its key * 256 + its value + 128, in ascending order
    optional: the values of a layer

The first three lines are text, and together a multiple of eight bytes long. A value is the final margin with perfect
play, for the player to move; `solver.Analysis` defines the values of the classic game. A file that does not name a game
is a book of Max-Connect4. The file is mapped into memory; a lookup is a binary search.

A layer has the values of the positions with a larger number of plies, as a static function: a few bits for each
position, without its key (core/static_function.hpp). The solver searches from earlier positions down to the layer. Its
header is in the JSON object: "layer": {"plies": 12, "positions": 4200899, "least": -15, "bits": 5, ...}. The version of
a book with a layer is 2.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO
from zlib import crc32

from .board import Board, check_game
from .errors import BadFile, error_reason, quote, quote_path
from .files import open_regular, write_atomic
from .position_keys import KEY_LIMIT, has_four, has_key, key_of, keys_after
from .scores import value_of_win
from .search import CoreBookLayer, build_layer

TITLE = b"Max-Connect4 opening book, version "
VERSIONS = (1, 2)  # without a layer and with one
LONGEST_LINE = 1 << 16
ENTRY = 8
ZERO = 128  # the byte of a value of 0


class Book:
    """A book in a file.

    >>> shipped_book().value(Board())
    0
    """

    def __init__(self, path: str) -> None:
        self.path = path
        name = quote_path(path)
        with open_regular(path, "book") as file:
            try:
                header, data = _read(file, name)
            except BadFile:
                raise
            except (OSError, ValueError) as error:  # such as a disk error
                raise BadFile(f"{name} cannot be read: {error_reason(error)}") from None
        size = ENTRY * header["positions"]
        self._entries: Sequence[int] = _numbers(data[:size])
        #: The layer, None without one.
        self.layer: BookLayer | None = None
        if "layer" in header:
            try:
                self.layer = BookLayer(header["layer"], data[size:])
            except (KeyError, TypeError, ValueError):
                raise BadFile(f"{name} is damaged: the header of its layer does not fit its content") from None
        #: "max" or "classic".
        self.game: str = header.get("game", "max")
        #: The book lists every position with at most this number of pieces, except finished classic games.
        self.plies: int = header["plies"]
        #: The origin of the book: the solver, its cost.
        self.made: dict[str, Any] = header["made"]

    def of_game(self, game: str) -> Book:
        """This book, if it is a book of the game; raises BadFile otherwise."""
        if self.game != game:
            raise BadFile(f"{quote_path(self.path)} is a book of the game {self.game}, not {game}")
        return self

    def value(self, board: Board) -> int | None:
        """Look up the value of a position.

        Args:
            board: The position.

        Returns:
            The value for the player to move; None if the book does not have the position.
        """
        if board.pieces() > self.plies or board.game != self.game or not has_key(board):
            return None
        return self.value_of(key_of(board))

    def value_of(self, key: int) -> int | None:
        """The value of the position with a key."""
        index = bisect_left(self._entries, key << 8)
        if index == len(self._entries) or self._entries[index] >> 8 != key:
            return None
        return (self._entries[index] & 0xFF) - ZERO

    def scores(self, board: Board) -> list[int | None] | None:
        """Look up the score of every column.

        Args:
            board: The position.

        Returns:
            The scores from the left, None for a full column; None if the book does not have the successors.
        """
        if board.pieces() >= self.plies or board.game != self.game or not has_key(board) or board.is_over():
            return None
        scores: list[int | None] = [None] * board.width
        for column, key in keys_after(board).items():
            if self.game == "classic" and has_four(key):
                scores[column - 1] = value_of_win(board.pieces() + 1)
                continue
            value = self.value_of(key)
            if value is None:
                return None
            scores[column - 1] = -value
        return scores

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """The key and value of every position, in the order of the keys."""
        for entry in self._entries:
            yield entry >> 8, (entry & 0xFF) - ZERO

    def __repr__(self) -> str:
        return f"<Book of {self.plies} plies, {self.game}, {len(self):,} positions>"


class BookLayer:
    """The values of the positions with one number of plies. The solver looks them up.

    In the classic game, positions in which a four can be made immediately are omitted.
    """

    def __init__(self, header: dict[str, int], content: memoryview | bytes) -> None:
        """Raises KeyError, TypeError or ValueError if they do not fit each other."""
        arguments = dict(header)
        #: The number of positions.
        self.positions: int = arguments.pop("positions")
        #: The number of plies of each.
        self.plies: int = arguments["plies"]
        #: The size in bytes.
        self.size = len(content)
        self.header = header
        self.content = content
        #: The layer for `CoreSolver`.
        self.core = CoreBookLayer(**arguments, content=content)

    @classmethod
    def of(cls, values: Mapping[int, int], plies: int) -> BookLayer:
        """A layer with the value of every key."""
        least = min(0, min(values.values()))
        bits = max(1, (max(values.values()) - least).bit_length())
        numbers = [value - least for value in values.values()]
        segment_bits, windows, seed, content = build_layer(list(values), numbers, bits)
        shape = {"bits": bits, "segment_bits": segment_bits, "windows": windows, "seed": seed}
        return cls({"plies": plies, "positions": len(values), "least": least, **shape}, content)


def save_book(
    path: str,
    values: Mapping[int, int],
    plies: int,
    made: dict[str, Any],
    game: str = "max",
    layer: BookLayer | None = None,
) -> None:
    """Write a book: the value of every key up to `plies` plies, and a layer. `made` records its origin."""
    import json
    from array import array

    entries = array("Q", sorted(key << 8 | value + ZERO for key, value in values.items()))
    if sys.byteorder == "big":
        entries.byteswap()
    header = {"game": game, "made": made, "plies": plies, "positions": len(entries)}
    if layer is not None:
        header["layer"] = layer.header
    line = json.dumps(header, sort_keys=True).encode()
    line += b" " * (-(len(TITLE) + len(b"1\n01234567\n") + len(line) + 1) % ENTRY) + b"\n"
    body = line + entries.tobytes() + (b"" if layer is None else layer.content)
    version = VERSIONS[layer is not None]
    write_atomic(path, TITLE + b"%d\n%08x\n" % (version, crc32(body)) + body)


FILES = {"max": "opening.book", "classic": "classic.book"}
_shipped: dict[str, Book] = {}


def shipped_book(game: str = "max") -> Book:
    """The book of this package for a game. It is opened once.

    Args:
        game: "max" or "classic".

    Returns:
        The open book.

    Raises:
        BadFile: If the file is missing or damaged.
    """
    check_game(game)
    if game not in _shipped:
        _shipped[game] = Book(__file__.removesuffix("book.py") + FILES[game])
    return _shipped[game]


def _read(file: BinaryIO, name: str) -> tuple[dict[str, Any], memoryview]:
    """The validated header and entries of a file."""
    from mmap import ACCESS_READ, mmap

    title, checksum, line = file.readline(100), file.readline(100), file.readline(LONGEST_LINE)
    if not title.startswith(TITLE):
        raise BadFile(f"{name} is not an opening book")
    titles = [TITLE + b"%d\n" % version for version in VERSIONS]
    if title not in titles:
        version = title.removeprefix(TITLE).rstrip().decode("ascii", "replace")
        raise BadFile(f"{name} is a book of version {quote(version)}; this program reads versions 1 and 2")
    content = memoryview(mmap(file.fileno(), 0, access=ACCESS_READ))
    if checksum != b"%08x\n" % crc32(content[len(title) + len(checksum) :]):
        raise BadFile(f"{name} is damaged: its checksum is wrong")
    header, data = _parse_header(line), content[len(title) + len(checksum) + len(line) :]
    if header is None or not _fits(header, len(data)) or title != titles["layer" in header]:
        raise BadFile(f"{name} is damaged: its header does not match its entries")
    return header, data


def _fits(header: dict[str, Any], size: int) -> bool:
    """Whether the entries have the size that is left, or the layer, if there is one, can have the rest of it."""
    entries: int = ENTRY * header["positions"]
    return size >= entries if "layer" in header else size == entries


def _parse_header(line: bytes) -> dict[str, Any] | None:
    import json

    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(header, dict) or not isinstance(made := header.get("made"), dict):
        return None
    if not all(isinstance(value, str | int | float) for value in made.values()):
        return None
    if header.get("game", "max") not in FILES:
        return None
    layer = header.get("layer", {})
    if not isinstance(layer, dict) or not all(type(number) is int for number in layer.values()):
        return None
    numbers = [header.get(name) for name in ("plies", "positions")]
    return header if all(type(number) is int and 0 <= number < KEY_LIMIT for number in numbers) else None


def _numbers(data: memoryview) -> Sequence[int]:
    if sys.byteorder == "little":
        return data.cast("Q")
    from array import array

    entries = array("Q", data.tobytes())
    entries.byteswap()
    return entries
