"""What can be asked about a position: what it is, what it is worth, and what the moves before it gave away."""

from __future__ import annotations

from ...files import LARGEST
from ..facts.analysis import analysed
from ..facts.positions import described, position_from_text
from ..facts.reviewing import reviewed
from ..http.fields import text
from ..http.refusals import BAD_REQUEST, Refused
from .endpoints import POSITION, Endpoint
from .events import Events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from starlette.responses import Response

    from ..searches import Search
    from .endpoints import Call

EVENTS = ("text/event-stream",)


async def position(call: Call) -> dict[str, Any]:
    """A position that is named."""
    return described(call.board())


async def position_read(call: Call) -> dict[str, Any]:
    """A position that somebody has pasted or loaded."""
    return described(position_from_text(call.given["text"], call.given["game"] or "max"))


def analysis(call: Call) -> Search:
    """What every column is worth."""
    board, service = call.board(), call.service
    most = service.limits.analysis_seconds
    work = service.with_solver(lambda solver, search: analysed(board, solver, search, most))
    return call.begin(service.studies, work, most)


def review(call: Call) -> Search:
    """What each move gave away."""
    board, service = call.board(), call.service
    if not board.drops:
        raise Refused(BAD_REQUEST, "there is no move to review")
    work = service.with_solver(lambda solver, search: reviewed(board, solver, search))
    return call.begin(service.reviews, work, service.limits.review_seconds)


def in_the_end(begin: Callable[[Call], Search]) -> Callable[[Call], Awaitable[dict[str, Any]]]:
    """Answer with what comes of a search."""

    async def answer(call: Call) -> dict[str, Any]:
        found: dict[str, Any] = await call.result(begin(call))
        return found

    return answer


def meanwhile(begin: Callable[[Call], Search]) -> Callable[[Call], Awaitable[Response]]:
    """Answer with events: how far a search is, and what comes of it."""

    async def answer(call: Call) -> Response:
        return Events(begin(call), call.service)

    return answer


TEXT = {
    "game": POSITION["game"],
    "text": text(LARGEST, "a position file of the assignment, or a move string").needed(),
}
SAME = "The same, while it becomes known"

ENDPOINTS = (
    Endpoint("GET", "/position", position, "Describe a position", "Position", POSITION),
    Endpoint("POST", "/position", position_read, "Read a position from a text", "Position", body=TEXT),
    Endpoint("GET", "/analysis", in_the_end(analysis), "What every column is worth", "Analysis", POSITION),
    Endpoint("GET", "/analysis/events", meanwhile(analysis), SAME, query=POSITION, media=EVENTS),
    Endpoint("GET", "/review", in_the_end(review), "What each move gave away", "Review", POSITION),
    Endpoint("GET", "/review/events", meanwhile(review), SAME, query=POSITION, media=EVENTS),
)
