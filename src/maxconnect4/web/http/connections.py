"""Connections: bounded in number and in time, and a newcomer always gets a place.

uvicorn closes idle connections after a time (`timeout_keep_alive`), and can refuse newcomers when places run out
(`limit_concurrency`): clients that hold all places would shut out everybody else. Here a full server closes the
connection that has waited for its client the longest. uvicorn also has no time limits for sending a request and for
reading a response; they are here.
"""

from __future__ import annotations

import logging
import resource
import time

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from ...errors import CannotServe
from .security import HEADERS, network

TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio
    from typing import Any

MOST = 800
MOST_OF_ADDRESS = 200  # on a shared server
REQUEST_SECONDS = 20  # to send a whole request
READ_SECONDS = 20  # to read what has been sent, from when the system takes no more of it
WAITING = 128  # connections that the system holds until the server takes them, all of them in one go
# Files besides the connections: those of the server itself, and connections that are taken but not yet turned away.
OTHER_FILES = 64 + 3 * WAITING
FEWEST_FILES = 32  # with which a server can run at all
QUIET_SECONDS = 60


class Connection(H11Protocol):
    """A connection of uvicorn with time limits, which is closed if a newcomer needs its place."""

    shared = False

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._most = most_connections()
        self._since = self.loop.time()  # the last step of the exchange: connected, asked, answered, not read
        self._limits: dict[str, asyncio.TimerHandle] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start, and make room if there are too many connections."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # `pause_writing` is called as soon as the client does not read
        self._limit("request", REQUEST_SECONDS)
        others = [other for other in self.connections if isinstance(other, Connection) and other is not self]
        neighbours = [other for other in others if other.address == self.address] if self.shared else []
        if len(neighbours) >= MOST_OF_ADDRESS:
            others = neighbours
        elif len(others) < self._most:
            return
        longest = min(others, key=lambda other: (other.is_busy, other._since))
        self.connections.discard(longest)  # it is closed in a moment, and must not be chosen again
        longest.transport.abort()

    @property
    def address(self) -> str:
        """The address that limits count, empty if the client has already gone."""
        return network(self.client[0]) if self.client else ""

    @property
    def is_busy(self) -> bool:
        """Whether the server owes the client a response, and not the client the next step."""
        asked = self.cycle is not None and not self.cycle.response_complete
        return asked and not self.flow.write_paused and self.conn.their_state not in (h11.IDLE, h11.SEND_BODY)

    def data_received(self, data: bytes) -> None:
        """Receive a part of a request. Another byte now and then does not extend the time limit."""
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._limit("request", REQUEST_SECONDS)
        else:
            self._lift("request")

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._since = self.loop.time()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Wait for the client to read."""
        super().pause_writing()
        self._limit("read", READ_SECONDS)

    def resume_writing(self) -> None:
        """Continue: the client has read all of it."""
        super().resume_writing()
        self._lift("read")

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, with the headers of every other response."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):  # the response has already begun
            return self.transport.abort()
        headers = {**HEADERS, "Content-Type": "text/plain; charset=utf-8", "Connection": "close"}
        response = h11.Response(status_code=400, headers=list(headers.items()), reason=b"Bad Request")
        for event in (response, h11.Data(data=msg.encode()), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        return self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        for name in list(self._limits):
            self._lift(name)

    def _limit(self, name: str, seconds: float) -> None:
        if name not in self._limits:
            self._since = self.loop.time()
            self._limits[name] = self.loop.call_later(seconds, self.transport.abort)

    def _lift(self, name: str) -> None:
        if name in self._limits:
            self._since = self.loop.time()
            self._limits.pop(name).cancel()


class SharedConnection(Connection):
    """A connection to a server that other machines reach: one address has only some of the places."""

    shared = True


def most_connections() -> int:
    """As many as there may be, for each is an open file."""
    return max(1, min(MOST, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - OTHER_FILES))


def allow_files() -> None:
    """Let the process open as many files as all connections take, if it may; if it may open hardly any, say so."""
    usual, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + OTHER_FILES
    if usual != resource.RLIM_INFINITY and usual < wanted:
        wanted = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        if wanted < FEWEST_FILES:
            raise CannotServe(f"a server opens {FEWEST_FILES} files at least, and may open {wanted}: raise 'ulimit -n'")
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


class Once(logging.Filter):
    """Lets the same complaint through once a minute, so that nobody can fill the log."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is to be said."""
        now = time.monotonic()
        self._said = {words: at for words, at in self._said.items() if now - at < QUIET_SECONDS}
        return self._said.setdefault(record.getMessage(), now) == now
