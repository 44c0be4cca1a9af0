"""The drawing of a search tree as an SVG file, and its layout.

Children are side by side below their parent. In deep trees, which have hundreds of leaves, the leaves of a node are a
vertical list instead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from .board import EMPTY, GREEN, NAMES, RED, Board, opponent
from .search_tree import LEAF, MAX, Node, Tree, format_node, format_value

CHARACTER = 0.6  # width of a digit as a fraction of the font size
LARGE, SMALL = 13.0, 10.0  # font sizes of values
GAP = 6.0  # between neighbours
BRANCH = 11.0  # between the stubs of cut-off branches
LAYER = 116.0
LINE = 17.0  # the height of a leaf in a list
SHORT = 2  # up to this depth all leaves are in a row
ROOT_WITHIN = 640.0  # maximum distance of the root from the left edge in a wide drawing


@dataclass(slots=True)
class Place:
    """The place of a node: its centre, the size of its shape and font, and the width of its subtree."""

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
    """The places of all nodes and of the stubs of cut-off branches."""

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
        """The font size of a node's value: small outside the principal variation of a deep tree."""
        deep = self.tree.depth > SHORT and node.ply >= self.tree.depth - 1
        if node.kind == LEAF:
            return SMALL if deep else LARGE - 1
        return SMALL if deep and node.path not in self.on_line else LARGE

    def text_width(self, node: Node) -> float:
        """The width of a node's value."""
        return CHARACTER * self.font(node) * len(format_value(self.tree, node).replace("=", ""))

    def shape(self, node: Node) -> tuple[float, float]:
        """The width and height of a box, or of a triangle with the value in its wider half."""
        if node.kind == LEAF:
            return max(self.text_width(node), 14) + 8, 1.7 * self.font(node)
        return max(1.5 * self.text_width(node) + 20, 3.2 * self.font(node)), 2.9 * self.font(node)

    def stub_width(self, node: Node) -> float:
        """The width of the stubs of a cut-off and its short reason."""
        if node.cut is None:
            return 0
        return max(BRANCH * len(node.cut.columns) + 8, 86.0 if self.tree.depth <= SHORT else 0)

    def window_width(self, node: Node) -> float:
        """The width of alpha and beta next to a node."""
        labels = (self.tree.label(node.window.alpha), self.tree.label(node.window.beta))
        return 6.2 * (2 + max(len(label) for label in labels)) + 4 if self.tree.pruning else 0

    def _width(self, node: Node) -> float:
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
        subtree = self._width(node)
        y = self.top + LAYER * node.ply + (2.9 * LARGE) / 2
        place = Place(left + subtree / 2, y, width, height, self.font(node), left, left + subtree)
        self.places[node.path] = place
        if self.has_list(node):
            self._place_list(node, place)
        elif node.kind != LEAF:
            at = left + (subtree - self._children_width(node)) / 2
            for child in node.children:
                self._place(child, at)
                at += self._width(child)
            middle = self.places[node.children[0].path].x + self.places[node.children[-1].path].x
            reach = width / 2 + GAP / 2
            place.x = min(max(middle / 2, left + reach), left + subtree - reach)
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


INFINITE, SIGN = re.compile(r"\binf\b"), re.compile(r"-(?=[\d∞])")
MARGIN = 24.0
CELL = 15.0
LEAST_WIDTH = 860.0
WIDE = 900.0  # width of a subtree above which a deep tree has horizontal edges
LEVEL = 22.0  # distance of a horizontal edge below the node
STUB = 46.0  # height of the stubs of a cut-off
SPINE = 15.0  # distance of the edge left of a list
BLADES = "M-5,-4 L4,3 M-5,4 L4,-3"
HANDLES = "M4,3 a2.2,2.2 0 1,0 4,1.6 a2.2,2.2 0 1,0 -4,-1.6 M4,-3 a2.2,2.2 0 1,1 4,-1.6 a2.2,2.2 0 1,1 -4,1.6"
SCISSORS = f"{BLADES} {HANDLES}"


