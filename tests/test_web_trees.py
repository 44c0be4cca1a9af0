"""The search tree through the interface: the same as the library's."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from maxconnect4 import board_from_moves
from maxconnect4.tree import drawing, facts, search_tree
from maxconnect4.web.app import make_app
from maxconnect4.web.games.kept import Games
from maxconnect4.web.interface.service import Service

Get = Callable[[str], httpx.Response]


@pytest.fixture
def get(tmp_path: Path) -> Get:
    """Ask the interface, without a network in between."""

    async def answer(path: str) -> httpx.Response:
        with Games(str(tmp_path / "games.sqlite")) as games:
            service = Service(games)
            transport = httpx.ASGITransport(make_app(service))
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8044") as client:
                response = await client.get(f"/api/v1/{path}")
            service.close()
        return response

    return lambda path: asyncio.run(answer(path))


@pytest.mark.parametrize("pruning", [True, False])
@pytest.mark.parametrize("order", ["centre", "left"])
def test_the_tree_is_that_of_the_library(get: Get, pruning: bool, order: str) -> None:
    words = f"moves=4453&depth=3&evaluation=lines&pruning={str(pruning).lower()}&order={order}"
    tree = search_tree(board_from_moves("4453"), 3, "lines", pruning, order)
    told = get(f"tree?{words}")
    assert told.status_code == 200
    assert told.json() == json.loads(json.dumps(facts(tree)))
    drawn = get(f"tree.svg?{words}")
    assert drawn.text == drawing(tree)
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.headers["content-security-policy"].startswith("default-src 'none'; style-src 'unsafe-inline'")


def test_left_out_it_is_two_plies_with_pruning_from_the_centre(get: Get) -> None:
    told = get("tree").json()
    assert [told[name] for name in ("depth", "evaluation", "pruning", "order")] == [2, "best", True, "centre"]
    assert told["visited"] < told["without_pruning"] == 57
    assert get("tree?game=classic").json()["evaluation"] == "windows"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("depth=5", "depth has to be a whole number from 1 to 4, not '5'"),
        ("depth=0", "depth has to be a whole number from 1 to 4, not 0"),
        ("pruning=yes", "pruning has to be true or false, not 'yes'"),
        ("order=right", "order has to be one of centre, left, not 'right'"),
        ("evaluation=x", "evaluation has to be one of best"),
        ("game=classic&moves=1212121", "the game is over: there is nothing to search"),
    ],
)
def test_what_cannot_be_searched_is_refused(get: Get, words: str, complaint: str) -> None:
    for path in ("tree", "tree.svg"):
        refused = get(f"{path}?{words}")
        assert refused.status_code == 400
        assert complaint.replace("'5'", "5") in refused.json()["error"]
