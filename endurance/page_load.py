"""An hour of load on the page, with the server's memory drawn; `make endure` runs it.

People play, take back, ask for hints, analyse, review, ask for trees, list, export and delete games, load the page,
send nonsense, say nothing, and go away in the middle of a search, for an hour or as many --minutes as you say. It takes
less than half a core. The server's memory, open files and threads are noted every second. Ctrl-C ends it early.

The results go into benchmarks/endurance.json, and the curves into docs/pictures/page-memory.png. It ends with 1
if any answer was unexpected, or if a search or a connection is left after all clients have disconnected.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from page_visitors import VISITORS, Load
from record import record

from maxconnect4.files import write_atomic
from maxconnect4.plots import picture

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "benchmarks"))
from simulated_user import Person, cpu_of, megabytes, resident, served

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from matplotlib.axes import Axes

    Visit = Callable[[Load, random.Random], Coroutine[Any, Any, None]]

PICTURE = HERE.parent / "docs" / "pictures" / "page-memory.png"
SPARE_FILES = 8  # those that the server opens for itself: its games, the books
CALM_SECONDS = 15  # until nothing is left of those who have gone


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60, help="how long (default: 60)")
    parser.add_argument("--try", action="store_true", dest="trial", help="only print the results, and write nothing")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (server, port):
        watch = Watch(server)
        load = Load(port, 60 * args.minutes)
        left = asyncio.run(all_clients(load, watch))
        facts = {**summary(load, watch), "left": left}
    print(json.dumps(facts, indent=1))
    for problem in load.problems[:20]:
        print(problem, file=sys.stderr)
    if load.problems or left["searches"] or left["files"] > watch.files[0] + SPARE_FILES:
        return 1
    if not args.trial:
        write_atomic(str(PICTURE), picture(watch.draw, (9, 4.2), "png"))
        record(__file__, facts)
    return 0


async def all_clients(load: Load, watch: Watch) -> dict[str, int]:
    """Let them all in. The answer is what is left when they have gone."""
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, load.stop)
    people = [stay(load, visitor, each) for visitor, many in VISITORS for each in range(many)]
    watching = asyncio.create_task(watch.look())
    try:
        await asyncio.gather(*people)
    finally:
        watching.cancel()
        watch.end()
    await asyncio.sleep(CALM_SECONDS)
    person = await Person.arrive(load.port)
    offers = await person.ask("GET", "/")
    person.leave()
    await asyncio.sleep(1)
    searches = sum(count for queue in offers["jobs"].values() for count in queue.values())
    return {"searches": searches, "files": files_of(watch.server), "threads": threads_of(watch.server)}


async def stay(load: Load, visitor: Visit, each: int) -> None:
    """One of them, until the time is up; what goes wrong is noted, and does not send the others home."""
    chance = random.Random(f"{visitor.__name__} {each}")
    while time.monotonic() < load.end:
        try:
            await visitor(load, chance)
        except Exception as error:
            load.note(visitor.__name__, False, repr(error))


class Watch:
    """What the server takes, second by second."""

    def __init__(self, server: int) -> None:
        self.server = server
        self.start, self.cpu, self.own_cpu = time.monotonic(), cpu_of(server), time.process_time()
        self.server_share = self.visitors_share = 0.0
        self.minutes: list[float] = []
        self.memory: list[float] = []
        self.files: list[int] = []
        self.threads: list[int] = []

    async def look(self) -> None:
        """Record samples until the trial ends."""
        while True:
            self.minutes.append((time.monotonic() - self.start) / 60)
            self.memory.append(resident(self.server))
            self.files.append(files_of(self.server))
            self.threads.append(threads_of(self.server))
            await asyncio.sleep(1)

    def end(self) -> None:
        """How much of a core the server and its visitors have had."""
        seconds = time.monotonic() - self.start
        self.server_share = (cpu_of(self.server) - self.cpu) / seconds
        self.visitors_share = (time.process_time() - self.own_cpu) / seconds

    def draw(self, axes: Axes) -> None:
        """The curves."""
        axes.plot(self.minutes, self.memory, color="#1f4f9c", linewidth=1.6)
        axes.set_ylim(0, 1.15 * max(self.memory))
        axes.set_xlim(0, self.minutes[-1])
        axes.set_xlabel("Minutes of load")
        axes.set_ylabel("Memory of the server, MB", color="#1f4f9c")
        counts = axes.twinx()
        counts.plot(self.minutes, self.files, color="#c93a20", linewidth=0.6, alpha=0.6, label="open files")
        counts.plot(self.minutes, self.threads, color="#0b7355", linewidth=1.2, label="threads")
        counts.set_ylim(0, 2.2 * max(self.files))  # in the lower half, out of the way of the memory
        counts.set_ylabel("Open files and threads")
        counts.legend(loc="lower right", ncols=2, frameon=False)
        for each in (axes, counts):
            each.spines["top"].set_visible(False)


def summary(load: Load, watch: Watch) -> dict[str, Any]:
    return {
        "people": sum(many for _, many in VISITORS),
        "minutes": round(watch.minutes[-1]),
        "done": dict(sorted(load.done.items())),
        "in_all": load.done.total(),
        "problems": len(load.problems),
        "server_cpu_share": round(watch.server_share, 3),
        "people_cpu_share": round(watch.visitors_share, 3),
        "memory_mb": megabytes(watch.memory),
        "files": {"first": watch.files[0], "most": max(watch.files)},
        "threads": {"first": watch.threads[0], "most": max(watch.threads)},
    }


def files_of(server: int) -> int:
    return len(os.listdir(f"/proc/{server}/fd"))


def threads_of(server: int) -> int:
    return len(os.listdir(f"/proc/{server}/task"))


if __name__ == "__main__":
    sys.exit(main())
