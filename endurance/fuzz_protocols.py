"""Fuzzing of move strings, engine commands and HTTP requests."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path

import msgspec
from api_client import api_client
from bad_requests import QUICK, Bad, answer, judge
from fuzz_inputs import damaged, noise

from maxconnect4 import MaxConnect4Error, board_from_moves
from maxconnect4.board import GAMES
from maxconnect4.engine.session import Session
from maxconnect4.web.api import ENDPOINTS
from maxconnect4.web.app import make_app

SIZES = ((7, 6), (7, 6), (4, 4), (9, 6))
MOVES = [b"44535", b"4444445632", b"1212121", b"222222333333444444555555666666777777111111", b"7"]
ENGINE = [
    b"uci",
    b"ugi",
    b"isready",
    b"setoption name UCI_Variant value maxconnect4",
    b"setoption name UCI_Variant value cfour",
    b"setoption name MultiPV value 3",
    b"setoption name Solver value false",
    b"setoption name Move Overhead value 10",
    b"setoption name Book value <none>",
    b"position startpos moves d1 d2 e1",
    b"position startpos moves P@d1 P@d2",
    b"position fen 7/7/7/7/7/3p3[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1",
    b"go depth 2",
    b"go nodes 100",
    b"go movetime 1",
    b"go infinite",
    b"go wtime 10 btime 10 searchmoves d1 e1",
    b"ponderhit",
    b"stop",
    b"query gameover",
    b"query result",
    b"query p1turn",
    b"ucinewgame",
]
BODY = {"game": "max", "moves": "4453", "players": ["person", "level:1"], "start": None, "column": 4, "depth": 2}


class MoveStrings:
    """Games as digits."""

    name = "move strings"
    accepted = 0

    def make(self, rng: random.Random, number: int) -> bytes:
        return noise(rng) if number % 2 else damaged(rng, rng.choice(MOVES))

    def attempt(self, data: bytes, number: int) -> int:
        moves = data.decode("utf-8", "surrogateescape")
        try:
            board = board_from_moves(moves, GAMES[number % 3 == 0], SIZES[number % len(SIZES)])
        except MaxConnect4Error as refusal:
            assert str(refusal).isprintable(), str(refusal)
        else:
            assert "".join(map(str, board.drops)) == moves
            self.accepted += 1
        return 1


class EngineLines:
    """What a tool may say to the engine."""

    name = "lines of the engine"

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.session = Session(self.lines.append)
        self.accepted = 0

    def make(self, rng: random.Random, number: int) -> bytes:
        return noise(rng) if number % 2 else damaged(rng, rng.choice(ENGINE))

    def attempt(self, data: bytes, number: int) -> int:
        for line in data.decode("utf-8", "replace").splitlines():
            self.session.handle("stop")  # no search goes on for longer than a line
            self.lines.clear()
            self.session.handle(line)
            assert all(len(each.splitlines()) <= 1 for each in self.lines), self.lines
            self.accepted += not any(each.startswith("info string") for each in self.lines)
        return 1


class Requests:
    """What a browser, or client else, may ask the server."""

    name = "requests"

    def __init__(self, folder: Path) -> None:
        self.opened = api_client(folder, limits=QUICK)
        self.client = self.opened.__enter__()
        self.app = make_app(self.client.service)
        self.known = self.client.post("/games", players=["person", "level:1"])["id"]
        self.accepted = 0

    def make(self, rng: random.Random, number: int) -> bytes:
        return noise(rng) if number % 2 else damaged(rng, json.dumps(BODY).encode())

    def attempt(self, data: bytes, number: int) -> int:
        endpoint = ENDPOINTS[number % len(ENDPOINTS)]
        if endpoint.method == "DELETE":
            return 1
        known = [field.encode_name for field in msgspec.structs.fields(endpoint.parameters)]
        body = data
        if number % 2 == 0 and endpoint.has_body:
            try:
                facts = json.loads(data)
                body = json.dumps({name: facts[name] for name in facts if name in known}).encode()
            except (ValueError, TypeError):
                pass
        query = [(name, data[:20].decode("latin-1")) for name in known[: 0 if endpoint.has_body else number % 3]]
        request = Bad(endpoint.method, endpoint.path, query, {}, body)
        status, headers, body = self.client.runner.run(self._answered(request))
        judge(request, status, headers, body)
        self.accepted += status < 400
        return 1

    async def _answered(self, request: Bad) -> tuple[int, dict[str, str], bytes]:
        return await asyncio.wait_for(answer(self.app, request, self.known), 30)


def kinds(folder: Path) -> Iterator[MoveStrings | EngineLines | Requests]:
    """All kinds of words."""
    yield MoveStrings()
    yield EngineLines()
    yield Requests(folder)
