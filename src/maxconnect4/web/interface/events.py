"""Server-sent events: a search tells how far it is, and ends when nobody listens any more."""

from __future__ import annotations

import asyncio
import json

from starlette.responses import Response

from ..http.refusals import WENT_WRONG
from ..http.requests import until_gone
from .problems import refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from starlette.types import Receive, Scope, Send

    from ..searches import Search
    from .service import Service


class Events(Response):
    """The events of one search: `progress` again and again, then `done` or `failed`."""

    media_type = "text/event-stream"

    def __init__(self, search: Search, service: Service) -> None:
        super().__init__(headers={"X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._search = search
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell, until there is nothing left to tell or nobody to hear it."""
        telling = asyncio.create_task(self._tell(send))
        leaving = asyncio.create_task(until_gone(receive))
        try:
            await asyncio.wait((telling, leaving), return_when=asyncio.FIRST_COMPLETED)
            if telling.done():
                await telling
        finally:
            self._search.stop()
            telling.cancel()
            leaving.cancel()

    async def _tell(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async for news in self._search.news():
            await _send(send, "progress", news)
        try:
            await _send(send, "done", await self._search.result)
        except Exception as error:
            expected = refused(error, self._service)
            await _send(send, "failed", expected.answer if expected else {"error": WENT_WRONG})
            if expected is None:
                raise
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _send(send: Send, event: str, facts: dict[str, Any]) -> None:
    text = f"event: {event}\ndata: {json.dumps(facts, separators=(',', ':'))}\n\n"
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
