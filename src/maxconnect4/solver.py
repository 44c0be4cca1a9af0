"""Perfect play: the exact value of a position and of every column, by the compiled solver."""

from __future__ import annotations

import time

from .board import GREEN, RED, Board, whole
from .errors import BadFile, CannotSolve
from .search import CoreSolver, as_bits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .book import Book
    from .search import CoreAnalysis

    Report = Callable[[tuple[int, int], list[tuple[int, int] | None], int], None]

MOST_MEMORY = 1 << 30  # more is seldom of use, and has to be asked for
LEAST_DEFAULT_MEMORY = 16 << 20
OUT_OF_SIGHT = 50  # points: beyond any margin that comes up, so a bound of which nothing is known


class Analysis:
    """What perfect play comes to. All values are in the view of the side to move.

    They are final margins. In the classic game 0 is a draw, n a win with the n-th last piece counted from the full
    board, and -n such a loss.
    """

    __slots__ = {
        "best": "The columns that keep the value, nearest the centre first.",
        "cpu_seconds": "The CPU time that it took, of all threads.",
        "line": "One way to play on perfectly, to the end: columns.",
        "nodes": "How many positions were looked at; none, if the book has it all.",
        "scores": "The value of a drop into each column from left to right, None for a full one.",
        "seconds": "The time that it took by the clock.",
        "source": 'Where the value and the scores come from: "search" or "book".',
        "value": "The value of the position: the best of the scores.",
    }

    def __init__(self, value: int) -> None:
        self.value = value
        self.scores: list[int | None] | None = None
        self.best: list[int] | None = None
        self.line: list[int] | None = None
        self.nodes = 0
        self.cpu_seconds = 0.0
        self.seconds = 0.0
        self.source = "search"

    def __repr__(self) -> str:
        best = f", best {self.best}" if self.best else ""
        scores = f", scores {self.scores}" if self.scores else ""
        return f"<Analysis: value {self.value}{best}{scores}, {self.nodes:,} nodes>"


class Progress:
    """How far an analysis is: the bounds of the value and of each column, in the view of the side to move."""

    __slots__ = {
        "columns": "Of each column from left to right, None for a full one; empty if only the value is asked for.",
        "nodes": "How many positions were looked at.",
        "seconds": "The time since it began, by the clock.",
        "value": "Between which two the value lies.",
    }

    def __init__(
        self, value: tuple[int, int], columns: list[tuple[int, int] | None], nodes: int, seconds: float
    ) -> None:
        self.value = value
        self.columns = columns
        self.nodes = nodes
        self.seconds = seconds

    def __repr__(self) -> str:
        return f"<Progress: value from {self.value[0]} to {self.value[1]}, {self.nodes:,} nodes>"


