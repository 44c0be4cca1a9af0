"""The curve of a reviewed game, as a picture."""

from __future__ import annotations

import io

from ..board import GREEN, NAMES, RED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..review import Review

STYLES = {RED: ("#c62828", "o"), GREEN: ("#2e7d32", "X")}  # a colour and a shape, for those who cannot tell colours


def margin_curve(review: Review, kind: str) -> bytes:
    """The final margin with perfect play over the game, in red's view, as "png" or "svg". No display is needed."""
    import matplotlib
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4.5), layout="constrained")
    axes = figure.add_subplot()
    numbers = [move.number for move in review.moves]
    moments = [numbers[0] - 1, *numbers]
    axes.axhline(0, color="0.6", linewidth=0.8)
    axes.plot(moments, review.values(), color="0.1", label="final margin with perfect play")
    axes.step(moments, review.margins, where="post", color="0.5", linestyle=":", label="margin on the board")
    for player, (colour, marker) in STYLES.items():
        mistakes = [move for move in review.moves if move.player == player and move.given_away]
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
    axes.set_ylabel("margin in points, red's view")
    axes.locator_params(integer=True)
    figure.legend(loc="outside upper center", ncols=4, frameon=False)
    file = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "maxconnect4"}):  # the same game is drawn the same, byte for byte
        figure.savefig(file, format=kind, dpi=120, metadata={"Date": None} if kind == "svg" else None)
    return file.getvalue()
