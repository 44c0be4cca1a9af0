"""Connections: no more than the machine can hold, and none that never comes to its point."""

from __future__ import annotations

import logging
import resource
import time

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from ...errors import CannotServe

TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio
    from typing import Any

MOST = 800
REQUEST_SECONDS = 20  # to send a whole request
WAITING = 128  # connections that the system holds until the server takes them, all of them in one go
# Files besides the connections: those of the server itself, and connections that are taken but not yet turned away.
OTHER_FILES = 64 + 3 * WAITING
FEWEST_FILES = 32  # with which a server can run at all
QUIET_SECONDS = 60


class Connection(H11Protocol):
    """Uvicorn's, which is closed soon if a request does not come to its end, and at once if others need the place."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._most = most_connections()
        self._impatience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, in the place of whoever has been waited for longest if there are too many."""
        super().connection_made(transport)
        self._wait_for_request()
        if len(self.connections) > self._most:
            waiting = (other for other in self.connections if isinstance(other, Connection) and other._impatience)
            longest = min(waiting, key=lambda other: other._impatience.when() if other._impatience else 0)
            longest._stop_waiting()  # it is closed in a moment, and is not to be chosen again
            longest.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._wait_for_request()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait_for_request(self) -> None:
        """Another byte now and then gives no more time."""
        if self._impatience is None and not self.transport.is_closing():
            self._impatience = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._impatience is not None:
            self._impatience.cancel()
            self._impatience = None


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
