"""The solver: exact values of positions and columns with perfect play."""

from __future__ import annotations

import time

from .board import GREEN, RED, SIZE, Board, as_int
from .errors import BadFile, CannotSolve, SearchStopped
from .search import CoreSolver, as_bits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .book import Book
    from .search import CoreAnalysis

    Report = Callable[[tuple[int, int], list[tuple[int, int] | None], int], None]


MAX_DEFAULT_MEMORY = 1 << 30  # a larger transposition table rarely helps
LEAST_DEFAULT_MEMORY = 16 << 20
NO_BOUND = 50  # points: larger than every margin that occurs, so a bound of this size means no bound


class Analysis:
    """The exact values of a position, from the point of view of the player to move.

    Values are final margins. In the classic game 0 is a draw, n is a win with the n-th last piece counted from the full
    board, and -n is such a win for the opponent.
    """

    __slots__ = {
        "best": "The columns that keep the value, nearest the centre first.",
        "cpu_seconds": "The CPU time of all threads.",
        "line": "A principal variation to the end of the game, as columns.",
        "nodes": "The number of nodes searched; 0 if everything is in the book.",
        "scores": "The value of each column from left to right, None for a full one.",
        "seconds": "The wall-clock time.",
        "source": 'The source of the value and the scores: "search" or "book".',
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
    """The bounds that an analysis has proved so far, from the point of view of the player to move."""

    __slots__ = {
        "columns": "The bounds of each column from left to right, None for a full one; empty with `only_value`.",
        "nodes": "The number of nodes searched.",
        "seconds": "The wall-clock time since the start.",
        "value": "The bounds of the value.",
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
    """A solver for positions of both games, which keeps its transposition table between calls.

    >>> solver = Solver()
    >>> solver.analyse(board_from_moves("454672752411266535461732")).scores
    [-4, -3, -3, -3, -1, -4, -5]
    >>> solver.best_column(Board()).best
    [4]

    Args:
        memory: Size limit of the transposition table in bytes. The default is half of the free memory, up to
            1 GiB. The table starts small.
        threads: The number of threads. The default is the number of processors.
        book: An open opening book, or False for none. The default is the book of this package.

    The values do not depend on memory or threads.
    """

    def __init__(self, memory: int | None = None, threads: int | None = None, *, book: Book | bool = True) -> None:
        self.memory = default_memory() if memory is None else as_int(memory, "a size of the table in bytes")
        self._memory_is_fixed = memory is not None
        self.threads = _processors() if threads is None else as_int(threads, "a number of threads")
        if self.memory < 0:
            raise CannotSolve(f"a table of {self.memory} bytes is negative")
        if self.threads < 1:
            raise ValueError(f"a number of {self.threads} threads is not positive")
        if isinstance(book, str):
            raise TypeError(f"book must be an open Book, such as Book({book!r}), not a path")
        self._book = book
        self._shipped: dict[str, Book | None] = {}
        self._solver: CoreSolver | None = None
        self._board_kind = ("", 0, 0)

    def __repr__(self) -> str:
        return f"<Solver with {self.memory:,} bytes and {self.threads} thread{'s' * (self.threads > 1)}>"

    def _book_of(self, game: str) -> Book | None:
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
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> Analysis:
        """Compute the value, the score of every column and a principal variation.

        Args:
            board: The position to solve.
            only_value: Whether to omit the scores and the principal variation, which is faster.
            line: Whether to find a principal variation; without it the analysis is faster.
            seconds: Wall-clock limit, checked ten times a second; None for no limit.
            stop: Called ten times a second; the search stops when it returns True.
            progress: Called ten times a second with the bounds proved so far.

        An exception in a callback, such as KeyboardInterrupt, ends the search and is raised.

        Returns:
            The exact values, from the point of view of the player to move.

        Raises:
            SearchStopped: At the time limit, or because `stop` returned True.
            CannotSolve: If the solver does not support boards of this size.
        """
        kind = "value" if only_value else "all" if line else "scores"
        return self._analyse(kind, board, seconds, stop, progress)

    def best_column(
        self,
        board: Board,
        *,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> Analysis:
        """Compute the value and the best column nearest the centre, which is much faster than every score.

        Args:
            board: The position to solve.
            seconds: As in `analyse`.
            stop: As in `analyse`.
            progress: As in `analyse`.

        Returns:
            An analysis with the value and one column in `best`.

        Raises:
            SearchStopped: At the time limit, or because `stop` returned True.
            CannotSolve: If the solver does not support boards of this size.
        """
        return self._analyse("best", board, seconds, stop, progress)

    def principal_variation(self, board: Board, *, stop: Callable[[], bool] | None = None) -> list[int]:
        """Compute a principal variation to the end of the game, which is much faster than every score.

        Args:
            board: The position to solve.
            stop: Called ten times a second; the search stops when it returns True.

        Returns:
            The columns of the variation.

        Raises:
            SearchStopped: If `stop` returned True.
            CannotSolve: If the solver does not support boards of this size.
        """

        def check(*_: object) -> None:
            if stop is not None and stop():
                raise SearchStopped

        report = None if stop is None else check
        if book := self._book_of(board.game):
            return self._principal_variation(book, board.copy(), report)[0]
        return [column + 1 for column in self._search("line", board, report).line]

    def _analyse(
        self,
        kind: str,
        board: Board,
        seconds: float | None,
        stop: Callable[[], bool] | None,
        progress: Callable[[Progress], None] | None,
    ) -> Analysis:
        if seconds is not None and not seconds > 0:
            raise ValueError(f"a time limit of {seconds} seconds is not positive")
        start, cpu_start = time.perf_counter(), time.process_time()

        def check(value: tuple[int, int], columns: list[tuple[int, int] | None], nodes: int) -> None:
            now = Progress(value, columns, nodes, time.perf_counter() - start)
            if stop is not None and stop():
                raise SearchStopped(progress=now)
            if seconds is not None and now.seconds > seconds:
                raise SearchStopped(f"not solved within {seconds:g} seconds", timed_out=True, progress=now)
            if progress is not None:
                progress(now)

        report = None if seconds is None and stop is None and progress is None else check
        analysis = self._from_book(kind, board, report)
        if analysis is None:
            analysis = self._from_search(kind, board, report)
        analysis.cpu_seconds = round(time.process_time() - cpu_start, 6)
        analysis.seconds = round(time.perf_counter() - start, 6)
        return analysis

    def _from_search(self, kind: str, board: Board, report: Report | None) -> Analysis:
        found = self._search(kind, board, report)
        analysis = Analysis(found.value)
        line = [column + 1 for column in found.line]
        if kind in ("scores", "all"):
            analysis.scores, analysis.best = found.scores, _best_columns(board, found.scores)
        if kind == "all":
            analysis.line = line
        elif kind == "best":
            analysis.best = line
        analysis.nodes = found.nodes
        return analysis

    def _from_book(self, kind: str, board: Board, report: Report | None) -> Analysis | None:
        """The analysis from the book, None if it lacks a value. A principal variation is continued by a search."""
        book = self._book_of(board.game)
        value = book.value(board) if book else None
        if book is None or value is None:
            return None
        analysis = Analysis(value)
        analysis.source = "book"
        if kind == "value":
            return analysis
        scores = book.scores(board)
        if scores is None:
            return None
        analysis.best = _best_columns(board, scores)
        if kind == "best":
            del analysis.best[1:]
            return analysis
        analysis.scores = scores
        if kind == "all":
            bounds = [None if score is None else (score, score) for score in scores]
            report_nodes = report and (lambda _, __, nodes: report((value, value), bounds, nodes))
            analysis.line, analysis.nodes = self._principal_variation(book, board.copy(), report_nodes)
        return analysis

    def _principal_variation(self, book: Book, board: Board, report: Report | None) -> tuple[list[int], int]:
        """A principal variation, from the book and then from a search, and the nodes of that search."""
        line = []
        while (scores := book.scores(board)) is not None:
            line.append(_best_columns(board, scores)[0])
            board.drop(line[-1])
        rest = self._search("line", board, report)
        return line + [column + 1 for column in rest.line], rest.nodes

    def _search(self, kind: str, board: Board, report: Report | None) -> CoreAnalysis:
        core = self._for_game(board.game, board.width, board.height)
        return core.analyse(as_bits(board, RED), as_bits(board, GREEN), kind, report)

    def clear_table(self) -> None:
        """Empty the transposition table."""
        if self._solver is not None:
            self._solver.clear_table()

    def table_permille(self) -> int:
        """The used part of the transposition table, in thousandths of its limit."""
        return 0 if self._solver is None else self._solver.table_permille()

    def _for_game(self, game: str, width: int, height: int) -> CoreSolver:
        if self._solver is None or self._board_kind != (game, width, height):
            self._solver = None  # free its memory before the next allocation
            self._solver = self._allocate(game, width, height)
            self._board_kind = (game, width, height)
        return self._solver

    def _allocate(self, game: str, width: int, height: int) -> CoreSolver:
        book = self._book_of(game) if (width, height) == SIZE else None
        layer = book.layer.core if book and book.layer and book.game == game else None
        while True:
            try:
                return CoreSolver(width, height, game == "classic", self.memory, self.threads, layer)
            except ValueError as error:
                raise CannotSolve(str(error)) from None
            except MemoryError:
                if self._memory_is_fixed or self.memory < LEAST_DEFAULT_MEMORY:
                    raise CannotSolve(f"there is not enough memory for a table of {self.memory >> 20}M") from None
                self.memory //= 4  # such as a limit of this process


def analyse(
    board: Board,
    *,
    only_value: bool = False,
    line: bool = True,
    memory: int | None = None,
    threads: int | None = None,
    book: Book | bool = True,
    seconds: float | None = None,
    stop: Callable[[], bool] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Analysis:
    """Solve one position. To solve several, a `Solver` is faster: it keeps its transposition table.

    >>> analyse(Board("classic"), line=False)  # from the book
    <Analysis: value 1, best [4], scores [-2, -1, 0, 1, 0, -1, -2], 0 nodes>

    Args:
        board: The position to solve.
        only_value: As in `Solver.analyse`.
        line: As in `Solver.analyse`.
        memory: As in `Solver`.
        threads: As in `Solver`.
        book: As in `Solver`.
        seconds: As in `Solver.analyse`.
        stop: As in `Solver.analyse`.
        progress: As in `Solver.analyse`.

    Returns:
        The exact values, from the point of view of the player to move.

    Raises:
        SearchStopped: At the time limit, or because `stop` returned True.
        CannotSolve: If the solver does not support boards of this size.
    """
    solver = Solver(memory, threads, book=book)
    return solver.analyse(board, only_value=only_value, line=line, seconds=seconds, stop=stop, progress=progress)


def default_memory() -> int:
    """Half of the free memory, up to 1 GiB."""
    from .system import free_memory

    return min(MAX_DEFAULT_MEMORY, free_memory() // 2)


def _processors() -> int:
    from .system import processors

    return processors()


def _shipped_book_or_none(game: str) -> Book | None:
    from .book import shipped_book

    try:
        return shipped_book(game)
    except BadFile as error:
        import warnings

        warnings.warn(f"{error}; continuing without a book", RuntimeWarning, stacklevel=2)
        return None


def _best_columns(board: Board, scores: list[int | None]) -> list[int]:
    best = max((score for score in scores if score is not None), default=None)
    return [column for column in board.from_the_centre() if best is not None and scores[column - 1] == best]
