"""Measure newcomers of a server whose connections are all taken, and write benchmarks/siege.json.

`make bench-siege` runs it. Three sieges, each on a new server on 127.0.0.1:

- clients that keep an idle connection;
- clients that ask for 5 MB each and never read;
- clients that ask for the events of a long search and never read.

Newcomers come one after another. Each opens the page and makes a game, on a new connection each.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from measurement import begin, keep, progress

from maxconnect4.web.http.connections import MOST, allow_files

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from play_server import PlayServer
from siege import Siege, newcomer

if TYPE_CHECKING:
    from collections.abc import Callable

BESIEGERS = MOST
NEWCOMERS = 50
PATIENCE = 5.0  # seconds that a newcomer waits for a response
SIEGES: dict[str, Callable[[Siege], Siege]] = {
    "no_siege": lambda siege: siege,
    "idle": lambda siege: siege.idle(BESIEGERS),
    "never_read": lambda siege: siege.never_read(BESIEGERS),
    "event_streams": lambda siege: siege.event_streams(BESIEGERS),
}


def main() -> None:
    begin()
    allow_files()  # also the besiegers are open files
    keep("siege", "bench-siege", {name: besieged(name) for name in SIEGES})


def besieged(name: str) -> dict[str, Any]:
    """Figures of the newcomers during one siege."""
    progress(name)
    seconds: list[float] = []
    served = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        PlayServer(Path(folder)) as server,
        SIEGES[name](Siege(server)) as siege,
    ):
        for _ in range(NEWCOMERS):
            try:
                seconds += newcomer(server, PATIENCE)
            except OSError:
                continue
            served += 1
        connections = len(siege.clients)
    return {
        "connections": connections,
        "newcomers": NEWCOMERS,
        "served": served,
        "median_ms": round(1000 * statistics.median(seconds), 1) if seconds else None,
        "most_ms": round(1000 * max(seconds), 1) if seconds else None,
    }


if __name__ == "__main__":
    main()
