"""Progress displays on standard error: a live display in a terminal, elsewhere a line every few seconds."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Self

from ..board import Board
from ..formatting import plural
from ..scores import VALUE_NAMES, format_signed
from ..search import Choice
from ..solver import NO_BOUND, Analysis, Progress
from .terminal import Screen, in_terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.live import Live
    from rich.progress import Progress as RichProgress
    from rich.table import Table

    from ..benchmark.runner import Plan
    from ..benchmark.store import Measurements

CPU_LIMIT = 60.0  # seconds of CPU time, of the assignment
GIVE_UP_FACTOR = 10  # times the limit, after which a move is ended
NOTHING_NEW = "everything is already measured: if the program has changed, use --restart"


LINE_SECONDS = 5.0  # between two lines, where standard error is not a terminal
LINES_OF_RUN = 100  # about, in a long run: its log stays short


class ProgressLines:
    """Lines with the progress and the elapsed time, where standard error is not a terminal.

    A thread prints the latest text, also while a step takes long. A run shorter than LINE_SECONDS prints none.
    """

    def __init__(self) -> None:
        self._text = ""
        self._start = time.monotonic()
        self._end: threading.Event | None = None
        self._thread: threading.Thread | None = None

    def update(self, text: str) -> None:
        self._text = text
        if self._end is None:
            self._end = threading.Event()
            printing = threading.Thread(target=self._print, args=(self._end,), daemon=True)
            before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # they are for the main thread
            try:
                with suppress(RuntimeError):  # the system allows no further thread
                    printing.start()
                    self._thread = printing
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def close(self) -> None:
        """Print no further line."""
        if self._end is not None:
            self._end.set()
        if self._thread is not None:
            self._thread.join(1.0)  # a line may be under way, into a pipe that nothing reads

    def _print(self, end: threading.Event) -> None:
        screen, seconds = Screen(sys.stderr), 0.0
        while not end.wait(max(LINE_SECONDS, seconds / LINES_OF_RUN)):
            seconds = time.monotonic() - self._start
            screen.print(f"{self._text}, {duration_text(seconds)}")


def solve_with_progress(analyse: Callable[..., Analysis], board: Board) -> Analysis:
    """Call a method of a solver, and display the bounds of its values."""
    with SolverDisplay(VALUE_NAMES[board.game]) as display:
        return analyse(board, progress=display.update)


class LiveDisplay:
    """A rich display that appears with the first update and disappears at the end; lines where there is no terminal."""

    def __init__(self) -> None:
        self._live: Live | None = None
        self._lines = ProgressLines()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._lines.close()
        if self._live is not None:
            self._live.stop()

    def show(self, text: str, drawing: Callable[[], RenderableType]) -> None:
        """Draw in a terminal, and print the text from time to time elsewhere."""
        if in_terminal():
            self.draw(drawing())
        else:
            self._lines.update(text)

    def size(self) -> tuple[int, int]:
        """Columns and lines of the terminal."""
        return self._started().console.size

    def draw(self, drawing: RenderableType) -> None:
        """Replace the display. Ctrl-C takes effect afterwards, so that the display can be erased."""
        with ctrl_c_deferred():
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
            restore_cursor_on_signal()
        return self._live


@contextmanager
def ctrl_c_deferred() -> Iterator[None]:
    """Let Ctrl-C take effect at the end of this context."""
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


class SolverDisplay(LiveDisplay):
    """The bounds of every column, nodes and speed of a solver. `title` names the values."""

    def __init__(self, title: str = VALUE_NAMES["max"], of: str = "") -> None:
        super().__init__()
        self.title = title
        self.of = of  # what is solved, at the beginning of a line

    def update(self, progress: Progress) -> None:
        nodes = plural(progress.nodes, "node")
        self.show(f"{self.of}{_bounds_summary(progress, self.title)}, {nodes}", lambda: self._drawing(progress, nodes))

    def _drawing(self, progress: Progress, nodes: str) -> Group:
        from rich.console import Group
        from rich.text import Text

        speed = progress.nodes / max(progress.seconds, 1e-9) / 1e6
        work = f"{nodes}, {speed:.1f} million/s, {progress.seconds:.0f} s"
        if _solved(progress) == len(progress.columns) > 0:
            work = f"searching the best line: {work}"
        bounds = (
            _bounds_table(progress, self.title) if progress.columns else Text(_bounds_summary(progress, self.title))
        )
        return Group(bounds, Text(work, no_wrap=True, overflow="crop"))


def _solved(progress: Progress) -> int:
    return sum(bounds is None or bounds[0] == bounds[1] for bounds in progress.columns)


def _bounds_summary(progress: Progress, title: str) -> str:
    if progress.columns:
        return f"{_solved(progress)} of {len(progress.columns)} columns solved"
    low, high = progress.value
    ends = [
        f"{word} {format_signed(bound)}"
        for word, bound in (("at least", low), ("at most", high))
        if abs(bound) < NO_BOUND
    ]
    if low == high and ends:
        return f"{title} {format_signed(low)}"
    return f"{title} {' and '.join(ends)}" if ends else f"{title} not yet bounded"


def _bounds_table(progress: Progress, title: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("column", no_wrap=True)
    for column in range(1, len(progress.columns) + 1):
        table.add_column(str(column), justify="right", no_wrap=True, min_width=5)
    table.add_row(title, *map(_bounds_text, progress.columns))
    return table


def _bounds_text(bounds: tuple[int, int] | None) -> str:
    """An exact value, or its two bounds; ? for a bound that is still unknown."""
    if bounds is None:
        return "full"
    low, high = (format_signed(bound) if abs(bound) < NO_BOUND else "?" for bound in bounds)
    return f"[bold]{low}[/bold]" if low == high != "?" else "?" if low == high else f"{low}..{high}"


class ProgressBar:
    """A progress bar with the current step; lines where there is no terminal.

    Args:
        total: The number of steps, if it is known.
        unit: The name of the steps, for lines whose text does not count them.
        ticking: Whether the bar keeps the elapsed time up to date between updates.
    """

    def __init__(self, total: int | None, unit: str = "", ticking: bool = False) -> None:
        self.total = total
        self.unit = unit
        self.ticking = ticking
        self._lines = ProgressLines()
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
            restore_cursor_on_signal()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._lines.close()
        if self._progress is not None:
            self._progress.stop()

    def update(self, done: int, step: str, total: int | None = None) -> None:
        """Show the progress, at most ten times a second; `total` if it was not known before."""
        self.total = self.total if total is None else total
        if self._progress is None:
            counted = bool(self.unit) and self.total is not None
            self._lines.update(f"{done:,} of {self.total:,} {self.unit}, {step}" if counted else step)
            return
        self._progress.update(self._progress.task_ids[0], completed=done, total=total, description=step)
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + 0.1
        self._progress.start()
        self._progress.refresh()

    def hide(self) -> None:
        """Erase the bar until the next update, before a line on standard output if that is the same terminal."""
        if self._progress is not None and sys.stdout is not None and sys.stdout.isatty():
            self._progress.stop()


def duration_text(seconds: float) -> str:
    """A rough duration with its unit."""
    for unit, length, most in (("s", 1, 100), ("min", 60, 100 * 60), ("h", 3600, 72 * 3600)):
        if seconds < most:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds / 86400:.0f} days"


def restore_cursor_on_signal() -> None:
    """Restore the cursor, which a display hides, before SIGTERM and SIGHUP end the program."""

    def end(number: int, _: object) -> None:
        os.write(2, b"\x1b[?25h")
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)


DISPLAY_AFTER = 1.0  # seconds


def search_with_progress(search: Callable[..., Choice], board: Board, depth: int | None) -> Choice:
    """Call a search; a terminal shows its depth and best column."""
    with SearchDisplay(depth, board.width * board.height - board.pieces()) as display:
        return search(board, progress=display.update, on_depth=None if display.solves else display.set_choice)


class SearchDisplay(LiveDisplay):
    """The completed depth, the best column so far, and the elapsed time of a search."""

    def __init__(self, depth: int | None, left: int) -> None:
        super().__init__()
        self.start = time.monotonic()
        self.plies = "" if depth is None else f" of {depth}"
        self.solves = depth is not None and depth >= left  # without results of smaller depths
        self.choice: Choice | None = None

    def set_choice(self, choice: Choice) -> None:
        self.choice = choice

    def update(self) -> None:
        """Show the progress of a search that takes long."""
        seconds = time.monotonic() - self.start
        if seconds < DISPLAY_AFTER or not (self.choice or self.solves):
            return
        from rich.text import Text

        text = "solving the position"
        if self.choice:
            text = f"{self.choice.depth}{self.plies} plies ahead, column {self.choice.column} so far"
        self.draw(Text(f"{text}, {seconds:.0f} s", no_wrap=True, overflow="ellipsis"))


def measure_with_progress(plan: Plan, file: Measurements) -> bool:
    """Measure what the file does not have yet, with a progress bar, and return whether there was anything."""
    from ..benchmark.runner import measure  # one-move, which loads this module, does without
    from .options import report_isolation

    new = False

    def show(done: int, total: int | None, next_step: str) -> None:
        nonlocal new
        new = True
        bar.update(done, next_step, total)

    report_isolation([each.spec for each in plan.players])
    with ProgressBar(plan.total, "measurements", ticking=True) as bar:
        measure(plan, file, show)
    return new
