"""Who may ask the server, and what goes with its answers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from api_client import BASE_URL, ApiClient, api_client, json_of

from maxconnect4.web.page import PAGE, Page

PATH = "/api/v2/position"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    """A client of one application for all tests of this module."""
    with api_client(tmp_path_factory.mktemp("server")) as client:
        yield client


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8044", "localhost", "localhost:1", "[::1]:8044", "LocalHost:8044", "chess.club"]
)
def test_the_server_answers_to_its_own_names(client: ApiClient, host: str) -> None:
    json_of(client.ask("GET", PATH, headers={"Host": host}))


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8044", "192.0.2.7:8044", "127.0.0.1.evil.example", "localhost.", "localhost:x", ""],
)
@pytest.mark.parametrize("path", [PATH, "/", "/page/app.js"])
def test_another_host_name_is_refused(client: ApiClient, host: str, path: str) -> None:
    answer = json_of(client.ask("GET", path, headers={"Host": host}), 403)
    assert answer == {
        "error": f"'{host}' is not the address of this server: use the address that it printed at the start"
    }


def test_a_shared_server_answers_to_any_address(tmp_path: Path) -> None:
    with api_client(tmp_path, shared=True) as client:
        for host in ("192.0.2.7:8044", "[2001:db8::7]:8044", "chess.club:8044", "127.0.0.1"):
            json_of(client.ask("GET", PATH, headers={"Host": host}))
        json_of(client.ask("GET", PATH, headers={"Host": "evil.example"}), 403)


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:8045", "http://localhost:8044", "http://127.0.0.1:8044/"],
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
def test_a_request_from_another_site_is_refused(client: ApiClient, origin: str, method: str) -> None:
    answer = json_of(client.ask(method, "/api/v2/games", headers={"Origin": origin}), 403)
    assert answer == {"error": "requests from other sites are refused"}


def test_the_page_itself_may_ask(client: ApiClient) -> None:
    headers = {"Origin": BASE_URL, "Sec-Fetch-Site": "same-origin"}
    json_of(client.ask("POST", "/api/v2/games", json={}, headers=headers))


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_picture_on_another_page_starts_no_search(client: ApiClient, site: str) -> None:
    json_of(client.ask("GET", "/api/v2/analysis", headers={"Sec-Fetch-Site": site}), 403)
    assert client.ask("GET", "/", headers={"Sec-Fetch-Site": site}).status_code == 200, "a link may lead here"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None])
def test_a_request_that_is_not_json_changes_nothing(client: ApiClient, kind: str | None) -> None:
    headers = {"Content-Type": kind} if kind else {}
    words = "the body must be JSON with the header Content-Type: application/json"
    before = client.get("/games")
    assert client.refused("POST", "/games", 415, content=b"{}", headers=headers) == words
    assert client.get("/games") == before


@pytest.mark.parametrize("path", ["/", "/page/app.js", PATH, "/api/v2/nothing", "/nothing", "/api/v2/position?moves=9"])
def test_every_response_has_the_security_headers(client: ApiClient, path: str) -> None:
    headers = client.ask("GET", path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] in ("no-store", "no-cache")


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"", 400, "the parameter 'text' is missing: it must be a text of at most 10,000 characters"),
        (b"{", 400, "the body is not valid JSON: "),
        (b"[]", 400, "the body must be a JSON object, such as {}"),
        (b"[" * 60_000, 400, "the body is not valid JSON: "),
        (b"\xff\xfe", 400, "the body is not valid JSON: "),
        (b'{"text": NaN}', 400, "the parameter 'text' must be a text of at most 10,000 characters, not NaN"),
        (b'{"text": "4", "text": "5"}', 400, "the body is not valid JSON: 'a name is given twice'"),
        (b'{"text": 4453}', 400, "the parameter 'text' must be a text of at most 10,000 characters, not 4453"),
        (b'{"text": "4", "more": 1}', 400, "'more' is not a parameter: choose from game, text"),
        (b'{"text": "' + b"4" * 70_000, 413, "the body is too large: over 65,536 bytes"),
    ],
)
def test_an_invalid_body_is_refused_with_a_message(client: ApiClient, body: bytes, status: int, words: str) -> None:
    headers = {"Content-Type": "application/json"}
    assert client.refused("POST", "/position", status, content=body, headers=headers).startswith(words)


@pytest.mark.parametrize(("left", "right"), [("[", "]"), ('{"a":', "}")])
def test_deeply_nested_values_are_refused_with_a_message(client: ApiClient, left: str, right: str) -> None:
    headers = {"Content-Type": "application/json"}
    for depth in (1, 2, *range(900, 1001, 4)):
        body = f'{{"text": {left * depth}1{right * depth}}}'
        words = client.refused("POST", "/position", content=body, headers=headers)
        kind = "a list" if left == "[" else "an object"
        assert words.endswith(f"characters, not {kind}") or (depth > 2 and words.endswith("nests too deeply")), depth


def test_an_unknown_path_is_not_found(client: ApiClient) -> None:
    assert client.refused("GET", "/nothing", 404) == "not found: there is nothing at this address"
    answer = client.ask("PUT", "/api/v2/games")
    assert json_of(answer, 405) == {"error": "the method 'PUT' is not allowed: use POST or GET"}
    assert answer.headers["allow"] == "POST, GET"
    assert client.ask("HEAD", "/api/v2/analysis/events").status_code == 405


def test_the_files_of_the_page_are_sent_once(client: ApiClient) -> None:
    first = client.ask("GET", "/")
    assert first.headers["content-type"] == "text/html; charset=utf-8"
    assert "<title>Max-Connect4</title>" in first.text
    assert '<html lang="en">' in first.text
    again = client.ask("GET", "/", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    plain = client.ask("GET", "/page/app.js", headers={"Accept-Encoding": "identity"})
    zipped = client.ask("GET", "/page/app.js", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert zipped.headers["content-encoding"] == "gzip"
    assert zipped.text == plain.text == (PAGE / "app.js").read_text()
    assert int(zipped.headers["content-length"]) < int(plain.headers["content-length"])


def test_a_changed_file_of_the_same_size_and_time_has_another_etag(tmp_path: Path) -> None:
    etags = set()
    for folder, text in ((tmp_path / "old", "1"), (tmp_path / "new", "2")):
        folder.mkdir()
        (folder / "main.js").write_text(text)
        os.utime(folder / "main.js", (0, 0))
        path = str(folder / "main.js")
        response = Page().file_response(path, os.stat(path), {"type": "http", "headers": []})
        etags.add(response.headers["etag"])
    assert len(etags) == 2


@pytest.mark.parametrize("path", ["%2e%2e/app.py", "/etc/passwd", "jsconfig.json", "", "..%2f..%2fboard.py"])
def test_nothing_but_the_page_is_sent(client: ApiClient, path: str) -> None:
    json_of(client.ask("GET", f"/page/{path}"), 404)


def test_the_whole_page_is_small(client: ApiClient) -> None:
    total = 0
    for path in PAGE.rglob("*"):
        if path.is_file() and path.name != "jsconfig.json":
            name = path.relative_to(PAGE).as_posix()
            answer = client.ask("GET", f"/page/{name}", headers={"Accept-Encoding": "gzip"})
            assert answer.status_code == 200, name
            total += int(answer.headers["content-length"])
    assert 0 < total < 150_000


TOKEN = "0123456789abcdef" * 2
COOKIE = "maxconnect4-8044"


@pytest.fixture(scope="module")
def with_token(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    """A client of one application that requires a token."""
    with api_client(tmp_path_factory.mktemp("server"), token=TOKEN) as client:
        yield client


@pytest.fixture
def stranger(with_token: ApiClient) -> ApiClient:
    """A client that has no cookie yet."""
    with_token.http.cookies.clear()
    return with_token


@pytest.mark.parametrize("path", ["/", "/?moves=4", "/page/app.js", "/page/nothing", "/nothing"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "OPTIONS"])
def test_without_the_token_no_file_of_the_page_is_sent(stranger: ApiClient, method: str, path: str) -> None:
    answer = stranger.ask(method, path)
    assert answer.status_code == 403
    assert answer.headers["content-type"].startswith("text/html")
    assert "set-cookie" not in answer.headers
    assert len(answer.content) < 500
    assert "content-security-policy" in answer.headers


@pytest.mark.parametrize(
    "what",
    [
        {},
        {"params": {"token": ""}},
        {"params": {"token": TOKEN[:-1]}},
        {"params": {"token": TOKEN + "0"}},
        {"params": {"Token": TOKEN}},
        {"headers": {"Authorization": f"Basic {TOKEN}"}},
        {"headers": {"Authorization": TOKEN}},
        {"headers": {"Authorization": b"Bearer \xff"}},
        {"headers": {"Cookie": f"maxconnect4-8045={TOKEN}"}},
        {"headers": {"Cookie": f"{COOKIE}=x"}},
    ],
)
@pytest.mark.parametrize("path", ["", "/games", "/openapi.json", "/analysis/events", "/nothing"])
def test_without_the_token_the_interface_refuses(stranger: ApiClient, path: str, what: dict[str, Any]) -> None:
    answer = stranger.ask("GET", f"/api/v2{path}", **what)
    assert answer.status_code == 403
    assert list(answer.json()) == ["error"]


@pytest.mark.parametrize(
    "what",
    [
        {"params": {"token": TOKEN}},
        {"headers": {"Authorization": f"Bearer {TOKEN}"}},
        {"headers": {"Authorization": f"token {TOKEN}"}},
        {"headers": {"Cookie": f"other=1; {COOKIE}={TOKEN}"}},
    ],
)
def test_with_the_token_the_interface_answers(stranger: ApiClient, what: dict[str, Any]) -> None:
    answer = stranger.ask("POST", "/api/v2/games", json={}, **what)
    assert answer.status_code == 201
    assert "set-cookie" not in answer.headers
    stranger.http.cookies.clear()
    assert stranger.ask("GET", "/api/v2/games").status_code == 403


def test_the_first_visit_sets_a_cookie_and_hides_the_token(stranger: ApiClient) -> None:
    answer = stranger.ask("GET", f"/?game=max&moves=4453&token={TOKEN}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/?game=max&moves=4453")
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith(f"{COOKIE}={TOKEN};")
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert stranger.ask("GET", "/").status_code == 200
    assert stranger.get("/position")["moves"] == ""


def test_a_token_in_the_address_of_a_file_leads_nowhere_else(stranger: ApiClient) -> None:
    assert stranger.ask("GET", f"/page/app.js?token={TOKEN}").status_code == 200
    assert stranger.ask("GET", f"{BASE_URL}//evil.example/?token={TOKEN}").status_code == 404


def test_a_visit_from_another_site_sets_the_cookie_and_redirects(stranger: ApiClient) -> None:
    headers = {"Sec-Fetch-Site": "cross-site"}  # a redirected request would still be from there, without the cookie
    answer = stranger.ask("GET", f"/?moves=4&token={TOKEN}", headers=headers)
    assert (answer.status_code, answer.headers["refresh"]) == (200, "0;url=/?moves=4")
    assert COOKIE in answer.headers["set-cookie"]
