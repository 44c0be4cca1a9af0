"""How the interface under /api/v1 is made up: endpoints, each of which says what it takes."""

from __future__ import annotations

import asyncio
import re
import secrets
from dataclasses import dataclass, field

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ..facts.positions import CELLS, position_from
from ..http.fields import one_of, text
from ..http.refusals import BUSY, NOT_ALLOWED, Refused
from ..http.requests import from_body, from_query, until_gone
from ..http.security import network
from .problems import refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from typing import Any

    from starlette.types import Receive, Scope, Send

    from ...board import Board
    from ..http.fields import Fields
    from ..searches import Lane, Search, Work
    from .service import Service

BASE = "/api/v1"
OWNER = "owner"
OWNERS = re.compile("[0-9a-f]{32}")
TEN_YEARS = 10 * 365 * 86400  # seconds
POSITION: Fields = {
    "game": one_of(("max", "classic"), "the game; max if it is left out"),
    "start": text(
        CELLS, "the position that was set up: 42 digits, top row first; left out for the empty board", "^([012]{42})?$"
    ),
    "moves": text(CELLS, "the columns dropped into since, such as 4453", "^[1-7]*$"),
}


class Gone(Exception):
    """Nobody waits for the answer any more."""


@dataclass
class Call:
    """One request: what it gives, and what the server has to answer it with."""

    request: Request
    service: Service
    given: dict[str, Any]
    new_owner: str = ""

    def board(self) -> Board:
        """The position that the request names."""
        return position_from(self.given["game"] or "max", self.given["start"], self.given["moves"] or "")

    def owner(self) -> str:
        """Whose browser this is, where many people share the server; it is told so with the answer."""
        if not self.service.shared:
            return ""
        known = self.request.cookies.get(OWNER, "")
        if OWNERS.fullmatch(known):
            return known
        self.new_owner = self.new_owner or secrets.token_hex(16)
        return self.new_owner

    def address(self) -> str:
        """The address of the client on a shared server, as limits count it."""
        client = self.request.client
        return network(client.host) if self.service.shared and client else ""

    def begin(self, lane: Lane, work: Work, seconds: float) -> Search:
        """Have something searched: where many people share the server, nobody takes all places."""
        return lane.begin(work, seconds, self.address())

    async def stored(self, work: Callable[[Call], Any]) -> Any:
        """The result of work on the games, in the thread that has the file."""

        def run(_: Search) -> Any:
            self.service.games.check_file()
            return work(self)

        return await self.result(self.begin(self.service.storing, run, self.service.limits.move_seconds))

    async def result(self, search: Search) -> Any:
        """What comes of a search, which is stopped if the browser goes away."""
        leaving = asyncio.create_task(until_gone(self.request.receive))
        try:
            await asyncio.wait((search.result, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not search.result.done():
                raise Gone
            return search.result.result()
        finally:
            search.stop()
            leaving.cancel()


@dataclass(frozen=True)
class Endpoint:
    """Something that can be asked for, with what it takes in the query and in the body; None if it has no body."""

    method: str
    path: str
    answer: Callable[[Call], Awaitable[Response | dict[str, Any]]]
    summary: str
    answers: str = ""  # the schema of the answer: see openapi.py
    query: Fields = field(default_factory=dict)
    body: Fields | None = None
    status: int = 200
    media: tuple[str, ...] = ("application/json",)


class Resource:
    """All endpoints of one path."""

    def __init__(self, endpoints: Iterable[Endpoint], service: Service) -> None:
        self._endpoints = {endpoint.method: endpoint for endpoint in endpoints}
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope, receive)
        response = await self._answer(request)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        endpoint = self._endpoints.get(request.method)
        if endpoint is None:
            methods = ", ".join(self._endpoints)
            return refusal(Refused(NOT_ALLOWED, f"this takes {methods} only"), {"Allow": methods})
        try:
            given = from_query(request, endpoint.query)
            if endpoint.body is not None:
                given |= await from_body(request, endpoint.body)
            call = Call(request, self._service, given)
            answer = await endpoint.answer(call)
        except (Gone, ClientDisconnect):
            return Response(status_code=BUSY)  # which nobody reads
        except Exception as error:
            expected = refused(error, self._service)
            if expected is None:
                raise
            return refusal(expected)
        response = answer if isinstance(answer, Response) else JSONResponse(answer, endpoint.status)
        if call.new_owner:
            response.set_cookie(OWNER, call.new_owner, TEN_YEARS, path=BASE, httponly=True, samesite="strict")
        return response


def routes(endpoints: Iterable[Endpoint], service: Service) -> list[Route]:
    """The endpoints, each path of them once."""
    by_path: dict[str, list[Endpoint]] = {}
    for endpoint in endpoints:
        by_path.setdefault(endpoint.path, []).append(endpoint)
    return [Route(BASE + path, Resource(found, service)) for path, found in by_path.items()]


def refusal(why: Refused, headers: dict[str, str] | None = None) -> JSONResponse:
    """The answer to what is not done."""
    return JSONResponse(why.answer, why.status, headers={**why.headers, **(headers or {})})
