"""An engine session: the commands of UCI and UGI, with the search in a thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Event

from .. import __version__
from ..board import GREEN, RED, Board
from ..book import Book, shipped_book
from ..errors import (
    BadFile,
    BadPosition,
    CannotSolve,
    IllegalMove,
    MaxConnect4Error,
    SearchStopped,
    error_reason,
    quote,
)
from ..search import Choice, choose
from ..solver import Progress, Solver
from . import uci
from .uci import (
    LETTERS,
    GoLimits,
    Options,
    board_from_fen,
    board_to_fen,
    column_of,
    format_line,
    move_to_uci,
    move_to_ugi,
)

CHECK_INTERVAL = 0.1  # seconds between two checks of the solver's limits
DEEPENING_SHARE = 0.15  # of the time limit, for iterative deepening
MAX_DEEPENING_SECONDS = 1.0
LINE_SECONDS = 0.2  # for the rest of the principal variation, after the move
REPORT_SECONDS = 1.0  # between two lines with statistics only


class EngineSearch:
    """The search of a `go` command, which calls `report` with its results and ends when `stop` is set."""

    def __init__(
        self,
        board: Board,
        limits: GoLimits,
        options: Options,
        solver: Solver,
        book: Book | None,
        stop: Event,
        report: Callable[[str, list[int]], None],
        report_problem: Callable[[str], None],
    ) -> None:
        self.board = board
        self.limits = limits
        self.evaluation = options.evaluation
        self.lines = options.lines
        self.table_bytes = options.resources()[0]
        to_the_end = limits.depth is None or limits.depth >= board.width * board.height - board.pieces()
        self.perfect = options.solver and to_the_end and limits.nodes is None
        self.solver = solver
        self.book = book
        self.stop = stop
        self.report = report
        self.report_problem = report_problem
        self.allowed = limits.columns or board.columns()
        #: The best column so far.
        self.column: int | None = None
        self._all_scores = self.lines > 1 or limits.columns is not None
        self._start = time.perf_counter()
        self._nodes = 0  # of finished searches
        self._reported = 0.0
        self._cannot_solve = False

    def run(self) -> None:
        """Search until a limit is reached."""
        if not self.allowed:
            return
        with suppress(SearchStopped):
            self._search()
        if self.column is None:  # stopped before the first result
            found = choose(self.board, 1, evaluation=self.evaluation, scores=True)
            assert found.scores is not None
            self.column = self._ranked(found.scores)[0]

    def _search(self) -> None:
        if not self.perfect:
            self._deepen(self.limits.seconds, self.limits.depth, self.limits.nodes)
            return
        seconds = self.limits.seconds
        if seconds is not None and seconds < 3 * CHECK_INTERVAL and not self._in_book():
            self._deepen(seconds)  # too short for the solver, which checks its limits every CHECK_INTERVAL
            return
        if self._solve(CHECK_INTERVAL):
            return
        share = MAX_DEEPENING_SECONDS if seconds is None else min(MAX_DEEPENING_SECONDS, DEEPENING_SHARE * seconds)
        if not self._deepen(self._seconds_left() if self._cannot_solve else share):
            self._solve(self._seconds_left())

    def _in_book(self) -> bool:
        return self.book is not None and self.book.scores(self.board) is not None

    # The search

    def _deepen(self, seconds: float | None = None, depth: int | None = None, nodes: int | None = None) -> bool:
        """Search by iterative deepening. Returns whether the search reached the end of the game."""
        seconds = None if seconds is None else max(seconds, 0.001)
        found = choose(
            self.board,
            self._empty_cells() if depth is None else depth,
            seconds=seconds,
            nodes=nodes,
            evaluation=self.evaluation,
            scores=self._all_scores,
            table_bytes=self.table_bytes,
            stop=self.stop.is_set,
            on_depth=self._report_depth,
        )
        self._nodes += found.nodes
        return (found.exact and not self._all_scores) or found.depth >= self._empty_cells()

    def _report_depth(self, choice: Choice) -> None:
        assert choice.lines is not None
        assert choice.value is not None
        values = choice.scores or [None] * self.board.width
        values[choice.column - 1] = choice.value
        to_the_end = choice.depth >= self._empty_cells()
        ranked = self._ranked(values)
        self.column = ranked[0]
        for place, column in enumerate(ranked[: self.lines], start=1):
            value = values[column - 1]
            assert value is not None
            score = uci.format_search_score(self.board, value, to_the_end, self.evaluation)
            full = f" hashfull {choice.table_permille}"
            self._info(choice.depth, place, score, choice.nodes, choice.lines[column - 1] or [column], full)

    # The solver

    def _solve(self, seconds: float | None) -> bool:
        """Look up or solve the position. Returns whether this succeeded within the time limit."""
        if self._cannot_solve or (seconds is not None and seconds < CHECK_INTERVAL):
            return False

        def progress(now: Progress) -> None:
            if now.seconds - self._reported > REPORT_SECONDS:
                self._reported = now.seconds
                self.report(self._statistics(self._nodes + now.nodes), [])

        solve = partial(self.solver.analyse, line=False) if self._all_scores else self.solver.best_column
        try:
            limit = None if seconds is None else seconds - CHECK_INTERVAL / 2
            found = solve(self.board, seconds=limit, stop=self.stop.is_set, progress=progress)
        except SearchStopped as error:
            if not error.timed_out:
                raise
            return False
        except CannotSolve as error:  # not enough memory for its transposition table
            self._cannot_solve = True
            self.report_problem(str(error))
            return False
        assert found.best
        values = found.scores or [None] * self.board.width
        values[found.best[0] - 1] = found.value
        self._nodes += found.nodes
        ranked = self._ranked(values)
        self.column = ranked[0]
        lines = {column: [column] for column in ranked[: self.lines]}
        self._report_values(values, lines)
        if self._extend_lines(lines):
            self._report_values(values, lines)
        return True

    def _report_values(self, values: list[int | None], lines: dict[int, list[int]]) -> None:
        for place, (column, line) in enumerate(lines.items(), start=1):
            value = values[column - 1]
            assert value is not None
            full = f" hashfull {self.solver.table_permille()}"
            self._info(self._empty_cells(), place, uci.format_solver_score(self.board, value), 0, line, full)

    def _extend_lines(self, lines: dict[int, list[int]]) -> bool:
        """Extend each principal variation by perfect play within the time limit. Returns whether any is longer."""
        left = self._seconds_left()
        if left is not None and left < 2 * CHECK_INTERVAL:
            return False
        until = None if left is None else time.perf_counter() + min(LINE_SECONDS, left / 4)
        longer = False
        try:
            for line in lines.values():
                board = self.board.copy()
                board.drop(line[0])
                while not board.is_over() and (until is None or time.perf_counter() < until):
                    rest = None if until is None else max(until - time.perf_counter(), CHECK_INTERVAL / 100)
                    found = self.solver.best_column(board, seconds=rest, stop=self.stop.is_set)
                    assert found.best
                    self._nodes += found.nodes
                    line.append(found.best[0])
                    board.drop(found.best[0])
                    longer = True
        except SearchStopped as error:
            if not error.timed_out:
                raise
        return longer

    # Shared by both

    def _ranked(self, values: list[int | None]) -> list[int]:
        """The columns with a value, best first. Columns of equal value are sorted by distance from the centre."""
        by_column = {column: value for column, value in enumerate(values, start=1) if value is not None}
        columns = [column for column in self.board.from_the_centre() if column in self.allowed and column in by_column]
        return sorted(columns, key=lambda column: -by_column[column])

    def _empty_cells(self) -> int:
        return self.board.width * self.board.height - self.board.pieces()

    def _seconds_left(self) -> float | None:
        if self.limits.seconds is None:
            return None
        return self.limits.seconds - (time.perf_counter() - self._start)

    def _info(self, depth: int, place: int, score: str, nodes: int, line: list[int], more: str = "") -> None:
        self.report(f"depth {depth} multipv {place} score {score} {self._statistics(self._nodes + nodes)}{more}", line)

    def _statistics(self, nodes: int) -> str:
        seconds = time.perf_counter() - self._start
        return f"nodes {nodes} nps {round(nodes / max(seconds, 0.001))} time {round(1000 * seconds)}"


NO_MOVE = {"uci": "(none)", "ugi": "0000"}
QUERIES: dict[str, Callable[[Board], str]] = {
    "gameover": lambda board: "true" if board.is_over() else "false",
    "p1turn": lambda board: "true" if board.to_move == RED else "false",
    "result": lambda board: {RED: "p1win", GREEN: "p2win", None: "draw"}[board.winner()] if board.is_over() else "none",
}
NO_POSITION = "the last position was invalid: send a valid one"
LONGEST_MESSAGE = 300


class Session:
    """A session of UCI or UGI. It calls `write` with each line of output, from several threads."""

    def __init__(self, write: Callable[[str], None], game: str = "classic") -> None:
        self._write = write
        self._write_lock = threading.Lock()
        self._game = game  # until the tool sets another variant
        self._options = Options(game)
        self._protocol = "uci"
        self._board: Board | None = Board(game)
        self._solver: Solver | None = None
        self._book: Book | None = None
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._pondering = False
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": lambda _: self._introduce("uci"),
            "ugi": lambda _: self._introduce("ugi"),
            "isready": self._isready,
            "setoption": self._setoption,
            "ucinewgame": self._new_game,
            "uginewgame": self._new_game,
            "position": self._position,
            "go": self._go,
            "stop": lambda _: self._end_search(),
            "ponderhit": self._ponderhit,
            "query": self._query,
            "d": self._print_board,
            "help": self._help,
            "debug": lambda _: None,
            "register": lambda _: None,
        }

    def handle(self, line: str) -> bool:
        """Handle one line of input. Errors are reported, not raised. Returns False after `quit`."""
        words = line.split()
        if words[:1] == ["quit"]:
            return False
        if words and words[0] not in self._commands:
            self._report_problem(f"{quote(words[0])} is not a command: 'help' lists the commands")
        elif words:
            try:
                self._commands[words[0]](words[1:])
            except MaxConnect4Error as error:
                self._report_problem(str(error))
        return True

    def close(self) -> None:
        """Stop the search."""
        self._end_search()

    # The commands

    def _introduce(self, protocol: str) -> None:
        self._protocol = protocol
        self._send(f"id name maxconnect4 {__version__}", "id author The Max-Connect4 authors")
        self._send(*Options(self._game).declared(), f"{protocol}ok")

    def _isready(self, _: list[str]) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._prepare_solver()
        self._send("readyok")

    def _setoption(self, words: list[str]) -> None:
        text = " ".join(words)
        name, _, value = text.removeprefix("name ").partition(" value ")
        self._end_search()  # it uses the solver that an option may change
        game, before = self._options.game, self._options.solver_settings()
        self._options.set(name.removesuffix(" value").strip(), value.strip())
        if self._options.game != game:
            self._board = Board(self._options.game)
        if self._options.solver_settings() != before:
            self._solver = None

    def _new_game(self, _: list[str]) -> None:
        self._board = Board(self._options.game)

    def _position(self, words: list[str]) -> None:
        self._board = None  # an invalid position must not be searched
        at = words.index("moves") if "moves" in words else len(words)
        start, moves = words[:at], words[at + 1 :]
        if start[:1] == ["startpos"]:
            board = Board(self._options.game)
        elif start[:1] == ["fen"]:
            board = board_from_fen(start[1:], self._options.game)
        else:
            raise BadPosition("a position is 'startpos' or 'fen FEN', optionally followed by 'moves' and the moves")
        for number, move in enumerate(moves, start=1):
            try:
                board.drop(column_of(move, board))
            except IllegalMove as error:
                raise BadPosition(f"move {number}, {error}") from None
        self._board = board

    def _go(self, words: list[str]) -> None:
        self._end_search()
        if self._board is None:
            self._report_problem(NO_POSITION)
            self._send(f"bestmove {NO_MOVE[self._protocol]}")
            return
        board = self._board.copy()
        limits = GoLimits(words, board, self._options.overhead)
        for problem in (*limits.problems, *(["the game is over"] if board.is_over() else [])):
            self._report_problem(problem)
        self._stop.clear()
        self._pondering = limits.pondering
        write = move_to_ugi if self._protocol == "ugi" else move_to_uci

        def report(statistics: str, line: list[int]) -> None:
            moves = " ".join(format_line(board, line, write))
            self._send(f"info {statistics} pv {moves}" if moves else f"info {statistics}")

        solver = self._prepare_solver()
        search = EngineSearch(
            board, limits, self._options, solver, self._book, self._stop, report, self._report_problem
        )

        def run() -> None:
            try:
                search.run()
                if limits.waits_for_stop:
                    self._stop.wait()
            finally:
                column = search.column
                move = NO_MOVE[self._protocol] if column is None else write(board, column)
                self._send(f"bestmove {move}")

        thread = threading.Thread(target=run, name="search")
        try:
            thread.start()
        except RuntimeError as error:  # the limit of threads is reached
            self._report_problem(f"the search cannot be started: {error_reason(error)}")
            self._send(f"bestmove {NO_MOVE[self._protocol]}")
        else:
            self._thread = thread

    def _ponderhit(self, _: list[str]) -> None:
        if self._pondering:
            self._end_search()

    def _query(self, words: list[str]) -> None:
        name = words[0] if words else ""
        if self._board is None:
            raise BadPosition(NO_POSITION)
        if name in QUERIES:
            self._send(f"response {QUERIES[name](self._board)}")
        else:
            self._report_problem(f"query {quote(name)} is not one of {', '.join(QUERIES)}")

    def _print_board(self, _: list[str]) -> None:
        if self._board is None:
            raise BadPosition(NO_POSITION)
        for line in (*str(self._board).split("\n"), LETTERS, board_to_fen(self._board)):
            self._send(f"info string {line}")

    def _help(self, _: list[str]) -> None:
        commands = ", ".join(self._commands)
        self._send(f"info string the commands are {commands} and quit; docs/reference/protocols.md has more")

    # Helpers

    def _prepare_solver(self) -> Solver:
        if self._solver is None:
            memory, threads = self._options.resources()
            self._book = self._open_book()
            self._solver = Solver(memory, threads, book=self._book or False)
        return self._solver

    def _open_book(self) -> Book | None:
        game, book = self._options.game, self._options.book
        if book is False:
            return None
        try:
            return shipped_book(game) if book is True else book.of_game(game)
        except BadFile as error:
            self._report_problem(f"{error}; continuing without a book")
            return None

    def _end_search(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._pondering = False

    def _send(self, *lines: str) -> None:
        with self._write_lock:
            for line in lines:
                self._write(line)

    def _report_problem(self, message: str) -> None:
        self._send(f"info string {message[:LONGEST_MESSAGE]}")
