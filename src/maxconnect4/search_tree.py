"""The search tree of depth-limited minimax: every node, every alpha-beta cut-off and its reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, isfinite
from typing import Any

from .board import NAMES, Board, opponent
from .errors import IllegalMove, SearchStopped
from .evaluation_descriptions import EVALUATION_DESCRIPTIONS
from .formatting import plural
from .search import CLASSIC_WIN, check_evaluation, evaluate, perft, win_in

__all__ = ["MAX_DEPTH", "ORDERS", "AlphaBeta", "Cut", "Node", "Step", "Tree", "search_tree", "tree_to_dict"]

MAX, MIN, LEAF = "max", "min", "leaf"
EXACT, AT_LEAST, AT_MOST = "exact", "at least", "at most"


@dataclass(frozen=True, slots=True)
class AlphaBeta:
    """The alpha-beta window: MAX can force at least alpha, MIN at most beta.

    `alpha_from` and `beta_from` are the paths of the nodes that determine the bounds; None for infinite bounds.
    """

    alpha: float = -inf
    beta: float = inf
    alpha_from: str | None = None
    beta_from: str | None = None

    def narrowed(self, kind: str, child: Node) -> AlphaBeta:
        """The window of a MAX or MIN node after one of its children."""
        if kind == MAX and child.value > self.alpha:
            return AlphaBeta(child.value, self.beta, child.path, self.beta_from)
        if kind == MIN and child.value < self.beta:
            return AlphaBeta(self.alpha, child.value, self.alpha_from, child.path)
        return self

    def is_closed(self) -> bool:
        """Whether the window is empty: the remaining children cannot change the result."""
        return self.alpha >= self.beta


@dataclass(frozen=True, slots=True)
class Step:
    """The state of a node after one of its children: its value so far, and the window for the next child."""

    child: Node
    value: int
    window: AlphaBeta


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut-off, at which a node skips its remaining children."""

    after: Node  # the child whose value closed the window
    window: AlphaBeta
    columns: list[int]  # the skipped moves
    spared: int  # number of nodes of plain minimax below them
    reason: str


@dataclass(slots=True, repr=False)
class Node:
    """A position in the tree."""

    number: int  # in the order of visiting; the root is 0
    path: str  # the columns from the root
    kind: str  # MAX, MIN or LEAF
    player: int  # the player to move
    window: AlphaBeta  # on entering
    over: bool = False  # whether the game is over
    value: int = 0
    low: float = -inf  # lower bound of the minimax value
    high: float = inf  # upper bound of the minimax value
    best: Node | None = None  # the child that determines the value
    steps: list[Step] = field(default_factory=list)
    cut: Cut | None = None

    @property
    def column(self) -> int | None:
        """The move that leads to the node; None for the root."""
        return int(self.path[-1]) if self.path else None

    @property
    def ply(self) -> int:
        """The number of moves below the root."""
        return len(self.path)

    @property
    def children(self) -> list[Node]:
        """The searched children, in order."""
        return [step.child for step in self.steps]

    @property
    def bound(self) -> str:
        """The kind of the value: EXACT, or AT_LEAST or AT_MOST for a bound of the minimax value."""
        if self.low == self.high:
            return EXACT
        return AT_LEAST if self.value == self.low else AT_MOST

    def __repr__(self) -> str:
        bound = "" if self.bound == EXACT else f"{self.bound} "
        return f"<{self.kind.upper()} {self.path or 'root'}, value {bound}{self.value}>"


class Tree:
    """The tree of a finished search."""

    def __init__(
        self,
        board: Board,
        depth: int,
        evaluation: str,
        pruning: bool,
        order: str,
        nodes: list[Node],
        with_pruning: int,
        without_pruning: int,
    ) -> None:
        #: The position at the root.
        self.board = board
        self.depth = depth
        self.evaluation = evaluation
        self.pruning = pruning
        self.order = order
        #: The nodes in the order of visiting.
        self.nodes = nodes
        #: The number of nodes with alpha-beta pruning, including root and leaves.
        self.with_pruning = with_pruning
        #: The number of nodes of plain minimax.
        self.without_pruning = without_pruning

    @property
    def root(self) -> Node:
        """The root node."""
        return self.nodes[0]

    @property
    def value(self) -> int:
        """The minimax value for the player to move."""
        return self.root.value

    @property
    def column(self) -> int:
        """The chosen column: the first column with the best value in the order of the search."""
        assert self.root.best is not None
        assert self.root.best.column is not None
        return self.root.best.column

    @cached_property
    def line(self) -> list[Node]:
        """The principal variation, from the root to a leaf."""
        line = [self.root]
        while line[-1].best is not None:
            line.append(line[-1].best)
        return line

    @cached_property
    def by_path(self) -> dict[str, Node]:
        """The nodes by path."""
        return {node.path: node for node in self.nodes}

    @property
    def visited(self) -> int:
        """The number of visited nodes, including root and leaves."""
        return len(self.nodes)

    @property
    def pruned_share(self) -> float:
        """The share of the nodes that pruning saved."""
        return 1 - self.visited / self.without_pruning

    @property
    def cuts(self) -> list[Cut]:
        """All cut-offs in the order of the search."""
        cuts = [node.cut for node in self.nodes if node.cut is not None]
        return sorted(cuts, key=lambda cut: cut.after.number)

    def label(self, value: float) -> str:
        """Format a value: see `format_label`."""
        return format_label(self.board, value)

    def summary(self) -> str:
        """Format the result of the search in one sentence."""
        name = NAMES[self.board.to_move].capitalize()
        nodes = f"{self.visited:,} of {self.without_pruning:,} nodes visited, "
        nodes += f"{100 * self.pruned_share:.0f} % pruned" if self.pruning else f"{self.with_pruning:,} with pruning"
        return f"{name} plays column {self.column}, value {self.label(self.value)}: {nodes}."

    def __repr__(self) -> str:
        return f"<Tree of depth {self.depth}, column {self.column}, {self.visited:,} of {self.without_pruning:,} nodes>"


