"""How a game that is kept goes on: drops, undo and redo."""

from __future__ import annotations

from typing import Any

from ...amounts import how_many
from ..facts.positions import described
from ..http.refusals import CONFLICT, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...board import Board
    from .kept import Game, Games, Listed

PERSON = "person"


def game_described(game: Game, board: Board | None = None) -> dict[str, Any]:
    """A game as the interface tells it."""
    return {
        "id": game.id,
        "game": game.game,
        "players": list(game.players),
        "position": described(board or game.board()),
        "future": game.future,
        "created": game.created,
        "changed": game.changed,
    }


def listed_described(listed: Listed) -> dict[str, Any]:
    """A game as lists have it."""
    game = listed.game
    return {
        "id": game.id,
        "game": game.game,
        "players": list(game.players),
        "start": game.start,
        "moves": game.moves,
        "points": list(listed.points),
        "over": listed.result is not None,
        "result": listed.result,
        "created": game.created,
        "changed": game.changed,
    }


def check_at(game: Game, at: int | None) -> None:
    """Refuse what somebody asks who knows of more or fewer drops than there are."""
    if at is not None and at != len(game.moves):
        drops = how_many(len(game.moves), "drop")
        raise conflict(game, f"the game has gone on elsewhere: it has {drops} now, not {at}")


def conflict(game: Game, words: str) -> Refused:
    """What is asked does not fit the game as it is."""
    return Refused(CONFLICT, words, game=game_described(game))


def next_player(game: Game, board: Board) -> str:
    """Who is to move: person or level:4."""
    return game.players[board.to_move - 1]


def drop(games: Games, game: Game, column: int) -> tuple[Game, Board]:
    """Drop for whoever is to move."""
    board = game.board()
    board.drop(column)
    future = game.future[1:] if game.future[:1] == str(column) else ""
    return games.change(game, board, future), board


def undo(games: Games, game: Game) -> tuple[Game, Board]:
    """Back to where a person is to move; one drop where no person plays, or two do."""
    board, future = game.board(), game.future
    if not board.drops:
        raise conflict(game, "there is no drop to undo")
    while board.drops:
        future = f"{board.undo()}{future}"
        if _may_rest(game, board):
            return games.change(game, board, future), board
    raise conflict(game, "there is no drop of yours to undo")


def redo(games: Games, game: Game) -> tuple[Game, Board]:
    """On to where a person is to move, as far as what was undone goes."""
    board, future = game.board(), game.future
    if not future:
        raise conflict(game, "there is no drop to redo")
    while future:
        board.drop(int(future[0]))
        future = future[1:]
        if _may_rest(game, board):
            break
    return games.change(game, board, future), board


def _may_rest(game: Game, board: Board) -> bool:
    """Whether undo and redo stop here."""
    return game.players.count(PERSON) != 1 or next_player(game, board) == PERSON
