"""Players of a benchmark: their programs and fingerprints, and their timed moves."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from ..board import Board
from ..errors import BadSetup, SearchStopped, quote, quote_path
from ..players import PerfectPlayer
from ..referee.game import create_player
from ..referee.isolation import NONE
from ..referee.limits import ResourceLimits
from ..referee.move_validation import TIME_OUTS, Fault
from ..referee.players import DEPTH, PLACEHOLDERS, PlayerSpec, parse_player, unique_names
from ..referee.program import Program
from ..search import DEFAULT_EVALUATION, EVALUATIONS, Choice, choose
from ..solver import Solver, default_memory

READ_WHOLE = 1 << 20  # bytes: only size and time of larger files, such as interpreters, are hashed
MAX_FILES = 2_000
#: Suffixes of results, reports and data, which are not parts of a program.
IGNORED = (".sqlite", ".sqlite-journal", ".html", ".md", ".svg", ".png", ".csv", ".tsv", ".txt", ".json", ".pyc")


def program_fingerprint(player: PlayerSpec) -> str:
    """A hash of the files of a program; "" for a built-in player.

    It includes the files and folders in the command, other files with the same suffix in their folders, such as modules
    of a Python program, and the player's folder if there is one.
    """
    if player.built_in is not None:
        return ""
    digest = hashlib.sha256()
    for path in sorted(set(_parts(player)))[:MAX_FILES]:
        digest.update(f"{path}\0".encode(errors="surrogateescape") + _content(path))
    return digest.hexdigest()[:16]


def refuse_to_overwrite(player: PlayerSpec, written: Iterable[str]) -> None:
    """Raise BadSetup if an output file is a file in the command, such as the program itself."""
    named = {os.path.realpath(os.path.join(player.folder, word)) for word in player.command}
    for path in written:
        if os.path.realpath(path) in named:
            raise BadSetup(f"{quote_path(path)} is a file of {quote(player.name)}: use another output file")


def _parts(player: PlayerSpec) -> Iterator[str]:
    if player.whole_folder:
        yield from _within(player.folder)
    for word in player.command:
        path = os.path.join(player.folder, word)
        if os.path.isdir(path) and word.strip("./"):
            yield from _within(path)
        elif os.path.isfile(path):
            yield path
            kind = os.path.splitext(path)[1]
            if kind and kind not in IGNORED:
                yield from (each for each in _entries(os.path.dirname(path)) if each.endswith(kind))


def _within(folder: str) -> Iterator[str]:
    """The files in a folder and its subfolders that may be parts of a program."""
    for place, folders, _ in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "__pycache__"))]
        yield from (path for path in _entries(place) if not path.endswith(IGNORED))


def _entries(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        yield from (each.path for each in entries if each.is_file() and not each.name.startswith("."))


def _content(path: str) -> bytes:
    try:
        status = os.stat(path)
        if status.st_size > READ_WHOLE:
            return f"{status.st_size} {status.st_mtime_ns}".encode()
        with open(path, "rb") as file:
            return file.read()
    except OSError:  # deleted in the meantime, or executable but not readable
        return b""


ANY_DEPTH = -1  # of a player without a depth
BARE = re.compile(r"depth(?:[:,](eval=.*))?")  # the built-in search at every depth
START = "from maxconnect4.cli import main; raise SystemExit(main())"  # the script of the installed command


@dataclass(frozen=True, slots=True)
class BenchmarkPlayer:
    """A player to measure: an external program or a built-in player."""

    spec: PlayerSpec
    every_depth: bool  # whether it is measured at every depth; otherwise it sets its depth itself
    search_only: bool = False  # whether a built-in player runs in this process, without start-up time
    game: str = "max"

    @property
    def name(self) -> str:
        """The name of the player in tables."""
        return self.spec.name

    @property
    def runs_in_process(self) -> bool:
        """Whether the player makes its moves in this process."""
        built_in = self.spec.built_in
        return built_in is not None and (self.search_only or built_in.kind not in ("depth", "perfect"))

    @property
    def description(self) -> str:
        """The settings or the command, which distinguish the player from others with the same name."""
        built_in = self.spec.built_in
        if built_in is None:
            depth = "" if self.every_depth else f"depth={self.spec.depth} "
            settings = "".join(f"{name}={shlex.quote(value)} " for name, value in self.spec.environment)
            command = " ".join(word if word in PLACEHOLDERS else shlex.quote(word) for word in self.spec.command)
            folder = f"folder={shlex.quote(self.spec.folder)} " if self.spec.whole_folder else ""
            return depth + folder + settings + command
        eval_ = f",eval={built_in.evaluation}" if built_in.kind in ("depth", "time") else ""
        own = {
            "depth": "" if self.every_depth else f":{built_in.depth}",
            "time": f":{built_in.seconds:g}",
            "level": f":{built_in.level}",
        }.get(built_in.kind, "")
        seed = "" if built_in.seed is None else f",seed={built_in.seed}"
        return f"{built_in.kind}{own}{eval_}{seed}{' (search only)' if self.search_only else ''}"

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the player's program."""
        return program_fingerprint(self.spec)

    def program(self) -> PlayerSpec:
        """The external program that makes the moves. For a built-in player, it is the command `one-move`."""
        built_in = self.spec.built_in
        if built_in is None:
            return self.spec
        depth = "perfect" if built_in.kind == "perfect" else "{depth}"
        words = (sys.executable, "-c", START, "one-move", "{in}", "{out}", depth, "--stats")
        more = () if built_in.kind == "perfect" else ("--eval", built_in.evaluation)
        if self.game == "classic":
            more = (*more, "--game", "classic")
        return replace(
            self.spec,
            built_in=None,
            command=(*words, *more),
            depth=built_in.depth,
            environment=tuple((name, os.environ[name]) for name in ("PYTHONPATH",) if name in os.environ),
            limits=replace(self.spec.limits, isolation=NONE),  # maxconnect4 itself needs no isolation
        )

    def spec_at_depth(self, depth: int) -> PlayerSpec:
        """The player of the games, at this depth unless the player sets its depth itself."""
        built_in = self.spec.built_in
        if not self.every_depth:
            return self.spec
        return replace(self.spec, depth=depth, built_in=built_in and replace(built_in, depth=depth))


