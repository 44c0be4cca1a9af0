"""Opening files whose content is data: regular files only, as a pipe could keep one waiting for ever."""

from __future__ import annotations

import os
import stat

from .errors import BadFile, reason, shown_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


def open_regular(path: str, what: str) -> BinaryIO:
    """Open a file for reading; `what` it should be is for the message if there is none."""
    name = shown_path(path)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:
        raise BadFile(f"{name}: there is no such {what}") from None
    except (OSError, ValueError) as error:
        raise BadFile(f"{name} cannot be read: {reason(error)}") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise BadFile(f"{name} cannot be read: it is not a regular file")
    return open(descriptor, "rb")
