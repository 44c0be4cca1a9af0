"""The vocabulary of UCI and UGI: positions in FEN, moves, scores, the limits of `go`, and the options."""

from __future__ import annotations

from collections.abc import Callable

from ..board import EMPTY, GREEN, NAMES, RED, SIZE, Board
from ..book import Book
from ..errors import BadFile, BadPosition, IllegalMove, MaxConnect4Error, quote
from ..formatting import is_number
from ..scores import moves_to_win
from ..search import DEFAULT_EVALUATION, EVALUATIONS, win_in
from ..system import processors

# Positions in FEN
#
#     7/7/7/7/3p3/3PP2[PPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] b - - 0 2     Fairy-Stockfish for its variant `cfour`
#     7/7/7/7/3y3/3rr2 y 2                                                     UGI engines
#
# Rows are listed from the top. A digit is a number of empty cells. Pieces of the first player are P or r, those of the
# second p or y. The optional brackets contain the pieces still to be played. The next field is the player to move: w or
# r for the first, b or y for the second. Further fields, such as move counts, are ignored.

PIECES = {"P": RED, "r": RED, "p": GREEN, "y": GREEN}
SIDES = {"w": RED, "r": RED, "b": GREEN, "y": GREEN}


def board_from_fen(fields: list[str], game: str) -> Board:
    """Parse the fields of a FEN."""
    if not fields:
        raise BadPosition("the FEN is missing")
    placement, bracket, pocket = fields[0].partition("[")
    if bracket and (not pocket.endswith("]") or set(pocket[:-1]) - set("Pp-")):
        raise BadPosition(f"{quote(fields[0])}: the brackets may contain only the pieces to be played, P and p")
    rows = [_cells(row) for row in placement.split("/")]
    if len(rows) != SIZE[1] or any(len(row) != SIZE[0] for row in rows):
        raise BadPosition(f"{quote(placement)} is not {SIZE[1]} rows of {SIZE[0]} cells")
    board = Board.from_rows(rows, game)
    side = fields[1] if len(fields) > 1 else ""
    if side not in SIDES:
        raise BadPosition(f"{quote(side)} is not a player to move: use w or b, or r or y")
    if SIDES[side] != board.to_move:
        raise BadPosition(f"with these pieces {NAMES[board.to_move]} is to move, not {quote(side)}")
    return board


def board_to_fen(board: Board) -> str:
    """Format a position as a FEN of Fairy-Stockfish."""
    letters = {EMPTY: " ", RED: "P", GREEN: "p"}
    rows = ["".join(letters[cell] for cell in row) for row in board.rows()]
    for empty in range(board.width, 0, -1):
        rows = [row.replace(" " * empty, str(empty)) for row in rows]
    each = board.width * board.height // 2
    pocket = "P" * (each - board.count(RED)) + "p" * (each - board.count(GREEN))
    side = "w" if board.to_move == RED else "b"
    return f"{'/'.join(rows)}[{pocket}] {side} - - 0 {board.pieces() // 2 + 1}"


def _cells(row: str) -> list[int]:
    cells: list[int] = []
    for letter in row[: SIZE[0] + 1]:
        if letter in PIECES:
            cells.append(PIECES[letter])
        elif letter in "1234567":
            cells += [EMPTY] * int(letter)
        else:
            raise BadPosition(
                f"{quote(letter)} in {quote(row)} is neither a piece (P or p) nor a number of empty cells"
            )
    return cells


# Moves

LETTERS = "abcdefg"
COLUMNS = {name: column for names in (LETTERS, "1234567") for column, name in enumerate(names, start=1)}


def move_to_uci(board: Board, column: int) -> str:
    """Format a move for UCI: a piece, @ and the square where it lands, such as P@d1."""
    return f"P@{LETTERS[column - 1]}{len(board.stack(column)) + 1}"


def move_to_ugi(board: Board, column: int) -> str:
    """Format a move for UGI: the letter of its column."""
    return LETTERS[column - 1]


def column_of(word: str, board: Board) -> int:
    """Parse a move: P@d1, d1, d or 4. A square must be the one where the piece lands."""
    square = word[2:] if word[:2] in ("P@", "p@") else word
    column = COLUMNS.get(word) or (LETTERS.find(square[0]) + 1 if len(square) > 1 else 0)
    if not column:
        raise IllegalMove(f"{quote(word)} is not a move, such as P@d1")
    letter = LETTERS[column - 1]
    if column not in board.columns():
        raise IllegalMove(f"{quote(word)}: {'the game is over' if board.is_over() else f'column {letter} is full'}")
    falls_to = move_to_uci(board, column)[2:]
    if len(square) > 1 and square != falls_to:
        raise IllegalMove(f"{quote(word)}: a piece in column {letter} lands on {falls_to}")
    return column


