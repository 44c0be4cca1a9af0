"""What each move of a game gave away, against perfect play.

In Max-Connect4 that is points, and every move that gives some away is a mistake. In the classic game it counts who
wins: a mistake turns a win into a draw or a loss, or a draw into a loss. What only makes a win come later, or a loss
sooner, is none.
"""

from __future__ import annotations

from .amounts import how_many
from .board import NAMES, RED, Board
from .notation import board_from_moves
from .outcomes import sign
from .solver import Solver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class ReviewedMove:
    """A move and its worth. `before` and `after` are what perfect play comes to, in red's view: see `Analysis`."""

    __slots__ = {
        "after": "What perfect play comes to after the move, in red's view.",
        "before": "What it came to before, in red's view.",
        "best": "The best columns, nearest the centre first; in the classic game those that win soonest or lose last.",
        "column": "Where the piece was dropped.",
        "game": '"max" or "classic".',
        "number": "Which move of the game it is, the first being 1.",
        "player": "RED or GREEN.",
        "source": 'Where the values come from: "search" or "book".',
    }

    def __init__(
        self, game: str, number: int, player: int, column: int, before: int, after: int, best: list[int], source: str
    ) -> None:
        self.game = game
        self.number = number
        self.player = player
        self.column = column
        self.before = before
        self.after = after
        self.best = best
        self.source = source

    @property
    def given_away(self) -> int:
        """The points that the move cost its player, in the classic game what its score lost; 0 for a perfect move."""
        return abs(self.before - self.after)

    @property
    def severity(self) -> int:
        """How bad a mistake it is, 0 if it is none: the points; in the classic game 1, or 2 if a win became a loss."""
        return abs(sign(self.before) - sign(self.after)) if self.game == "classic" else self.given_away

    @property
    def mistake(self) -> bool:
        """Whether it gave away what counts."""
        return self.severity > 0

    @property
    def moves_lost(self) -> int:
        """How many moves later a win of the classic game comes that is still a win, or how many sooner a loss."""
        return 0 if self.mistake else self.given_away

    def __repr__(self) -> str:
        return f"<Move {self.number}, {NAMES[self.player]} {self.column}, gave away {self.given_away}>"


class Summary:
    """How well one player played."""

    __slots__ = {
        "detours": "How many moves of the classic game were no mistakes, but made a win come later or a loss sooner.",
        "given_away": "The points that all moves cost together.",
        "mistakes": "How many moves gave away what counts.",
        "moves": "How many moves there were.",
        "worst": "The worst mistake, the first of several; None if there is none.",
    }

    def __init__(self, moves: list[ReviewedMove]) -> None:
        mistakes = [move for move in moves if move.mistake]
        self.moves = len(moves)
        self.given_away = sum(move.given_away for move in moves)
        self.mistakes = len(mistakes)
        self.detours = sum(move.moves_lost > 0 for move in moves)
        self.worst = max(mistakes, key=lambda move: (move.severity, move.given_away), default=None)

    def __repr__(self) -> str:
        return f"<Summary of {_counted(self.moves, self.mistakes)}, gave away {self.given_away}>"

    @property
    def perfect_share(self) -> float | None:
        """The share of the moves that were neither mistakes nor detours, or None if there are no moves."""
        return 1 - (self.mistakes + self.detours) / self.moves if self.moves else None


class Review:
    """A game move by move."""

    __slots__ = {
        "game": '"max" or "classic".',
        "margins": "The margin of the points on the board, in red's view: at the start and after each move.",
        "moves": "Each move and its worth.",
    }

    def __init__(self, game: str, moves: list[ReviewedMove], margins: list[int]) -> None:
        self.game = game
        self.moves = moves
        self.margins = margins

    def __repr__(self) -> str:
        return f"<Review of {self.game}, {_counted(len(self.moves), sum(move.mistake for move in self.moves))}>"

    def summary(self, player: int) -> Summary:
        """How well RED or GREEN played."""
        return Summary([move for move in self.moves if move.player == player])

    def values(self) -> list[int]:
        """What perfect play from then on comes to, in red's view: at the start and after each move."""
        return [move.before for move in self.moves[:1]] + [move.after for move in self.moves]


def _counted(moves: int, mistakes: int) -> str:
    return f"{how_many(moves, 'move')}, {how_many(mistakes, 'mistake')}"


def review(
    game: Board | str,
    solver: Solver | None = None,
    *,
    after: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Review a game: a board with its drops, or a move string of Max-Connect4. The game need not be over.

    >>> review("44444").moves[1]
    <Move 2, green 4, gave away 0>

    `after` leaves out so many moves at its beginning.

    `progress` is called with the number of moves that are done and of all; what it raises stops the review.
    """
    board = game.copy() if isinstance(game, Board) else board_from_moves(game)
    solver = solver or Solver()
    drops = board.drops[after:]
    moves: list[ReviewedMove] = []
    margins = [board.margin()]

    def report(_: object = None) -> None:
        if progress is not None:
            progress(len(moves), len(drops))

    for column in reversed(drops):  # from the end, where the solver is quick, so that its table helps before that
        report()
        board.undo()
        margins.append(board.margin())
        analysis = solver.analyse(board, line=False, progress=report)
        assert analysis.scores is not None
        assert analysis.best is not None
        score = analysis.scores[column - 1]
        assert score is not None
        view = 1 if board.to_move == RED else -1
        moves.append(
            ReviewedMove(
                board.game,
                board.pieces() + 1,
                board.to_move,
                column,
                view * analysis.value,
                view * score,
                analysis.best,
                analysis.source,
            )
        )
    return Review(board.game, moves[::-1], margins[::-1])
