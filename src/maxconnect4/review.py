"""Reviews of games: the regret of every move against perfect play, and a plot of the values.

In Max-Connect4, the unit of the regret is a point, and every move with a regret above 0 is a mistake. In the classic
game, a mistake turns a win into a draw or a loss, or a draw into a loss. A move that only delays a win or hastens a
loss is a detour.

A move without an alternative is forced: it is neither perfect nor a mistake.
"""

from __future__ import annotations

from collections.abc import Callable

from .board import GREEN, NAMES, RED, Board, drop_text
from .formatting import plural
from .notation import board_from_moves
from .plots import picture
from .reasons import Reason, find_reason
from .scores import result_name, sign
from .solver import Solver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from matplotlib.axes import Axes


class ReviewedMove:
    """A move with the values before and after it, from the point of view of red. See `solver.Analysis`."""

    __slots__ = {
        "after": "The value after the move, from the point of view of red.",
        "before": "The value before the move, from the point of view of red.",
        "best": "The best columns, nearest the centre first; in the classic game those that win soonest or lose last.",
        "choices": "The number of columns that were open.",
        "column": "The column of the move.",
        "game": '"max" or "classic".',
        "number": "The number of the move in the game, from 1.",
        "player": "RED or GREEN.",
        "reason": "Why the move is a mistake, or what it achieves; None if that is unknown. See `reasons.Reason`.",
        "source": 'The source of the values: "search" or "book".',
    }

    def __init__(
        self,
        game: str,
        number: int,
        player: int,
        column: int,
        before: int,
        after: int,
        best: list[int],
        source: str,
        choices: int,
        reason: Reason | None = None,
    ) -> None:
        self.game = game
        self.number = number
        self.player = player
        self.column = column
        self.before = before
        self.after = after
        self.best = best
        self.source = source
        self.choices = choices
        self.reason = reason

    @property
    def forced(self) -> bool:
        """Whether only one column was open."""
        return self.choices == 1

    @property
    def regret(self) -> int:
        """The value of the best move minus the value of the move played; 0 for one of the best moves."""
        return abs(self.before - self.after)

    @property
    def severity(self) -> int:
        """The size of a mistake: the regret; in the classic game 1, or 2 if a win became a loss. 0 for no mistake."""
        return abs(sign(self.before) - sign(self.after)) if self.game == "classic" else self.regret

    @property
    def mistake(self) -> bool:
        """Whether the move is a mistake."""
        return self.severity > 0

    @property
    def moves_lost(self) -> int:
        """The number of moves by which a detour delays a win or hastens a loss; 0 for any other move."""
        return 0 if self.mistake else self.regret

    def __repr__(self) -> str:
        return f"<Move {self.number}, {NAMES[self.player]} {self.column}, regret {self.regret}>"


class PlayerSummary:
    """The summary of the moves of one player."""

    __slots__ = {
        "detours": "The number of classic moves that are not mistakes, but delay a win or hasten a loss.",
        "forced": "The number of moves without an alternative.",
        "mistakes": "The number of mistakes.",
        "moves": "The number of moves.",
        "regret": "The sum of the regret of all moves.",
        "worst": "The largest mistake, or the first of several equal ones; None without mistakes.",
    }

    def __init__(self, moves: list[ReviewedMove]) -> None:
        mistakes = [move for move in moves if move.mistake]
        self.moves = len(moves)
        self.regret = sum(move.regret for move in moves)
        self.mistakes = len(mistakes)
        self.detours = sum(move.moves_lost > 0 for move in moves)
        self.forced = sum(move.forced for move in moves)
        self.worst = max(mistakes, key=lambda move: (move.severity, move.regret), default=None)

    def __repr__(self) -> str:
        return f"<Summary of {_counted(self.moves, self.mistakes)}, regret {self.regret}>"

    @property
    def perfect_share(self) -> float | None:
        """The share of moves that are neither mistakes nor detours; None without moves."""
        return 1 - (self.mistakes + self.detours) / self.moves if self.moves else None

    @property
    def perfect(self) -> int:
        """The number of perfect moves: neither forced, nor mistakes or detours."""
        return self.moves - self.forced - self.mistakes - self.detours


class Review:
    """The review of a game: its moves with their values, and the margins on the board."""

    __slots__ = {
        "game": '"max" or "classic".',
        "margins": "The margin on the board from the point of view of red: at the start and after each move.",
        "moves": "The moves with their values.",
    }

    def __init__(self, game: str, moves: list[ReviewedMove], margins: list[int]) -> None:
        self.game = game
        self.moves = moves
        self.margins = margins

    def __repr__(self) -> str:
        return f"<Review of {self.game}, {_counted(len(self.moves), sum(move.mistake for move in self.moves))}>"

    def summary(self, player: int) -> PlayerSummary:
        """The summary of the moves of RED or GREEN."""
        return PlayerSummary([move for move in self.moves if move.player == player])

    def values(self) -> list[int]:
        """The value from the point of view of red: at the start and after each move."""
        return [move.before for move in self.moves[:1]] + [move.after for move in self.moves]


def _counted(moves: int, mistakes: int) -> str:
    return f"{plural(moves, 'move')}, {plural(mistakes, 'mistake')}"


