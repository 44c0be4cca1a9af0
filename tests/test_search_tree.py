"""The tree that is drawn against the search that plays, and against plain minimax."""

from __future__ import annotations

import json
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_minimax import column_values, minimax
from positions import boards

from maxconnect4 import EVALUATIONS, Board, IllegalMove, board_from_moves, choose, perft
from maxconnect4.board import NAMES, opponent
from maxconnect4.evaluation_descriptions import EVALUATION_DESCRIPTIONS
from maxconnect4.search_tree import EXACT, LEAF, MAX, MAX_DEPTH, MIN, ORDERS, Node, Tree, search_tree, tree_to_dict


@st.composite
def trees(draw: st.DrawFn, deepest: int = 3, pruning: bool | None = None, order: str | None = None) -> Tree:
    """Trees of any position that is not over, searched in any way."""
    board = draw(boards(draw(st.sampled_from(["max", "classic"]))).filter(lambda board: not board.is_over()))
    return search_tree(
        board,
        draw(st.integers(1, deepest)),
        draw(st.sampled_from(EVALUATIONS)),
        draw(st.booleans()) if pruning is None else pruning,
        order or draw(st.sampled_from(ORDERS)),
    )


def position(tree: Tree, node: Node) -> Board:
    board = tree.board.copy()
    for column in node.path:
        board.drop(int(column))
    return board


def true_value(tree: Tree, node: Node) -> int:
    return minimax(position(tree, node), tree.depth - node.ply, tree.evaluation, tree.board.to_move)


@given(trees(MAX_DEPTH, order="centre"))
def test_value_and_column_are_those_of_the_search_that_plays(tree: Tree) -> None:
    choice = choose(tree.board, tree.depth, evaluation=tree.evaluation, scores=True)
    assert (tree.value, tree.column) == (choice.value, choice.column)


@given(trees(order="left"))
def test_from_left_to_right_the_first_of_the_best_columns_is_chosen(tree: Tree) -> None:
    values = column_values(tree.board, tree.depth, tree.evaluation)
    assert tree.value == max(values.values())
    assert tree.column == min(column for column in values if values[column] == tree.value)


@given(trees(2))
def test_the_true_value_of_every_node_is_within_its_bound(tree: Tree) -> None:
    for node in tree.nodes:
        true = true_value(tree, node)
        assert {"exact": true == node.value, "at least": true >= node.value, "at most": true <= node.value}[node.bound]
        assert node.low <= true <= node.high
        assert node.value in (node.low, node.high)


@given(trees(pruning=False))
def test_without_pruning_every_value_is_exact_and_every_node_is_visited(tree: Tree) -> None:
    assert {node.bound for node in tree.nodes} == {EXACT}
    assert not tree.cuts
    assert tree.visited == tree.without_pruning
    assert tree.pruned_share == 0
    pruned = search_tree(tree.board, tree.depth, tree.evaluation, order=tree.order)
    assert tree.with_pruning == pruned.with_pruning == pruned.visited
    assert tree.without_pruning == pruned.without_pruning
    assert {(node.window.alpha, node.window.beta) for node in tree.nodes} == {(-inf, inf)}


@given(trees())
def test_what_was_visited_and_what_was_spared_is_all_that_there_is(tree: Tree) -> None:
    assert tree.without_pruning == sum(perft(tree.board, plies) for plies in range(tree.depth + 1))
    assert tree.visited + sum(cut.spared for cut in tree.cuts) == tree.without_pruning
    for node in tree.nodes:
        looked_at = [child.column for child in node.children]
        spared = node.cut.columns if node.cut else []
        expected = position(tree, node).columns() if node.kind != LEAF else []
        assert sorted([*(column for column in looked_at if column), *spared]) == expected


def test_the_empty_board_has_2801_nodes_at_depth_4() -> None:
    assert [search_tree(Board(), depth).without_pruning for depth in (1, 2, 3, 4)] == [8, 57, 400, 2801]
    assert len(search_tree(Board(), 4, pruning=False).nodes) == 2801