def format_line(board: Board, line: list[int], write: Callable[[Board, int], str]) -> list[str]:
    """Format the moves of a principal variation."""
    board, words = board.copy(), []
    for column in line:
        words.append(write(board, column))
        board.drop(column)
    return words


# Scores

CENTIPAWNS = {"margin": 100.0, "windows": 0.1}  # factors; the other evaluations are close to centipawns
MOST_CENTIPAWNS = 20_000


def format_search_score(board: Board, value: int, exact: bool, evaluation: str) -> str:
    """Format the value of a search as a UCI score. In Max-Connect4 an `exact` value is a margin."""
    moves = win_in(board, value)
    if moves is not None:
        return _mate(moves, value)
    centipawns = round(value * (100 if exact else CENTIPAWNS.get(evaluation, 1)))
    return f"cp {max(-MOST_CENTIPAWNS, min(centipawns, MOST_CENTIPAWNS))}"


def format_solver_score(board: Board, value: int) -> str:
    """Format the value of the solver or the book as a UCI score."""
    if board.game == "max":
        return f"cp {100 * value}"
    return _mate(moves_to_win(board, value), value) if value else "cp 0"


def _mate(moves: int, value: int) -> str:
    return f"mate {moves if value > 0 else -moves}"


# The limits of `go`

NUMBERS = ("depth", "nodes", "mate", "movetime", "movestogo")
CLOCKS = ("wtime", "btime", "winc", "binc", "p1time", "p2time", "p1inc", "p2inc")
AT_LEAST_ONE = ("depth", "nodes", "mate", "movestogo")
FLAGS = ("infinite", "ponder")
LARGEST_NUMBER = 10**15  # larger numbers are reduced to this one
SHARES = 6  # only few early positions are hard: each may use a sixth of the remaining time


class GoLimits:
    """The limits of a `go` command. Without limits, the search runs until `stop`."""

    def __init__(self, words: list[str], board: Board, overhead: int) -> None:
        self.problems: list[str] = []
        given, moves, flags = self._read(words)
        self.depth = _least(given.get("depth"), None if given.get("mate") is None else 2 * given["mate"] - 1)
        self.nodes = given.get("nodes")
        #: The columns of searchmoves; None for all.
        self.columns = self._columns(moves, board)
        self.pondering = "ponder" in flags
        #: The time limit in seconds; None for no limit.
        self.seconds = None if flags else _seconds(given, board, overhead)
        #: Whether to wait for `stop` before reporting the best move.
        self.waits_for_stop = bool(flags) or (self.depth is None and self.nodes is None and self.seconds is None)
        if self.waits_for_stop and not flags and self.problems:
            self.problems.append("go: no valid limit, so the search runs until 'stop'")

    def _read(self, words: list[str]) -> tuple[dict[str, int], list[str], set[str]]:
        given: dict[str, int] = {}
        moves: list[str] = []
        flags: set[str] = set()
        naming_moves = False
        rest = iter(words)
        for word in rest:
            if naming_moves and word not in NUMBERS + CLOCKS + FLAGS:
                moves.append(word)
                continue
            naming_moves = word == "searchmoves"
            if word in FLAGS:
                flags.add(word)
            elif word in NUMBERS + CLOCKS:
                value = next(rest, "")
                number = _parse_integer(value)
                if number is None or (number < 1 and word in AT_LEAST_ONE):
                    self.problems.append(f"go: {quote(value)} is not a number of {word}")
                else:
                    given[word] = number
            elif not naming_moves:
                self.problems.append(f"go: {quote(word)} is not a limit: use depth, nodes or movetime, for example")
        return given, moves, flags

    def _columns(self, moves: list[str], board: Board) -> list[int] | None:
        columns = []
        for move in moves:
            try:
                columns.append(column_of(move, board))
            except IllegalMove as error:
                self.problems.append(f"go searchmoves: {error}")
        return columns or None


def _seconds(given: dict[str, int], board: Board, overhead: int) -> float | None:
    if "movetime" in given:
        return max(given["movetime"] - overhead, given["movetime"] / 2, 1) / 1000
    side, number = ("w", "p1") if board.to_move == RED else ("b", "p2")
    left = _least(given.get(f"{side}time"), given.get(f"{number}time"))
    if left is None:
        return None
    bonus = given.get(f"{side}inc") or given.get(f"{number}inc") or 0
    moves = (board.width * board.height - board.pieces() + 1) // 2
    moves = max(1, min(moves, given.get("movestogo", moves)))
    free = max(left - 2 * overhead * moves, left / 2 / moves)  # the rest is for moves without a search
    return max(1, min(free / min(moves, SHARES) + 0.75 * bonus, (left - overhead) * 0.9)) / 1000


