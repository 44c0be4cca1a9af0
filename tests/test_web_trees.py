"""The search tree through the interface: the same as the library's."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from api_client import ApiClient, api_client

from maxconnect4 import board_from_moves
from maxconnect4.search_tree import search_tree, tree_to_dict
from maxconnect4.search_tree_svg import tree_svg


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    """A client of one application for all tests of this module."""
    with api_client(tmp_path_factory.mktemp("server")) as client:
        yield client


@pytest.mark.parametrize("pruning", [True, False])
@pytest.mark.parametrize("order", ["centre", "left"])
def test_the_tree_is_that_of_the_library(client: ApiClient, pruning: bool, order: str) -> None:
    words = f"moves=4453&depth=3&evaluation=lines&pruning={str(pruning).lower()}&order={order}"
    tree = search_tree(board_from_moves("4453"), 3, "lines", pruning, order)
    assert client.get(f"/tree?{words}") == json.loads(json.dumps(tree_to_dict(tree)))
    drawn = client.ask("GET", f"/api/v2/tree.svg?{words}")
    assert drawn.text == tree_svg(tree)
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.headers["content-security-policy"].startswith("default-src 'none'; style-src 'unsafe-inline'")


def test_left_out_it_is_two_plies_with_pruning_from_the_centre(client: ApiClient) -> None:
    told = client.get("/tree")
    assert [told[name] for name in ("depth", "evaluation", "pruning", "order")] == [2, "best", True, "centre"]
    assert told["visited"] < told["without_pruning"] == 57
    assert client.get("/tree", game="classic")["evaluation"] == "windows"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("depth=5", "the parameter 'depth' must be a whole number from 1 to 4, not '5'"),
        ("depth=0", "the parameter 'depth' must be a whole number from 1 to 4, not '0'"),
        ("pruning=yes", "the parameter 'pruning' must be true or false, not 'yes'"),
        ("order=right", "the parameter 'order' must be one of centre, left, not 'right'"),
        ("evaluation=x", "the parameter 'evaluation' must be one of best"),
        ("game=classic&moves=1212121", "the game is over: there is nothing to search"),
    ],
)
def test_an_invalid_search_is_refused(client: ApiClient, words: str, complaint: str) -> None:
    for path in ("tree", "tree.svg"):
        assert complaint in client.refused("GET", f"/{path}?{words}")
