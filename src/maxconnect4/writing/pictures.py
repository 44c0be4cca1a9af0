"""Pictures made with matplotlib. No display is needed."""

from __future__ import annotations

import io
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes


def picture(draw: Callable[[Axes], None], size: tuple[float, float], kind: str) -> bytes:
    """What `draw` draws; the same thing is drawn the same, byte for byte, whatever the user's settings are."""
    os.environ.pop("MPLBACKEND", None)
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
