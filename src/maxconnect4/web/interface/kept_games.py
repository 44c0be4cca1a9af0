"""What can be done with the games that are kept."""

from __future__ import annotations

from typing import TypeVar

from ..facts.positions import CELLS, start_of
from ..games import playing
from ..games.exports import FORMS, exported
from ..games.playing import PERSON, check_at, conflict, game_described, listed_described, next_player
from ..http.fields import number, one_of, pair, text
from ..http.refusals import FORBIDDEN, Refused
from .choices import MOST_LEVELS, of_level
from .endpoints import POSITION, Endpoint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from starlette.responses import Response

    from ..games.kept import Game
    from .endpoints import Call

Answer = TypeVar("Answer")
PLAYERS_BY_DEFAULT = (PERSON, "level:4")
LONGEST_LIST = 100


def make(call: Call) -> dict[str, Any]:
    """A new game."""
    board = call.board()
    players = call.given["players"] or PLAYERS_BY_DEFAULT
    game = call.service.games.make(board, start_of(board), tuple(players), call.owner(), call.address())
    return game_described(game, board)


def listed(call: Call) -> dict[str, Any]:
    """The games, the last changed first: all of them, or those that this browser began where many share the server."""
    owner = call.owner() if call.service.shared else None
    limit = call.given["limit"] or LONGEST_LIST // 2
    games, more = call.service.games.listed(limit, call.given["before"], owner)
    return {"games": [listed_described(game) for game in games], "more": more}


def one(call: Call) -> dict[str, Any]:
    """A game as it is."""
    return game_described(_named(call))


def delete(call: Call) -> dict[str, Any]:
    """Forget a game."""
    game = _named(call)
    if call.service.shared and game.owner != call.owner():
        raise Refused(FORBIDDEN, "only who began a game can delete it")
    call.service.games.delete(game.id)
    return {"deleted": game.id}


def change_players(call: Call) -> dict[str, Any]:
    """Have others play on."""
    game = _named(call)
    if call.given["players"]:
        game = call.service.games.change_players(game, tuple(call.given["players"]))
    return game_described(game)


def drop(call: Call) -> dict[str, Any]:
    """A person's drop."""
    game = _named(call)
    check_at(game, call.given["at"])
    board = game.board()
    if board.is_over():
        raise conflict(game, "the game is over")
    if next_player(game, board) != PERSON:
        raise conflict(game, "it is the computer's turn")
    return game_described(*playing.drop(call.service.games, game, call.given["column"]))


async def computer(call: Call) -> dict[str, Any]:
    """The computer's drop."""
    game: Game = await call.stored(_computers)
    board = game.board()
    level = int(next_player(game, board).removeprefix("level:"))
    # The same game is played on the same after an undo, and both sides play as two would.
    choice = await call.result(of_level(call, board, level, f"{game.id} {board.to_move}"))

    def drop(call: Call) -> dict[str, Any]:
        now = _named(call)
        if (now.moves, now.players) != (game.moves, game.players):  # somebody was quicker
            raise conflict(now, "the game has gone on elsewhere")
        return game_described(*playing.drop(call.service.games, now, choice["column"])) | {"choice": choice}

    dropped: dict[str, Any] = await call.stored(drop)
    return dropped


def _computers(call: Call) -> Game:
    """The game, if the computer is to move in it."""
    game = _named(call)
    check_at(game, call.given["at"])
    board = game.board()
    if board.is_over():
        raise conflict(game, "the game is over")
    if next_player(game, board) == PERSON:
        raise conflict(game, "it is a person's turn")
    return game


def undo(call: Call) -> dict[str, Any]:
    """Take back."""
    game = _named(call)
    check_at(game, call.given["at"])
    return game_described(*playing.undo(call.service.games, game))


def redo(call: Call) -> dict[str, Any]:
    """Play what was taken back."""
    game = _named(call)
    check_at(game, call.given["at"])
    return game_described(*playing.redo(call.service.games, game))


def export(call: Call) -> Response:
    """A game as a file."""
    return exported(_named(call), call.given["as"])


def stored(work: Callable[[Call], Answer]) -> Callable[[Call], Awaitable[Answer]]:
    """Work on the games in their thread."""

    async def answer(call: Call) -> Answer:
        done: Answer = await call.stored(work)
        return done

    return answer


def _named(call: Call) -> Game:
    return call.service.games.find(call.request.path_params["id"])


PLAYER = one_of((PERSON, *(f"level:{level}" for level in range(1, MOST_LEVELS + 1))), "who plays")
PLAYERS = {"players": pair(PLAYER, "who plays red and green; a person and level 4 if it is left out")}
AT = {"at": number(0, CELLS, "the number of drops that the sender knows of")}
LIST = {
    "limit": number(1, LONGEST_LIST, "how many at the most; 50 if it is left out"),
    "before": text(64, "the last game that is known: those after it in the order of the list"),
}
FORM = {"as": one_of(tuple(FORMS), "text for people, JSON, or the position file of the assignment").needed()}
FILES = ("text/plain", "application/json")
COLUMN = {"column": number(1, 7, "the column to drop into").needed()}

ENDPOINTS = (
    Endpoint("POST", "/games", stored(make), "Make a game", "Game", body=POSITION | PLAYERS, status=201),
    Endpoint("GET", "/games", stored(listed), "List the games", "Games", LIST),
    Endpoint("GET", "/games/{id}", stored(one), "A game", "Game"),
    Endpoint("DELETE", "/games/{id}", stored(delete), "Delete a game", "Deleted"),
    Endpoint("PATCH", "/games/{id}", stored(change_players), "Change the players", "Game", body=PLAYERS),
    Endpoint("POST", "/games/{id}/drop", stored(drop), "A person drops", "Game", body=COLUMN | AT),
    Endpoint("POST", "/games/{id}/computer", computer, "The computer drops", "ComputersDrop", body=AT),
    Endpoint("POST", "/games/{id}/undo", stored(undo), "Undo", "Game", body=AT),
    Endpoint("POST", "/games/{id}/redo", stored(redo), "Redo", "Game", body=AT),
    Endpoint("GET", "/games/{id}/export", stored(export), "A game as a file", "Game", FORM, media=FILES),
)
