"""The errors that a caller may expect. Their messages are for people, with the value and the place on one line."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class MaxConnect4Error(Exception):
    """Anything that goes wrong in this package in an expected way."""


class IllegalMove(MaxConnect4Error, ValueError):
    """A drop that the rules refuse: a full column, no such column, or a game that is over."""


class BadPosition(MaxConnect4Error, ValueError):
    """A board, a file or a move string that is no position of the game."""


class NoIsolation(MaxConnect4Error):
    """The isolation of external programs that was asked for does not work on this machine."""


class FloatingPiece(BadPosition):
    """A piece above an empty cell, in `column` and `row`."""

    def __init__(self, column: int, row: int) -> None:
        super().__init__(column, row)  # which is what it is made of again in another process
        self.column = column
        self.row = row

    def __str__(self) -> str:
        return f"the piece in column {self.column}, row {self.row} floats above an empty cell"


class CannotSolve(MaxConnect4Error, ValueError):
    """A board or a game that the solver does not take, or a table that cannot be had."""


class BadEntrant(MaxConnect4Error, ValueError):
    """A player, or a file of players and rules, that cannot be used for a match or a tournament."""


class NotInstalled(MaxConnect4Error, ImportError):
    """A package that only some features need, and that is not there."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(package, extra)
        self.package = package
        self.extra = extra

    def __str__(self) -> str:
        return f"{self.package} is not installed: pip install 'maxconnect4[{self.extra}]'"


class NotEnough(MaxConnect4Error, ValueError):
    """More positions than there are."""


class NoCluster(MaxConnect4Error, OSError):
    """A Dask cluster that cannot be had: out of reach, gone away, or without this program."""


class WorkersDied(MaxConnect4Error, RuntimeError):
    """Processes that die again and again, whoever takes up their work."""


class CannotServe(MaxConnect4Error, OSError):
    """A page that cannot be served: an address that is taken or is not there."""


class BadFile(MaxConnect4Error, OSError):
    """A file that cannot be read as what it should be: a position, a game, a book."""


class NoSuchFile(BadFile, FileNotFoundError):
    """A file that is not there."""


class CannotSave(MaxConnect4Error, OSError):
    """A file that cannot be written."""


class InUse(CannotSave):
    """A file that another process is writing."""


def shown(text: str) -> str:
    """A text in quotes for a message: on one line, not too long, without anything that a terminal might act on."""
    text = text if len(text) <= 60 else text[:57] + "..."
    plain = all(letter.isascii() or letter.isalpha() for letter in text)  # a sign that looks like another is spelt out
    return repr(text) if plain else ascii(text)


def shown_path(path: str) -> str:
    """A file's name for a message: as it is, if it can be printed on one line."""
    if len(path) > 200:
        path = f"{path[:100]}...{path[-90:]}"
    return path if path.isprintable() and path else ascii(path)


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """A question to end a message with, if one of the words is like the one that was typed."""
    from difflib import get_close_matches

    alike = get_close_matches(word.lower(), words, n=1, cutoff=0.7)
    return f"did you mean {alike[0]}?" if alike else ""


def why_not_written(path: str, error: Exception) -> str:
    """Why a file cannot be written, to stand behind a colon."""
    if isinstance(error, IsADirectoryError):
        return "it is a folder"
    folder = os.path.dirname(path)
    is_missing = isinstance(error, FileNotFoundError | NotADirectoryError) and folder and not os.path.isdir(folder)
    return f"there is no folder {shown_path(folder)}" if is_missing else reason(error)


def reason(error: Exception) -> str:
    """What the system says of an error, to stand behind a colon: one line, in which a damaged file may be quoted."""
    text = (error.strerror if isinstance(error, OSError) else None) or str(error)
    line = text[:1].lower() + text[1:].partition("\n")[0]
    return line if line.isprintable() else ascii(line)[1:-1]
