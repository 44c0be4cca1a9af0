"""The Learn panel: the tree of the library, node by node and step by step, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axe import violations
from browser import Visitor
from page_user import PageUser, expect_address
from play_server import PlayServer
from playwright.sync_api import Browser, Locator, expect

from maxconnect4 import board_from_moves
from maxconnect4.search_tree import EXACT, Tree, search_tree
from maxconnect4.search_tree_svg import tree_svg

MOVES = "4453"


class Learner:
    """Somebody with the Learn panel before them."""

    def __init__(self, person: PageUser, moves: str = MOVES, game: str = "max") -> None:
        self.person = person
        self.page = person.page
        person.open(moves=moves, game=game)
        person.tab("Learn")
        expect(self.node("")).to_be_visible()
        self.words = self.page.locator(".step-description")
        self.detail = self.page.locator(".node-description")

    def node(self, path: str) -> Locator:
        return self.page.locator(f"[data-path='{path}']")

    def set(self, **settings: str) -> None:
        for name, value in settings.items():
            self.page.locator(f"#tree-{name}").select_option(value)

    def values(self) -> dict[str, str]:
        """What stands in the shapes, by path."""
        found: dict[str, str] = self.page.evaluate(
            """() => Object.fromEntries([...document.querySelectorAll('.search-tree .node')].map((node) => [
                node.querySelector('[data-path]').dataset.path, node.querySelector('.value').textContent]))"""
        )
        return found

    def counts(self) -> list[int]:
        texts = self.page.locator(".counts b").all_inner_texts()
        return [int(text.replace(",", "")) for text in texts]

    def go(self, step: int) -> None:
        self.page.locator(".search-view input[type=range]").fill(str(step))


@pytest.fixture
def learner(person: PageUser) -> Learner:
    return Learner(person)


def shown(tree: Tree, front: str = "") -> dict[str, str]:
    """What the page should have in its shapes, from a node in front two plies down."""
    signs = {EXACT: "", "at least": "≥", "at most": "≤"}
    return {
        node.path: signs[node.bound] + tree.label(node.value).replace("-", "−")
        for node in tree.nodes
        if node.path.startswith(front) and node.ply <= len(front) + 2
    }


def summary(tree: Tree) -> str:
    """The result of the search, without the percentage, which Python and JavaScript round differently."""
    text = tree.summary().replace("-", "−")
    return text.partition(" nodes visited")[0] if tree.pruning else text


@pytest.mark.parametrize("depth", [2, *(pytest.param(depth, marks=pytest.mark.long) for depth in (1, 3, 4))])
def test_the_tree_and_its_counts_are_those_of_the_library(learner: Learner, depth: int) -> None:
    learner.set(depth=str(depth), evaluation="windows")
    for pruning in (True, False):
        for order in ("centre", "left"):
            learner.page.locator("#tree-pruning").set_checked(pruning)
            learner.set(order=order)
            tree = search_tree(board_from_moves(MOVES), depth, "windows", pruning, order)
            expect(learner.words).to_contain_text(summary(tree))
            assert learner.values() == shown(tree)
            assert learner.counts() == [tree.with_pruning, tree.without_pruning]


def test_a_node_shows_its_bounds_its_cutoff_and_its_moves_on_the_board(learner: Learner) -> None:
    windows = learner.page.locator(".search-tree .node", has=learner.node("3")).locator(".window")
    assert windows.all_text_contents() == ["α −66", "β ∞"]
    learner.node("3").click()
    expect(learner.detail).to_contain_text(
        "Cut off: value −115 is at most alpha −66, known from 4: red would avoid this position."
    )
    expect(learner.detail).to_have_text(re.compile("columns 3, 5, 2, 6, 1 and 7 .* 6 nodes"))
    expect(learner.detail).to_contain_text("entered with alpha −66 and beta ∞, left with alpha −66 and beta −115.")
    assert learner.page.locator(".search-tree .bound-source [data-path]").get_attribute("data-path") == "4"
    learner.node("5").hover()
    expect(learner.detail).to_contain_text("value −107 is at most alpha −66")
    expect(learner.page.locator(".search-tree .cut").first).to_contain_text("3 5 2 6 1 7−115 ≤ α −66")
    learner.node("43").click()
    previewed = learner.page.locator("#board .preview-piece")
    expect(previewed).to_have_count(2)
    assert previewed.all_text_contents() == ["1", "2"]
    learner.go(4)
    learner.node("4").click()
    expect(learner.detail).to_contain_text("entered with alpha −∞ and beta ∞, now with alpha −∞ and beta −66.")
    entered = learner.page.locator(".search-tree .node", has=learner.node("4")).locator(".window")
    assert entered.all_text_contents() == ["α −∞", "β −66"]
    expect(previewed).to_have_count(1)
    learner.person.tab("Analyse")
    expect(previewed).to_have_count(0)


def test_the_search_is_shown_step_by_step(learner: Learner) -> None:
    person, words = learner.person, learner.words
    person.button("First").click()
    expect(words).to_contain_text("Step 0 of 47.")
    assert set(learner.values().values()) == {""}
    for told in (
        "^Step 1 of 47.* root: red is MAX, with alpha −∞ and beta ∞.$",
        "^Step 2 of 47.* 4: green is MIN, with alpha −∞ and beta ∞.$",
        "^Step 3 of 47.* 44, a leaf: .*best.* −66.$",
        "^Step 4 of 47.* 4: column 4 .* −66, .*; beta .* −66.$",
        "^Step 5 of 47.* 43, a leaf: .*best.* −37.$",
        "^Step 6 of 47.* 4: column 3 .* −37, .* −66.$",
    ):
        person.button("Forward").click()
        expect(words).to_have_text(re.compile(told))
    assert {path: value for path, value in learner.values().items() if value} == {"4": "−66", "44": "−66", "43": "−37"}
    person.button("Back").click()
    expect(words).to_have_text(re.compile("^Step 5 of 47"))
    person.button("Next cut-off").click()
    expect(words).to_have_text(re.compile("Cut off: value −115 is at most alpha −66, known from 4"))
    expect(learner.page.locator(".search-tree .current [data-path]")).to_have_attribute("data-path", "3")
    person.button("Last").click()
    expect(words).to_have_text(re.compile("Red plays column 4, value −66: 21 of 57 nodes visited, 63 % pruned.$"))
    assert learner.values() == shown(search_tree(board_from_moves(MOVES), 2))


@pytest.mark.parametrize("depth", [3, pytest.param(4, marks=pytest.mark.long)])
def test_deep_trees_are_shown_two_plies_at_a_time_and_the_search_runs(learner: Learner, depth: int) -> None:
    pruned, whole = (search_tree(board_from_moves(MOVES), depth, pruning=pruning) for pruning in (True, False))
    learner.set(depth=str(depth))
    expect(learner.words).to_contain_text(summary(pruned))
    learner.node("44").click()
    learner.node("44").click()
    assert learner.values() == shown(pruned, "44")
    trail = learner.page.get_by_role("navigation", name="Path in the tree")
    assert trail.get_by_role("button").all_inner_texts() == ["Root", "4", "4"]
    learner.page.locator("#tree-pruning").uncheck()  # the same place in the other tree
    expect(learner.words).to_contain_text(summary(whole))
    assert learner.values() == shown(whole, "44")
    learner.person.button("Run").click()
    expect(learner.words).to_have_text(re.compile("^Step [1-9]"))
    learner.person.button("Pause").click()
    told = learner.words.inner_text()
    learner.person.value("new Promise((over) => setTimeout(over, 400))")  # in which it would take the next steps
    assert learner.words.inner_text() == told
    learner.page.locator("#tree-pruning").check()
    expect(learner.words).to_contain_text(summary(pruned))
    trail.get_by_role("button", name="The root").click()
    assert learner.values() == shown(pruned)
    learner.go(depth + 1)  # the search is at its first leaf by then
    expect(learner.page.locator(".search-tree .current [data-path]")).to_have_attribute("data-path", "4" * depth)
    assert violations(learner.page) == []


def test_every_node_is_reached_by_keys(learner: Learner) -> None:
    learner.set(depth="3")
    expect(learner.words).to_contain_text("400 nodes")
    learner.node("").focus()
    for key, path in (
        ("ArrowDown", "4"),
        ("ArrowRight", "3"),
        ("ArrowLeft", "4"),
        ("ArrowDown", "44"),
        ("ArrowDown", "444"),
        ("ArrowRight", "443"),
        ("ArrowUp", "44"),
        ("ArrowUp", "4"),
        ("ArrowUp", ""),
    ):
        learner.person.press(key)
        expect(learner.node(path)).to_be_focused()
        expect(learner.node(path)).to_have_attribute("aria-selected", "true")
    expect(learner.page.get_by_role("tree").get_by_role("treeitem", name="The root: red is MAX")).to_be_focused()
    learner.person.button("First").click()
    learner.person.press("ArrowRight", "ArrowRight")
    expect(learner.words).to_have_text(re.compile("^Step 2 of"))
    learner.person.press("ArrowLeft")
    expect(learner.words).to_have_text(re.compile("^Step 1 of"))


def test_the_tree_follows_the_board_and_its_settings_are_stored(learner: Learner) -> None:
    person, evaluation = learner.person, learner.page.locator("#tree-evaluation")
    person.drop(4)
    expect(learner.words).to_contain_text("Green plays column")
    assert learner.values() == shown(search_tree(board_from_moves(MOVES + "4"), 2))
    expect(person.status).to_have_text("Red plays column 4. Green to move.")
    person.press("u")
    expect(learner.words).to_contain_text("Red plays column")
    learner.set(depth="1", evaluation="margin", order="left")
    learner.page.locator("#tree-pruning").uncheck()
    expect(learner.words).to_contain_text("8 of 8 nodes visited")
    Learner(person, "121212", "classic")
    expect(learner.words).to_contain_text("8 of 8 nodes visited")
    assert [learner.page.locator(f"#tree-{name}").input_value() for name in ("depth", "order")] == ["1", "left"]
    expect(learner.page.locator("#tree-pruning")).not_to_be_checked()
    expect(evaluation).to_have_value("windows")  # each game has one of its own
    assert learner.values()["1"] == "win in 1"
    person.drop(1)
    expect(learner.page.locator("#panel-learn .error")).to_contain_text("The game is over")
    person.press("u")
    expect(learner.node("1")).to_be_visible()
    person.tab("Analyse")
    learner.page.locator("input[name=analysed][value=max]").check()
    person.tab("Learn")
    expect(evaluation).to_have_value("margin")


def test_the_svg_file_is_the_one_of_the_command(learner: Learner, server: PlayServer) -> None:
    page = learner.page
    learner.set(depth="3", order="left")
    tree = search_tree(board_from_moves(MOVES), 3, order="left")
    expect(learner.words).to_contain_text(summary(tree))
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the whole tree").click()
    assert Path(download.value.path()).read_text() == tree_svg(tree)
    page.goto(f"{server.address}/api/v2/tree.svg?moves={MOVES}")  # by itself
    fill = "getComputedStyle(document.querySelector('.red-node')).fill"
    assert page.evaluate(fill) == "rgb(253, 233, 223)"
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(fill) == "rgb(67, 35, 15)"


def test_on_a_phone_the_tree_scrolls_in_its_own_box(on_a_phone: PageUser) -> None:
    learner = Learner(on_a_phone)
    assert on_a_phone.value("document.documentElement.scrollWidth") == 360
    learner.page.locator(".tree-box").evaluate("(box) => box.scrollIntoView()")
    expect(learner.node("4")).to_be_in_viewport(ratio=0.99)  # where the principal line begins
    learner.node("3").tap()
    expect(learner.detail).to_contain_text("Cut off")
    learner.person.button("First").tap()
    for _ in range(3):
        learner.person.button("Next cut-off").tap()
    path = learner.page.locator(".search-tree .current [data-path]")
    box, now = learner.page.locator(".tree-box").bounding_box(), path.bounding_box()
    assert box is not None
    assert now is not None
    assert box["x"] <= now["x"]
    assert now["x"] + now["width"] <= box["x"] + box["width"]


@pytest.mark.long
def test_each_game_has_its_own_evaluation(learner: Learner) -> None:
    learner.set(evaluation="best")
    expect(learner.words).to_contain_text("value −66")
    classic = Learner(learner.person, game="classic")
    evaluation = classic.page.locator("#tree-evaluation")
    expect(evaluation).to_have_value("windows")
    classic.set(evaluation="lines")
    Learner(learner.person)
    expect(evaluation).to_have_value("best")
    Learner(learner.person, game="classic")
    expect(evaluation).to_have_value("lines")


def test_learn_opens_at_the_first_step_of_a_tiny_tree(person: PageUser) -> None:
    page, words = person.page, person.page.locator(".step-description")
    person.open()
    person.drop(4)
    person.sees_pieces(2)
    person.tab("Learn")
    expect_address(page, "/learn/minimax")
    expect(words).to_contain_text("Step 1 of")
    expect(page.locator(".search-tree [role=treeitem]")).to_have_count(13)
    person.press("ArrowRight", "ArrowRight")  # the tab does not catch the arrow keys
    expect(words).to_contain_text("Step 3 of")
    expect(page.get_by_role("tab", selected=True)).to_have_text("Learn")
    for chapter, nodes in (("Pruning", 9), ("Ordering", 11)):
        person.button(chapter).click()
        expect(words).to_contain_text("Step 1 of")
        expect(page.locator(".counts .selected b")).to_have_text(str(nodes))
    page.locator("#tree-order").select_option("centre")
    expect(page.locator(".counts .selected b")).to_have_text("9")
    person.button("Next chapter").click()
    expect_address(page, "/learn/evaluation")
    expect(page.locator(".search-tree .leaf")).to_have_count(7)
    assert violations(page) == []
    page.reload()
    expect(page.locator("[data-chapter=evaluation]")).to_have_attribute("aria-pressed", "true")
    person.tab("Play")
    person.sees_pieces(2)


def test_a_finished_game_is_not_a_dead_end(person: PageUser) -> None:
    moves = "121212"
    person.open(moves=moves + "1", game="classic")
    person.tab("Learn")
    expect(person.page.locator("#panel-learn .error")).to_contain_text("The game is over")
    person.button("Take back some moves").click()
    person.sees(board_from_moves("121", "classic"))
    expect(person.page.locator("[data-path='']")).to_be_visible()


def test_the_first_lesson_starts_on_the_first_visit_only(chromium: Browser, server: PlayServer) -> None:
    visitor = Visitor(chromium, viewport={"width": 1280, "height": 900}, reduced_motion="reduce", first_visit=True)
    person = PageUser(visitor.page(), server)
    page, lesson = person.page, person.page.locator(".lesson")
    person.open()
    expect_address(page, "/learn/lesson")
    expect(lesson.get_by_role("heading")).to_have_text("Drop a piece")
    assert violations(page) == []
    for moves, wrong, right in (("", None, 3), ("112233", 7, 4), ("11223347", 1, 5), ("717263", 5, 4)):
        person.sees(board_from_moves(moves))
        if wrong is not None:
            person.drop(wrong)
            expect(lesson).to_contain_text("Not there.")
        person.drop(right)
        board = board_from_moves(moves)
        board.drop(right)
        person.sees(board)
        person.button("Continue").click()
    person.button("Play a game").click()
    expect(page.get_by_role("tab", selected=True)).to_have_text("Play")
    page.goto(server.address)
    expect(page.get_by_role("tab", selected=True)).to_have_text("Play")
    page.evaluate("localStorage.clear()")
    page.goto(server.address)
    person.button("Skip the lesson").click()
    expect(page.get_by_role("tab", selected=True)).to_have_text("Play")
    visitor.leave()
