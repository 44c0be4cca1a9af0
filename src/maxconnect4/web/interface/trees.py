"""The search tree of a position, as it is told and as it is drawn."""

from __future__ import annotations

import json

from starlette.responses import Response

from ...search import DEFAULT_EVALUATION, EVALUATIONS
from ...tree import DEEPEST, ORDERS, drawing, facts, search_tree
from ..http.fields import Field, number, one_of
from .endpoints import POSITION, Endpoint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ...tree import Tree
    from ..searches import Search
    from .endpoints import Call

SHALLOW = 2
# The picture brings its own colours along, where it is opened by itself; it needs nothing else.
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


async def tree(call: Call) -> Response:
    """Every node of it."""
    text = await _made(call, lambda tree: json.dumps(facts(tree), separators=(",", ":")))
    return Response(text, media_type="application/json")


async def tree_drawn(call: Call) -> Response:
    """The same as a picture."""
    text = await _made(call, drawing)
    return Response(text, media_type="image/svg+xml", headers={"Content-Security-Policy": PICTURE_POLICY})


async def _made(call: Call, make: Callable[[Tree], str]) -> str:
    """Search and write in a thread: at depth 4 that takes a tenth of a second."""
    board, given = call.board(), call.given
    depth = given["depth"] or SHALLOW
    evaluation = given["evaluation"] or DEFAULT_EVALUATION[board.game]
    pruning, order = given["pruning"] is not False, given["order"] or ORDERS[0]

    def work(search: Search) -> str:
        return make(search_tree(board, depth, evaluation, pruning, order, watch=search.check))

    search = call.begin(call.service.trees, work, call.service.limits.move_seconds)
    text: str = await call.result(search)
    return text


TREE = POSITION | {
    "depth": number(1, DEEPEST, f"the plies to look ahead; {SHALLOW} if it is left out"),
    "evaluation": one_of(EVALUATIONS, "what a leaf is worth"),
    "pruning": Field("true or false", {"type": "boolean"}, "whether alpha-beta cuts off; true if it is left out"),
    "order": one_of(ORDERS, "which columns are looked at first: centre if it is left out"),
}

ENDPOINTS = (
    Endpoint("GET", "/tree", tree, "The search tree", "Tree", TREE),
    Endpoint("GET", "/tree.svg", tree_drawn, "The same as a picture", query=TREE, media=("image/svg+xml",)),
)
