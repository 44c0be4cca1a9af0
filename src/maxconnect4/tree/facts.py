"""A tree as plain values, for JSON. An alpha or a beta that is still infinite is None."""

from __future__ import annotations

from math import isfinite
from typing import Any

from .nodes import LEAF, Cut, Node, Tree, Window
from .words import EVALUATIONS_IN_WORDS


def facts(tree: Tree) -> dict[str, Any]:
    """All that there is to know about a tree; nodes in the order in which they were visited."""
    values = sorted({node.value for node in tree.nodes})
    return {
        "game": tree.board.game,
        "moves": tree.board.moves,
        "to_move": tree.board.to_move,
        "depth": tree.depth,
        "evaluation": tree.evaluation,
        "evaluation_in_words": EVALUATIONS_IN_WORDS[tree.evaluation],
        "pruning": tree.pruning,
        "order": tree.order,
        "value": tree.value,
        "column": tree.column,
        "line": tree.line[-1].path,
        "visited": tree.visited,
        "with_pruning": tree.with_pruning,
        "without_pruning": tree.without_pruning,
        "pruned_share": round(tree.pruned_share, 4),
        "words": tree.words(),
        # How to show the values that are better not shown as numbers.
        "labels": {value: tree.label(value) for value in values if tree.label(value) != str(value)},
        "nodes": [_node(node) for node in tree.nodes],
    }


def _node(node: Node) -> dict[str, Any]:
    found = {
        "path": node.path,
        "kind": node.kind,
        "player": node.player,
        "over": node.over,
        "value": node.value,
        "bound": node.bound,
        **_window(node.window),
    }
    if node.kind == LEAF:
        return found
    steps = [{"path": step.child.path, "value": step.value, **_window(step.window)} for step in node.steps]
    best = node.best and node.best.path
    return {**found, "best": best, "steps": steps, "cut": node.cut and _cut(node.cut)}


def _cut(cut: Cut) -> dict[str, Any]:
    return {
        "after": cut.after.path,
        **_window(cut.window),
        "columns": cut.columns,
        "spared": cut.spared,
        "reason": cut.reason,
    }


def _window(window: Window) -> dict[str, float | str | None]:
    return {
        "alpha": window.alpha if isfinite(window.alpha) else None,
        "beta": window.beta if isfinite(window.beta) else None,
        "alpha_from": window.alpha_from,
        "beta_from": window.beta_from,
    }