def tree_svg(tree: Tree) -> str:
    """Draw a tree. Returns the text of an SVG file."""
    head = MARGIN + CELL * (tree.board.height + 1) + 34
    layout = Layout(tree, MARGIN, head)
    width = max(layout.right + MARGIN, LEAST_WIDTH)
    height = layout.bottom + MARGIN
    css = Path(__file__).with_name("search_tree.css").read_text()
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-labelledby="title description">',
        f'<title id="title">{escape(_title(tree))}</title>',
        f'<desc id="description">{escape(tree.summary())}</desc>',
        f"<style>\n{css}</style>",
        f'<defs><path id="scissors" d="{SCISSORS}" class="cut"/></defs>',
        f'<rect class="background" width="{width:.0f}" height="{height:.0f}"/>',
        *_head(tree),
        *_edges(tree, layout),
        *(part for node in tree.nodes for part in _node(tree, layout, node)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


# The head: the position, a description and a legend


def _head(tree: Tree) -> list[str]:
    left = MARGIN + CELL * tree.board.width + 24
    searcher, rival = NAMES[tree.board.to_move], NAMES[opponent(tree.board.to_move)]
    legend = [
        (f"<path class='{searcher}-node' d='{_triangle(Place(0, 0, 20, 16, 0, 0, 0), up=True)}'/>", f"MAX, {searcher}"),
        (f"<path class='{rival}-node' d='{_triangle(Place(0, 0, 20, 16, 0, 0, 0), up=False)}'/>", f"MIN, {rival}"),
        ("<rect class='leaf' x='-10' y='-8' width='20' height='16' rx='2'/>", "leaf"),
        ("<path class='edge principal-variation' d='M-10,0 h20'/>", "principal variation"),
        (f"<path class='cut' d='{SCISSORS}'/>", "cut off"),
    ]
    parts = _small_board(tree.board)
    texts = [("title", _title(tree)), ("text", tree.summary()), ("text muted", _method(tree))]
    y = MARGIN + 16
    for kind, text in texts:
        parts.append(f'<text class="{kind}" x="{left:.0f}" y="{y:.0f}">{escape(_minus(text))}</text>')
        y += 23
    x = left + 10
    for mark, text in legend:
        parts.append(f'<g transform="translate({x:.0f},{y + 2:.0f})">{mark}</g>'.replace("'", '"'))
        parts.append(f'<text class="text muted" x="{x + 16:.0f}" y="{y + 7:.0f}">{text}</text>')
        x += 46 + 7 * len(text)
    return parts


def _title(tree: Tree) -> str:
    moves = tree.board.moves
    after = "The empty board" if moves == "" else f"After {moves}" if moves else f"{tree.board.pieces()} pieces"
    game = "" if tree.board.game == "max" else ", classic"
    return f"{after}{game}: {NAMES[tree.board.to_move]} to move, depth {tree.depth}, evaluation {tree.evaluation}"


def _method(tree: Tree) -> str:
    order = "from the centre outwards" if tree.order == "centre" else "from left to right"
    search = "Minimax with alpha-beta pruning" if tree.pruning else "Plain minimax"
    return f"{search}, columns {order}; all values in {NAMES[tree.board.to_move]}'s view."


def _small_board(board: Board) -> list[str]:
    width, height = CELL * board.width, CELL * board.height
    parts = [f'<rect class="frame" x="{MARGIN}" y="{MARGIN}" width="{width}" height="{height}" rx="4"/>']
    for column in board.all_columns():
        x = MARGIN + CELL * (column - 0.5)
        for row in range(1, board.height + 1):
            y = MARGIN + CELL * (board.height - row + 0.5)
            piece = board.cell(column, row)
            kind = "hole" if piece == EMPTY else NAMES[piece]
            parts.append(f'<circle class="{kind}" cx="{x}" cy="{y}" r="{CELL * 0.42:.1f}"/>')
            if piece == RED:
                parts.append(f'<circle class="ring" cx="{x}" cy="{y}" r="{CELL * 0.2:.1f}"/>')
            elif piece == GREEN:
                parts.append(f'<path class="cross" d="M{x - 3},{y - 3} l6,6 m0,-6 l-6,6"/>')
        parts.append(f'<text class="column" x="{x}" y="{MARGIN + height + 13}">{column}</text>')
    return parts


# The tree itself


def _edges(tree: Tree, layout: Layout) -> list[str]:
    plain, line = [], []
    for node in tree.nodes:
        start = layout.places[node.path]
        for child in node.children:
            edge = f'd="{_edge(layout, start, layout.places[child.path])}"/>'
            if child is node.best and node.path in layout.on_line:
                line.append(f'<path class="edge principal-variation" {edge}')
            else:
                plain.append(f'<path class="edge" {edge}')
        if node.cut is not None:
            plain += _stubs(tree, layout, node)
    return plain + line


def _edge(layout: Layout, start: Place, end: Place) -> str:
    tip = f"M{start.x:.1f},{start.bottom:.1f}"
    if end.listed:
        left = end.x - end.width / 2
        return f"{tip} L{left - SPINE:.1f},{start.bottom + 7:.1f} V{end.y:.1f} h{SPINE - 10:.1f}"
    if _has_level_edges(layout, start):
        return f"{tip} V{start.bottom + LEVEL:.1f} H{end.x:.1f} V{end.top:.1f}"
    return f"{tip} L{end.x:.1f},{end.top:.1f}"


def _has_level_edges(layout: Layout, place: Place) -> bool:
    return layout.tree.depth > SHORT and place.right - place.left > WIDE


def _stubs(tree: Tree, layout: Layout, node: Node) -> list[str]:
    """A cut-off: a dashed stub for each branch, scissors, and a short reason."""
    assert node.cut is not None
    title = f"<g><title>{escape(_minus(format_node(tree, node)))}</title>"
    columns = node.cut.columns
    place, last = layout.places[node.path], layout.places[node.children[-1].path]
    if last.listed:
        x, y = last.x - last.width / 2 - SPINE, last.y + LINE
        return [
            title,
            f'<path class="cut cut-edge" d="M{x:.1f},{last.y:.1f} V{y:.1f} h5"/>{_scissors(x, y - LINE / 2, 0.8, 90)}',
            f'<text class="cut-columns" x="{last.x - 1:.1f}" y="{y + 3.5:.1f}">{"".join(map(str, columns))}</text></g>',
        ]
    level = _has_level_edges(layout, place)
    beside = last.x if level else place.x + (last.x - place.x) * STUB / (last.top - place.bottom)
    left = max(beside + BRANCH, place.x - BRANCH * (len(columns) - 1) / 2 if level else place.x + 4)
    end = place.bottom + STUB
    parts = [title]
    for at, column in enumerate(columns):
        x = left + BRANCH * at
        path = f"V{place.bottom + LEVEL:.1f} H{x:.1f} V{end:.1f}" if level else f"L{x:.1f},{end:.1f}"
        parts.append(f'<path class="cut cut-edge" d="M{place.x:.1f},{place.bottom:.1f} {path}"/>')
        parts.append(f'<text class="cut-columns" x="{x:.1f}" y="{end + 11:.1f}">{column}</text>')
    middle = left + BRANCH * (len(columns) - 1) / 2
    share = 1.0 if level else 0.66
    parts.append(_scissors(place.x + (middle - place.x) * share, place.bottom + STUB * 0.66, 1.25))
    if tree.depth <= SHORT:
        short = escape(_short_reason(tree, node))
        beside = place.x + (last.x - place.x) * min(1, (STUB + 30) / (last.top - place.bottom))
        x = max(left - BRANCH / 2, beside + BRANCH)
        parts.append(f'<text class="reason" x="{x:.1f}" y="{end + 26:.1f}">{short}</text>')
    return [*parts, "</g>"]


def _scissors(x: float, y: float, size: float, turn: int = 0) -> str:
    return f'<use href="#scissors" transform="translate({x:.1f},{y:.1f}) rotate({turn}) scale({size})"/>'


def _short_reason(tree: Tree, node: Node) -> str:
    assert node.cut is not None
    window = node.cut.window
    if node.kind == MAX:
        return _minus(f"{tree.label(node.value)} ≥ β {tree.label(window.beta)}")
    return _minus(f"{tree.label(node.value)} ≤ α {tree.label(window.alpha)}")


def _node(tree: Tree, layout: Layout, node: Node) -> list[str]:
    place = layout.places[node.path]
    on_line = node.path in layout.on_line
    best = " best" if on_line else ""
    parts = [f"<g><title>{escape(_minus(format_node(tree, node)))}</title>"]
    if node.kind == LEAF:
        parts.append(
            f'<rect class="leaf{best}" x="{place.x - place.width / 2:.1f}" y="{place.top:.1f}" '
            f'width="{place.width:.1f}" height="{place.height:.1f}" rx="2"/>'
        )
        baseline = place.y + place.font * 0.36
    else:
        up = node.kind == MAX
        parts.append(f'<path class="{NAMES[node.player]}-node{best}" d="{_triangle(place, up)}"/>')
        baseline = place.y + place.font * (0.98 if up else -0.3)
    strong = " strong" if on_line else ""
    shown = _minus(format_value(tree, node)).replace("<=", "≤").replace(">=", "≥")
    parts.append(
        f'<text class="value{strong}" x="{place.x:.1f}" y="{baseline:.1f}" font-size="{place.font:g}">{shown}</text>'
    )
    if place.listed:
        parts.append(
            f'<text class="column listed" x="{place.x - place.width / 2 - 5.5:.1f}" y="{place.y + 3.4:.1f}">'
            f"{node.column}</text>"
        )
    elif node.path:
        parts.append(f'<text class="column" x="{place.x:.1f}" y="{place.top - 6:.1f}">{node.column}</text>')
    if tree.pruning and node.kind != LEAF and _window_fits(layout, node, place):
        x = place.x + place.width / 2 + 3
        for name, limit, y in (("α", node.window.alpha, place.y - 3), ("β", node.window.beta, place.y + 10)):
            parts.append(f'<text class="window" x="{x:.1f}" y="{y:.1f}">{name} {_minus(tree.label(limit))}</text>')
    return [*parts, "</g>"]


def _window_fits(layout: Layout, node: Node, place: Place) -> bool:
    return place.x + place.width / 2 + layout.window_width(node) <= place.right


def _triangle(place: Place, up: bool) -> str:
    left, right = place.x - place.width / 2, place.x + place.width / 2
    base, tip = (place.bottom, place.top) if up else (place.top, place.bottom)
    return f"M{left:.1f},{base:.1f} H{right:.1f} L{place.x:.1f},{tip:.1f} Z"


def _minus(text: str) -> str:
    """Replace hyphens before numbers by minus signs, and `inf` by the infinity sign."""
    return SIGN.sub("−", INFINITE.sub("∞", text))
