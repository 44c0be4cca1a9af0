"""The search tree through the interface: the same as the library's."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from asking import Asking, asking

from maxconnect4 import board_from_moves
from maxconnect4.tree import drawing, facts, search_tree


@pytest.fixture(scope="module")
def somebody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    """A client of one application for all tests of this module."""
    with asking(tmp_path_factory.mktemp("server")) as somebody:
        yield somebody


@pytest.mark.parametrize("pruning", [True, False])
@pytest.mark.parametrize("order", ["centre", "left"])
def test_the_tree_is_that_of_the_library(somebody: Asking, pruning: bool, order: str) -> None:
    words = f"moves=4453&depth=3&evaluation=lines&pruning={str(pruning).lower()}&order={order}"
    tree = search_tree(board_from_moves("4453"), 3, "lines", pruning, order)
    assert somebody.get(f"/tree?{words}") == json.loads(json.dumps(facts(tree)))
    drawn = somebody.ask("GET", f"/api/v1/tree.svg?{words}")
    assert drawn.text == drawing(tree)
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.headers["content-security-policy"].startswith("default-src 'none'; style-src 'unsafe-inline'")


def test_left_out_it_is_two_plies_with_pruning_from_the_centre(somebody: Asking) -> None:
    told = somebody.get("/tree")
    assert [told[name] for name in ("depth", "evaluation", "pruning", "order")] == [2, "best", True, "centre"]
    assert told["visited"] < told["without_pruning"] == 57
    assert somebody.get("/tree", game="classic")["evaluation"] == "windows"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("depth=5", "depth has to be a whole number from 1 to 4, not 5"),
        ("depth=0", "depth has to be a whole number from 1 to 4, not 0"),
        ("pruning=yes", "pruning has to be true or false, not 'yes'"),
        ("order=right", "order has to be one of centre, left, not 'right'"),
        ("evaluation=x", "evaluation has to be one of best"),
        ("game=classic&moves=1212121", "the game is over: there is nothing to search"),
    ],
)
def test_what_cannot_be_searched_is_refused(somebody: Asking, words: str, complaint: str) -> None:
    for path in ("tree", "tree.svg"):
        assert complaint in somebody.refused("GET", f"/{path}?{words}")