def parse_players(
    texts: Iterable[str], limits: ResourceLimits, search_only: bool = False, game: str = "max"
) -> list[BenchmarkPlayer]:
    """Parse players such as `depth`, `depth:eval=lines`, `depth:6`, `perfect` or `name=ada python3 main.py`."""
    found = [_parse_player(text, limits, search_only, game) for text in texts]
    names = unique_names(each.spec for each in found)
    return [replace(each, spec=player, game=game) for each, player in zip(found, names, strict=True)]


def _parse_player(text: str, limits: ResourceLimits, search_only: bool, game: str) -> BenchmarkPlayer:
    try:
        words = shlex.split(text)
    except ValueError:
        words = []  # parse_player reports the error
    if words and (bare := BARE.fullmatch(words[-1])) and all("=" in word for word in words[:-1]):
        evaluation = bare[1] or f"eval={DEFAULT_EVALUATION[game]}"
        if evaluation.removeprefix("eval=") not in EVALUATIONS:
            unknown = quote(evaluation.removeprefix("eval="))
            raise BadSetup(f"{quote(text)}: {unknown} is not an evaluation: choose {', '.join(EVALUATIONS)}")
        named = [] if any(word.startswith("name=") for word in words) else [f"name={words[-1]}"]
        player = parse_player(shlex.join([*words[:-1], *named, f"depth:0,{evaluation}"]), limits=limits)
        return BenchmarkPlayer(replace(player, limits=limits), True, search_only)
    player = parse_player(text, ANY_DEPTH, limits, game)
    if player.is_human:
        raise BadSetup("a human cannot be measured: choose another player")
    if player.built_in is not None:
        return BenchmarkPlayer(replace(player, limits=limits), False, search_only)
    if player.depth != ANY_DEPTH:
        return BenchmarkPlayer(player, False)
    return BenchmarkPlayer(replace(player, depth=DEPTH), any(PLACEHOLDERS[2] in word for word in player.command))


# Timed moves

#: A function that makes a move on a board, at a depth, with a random seed.
MoveFunction = Callable[[Board, int | None, str], "TimedMove"]

MEMORY = 256 << 20  # bytes for the transposition table of the solver
EVIDENCE = 120  # characters of the printed line


@dataclass(frozen=True, slots=True)
class TimedMove:
    """A move of a player with its time and nodes. Either `column` or `fault` is set."""

    column: int | None
    #: User and system time of all processes of a program, or of the search in this process.
    cpu_seconds: float
    seconds: float  # wall-clock time
    nodes: int | None = None  # None if the player does not report them
    search_seconds: float | None = None  # CPU time of the search alone; None if the player does not report it
    fault: str = ""  # the kind of a fault, such as "crash": see `referee.move_validation.FAULTS`
    detail: str = ""  # the cause of a fault in one line
    regret: int | None = None  # None if the scores of the position are unknown


