"""Pictures made with matplotlib. No display is needed."""

from __future__ import annotations

import io
import logging
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes


def picture(draw: Callable[[Axes], None], size: tuple[float, float], kind: str) -> bytes:
    """What `draw` draws; the same thing is drawn the same, byte for byte, whatever the user's settings are."""
    expect_no_display()
    import matplotlib
    from matplotlib.figure import Figure

    file = io.BytesIO()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams["svg.hashsalt"] = "maxconnect4"
        matplotlib.rcParams["text.parse_math"] = False  # a name with two $ is no formula
        figure = Figure(figsize=size, layout="constrained")
        draw(figure.add_subplot())
        figure.savefig(file, format=kind, dpi=120, metadata={"Date": None} if kind == "svg" else None)
    return file.getvalue()


def expect_no_display() -> None:
    """Call this before matplotlib is imported: it asks for no display then, and does not speak of its own files."""
    os.environ.pop("MPLBACKEND", None)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # where it keeps its fonts, and what it found in settings
