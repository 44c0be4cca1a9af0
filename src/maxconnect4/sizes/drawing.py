"""A map of the sizes that are solved."""

from __future__ import annotations

from ..amounts import with_minus
from ..writing.pictures import picture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .file import Results


def map_of_sizes(results: Results, kind: str) -> bytes:
    """The value of the empty board by columns and rows, as "png" or "svg"."""
    return picture(lambda axes: _draw_sizes(axes, results), (7, 7.5), kind)


def _draw_sizes(axes: Axes, results: Results) -> None:
    from matplotlib.patches import Rectangle

    for facts in results.values():
        value = facts.get("value")
        colour = "0.92" if value is None else "#f4c7c3" if value > 0 else "#b7dfb9" if value < 0 else "#fdf3c4"
        text = "?" if value is None else with_minus(f"{value:+d}")
        corner = (facts["columns"] - 0.5, facts["rows"] - 0.5)
        axes.add_patch(Rectangle(corner, 1, 1, facecolor=colour, edgecolor="0.4"))
        axes.text(facts["columns"], facts["rows"], text, ha="center", va="center", fontsize=13)
    axes.set(xlim=(3.4, 12.6), ylim=(3.4, 15.6), xticks=range(4, 13), yticks=range(4, 16), aspect="equal")
    axes.set_xlabel("columns")
    axes.set_ylabel("rows")
    axes.set_title("final margin of the first player with perfect play", fontsize=11)
