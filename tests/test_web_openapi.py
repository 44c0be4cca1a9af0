"""The formal description of the interface: it is one, it is complete, and the answers are as it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from api_client import ApiClient, api_client, json_of

ASKED = {
    "/": "",
    "/position": "moves=4453",
    "/choice": "moves=4453&depth=3",
    "/analysis": "moves=4453",
    "/analysis/reasons": "moves=4453",
    "/review": "moves=4453",
    "/puzzles": "game=classic&date=2026-11-20",
    "/tree": "moves=4453",
    "/games": "limit=3",
    "/games/{id}": "",
    "/games/{id}/export": "as=json",
    "/openapi.json": "",
}
POSTED = {
    "/position": {"text": "4453"},
    "/games": {"players": ["person", "level:1"]},
    "/games/{id}/drop": {"column": 4},
    "/games/{id}/computer": {},
    "/games/{id}/undo": {},
    "/games/{id}/redo": {},
}
FILES = {
    "/analysis/events": "moves=4453",
    "/review/events": "moves=4453",
    "/tree.svg": "depth=1",
    "/games/{id}/export": "as=text",
}
# Each with what is asked of a game that has one drop, by a person.
WRONG: list[tuple[int, str, str, dict[str, Any]]] = [
    (400, "get", "/position", {"params": {"moves": "9"}}),
    (400, "get", "/tree", {"params": {"depth": 9}}),
    (400, "post", "/games", {"json": {"players": "two"}}),
    (400, "post", "/games/{id}/drop", {"json": {"column": 8}}),
    (400, "get", "/games/{id}/export", {"params": {"as": "film"}}),
    (403, "get", "/", {"headers": {"Host": "evil.example"}}),
    (403, "delete", "/games/{id}", {"headers": {"Origin": "http://evil.example"}}),
    (404, "get", "/games", {"params": {"before": "nobody's"}}),
    (409, "post", "/games/{id}/drop", {"json": {"column": 1, "at": 7}}),
    (409, "post", "/games/{id}/computer", {"json": {}}),
    (409, "post", "/games/{id}/redo", {"json": {}}),
    (413, "post", "/position", {"json": {"text": "4" * 70_000}}),
    (415, "post", "/games/{id}/undo", {"content": "{}"}),
    (503, "get", "/analysis/events", {}),
    (507, "post", "/games", {"json": {}}),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    """A client of one application for all tests of this module."""
    with api_client(tmp_path_factory.mktemp("server")) as client:
        yield client


@pytest.fixture
def short_lived(tmp_path: Path) -> Iterator[ApiClient]:
    """A client of an application of its own, which may be broken."""
    with api_client(tmp_path) as short_lived:
        yield short_lived


@pytest.fixture(scope="module")
def document(client: ApiClient) -> Any:
    return client.get("/openapi.json")


def validator() -> Any:
    from jsonschema import Draft202012Validator  # only in the xdist workers that run these tests

    return Draft202012Validator


def check(document: Any, method: str, path: str, answer: Any, status: str = "200") -> None:
    """Hold an answer against what the description says of it."""
    schema = document["paths"][path][method]["responses"][status]["content"]["application/json"]["schema"]
    validator()({**schema, "components": document["components"]}).validate(answer)


def test_every_endpoint_is_described_and_every_description_is_tried(document: Any) -> None:
    tried = {(path, "get") for path in ASKED} | {(path, "post") for path in POSTED} | {(path, "get") for path in FILES}
    tried |= {("/games/{id}", "patch"), ("/games/{id}", "delete")}
    tried |= {("/games/{id}/seats", "post"), ("/games/{id}/rematch", "post"), ("/games/{id}/events", "get")}
    described = {(path, method) for path, methods in document["paths"].items() for method in methods}
    assert described == tried


def test_the_schemas_are_schemas_and_all_of_them_are_used(document: Any) -> None:
    for schema in document["components"]["schemas"].values():
        validator().check_schema(schema)
    for name in document["components"]["schemas"]:
        assert f"'#/components/schemas/{name}'" in str(document), name


@pytest.mark.parametrize("path", ASKED)
def test_answers_are_as_described(client: ApiClient, document: Any, path: str) -> None:
    game = client.post("/games", moves="11223344")
    real = path.replace("{id}", game["id"])
    check(document, "get", path, client.get(f"{real}?{ASKED[path]}"))


@pytest.mark.parametrize("game", ["max", "classic"])
@pytest.mark.parametrize("moves", ["", "1122334", "445566"])
def test_positions_are_as_described(client: ApiClient, document: Any, game: str, moves: str) -> None:
    check(document, "get", "/position", client.get("/position", game=game, moves=moves))


def test_responses_to_changes_match_the_schema(client: ApiClient, document: Any) -> None:
    game = client.post("/games", players=["person", "level:1"])
    for path, body in POSTED.items():
        answer = client.ask("POST", f"/api/v2{path.replace('{id}', game['id'])}", json=body)
        check(document, "post", path, json_of(answer), str(answer.status_code))
    answer = client.ask("PATCH", f"/api/v2/games/{game['id']}", json={"players": ["person", "person"]})
    check(document, "patch", "/games/{id}", json_of(answer))
    check(document, "delete", "/games/{id}", json_of(client.ask("DELETE", f"/api/v2/games/{game['id']}")))


@pytest.mark.parametrize(("status", "method", "path", "what"), WRONG)
def test_errors_are_as_described(
    request: pytest.FixtureRequest, document: Any, status: int, method: str, path: str, what: dict[str, Any]
) -> None:
    client = request.getfixturevalue("short_lived" if status in (503, 507) else "client")
    game = client.post("/games", players=["person", "person"], moves="4")
    if status == 503:
        client.service.close()
    if status == 507:
        client.service.games._database.execute("PRAGMA query_only = ON")
    answer = client.ask(method.upper(), f"/api/v2{path.replace('{id}', game['id'])}", **what)
    check(document, method, path, json_of(answer, status), str(status))


def test_an_undescribed_request_is_an_error(client: ApiClient, document: Any) -> None:
    schema = {**document["components"]["schemas"]["ErrorResponse"], "components": document["components"]}
    for method, path, status in (("PUT", "/games", 405), ("GET", "/nothing", 404), ("GET", "/games/nobody's", 404)):
        validator()(schema).validate(json_of(client.ask(method, f"/api/v2{path}"), status))


@pytest.mark.parametrize("path", FILES)
def test_files_are_of_the_kind_that_is_described(client: ApiClient, document: Any, path: str) -> None:
    game = client.post("/games", moves="4453")
    answer = client.ask("GET", f"/api/v2{path.replace('{id}', game['id'])}?{FILES[path]}")
    kind = answer.headers["content-type"].partition(";")[0]
    content = document["paths"][path]["get"]["responses"]["200"]["content"]
    assert content[kind]["schema"] == {"type": "string"}
    assert answer.text
