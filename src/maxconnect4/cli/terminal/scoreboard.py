"""How a match or a tournament stands, while it is played."""

from __future__ import annotations

import time

from ...referee.tournament import counted, standings_of
from .display import Moving, duration
from .screen import complain, in_terminal
from .standings_table import head_and_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...referee.running import Progress
    from ...referee.tournament import Tournament

LINE_EVERY = 60  # seconds, where there is no terminal


class Scoreboard(Moving):
    """The standings and a bar, in a terminal; elsewhere a line now and then."""

    def __init__(self, tournament: Tournament, quiet: bool) -> None:
        super().__init__()
        self.tournament = tournament
        self.quiet = quiet
        self._start = time.monotonic()
        self._first: int | None = None
        self._next = 0.0 if in_terminal() else self._start + LINE_EVERY

    def show(self, now: Progress) -> None:
        """Show how far it is, now and then."""
        if self._first is None:
            self._first = len(now.results)
        moment = time.monotonic()
        if self.quiet or moment < self._next:
            return
        if not in_terminal():
            complain(self._words(now))
            self._next = moment + LINE_EVERY
            return
        self._draw(now)
        self._next = time.monotonic() + min(max(0.25, 10 * (time.monotonic() - moment)), 2.0)

    def _words(self, now: Progress) -> str:
        if now.to_review:
            return f"{now.reviewed:,} of {now.to_review:,} games reviewed"
        done = len(now.results)
        text = f"{done:,} of {now.scheduled:,} games"
        fresh = done - (self._first or 0)
        if fresh:
            left = (time.monotonic() - self._start) / fresh * (now.scheduled - done)
            text += f", about {duration(left)} left"
        return text

    def _draw(self, now: Progress) -> None:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        width, height = self.size()
        most = max(height - 4, 1)  # and a head, a line for the others, the bar, and one that stays free
        head, rows = head_and_rows(standings_of(self.tournament, counted(self.tournament, now.results)), width)
        table = Table(box=None, pad_edge=False)
        for number, title in enumerate(head):
            table.add_column(title, justify="left" if number == 1 else "right", no_wrap=True)
        for row in rows[:most]:
            table.add_row(*map(Text, row))
        if len(rows) > most:
            table.add_row("", f"and {len(rows) - most} more")
        done, total = (now.reviewed, now.to_review) if now.to_review else (len(now.results), now.scheduled)
        bar = Table.grid(padding=(0, 1))
        bar.add_row(ProgressBar(max(total, 1), done, width=40), Text(self._words(now)))
        self.draw(Group(table, bar))
