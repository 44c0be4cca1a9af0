"""Reproducible plots with matplotlib, without a display."""

from __future__ import annotations

import io
import logging
import os
from collections.abc import Callable

from .errors import requires_extra

TYPE_CHECKING = False
if TYPE_CHECKING:
    from matplotlib.axes import Axes


def picture(draw: Callable[[Axes], None], size: tuple[float, float], kind: str) -> bytes:
    """Draw a plot as "png" or "svg". The bytes do not depend on the user's settings."""
    load_matplotlib()
    import matplotlib
    from matplotlib.figure import Figure

    file = io.BytesIO()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams["svg.hashsalt"] = "maxconnect4"
        matplotlib.rcParams["text.parse_math"] = False  # a name with two $ is not a formula
        figure = Figure(figsize=size, layout="constrained")
        draw(figure.add_subplot())
        figure.savefig(file, format=kind, dpi=120, metadata={"Date": None} if kind == "svg" else None)
    return file.getvalue()


def load_matplotlib() -> None:
    """Import matplotlib without a display, and without messages about its font cache and settings."""
    os.environ.pop("MPLBACKEND", None)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    with requires_extra("plot"):
        import matplotlib  # noqa: F401
