"""What the system does not let the program have, wherever that shows: any other error keeps its traceback."""

from __future__ import annotations

import errno
import os

from ..errors import reason

#: Files, memory, processes and threads, and room on the disk.
RUN_OUT = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS}


def mishap(error: OSError | RuntimeError) -> str | None:
    """What is wrong with the surroundings, in words; None if it is nothing of the kind."""
    if isinstance(error, OSError):
        if error.errno in RUN_OUT:
            return f"the system does not let this go on: {reason(error)}"
        return None if error.errno != errno.ENOENT or _has_a_folder() else "the folder that this runs in is gone"
    return f"the system does not let this go on: {error}" if str(error) == "can't start new thread" else None


def _has_a_folder() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return False
    return True
