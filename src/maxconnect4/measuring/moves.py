"""One move of a player, and what it took."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from ..players import PerfectPlayer
from ..referee.faults import TIME_OUTS
from ..referee.playing import built_in_player
from ..referee.programs.program import Program
from ..search import choose
from ..solver import Solver, default_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..board import Board
    from ..referee.games import Fault
    from ..search import Choice
    from .contenders import Contender

    #: Asks for a move on a board, at a depth, with what seeds its chance.
    Mover = Callable[[Board, int | None, str], "Moved"]

TOLD = re.compile(r"CPU time of the search: ([0-9.]+) s, .*, ([0-9,]+) nodes?\.")  # see `cli.terminal.screen`
LEAST_TOLD = 0.01  # seconds: of less, the three decimals that are told say too little
MEMORY = 256 << 20  # for the table of the solver
EVIDENCE = 120  # letters


@dataclass(frozen=True, slots=True)
class Moved:
    """What came of asking a player for a move. Either `column` or `fault` is there."""

    column: int | None
    #: CPU time, user and system, of the program and all that it started; or of what a player thought in this process.
    cpu_seconds: float
    seconds: float  # by the clock
    nodes: int | None = None  # that were searched, where the player tells
    search_seconds: float | None = None  # CPU time of the search alone, where the player tells
    fault: str = ""  # its kind, such as "crash": see `referee.faults.FAULTS`
    detail: str = ""  # what is wrong, in one line
    regret: int | None = None  # the points that it gave away, if the scores of the position are known


def mover_for(contender: Contender) -> Mover:
    """How somebody is asked for a move: as a program of its own, or in this process."""
    return _in_this_process(contender) if contender.thinks_here else _as_a_program(contender)


def _as_a_program(contender: Contender) -> Mover:
    ours = contender.entrant.built_in is not None
    program = Program(contender.program(), contender.game)

    def ask(board: Board, depth: int | None, chance: str) -> Moved:
        answer = program.move(board, depth=depth)
        fault = answer.fault
        nodes, search = _told(answer.printed) if ours and fault is None else (None, None)
        kind, detail = ("", "") if fault is None else (fault.kind, _with_evidence(fault))
        return Moved(answer.column, answer.cpu_seconds, answer.seconds, nodes, search, kind, detail)

    return ask


def _with_evidence(fault: Fault) -> str:
    """What is wrong, with the last line that the program printed: most say there why they give up."""
    lines = [line.strip() for line in fault.printed.splitlines() if line.strip()]
    if not lines or fault.kind in TIME_OUTS:
        return fault.detail
    last = lines[-1] if len(lines[-1]) <= EVIDENCE else f"{lines[-1][: EVIDENCE - 3]}..."
    return f"{fault.detail}; it printed: {last}"


def _told(printed: str) -> tuple[int | None, float | None]:
    """The nodes and the CPU time of the search, as `one-move` prints them; a move from the book has neither."""
    match = TOLD.search(printed)
    if match is None:
        return None, None
    seconds = float(match[1])
    return int(match[2].replace(",", "")), seconds if seconds >= LEAST_TOLD else None


class _TooLongError(Exception):
    """The time of a move is over."""


def _in_this_process(contender: Contender) -> Mover:
    assert contender.entrant.built_in is not None
    searches = contender.entrant.built_in.kind in ("depth", "perfect", "time")

    def ask(board: Board, depth: int | None, chance: str) -> Moved:
        start, cpu = time.monotonic(), time.process_time()
        most = contender.entrant.limits.seconds
        try:
            choice = _chosen(contender, board, depth, chance, start + most)
        except _TooLongError:
            detail = f"it had not ended after {most:g} s"
            return Moved(None, time.process_time() - cpu, time.monotonic() - start, fault="time-out", detail=detail)
        cpu = time.process_time() - cpu
        told = choice.source != "book" and (searches or choice.nodes)
        nodes = choice.nodes if told else None
        return Moved(choice.column, cpu, time.monotonic() - start, nodes, None if nodes is None else cpu)

    return ask


def _chosen(contender: Contender, board: Board, depth: int | None, chance: str, deadline: float) -> Choice:
    settings = contender.entrant.built_in
    assert settings is not None

    def watch(_: object = None) -> None:
        if time.monotonic() > deadline:
            raise _TooLongError

    if settings.kind == "depth":
        depth = settings.depth if depth is None else depth
        return choose(board, depth, evaluation=settings.evaluation, watch=watch)
    if settings.kind == "perfect":  # with nothing learnt from the move before
        solver = Solver(min(default_memory(), MEMORY), threads=1)
        return PerfectPlayer(solver, lambda ask, board: ask(board, progress=watch)).choose(board)
    if settings.kind == "time":
        return choose(board, seconds=settings.seconds, evaluation=settings.evaluation, watch=watch)
    return built_in_player(settings, chance, board.game, watch).choose(board)
