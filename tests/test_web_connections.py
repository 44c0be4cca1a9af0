"""Connections are bounded in number, and in the time that a request may take to come in."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from play_server import PlayServer
from waiting import until

from maxconnect4.web.http.security import HEADERS

FEW = """
from maxconnect4.web.http import connections
connections.MOST, connections.REQUEST_SECONDS = 8, 1.2
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


def ends(connection: socket.socket) -> bool:
    """Whether the server ends a connection without a word."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


HEAD = "POST /api/v1/games HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nContent-Length: 20\r\n"


def test_half_a_request_is_not_waited_for_for_ever(server: PlayServer) -> None:
    with ExitStack() as stack:
        begun: dict[socket.socket, float] = {}
        for text in ("", "G", "GET / HTTP/1.1\r\n", HEAD, HEAD + "\r\n", HEAD + '\r\n{"moves":'):
            now = time.monotonic()
            begun[stack.enter_context(connected(server, text))] = now
        while begun:
            for connection in select.select([*begun], [], [], 10)[0] or pytest.fail("a connection stays open"):
                assert ends(connection)
                assert 0.3 < time.monotonic() - begun.pop(connection) < 8


def test_a_byte_now_and_then_gives_no_more_time(server: PlayServer) -> None:
    with connected(server) as connection:
        end = time.monotonic() + 8
        while not select.select([connection], [], [], 0.1)[0]:
            assert time.monotonic() < end
            connection.sendall(b"G")
        assert ends(connection)


def test_a_whole_request_and_the_next_one_have_their_time(server: PlayServer) -> None:
    whole = server.request("/api/v1/position")
    with connected(server) as connection:
        for _ in range(2):
            connection.sendall(whole[:20])
            time.sleep(0.2)
            connection.sendall(whole[20:])
            time.sleep(1.4)  # longer than a request may take: this one has come, and nothing else has been asked
            assert connection.recv(100_000).startswith(b"HTTP/1.1 200 OK")


def test_too_many_connections_are_closed_at_once_and_others_are_answered(server: PlayServer) -> None:
    with ExitStack() as stack:
        connections = [stack.enter_context(connected(server, "G")) for _ in range(20)]
        assert server.ask("")["api"] == 1
        closed = select.select(connections, [], [], 0)[0]
        assert set(connections[:12]) <= set(closed), "those that have been waited for longest"
        assert all(map(ends, closed))
        assert all(map(ends, connections))
    assert server.log.read_text().count("\n") == 1, "nothing but the address"


@pytest.mark.parametrize("noise", [b"\0\r\n\r\n", b"GET / HTTP/1.1\r\nHost : x\r\n\r\n", b"X" * 70_000])
def test_what_is_not_http_is_refused_with_the_headers_of_every_response(server: PlayServer, noise: bytes) -> None:
    with connected(server) as connection, connection.makefile("rb") as answer:
        connection.sendall(noise)
        status, *headers = answer.read().decode().partition("\r\n\r\n")[0].split("\r\n")
    assert status.split()[1] == "400"
    assert {name.lower(): value for name, value in HEADERS.items()}.items() <= {
        name.lower(): value for name, value in (header.split(": ", 1) for header in headers)
    }.items()


def test_noise_after_the_response_has_begun_is_no_fault_of_the_server(server: PlayServer) -> None:
    chunks = "POST /nothing HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"
    with connected(server, chunks) as connection:
        assert b"404" in connection.recv(100)
        connection.sendall(b"noise\r\n")
        while connection.recv(1000):
            pass
    assert server.ask("")["api"] == 1
    assert server.log.read_text().count("\n") == 1, "nothing but the address"


def test_more_connections_than_files_fill_no_log(tmp_path: Path) -> None:
    few = "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (90, 90))\n" + FEW
    few += "connections.MOST, connections.OTHER_FILES = 1000, 20\n"
    with PlayServer(tmp_path, changed=few) as server, ExitStack() as stack:
        for _ in range(130):  # asyncio complains a hundred times in one go
            stack.enter_context(connected(server, "G"))
        until(lambda: "Too many open files" in server.log.read_text())
        time.sleep(0.3)
        assert server.log.stat().st_size < 5000, server.log.read_text()[:3000]
        stack.close()
        assert server.ask("")["api"] == 1
        server.log.write_text("")  # asyncio's own words on the files that there were not, which tell nobody anything
