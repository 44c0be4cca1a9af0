"""A game between two players: what is to be played, and what came of it. Plain values, which travel and are kept."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..board import GREEN, RED, Board
from ..notation import board_from_moves
from ..outcomes import worth_of_four

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    T = TypeVar("T")

#: How a game can end.
FULL, FOUR, ADJUDICATED, FORFEIT, VOID = "full", "four", "adjudicated", "forfeit", "void"


@dataclass(frozen=True, slots=True)
class Game:
    """A game that is to be played. Two games with the same pair number have the same opening and players swapped."""

    number: int  # from 1, in the order of the schedule
    round: int  # from 1
    pair: int  # from 1
    red: str  # the names of the players
    green: str
    opening: str  # a move string: what is on the board when the players begin

    def name(self, player: int) -> str:
        """Who plays a colour."""
        return self.red if player == RED else self.green

    def opponent(self, name: str) -> str:
        """Who plays against somebody."""
        return self.green if name == self.red else self.red


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that loses a game, and the evidence."""

    kind: str  # its name, such as "illegal move": see `faults.FAULTS`
    player: int  # RED or GREEN
    ply: int  # which move of the game it should have been, from 1
    detail: str  # what is wrong, in one line
    input: str = ""  # the position that the program got
    output: str = ""  # the beginning of what it wrote
    printed: str = ""  # the first and the last lines that it printed


@dataclass(frozen=True, slots=True)
class Note:
    """Something that a program did not do as the assignment says, without harm."""

    kind: str  # such as "exit code": see `faults.NOTES`
    player: int
    ply: int


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a game."""

    number: int  # of the Game
    moves: str  # from the empty board, the opening included
    ending: str  # FULL, FOUR (of a classic game), ADJUDICATED, FORFEIT or VOID
    score: float | None  # red's: 1 for a win, 0.5 for a draw, 0 for a loss; None if void
    points: tuple[int, int]  # red's and green's: see `points_of`; after the line that it was adjudicated with
    cpu: tuple[float, ...]  # seconds of CPU time for each move after the opening, and for one that was a fault
    seconds: float  # by the clock, all of the game
    line: str = ""  # how the solver played on, if it was adjudicated
    faults: tuple[Fault, ...] = ()
    notes: tuple[Note, ...] = ()
    given_away: tuple[int, ...] | None = None  # points lost by each move after the opening; None if not reviewed
    isolation: str = field(default="", compare=False)  # of external programs; stored once for all games

    def score_of(self, player: int) -> float | None:
        """The score of RED or GREEN."""
        return self.score if self.score is None or player == RED else 1 - self.score

    def margin_of(self, player: int) -> int:
        """The points of RED or GREEN less the other's."""
        return self.points[0] - self.points[1] if player == RED else self.points[1] - self.points[0]

    def board(self, game: str = "max") -> Board:
        """The last position that the players reached, of a game."""
        return board_from_moves(self.moves, game)


def points_of(board: Board) -> tuple[int, int]:
    """What red and green have: their fours. In the classic game, which knows no points, the winner's drops from the
    one that won to the full board: 1 for a win with the very last, and more the sooner it comes.
    """
    if board.game != "classic":
        return board.points(RED), board.points(GREEN)
    winner = board.winner()
    worth = worth_of_four(board.pieces())
    return (worth if winner == RED else 0), (worth if winner == GREEN else 0)


@dataclass(frozen=True, slots=True)
class Result:
    """A game and what came of it."""

    game: Game
    played: Played

    def colour_of(self, name: str) -> int:
        """RED or GREEN, for one of the two players."""
        return RED if name == self.game.red else GREEN

    def score_of(self, name: str) -> float | None:
        """The score of one of the two players."""
        return self.played.score_of(self.colour_of(name))

    def margin_of(self, name: str) -> int:
        """The points of one of the two players less the other's."""
        return self.played.margin_of(self.colour_of(name))

    def given_away(self) -> list[int | None] | None:
        """The points that each move after the opening gave away: None where the referee dropped in place of a fault."""
        if self.played.given_away is None:
            return None
        replaced = {fault.ply - len(self.game.opening) - 1 for fault in self.played.faults}
        return [None if place in replaced else lost for place, lost in enumerate(self.played.given_away)]

    def of_player(self, player: int, of_moves: Sequence[T]) -> Sequence[T]:
        """What RED or GREEN has of something that each move after the opening has, such as a time."""
        return of_moves[(len(self.game.opening) + (player == GREEN)) % 2 :: 2]

    def movers(self) -> list[int]:
        """Who was asked for each move after the opening: one more than there are moves, if the last was a fault."""
        first = len(self.game.opening)
        return [RED if ply % 2 == 0 else GREEN for ply in range(first, first + len(self.played.cpu))]
