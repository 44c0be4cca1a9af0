"""Measure the page and its server, and write benchmarks/page.json; `make bench-page` runs it.

Fifty people play at once for two minutes, or for as many as --minutes says: an hour shows whether the memory stays
where it is.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from measure import BIN, progress

from maxconnect4.measuring.machine import machine

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from browser import started_browser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Request

RESULTS = Path(__file__).parent / "page.json"
PEOPLE = 50
LEVEL = 4
THINKING = 1.0, 2.0  # seconds between two moves of a person, evenly spread
VISITS = 15


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=2, help="how long the people play (default: 2)")
    parser.add_argument("--only-people", action="store_true", help="measure nothing but the people, and print that")
    args = parser.parse_args()
    print("Other work on the machine makes these numbers worse.", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (process, port):
        if args.only_people:
            print(json.dumps(people(process.pid, port, args.minutes), indent=1))
            return
        results = {
            "machine": machine(),
            "date": datetime.date.today().isoformat(),
            "command": "make bench-page",
            "visit": visit(port),
            "choice": choice(port),
            "people": people(process.pid, port, args.minutes),
        }
    if RESULTS.exists():  # the hour stays until it is measured again
        results["long"] = json.loads(RESULTS.read_text()).get("long")
    if args.minutes >= 60:
        results["long"] = results["people"]
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")


@contextmanager
def served(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server of its own, and its port."""
    command = [f"{BIN}/maxconnect4", "play", "--no-browser", "--port", "0", "--games", f"{folder}/games.sqlite"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process, int(process.stdout.readline().split("127.0.0.1:")[1].split("/")[0])
    finally:
        process.terminate()
        process.wait()


def visit(port: int) -> dict[str, Any]:
    """Somebody who has never been there opens the page: the time to the first paint, and all that is loaded."""
    progress("first visits")
    paints, boards = [], []
    raw = transferred = 0
    with started_browser() as browser:
        for _ in range(VISITS):
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            page = context.new_page()
            finished: list[Request] = []

            def note(request: Request, finished: list[Request] = finished) -> None:
                finished.append(request)

            page.on("requestfinished", note)
            page.goto(f"http://127.0.0.1:{port}/")
            page.wait_for_selector(".side")
            paints.append(page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            boards.append(page.evaluate("() => performance.now()"))
            page.wait_for_load_state("networkidle")
            sizes = [request.sizes() for request in finished]
            transferred = sum(each["responseBodySize"] + each["responseHeadersSize"] for each in sizes)
            raw = sum(len(response.body()) for request in finished if (response := request.response()))
            context.close()
    return {
        "visits": VISITS,
        "first_paint_ms": round(statistics.median(paints)),
        "slowest_first_paint_ms": round(max(paints)),
        "board_ms": round(statistics.median(boards)),
        "bytes": raw,
        "transferred_bytes": transferred,
    }


def choice(port: int, positions: int = 100) -> dict[str, Any]:
    """The computer's move at depth 8 in positions of random games, one after the other."""
    progress("moves at depth 8")
    chance = random.Random(6)

    async def ask() -> list[float]:
        person = await Person.arrive(port)
        seconds = []
        for _ in range(positions):
            game = await person.ask("GET", "/position")
            for _ in range(chance.randrange(36)):
                game = await person.ask("GET", f"/position?moves={game['moves']}{chance.choice(game['columns'])}")
            start = time.perf_counter()
            await person.ask("GET", f"/choice?depth=8&moves={game['moves']}")
            seconds.append(time.perf_counter() - start)
        return seconds

    times = asyncio.run(ask())
    return {"positions": positions, **percentiles(times)}


class Person:
    """Somebody who plays, over a connection that stays open; as cheap as can be, since it runs beside the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def arrive(cls, port: int) -> Person:
        """Open a connection."""
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Ask the server something, and wait for the answer."""
        data = json.dumps(body).encode() if body is not None else b""
        kind = f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n" if data else ""
        self.writer.write(f"{method} /api/v1{path} HTTP/1.1\r\nHost: localhost\r\n{kind}\r\n".encode() + data)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.split("content-length:")[1].split("\r\n")[0])
        answer = json.loads(await self.reader.readexactly(length))
        if head.split()[1] not in ("200", "201"):
            raise SystemExit(f"{method} {path}: {head.splitlines()[0]} {answer}")
        return answer


def people(server: int, port: int, minutes: float) -> dict[str, Any]:
    """Many people at once: how long each waits from a drop until the computer has answered it, and the memory."""
    progress(f"{PEOPLE} people for {minutes:g} minutes")
    end = time.monotonic() + 60 * minutes
    waits: list[float] = []
    memory: list[float] = []
    games = 0

    async def play(number: int) -> None:
        nonlocal games
        chance = random.Random(number)
        person = await Person.arrive(port)
        await asyncio.sleep(chance.random() * THINKING[1])
        while time.monotonic() < end:
            games += 1
            players = ["person", f"level:{LEVEL}"][:: chance.choice((1, -1))]
            game = await person.ask("POST", "/games", {"players": players})
            while not game["position"]["over"] and time.monotonic() < end:
                at = len(game["position"]["drops"])
                start = time.perf_counter()
                if players[game["position"]["to_move"] - 1] == "person":
                    await asyncio.sleep(chance.uniform(*THINKING))
                    start = time.perf_counter()
                    column = chance.choice(game["position"]["columns"])
                    game = await person.ask("POST", f"/games/{game['id']}/drop", {"column": column, "at": at})
                    at += 1
                if not game["position"]["over"]:
                    game = await person.ask("POST", f"/games/{game['id']}/computer", {"at": at})
                    waits.append(time.perf_counter() - start)

    async def watch() -> None:
        while time.monotonic() < end:
            memory.append(resident(server))
            await asyncio.sleep(1)

    async def everybody() -> None:
        await asyncio.gather(watch(), *(play(number) for number in range(PEOPLE)))

    cpu = cpu_of(server)
    asyncio.run(everybody())
    quarter = len(memory) // 4
    return {
        "people": PEOPLE,
        "level": LEVEL,
        "minutes": minutes,
        "moves": len(waits),
        "games": games,
        **percentiles(waits),
        "server_cpu_share": round((cpu_of(server) - cpu) / (60 * minutes), 3),
        "memory_mb": {
            "first": round(memory[0], 1),
            "after_a_quarter": round(memory[quarter], 1),
            "last": round(memory[-1], 1),
            "most": round(max(memory), 1),
        },
    }


def percentiles(seconds: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(seconds, n=100)
    return {
        "median_ms": round(1000 * cuts[49], 1),
        "p99_ms": round(1000 * cuts[98], 1),
        "most_ms": round(1000 * max(seconds), 1),
    }


def resident(pid: int) -> float:
    """The memory of a process, in megabytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


if __name__ == "__main__":
    main()