def _parse_integer(text: str) -> int | None:
    """Parse an integer of any length. The remaining time may be negative."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        return None
    number = min(int(digits), LARGEST_NUMBER) if len(digits) < 20 else LARGEST_NUMBER
    return -number if text.startswith("-") else number


def _least(*numbers: int | None) -> int | None:
    return min((number for number in numbers if number is not None), default=None)


# Options

VARIANTS = {"cfour": "classic", "maxconnect4": "max"}
DEFAULT, NO_BOOK = "<default>", "<none>"
MOST_MEGABYTES = 1 << 16
MOST_THREADS = 1024


class BadOption(MaxConnect4Error, ValueError):
    """An option is unknown or has an invalid value."""


class Options:
    """The options of an engine. Names are not case-sensitive."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.megabytes = 256
        self.threads = 1
        self.lines = 1
        self.solver = True
        self.overhead = 50  # milliseconds: the latency between the tool and the engine
        self.book: Book | bool = True
        self._evaluation = DEFAULT

    @property
    def evaluation(self) -> str:
        """The evaluation of the search."""
        return DEFAULT_EVALUATION[self.game] if self._evaluation == DEFAULT else self._evaluation

    def resources(self) -> tuple[int, int]:
        """Memory in bytes and threads of the solver; the search has the same amount of memory.

        More threads than processors would delay the check of the time limit.
        """
        return self.megabytes << 19, min(self.threads, processors())

    def solver_settings(self) -> tuple[object, ...]:
        """The options that require a new solver."""
        return self.game, self.resources(), self.book

    def declared(self) -> list[str]:
        """The `option` lines that declare the options."""
        variant = next(name for name, game in VARIANTS.items() if game == self.game)
        return [
            f"option name UCI_Variant type combo default {variant} {_choices(VARIANTS)}",
            f"option name Hash type spin default {self.megabytes} min 1 max {MOST_MEGABYTES}",
            f"option name Threads type spin default {self.threads} min 1 max {MOST_THREADS}",
            f"option name MultiPV type spin default {self.lines} min 1 max 7",
            f"option name Book type string default {DEFAULT}",
            "option name Solver type check default true",
            f"option name Evaluation type combo default {DEFAULT} {_choices((DEFAULT, *EVALUATIONS))}",
            f"option name Move Overhead type spin default {self.overhead} min 0 max 5000",
        ]

    def set(self, name: str, value: str) -> None:
        """Set an option. Raises BadOption for an unknown option or an invalid value."""
        match name.lower():
            case "uci_variant":
                self.game = VARIANTS[_one_of(name, value, VARIANTS)]
            case "hash":
                self.megabytes = _number(name, value, 1, MOST_MEGABYTES)
            case "threads":
                self.threads = _number(name, value, 1, MOST_THREADS)
            case "multipv":
                self.lines = _number(name, value, 1, 7)
            case "book":
                self.book = _book(value)
            case "solver":
                self.solver = _one_of(name, value, ("true", "false")) == "true"
            case "evaluation":
                self._evaluation = _one_of(name, value, (DEFAULT, *EVALUATIONS))
            case "move overhead":
                self.overhead = _number(name, value, 0, 5000)
            case _:
                raise BadOption(f"{quote(name)} is not an option: 'uci' lists the options")


def _choices(names: dict[str, str] | tuple[str, ...]) -> str:
    return " ".join(f"var {name}" for name in names)


def _one_of(name: str, value: str, allowed: dict[str, str] | tuple[str, ...]) -> str:
    if value.lower() in allowed:
        return value.lower()
    raise BadOption(f"option {name}: {quote(value)} is not one of {', '.join(allowed)}")


def _number(name: str, value: str, least: int, most: int) -> int:
    if is_number(value) and least <= int(value) <= most:
        return int(value)
    raise BadOption(f"option {name}: {quote(value)} is not a number from {least} to {most}")


def _book(value: str) -> Book | bool:
    if value in ("", DEFAULT, NO_BOOK, "<empty>"):
        return value == DEFAULT
    try:
        return Book(value)
    except BadFile as error:
        raise BadOption(f"option Book: {error}") from None
