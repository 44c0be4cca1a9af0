"""What there is to say about a node, in words."""

from __future__ import annotations

from ..amounts import how_many
from ..board import NAMES, other
from .nodes import AT_LEAST, EXACT, LEAF, MAX, Node, Tree, label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..board import Board
    from .nodes import Window

# What the evaluations give to a leaf, in the view of MAX.
EVALUATIONS_IN_WORDS = {
    "best": "a prediction of the final margin, in hundredths of a point",
    "lines": "1000, 50 or 10 for each line with four, three or two own pieces and the rest empty, less the opponent's",
    "margin": "own points less the opponent's",
    "sign": "999, 0 or -999, by who has more points",
    "table": "own points, and the number of lines through each own piece, less those through the opponent's",
    "table138": "138, the lines through green's pieces less those through red's, and twice the own points less the "
    "opponent's",
    "windows": "100000, 1000, 100 or 10 for each line with four, three, two or one own pieces and the rest empty, less "
    "the opponent's, and 5 for an empty line",
}


def described(tree: Tree, node: Node) -> str:
    """A node in a few lines: what it is, its value, its window, its cut."""
    lines = [f"{_place(node)}: {_what(tree, node)}", _value(tree, node)]
    if tree.pruning and node.kind != LEAF:
        lines.append(f"Entered with {window(tree, node)}.")
    if node.cut is not None:
        columns = ", ".join(map(str, node.cut.columns))
        nodes = how_many(node.cut.spared, "node")
        lines.append(f"Cut off after column {node.cut.after.column}: {node.cut.reason}.")
        lines.append(f"Not looked at: column{'s' * (len(node.cut.columns) > 1)} {columns} ({nodes}).")
    return "\n".join(lines)


def reason(root: Board, kind: str, value: int, window: Window) -> str:
    """Why a MAX or a MIN node with a value need not look further."""
    if kind == MAX:
        compared, limit, source = "at least beta", window.beta, window.beta_from
        name = NAMES[other(root.to_move)]
    else:
        compared, limit, source = "at most alpha", window.alpha, window.alpha_from
        name = NAMES[root.to_move]
    why = f"{name} has something as good already" if value == limit else f"{name} would not let it come to this"
    return f"value {label(root, value)} is {compared} {label(root, limit)}, known from {source}: {why}"


def window(tree: Tree, node: Node) -> str:
    """The alpha and beta that a node is entered with."""
    entered = node.window
    alpha = f"alpha {tree.label(entered.alpha)}" + (f" (from {entered.alpha_from})" if entered.alpha_from else "")
    beta = f"beta {tree.label(entered.beta)}" + (f" (from {entered.beta_from})" if entered.beta_from else "")
    return f"{alpha} and {beta}"


def value(tree: Tree, node: Node) -> str:
    """A value with its bound, as short as can be: 3, <=3 or >=3."""
    sign = "" if node.bound == EXACT else ">=" if node.bound == AT_LEAST else "<="
    return sign + tree.label(node.value)


def _place(node: Node) -> str:
    return f"After {' '.join(node.path)}" if node.path else "The root"


def _what(tree: Tree, node: Node) -> str:
    if node.over:
        return "the game is over"
    if node.kind == LEAF:
        return f"a leaf, valued by {tree.evaluation}"
    wish = "MAX, who takes the largest value" if node.kind == MAX else "MIN, who takes the smallest value"
    return f"{NAMES[node.player]} is {wish}"


def _value(tree: Tree, node: Node) -> str:
    bound = "" if node.bound == EXACT else f"{node.bound} "
    source = "" if node.best is None else f", from column {node.best.column}"
    return f"Value {bound}{tree.label(node.value)}{source}."
