"""A client of the server's application without a network: quick, and in this process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from maxconnect4.web.api import Service, TimeLimits
from maxconnect4.web.app import make_app
from maxconnect4.web.games import GameStore

BASE_URL = "http://127.0.0.1:8044"


class ApiClient:
    """Sends one request after another."""

    def __init__(self, service: Service, runner: asyncio.Runner, base: str, token: str = "", ip: str = "") -> None:
        self.service = service
        self.runner = runner
        app = make_app(service, ["chess.club"], token)
        client = (ip or "127.0.0.1", 123)
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=client)
        self.http = httpx.AsyncClient(transport=transport, base_url=base)

    def ask(self, method: str, path: str, **what: Any) -> httpx.Response:
        """The response."""
        return self.runner.run(self.http.request(method, path, **what))

    def get(self, path: str, **query: Any) -> Any:
        """The JSON of a path below /api/v2."""
        return json_of(self.ask("GET", f"/api/v2{path}", params=query or None))

    def post(self, path: str, status: int = 200, **body: Any) -> Any:
        """The JSON of the response to a JSON body."""
        return json_of(self.ask("POST", f"/api/v2{path}", json=body), status)

    def refused(self, method: str, path: str, status: int = 400, **what: Any) -> str:
        """The error of a request that is refused: one line."""
        answer = json_of(self.ask(method, f"/api/v2{path}", **what), status)
        assert "\n" not in answer["error"]
        return str(answer["error"])

    def events(self, path: str, **query: Any) -> list[tuple[str, Any]]:
        """All events, to the last."""
        answer = self.ask("GET", f"/api/v2{path}", params=query)
        assert answer.headers["content-type"].startswith("text/event-stream")
        blocks = [
            dict(line.split(": ", 1) for line in block.split("\n")) for block in answer.text.strip().split("\n\n")
        ]
        return [(block["event"], json.loads(block["data"])) for block in blocks]


def json_of(answer: httpx.Response, status: int = 200) -> Any:
    """The JSON of an answer with this status."""
    assert answer.status_code in {status, 201 if status == 200 else status}, answer.text
    return answer.json()


@contextmanager
def api_client(
    folder: Path, *, shared: bool = False, limits: TimeLimits | None = None, base: str = BASE_URL, token: str = ""
) -> Iterator[ApiClient]:
    """A client of an application of its own, with its games in a folder."""
    with GameStore(str(folder / "games.sqlite")) as games, asyncio.Runner() as runner:
        service = Service(games, shared=shared, limits=limits)
        client = ApiClient(service, runner, base, token)
        try:
            yield client
        finally:
            service.close()
            runner.run(client.http.aclose())
