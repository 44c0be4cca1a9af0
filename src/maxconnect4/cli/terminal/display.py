"""What a terminal shows on standard error while the computer works; where there is no terminal, nothing."""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import contextmanager

from ...outcomes import signed
from ...solver import OUT_OF_SIGHT
from .screen import in_terminal
from .worth import WORTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType
    from typing import Self

    from rich.console import Group, RenderableType
    from rich.live import Live
    from rich.progress import Progress as RichProgress

    from ...board import Board
    from ...solver import Analysis, Progress


def watched(ask: Callable[..., Analysis], board: Board) -> Analysis:
    """Have a solver's method solve a position; a terminal shows the bounds closing in."""
    with BoundsDisplay(WORTH[board.game]) as display:
        return ask(board, progress=display.show if in_terminal() else None)


class Moving:
    """Something that is drawn again and again. It appears with the first drawing and goes away at the end."""

    def __init__(self) -> None:
        self._live: Live | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._live is not None:
            self._live.stop()

    def size(self) -> tuple[int, int]:
        """How many columns and lines there are to draw in."""
        return self._started().console.size

    def draw(self, drawing: RenderableType) -> None:
        """Put a drawing in place of the last one. Ctrl-C takes effect after it, so that it can be erased."""
        with _ctrl_c_deferred():
            self._started().update(drawing, refresh=True)

    def _started(self) -> Live:
        if self._live is None:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                console=Console(stderr=True),
                auto_refresh=False,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start()
            show_the_cursor_again_when_ended()
        return self._live


@contextmanager
def _ctrl_c_deferred() -> Iterator[None]:
    interrupted = False

    def note(*_: object) -> None:
        nonlocal interrupted
        interrupted = True

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if interrupted:
        signal.raise_signal(signal.SIGINT)


class BoundsDisplay(Moving):
    """The bounds of each column, the nodes and the speed. `worth` is what they are bounds of."""

    def __init__(self, worth: str = WORTH["max"]) -> None:
        super().__init__()
        self.worth = worth

    def show(self, progress: Progress) -> None:
        """Show how far the solver is."""
        self.draw(_drawing(progress, self.worth))


def _drawing(progress: Progress, worth: str) -> Group:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    speed = progress.nodes / max(progress.seconds, 1e-9) / 1e6
    work = f"{progress.nodes:,} nodes, {speed:.1f} million/s, {progress.seconds:.0f} s"
    if progress.columns and all(bounds is None or bounds[0] == bounds[1] for bounds in progress.columns):
        work = f"looking for a best line: {work}"
    table = Table(box=None, pad_edge=False, show_header=bool(progress.columns))
    if progress.columns:
        table.add_column("column", no_wrap=True)
        for column in range(1, len(progress.columns) + 1):
            table.add_column(str(column), justify="right", no_wrap=True, min_width=5)
        table.add_row(worth, *map(_range, progress.columns))
    else:
        table.add_row(worth, _range(progress.value))
    return Group(table, Text(work, no_wrap=True, overflow="crop"))


def _range(bounds: tuple[int, int] | None) -> str:
    """A settled margin, or the two ends of where it lies; nothing is said of an end that is still out of sight."""
    if bounds is None:
        return "full"
    low, high = (signed(bound) if abs(bound) < OUT_OF_SIGHT else "?" for bound in bounds)
    return f"[bold]{low}[/bold]" if low == high != "?" else "?" if low == high else f"{low}..{high}"


class Bar:
    """A bar that fills up, with what is being done beside it."""

    def __init__(self, total: int | None, ticking: bool = False) -> None:
        self.total = total
        self.ticking = ticking  # whether the time goes on though nobody shows anything: a thread draws it
        self._next = 0.0
        self._progress: RichProgress | None = None

    def __enter__(self) -> Self:
        if in_terminal():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

            self._progress = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                auto_refresh=self.ticking,
                refresh_per_second=4,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._progress.add_task("", total=self.total)
            show_the_cursor_again_when_ended()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._progress is not None:
            self._progress.stop()

    def show(self, done: int, what: str, total: int | None = None) -> None:
        """Show how far the work is, ten times a second at the most; `total` if it was not known before."""
        if self._progress is None:
            return
        self._progress.update(self._progress.task_ids[0], completed=done, total=total, description=what)
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + 0.1
        self._progress.start()
        self._progress.refresh()

    def hide(self) -> None:
        """Make room for a line on standard output, if that is the same terminal. It comes back when next shown."""
        if self._progress is not None and sys.stdout is not None and sys.stdout.isatty():
            self._progress.stop()


def duration(seconds: float) -> str:
    """A time in words, roughly."""
    for unit, length, most in (("s", 1, 100), ("min", 60, 100 * 60), ("h", 3600, 72 * 3600)):
        if seconds < most:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds / 86400:.0f} days"


def show_the_cursor_again_when_ended() -> None:
    """SIGTERM and SIGHUP end the program as ever, but what moves has hidden the cursor."""

    def end(number: int, _: object) -> None:
        os.write(2, b"\x1b[?25h")
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)
