"""Measure the page and its server, and write benchmarks/page.json and page_slow.json; `make bench-page` runs it.

With the argument `slow`, measure only the first visit over a slow link.

endurance/page_load.py measures an hour of load.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from measurement import begin, keep, progress
from simulated_user import Person, cpu_of, megabytes, resident, served

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from browser import started_browser

if TYPE_CHECKING:
    from playwright.sync_api import Request

PEOPLE = 50
MINUTES = 2
LEVEL = 4
THINKING = 1.0, 2.0  # seconds between two moves of a person, evenly spread
VISITS = 15
SLOW_VISITS, LATENCY = 7, 800  # milliseconds of each request


def main() -> None:
    begin()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (server, port):
        keep("page_slow", "bench-page", slow_visit(port), sys.argv[1:])
        if sys.argv[1:]:
            return
        results = {"visit": visit(port), "choice": choice(port), "people": people(server, port)}
    keep("page", "bench-page", results)


def slow_visit(port: int) -> dict[str, Any]:
    """First visit of the page over a link with a high latency: the requests before the board, and its time."""
    progress("first visits over a slow link")
    boards, counts, paints = [], [], []
    link = {"offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1}
    with started_browser() as browser:
        for _ in range(SLOW_VISITS):
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            page = context.new_page()
            chromium = context.new_cdp_session(page)
            chromium.send("Network.enable")
            chromium.send("Network.emulateNetworkConditions", link)
            asked: list[Request] = []

            def note(request: Request, asked: list[Request] = asked) -> None:
                asked.append(request)

            page.on("request", note)
            page.goto(f"http://127.0.0.1:{port}/", wait_until="commit")
            page.wait_for_selector("#points .player")
            boards.append(page.evaluate("() => performance.now()"))
            paints.append(
                page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
            )
            counts.append(len(asked))
            context.close()
    return {
        "latency_ms": LATENCY,
        "visits": SLOW_VISITS,
        "requests": max(counts),
        "first_paint_ms": round(statistics.median(paints)),
        "board_ms": round(statistics.median(boards)),
        "slowest_board_ms": round(max(boards)),
    }


def visit(port: int) -> dict[str, Any]:
    """First visit of the page: the time to the first paint, and the size of everything loaded."""
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
            page.wait_for_selector("#points .player")
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


def people(server: int, port: int) -> dict[str, Any]:
    """Many people at once: how long each waits from a drop until the computer has answered it, and the memory."""
    progress(f"{PEOPLE} people for {MINUTES} minutes")
    end = time.monotonic() + 60 * MINUTES
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
                at = len(game["position"]["history"])
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

    async def all_users() -> None:
        await asyncio.gather(watch(), *(play(number) for number in range(PEOPLE)))

    cpu = cpu_of(server)
    asyncio.run(all_users())
    return {
        "people": PEOPLE,
        "level": LEVEL,
        "minutes": MINUTES,
        "moves": len(waits),
        "games": games,
        **percentiles(waits),
        "server_cpu_share": round((cpu_of(server) - cpu) / (60 * MINUTES), 3),
        "memory_mb": megabytes(memory),
    }


def percentiles(seconds: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(seconds, n=100)
    return {
        "median_ms": round(1000 * cuts[49], 1),
        "p99_ms": round(1000 * cuts[98], 1),
        "most_ms": round(1000 * max(seconds), 1),
    }


if __name__ == "__main__":
    main()
