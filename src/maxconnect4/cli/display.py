"""What a terminal shows on standard error while the solver works; where there is no terminal, nothing."""

from __future__ import annotations

import os
import sys
import time

from .screen import signed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from rich.live import Live
    from rich.progress import Progress as RichProgress
    from rich.table import Table

    from ..board import Board
    from ..solver import Analysis, Progress, Solver


def in_terminal() -> bool:
    """Whether standard error can show something that moves."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def analyse_watched(solver: Solver, board: Board, only_value: bool = False) -> Analysis:
    """Solve a position; a terminal shows the bounds closing in."""
    with BoundsDisplay() as display:
        return solver.analyse(board, only_value=only_value, progress=display.show if in_terminal() else None)


class BoundsDisplay:
    """The bounds of each column, the nodes and the speed. It appears with the first report and goes away at the end."""

    def __init__(self) -> None:
        self._live: Live | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, progress: Progress) -> None:
        """Show how far the solver is."""
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
        self._live.update(_drawing(progress), refresh=True)


def _drawing(progress: Progress) -> Table:
    from rich.table import Table

    speed = progress.nodes / max(progress.seconds, 1e-9) / 1e6
    work = f"{progress.nodes:,} nodes, {speed:.1f} million/s, {progress.seconds:.0f} s"
    table = Table(box=None, caption=work, caption_justify="left", pad_edge=False, show_header=bool(progress.columns))
    if progress.columns:
        table.add_column("column")
        for column in range(1, len(progress.columns) + 1):
            table.add_column(str(column), justify="right")
        table.add_row("margin", *map(_range, progress.columns))
    else:
        table.add_row("margin", _range(progress.value))
    return table


def _range(bounds: tuple[int, int] | None) -> str:
    if bounds is None:
        return "full"
    low, high = bounds
    return f"[bold]{signed(low)}[/bold]" if low == high else f"{signed(low)}..{signed(high)}"


class Bar:
    """A bar that fills up, with what is being done beside it."""

    def __init__(self, total: int | None) -> None:
        self.total = total
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
                auto_refresh=False,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._progress.add_task("", total=self.total)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._progress is not None:
            self._progress.stop()

    def show(self, done: int, what: str) -> None:
        """Show how far the work is, ten times a second at the most."""
        if self._progress is None or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + 0.1
        self._progress.start()
        self._progress.update(self._progress.task_ids[0], completed=done, description=what, refresh=True)

    def hide(self) -> None:
        """Make room for a line on standard output, if that is the same terminal. It comes back when next shown."""
        if self._progress is not None and sys.stdout is not None and sys.stdout.isatty():
            self._progress.stop()
