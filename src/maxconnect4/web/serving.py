"""Listening, and serving until Ctrl-C."""

from __future__ import annotations

import json
import logging
import socket
import time
import warnings
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

import uvicorn

from ..errors import CannotServe, reason, shown
from .app import make_app
from .http.connections import WAITING, Connection, Once, SharedConnection, allow_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from .games.kept import Games
    from .interface.service import Service

PORT = 8044
IDLE_SECONDS = 60  # that a connection is kept: longer than most people think about a drop
SEND_BYTES = 64 << 10  # that the system holds for a client that does not read; otherwise up to megabytes


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens on a port; if none is asked for, on the usual one or, if that is taken, on any."""
    allow_files()
    if port is None:
        try:
            return listen(host, PORT)
        except CannotServe:
            with suppress(CannotServe):
                return listen(host, 0)
            raise  # it is not the port
    listening = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port that a server has just left will do
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
        listening.bind(address)
        listening.listen(WAITING)
    except (OSError, UnicodeError) as error:
        if listening is not None:
            listening.close()
        raise CannotServe(f"cannot listen on {shown(host)}, port {port}: {reason(error)}") from None
    return listening


def is_here(listening: socket.socket) -> bool:
    """Whether only this machine can reach a socket."""
    return ip_address(listening.getsockname()[0].partition("%")[0]).is_loopback


def address_of(listening: socket.socket, *, from_here: bool = False) -> str:
    """The address of the page, for people on other machines or on this one."""
    host, port = listening.getsockname()[:2]
    if ip_address(host.partition("%")[0]).is_unspecified:
        host = "127.0.0.1" if from_here else _own_address()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _own_address() -> str:
    """The address under which the network knows this machine. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def serve(service: Service, listening: socket.socket, names: Collection[str] = (), token: str = "") -> None:
    """Serve until somebody ends it with Ctrl-C, which is raised again."""
    own = urlsplit(address_of(listening)).netloc.rpartition(":")[0]  # such as 127.0.1.1, or [::1]
    logging.getLogger("uvicorn").setLevel(logging.ERROR)
    # Somebody who never ends a request is not waited for at the end, and that is no error.
    logging.getLogger("uvicorn.error").addFilter(lambda record: "timeout graceful shutdown" not in record.getMessage())
    # Nor is it one that nobody is let in any more, if there were too few files just before.
    logging.getLogger("asyncio").addFilter(lambda record: "_start_serving" not in record.getMessage())
    for name in ("asyncio", "maxconnect4"):
        logging.getLogger(name).addFilter(Once())
    config = uvicorn.Config(
        make_app(service, (*names, own), token),
        loop="asyncio",
        http=SharedConnection if service.shared else Connection,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=WAITING,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=1,
    )
    warnings.filterwarnings("ignore", "coroutine 'Server.serve' was never awaited")  # Ctrl-C came before it could be
    Server(config, service).run([listening])


class Server(uvicorn.Server):
    """Uvicorn, which waits for answers that are under way when it is told to end: so all searches end first."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End."""
        self._service.close()
        await super().shutdown(sockets)


def running(games: Games, seconds: float = 3.0) -> tuple[str, str] | None:
    """The address and the token of the server that uses this file of games, if it answers."""
    end = time.monotonic() + seconds  # it may be just about to start
    while True:
        facts = games.facts()
        address, token = facts.get("address"), facts.get("token", "")
        if isinstance(address, str) and isinstance(token, str) and _answers(address, token):
            return address, token
        if time.monotonic() > end:
            return None
        time.sleep(0.2)


def _answers(address: str, token: str) -> bool:
    request = Request(f"{address}api/v1", headers={"Authorization": f"Bearer {token}"})
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=2) as answer:
            return "api" in json.load(answer)
    except (OSError, ValueError):
        return False
