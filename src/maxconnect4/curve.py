"""The curve of a reviewed game, as a picture."""

from __future__ import annotations

from .board import GREEN, NAMES, RED
from .writing.pictures import picture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .review import Review

STYLES = {RED: ("#c62828", "o"), GREEN: ("#2e7d32", "X")}  # a colour and a shape, for those who cannot tell colours


def curve_of_game(review: Review, kind: str) -> bytes:
    """What perfect play comes to over the game, in red's view, as "png" or "svg"."""
    return picture(lambda axes: _draw_curve(axes, review), (9, 4.5), kind)


def _draw_curve(axes: Axes, review: Review) -> None:
    numbers = [move.number for move in review.moves]
    moments = [numbers[0] - 1, *numbers]
    axes.axhline(0, color="0.6", linewidth=0.8)
    if review.game == "classic":
        axes.plot(moments, review.values(), color="0.1", label="score with perfect play")
        axes.set_ylabel("score in red's view: above 0 red wins")
    else:
        axes.plot(moments, review.values(), color="0.1", label="final margin with perfect play")
        axes.step(moments, review.margins, where="post", color="0.5", linestyle=":", label="margin on the board")
        axes.set_ylabel("margin in points, red's view")
    for player, (colour, marker) in STYLES.items():
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
