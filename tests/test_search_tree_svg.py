"""The picture of a search tree: everything is in it, nothing stands on anything else."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from test_search_tree import trees

from maxconnect4 import board_from_moves
from maxconnect4.search_tree import LEAF, Tree, search_tree
from maxconnect4.search_tree_svg import Layout, Place, tree_svg

SVG = "{http://www.w3.org/2000/svg}"


def shapes(tree: Tree) -> dict[str, list[ElementTree.Element]]:
    """The elements of a picture by the first word of their class."""
    found = defaultdict(list)
    for element in ElementTree.fromstring(tree_svg(tree)).iter():
        found[(element.get("class") or element.tag.removeprefix(SVG)).split()[0]].append(element)
    return found


@given(trees())
def test_every_node_has_its_shape_and_every_cut_its_mark(tree: Tree) -> None:
    found = shapes(tree)
    in_the_legend = 1
    leaves = sum(node.kind == LEAF for node in tree.nodes)
    assert len(found["leaf"]) == leaves + in_the_legend
    assert len(found["red-node"]) + len(found["green-node"]) == tree.visited - leaves + 2 * in_the_legend
    assert len(found["use"]) == len(tree.cuts)
    values = [element.text or "" for element in found["value"]]
    assert sum(value.startswith(("≤", "≥")) for value in values) == sum(node.bound != "exact" for node in tree.nodes)


@given(trees())
def test_no_shape_stands_on_another(tree: Tree) -> None:
    layout = Layout(tree, 0, 0)
    layers: dict[float, list[Place]] = defaultdict(list)
    for place in layout.places.values():
        layers[place.y].append(place)
        assert place.x - place.width / 2 >= 0
        assert place.x + place.width / 2 <= layout.right
        assert place.bottom <= layout.bottom
    for places in layers.values():
        places.sort(key=lambda place: place.x)
        for left, right in pairwise(places):
            assert left.x + left.width / 2 < right.x - right.width / 2


def test_the_reason_of_a_cut_off_is_next_to_it_and_in_its_tooltip() -> None:
    tree = search_tree(board_from_moves("4453"), 2)
    found = shapes(tree)
    assert found["reason"][0].text == "−115 ≤ α −66"
    reasons = [title.text or "" for title in found["title"]]
    assert any("value −115 is at most alpha −66, known from 4: red" in reason for reason in reasons)


def test_it_has_a_title_and_description() -> None:
    found = shapes(search_tree(board_from_moves("4453"), 2, "windows"))
    assert found["title"][0].text == "After 4453: red to move, depth 2, evaluation windows"
    assert (found["desc"][0].text or "").startswith("Red plays column ")
    assert len(found["hole"]) == 38
    assert (len(found["red"]), len(found["green"])) == (2, 2)


@pytest.mark.parametrize("pruning", [True, False])
def test_it_is_the_same_each_time_and_needs_nothing_from_elsewhere(pruning: bool) -> None:
    tree = search_tree(board_from_moves("4453"), 3, pruning=pruning)
    text = tree_svg(tree)
    assert text == tree_svg(tree)
    assert text.count("http") == text.count('xmlns="http://www.w3.org/2000/svg"') == 1
    assert "<script" not in text
    assert "style=" not in text