class Solver:
    """Solves positions of either game one after another, and keeps what it has learnt in between.

    >>> solver = Solver()
    >>> solver.analyse(board_from_moves("454672752411266535461732")).scores
    [-4, -3, -3, -3, -1, -4, -5]
    >>> solver.best_column(Board()).best
    [4]

    What is in the book is looked up there: `book` is one that you have opened, False for none, or by default the one
    that comes with this package.

    `memory` is the most that its table may take, in bytes: by default half of what the machine has free, and 1 GiB at
    the most. The table takes little until it is needed. `threads` is by default the number of processors.
    The values never depend on either.
    """

    def __init__(self, memory: int | None = None, threads: int | None = None, *, book: Book | bool = True) -> None:
        self.memory = default_memory() if memory is None else whole(memory, "a size of the table in bytes")
        self._memory_was_asked_for = memory is not None
        self.threads = _processors() if threads is None else whole(threads, "a number of threads")
        if self.memory < 0:
            raise CannotSolve(f"a table of {self.memory} bytes is negative")
        if self.threads < 1:
            raise ValueError(f"{self.threads} threads cannot search: at least one has to")
        if isinstance(book, str):
            raise TypeError(f"the book is one that is open, such as Book({book!r}), not its name")
        self._book = book
        self._shipped: dict[str, Book | None] = {}
        self._solver: CoreSolver | None = None
        self._kind = ("", 0, 0)

    def __repr__(self) -> str:
        return f"<Solver with {self.memory:,} bytes and {self.threads} thread{'s' * (self.threads > 1)}>"

    def _book_of(self, game: str) -> Book | None:
        """The book of a game, if there is one to use."""
        if not isinstance(self._book, bool):
            return self._book
        if self._book and game not in self._shipped:
            self._shipped[game] = _shipped_book_or_none(game)
        return self._shipped.get(game)

    def analyse(
        self,
        board: Board,
        *,
        only_value: bool = False,
        line: bool = True,
        progress: Callable[[Progress], None] | None = None,
    ) -> Analysis:
        """The value, the score of every column and a best line. Without the `line`, or `only_value`, it is faster.

        `progress` is called ten times a second; what it raises stops the search, and so does Ctrl-C.
        """
        return self._ask("value" if only_value else "all" if line else "scores", board, progress)

    def best_column(self, board: Board, *, progress: Callable[[Progress], None] | None = None) -> Analysis:
        """The value, and the one best column that is nearest the centre: much faster than the score of every column."""
        return self._ask("best", board, progress)

    def _ask(self, wanted: str, board: Board, progress: Callable[[Progress], None] | None) -> Analysis:
        start, cpu_start = time.perf_counter(), time.process_time()

        def report(value: tuple[int, int], columns: list[tuple[int, int] | None], nodes: int) -> None:
            assert progress is not None
            progress(Progress(value, columns, nodes, time.perf_counter() - start))

        analysis = self._looked_up(wanted, board, report if progress else None)
        if analysis is None:
            analysis = self._searched(wanted, board, report if progress else None)
        analysis.cpu_seconds = round(time.process_time() - cpu_start, 6)
        analysis.seconds = round(time.perf_counter() - start, 6)
        return analysis

    def _searched(self, wanted: str, board: Board, report: Report | None) -> Analysis:
        found = self._search(wanted, board, report)
        analysis = Analysis(found.value)
        line = [column + 1 for column in found.line]
        if wanted in ("scores", "all"):
            analysis.scores, analysis.best = found.scores, _best_columns(board, found.scores)
        if wanted == "all":
            analysis.line = line
        elif wanted == "best":
            analysis.best = line
        analysis.nodes = found.nodes
        return analysis

    def _looked_up(self, wanted: str, board: Board, report: Report | None) -> Analysis | None:
        """What the book says, if it says all that is wanted; a line is searched on from where the book ends."""
        book = self._book_of(board.game)
        value = book.value(board) if book else None
        if book is None or value is None:
            return None
        analysis = Analysis(value)
        analysis.source = "book"
        if wanted == "value":
            return analysis
        scores = book.scores(board)
        if scores is None:
            return None
        analysis.best = _best_columns(board, scores)
        if wanted == "best":
            del analysis.best[1:]
            return analysis
        analysis.scores = scores
        if wanted == "all":
            known = [None if score is None else (score, score) for score in scores]
            watch = report and (lambda _, __, nodes: report((value, value), known, nodes))
            analysis.line, analysis.nodes = self._line(book, board.copy(), watch)
        return analysis

    def _line(self, book: Book, board: Board, report: Report | None) -> tuple[list[int], int]:
        """A best line, as far as the book goes and then by a search, and the nodes of that."""
        line = []
        while (scores := book.scores(board)) is not None:
            line.append(_best_columns(board, scores)[0])
            board.drop(line[-1])
        rest = self._search("line", board, report)
        return line + [column + 1 for column in rest.line], rest.nodes

    def _search(self, wanted: str, board: Board, report: Report | None) -> CoreAnalysis:
        core = self._for_game(board.game, board.width, board.height)
        return core.analyse(as_bits(board, RED), as_bits(board, GREEN), wanted, report)

    def forget(self) -> None:
        """Empty the table: what follows is searched as if nothing had been before."""
        if self._solver is not None:
            self._solver.forget()

    def table_permille(self) -> int:
        """How full the table is, in thousandths of what it may take."""
        return 0 if self._solver is None else self._solver.table_permille()

    def _for_game(self, game: str, width: int, height: int) -> CoreSolver:
        if self._solver is None or self._kind != (game, width, height):
            self._solver = None  # its memory goes before the next one comes
            self._solver = self._new(game == "classic", width, height)
            self._kind = (game, width, height)
        return self._solver

    def _new(self, classic: bool, width: int, height: int) -> CoreSolver:
        while True:
            try:
                return CoreSolver(width, height, classic, self.memory, self.threads)
            except ValueError as error:
                raise CannotSolve(str(error)) from None
            except MemoryError:
                if self._memory_was_asked_for or self.memory < LEAST_DEFAULT_MEMORY:
                    raise CannotSolve(f"there is not enough memory for a table of {self.memory >> 20}M") from None
                self.memory //= 4  # a limit of this process, it seems


def analyse(
    board: Board,
    *,
    only_value: bool = False,
    line: bool = True,
    memory: int | None = None,
    threads: int | None = None,
    book: Book | bool = True,
    progress: Callable[[Progress], None] | None = None,
) -> Analysis:
    """Solve one position: see `Solver`, which is better for many.

    >>> analyse(Board("classic"), line=False)  # the book knows it
    <Analysis: value 1, best [4], scores [-2, -1, 0, 1, 0, -1, -2], 0 nodes>
    """
    solver = Solver(memory, threads, book=book)
    return solver.analyse(board, only_value=only_value, line=line, progress=progress)


def default_memory() -> int:
    """Half of what is free, and 1 GiB at the most."""
    from .resources import free_memory

    return min(MOST_MEMORY, free_memory() // 2)


def _processors() -> int:
    from .resources import processors

    return processors()


def _shipped_book_or_none(game: str) -> Book | None:
    from .book import shipped_book

    try:
        return shipped_book(game)
    except BadFile as error:
        import warnings

        warnings.warn(f"{error}; going on without a book", RuntimeWarning, stacklevel=2)
        return None


def _best_columns(board: Board, scores: list[int | None]) -> list[int]:
    best = max((score for score in scores if score is not None), default=None)
    return [column for column in board.from_the_centre() if best is not None and scores[column - 1] == best]
