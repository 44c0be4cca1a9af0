"""Depth-limited minimax with alpha-beta pruning, as it is taught, which writes down all that it does.

This is for looking at. `maxconnect4.search` plays: it comes to the same value and column, much faster.
"""

from __future__ import annotations

from ..errors import IllegalMove
from ..search import CLASSIC_WIN, check_evaluation, evaluate, perft
from .nodes import LEAF, MAX, MIN, Cut, Node, Step, Tree, Window
from .words import reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..board import Board

DEEPEST = 4  # from the empty board that is 2801 nodes, about as many as one can draw
ORDERS = ("centre", "left")


def search_tree(
    board: Board,
    depth: int,
    evaluation: str = "best",
    pruning: bool = True,
    order: str = "centre",
    watch: Callable[[], object] = lambda: None,
) -> Tree:
    """The tree that is searched for the side to move, `depth` plies deep: 1 to 4.

    `order` is that in which columns are looked at: "centre", from the centre outwards, the left one of two as near
    first, which with the first best one being taken is how `choose` breaks ties; or "left", from left to right.
    `watch` is called at every node, and may raise to end the search.
    """
    check_evaluation(evaluation)
    if order not in ORDERS:
        raise ValueError(f"'{order}' is not an order of columns: choose {' or '.join(ORDERS)}")
    if not 1 <= depth <= DEEPEST:
        raise ValueError(f"depth {depth} is not one of 1 to {DEEPEST}")
    if board.is_over():
        raise IllegalMove("the game is over: there is nothing to search")
    search = _Search(board, evaluation, pruning, order, watch)
    search.visit("", depth, Window())
    pruned = search if pruning else _Search(board, evaluation, True, order, watch)
    if not pruning:
        pruned.visit("", depth, Window())
    counts = len(pruned.nodes), len(search.nodes) + search.spared
    return Tree(board.copy(), depth, evaluation, pruning, order, search.nodes, *counts)


class _Search:
    def __init__(self, board: Board, evaluation: str, pruning: bool, order: str, watch: Callable[[], object]) -> None:
        self.root = board
        self.board = board.copy()
        self.searcher = board.to_move
        self.evaluation = evaluation
        self.pruning = pruning
        self.watch = watch
        self.columns = board.from_the_centre() if order == "centre" else list(board.all_columns())
        self.nodes: list[Node] = []
        self.spared = 0

    def visit(self, path: str, depth: int, window: Window) -> Node:
        """Look at the position on the board, so many plies before the horizon, and return it with its value."""
        self.watch()
        open_columns = set(self.board.columns())
        to_move = self.board.to_move
        kind = LEAF if depth == 0 or not open_columns else MAX if to_move == self.searcher else MIN
        node = Node(len(self.nodes), path, kind, to_move, window, over=not open_columns)
        self.nodes.append(node)
        if kind == LEAF:
            node.value = self.final_value() if node.over else evaluate(self.board, self.evaluation, self.searcher)
            node.low = node.high = node.value
        else:
            self.look_at_children(node, [column for column in self.columns if column in open_columns], depth)
        return node

    def look_at_children(self, node: Node, columns: list[int], depth: int) -> None:
        """Give a node the largest value of its children, or the smallest, until the rest cannot matter."""
        window = node.window
        for looked_at, column in enumerate(columns, start=1):
            self.board.drop(column)
            child = self.visit(f"{node.path}{column}", depth - 1, window)
            self.board.undo()
            if node.best is None or (child.value > node.value if node.kind == MAX else child.value < node.value):
                node.best, node.value = child, child.value
            if self.pruning:
                window = window.narrowed(node.kind, child)
            node.steps.append(Step(child, node.value, window))
            if window.is_closed() and looked_at < len(columns):
                why = reason(self.root, node.kind, node.value, window)
                rest = columns[looked_at:]
                node.cut = Cut(child, window, rest, self.size(rest, depth), why)
                self.spared += node.cut.spared
                break
        # What is certain: of the children that were looked at, each is at least its low and at most its high.
        best_of = max if node.kind == MAX else min
        node.low = best_of(child.low for child in node.children)
        node.high = best_of(child.high for child in node.children)
        if node.cut is not None and node.kind == MAX:
            node.high = Window().beta  # what was not looked at may be better still
        elif node.cut is not None:
            node.low = Window().alpha

    def final_value(self) -> int:
        """What a finished game is worth: the margin; in the classic game a win, sooner wins being worth more."""
        if self.board.game == "max":
            return self.board.margin(self.searcher)
        winner = self.board.winner()
        if winner is None:
            return 0
        worth = CLASSIC_WIN - self.board.pieces()
        return worth if winner == self.searcher else -worth

    def size(self, columns: list[int], depth: int) -> int:
        """How many nodes plain minimax looks at behind these columns."""
        if depth == 1:
            return len(columns)
        nodes = 0
        for column in columns:
            self.board.drop(column)
            nodes += sum(perft(self.board, plies) for plies in range(depth))
            self.board.undo()
        return nodes
