"""Reading what others have written: files whose content is data, and lines that come one by one."""

from __future__ import annotations

import os
import stat

from .errors import BadFile, NoSuchFile, reason, shown_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

NO_LINE = 1 << 24  # bytes without an end of line


def open_regular(path: str, what: str) -> BinaryIO:
    """Open a file for reading; `what` it should be is for the message if there is none.

    It has to be a regular one, as a pipe could keep one waiting for ever.
    """
    name = shown_path(path)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:
        raise NoSuchFile(f"{name}: there is no such {what}") from None
    except (OSError, ValueError) as error:
        raise BadFile(f"{name} cannot be read: {reason(error)}") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise BadFile(f"{name} cannot be read: it is not a regular file")
    return open(descriptor, "rb")


def lines_of(file: BinaryIO, longest: int, name: str) -> Iterator[bytes]:
    """Each line as soon as it is there, or the beginning of one that is too long; one without an end is refused."""
    try:
        while line := file.readline(longest):
            yield line
            length = len(line)
            while len(line) == longest and not line.endswith(b"\n"):
                line = file.readline(longest)
                length += len(line)
                if length > NO_LINE:
                    raise BadFile(f"{name} has a line of more than {NO_LINE:,} bytes")
    except BadFile:
        raise
    except OSError as error:
        raise BadFile(f"{name} cannot be read: {reason(error)}") from None


def read_text(path: str, what: str, most: int) -> str:
    """The text of a file, with or without a byte order mark, of at most so many bytes; `what` is for messages."""
    try:
        return read_bytes(path, what, most).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadFile(f"{shown_path(path)} is no text in UTF-8") from None


def read_bytes(path: str, what: str, most: int) -> bytes:
    """All of a file, of at most so many bytes; `what` is for messages."""
    with open_regular(path, what) as file:
        try:
            data = file.read(most + 1)
        except OSError as error:  # of a disk that fails
            raise BadFile(f"{shown_path(path)} cannot be read: {reason(error)}") from None
    if len(data) > most:
        raise BadFile(f"{shown_path(path)} is too large for a {what}: over {most:,} bytes")
    return data
