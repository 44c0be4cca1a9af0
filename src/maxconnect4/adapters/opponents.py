"""Any of our players, or a foreign program, as the opponent of somebody who learns."""

from __future__ import annotations

from ..errors import BadEntrant
from ..referee.entrants import entrant_from
from ..referee.playing import built_in_player
from ..referee.programs.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..board import Board
    from ..referee.entrants import Entrant

    #: Gives a column for the side to move, or says what went wrong.
    Opponent = Callable[[Board], int | str]


def entrant_named(text: str, game: str) -> Entrant:
    """Who plays a game, by what a match takes: level:4, perfect, depth:6, random, a command, kaggle:FILE."""
    found = entrant_from(text, game=game)
    if found.is_human:
        raise BadEntrant("a person cannot be asked here: choose another opponent than human")
    return found


def opponent_for(entrant: Entrant, game: str, seed: str) -> Opponent:
    """A player for one game. The same seed plays the same."""
    if entrant.built_in is None:
        return _foreign(Program(entrant, game))
    player = built_in_player(entrant.built_in, seed, game)
    return lambda board: player.choose(board).column


def _foreign(program: Program) -> Opponent:
    def ask(board: Board) -> int | str:
        answer = program.move(board)
        if answer.fault is not None:
            return f"{answer.fault.kind}: {answer.fault.detail}"
        assert answer.column is not None
        return answer.column

    return ask
