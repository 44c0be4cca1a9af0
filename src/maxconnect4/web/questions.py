"""What can be asked about a position: what it is, what the computer would play, what it is worth."""

from __future__ import annotations

from ..files import LARGEST
from ..levels import LEVELS, LevelPlayer
from ..search import EVALUATIONS
from . import choosing
from .analysis import analysed
from .events import Events
from .fields import number, one_of, text
from .interface import POSITION, Endpoint
from .positions import CELLS, described, position_from_text
from .refusals import BAD_REQUEST, Refused
from .reviewing import reviewed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from starlette.responses import Response

    from ..board import Board
    from .interface import Call
    from .searches import Search

EVENTS = ("text/event-stream",)
MOST_LEVELS = max(map(len, LEVELS.values()))
QUICK_DEPTH = 8  # what looks further may take seconds, for which moves do not wait


async def position(call: Call) -> dict[str, Any]:
    """A position that is named."""
    return described(call.board())


async def position_read(call: Call) -> dict[str, Any]:
    """A position that somebody has pasted or loaded."""
    return described(position_from_text(call.given["text"], call.given["game"] or "max"))


async def choice(call: Call) -> dict[str, Any]:
    """The computer's choice."""
    level, depth, evaluation = (call.given[name] for name in ("level", "depth", "evaluation"))
    if level is not None and (depth is not None or evaluation is not None):
        raise Refused(BAD_REQUEST, "give a level, or a depth and an evaluation, not both")
    if depth is None and evaluation is not None:
        raise Refused(BAD_REQUEST, "an evaluation needs a depth")
    board = call.board()
    _check_open(board)
    service = call.service
    if level is not None:
        search = level_search(call, board, level)
    elif depth is not None:
        seconds, lane = service.limits.move_seconds, service.moves if depth <= QUICK_DEPTH else service.studies
        search = call.begin(
            lane, lambda search: choosing.by_depth(board, depth, evaluation, seconds, search), 2 * seconds
        )
    else:
        search = _best_search(call, board)
    found: dict[str, Any] = await call.result(search)
    return found


def level_search(call: Call, board: Board, level: int, seed: str | None = None) -> Search:
    """A level's choice. The last level is the best that there is."""
    if level == len(LEVELS[board.game]):
        return _best_search(call, board)
    if level > len(LEVELS[board.game]):
        raise Refused(BAD_REQUEST, f"there is no level {level}: they are 1 to {len(LEVELS[board.game])}")

    def work(search: Search) -> dict[str, Any]:
        player = LevelPlayer(level, board.game, seed, watch=search.check)
        return choosing.timed(board, lambda: player.choose(board))

    return call.begin(call.service.moves, work, call.service.limits.move_seconds)


def _best_search(call: Call, board: Board) -> Search:
    service = call.service

    def work(search: Search) -> dict[str, Any]:
        with service.solver() as solver:
            return choosing.best(board, solver, service.limits.moment_seconds, search)

    return call.begin(service.perfect, work, service.limits.perfect_seconds)


def _check_open(board: Board) -> None:
    if board.is_over():
        raise Refused(BAD_REQUEST, "the game is over: there is no column to choose")


async def analysis(call: Call) -> dict[str, Any]:
    """What every column is worth, when it is known."""
    found: dict[str, Any] = await call.result(_analysis_search(call, call.board()))
    return found


async def analysis_events(call: Call) -> Response:
    """The same, and meanwhile how far it is."""
    return Events(_analysis_search(call, call.board()))


def _analysis_search(call: Call, board: Board) -> Search:
    service = call.service

    def work(search: Search) -> dict[str, Any]:
        with service.solver() as solver:
            return analysed(board, solver, search)

    return call.begin(service.studies, work, service.limits.analysis_seconds)


async def review(call: Call) -> dict[str, Any]:
    """What each move gave away, when it is known."""
    found: dict[str, Any] = await call.result(_review_search(call, call.board()))
    return found


async def review_events(call: Call) -> Response:
    """The same, and meanwhile how far it is."""
    return Events(_review_search(call, call.board()))


def _review_search(call: Call, board: Board) -> Search:
    service = call.service
    if not board.drops:
        raise Refused(BAD_REQUEST, "there is no move to review")

    def work(search: Search) -> dict[str, Any]:
        with service.solver() as solver:
            return reviewed(board, solver, search)

    return call.begin(service.reviews, work, service.limits.review_seconds)


CHOICE = POSITION | {
    "level": number(1, MOST_LEVELS, "the level that chooses"),
    "depth": number(0, CELLS, "the plies to look ahead"),
    "evaluation": one_of(EVALUATIONS, "what a position at the depth limit is worth"),
}
TEXT = {
    "game": POSITION["game"],
    "text": text(LARGEST, "a position file of the assignment, or a move string").needed(),
}

ENDPOINTS = (
    Endpoint("GET", "/position", position, "Describe a position", "Position", POSITION),
    Endpoint("POST", "/position", position_read, "Read a position from a text", "Position", body=TEXT),
    Endpoint("GET", "/choice", choice, "The computer's choice", "Choice", CHOICE),
    Endpoint("GET", "/analysis", analysis, "What every column is worth", "Analysis", POSITION),
    Endpoint(
        "GET", "/analysis/events", analysis_events, "The same, while it becomes known", query=POSITION, media=EVENTS
    ),
    Endpoint("GET", "/review", review, "What each move gave away", "Review", POSITION),
    Endpoint("GET", "/review/events", review_events, "The same, while it becomes known", query=POSITION, media=EVENTS),
)
