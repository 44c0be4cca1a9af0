"""Search tree of a position: the nodes of depth-limited minimax, the cut-offs of alpha-beta pruning, and their reasons.

The position is a file, a move string such as 4453, or - for standard input; the default is the empty board. MAX is the
side to move, and all values are for MAX, who takes the largest one; MIN takes the smallest. The tree is printed as
text, in which a star marks the principal variation. With -o it is drawn as an SVG file.

Examples:
  maxconnect4 tree 4453
  maxconnect4 tree 4453 --depth 3 -o tree.svg
  maxconnect4 tree input1.txt --eval margin --no-pruning
  maxconnect4 tree 4453 --order left --json
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from itertools import groupby

from ..board import NAMES
from ..errors import BadPosition, quote_path
from ..files import check_writable, write_atomic
from ..search import DEFAULT_EVALUATION
from ..search_tree import AT_LEAST, AT_MOST, LEAF, MAX_DEPTH, ORDERS, Node, Tree, search_tree, tree_to_dict
from ..search_tree_svg import tree_svg
from . import UsageError, options
from .terminal import Screen

OTHER_PICTURES = ("png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff", "pdf", "ps", "eps")
SIGNS = {AT_LEAST: "at least ", AT_MOST: "at most "}


def add_arguments(parser: ArgumentParser) -> None:
    options.add_position(parser)
    options.add_number(
        parser,
        "--depth",
        options.number("a number of plies", 1, MAX_DEPTH),
        f"search depth in plies, 1 to {MAX_DEPTH} (default: 2)",
        2,
    )
    options.add_game(parser)
    options.add_evaluation(parser, "evaluation of a leaf")
    parser.add_argument("--no-pruning", action="store_true", help="plain minimax, without alpha-beta pruning")
    parser.add_argument(
        "--order",
        choices=ORDERS,
        default="centre",
        help="move ordering: from the centre outwards, or from the left; the first of equal columns is chosen "
        "(default: centre)",
    )
    parser.add_argument("--json", action="store_true", help="print one line of JSON with every node")
    parser.add_argument("-o", "--output", metavar="FILE", help="SVG file to write, or - for standard output")


def check_arguments(args: Namespace) -> None:
    if args.json and args.output is not None:
        raise UsageError("give --json or -o, not both")
    name, dot, ending = (args.output or "").rpartition(".")
    if name and dot and ending.lower() in OTHER_PICTURES:
        raise UsageError(f"-o draws SVG, not {ending.upper()}: give it the name of an .svg file")


def run(args: Namespace, screen: Screen) -> int:
    board = options.position_from_args(args)
    if board.is_over():
        raise BadPosition("the game is over: there is nothing to search")
    if args.output not in (None, "-"):
        check_writable(args.output)
    evaluation = args.eval or DEFAULT_EVALUATION[args.game]
    tree = search_tree(board, args.depth, evaluation, not args.no_pruning, args.order)
    if args.json:
        screen.print_json(tree_to_dict(tree))
    elif args.output == "-":
        screen.print(tree_svg(tree), end="")
    elif args.output is not None:
        write_atomic(args.output, tree_svg(tree).encode())
        screen.print(f"{tree.summary()}\n{quote_path(args.output)} is drawn.")
    else:
        screen.print_board(board)
        screen.print("\n".join(_node_lines(tree, tree.root)))
        screen.print(f"\n{tree.summary()}")
    return 0


def _node_lines(tree: Tree, node: Node) -> Iterator[str]:
    """A node and its descendants, indented by ply; consecutive leaves share a line."""
    indent = "    " * node.ply
    name = f"{node.kind.upper()} {NAMES[node.player]}"
    yield f"{indent}{_column(node)}{name}: {_value(tree, node)}{_window(tree, node)}{_star(tree, node)}"
    indent += "    "
    for are_leaves, children in groupby(node.children, lambda child: child.kind == LEAF):
        if are_leaves:
            values = (f"{_column(leaf)}{_value(tree, leaf)}{_star(tree, leaf)}" for leaf in children)
            yield f"{indent}leaves {', '.join(values)}"
        else:
            for child in children:
                yield from _node_lines(tree, child)
    if node.cut is not None:
        columns = " ".join(map(str, node.cut.columns))
        yield f"{indent}cut off {columns}: {node.cut.reason}"


def _column(node: Node) -> str:
    return f"{node.column}: " if node.path else ""


def _value(tree: Tree, node: Node) -> str:
    return SIGNS.get(node.bound, "") + tree.label(node.value)


def _window(tree: Tree, node: Node) -> str:
    if not tree.pruning:
        return ""
    return f" (alpha {tree.label(node.window.alpha)}, beta {tree.label(node.window.beta)})"


def _star(tree: Tree, node: Node) -> str:
    return " *" if node in tree.line else ""
