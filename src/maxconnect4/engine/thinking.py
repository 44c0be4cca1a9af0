"""One search: from a position and its limits to the drop, with what is found on the way.

The book and the solver know the truth, mostly at once, and where they tell it in time the play is perfect. For the rest
a search that deepens has a good drop after a moment, before the solver goes on with the time that is left. Where plies
or nodes are given, that search is all there is.
"""

from __future__ import annotations

import time
from contextlib import suppress

from ..errors import CannotSolve
from ..search import choose
from . import scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

    from ..board import Board
    from ..book import Book
    from ..search import Choice
    from ..solver import Progress, Solver
    from .limits import Limits
    from .options import Options

TICK = 0.1  # seconds: so late may the solver look at the clock
SHARE = 0.15  # of the time there is, for the search that deepens
MOST_SECONDS = 1.0  # and it takes no more than this
LINE_SECONDS = 0.2  # for the rest of the line, once the drop is known
QUIET_SECONDS = 1.0  # between two lines that say only how much has been searched


class Stopped(Exception):
    """Somebody said stop."""


class TimeUp(Exception):
    """The clock did."""


class Thinking:
    """A search that says what it finds to `tell`, and ends when `stop` is set."""

    def __init__(
        self,
        board: Board,
        limits: Limits,
        options: Options,
        solver: Solver,
        book: Book | None,
        stop: Event,
        tell: Callable[[str, list[int]], None],
        complain: Callable[[str], None],
    ) -> None:
        self.board = board
        self.limits = limits
        self.evaluation = options.evaluation
        self.lines = options.lines
        self.table_bytes = options.resources()[0]
        self.perfect = options.solver and limits.depth is None and limits.nodes is None
        self.solver = solver
        self.book = book
        self.stop = stop
        self.tell = tell
        self.complain = complain
        self.allowed = limits.columns or board.columns()
        #: What to drop into, as far as it is known.
        self.column: int | None = None
        self._all_scores = self.lines > 1 or limits.columns is not None
        self._start = time.perf_counter()
        self._nodes = 0  # of what is finished
        self._told = 0.0
        self._cannot_solve = False

    def run(self) -> None:
        """Find the column."""
        if not self.allowed:
            return
        with suppress(Stopped):
            self._find()
        if self.column is None:  # stopped before anything was found
            found = choose(self.board, 1, evaluation=self.evaluation, scores=True)
            assert found.scores is not None
            self.column = self._ranked(found.scores)[0]

    def _find(self) -> None:
        if not self.perfect:
            self._deepen(self.limits.seconds, self.limits.depth, self.limits.nodes)
            return
        seconds = self.limits.seconds
        if seconds is not None and seconds < 3 * TICK and not self._in_book():
            self._deepen(seconds)  # the solver cannot stop so soon
            return
        if self._solve(TICK):
            return
        share = MOST_SECONDS if seconds is None else min(MOST_SECONDS, SHARE * seconds)
        if not self._deepen(self._seconds_left() if self._cannot_solve else share):
            self._solve(self._seconds_left())

    def _in_book(self) -> bool:
        return self.book is not None and self.book.scores(self.board) is not None

    # The search

    def _deepen(self, seconds: float | None = None, depth: int | None = None, nodes: int | None = None) -> bool:
        """Search ever deeper. Whether that came to the end of it all."""
        seconds = None if seconds is None else max(seconds, 0.001)
        found = choose(
            self.board,
            self._empty() if depth is None else depth,
            seconds=seconds,
            nodes=nodes,
            evaluation=self.evaluation,
            scores=self._all_scores,
            table_bytes=self.table_bytes,
            watch=self._check,
            finished=self._searched,
        )
        self._nodes += found.nodes
        return (found.exact and not self._all_scores) or found.depth >= self._empty()

    def _searched(self, choice: Choice) -> None:
        assert choice.lines is not None
        assert choice.value is not None
        values = choice.scores or [None] * self.board.width
        values[choice.column - 1] = choice.value
        to_the_end = choice.depth >= self._empty()
        ranked = self._ranked(values)
        self.column = ranked[0]
        for place, column in enumerate(ranked[: self.lines], start=1):
            value = values[column - 1]
            assert value is not None
            worth = scores.of_search(self.board, value, to_the_end, self.evaluation)
            full = f" hashfull {choice.table_permille}"
            self._info(choice.depth, place, worth, choice.nodes, choice.lines[column - 1] or [column], full)

    # The solver

    def _solve(self, seconds: float | None) -> bool:
        """Ask the book or the solver. Whether the answer came in so many seconds."""
        if self._cannot_solve or (seconds is not None and seconds < TICK):
            return False
        until = None if seconds is None else time.perf_counter() + seconds - TICK / 2

        def progress(now: Progress) -> None:
            self._check(until)
            if now.seconds - self._told > QUIET_SECONDS:
                self._told = now.seconds
                self.tell(self._effort(self._nodes + now.nodes), [])

        try:
            if self._all_scores:
                found = self.solver.analyse(self.board, line=False, progress=progress)
            else:
                found = self.solver.best_column(self.board, progress=progress)
        except TimeUp:
            return False
        except CannotSolve as error:  # no memory for its table
            self._cannot_solve = True
            self.complain(str(error))
            return False
        assert found.best
        values = found.scores or [None] * self.board.width
        values[found.best[0] - 1] = found.value
        self._nodes += found.nodes
        ranked = self._ranked(values)
        self.column = ranked[0]
        lines = {column: [column] for column in ranked[: self.lines]}
        self._tell_values(values, lines)
        if self._continued(lines):
            self._tell_values(values, lines)
        return True

    def _tell_values(self, values: list[int | None], lines: dict[int, list[int]]) -> None:
        for place, (column, line) in enumerate(lines.items(), start=1):
            value = values[column - 1]
            assert value is not None
            full = f" hashfull {self.solver.table_permille()}"
            self._info(self._empty(), place, scores.of_solver(self.board, value), 0, line, full)

    def _continued(self, lines: dict[int, list[int]]) -> bool:
        """Play on perfectly after each first drop, as long as there is time for that. Whether it made them longer."""
        left = self._seconds_left()
        if left is not None and left < 2 * TICK:
            return False
        until = None if left is None else time.perf_counter() + min(LINE_SECONDS, left / 4)
        longer = False
        try:
            for line in lines.values():
                board = self.board.copy()
                board.drop(line[0])
                while not board.is_over() and (until is None or time.perf_counter() < until):
                    found = self.solver.best_column(board, progress=lambda _: self._check(until))
                    assert found.best
                    self._nodes += found.nodes
                    line.append(found.best[0])
                    board.drop(found.best[0])
                    longer = True
        except TimeUp:
            pass
        return longer

    # What both need

    def _ranked(self, values: list[int | None]) -> list[int]:
        """The columns that have a value, the best first, and of equal ones the one nearest the centre."""
        known = {column: value for column, value in enumerate(values, start=1) if value is not None}
        columns = [column for column in self.board.from_the_centre() if column in self.allowed and column in known]
        return sorted(columns, key=lambda column: -known[column])

    def _empty(self) -> int:
        return self.board.width * self.board.height - self.board.pieces()

    def _seconds_left(self) -> float | None:
        if self.limits.seconds is None:
            return None
        return self.limits.seconds - (time.perf_counter() - self._start)

    def _check(self, until: float | None = None) -> None:
        if self.stop.is_set():
            raise Stopped
        if until is not None and time.perf_counter() > until:
            raise TimeUp

    def _info(self, depth: int, place: int, worth: str, nodes: int, line: list[int], more: str = "") -> None:
        self.tell(f"depth {depth} multipv {place} score {worth} {self._effort(self._nodes + nodes)}{more}", line)

    def _effort(self, nodes: int) -> str:
        seconds = time.perf_counter() - self._start
        return f"nodes {nodes} nps {round(nodes / max(seconds, 0.001))} time {round(1000 * seconds)}"
