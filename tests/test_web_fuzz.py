"""Thousands of bad requests, and not one that the server has no answer to."""

from __future__ import annotations

import json
import random
import socket
from pathlib import Path

import msgspec
import pytest
from api_client import api_client
from bad_requests import QUICK, Bad, answer, judge
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from play_server import PlayServer

from maxconnect4.web.api import ENDPOINTS, Endpoint
from maxconnect4.web.app import make_app

AT_ONCE = 25
WORDS = [
    "max",
    "classic",
    "person",
    "level:4",
    "text",
    "json",
    "best",
    "4453",
    "0" * 42,
    "1" * 7,
    "012" * 14,
    "8",
    "-1",
]
WORDS += ["1e9", "9" * 30, "true", "null", "\x00", "\ud800", "'", "%", "NaN", "4" * 6, "\r\n", "é", "١", ""]
HEADERS = ["content-type", "host", "origin", "if-none-match", "cookie", "content-length", "sec-fetch-site"]
VALUES = ["application/json", "text/plain", "127.0.0.1", "http://127.0.0.1", "null", "owner=;;", "\xff"]

words = st.sampled_from(WORDS) | st.text(max_size=10)
single = st.none() | st.booleans() | st.integers(-2, 50) | st.integers() | st.floats() | words
values = single | st.lists(single, max_size=3) | st.dictionaries(words, single, max_size=2)
noise = st.binary(max_size=40) | st.just(b"[" * 50_000)


def nearly_right(endpoint: Endpoint) -> st.SearchStrategy[Bad]:
    """What an endpoint may be asked, with its own names and any values."""
    known = [field.encode_name for field in msgspec.structs.fields(endpoint.parameters)]
    names = st.sampled_from([*known, "x"])
    query = st.lists(st.tuples(names, words | st.integers(-2, 50).map(str)), max_size=3)
    body = st.dictionaries(names, values, max_size=3)
    bodies = st.one_of(*[body.map(lambda value: json.dumps(value).encode())] * 3, noise)
    return st.builds(Bad, st.just(endpoint.method), st.just(endpoint.path), query, st.just({}), bodies)


wild = st.builds(
    Bad,
    st.sampled_from(["GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "OPTIONS", "x"]),
    st.sampled_from([endpoint.path for endpoint in ENDPOINTS]) | st.text(max_size=12).map(lambda text: f"/{text}"),
    st.lists(st.tuples(words, words), max_size=3),
    st.dictionaries(st.sampled_from(HEADERS), st.sampled_from(VALUES), max_size=2),
    noise,
)
bad = st.one_of(wild, *map(nearly_right, ENDPOINTS))


@pytest.mark.parametrize(
    ("requests", "shared"),
    [
        (200, False),
        (50, True),
        pytest.param(7500, False, marks=pytest.mark.long),
        pytest.param(2500, True, marks=pytest.mark.long),
    ],
)
def test_there_is_an_answer_to_every_bad_request(requests: int, shared: bool, tmp_path: Path) -> None:
    with api_client(tmp_path, limits=QUICK, shared=shared) as client:
        app = make_app(client.service)

        @settings(max_examples=requests // AT_ONCE, suppress_health_check=list(HealthCheck), database=None)
        @given(st.lists(bad, min_size=AT_ONCE, max_size=AT_ONCE))
        def all_are_answered(requests: list[Bad]) -> None:
            known = client.post("/games", players=["person", "level:1"])["id"]
            for request in requests:
                judge(request, *client.runner.run(answer(app, request, known)))

        all_are_answered()


@pytest.mark.parametrize("connections", [60, pytest.param(300, marks=pytest.mark.long)])
def test_noise_on_the_line_does_no_harm(tmp_path: Path, connections: int) -> None:
    rng = random.Random(6)
    head = ("POST /api/v2/games HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json", "Content-Length: 2")
    good = "\r\n".join((*head, "", "{}")).encode()
    with PlayServer(tmp_path) as server:
        for _ in range(connections):
            noise = bytearray(good * rng.randint(1, 3))
            for _ in range(rng.randint(1, 8)):
                noise[rng.randrange(len(noise))] = rng.randrange(256)
            with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
                connection.sendall(noise[: rng.randint(1, len(noise))])
                if rng.random() < 0.5:
                    connection.shutdown(socket.SHUT_WR)
                    said = connection.recv(100)
                    assert not said or said.split()[1] not in (b"500", b"501"), bytes(noise)
        assert server.ask("")["api"] == 2
        assert server.log.read_text().count("\n") == 1, "nothing but the address"