def format_label(root: Board, value: float) -> str:
    """Format a value in a tree with this root. A classic win or loss is formatted as its number of moves."""
    if not isfinite(value):
        return str(value)
    moves = win_in(root, int(value))
    return str(value) if moves is None else f"{'win' if value > 0 else 'loss'} in {moves}"


def format_node(tree: Tree, node: Node) -> str:
    """Describe a node in a few lines: its kind, value, window and cut-off."""
    lines = [f"{_place(node)}: {_description(tree, node)}", _value(tree, node)]
    if tree.pruning and node.kind != LEAF:
        lines.append(f"Entered with {format_window(tree, node)}.")
    if node.cut is not None:
        columns = ", ".join(map(str, node.cut.columns))
        nodes = plural(node.cut.spared, "node")
        lines.append(f"Cut off after column {node.cut.after.column}: {node.cut.reason}.")
        lines.append(f"Not searched: column{'s' * (len(node.cut.columns) > 1)} {columns} ({nodes}).")
    return "\n".join(lines)


def cut_reason(root: Board, kind: str, value: int, window: AlphaBeta) -> str:
    """The reason for a cut-off at a MAX or MIN node with this value."""
    if kind == MAX:
        compared, limit, source = "at least beta", window.beta, window.beta_from
        name = NAMES[opponent(root.to_move)]
    else:
        compared, limit, source = "at most alpha", window.alpha, window.alpha_from
        name = NAMES[root.to_move]
    reason = f"{name} already has an equal alternative" if value == limit else f"{name} would avoid this position"
    return f"value {format_label(root, value)} is {compared} {format_label(root, limit)}, known from {source}: {reason}"


def format_window(tree: Tree, node: Node) -> str:
    """Format the window of a node on entry."""
    entered = node.window
    alpha = f"alpha {tree.label(entered.alpha)}" + (f" (from {entered.alpha_from})" if entered.alpha_from else "")
    beta = f"beta {tree.label(entered.beta)}" + (f" (from {entered.beta_from})" if entered.beta_from else "")
    return f"{alpha} and {beta}"


def format_value(tree: Tree, node: Node) -> str:
    """Format a value with the sign of its bound: 3, <=3 or >=3."""
    sign = "" if node.bound == EXACT else ">=" if node.bound == AT_LEAST else "<="
    return sign + tree.label(node.value)


def _place(node: Node) -> str:
    return f"After {' '.join(node.path)}" if node.path else "The root"


def _description(tree: Tree, node: Node) -> str:
    if node.over:
        return "the game is over"
    if node.kind == LEAF:
        return f"a leaf, valued by {tree.evaluation}"
    role = "MAX, who takes the largest value" if node.kind == MAX else "MIN, who takes the smallest value"
    return f"{NAMES[node.player]} is {role}"


def _value(tree: Tree, node: Node) -> str:
    bound = "" if node.bound == EXACT else f"{node.bound} "
    source = "" if node.best is None else f", from column {node.best.column}"
    return f"Value {bound}{tree.label(node.value)}{source}."


