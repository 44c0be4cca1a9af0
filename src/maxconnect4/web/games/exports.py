"""A game as a file to keep: text for people, JSON for programs, or the position in the format of the assignment."""

from __future__ import annotations

import json

from starlette.responses import Response

from ...files import board_as_text
from ..facts.positions import beginning, described
from .playing import PERSON, game_described

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .kept import Game

TITLES = {"max": "Max-Connect4", "classic": "Classic four in a row"}
FORMS = {
    "text": (".txt", "text/plain; charset=utf-8"),
    "json": (".json", "application/json"),
    "position": ("-position.txt", "text/plain; charset=utf-8"),
}


def exported(game: Game, form: str) -> Response:
    """The file."""
    text = {"text": _as_text, "json": _as_json, "position": _as_position}[form](game)
    ending, kind = FORMS[form]
    name = f"{game.game}-{game.created[:10]}-{game.id[:6]}{ending}"
    headers = {"Content-Type": kind, "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, headers=headers)


def _as_text(game: Game) -> str:
    board = game.board()
    facts = described(board)
    lines = [
        f"{TITLES[game.game]}, {game.created[:10]}",
        f"Red: {_player(game.red)}. Green: {_player(game.green)}.",
        f"Moves: {game.moves or 'none'}",
        facts["result"] or facts["words"],
        "",
    ]
    if game.start:
        lines += ["It began from this position (1 is red, 2 is green):", "", str(beginning(board)), ""]
    lines += [f"{drop['number']:>2}. {drop['words']}" for drop in facts["drops"]]
    return "\n".join([*lines, "", str(board)]) + "\n"


def _player(player: str) -> str:
    return "a person" if player == PERSON else f"the computer, level {player.removeprefix('level:')}"


def _as_json(game: Game) -> str:
    return json.dumps(game_described(game), indent=2) + "\n"


def _as_position(game: Game) -> str:
    return board_as_text(game.board())
