"""Clients that hold connections of a server, and newcomers that want to be served meanwhile."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack
from typing import Self

from play_server import PlayServer

PIPELINED = 400  # requests of a client that never reads: 5 MB, more than the buffers between it and the server hold
SMALL = 4096  # bytes that the system of such a client receives for it
ANALYSIS = f"/api/v1/analysis/events?game=classic&start={'0' * 28}10000002000000"  # no book has this position


class Siege(ExitStack):
    """Connections that stay open until the end of a `with`."""

    def __init__(self, server: PlayServer, source: str = "127.0.0.1") -> None:
        super().__init__()
        self.server = server
        self.source = source
        self.clients: list[socket.socket] = []

    def connect(self) -> socket.socket:
        client = socket.socket()
        self.enter_context(client)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        client.settimeout(20)
        client.bind((self.source, 0))
        client.connect((self.server.host, self.server.port))
        self.clients.append(client)
        return client

    def idle(self, count: int) -> Self:
        """Clients that have been answered, and keep the connection."""
        for _ in range(count):
            client = self.connect()
            client.sendall(self.server.request("/nothing"))
            assert client.recv(2000).startswith(b"HTTP/1.1 404")
        return self

    def never_read(self, count: int, path: str = "/page/style.css") -> Self:
        """Clients that ask again and again, and read nothing."""
        for _ in range(count):
            self._send_and_never_read(self.server.request(path) * PIPELINED)
        return self

    def event_streams(self, count: int) -> Self:
        """Clients that ask for the events of a long search, and read nothing."""
        for _ in range(count):
            self._send_and_never_read(self.server.request(ANALYSIS))
        return self

    def _send_and_never_read(self, data: bytes) -> None:
        client = self.connect()
        client.sendall(data)
        assert client.recv(1, socket.MSG_PEEK), "the server has taken the connection"

    def closed(self) -> list[bool]:
        """Which of the clients have been closed by the server."""
        return [_is_closed(client) for client in self.clients]


def _is_closed(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        while data := client.recv(1 << 20):
            pass
        return data == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


def newcomer(server: PlayServer, patience: float = 20) -> list[float]:
    """Open the page and make a game, each on a new connection: the seconds that each took.

    Raises:
        OSError: The server has closed the connection, or has not answered in time.
    """
    close = "Connection: close\r\n"
    body = f"{close}Content-Type: application/json\r\nContent-Length: 2\r\n"
    seconds = []
    for request, status in (
        (server.request("/", more=close), b"200"),
        (server.request("/api/v1/games", "POST", body) + b"{}", b"201"),
    ):
        start = time.monotonic()
        with socket.create_connection((server.host, server.port), timeout=patience) as connection:
            connection.sendall(request)
            with connection.makefile("rb") as answer:
                words = answer.read().split(maxsplit=2)
        if words[1:2] != [status]:
            raise ConnectionError(f"the server answered {words[:2]}")
        seconds.append(time.monotonic() - start)
    return seconds
