"""Clients that hold all connections of the server do not shut out newcomers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from play_server import PlayServer
from siege import Siege, newcomer
from waiting import until

FEW = "from maxconnect4.web.http import connections\nconnections.MOST = 40\n"
IMPATIENT = FEW + "connections.READ_SECONDS = 1\n"
SHARED = (
    FEW + "connections.MOST_OF_ADDRESS = 10\nfrom maxconnect4.web import serving\nserving.is_here = lambda _: False\n"
)
BESIEGERS = 60
NEWCOMERS = 10
PATIENCE = 15.0  # seconds for a request, on a machine that is busy with other tests


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[PlayServer]:
    with PlayServer(tmp_path_factory.mktemp("server"), changed=getattr(request, "param", FEW)) as server:
        yield server


def connections(server: PlayServer) -> int:
    """The number of connections that the server holds: those that are established, and those that the client closed."""
    sockets = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return len([1 for _, local, _, state, *_ in sockets if local.endswith(f":{server.port:04X}") and state in "01 08"])


def serves_newcomers(server: PlayServer) -> None:
    for _ in range(NEWCOMERS):
        assert max(newcomer(server)) < PATIENCE


def test_idle_connections_give_way_to_newcomers_the_oldest_first(server: PlayServer) -> None:
    with Siege(server).idle(BESIEGERS) as siege:
        serves_newcomers(server)
        closed = siege.closed()
    assert all(closed[:20])
    assert not any(closed[-10:])


def test_clients_that_never_read_give_way_to_newcomers(server: PlayServer) -> None:
    with Siege(server).never_read(BESIEGERS):
        serves_newcomers(server)


def test_event_streams_that_nobody_reads_give_way_to_newcomers(server: PlayServer) -> None:
    with Siege(server).event_streams(BESIEGERS):
        serves_newcomers(server)


@pytest.mark.parametrize("server", [IMPATIENT], indirect=True)
@pytest.mark.parametrize("last", ["", "Connection: close\r\n"])
def test_a_client_that_never_reads_is_closed_though_there_is_room(server: PlayServer, last: str) -> None:
    until(lambda: connections(server) == 0)
    with Siege(server) as siege:
        siege.connect().sendall(server.request("/page/style.css") * 60 + server.request("/", more=last))
        siege.connect().sendall(server.request("/nothing"))
        until(lambda: connections(server) == 2)
        until(lambda: connections(server) == 1, "the server still holds the connection", 20)
        assert siege.closed() == [True, False]


@pytest.mark.parametrize("server", [IMPATIENT], indirect=True)
def test_a_client_that_reads_slowly_gets_everything(server: PlayServer) -> None:
    with Siege(server) as siege:
        client = siege.connect()
        client.sendall(
            server.request("/page/style.css") * 59 + server.request("/page/style.css", more="Connection: close\r\n")
        )
        whole = bytearray()
        while data := client.recv(1000):
            whole += data
    assert whole.count(b"HTTP/1.1 200 OK") == 60


@pytest.mark.parametrize("server", [SHARED], indirect=True)
def test_on_a_shared_server_an_address_takes_places_only_from_itself(server: PlayServer) -> None:
    with Siege(server, "127.0.0.2").idle(5) as others, Siege(server).idle(30) as siege:
        serves_newcomers(server)
        assert sum(siege.closed()) >= 20
        assert not any(others.closed())