def tree_to_dict(tree: Tree) -> dict[str, Any]:
    """The JSON form of a tree, with the nodes in the order of visiting."""
    values = sorted({node.value for node in tree.nodes})
    return {
        "game": tree.board.game,
        "moves": tree.board.moves,
        "to_move": tree.board.to_move,
        "depth": tree.depth,
        "evaluation": tree.evaluation,
        "evaluation_description": EVALUATION_DESCRIPTIONS[tree.evaluation],
        "pruning": tree.pruning,
        "order": tree.order,
        "value": tree.value,
        "column": tree.column,
        "pv": tree.line[-1].path,
        "visited": tree.visited,
        "with_pruning": tree.with_pruning,
        "without_pruning": tree.without_pruning,
        "pruned_share": round(tree.pruned_share, 4),
        "description": tree.summary(),
        # Text forms of values that are not formatted as numbers.
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


def _window(window: AlphaBeta) -> dict[str, float | str | None]:
    return {
        "alpha": window.alpha if isfinite(window.alpha) else None,
        "beta": window.beta if isfinite(window.beta) else None,
        "alpha_from": window.alpha_from,
        "beta_from": window.beta_from,
    }


MAX_DEPTH = 4  # 2801 nodes from the empty board, the maximum for a readable drawing
ORDERS = ("centre", "left")


def search_tree(
    board: Board,
    depth: int,
    evaluation: str = "best",
    pruning: bool = True,
    order: str = "centre",
    stop: Callable[[], bool] = lambda: False,
) -> Tree:
    """Search for the player to move and return the tree.

    Args:
        board: The position.
        depth: The depth in plies, from 1 to 4.
        evaluation: The name of the evaluation function.
        pruning: Whether to use alpha-beta pruning.
        order: The move ordering: "centre", from the centre outwards, or "left", from left to right. With "centre", ties
            are broken as in `choose`.
        stop: Called at every node. If it returns True, the search raises SearchStopped.
    """
    check_evaluation(evaluation)
    if order not in ORDERS:
        raise ValueError(f"'{order}' is not a move ordering: choose {' or '.join(ORDERS)}")
    if not 1 <= depth <= MAX_DEPTH:
        raise ValueError(f"depth {depth}: choose 1 to {MAX_DEPTH}")
    if board.is_over():
        raise IllegalMove("the game is over: there is nothing to search")
    search = _Search(board, evaluation, pruning, order, stop)
    search.visit("", depth, AlphaBeta())
    pruned = search if pruning else _Search(board, evaluation, True, order, stop)
    if not pruning:
        pruned.visit("", depth, AlphaBeta())
    counts = len(pruned.nodes), len(search.nodes) + search.spared
    return Tree(board.copy(), depth, evaluation, pruning, order, search.nodes, *counts)


class _Search:
    def __init__(self, board: Board, evaluation: str, pruning: bool, order: str, stop: Callable[[], bool]) -> None:
        self.root = board
        self.board = board.copy()
        self.searcher = board.to_move
        self.evaluation = evaluation
        self.pruning = pruning
        self.stop = stop
        self.columns = board.from_the_centre() if order == "centre" else list(board.all_columns())
        self.nodes: list[Node] = []
        self.spared = 0

    def visit(self, path: str, depth: int, window: AlphaBeta) -> Node:
        """Search the position on the board to a depth, and return its node."""
        if self.stop():
            raise SearchStopped
        open_columns = set(self.board.columns())
        to_move = self.board.to_move
        kind = LEAF if depth == 0 or not open_columns else MAX if to_move == self.searcher else MIN
        node = Node(len(self.nodes), path, kind, to_move, window, over=not open_columns)
        self.nodes.append(node)
        if kind == LEAF:
            node.value = self.final_value() if node.over else evaluate(self.board, self.evaluation, self.searcher)
            node.low = node.high = node.value
        else:
            self.search_children(node, [column for column in self.columns if column in open_columns], depth)
        return node

    def search_children(self, node: Node, columns: list[int], depth: int) -> None:
        """Set a node's value to the largest or smallest value of its children, up to a cut-off."""
        window = node.window
        for searched, column in enumerate(columns, start=1):
            self.board.drop(column)
            child = self.visit(f"{node.path}{column}", depth - 1, window)
            self.board.undo()
            if node.best is None or (child.value > node.value if node.kind == MAX else child.value < node.value):
                node.best, node.value = child, child.value
            if self.pruning:
                window = window.narrowed(node.kind, child)
            node.steps.append(Step(child, node.value, window))
            if window.is_closed() and searched < len(columns):
                reason = cut_reason(self.root, node.kind, node.value, window)
                rest = columns[searched:]
                node.cut = Cut(child, window, rest, self.size(rest, depth), reason)
                self.spared += node.cut.spared
                break
        # Proved bounds: the minimax value of each searched child is between its low and its high.
        best_of = max if node.kind == MAX else min
        node.low = best_of(child.low for child in node.children)
        node.high = best_of(child.high for child in node.children)
        if node.cut is not None and node.kind == MAX:
            node.high = AlphaBeta().beta  # skipped children may be better
        elif node.cut is not None:
            node.low = AlphaBeta().alpha

    def final_value(self) -> int:
        """The value of a finished game: the margin; in the classic game a larger value for an earlier win."""
        if self.board.game == "max":
            return self.board.margin(self.searcher)
        winner = self.board.winner()
        if winner is None:
            return 0
        value = CLASSIC_WIN - self.board.pieces()
        return value if winner == self.searcher else -value

    def size(self, columns: list[int], depth: int) -> int:
        """The number of nodes of plain minimax below these columns."""
        if depth == 1:
            return len(columns)
        nodes = 0
        for column in columns:
            self.board.drop(column)
            nodes += sum(perft(self.board, plies) for plies in range(depth))
            self.board.undo()
        return nodes
