"""Where each node of a drawn tree goes.

Children stand side by side under their parent. In deep trees the leaves of one node stand below each other instead, as
a list: there are hundreds of them, and a drawing should not be a mile wide.
"""

from __future__ import annotations

from dataclasses import dataclass

from .nodes import LEAF, Node, Tree
from .words import value

CHARACTER = 0.6  # the width of a digit, in sizes of the font
LARGE, SMALL = 13.0, 10.0  # sizes of the font of values
GAP = 6.0  # between neighbours
BRANCH = 11.0  # between the stubs of branches that were cut off
LAYER = 116.0
LINE = 17.0  # the height of a leaf in a list
SHORT = 2  # up to this depth all leaves stand in a row
ROOT_WITHIN = 640.0  # in a wide drawing the root stays where one begins to look


@dataclass(slots=True)
class Place:
    """Where a node is: its centre, the size of its shape and of its font, and the room that its subtree has."""

    x: float
    y: float
    width: float
    height: float
    font: float
    left: float
    right: float
    listed: bool = False  # a leaf in a list

    @property
    def top(self) -> float:
        """The upper edge of the shape."""
        return self.y - self.height / 2

    @property
    def bottom(self) -> float:
        """The lower edge of the shape."""
        return self.y + self.height / 2


class Layout:
    """The places of all nodes, and of the stubs of branches that were cut off."""

    def __init__(self, tree: Tree, left: float, top: float) -> None:
        self.tree = tree
        self.top = top
        self.places: dict[str, Place] = {}
        self._widths: dict[str, float] = {}
        self.on_line = {node.path for node in tree.line}
        self.right = left + self._width(tree.root)
        self.bottom = top
        self._place(tree.root, left)
        root = self.places[""]
        if root.x > ROOT_WITHIN and tree.depth > SHORT:
            root.x = max(ROOT_WITHIN, left + root.width)

    def has_list(self, node: Node) -> bool:
        """Whether the leaves of a node are drawn as a list."""
        return self.tree.depth > SHORT and node.ply == self.tree.depth - 1 and node.kind != LEAF

    def font(self, node: Node) -> float:
        """The size of a node's value: small off the principal line of a deep tree."""
        deep = self.tree.depth > SHORT and node.ply >= self.tree.depth - 1
        if node.kind == LEAF:
            return SMALL if deep else LARGE - 1
        return SMALL if deep and node.path not in self.on_line else LARGE

    def text_width(self, node: Node) -> float:
        """What a node's value takes."""
        return CHARACTER * self.font(node) * len(value(self.tree, node).replace("=", ""))

    def shape(self, node: Node) -> tuple[float, float]:
        """The width and height of a box, or of a triangle with the value in its broader half."""
        if node.kind == LEAF:
            return max(self.text_width(node), 14) + 8, 1.7 * self.font(node)
        return max(1.5 * self.text_width(node) + 20, 3.2 * self.font(node)), 2.9 * self.font(node)

    def stub_width(self, node: Node) -> float:
        """What the stubs of a cut take, with room for the reason in short."""
        if node.cut is None:
            return 0
        return max(BRANCH * len(node.cut.columns) + 8, 86.0 if self.tree.depth <= SHORT else 0)

    def window_width(self, node: Node) -> float:
        """What alpha and beta take beside a node."""
        labels = (self.tree.label(node.window.alpha), self.tree.label(node.window.beta))
        return 6.2 * (2 + max(len(label) for label in labels)) + 4 if self.tree.pruning else 0

    def _width(self, node: Node) -> float:
        """The room that a node and all below it take side by side."""
        if node.path not in self._widths:
            self._widths[node.path] = self._measured(node)
        return self._widths[node.path]

    def _measured(self, node: Node) -> float:
        own = self.shape(node)[0]
        if node.kind == LEAF:
            return own + GAP
        if self.has_list(node):
            return max(own, max(self.shape(child)[0] for child in node.children) + 24) + GAP
        if self.tree.depth <= SHORT or node.path in self.on_line:
            own += 2 * self.window_width(node)
        return max(own + GAP, self._children_width(node))

    def _children_width(self, node: Node) -> float:
        return sum(map(self._width, node.children)) + self.stub_width(node) + GAP

    def _place(self, node: Node, left: float) -> None:
        width, height = self.shape(node)
        room = self._width(node)
        y = self.top + LAYER * node.ply + (2.9 * LARGE) / 2
        place = Place(left + room / 2, y, width, height, self.font(node), left, left + room)
        self.places[node.path] = place
        if self.has_list(node):
            self._place_list(node, place)
        elif node.kind != LEAF:
            at = left + (room - self._children_width(node)) / 2
            for child in node.children:
                self._place(child, at)
                at += self._width(child)
            middle = self.places[node.children[0].path].x + self.places[node.children[-1].path].x
            reach = width / 2 + GAP / 2
            place.x = min(max(middle / 2, left + reach), left + room - reach)
        self.bottom = max(self.bottom, place.bottom)

    def _place_list(self, node: Node, parent: Place) -> None:
        widest = max(self.shape(child)[0] for child in node.children)
        y = parent.bottom + 20
        for child in node.children:
            x = parent.x + 8
            height = LINE - 2
            self.places[child.path] = Place(
                x, y, widest, height, self.font(child), parent.left, parent.right, listed=True
            )
            y += LINE
        self.bottom = max(self.bottom, y + (LINE if node.cut is not None else 0))