@given(trees(pruning=True))
def test_a_cut_happens_where_the_window_closes_and_its_reason_has_the_numbers(tree: Tree) -> None:
    for node in tree.nodes:
        closed = [step.window.is_closed() for step in node.steps]
        assert not any(closed[:-1])
        if node.cut is None:
            continue
        assert closed[-1]
        assert node.cut.after is node.children[-1]
        assert node.cut.spared >= len(node.cut.columns) > 0
        limit = node.cut.window.beta if node.kind == MAX else node.cut.window.alpha
        source = node.cut.window.beta_from if node.kind == MAX else node.cut.window.alpha_from
        assert source is not None
        assert tree.by_path[source].value == limit
        assert node.value >= limit if node.kind == MAX else node.value <= limit
        unwilling = opponent(tree.board.to_move) if node.kind == MAX else tree.board.to_move
        assert tree.label(node.value) in node.cut.reason
        assert f"{'beta' if node.kind == MAX else 'alpha'} {tree.label(limit)}, known from {source}" in node.cut.reason
        assert NAMES[unwilling] in node.cut.reason


@given(trees())
def test_values_flow_up_from_the_leaf_at_the_end_of_the_principal_line(tree: Tree) -> None:
    assert tree.line[0] is tree.root
    assert tree.line[-1].kind == LEAF
    assert {node.value for node in tree.line} == {tree.value}
    assert all(node.bound == EXACT for node in tree.line)
    for node in tree.nodes:
        if node.kind == LEAF:
            assert node.value == true_value(tree, node)
        else:
            assert node.value == (max if node.kind == MAX else min)(child.value for child in node.children)
            assert node.kind == (MAX if node.player == tree.board.to_move else MIN)


@given(trees())
def test_nodes_stand_in_the_order_of_visiting(tree: Tree) -> None:
    order: list[Node] = []

    def visit(node: Node) -> None:
        order.append(node)
        window = node.window
        for step in node.steps:
            assert step.child.window == window
            visit(step.child)
            window = step.window

    visit(tree.root)
    assert order == tree.nodes
    assert [node.number for node in tree.nodes] == list(range(tree.visited))


def test_a_won_classic_game_ends_its_branch_with_the_ply_of_the_win() -> None:
    tree = search_tree(board_from_moves("121212", "classic"), 3, "windows")
    won = tree.by_path["1"]
    assert (won.kind, won.over, tree.label(won.value), tree.column) == (LEAF, True, "win in 1", 1)
    lost = search_tree(board_from_moves("1212127", "classic"), 2, "windows", pruning=False)
    assert lost.label(lost.by_path["31"].value) == "loss in 1", "the winner's own moves count, as in an analysis"
    later = search_tree(board_from_moves("4455", "classic"), 3, "windows")
    assert later.label(later.value) == "win in 2"


def test_a_cut_off_has_a_reason() -> None:
    cut = search_tree(board_from_moves("4453"), 2).cuts[0]
    assert cut.reason == "value -115 is at most alpha -66, known from 4: red would avoid this position"


def test_the_json_of_a_tree_has_the_same_values() -> None:
    tree = search_tree(board_from_moves("4453"), 3)
    found = json.loads(json.dumps(tree_to_dict(tree), allow_nan=False))
    assert (found["visited"], found["without_pruning"], found["column"]) == (tree.visited, 400, tree.column)
    assert [node["path"] for node in found["nodes"]] == [node.path for node in tree.nodes]
    assert [node["cut"]["reason"] for node in found["nodes"] if node.get("cut")] == [
        node.cut.reason for node in tree.nodes if node.cut
    ]
    assert found["nodes"][0]["alpha"] is None
    assert found["pv"] == tree.line[-1].path


def test_every_evaluation_is_explained() -> None:
    assert tuple(sorted(EVALUATION_DESCRIPTIONS)) == EVALUATIONS


def test_an_invalid_search_is_refused() -> None:
    for depth in (-1, 0, 5):
        with pytest.raises(ValueError, match=f"depth {depth}: choose 1 to 4"):
            search_tree(Board(), depth)
    with pytest.raises(ValueError, match="'nonsense' is not an evaluation"):
        search_tree(Board(), 1, "nonsense")
    with pytest.raises(ValueError, match="'right' is not a move ordering: choose centre or left"):
        search_tree(Board(), 1, order="right")
    with pytest.raises(IllegalMove, match="the game is over"):
        search_tree(board_from_moves("1212121", "classic"), 1)


def test_the_board_that_is_given_stays_as_it_is() -> None:
    board = board_from_moves("4453")
    search_tree(board, 3)
    assert board.moves == "4453"
