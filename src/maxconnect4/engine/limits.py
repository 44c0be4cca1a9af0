"""What a `go` allows: plies, nodes, time, and which drops."""

from __future__ import annotations

from ..board import RED
from ..errors import IllegalMove, shown
from .squares import column_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..board import Board

NUMBERS = ("depth", "nodes", "mate", "movetime", "movestogo")
CLOCKS = ("wtime", "btime", "winc", "binc", "p1time", "p2time", "p1inc", "p2inc")
AT_LEAST_ONE = ("depth", "nodes", "mate", "movestogo")
FLAGS = ("infinite", "ponder")
MOST = 10**15  # more of anything is as good as no limit
SHARES = 6  # hard positions come early and few: one of them may take so large a part of the clock


class Limits:
    """The limits of one search. Without any it goes on until it is stopped."""

    def __init__(self, words: list[str], board: Board, overhead: int) -> None:
        self.complaints: list[str] = []
        given, drops, flags = self._read(words)
        self.depth = _least(given.get("depth"), None if given.get("mate") is None else 2 * given["mate"] - 1)
        self.nodes = given.get("nodes")
        #: The columns to choose from: None for all.
        self.columns = self._columns(drops, board)
        self.pondering = "ponder" in flags
        #: How long to search, in seconds by the clock on the wall; None for as long as it takes.
        self.seconds = None if flags else _seconds(given, board, overhead)
        #: Whether to wait for the word before saying what was found.
        self.waits = bool(flags) or (self.depth is None and self.nodes is None and self.seconds is None)
        if self.waits and not flags and self.complaints:
            self.complaints.append("go: no limit was understood, so the search goes on until 'stop'")

    def _read(self, words: list[str]) -> tuple[dict[str, int], list[str], set[str]]:
        given: dict[str, int] = {}
        drops: list[str] = []
        flags: set[str] = set()
        naming_drops = False
        rest = iter(words)
        for word in rest:
            if naming_drops and word not in NUMBERS + CLOCKS + FLAGS:
                drops.append(word)
                continue
            naming_drops = word == "searchmoves"
            if word in FLAGS:
                flags.add(word)
            elif word in NUMBERS + CLOCKS:
                value = next(rest, "")
                number = _whole(value)
                if number is None or (number < 1 and word in AT_LEAST_ONE):
                    self.complaints.append(f"go: {shown(value)} is not a number of {word}")
                else:
                    given[word] = number
            elif not naming_drops:
                self.complaints.append(f"go: {shown(word)} is nothing to go by; depth, nodes and movetime are")
        return given, drops, flags

    def _columns(self, drops: list[str], board: Board) -> list[int] | None:
        columns = []
        for drop in drops:
            try:
                columns.append(column_of(drop, board))
            except IllegalMove as error:
                self.complaints.append(f"go searchmoves: {error}")
        return columns or None


def _seconds(given: dict[str, int], board: Board, overhead: int) -> float | None:
    if "movetime" in given:
        return max(given["movetime"] - overhead, given["movetime"] / 2, 1) / 1000
    side, number = ("w", "p1") if board.to_move == RED else ("b", "p2")
    left = _least(given.get(f"{side}time"), given.get(f"{number}time"))
    if left is None:
        return None
    bonus = given.get(f"{side}inc") or given.get(f"{number}inc") or 0
    drops = (board.width * board.height - board.pieces() + 1) // 2
    drops = max(1, min(drops, given.get("movestogo", drops)))
    free = max(left - 2 * overhead * drops, left / 2 / drops)  # the rest is for drops that take no thinking
    return max(1, min(free / min(drops, SHARES) + 0.75 * bonus, (left - overhead) * 0.9)) / 1000


def _whole(text: str) -> int | None:
    """A whole number, of whatever size people send; a clock may even be below zero."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        return None
    number = min(int(digits), MOST) if len(digits) < 20 else MOST
    return -number if text.startswith("-") else number


def _least(*numbers: int | None) -> int | None:
    return min((number for number in numbers if number is not None), default=None)
