"""The HTTP server: its limits, and its answers to what is not HTTP."""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.error import HTTPError

import pytest
from play_server import PlayServer
from waiting import until

from maxconnect4.web.api import Service
from maxconnect4.web.games import GameStore
from maxconnect4.web.security import HEADERS
from maxconnect4.web.server import Server, listen

FEW = """
from maxconnect4.web import server
server.MAX_CONNECTIONS, server.IDLE_SECONDS = 8, 1
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayServer]:
    with PlayServer(tmp_path_factory.mktemp("server"), changed=FEW) as server:
        yield server


def connected(server: PlayServer, text: str = "") -> socket.socket:
    connection = socket.create_connection((server.host, server.port), timeout=60)
    connection.sendall(
        text.replace("HOST", f"{server.host}:{server.port}\r\nAuthorization: Bearer {server.token}").encode()
    )
    return connection


def test_beyond_the_limit_of_connections_requests_are_answered_with_503(server: PlayServer) -> None:
    whole = server.request("/api/v2/position")
    with ExitStack() as stack:
        connections = [stack.enter_context(connected(server)) for _ in range(20)]
        connections[-1].sendall(whole)
        assert connections[-1].recv(100).startswith(b"HTTP/1.1 503 ")
    until(lambda: answers(server))
    assert server.log.read_text().count("\n") == 1, "nothing but the address"


def answers(server: PlayServer) -> bool:
    with suppress(HTTPError):
        return bool(server.ask("")["api"])
    return False


def test_an_idle_connection_is_closed(server: PlayServer) -> None:
    with connected(server) as connection:
        connection.sendall(server.request("/api/v2/position"))
        assert connection.recv(100_000).startswith(b"HTTP/1.1 200 OK")
        begun = time.monotonic()
        while connection.recv(100_000):
            pass
        assert 0.5 < time.monotonic() - begun < 10


@pytest.mark.parametrize("noise", [b"\0\r\n\r\n", b"GET / HTTP/1.1\r\nHost : x\r\n\r\n", b"X" * 70_000])
def test_invalid_http_is_refused_with_the_security_headers(server: PlayServer, noise: bytes) -> None:
    with connected(server) as connection, connection.makefile("rb") as answer:
        connection.sendall(noise)
        status, *headers = answer.read().decode().partition("\r\n\r\n")[0].split("\r\n")
    assert status.split()[1] == "400"
    assert {name.lower(): value for name, value in HEADERS.items()}.items() <= {
        name.lower(): value for name, value in (header.split(": ", 1) for header in headers)
    }.items()


def test_invalid_data_after_the_response_is_not_a_server_error(server: PlayServer) -> None:
    chunks = "POST /api/v2/nothing HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"
    with connected(server, chunks) as connection:
        assert b"404" in connection.recv(100)
        connection.sendall(b"noise\r\n")
        while connection.recv(1000):
            pass
    assert server.ask("")["api"] == 2
    assert server.log.read_text().count("\n") == 1, "nothing but the address"


def test_ctrl_c_before_the_server_runs_also_stops_it(tmp_path: Path) -> None:
    with GameStore(str(tmp_path / "games.sqlite")) as games, listen("127.0.0.1", 0) as listening:
        starting = Server(Service(games), listening)
        with starting.stopped_by_ctrl_c():
            signal.raise_signal(signal.SIGINT)
            starting.serve_until_stopped()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
