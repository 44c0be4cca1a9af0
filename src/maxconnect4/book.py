"""The opening book: a file with the exact value of every position up to some number of plies.

    Max-Connect4 opening book, version 1
    8 hexadecimal digits: the CRC-32 of all that follows
    {"game": "max", "made": {...}, "plies": 4, "positions": 719}
    8 bytes for each position, lowest byte first: its key * 256 + its value + 128, in ascending order

The first three lines are text, and together a multiple of eight bytes long. A value is the final margin with perfect
play, in the view of the side to move; in the classic game it is as `solver.Analysis` has it. A file that names no game
is of Max-Connect4. The file is mapped into memory, and looked up there by bisection.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from zlib import crc32

from .board import check_game
from .errors import BadFile, reason, shown, shown_path
from .keys import MOST, has_four, has_key, key_of, keys_after
from .outcomes import worth_of_four
from .reading import open_regular
from .saving import save_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, BinaryIO

    from .board import Board

TITLE = b"Max-Connect4 opening book, version "
VERSION = 1
LONGEST_LINE = 1 << 16
ENTRY = 8
ZERO = 128  # the byte that stands for a value of 0


class Book:
    """A book in a file.

    >>> shipped_book().value(Board())
    0
    """

    def __init__(self, path: str) -> None:
        self.path = path
        name = shown_path(path)
        with open_regular(path, "book") as file:
            try:
                facts, data = _read(file, name)
            except BadFile:
                raise
            except (OSError, ValueError) as error:  # of a disk that fails
                raise BadFile(f"{name} cannot be read: {reason(error)}") from None
        self._entries: Sequence[int] = _numbers(data)
        #: "max" or "classic".
        self.game: str = facts.get("game", "max")
        #: It has every position with at most so many pieces, but no classic game that is over.
        self.plies: int = facts["plies"]
        #: How the book was made.
        self.made: dict[str, Any] = facts["made"]

    def of_game(self, game: str) -> Book:
        """This book, if it is of a game; a BadFile if it is of the other."""
        if self.game != game:
            raise BadFile(f"{shown_path(self.path)} is a book of the game {self.game}, not {game}")
        return self

    def value(self, board: Board) -> int | None:
        """What perfect play comes to, in the view of the side to move; None if the book does not have it."""
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
        """What a drop into each column comes to, None for a full one; None if the book ends before."""
        if board.pieces() >= self.plies or board.game != self.game or not has_key(board) or board.is_over():
            return None
        scores: list[int | None] = [None] * board.width
        for column, key in keys_after(board).items():
            if self.game == "classic" and has_four(key):
                scores[column - 1] = worth_of_four(board.pieces() + 1)
                continue
            value = self.value_of(key)
            if value is None:
                return None
            scores[column - 1] = -value
        return scores

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Each position's key and value, in the order of the keys."""
        for entry in self._entries:
            yield entry >> 8, (entry & 0xFF) - ZERO

    def __repr__(self) -> str:
        return f"<Book of {self.plies} plies, {self.game}, {len(self):,} positions>"


def save_book(path: str, values: Mapping[int, int], plies: int, made: dict[str, Any], game: str = "max") -> None:
    """Write a book: the value of each key up to so many plies. `made` tells how it came about."""
    import json
    from array import array

    entries = array("Q", sorted(key << 8 | value + ZERO for key, value in values.items()))
    if sys.byteorder == "big":
        entries.byteswap()
    facts = {"game": game, "made": made, "plies": plies, "positions": len(entries)}
    line = json.dumps(facts, sort_keys=True).encode()
    line += b" " * (-(len(TITLE) + len(b"1\n01234567\n") + len(line) + 1) % ENTRY) + b"\n"
    body = line + entries.tobytes()
    save_whole(path, TITLE + b"%d\n%08x\n" % (VERSION, crc32(body)) + body)


FILES = {"max": "opening.book", "classic": "classic.book"}
_shipped: dict[str, Book] = {}


def shipped_book(game: str = "max") -> Book:
    """The book of a game that comes with the package. It is opened once."""
    check_game(game)
    if game not in _shipped:
        _shipped[game] = Book(__file__.removesuffix("book.py") + FILES[game])
    return _shipped[game]


def _read(file: BinaryIO, name: str) -> tuple[dict[str, Any], memoryview]:
    """The facts at the head of a file, and the entries behind it, if all is well with both."""
    from mmap import ACCESS_READ, mmap

    title, checksum, line = file.readline(100), file.readline(100), file.readline(LONGEST_LINE)
    if not title.startswith(TITLE):
        raise BadFile(f"{name} is not an opening book")
    if title != TITLE + b"%d\n" % VERSION:
        version = title.removeprefix(TITLE).rstrip().decode("ascii", "replace")
        raise BadFile(f"{name} is a book of version {shown(version)}; this program reads version {VERSION}")
    whole = memoryview(mmap(file.fileno(), 0, access=ACCESS_READ))
    if checksum != b"%08x\n" % crc32(whole[len(title) + len(checksum) :]):
        raise BadFile(f"{name} is damaged: its checksum is wrong")
    facts, data = _facts(line), whole[len(title) + len(checksum) + len(line) :]
    if facts is None or len(data) != ENTRY * facts["positions"]:
        raise BadFile(f"{name} is damaged: its head does not fit the rest")
    return facts, data


def _facts(line: bytes) -> dict[str, Any] | None:
    import json

    try:
        facts = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(facts, dict) or not isinstance(made := facts.get("made"), dict):
        return None
    if not all(isinstance(fact, str | int | float) for fact in made.values()):
        return None
    if facts.get("game", "max") not in FILES:
        return None
    numbers = [facts.get(name) for name in ("plies", "positions")]
    return facts if all(type(number) is int and 0 <= number < MOST for number in numbers) else None


def _numbers(data: memoryview) -> Sequence[int]:
    if sys.byteorder == "little":
        return data.cast("Q")
    from array import array

    entries = array("Q", data.tobytes())
    entries.byteswap()
    return entries
