"""Games between two people in two browsers: their seats, their streams and their rematches."""

from __future__ import annotations

import asyncio
import json

import pytest
from api_client import ApiClient

RED, GREEN, OTHER = ("r" * 32, "g" * 32, "o" * 32)


@pytest.fixture
def game(client: ApiClient) -> str:
    """A game with both seats taken."""
    found: str = client.post("/games", players=["person", "person"])["id"]
    assert client.post(f"/games/{found}/seats", seat=RED, player=1) == {"player": 1, "address": None}
    assert client.post(f"/games/{found}/seats", seat=GREEN)["player"] == 2
    return found


def test_each_person_moves_only_for_the_own_colour(client: ApiClient, game: str) -> None:
    path = f"/games/{game}/drop"
    assert client.post(path, column=4, seat=RED)["position"]["moves"] == "4"
    for secret in (RED, OTHER, None):
        client.refused("POST", path, 403, json={"column": 3, "seat": secret})
    assert client.post(path, column=3, seat=GREEN)["position"]["moves"] == "43"
    client.refused("POST", f"/games/{game}/undo", 409, json={})
    client.refused("PATCH", f"/games/{game}", 409, json={"players": ["person", "level:1"]})


def test_a_seat_is_found_again_and_no_third_person_gets_one(client: ApiClient, game: str) -> None:
    assert client.post(f"/games/{game}/seats", seat=GREEN)["player"] == 2
    client.refused("POST", f"/games/{game}/seats", 409, json={"seat": OTHER})
    computer = client.post("/games", players=["person", "level:1"])["id"]
    client.refused("POST", f"/games/{computer}/seats", 409, json={"seat": OTHER})


def test_a_stream_has_who_is_connected_and_ends_with_its_game(client: ApiClient, game: str) -> None:
    async def play() -> str:
        stream = asyncio.create_task(client.http.get(f"/api/v2/games/{game}/events", params={"seat": RED}))
        while client.service.streams.present(game) != (True, False):
            await asyncio.sleep(0.01)
        await client.http.delete(f"/api/v2/games/{game}")
        return (await stream).text

    blocks = client.runner.run(play()).strip().split("\n\n")
    events = [dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks]
    states = [json.loads(each["data"]) for each in events[:-1]]
    assert [each["event"] for each in events] == ["game"] * len(states) + ["failed"]
    assert (states[0]["taken"], states[0]["present"]) == ([True, True], [True, False])


def test_a_rematch_swaps_the_colours(client: ApiClient) -> None:
    first = client.post("/games", game="classic", players=["person", "person"], moves="121212")["id"]
    client.post(f"/games/{first}/seats", seat=RED, player=1)
    client.post(f"/games/{first}/seats", seat=GREEN, player=2)
    client.refused("POST", f"/games/{first}/rematch", 409, json={"seat": RED})
    assert client.post(f"/games/{first}/drop", column=1, seat=RED)["position"]["winner"] == 1
    second = client.post(f"/games/{first}/rematch", seat=GREEN)
    assert (second["game"], second["position"]["moves"]) == ("classic", "")
    assert client.post(f"/games/{first}/rematch", seat=RED)["id"] == second["id"]
    assert client.post(f"/games/{second['id']}/seats", seat=GREEN)["player"] == 1
    client.refused("POST", f"/games/{first}/rematch", 403, json={"seat": OTHER})
