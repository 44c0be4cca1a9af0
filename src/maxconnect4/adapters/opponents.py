"""Any of our players, or a foreign program, as the opponent of somebody who learns."""

from __future__ import annotations

from ..errors import BadEntrant
from ..levels import LevelPlayer
from ..referee.entrants import entrant_from
from ..referee.playing import built_in_player, solver
from ..referee.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..board import Board
    from ..referee.entrants import Entrant

    #: Gives a column for the side to move, or says what went wrong.
    Opponent = Callable[[Board], int | str]


def entrant_named(text: str) -> Entrant:
    """Who plays, by what a match takes: level:4, perfect, depth:6, random, a command, kaggle:FILE."""
    found = entrant_from(text)
    if found.is_human:
        raise BadEntrant("a person cannot be asked here: choose another opponent than human")
    return found


def opponent_for(entrant: Entrant, game: str, seed: str) -> Opponent:
    """A player for one game. The same seed plays the same."""
    settings = entrant.built_in
    if settings is None:
        return _foreign(Program(entrant))
    if settings.kind == "level":
        player = LevelPlayer(settings.level, game, seed=seed, solver=solver())
        return lambda board: player.choose(board).column
    built_in = built_in_player(settings, seed)
    return lambda board: built_in.choose(board).column


def _foreign(program: Program) -> Opponent:
    def ask(board: Board) -> int | str:
        answer = program.move(board)
        if answer.fault is not None:
            return f"{answer.fault.kind}: {answer.fault.detail}"
        assert answer.column is not None
        return answer.column

    return ask
