"""Asking the server's application without a network: quick, and in this process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from maxconnect4.web.app import make_app
from maxconnect4.web.games.kept import Games
from maxconnect4.web.interface.service import Limits, Service

HERE = "http://127.0.0.1:8044"


class Asking:
    """Somebody who asks one thing after another."""

    def __init__(self, service: Service, runner: asyncio.Runner, base: str, token: str = "", ip: str = "") -> None:
        self.service = service
        self.runner = runner
        app = make_app(service, ["chess.club"], token)
        client = (ip or "127.0.0.1", 123)
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=client)
        self.client = httpx.AsyncClient(transport=transport, base_url=base)

    def ask(self, method: str, path: str, **what: Any) -> httpx.Response:
        """The answer."""
        return self.runner.run(self.client.request(method, path, **what))

    def get(self, path: str, **query: Any) -> Any:
        """What there is, below /api/v1."""
        return said(self.ask("GET", f"/api/v1{path}", params=query or None))

    def post(self, path: str, status: int = 200, **body: Any) -> Any:
        """What comes of it."""
        return said(self.ask("POST", f"/api/v1{path}", json=body), status)

    def refused(self, method: str, path: str, status: int = 400, **what: Any) -> str:
        """Why something is refused: one line of words."""
        answer = said(self.ask(method, f"/api/v1{path}", **what), status)
        assert "\n" not in answer["error"]
        return str(answer["error"])

    def events(self, path: str, **query: Any) -> list[tuple[str, Any]]:
        """All events, to the last."""
        answer = self.ask("GET", f"/api/v1{path}", params=query)
        assert answer.headers["content-type"].startswith("text/event-stream")
        blocks = [
            dict(line.split(": ", 1) for line in block.split("\n")) for block in answer.text.strip().split("\n\n")
        ]
        return [(block["event"], json.loads(block["data"])) for block in blocks]


def said(answer: httpx.Response, status: int = 200) -> Any:
    """The JSON of an answer with this status."""
    assert answer.status_code in {status, 201 if status == 200 else status}, answer.text
    return answer.json()


@contextmanager
def asking(
    folder: Path, *, shared: bool = False, limits: Limits | None = None, base: str = HERE, token: str = ""
) -> Iterator[Asking]:
    """Somebody who may ask; the games are kept in a folder."""
    with Games(str(folder / "games.sqlite")) as games, asyncio.Runner() as runner:
        service = Service(games, shared=shared, limits=limits)
        somebody = Asking(service, runner, base, token)
        try:
            yield somebody
        finally:
            service.close()
            runner.run(somebody.client.aclose())