def move_function(player: BenchmarkPlayer) -> MoveFunction:
    """The function that makes a player's moves, in an external program or in this process."""
    return _in_process(player) if player.runs_in_process else _as_program(player)


def _as_program(player: BenchmarkPlayer) -> MoveFunction:
    built_in = player.spec.built_in is not None
    program = Program(player.program(), player.game)

    def ask(board: Board, depth: int | None, seed: str) -> TimedMove:
        answer = program.move(board, depth=depth)
        fault = answer.fault
        nodes, search = _search_stats(answer.printed) if built_in and fault is None else (None, None)
        kind, detail = ("", "") if fault is None else (fault.kind, _with_evidence(fault))
        return TimedMove(answer.column, answer.cpu_seconds, answer.seconds, nodes, search, kind, detail)

    return ask


def _with_evidence(fault: Fault) -> str:
    """The cause of a fault with the last printed line, which usually is the error message."""
    lines = [line.strip() for line in fault.printed.splitlines() if line.strip()]
    if not lines or fault.kind in TIME_OUTS:
        return fault.detail
    last = lines[-1] if len(lines[-1]) <= EVIDENCE else f"{lines[-1][: EVIDENCE - 3]}..."
    return f"{fault.detail}; it printed: {last}"


class _SearchStats(msgspec.Struct):
    source: str
    nodes: int
    cpu_seconds: float


def _search_stats(printed: str) -> tuple[int | None, float | None]:
    line = next((line for line in printed.splitlines()[::-1] if line.startswith("{")), None)
    stats = None if line is None else msgspec.json.decode(line, type=_SearchStats)
    return (None, None) if stats is None or stats.source == "book" else (stats.nodes, stats.cpu_seconds)


def _in_process(player: BenchmarkPlayer) -> MoveFunction:
    assert player.spec.built_in is not None
    searches = player.spec.built_in.kind in ("depth", "perfect", "time")

    def ask(board: Board, depth: int | None, seed: str) -> TimedMove:
        start, cpu = time.monotonic(), time.process_time()
        most = player.spec.limits.seconds
        try:
            choice = _choice(player, board, depth, seed, start + most)
        except SearchStopped:
            detail = f"it was still running after {most:g} s, its time limit"
            return TimedMove(None, time.process_time() - cpu, time.monotonic() - start, fault="time-out", detail=detail)
        cpu = time.process_time() - cpu
        has_nodes = choice.source != "book" and (searches or choice.nodes)
        nodes = choice.nodes if has_nodes else None
        return TimedMove(choice.column, cpu, time.monotonic() - start, nodes, None if nodes is None else cpu)

    return ask


def _choice(player: BenchmarkPlayer, board: Board, depth: int | None, seed: str, deadline: float) -> Choice:
    settings = player.spec.built_in
    assert settings is not None

    def stop() -> bool:
        return time.monotonic() > deadline

    if settings.kind == "depth":
        depth = settings.depth if depth is None else depth
        return choose(board, depth, evaluation=settings.evaluation, stop=stop)
    if settings.kind == "perfect":  # with an empty transposition table for each move
        solver = Solver(min(default_memory(), MEMORY), threads=1)
        return PerfectPlayer(solver, stop=stop).choose(board)
    if settings.kind == "time":
        return choose(board, seconds=settings.seconds, evaluation=settings.evaluation, stop=stop)
    return create_player(settings, seed, board.game, stop).choose(board)


CLEARLY = 1.1  # minimum ratio of a new limit to the time of a move that timed out at the old one
FAILURES_IN_A_ROW = 3  # depths without any move after which deeper ones are skipped


def stop_reason(by_depth: Mapping[int, Sequence[TimedMove]], limit: float) -> str:
    """The reason for skipping deeper depths after these; "" if there is none."""
    failed: list[int] = []
    for depth, moves in sorted(by_depth.items()):
        for move in moves:
            if move.fault in TIME_OUTS:
                return f"depth {depth} timed out: {move.detail}"
            if move.cpu_seconds > limit:
                return f"depth {depth} took more than {limit:g} s"
        failed = [] if any(move.column for move in moves) else [*failed, depth]
        if len(failed) == FAILURES_IN_A_ROW:
            return f"no move at depths {failed[0]} to {failed[-1]}"
    return ""


def should_retry(move: TimedMove, limits: ResourceLimits) -> bool:
    """Whether to repeat a move that timed out, as the limit is now clearly larger."""
    if move.fault == "time-out":
        return limits.seconds > CLEARLY * move.seconds
    return move.fault == "CPU time-out" and limits.cpu_seconds > CLEARLY * move.cpu_seconds
