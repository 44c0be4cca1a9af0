"""The limits of a program as orders for the shell that starts it, so that it does not take a step without them."""

from __future__ import annotations

import math
import os
import time
from contextlib import suppress
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..limits import Limits

COUNT_SECONDS = 10.0  # how long a count of the user's processes is good for


def orders_for(limits: Limits) -> str:
    """What a shell of either kind, dash or bash, has to be told."""
    if os.geteuid() == 0:  # the superuser may have any number of processes
        return _orders(limits, None)
    return _orders(limits, _tasks_allowed(limits.processes, int(time.monotonic() / COUNT_SECONDS)))


@lru_cache(maxsize=16)
def _orders(limits: Limits, tasks: int | None) -> str:
    """A limit that cannot be set is one that is lower already.

    Memory is `-d`, not `-v`: Java reserves many times the addresses that it uses. File sizes count blocks of 512 bytes
    in POSIX shells, and of 1,024 in some old ones, which is no harm as the sandbox looks at the size besides.
    """
    cpu = math.ceil(limits.cpu_seconds)
    orders = [
        "ulimit -c 0",
        f"ulimit -f {math.ceil(limits.printed / 512)}",
        f"ulimit -d {math.ceil(limits.memory / 1024)}",
        f"ulimit -S -t {cpu}",
        f"ulimit -H -t {cpu + 1}",
    ]
    if tasks is not None:
        orders.append(f"ulimit -u {tasks} || ulimit -p {tasks}")  # bash and dash
    return f"{{ {'; '.join(orders)}; }} 2>/dev/null"


@lru_cache(maxsize=1)
def _tasks_allowed(processes: int, when: int) -> int | None:
    """How many processes and threads the user may have, or None if they cannot be counted.

    The system counts all of the user's, not the program's, so that other programs may have theirs too, one for each
    processor.
    """
    uid, count = os.getuid(), 0
    try:
        with os.scandir("/proc") as entries:
            for entry in entries:
                with suppress(OSError):  # it has ended
                    if entry.name.isdigit() and entry.stat().st_uid == uid:
                        count += os.stat(f"/proc/{entry.name}/task").st_nlink - 2
    except OSError:
        return None
    return count + processes * (os.cpu_count() or 1)
