"""The exceptions of the package, and the formatting of names and system errors in their one-line messages."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .solver import Progress


class MaxConnect4Error(Exception):
    """Base class of every expected error of this package."""


class IllegalMove(MaxConnect4Error, ValueError):
    """A move against the rules: a full column, a column off the board, or a game that is over."""


class BadPosition(MaxConnect4Error, ValueError):
    """A board, file or move string that does not describe a legal position."""


class IsolationUnavailable(MaxConnect4Error):
    """The requested isolation of external programs does not work on this machine."""


class FloatingPiece(BadPosition):
    """A piece above an empty cell, in `column` and `row`."""

    def __init__(self, column: int, row: int) -> None:
        super().__init__(column, row)  # the arguments that unpickling passes again
        self.column = column
        self.row = row

    def __str__(self) -> str:
        return f"the piece in column {self.column}, row {self.row} floats above an empty cell"


class CannotSolve(MaxConnect4Error, ValueError):
    """A board size that the solver does not support, or a transposition table that cannot be allocated."""


class SearchStopped(MaxConnect4Error):
    """A search that reached its time limit, or that its caller stopped, before it had its result.

    `timed_out` distinguishes the two. `progress` holds the bounds that the solver had proved by then, if any.
    """

    def __init__(
        self, message: str = "the search was stopped", timed_out: bool = False, progress: Progress | None = None
    ) -> None:
        super().__init__(message, timed_out, progress)
        self.message = message
        self.timed_out = timed_out
        self.progress = progress

    def __str__(self) -> str:
        return self.message


class BadSetup(MaxConnect4Error, ValueError):
    """A player, or a file of players and rules, that cannot be used for a match or a tournament."""


class PackageMissing(MaxConnect4Error, ImportError):
    """An optional package that is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(package, extra)
        self.package = package
        self.extra = extra

    def __str__(self) -> str:
        return f"{self.package} is not installed: pip install 'maxconnect4[{self.extra}]'"


class requires_extra:  # noqa: N801  # a context manager, without the start-up time of contextlib
    """Raise PackageMissing, with the extra to install, if a package that is imported in this context is missing."""

    def __init__(self, extra: str) -> None:
        self.extra = extra

    def __enter__(self) -> None:
        """Import the package in this context."""

    def __exit__(self, kind: object, error: BaseException | None, at: object) -> None:
        if isinstance(error, ModuleNotFoundError) and error.name and not error.name.startswith("maxconnect4"):
            raise PackageMissing(error.name, self.extra) from None


class NotEnoughPositions(MaxConnect4Error, ValueError):
    """More positions were requested than exist."""


class ClusterUnavailable(MaxConnect4Error, OSError):
    """A Dask cluster that cannot be reached, was lost, or runs another version of this program."""


class WorkersCrashed(MaxConnect4Error, RuntimeError):
    """Worker processes that crash repeatedly on the same work."""


class CannotServe(MaxConnect4Error, OSError):
    """An address on which the page cannot be served: in use or not available."""


class BadFile(MaxConnect4Error, OSError):
    """A file that cannot be read, or whose content is not valid."""


class NoSuchFile(BadFile, FileNotFoundError):
    """A file that does not exist."""


class CannotSave(MaxConnect4Error, OSError):
    """A file that cannot be written."""


class NoSuchGame(MaxConnect4Error, LookupError):
    """A stored game that does not exist."""


class FileInUse(CannotSave):
    """A file that another process is writing."""


def quote(text: str) -> str:
    """Quote a text for a message: on one line, at most 60 characters, without control characters."""
    text = text if len(text) <= 60 else text[:57] + "..."
    plain = all(letter.isascii() or letter.isalpha() for letter in text)  # escape characters that look like others
    return repr(text) if plain else ascii(text)


def quote_path(path: str) -> str:
    """Format a path for a message: unchanged if it is printable and short."""
    if len(path) > 200:
        path = f"{path[:100]}...{path[-90:]}"
    return path if path.isprintable() and path else ascii(path)


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Suggest the most similar of the words, as a question to end a message with; "" if none is similar."""
    from difflib import get_close_matches

    alike = get_close_matches(word.lower(), words, n=1, cutoff=0.7)
    return f"did you mean {alike[0]}?" if alike else ""


def write_error_reason(path: str, error: Exception) -> str:
    """Reason why a file cannot be written, to follow a colon."""
    if isinstance(error, IsADirectoryError):
        return "it is a folder"
    folder = os.path.dirname(path)
    is_missing = isinstance(error, FileNotFoundError | NotADirectoryError) and folder and not os.path.isdir(folder)
    return f"there is no folder {quote_path(folder)}" if is_missing else error_reason(error)


def error_reason(error: Exception) -> str:
    """Reason of a system error or of invalid content, to follow a colon: one printable line."""
    text = (error.strerror if isinstance(error, OSError) else None) or str(error)
    line = text[:1].lower() + text[1:].partition("\n")[0]
    return line if line.isprintable() else ascii(line)[1:-1]
