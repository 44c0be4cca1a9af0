"""The computer's choice: of a level, of a search so deep, or the best that there is."""

from __future__ import annotations

from ...levels import LEVELS, LevelPlayer
from ...search import EVALUATIONS
from ..facts import choosing
from ..facts.positions import CELLS
from ..http.fields import number, one_of
from ..http.refusals import BAD_REQUEST, Refused
from .endpoints import POSITION, Endpoint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...board import Board
    from ..searches import Search
    from .endpoints import Call

MOST_LEVELS = max(map(len, LEVELS.values()))
QUICK_DEPTH = 8  # what looks further may take seconds, for which moves do not wait


async def choice(call: Call) -> dict[str, Any]:
    """What is asked for."""
    level, depth, evaluation = (call.given[name] for name in ("level", "depth", "evaluation"))
    if level is not None and (depth is not None or evaluation is not None):
        raise Refused(BAD_REQUEST, "give a level, or a depth and an evaluation, not both")
    if depth is None and evaluation is not None:
        raise Refused(BAD_REQUEST, "an evaluation needs a depth")
    board = call.board()
    if board.is_over():
        raise Refused(BAD_REQUEST, "the game is over: there is no column to choose")
    if level is not None:
        search = of_level(call, board, level)
    elif depth is not None:
        search = _of_depth(call, board, depth, evaluation)
    else:
        search = _best(call, board)
    found: dict[str, Any] = await call.result(search)
    return found


def of_level(call: Call, board: Board, level: int, seed: str | None = None) -> Search:
    """A level's choice. The last level is the best that there is."""
    if level == len(LEVELS[board.game]):
        return _best(call, board)
    if level > len(LEVELS[board.game]):
        raise Refused(BAD_REQUEST, f"there is no level {level}: they are 1 to {len(LEVELS[board.game])}")

    def work(search: Search) -> dict[str, Any]:
        player = LevelPlayer(level, board.game, seed, watch=search.check)
        return choosing.timed(board, lambda: player.choose(board))

    return call.begin(call.service.moves, work, call.service.limits.move_seconds)


def _of_depth(call: Call, board: Board, depth: int, evaluation: str | None) -> Search:
    seconds = call.service.limits.move_seconds
    lane = call.service.moves if depth <= QUICK_DEPTH else call.service.studies
    return call.begin(lane, lambda search: choosing.by_depth(board, depth, evaluation, seconds, search), 2 * seconds)


def _best(call: Call, board: Board) -> Search:
    service, moment = call.service, call.service.limits.moment_seconds
    work = service.with_solver(lambda solver, search: choosing.best(board, solver, moment, search))
    return call.begin(service.perfect, work, service.limits.perfect_seconds)


CHOICE = POSITION | {
    "level": number(1, MOST_LEVELS, "the level that chooses"),
    "depth": number(0, CELLS, "the plies to look ahead"),
    "evaluation": one_of(EVALUATIONS, "what a position at the depth limit is worth"),
}

ENDPOINTS = (Endpoint("GET", "/choice", choice, "The computer's choice", "Choice", CHOICE),)
