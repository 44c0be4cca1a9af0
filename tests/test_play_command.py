"""`maxconnect4 play` as a person starts and ends it."""

from __future__ import annotations

import html
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from play_server import PlayServer
from terminal import PROGRAM, maxconnect4
from waiting import until

from maxconnect4.errors import CannotServe, quote
from maxconnect4.web import server
from maxconnect4.web.games import GameStore

# Takes as long as it may: no book has a position that no game comes to.
LONG = f"/api/v2/analysis/events?game=classic&start={'0' * 28}10000002000000"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[PlayServer]:
    with PlayServer(tmp_path) as server:
        yield server


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayServer]:
    """A server for tests that do not end it."""
    with PlayServer(tmp_path_factory.mktemp("server")) as server:
        yield server


def connected(server: PlayServer, data: bytes) -> socket.socket:
    """A connection on which something has been sent."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    connection.sendall(data)
    return connection


def asked(server: PlayServer, path: str) -> socket.socket:
    return connected(server, server.request(path))


def searching(server: PlayServer) -> int:
    return sum(lane["running"] for lane in server.ask("")["jobs"].values())


def test_the_address_is_printed_and_leads_to_the_page(lasting: PlayServer) -> None:
    said = lasting.log.read_text()
    assert said == f"Max-Connect4 is at {lasting.address}/?token={lasting.token} - press Ctrl-C to stop.\n"
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with browser.open(f"{lasting.address}/?token={lasting.token}") as page:
        assert page.url == f"{lasting.address}/"
        assert b"<title>Max-Connect4</title>" in page.read()


@pytest.mark.parametrize("path", [LONG, LONG.replace("/events", ""), "/api/v2/choice?depth=42"])
def test_a_search_ends_when_the_browser_goes_away(lasting: PlayServer, path: str) -> None:
    connection = asked(lasting, path)
    until(lambda: searching(lasting) == 1)
    connection.close()
    until(lambda: searching(lasting) == 0, "the search goes on", seconds=3)


def test_ctrl_c_ends_it_at_once_though_searches_run(running: PlayServer) -> None:
    server = running
    connections = [asked(server, path) for path in (LONG, LONG, LONG, LONG.replace("/events", ""))]
    until(lambda: searching(server) >= 2)
    connections.append(connected(server, b"GET / HT"))  # somebody who never ends the sentence
    begun = time.monotonic()
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(20) == 0
    assert time.monotonic() - begun < 8
    assert server.log.read_text().count("\n") == 1, "nothing but the address"
    for connection in connections:
        connection.close()


def test_ctrl_c_before_it_has_begun_to_serve_ends_it_without_a_word(tmp_path: Path) -> None:
    early = (
        "import asyncio, os\nenter = asyncio.Runner.__enter__\n"
        "asyncio.Runner.__enter__ = lambda runner: os.kill(os.getpid(), 2) or enter(runner)"
    )
    program = [sys.executable, "-c", f"{early}\nfrom maxconnect4.cli import main\nexit(main())"]
    command = [*program, "play", "--no-browser", "--port", "0", "--games", str(tmp_path / "games.sqlite")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[PlayServer, Any, str]]:
    """A server that was killed and started again, and the game and the token that it had before."""
    with PlayServer(tmp_path_factory.mktemp("killed")) as server:
        token = server.token
        game = server.ask("/games", {"players": ["person", "level:1"]})
        for _ in range(5):
            game = server.ask(f"/games/{game['id']}/drop", {"column": game["position"]["columns"][0]})
            game = server.ask(f"/games/{game['id']}/computer", {})
        server.kill()
        server.start()
        yield server, game, token


def test_a_server_that_is_killed_loses_no_drop(killed: tuple[PlayServer, Any, str]) -> None:
    server, game, _ = killed
    assert server.ask(f"/games/{game['id']}") == {name: game[name] for name in game if name != "choice"}
    assert len(server.ask("/games")["games"][0]["moves"]) == 10


@pytest.mark.parametrize(
    "head",
    [
        "GET /api/v2 HTTP/1.1\r\nHost: evil.example\r\n",
        "GET /api/v2 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://evil.example\r\n",
        "GET /api/v2 HTTP/1.0\r\n",
        "GET http://evil.example/api/v2 HTTP/1.1\r\nHost: evil.example\r\n",
    ],
)
def test_requests_from_other_sites_are_refused(lasting: PlayServer, head: str) -> None:
    text = f"{head.format(port=lasting.port)}Authorization: Bearer {lasting.token}\r\nConnection: close\r\n\r\n"
    with connected(lasting, text.encode()) as connection, connection.makefile("rb") as answer:
        words = answer.read()
    assert words.split()[1] == b"403"
    assert b"token" not in words


@pytest.mark.parametrize("host", ["127.0.0.2", pytest.param("127.0.1.1", marks=pytest.mark.long)])
def test_every_address_of_this_machine_itself_will_do(tmp_path: Path, host: str) -> None:
    with PlayServer(tmp_path, host) as server:
        assert server.ask("")["api"] == 2


def test_a_request_may_name_the_whole_address(lasting: PlayServer) -> None:
    for host, status in ((f"127.0.0.1:{lasting.port}", b"200"), ("evil.example", b"404")):
        with asked(lasting, f"http://{host}/api/v2/position?moves=4453") as connection:
            assert connection.recv(100).split()[1] == status


def test_a_second_one_leads_to_the_first(lasting: PlayServer) -> None:
    done = maxconnect4("play", "4453", "--no-browser", "--games", lasting.folder / "games.sqlite")
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        done.stdout
        == f"Max-Connect4 is already running at {lasting.address}/?game=max&moves=4453&token={lasting.token}\n"
    )


def test_a_second_one_on_another_port_needs_a_file_of_games_of_its_own(lasting: PlayServer, tmp_path: Path) -> None:
    games = ("--games", lasting.folder / "games.sqlite")
    code, words = refusal("--port", str(lasting.port + 1), *games)
    assert code == 1
    assert all(each in words for each in (str(lasting.port + 1), f"{lasting.address}/", "--games"))
    same = maxconnect4("play", "--no-browser", "--port", str(lasting.port), *games)
    assert (same.returncode, lasting.token in same.stdout) == (0, True)
    with PlayServer(tmp_path) as second:
        assert second.ask("")["api"] == lasting.ask("")["api"]


SHARED = "from maxconnect4.web import server\nserver.is_loopback = lambda _: False\n"  # as if --host were given


def status(server: PlayServer, headers: dict[str, str]) -> int:
    """The status of a request for the interface."""
    request = urllib.request.Request(f"{server.address}/api/v2", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@pytest.mark.parametrize(
    ("changed", "words", "needs_token"),
    [("", (), True), ("", ("--no-token",), False), (SHARED, (), False), (SHARED, ("--token",), True)],
)
def test_a_token_is_needed_on_this_machine_and_where_it_is_wanted(
    tmp_path: Path, lasting: PlayServer, changed: str, words: tuple[str, ...], needs_token: bool
) -> None:
    usual = not (changed or words)
    with nullcontext(lasting) if usual else PlayServer(tmp_path, changed=changed, words=words) as server:
        assert bool(server.token) == needs_token
        assert status(server, {}) == (403 if needs_token else 200)
        assert status(server, {"Authorization": f"Bearer {server.token}"}) == 200
        assert status(server, {"Authorization": "Bearer 0123"}) == (403 if needs_token else 200)
        assert needs_token or server.ask("/?token=0123")["api"]
        done = maxconnect4("play", "--no-browser", "--games", server.folder / "games.sqlite")
        assert done.stdout.split()[-1] == f"{server.address}/" + f"?token={server.token}" * needs_token


def test_a_token_is_new_each_time(killed: tuple[PlayServer, Any, str]) -> None:
    server, _, token = killed
    assert server.token != token
    assert status(server, {"Cookie": f"maxconnect4-{server.port}={token}"}) == 403


def test_a_token_and_no_token_contradict_each_other() -> None:
    assert refusal("--token", "--no-token")[0] == 2


def test_a_games_file_in_use_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with GameStore(str(path)) as games:
        games.put_metadata({"address": "http://127.0.0.1:1/"})
        done = maxconnect4("play", "--no-browser", "--games", path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert f"{path} is in use" in done.stderr
    assert "--games" in done.stderr


def refusal(*words: str | Path, **environment: str) -> tuple[int, str]:
    """The exit code and the one line of something that cannot be served."""
    done = maxconnect4("play", "--no-browser", *words, env={**os.environ, **environment})
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.returncode, done.stderr


def test_a_port_in_use_is_an_error(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, words = refusal("--port", str(port), "--games", tmp_path / "games.sqlite")
    assert (code, words) == (1, f"maxconnect4: cannot listen on '127.0.0.1', port {port}: address already in use\n")


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.host.invalid", "", "a..b", "x" * 300])
def test_an_address_of_another_machine_is_an_error(tmp_path: Path, host: str) -> None:
    code, words = refusal("--port", "0", f"--host={host}", "--games", tmp_path / "games.sqlite")
    assert code == 1
    assert words.startswith("maxconnect4: cannot listen on ")


def test_an_address_of_another_machine_is_reported_with_the_default_port() -> None:
    with pytest.raises(CannotServe, match=f"cannot listen on 'no.such.host.invalid', port {server.PORT}: "):
        server.listen("no.such.host.invalid", None)


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    code, words = refusal("--port", "0", XDG_DATA_HOME="/dev/null")
    assert (code, words) == (1, "maxconnect4: /dev/null/maxconnect4 cannot be created: not a directory\n")
    code, words = refusal("--port", "0", "--games", tmp_path / "nothing" / "games.sqlite")
    assert (code, "cannot be written: there is no folder" in words) == (1, True)
    code, words = refusal("--port", "0", "--games", tmp_path)
    assert (code, "cannot be written: it is a folder" in words) == (1, True)


def test_a_file_that_is_not_a_games_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello, this is no database" * 100)
    code, words = refusal("--port", "0", "--games", tmp_path / "text")
    assert (code, "is not a file of games" in words) == (3, True)


@pytest.mark.parametrize("word", ["44444444", "missing.txt"])
def test_a_position_that_there_is_not_is_refused_before_anything_is_started(tmp_path: Path, word: str) -> None:
    assert refusal(word, "--games", tmp_path / "games.sqlite")[0] == 3
    assert not (tmp_path / "games.sqlite").exists()


@pytest.mark.parametrize("port", ["-1", "65536", "x", "80 80"])
def test_an_invalid_port_is_a_usage_error(port: str) -> None:
    code, words = refusal(f"--port={port}")
    assert (code, "is not a port from 0 to 65535" in words) == (2, True)


@pytest.mark.parametrize("name", ["http://myhost", "myhost:8044", "", "a b"])
def test_an_invalid_host_name_is_a_usage_error(name: str) -> None:
    code, words = refusal(f"--name={name}")
    assert (code, f"--name: {quote(name)}" in words, "myhost.lan" in words) == (2, True, True)


def test_if_the_usual_port_is_taken_there_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(server, "PORT", taken.getsockname()[1])
        with server.listen("127.0.0.1", None) as listening:
            assert listening.getsockname()[1] not in (0, taken.getsockname()[1])
            assert server.is_loopback(listening)


def test_on_all_interfaces_it_prints_an_address_for_other_machines() -> None:
    with server.listen("0.0.0.0", 0) as listening:
        port = listening.getsockname()[1]
        assert not server.is_loopback(listening)
        assert server.address_of(listening, on_this_machine=True) == f"http://127.0.0.1:{port}/"
        assert "0.0.0.0" not in server.address_of(listening)


@pytest.fixture
def opened(tmp_path: Path) -> Callable[..., Any]:
    """Starts the server with a browser of some name; returns what the browser was given, None for nothing.

    That is its argument, the file that it names, if any, with its mode, and the printed address.
    """
    note = tmp_path / "note"
    shown = 'case $1 in file://*) ls -l "${1#file://}"; cat "${1#file://}";; esac'
    script = f'#!/bin/sh\n{{ echo "$1"; {shown}; }} > {note}.part\nmv {note}.part {note}\n'

    def start(name: str, *words: str) -> tuple[str, str, str] | None:
        browser = tmp_path / name
        browser.write_text(script)
        browser.chmod(0o755)
        environment = {**os.environ, "BROWSER": str(browser), "DISPLAY": ""}
        command = [PROGRAM, "play", "4453", "--port", "0", "--games", str(tmp_path / "games"), *words]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            printed = process.stdout.readline().split()[3]
            end = time.monotonic() + (10 if name == "firefox" else 1)
            while not note.exists() and time.monotonic() < end:
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0
        if not note.exists():
            return None
        argument, _, file = note.read_text().partition("\n")
        return argument, file, printed

    return start


def test_the_page_is_opened_in_the_browser(opened: Callable[..., Any]) -> None:
    argument, _, printed = opened("firefox", "--no-token")
    assert argument == printed
    assert printed.endswith("/?game=max&moves=4453")


def test_the_token_is_not_on_the_command_line_of_the_browser(opened: Callable[..., Any], tmp_path: Path) -> None:
    argument, file, printed = opened("firefox")
    address, _, token = printed.partition("&token=")
    assert address.endswith("/?game=max&moves=4453")
    assert token not in argument
    assert f"{html.escape(address)}&amp;token={token}" in file
    assert file.startswith("-rw-------")
    assert not list(tmp_path.glob("*.html")), "the file goes with the server"


@pytest.mark.parametrize("name", ["w3m", pytest.param("lynx", marks=pytest.mark.long)])
def test_a_text_browser_does_not_take_over_the_terminal(opened: Callable[..., Any], name: str) -> None:
    assert opened(name) is None
