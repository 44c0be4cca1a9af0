"""The search tree of a position: what depth-limited minimax looks at, what alpha-beta pruning cuts off, and why.

The position is a file, a move string such as 4453, or - for standard input; without one it is the empty board. MAX is
the side to move, and all values are in its view: MAX takes the largest, MIN the smallest. Without -o the tree is told
in words, where a star marks the principal line; with it, it is drawn into an SVG file, or - for standard output.

Examples:
  maxconnect4 tree 4453
  maxconnect4 tree 4453 --depth 3 -o tree.svg
  maxconnect4 tree input1.txt --eval margin --no-pruning
  maxconnect4 tree 4453 --order left --json
"""

from __future__ import annotations

from itertools import groupby

from ..board import NAMES
from ..errors import BadPosition, shown_path
from ..saving import check_writable, save_whole
from ..search import DEFAULT_EVALUATION
from ..tree import DEEPEST, ORDERS, drawing, facts, search_tree
from ..tree.nodes import AT_LEAST, AT_MOST, LEAF
from . import arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from ..tree import Node, Tree
    from .parsing import Arguments, PlainParser
    from .terminal.screen import Screen

OTHER_PICTURES = ("png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff", "pdf", "ps", "eps")
SIGNS = {AT_LEAST: "at least ", AT_MOST: "at most "}


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    arguments.add_position(parser)
    arguments.add_number(
        parser,
        "--depth",
        arguments.number("a number of plies", 1, DEEPEST),
        f"plies to look ahead, 1 to {DEEPEST} (default: 2)",
        2,
    )
    arguments.add_game(parser)
    arguments.add_evaluation(parser, "what a leaf is worth")
    parser.add_argument("--no-pruning", action="store_true", help="plain minimax, without alpha and beta")
    parser.add_argument(
        "--order",
        choices=ORDERS,
        default="centre",
        help="which column is looked at first: from the centre outwards (the default), or from the left; the first of "
        "equals is chosen",
    )
    parser.add_argument("--json", action="store_true", help="print one line of JSON with every node")
    parser.add_argument("-o", "--output", metavar="FILE", help="draw it into an SVG file, or - for standard output")


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    if args.json and args.output is not None:
        return "give --json or -o, not both"
    name, dot, ending = (args.output or "").rpartition(".")
    if name and dot and ending.lower() in OTHER_PICTURES:
        return f"-o draws SVG, not {ending.upper()}: give it the name of an .svg file"
    return None


def run(args: Arguments, screen: Screen) -> int:
    """Search, and tell or draw it."""
    board = arguments.position_as_told(args)
    if board.is_over():
        raise BadPosition("the game is over: there is nothing to search")
    if args.output not in (None, "-"):
        check_writable(args.output)
    evaluation = args.eval or DEFAULT_EVALUATION[args.game]
    tree = search_tree(board, args.depth, evaluation, not args.no_pruning, args.order)
    if args.json:
        import json

        screen.say(json.dumps(facts(tree)))
    elif args.output == "-":
        screen.say(drawing(tree), end="")
    elif args.output is not None:
        save_whole(args.output, drawing(tree).encode())
        screen.say(f"{tree.words()}\n{shown_path(args.output)} is drawn.")
    else:
        screen.show(board)
        screen.say("\n".join(_told(tree, tree.root)))
        screen.say(f"\n{tree.words()}")
    return 0


def _told(tree: Tree, node: Node) -> Iterator[str]:
    """A node and all below it, each deeper by some blanks; leaves that follow each other on one line."""
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
                yield from _told(tree, child)
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
