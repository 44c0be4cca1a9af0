"""What a search leaves behind: its nodes, in the order in which they were visited, and the cuts.

All values are in the view of MAX, who is the side to move at the root: MAX wants them large, MIN wants them small.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import inf, isfinite

from ..board import NAMES, Board
from ..search import win_in

MAX, MIN, LEAF = "max", "min", "leaf"
EXACT, AT_LEAST, AT_MOST = "exact", "at least", "at most"


@dataclass(frozen=True, slots=True)
class Window:
    """Between alpha, which MAX is sure of already, and beta, to which MIN can hold MAX already.

    `alpha_from` and `beta_from` are the paths of the nodes that have these values, None while they are infinite.
    """

    alpha: float = -inf
    beta: float = inf
    alpha_from: str | None = None
    beta_from: str | None = None

    def narrowed(self, kind: str, child: Node) -> Window:
        """The window after a child of a MAX or a MIN node has returned its value."""
        if kind == MAX and child.value > self.alpha:
            return Window(child.value, self.beta, child.path, self.beta_from)
        if kind == MIN and child.value < self.beta:
            return Window(self.alpha, child.value, self.alpha_from, child.path)
        return self

    def is_closed(self) -> bool:
        """Whether no value lies between: what is left to look at cannot matter."""
        return self.alpha >= self.beta


@dataclass(frozen=True, slots=True)
class Step:
    """What a node knows after one of its children: its value so far, and the window for the next."""

    child: Node
    value: int
    window: Window


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a node stopped before it had looked at all its children."""

    after: Node  # the child whose value closed the window
    window: Window
    columns: list[int]  # those that were not looked at
    spared: int  # how many nodes plain minimax looks at there
    reason: str


@dataclass(slots=True, repr=False)
class Node:
    """A position in the tree."""

    number: int  # in the order of visiting, the root being 0
    path: str  # the columns from the root
    kind: str  # MAX, MIN or LEAF
    player: int  # whose turn it is
    window: Window  # on entering
    over: bool = False  # whether the game has ended there
    value: int = 0
    low: float = -inf  # the true minimax value is between these two
    high: float = inf
    best: Node | None = None  # the child that the value comes from
    steps: list[Step] = field(default_factory=list)
    cut: Cut | None = None

    @property
    def column(self) -> int | None:
        """The drop that leads here; None at the root."""
        return int(self.path[-1]) if self.path else None

    @property
    def ply(self) -> int:
        """How many drops below the root."""
        return len(self.path)

    @property
    def children(self) -> list[Node]:
        """Those that were looked at, in that order."""
        return [step.child for step in self.steps]

    @property
    def bound(self) -> str:
        """What the value says: it is EXACT, or the true one is AT_LEAST or AT_MOST that, which was enough to know."""
        if self.low == self.high:
            return EXACT
        return AT_LEAST if self.value == self.low else AT_MOST

    def __repr__(self) -> str:
        bound = "" if self.bound == EXACT else f"{self.bound} "
        return f"<{self.kind.upper()} {self.path or 'root'}, value {bound}{self.value}>"


class Tree:
    """A finished search."""

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
        #: In the order in which they were visited.
        self.nodes = nodes
        #: How many nodes are looked at with alpha-beta pruning, the root and the leaves included; and without.
        self.with_pruning = with_pruning
        self.without_pruning = without_pruning

    @property
    def root(self) -> Node:
        """Where it begins."""
        return self.nodes[0]

    @property
    def value(self) -> int:
        """What minimax gives for the side to move."""
        return self.root.value

    @property
    def column(self) -> int:
        """The column that is chosen: the first in the order of looking among those with the best value."""
        assert self.root.best is not None
        assert self.root.best.column is not None
        return self.root.best.column

    @cached_property
    def line(self) -> list[Node]:
        """The principal line: what both sides play if each does its best, from the root to a leaf."""
        line = [self.root]
        while line[-1].best is not None:
            line.append(line[-1].best)
        return line

    @cached_property
    def by_path(self) -> dict[str, Node]:
        """The nodes by the columns that lead to them."""
        return {node.path: node for node in self.nodes}

    @property
    def visited(self) -> int:
        """How many nodes were looked at, the root and the leaves included."""
        return len(self.nodes)

    @property
    def pruned_share(self) -> float:
        """The share of the nodes that were not looked at."""
        return 1 - self.visited / self.without_pruning

    @property
    def cuts(self) -> list[Cut]:
        """Every cut, in the order in which they happened."""
        cuts = [node.cut for node in self.nodes if node.cut is not None]
        return sorted(cuts, key=lambda cut: cut.after.number)

    def label(self, value: float) -> str:
        """A value as people should see it: in the classic game a win or a loss says in how many moves."""
        return label(self.board, value)

    def words(self) -> str:
        """What came of it, for people."""
        name = NAMES[self.board.to_move].capitalize()
        nodes = f"{self.visited:,} of {self.without_pruning:,} nodes visited, "
        nodes += f"{100 * self.pruned_share:.0f} % pruned" if self.pruning else f"{self.with_pruning:,} with pruning"
        return f"{name} drops in column {self.column}, value {self.label(self.value)}: {nodes}."

    def __repr__(self) -> str:
        return f"<Tree of depth {self.depth}, column {self.column}, {self.visited:,} of {self.without_pruning:,} nodes>"


def label(root: Board, value: float) -> str:
    """A value as people should see it, in a tree that begins with this position."""
    if not isfinite(value):
        return str(value)
    moves = win_in(root, int(value))
    return str(value) if moves is None else f"{'win' if value > 0 else 'loss'} in {moves}"
