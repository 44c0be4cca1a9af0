"""A tree as one SVG file that needs nothing else: values in triangles and boxes, marks where branches were cut off."""

from __future__ import annotations

import re
from pathlib import Path
from xml.sax.saxutils import escape

from ..board import EMPTY, GREEN, NAMES, RED, Board, other
from .layout import BRANCH, LINE, SHORT, Layout, Place
from .nodes import LEAF, MAX, Node, Tree
from .words import described, value

INFINITE, SIGN = re.compile(r"\binf\b"), re.compile(r"-(?=[\d∞])")
MARGIN = 24.0
CELL = 15.0
LEAST_WIDTH = 860.0
WIDE = 900.0  # in a deep tree a node whose children are further apart has level edges to them
LEVEL = 22.0  # how far below the node they run
STUB = 46.0  # how far down the stubs of a cut go
SPINE = 15.0  # how far left of a list its edge runs
BLADES = "M-5,-4 L4,3 M-5,4 L4,-3"
HANDLES = "M4,3 a2.2,2.2 0 1,0 4,1.6 a2.2,2.2 0 1,0 -4,-1.6 M4,-3 a2.2,2.2 0 1,1 4,-1.6 a2.2,2.2 0 1,1 -4,1.6"
SCISSORS = f"{BLADES} {HANDLES}"


def drawing(tree: Tree) -> str:
    """The picture, as the text of an SVG file."""
    head = MARGIN + CELL * (tree.board.height + 1) + 34
    layout = Layout(tree, MARGIN, head)
    width = max(layout.right + MARGIN, LEAST_WIDTH)
    height = layout.bottom + MARGIN
    css = Path(__file__).with_name("picture.css").read_text()
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-labelledby="title words">',
        f'<title id="title">{escape(_title(tree))}</title>',
        f'<desc id="words">{escape(tree.words())}</desc>',
        f"<style>\n{css}</style>",
        f'<defs><path id="scissors" d="{SCISSORS}" class="cut"/></defs>',
        f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>',
        *_head(tree),
        *_edges(tree, layout),
        *(part for node in tree.nodes for part in _node(tree, layout, node)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


# Above the tree: the position, and how to read what is below


def _head(tree: Tree) -> list[str]:
    left = MARGIN + CELL * tree.board.width + 24
    searcher, rival = NAMES[tree.board.to_move], NAMES[other(tree.board.to_move)]
    wishes = [
        (f"<path class='{searcher}-node' d='{_triangle(Place(0, 0, 20, 16, 0, 0, 0), up=True)}'/>", f"MAX, {searcher}"),
        (f"<path class='{rival}-node' d='{_triangle(Place(0, 0, 20, 16, 0, 0, 0), up=False)}'/>", f"MIN, {rival}"),
        ("<rect class='leaf' x='-10' y='-8' width='20' height='16' rx='2'/>", "leaf"),
        ("<path class='edge line' d='M-10,0 h20'/>", "principal line"),
        (f"<path class='cut' d='{SCISSORS}'/>", "cut off, not looked at"),
    ]
    parts = _small_board(tree.board)
    texts = [("title", _title(tree)), ("words", tree.words()), ("words dim", _how(tree))]
    y = MARGIN + 16
    for kind, text in texts:
        parts.append(f'<text class="{kind}" x="{left:.0f}" y="{y:.0f}">{escape(_minus(text))}</text>')
        y += 23
    x = left + 10
    for mark, text in wishes:
        parts.append(f'<g transform="translate({x:.0f},{y + 2:.0f})">{mark}</g>'.replace("'", '"'))
        parts.append(f'<text class="words dim" x="{x + 16:.0f}" y="{y + 7:.0f}">{text}</text>')
        x += 46 + 7 * len(text)
    return parts


def _title(tree: Tree) -> str:
    moves = tree.board.moves
    after = "The empty board" if moves == "" else f"After {moves}" if moves else f"{tree.board.pieces()} pieces"
    game = "" if tree.board.game == "max" else ", classic"
    return f"{after}{game}: {NAMES[tree.board.to_move]} to move, depth {tree.depth}, evaluation {tree.evaluation}"


def _how(tree: Tree) -> str:
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
    """All edges, those of the principal line on top."""
    plain, line = [], []
    for node in tree.nodes:
        start = layout.places[node.path]
        for child in node.children:
            edge = f'd="{_edge(layout, start, layout.places[child.path])}"/>'
            if child is node.best and node.path in layout.on_line:
                line.append(f'<path class="edge line" {edge}')
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
    """What was cut off: a dashed stub for each branch, the mark, and the reason in short."""
    assert node.cut is not None
    title = f"<g><title>{escape(_minus(described(tree, node)))}</title>"
    columns = node.cut.columns
    place, last = layout.places[node.path], layout.places[node.children[-1].path]
    if last.listed:
        x, y = last.x - last.width / 2 - SPINE, last.y + LINE
        return [
            title,
            f'<path class="cut stub" d="M{x:.1f},{last.y:.1f} V{y:.1f} h5"/>{_scissors(x, y - LINE / 2, 0.8, 90)}',
            f'<text class="left-out" x="{last.x - 1:.1f}" y="{y + 3.5:.1f}">{"".join(map(str, columns))}</text></g>',
        ]
    level = _has_level_edges(layout, place)
    beside = last.x if level else place.x + (last.x - place.x) * STUB / (last.top - place.bottom)
    left = max(beside + BRANCH, place.x - BRANCH * (len(columns) - 1) / 2 if level else place.x + 4)
    end = place.bottom + STUB
    parts = [title]
    for at, column in enumerate(columns):
        x = left + BRANCH * at
        way = f"V{place.bottom + LEVEL:.1f} H{x:.1f} V{end:.1f}" if level else f"L{x:.1f},{end:.1f}"
        parts.append(f'<path class="cut stub" d="M{place.x:.1f},{place.bottom:.1f} {way}"/>')
        parts.append(f'<text class="left-out" x="{x:.1f}" y="{end + 11:.1f}">{column}</text>')
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
    parts = [f"<g><title>{escape(_minus(described(tree, node)))}</title>"]
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
    shown = _minus(value(tree, node)).replace("<=", "≤").replace(">=", "≥")
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
    if tree.pruning and node.kind != LEAF and _has_room(layout, node, place):
        x = place.x + place.width / 2 + 3
        for name, limit, y in (("α", node.window.alpha, place.y - 3), ("β", node.window.beta, place.y + 10)):
            parts.append(f'<text class="window" x="{x:.1f}" y="{y:.1f}">{name} {_minus(tree.label(limit))}</text>')
    return [*parts, "</g>"]


def _has_room(layout: Layout, node: Node, place: Place) -> bool:
    return place.x + place.width / 2 + layout.window_width(node) <= place.right


def _triangle(place: Place, up: bool) -> str:
    left, right = place.x - place.width / 2, place.x + place.width / 2
    base, tip = (place.bottom, place.top) if up else (place.top, place.bottom)
    return f"M{left:.1f},{base:.1f} H{right:.1f} L{place.x:.1f},{tip:.1f} Z"


def _minus(text: str) -> str:
    """Numbers with the sign that belongs to them, and infinity as one."""
    return SIGN.sub("−", INFINITE.sub("∞", text))
