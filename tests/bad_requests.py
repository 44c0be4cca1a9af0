"""Requests that nobody in their right mind would send, and what the server has to say to them."""

from __future__ import annotations

import asyncio
import json
from typing import Any, NamedTuple

from maxconnect4.web.api import TimeLimits

QUICK = TimeLimits(0.01, 0.01, 0.01, 0.01, 0.01)  # what is right by chance is not to take long


class Bad(NamedTuple):
    """One of them."""

    method: str
    path: str
    query: list[tuple[str, str]]
    headers: dict[str, str]
    body: bytes


async def answer(app: Any, request: Bad, known: str) -> tuple[int, dict[str, str], bytes]:
    """What the application says, called as a server calls it."""
    path = "/api/v2" + request.path.replace("{id}", known)
    query = "&".join(f"{name}={value}" for name, value in request.query)
    headers = {"host": "127.0.0.1", "content-type": "application/json", **request.headers}
    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    scope: dict[str, Any] = {"type": "http", "method": request.method, "path": path, "root_path": "", "headers": raw}
    scope |= {"query_string": query.encode("utf-8", "replace"), "asgi": {"version": "3.0"}, "scheme": "http"}
    sent, coming = [], [{"type": "http.request", "body": request.body, "more_body": False}]

    async def receive() -> Any:
        if coming:
            return coming.pop()
        if request.path == "/games/{id}/events":  # this stream ends when the client disconnects
            await asyncio.sleep(0.01)
            return {"type": "http.disconnect"}
        return await asyncio.Event().wait()  # nobody goes away

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    told = {name.decode(): value.decode("latin-1") for name, value in sent[0]["headers"]}
    return sent[0]["status"], told, b"".join(part.get("body", b"") for part in sent[1:])


def judge(request: Bad, status: int, headers: dict[str, str], body: bytes) -> None:
    """Whether this is an answer: done, or refused in one line."""
    assert status in (200, 201, 400, 403, 404, 405, 409, 413, 415, 503), request
    assert "content-security-policy" in headers
    if status >= 400:
        error = json.loads(body)["error"]
        assert error
        assert error.isprintable()