def review(
    game: Board | str,
    solver: Solver | None = None,
    *,
    after: int = 0,
    reasons: bool = False,
    stop: Callable[[], bool] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Review a game, which may be unfinished.

    >>> review("44444").moves[1]
    <Move 2, green 4, regret 0>

    Args:
        game: A board with its moves, or a move string of Max-Connect4.
        solver: The solver, by default a new one.
        after: The number of moves to skip at the start of the game.
        reasons: Whether to find the reason for each move, which needs two principal variations for a mistake.
        stop: Called ten times a second. If it returns True, the review ends.
        progress: Called ten times a second with the number of reviewed moves and the total.

    Returns:
        The moves with their values and regret.

    Raises:
        BadPosition: If the move string is not valid.
        SearchStopped: If `stop` returned True.
    """
    board = game.copy() if isinstance(game, Board) else board_from_moves(game)
    solver = solver or Solver()
    drops = board.drops[after:]
    moves: list[ReviewedMove] = []
    margins = [board.margin()]

    def report(_: object = None) -> None:
        if progress is not None:
            progress(len(moves), len(drops))

    for column in reversed(drops):  # backwards: late positions are fast and fill the transposition table
        report()
        board.undo()
        margins.append(board.margin())
        analysis = solver.analyse(board, line=False, stop=stop, progress=report)
        assert analysis.scores is not None
        assert analysis.best is not None
        score = analysis.scores[column - 1]
        assert score is not None
        view = 1 if board.to_move == RED else -1
        reason = find_reason(board, column, analysis.best, solver, stop) if reasons else None
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
                len(board.columns()),
                reason,
            )
        )
    return Review(board.game, moves[::-1], margins[::-1])


def move_text(move: ReviewedMove, points: int) -> str:
    """Describe a reviewed move in a sentence. `points` is the number of points that it scores."""
    text = drop_text(move.player, move.column, points if move.game == "max" else 0)
    if not move.regret:
        return f"{text}, {_perfect(move)}."
    if move.game == "max":
        return f"{text}. Regret: {plural(move.regret, 'point')}. {_better(move).capitalize()}."
    before, after = (result_name(value if move.player == RED else -value) for value in (move.before, move.after))
    if move.mistake:
        return f"{text} and turns a {before} into a {after}: {_better(move)}."
    moves = plural(move.moves_lost, "move")
    slower = f"wins {moves} later than possible" if after == "win" else f"loses {moves} sooner than necessary"
    return f"{text} and {slower}: {_best(move)} {'is' if len(move.best) == 1 else 'are'} best."


def _perfect(move: ReviewedMove) -> str:
    """The choice of a move without regret."""
    if move.forced:
        return "the only legal move"
    if len(move.best) == move.choices:
        return "as good as every other column"
    return "the only best column" if len(move.best) == 1 else "a perfect move"


def _best(move: ReviewedMove) -> str:
    *others, last = map(str, sorted(move.best))
    return f"columns {', '.join(others)} and {last}" if others else f"column {last}"


def _better(move: ReviewedMove) -> str:
    value = move.before if move.player == RED else -move.before
    ending = "s" if len(move.best) == 1 else ""
    if move.game == "classic" or value == 0:
        return f"{_best(move)} keep{ending} the {result_name(value)}"
    return f"{_best(move)} win{ending} by {value}" if value > 0 else f"{_best(move)} lose{ending} by only {-value}"


def summary_text(review: Review, player: int) -> str:
    """Describe the mistakes and the regret of RED or GREEN."""
    summary, name = review.summary(player), NAMES[player].capitalize()
    if not summary.moves:
        return f"{name} made no move."
    mistakes = plural(summary.mistakes, "mistake") if summary.mistakes else "no mistakes"
    text = f"{name} made {mistakes} in {plural(summary.moves, 'move')}"
    if review.game == "classic":
        if summary.worst is not None:
            text += f": {'the worst was ' if summary.mistakes > 1 else ''}move {summary.worst.number}"
        if summary.detours:
            text += f". {plural(summary.detours, 'other move')} only delayed a win or hastened a loss"
        return text + "."
    if summary.worst is None:
        return f"{text}."
    regret = plural(summary.regret, "point")
    text += f", with a regret of {regret}. The worst was move {summary.worst.number}"
    return f"{text}. {summary.perfect} of {plural(summary.moves - summary.forced, 'move')} with a choice were perfect."


PLAYER_STYLES = {
    RED: ("#c62828", "o"),
    GREEN: ("#2e7d32", "X"),
}  # colour and shape, for readers who cannot distinguish the colours


def plot_review(review: Review, kind: str) -> bytes:
    """Plot the value after each move, from the point of view of red, as "png" or "svg"."""
    return picture(lambda axes: _draw_curve(axes, review), (9, 4.5), kind)


def _draw_curve(axes: Axes, review: Review) -> None:
    numbers = [move.number for move in review.moves]
    moments = [numbers[0] - 1, *numbers]
    axes.axhline(0, color="0.6", linewidth=0.8)
    if review.game == "classic":
        axes.plot(moments, review.values(), color="0.1", label="score with perfect play")
        axes.set_ylabel("score from red's point of view: above 0 red wins")
    else:
        axes.plot(moments, review.values(), color="0.1", label="final margin with perfect play")
        axes.step(moments, review.margins, where="post", color="0.5", linestyle=":", label="margin on the board")
        axes.set_ylabel("margin in points, red's view")
    for player, (colour, marker) in PLAYER_STYLES.items():
        mistakes = [move for move in review.moves if move.player == player and move.mistake]
        if mistakes:
            axes.scatter(
                [move.number for move in mistakes],
                [move.after for move in mistakes],
                color=colour,
                marker=marker,
                zorder=3,
                label=f"mistake of {NAMES[player]}",
            )
    axes.set_xlabel("moves played")
    axes.locator_params(integer=True, min_n_ticks=1)
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, -1.2), max(high, 1.2))
    axes.figure.legend(loc="outside upper center", ncols=4, frameon=False)
