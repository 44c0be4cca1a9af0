"""The HTTP server of `maxconnect4 play`: its socket, uvicorn, and how a running server is found.

It is intended for one machine or a trusted network. uvicorn limits the number of connections and closes idle ones, but
has no time limits for sending a request or reading a response. On a shared server, a reverse proxy can add them.
"""

from __future__ import annotations

import json
import logging
import resource
import signal
import socket
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ..errors import CannotServe, error_reason, quote
from .api import Service
from .app import make_app
from .games import GameStore
from .security import HEADERS

PORT = 8044
IDLE_SECONDS = 60  # until an idle connection is closed: longer than most players take for a move
SEND_BYTES = 64 << 10  # send buffer of a connection; the default of the system is up to megabytes
MAX_CONNECTIONS = 800  # beyond that, requests are answered with 503
BACKLOG = 128  # connections that the system holds until the server accepts them
OTHER_OPEN_FILES = 64 + 3 * BACKLOG  # besides those of the connections
MIN_OPEN_FILES = 32  # below which no server is started


class Connection(H11Protocol):
    """A connection of uvicorn whose response 400 to invalid HTTP has the security headers."""

    def send_400_response(self, msg: str) -> None:
        """Respond to invalid HTTP; close the connection if a response has already begun, where uvicorn would raise."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            return self.transport.abort()
        headers = {**HEADERS, "Content-Type": "text/plain; charset=utf-8", "Connection": "close"}
        response = h11.Response(status_code=400, headers=list(headers.items()), reason=b"Bad Request")
        for event in (response, h11.Data(data=msg.encode()), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        return self.transport.close()


def allow_open_files() -> None:
    """Raise the soft limit on open files for all connections, as far as the hard limit allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + OTHER_OPEN_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    wanted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if wanted < MIN_OPEN_FILES:
        raise CannotServe(f"the limit on open files is {wanted}, less than {MIN_OPEN_FILES}: raise it with 'ulimit -n'")
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens on a port: by default the usual one, or any free port if that is in use."""
    allow_open_files()
    if port is None:
        try:
            return listen(host, PORT)
        except CannotServe:
            with suppress(CannotServe):
                return listen(host, 0)
            raise  # the port is not the reason
    listening = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # allows a port that was just released
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
        listening.bind(address)
        listening.listen(BACKLOG)
    except (OSError, UnicodeError) as error:
        if listening is not None:
            listening.close()
        raise CannotServe(f"cannot listen on {quote(host)}, port {port}: {error_reason(error)}") from None
    return listening


def is_loopback(listening: socket.socket) -> bool:
    """Whether only this machine can reach a socket."""
    return ip_address(listening.getsockname()[0].partition("%")[0]).is_loopback


def address_of(listening: socket.socket, *, on_this_machine: bool = False) -> str:
    """The address of the page, for browsers on other machines or on this one."""
    host, port = listening.getsockname()[:2]
    if ip_address(host.partition("%")[0]).is_unspecified:
        host = "127.0.0.1" if on_this_machine else _own_address()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _own_address() -> str:
    """The address of this machine in its network. The probe sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


class Server(uvicorn.Server):
    """The server of the page. Its shutdown first cancels all jobs, because uvicorn waits for responses in progress."""

    def __init__(
        self, service: Service, listening: socket.socket, names: Collection[str] = (), token: str = ""
    ) -> None:
        own = urlsplit(address_of(listening)).netloc.rpartition(":")[0]  # such as 127.0.1.1, or [::1]
        logging.getLogger("uvicorn").setLevel(logging.ERROR)
        # A request that never ends is cancelled at shutdown, which is not an error.
        logging.getLogger("uvicorn.error").addFilter(
            lambda record: "timeout graceful shutdown" not in record.getMessage()
        )
        super().__init__(
            uvicorn.Config(
                make_app(service, (*names, own), token),
                loop="asyncio",
                http=Connection,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                backlog=BACKLOG,
                limit_concurrency=MAX_CONNECTIONS,
                timeout_keep_alive=IDLE_SECONDS,
                timeout_graceful_shutdown=1,
            )
        )
        self._service = service
        self._listening = listening

    @contextmanager
    def stopped_by_ctrl_c(self) -> Iterator[None]:
        """Ctrl-C stops the server, also while it starts: an exception could be lost in an import."""
        before = signal.signal(signal.SIGINT, self.handle_exit)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def serve_until_stopped(self) -> None:
        """Serve until a signal stops the server."""
        self.run([self._listening])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Cancel all jobs and shut down."""
        self._service.close()
        await super().shutdown(sockets)


def running(games: GameStore, seconds: float = 3.0) -> tuple[str, str] | None:
    """The address and the token of the server that uses this file of games, if it answers."""
    end = time.monotonic() + seconds  # the server may be starting
    while True:
        metadata = games.metadata()
        address, token = metadata.get("address"), metadata.get("token", "")
        if isinstance(address, str) and isinstance(token, str) and _answers(address, token):
            return address, token
        if time.monotonic() > end:
            return None
        time.sleep(0.2)


def _answers(address: str, token: str) -> bool:
    request = Request(f"{address}api/v2", headers={"Authorization": f"Bearer {token}"})
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=2) as answer:
            return "api" in json.load(answer)
    except (OSError, ValueError):
        return False
