"""A conversation with a tool, line by line: what it says is obeyed at once, while a search goes on beside it."""

from __future__ import annotations

import threading

from .. import __version__
from ..board import GREEN, RED, Board
from ..book import shipped_book
from ..errors import BadFile, BadPosition, IllegalMove, MaxConnect4Error, reason, shown
from ..solver import Solver
from .fen import board_from_fen, fen_of
from .limits import Limits
from .options import Options
from .squares import LETTERS, as_words, column_of, in_uci, in_ugi
from .thinking import Thinking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..book import Book

NO_MOVE = {"uci": "(none)", "ugi": "0000"}
QUESTIONS: dict[str, Callable[[Board], str]] = {
    "gameover": lambda board: "true" if board.is_over() else "false",
    "p1turn": lambda board: "true" if board.to_move == RED else "false",
    "result": lambda board: {RED: "p1win", GREEN: "p2win", None: "draw"}[board.winner()] if board.is_over() else "none",
}
NO_POSITION = "there is no position: the last one was not understood"
LONGEST_COMPLAINT = 300


class Session:
    """Obeys the commands of UCI and UGI. `say` gets each line of the answers, from more than one thread."""

    def __init__(self, say: Callable[[str], None], game: str = "classic") -> None:
        self._say = say
        self._saying = threading.Lock()
        self._game = game  # until the tool names another
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
            "ucinewgame": self._newgame,
            "uginewgame": self._newgame,
            "position": self._position,
            "go": self._go,
            "stop": lambda _: self._end_search(),
            "ponderhit": self._ponderhit,
            "query": self._query,
            "d": self._show,
            "help": self._help,
            "debug": lambda _: None,
            "register": lambda _: None,
        }

    def obey(self, line: str) -> bool:
        """Do what a line says, and whatever it says fail at nothing. Whether to go on listening."""
        words = line.split()
        if words[:1] == ["quit"]:
            return False
        if words and words[0] not in self._commands:
            self._complain(f"there is no command {shown(words[0])}: 'help' lists them")
        elif words:
            try:
                self._commands[words[0]](words[1:])
            except MaxConnect4Error as error:
                self._complain(str(error))
        return True

    def close(self) -> None:
        """End what is going on."""
        self._end_search()

    # The commands

    def _introduce(self, protocol: str) -> None:
        self._protocol = protocol
        self._tell(f"id name maxconnect4 {__version__}", "id author The Max-Connect4 authors")
        self._tell(*Options(self._game).declared(), f"{protocol}ok")

    def _isready(self, _: list[str]) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._ready_solver()
        self._tell("readyok")

    def _setoption(self, words: list[str]) -> None:
        text = " ".join(words)
        name, _, value = text.removeprefix("name ").partition(" value ")
        self._end_search()  # which has the solver that an option may change
        game, before = self._options.game, self._options.solving()
        self._options.set(name.removesuffix(" value").strip(), value.strip())
        if self._options.game != game:
            self._board = Board(self._options.game)
        if self._options.solving() != before:
            self._solver = None

    def _newgame(self, _: list[str]) -> None:
        self._board = Board(self._options.game)

    def _position(self, words: list[str]) -> None:
        self._board = None  # nothing is searched from a position that was not understood
        at = words.index("moves") if "moves" in words else len(words)
        start, drops = words[:at], words[at + 1 :]
        if start[:1] == ["startpos"]:
            board = Board(self._options.game)
        elif start[:1] == ["fen"]:
            board = board_from_fen(start[1:], self._options.game)
        else:
            raise BadPosition("a position is 'startpos' or 'fen' with a FEN, then perhaps 'moves' with drops")
        for number, drop in enumerate(drops, start=1):
            try:
                board.drop(column_of(drop, board))
            except IllegalMove as error:
                raise BadPosition(f"move {number}, {error}") from None
        self._board = board

    def _go(self, words: list[str]) -> None:
        self._end_search()
        if self._board is None:
            self._complain(NO_POSITION)
            self._tell(f"bestmove {NO_MOVE[self._protocol]}")
            return
        board = self._board.copy()
        limits = Limits(words, board, self._options.overhead)
        for complaint in (*limits.complaints, *(["the game is over"] if board.is_over() else [])):
            self._complain(complaint)
        self._stop.clear()
        self._pondering = limits.pondering
        write = in_ugi if self._protocol == "ugi" else in_uci

        def tell(facts: str, line: list[int]) -> None:
            drops = " ".join(as_words(board, line, write))
            self._tell(f"info {facts} pv {drops}" if drops else f"info {facts}")

        solver = self._ready_solver()
        thinking = Thinking(board, limits, self._options, solver, self._book, self._stop, tell, self._complain)

        def run() -> None:
            try:
                thinking.run()
                if limits.waits:
                    self._stop.wait()
            finally:
                column = thinking.column
                drop = NO_MOVE[self._protocol] if column is None else write(board, column)
                self._tell(f"bestmove {drop}")

        search = threading.Thread(target=run, name="search")
        try:
            search.start()
        except RuntimeError as error:  # there are as many threads as the system allows
            self._complain(f"the search cannot be started: {reason(error)}")
            self._tell(f"bestmove {NO_MOVE[self._protocol]}")
        else:
            self._thread = search

    def _ponderhit(self, _: list[str]) -> None:
        if self._pondering:
            self._end_search()

    def _query(self, words: list[str]) -> None:
        question = words[0] if words else ""
        if self._board is None:
            raise BadPosition(NO_POSITION)
        if question in QUESTIONS:
            self._tell(f"response {QUESTIONS[question](self._board)}")
        else:
            self._complain(f"query {shown(question)} is not one of {', '.join(QUESTIONS)}")

    def _show(self, _: list[str]) -> None:
        if self._board is None:
            raise BadPosition(NO_POSITION)
        for line in (*str(self._board).split("\n"), LETTERS, fen_of(self._board)):
            self._tell(f"info string {line}")

    def _help(self, _: list[str]) -> None:
        self._tell(f"info string the commands are {', '.join(self._commands)} and quit; docs/protocols.md has more")

    # The parts of it

    def _ready_solver(self) -> Solver:
        if self._solver is None:
            memory, threads = self._options.resources()
            self._book = self._open_book()
            self._solver = Solver(memory, threads, book=self._book or False)
        return self._solver

    def _open_book(self) -> Book | None:
        """The book as told, the one that comes with the program if nothing was."""
        game, book = self._options.game, self._options.book
        if book is False:
            return None
        try:
            return shipped_book(game) if book is True else book.of_game(game)
        except BadFile as error:
            self._complain(f"{error}; going on without a book")
            return None

    def _end_search(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._pondering = False

    def _tell(self, *lines: str) -> None:
        with self._saying:
            for line in lines:
                self._say(line)

    def _complain(self, message: str) -> None:
        self._tell(f"info string {message[:LONGEST_COMPLAINT]}")
