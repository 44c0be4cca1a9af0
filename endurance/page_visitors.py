"""What people do with the page, each kind of them in a way of its own, until the time is up."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections import Counter
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from maxconnect4 import EVALUATIONS
from maxconnect4.board import GAMES, Board

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
from simulated_user import Person

if TYPE_CHECKING:
    import random
    from collections.abc import AsyncIterator

API = "/api/v2"
BUSY = 503
LEVELS = 5  # those whose moves are quick
FORMS = ("text", "json", "position")
HALF_SENTENCES = (
    b"",
    b"GET /api/v2/ga",
    b"POST /api/v2/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
)


class Load:
    """The state that all visitors share: the server, the end of the trial, and the results."""

    def __init__(self, port: int, seconds: float) -> None:
        self.port = port
        self.end = time.monotonic() + seconds
        self.done: Counter[str] = Counter()
        self.problems: list[str] = []

    def stop(self) -> None:
        """Stop all visitors."""
        self.end = 0

    async def pause(self, chance: random.Random, seconds: float) -> bool:
        """Wait about so long. Whether there is time for something after it."""
        await asyncio.sleep(seconds * chance.uniform(0.5, 1.5))
        return time.monotonic() < self.end

    @asynccontextmanager
    async def visit(self) -> AsyncIterator[Visitor]:
        """A new visitor, who leaves in the end."""
        visitor = Visitor(self, await Person.arrive(self.port))
        try:
            yield visitor
        finally:
            visitor.person.leave()

    def note(self, what: str, well: bool = True, words: object = "") -> None:
        """Something has been done, well or not."""
        self.done[what] += 1
        if not well:
            self.problems.append(f"{what}: {words}")


class Visitor:
    """A visitor whose requests are counted and compared with the expected answers."""

    def __init__(self, load: Load, person: Person) -> None:
        self.load, self.person = load, person

    async def ask(self, what: str, method: str, path: str, body: object = None, expected: int = 0) -> Any:
        """Ask the interface something; if it has too much to do, there is no answer."""
        self.person.send(method, API + path, body)
        status, answer = await self.person.answer()
        busy = status == BUSY
        well = status == expected if expected else busy or status in (200, 201)
        self.load.note("busy" if busy else what, well, f"{method} {path}: {status} {answer[:200]!r}")
        return json.loads(answer) if answer.startswith(b"{") and not busy else None

    async def listen(self, what: str, path: str) -> None:
        """Listen to events until the last, which has to be a good one."""
        events = await self.person.events(path)
        busy = events.startswith(f"HTTP/1.1 {BUSY}".encode())
        self.load.note("busy" if busy else what, busy or b"event: done" in events, f"{path}: {events[-200:]!r}")


async def player(load: Load, chance: random.Random) -> None:
    """Plays against the computer, takes back now and then, and takes the game home in the end."""
    while await load.pause(chance, 1.5):
        async with load.visit() as visitor:
            players = ["person", f"level:{chance.randint(1, LEVELS)}"][:: chance.choice((1, -1))]
            wish = {"game": chance.choice(GAMES), "players": players}
            game = await visitor.ask("new games", "POST", "/games", wish)
            while not game["position"]["over"] and time.monotonic() < load.end:
                game = await _move(visitor, chance, game) or game
            form = chance.choice(FORMS)
            await visitor.ask(f"exports as {form}", "GET", f"/games/{game['id']}/export?as={form}")


async def _move(visitor: Visitor, chance: random.Random, game: Any) -> Any:
    path, position = f"/games/{game['id']}", game["position"]
    at = {"at": len(position["history"])}
    if game["players"][position["to_move"] - 1] != "person":
        return await visitor.ask("moves of the computer", "POST", f"{path}/computer", at)
    await visitor.load.pause(chance, 1.5)
    wish = chance.random()
    if wish < 0.05 and at["at"] > 2:
        game = await visitor.ask("undo", "POST", f"{path}/undo", at)
        return await visitor.ask("redo", "POST", f"{path}/redo", {"at": len(game["position"]["history"])})
    if wish < 0.1:
        named = urlencode({"game": game["game"], "moves": position["moves"], "depth": 6})
        await visitor.ask("hints", "GET", f"/choice?{named}")
    column = chance.choice(position["columns"])
    return await visitor.ask("drops", "POST", f"{path}/drop", {"column": column, **at})


async def analyst(load: Load, chance: random.Random) -> None:
    """Asks what late positions are worth."""
    while await load.pause(chance, 2):
        board, named = _position(chance, 20, 36)
        async with load.visit() as visitor:
            if chance.random() < 0.3:
                await visitor.listen("analyses with events", f"/analysis/events?{named}")
            else:
                await visitor.ask("analyses", "GET", f"/analysis?{named}")
                if not board.is_over():
                    await visitor.ask("best columns", "GET", f"/choice?{named}")


async def reviewer(load: Load, chance: random.Random) -> None:
    """Has games reviewed that began in the middle."""
    while await load.pause(chance, 4):
        board, _ = _position(chance, 20, 24)
        start, moves = "".join(str(cell) for row in board.rows() for cell in row), ""
        while not board.is_over():
            moves += str(column := chance.choice(board.columns()))
            board.drop(column)
        if moves:
            named = urlencode({"game": board.game, "start": start, "moves": moves})
            async with load.visit() as visitor:
                await visitor.listen("reviews", f"/review/events?{named}")


async def quitter(load: Load, chance: random.Random) -> None:
    """Asks something hard and goes away in the middle, politely or not."""
    while await load.pause(chance, 2):
        _, named = _position(chance, 10, 14)
        path = chance.choice(("/analysis", "/analysis/events", "/review", "/review/events", "/choice", "/tree"))
        person = await Person.arrive(load.port)
        person.send("GET", f"{API}{path}?{named}{'&depth=4' * (path == '/tree')}")
        await load.pause(chance, 0.15)
        person.leave(rudely=chance.random() < 0.5)
        load.note("searches broken off")


async def learner(load: Load, chance: random.Random) -> None:
    """Asks for search trees."""
    while await load.pause(chance, 4):
        board, named = _position(chance, 0, 30)
        if not board.is_over():
            pruning, form = chance.choice(("true", "false")), chance.choice(("", ".svg"))
            more = {"depth": chance.randint(1, 4), "evaluation": chance.choice(EVALUATIONS), "pruning": pruning}
            async with load.visit() as visitor:
                await visitor.ask(f"trees{form}", "GET", f"/tree{form}?{named}&{urlencode(more)}")


async def housekeeper(load: Load, chance: random.Random) -> None:
    """Looks through the games that are kept, and deletes one now and then; the only one of its kind."""
    while await load.pause(chance, 0.5):
        async with load.visit() as visitor:
            found = await visitor.ask("lists of games", "GET", f"/games?limit={chance.randint(1, 100)}")
            over = [game["id"] for game in found["games"] if game["over"]]
            if over:
                id_ = chance.choice(over)
                await visitor.ask("games looked at", "GET", f"/games/{id_}")
                await visitor.ask("lists of games", "GET", f"/games?before={id_}")
                await visitor.ask("new players", "PATCH", f"/games/{id_}", {"players": ["person", "level:2"]})
            if len(over) > 10 and chance.random() < 0.1:
                await visitor.ask("deletions", "DELETE", f"/games/{over[-1]}")


async def newcomer(load: Load, chance: random.Random) -> None:
    """Opens the page, with all that belongs to it."""
    while await load.pause(chance, 3):
        async with load.visit() as visitor:
            person = visitor.person
            person.send("GET", "/")
            _, page = await person.answer()
            for path in re.findall(r'(?:href|src)="(/page/[^"]+)"', page.decode()):
                person.send("GET", path, more=chance.choice(("", "Accept-Encoding: gzip\r\n")))
                status, _ = await person.answer()
                load.note("files of the page", status == 200, f"{path}: {status}")


async def dawdler(load: Load, chance: random.Random) -> None:
    """Connects, sends nothing or half a request, and disconnects."""
    while await load.pause(chance, 2):
        person = await Person.arrive(load.port)
        person.writer.write(chance.choice(HALF_SENTENCES))
        await load.pause(chance, 3)
        person.leave(rudely=chance.random() < 0.5)
        load.note("idle connections")


async def vandal(load: Load, chance: random.Random) -> None:
    """Sends nonsense, which has to be refused."""
    while await load.pause(chance, 0.7):
        async with load.visit() as visitor:
            ask = visitor.ask
            match chance.randrange(6):
                case 0:
                    visitor.person.writer.write(chance.randbytes(chance.randrange(1, 2000)) + b"\r\n\r\n")
                    visitor.person.writer.write_eof()
                    answer = await visitor.person.reader.read()
                    load.note("nonsense", not answer or b" 400 " in answer[:20], answer[:80])
                case 1:
                    await ask("nonsense", "GET", f"/position?moves={chance.randrange(8, 99)}9", expected=400)
                case 2:
                    await ask("nonsense", "POST", "/games", {"start": "012" * chance.randrange(15, 30)}, expected=400)
                case 3:
                    await ask("nonsense", "POST", "/games", {"players": ["x" * 70_000] * 2}, expected=413)
                case 4:
                    await ask("nonsense", chance.choice(("PUT", "DELETE", "BREW")), "/analysis", expected=405)
                case 5:
                    await ask("nonsense", "GET", f"/games/{chance.randbytes(8).hex()}/export?as=json", expected=404)


def _position(chance: random.Random, least: int, most: int) -> tuple[Board, str]:
    """A random position after a number of moves, or at the end of its game, and its name."""
    board = Board(chance.choice(GAMES))
    for _ in range(chance.randint(least, most)):
        if not board.is_over():
            board.drop(chance.choice(board.columns()))
    return board, urlencode({"game": board.game, "moves": "".join(map(str, board.drops))})


#: And how many there are of each.
VISITORS = (
    (player, 40),
    (analyst, 4),
    (reviewer, 2),
    (quitter, 4),
    (learner, 2),
    (housekeeper, 1),
    (newcomer, 2),
    (dawdler, 6),
    (vandal, 4),
)
