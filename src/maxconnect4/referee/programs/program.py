"""An external program as a player: it gets a position in a file and writes the position after its move."""

from __future__ import annotations

import errno
import os
import signal
import stat
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, replace

from ...errors import CannotSave, reason, shown, shown_path
from ...files import LARGEST, board_as_text
from ...resources import memory
from ..entrants import PLACES
from ..games import Fault, Note
from . import sandbox
from .abridging import abridged
from .belongings import belongings_of, bring, view_of
from .isolation import BUBBLEWRAP, isolation_for
from .judging import Verdict, judge
from .scratch import has_room, scratch_folder, throw_all_away, throw_away_those_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from ...board import Board
    from ..entrants import Entrant
    from ..limits import Limits

    T = TypeVar("T")

# In the folder that the program runs in, and not whole paths: these suit programs that keep a name in a few bytes.
INPUT, OUTPUT = "input.txt", "output.txt"
OUTPUT_KEPT = 2_000  # bytes of evidence
PRINTED_MUCH = 100_000  # bytes
MOST_OTHERS = 3  # files that are named
PAUSES = (0.2, 1.0, 5.0)  # seconds, in which room may come back to a disk or a machine that is full
PASSING = (errno.ENOSPC, errno.EDQUOT, errno.EAGAIN, errno.ENOMEM)
INHERITED = ("PATH", "LANG", "LANGUAGE", "TZ", "JAVA_HOME", "JDK_JAVA_OPTIONS", "PYENV_VERSION")  # and LC_...
NO_MEMORY = (  # what Python, C++, Java and the system say
    b"MemoryError",  # Java has an OutOfMemoryError
    b"std::bad_alloc",
    b"There is insufficient memory for the Java Runtime",
    b"Cannot allocate memory",
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a program did with a file."""

    ran: sandbox.Ran
    output: bytes | None  # the beginning of what it wrote, if it wrote a file
    problem: tuple[str, str] | None = None  # a fault that shows before the output is read, and what is wrong
    others: tuple[str, ...] = ()  # files that it wrote where it wrote no output
    had_room: bool = True  # whether the disk had room while it ran: otherwise nothing is its fault

    def ending(self) -> str:
        """How the program ended, in words, unless that was well."""
        if self.ran.signal is not None:
            try:
                name = signal.Signals(self.ran.signal).name
            except ValueError:
                name = str(self.ran.signal)
            return f"it was ended by signal {name}"
        return f"it ended with exit code {self.ran.exit_code}" if self.ran.exit_code else ""

    def printed(self) -> str:
        """The first and the last lines that it printed."""
        return abridged(self.ran.printed, self.ran.printed_last, self.ran.printed_bytes)


@dataclass(frozen=True, slots=True)
class Answer:
    """A program's move: a column, or a fault."""

    column: int | None
    fault: Fault | None
    notes: tuple[Note, ...]
    cpu_seconds: float
    seconds: float = 0.0  # by the clock
    printed: str = ""  # the first and the last lines that it printed


def prepare() -> None:
    """Make this process one that runs programs and does nothing else."""
    sandbox.adopt_orphans()
    place = os.path.abspath(os.environ.get("TMPDIR") or "/tmp")
    if os.path.isdir(place) and os.access(place, os.W_OK | os.X_OK):
        tempfile.tempdir = place  # Python would try it out with a file, which is left if this process is killed then


def leave() -> None:
    """End all programs that run now, and remove their folders: for a process that is about to exit."""
    sandbox.kill_running()
    throw_all_away()


def bury(process: int) -> None:
    """End what a process of ours that was killed has left running, and remove its folders."""
    sandbox.end_orphans()
    throw_away_those_of(process)


class Program:
    """An entrant's command, run for each move in a fresh folder that is removed afterwards.

    Args:
        entrant: The player.
        game: What {game} stands for; nothing else names the game, as a position is the same file in both.
        hidden: Files and folders that it must not read, such as those of other players.
        ahead: Start the sandbox of the next move when a move is made, so that it is ready sooner. Call `close` then.
    """

    def __init__(self, entrant: Entrant, game: str = "max", hidden: Iterable[str] = (), *, ahead: bool = False) -> None:
        self.entrant = entrant
        self.game = game
        self.isolation = isolation_for(entrant.limits.isolation)
        self._belongings, self._words = belongings_of(entrant, without=(INPUT, OUTPUT))
        self._environment = _environment(entrant)
        self._view = view_of(entrant, self._words, self._belongings, hidden)
        self._ahead = ahead and self.isolation.method == BUBBLEWRAP
        self._next: tuple[list[str], sandbox.Sandbox] | None = None  # started for a command that will come

    def close(self) -> None:
        """Give up what was started for the next move."""
        if self._next is not None:
            self._next[1].close()
            self._next = None

    def move(self, board: Board, *, position: str | None = None, depth: int | None = None) -> Answer:
        """Have the program make a move; the board stays as it is.

        `position` is the text of the input file, if it is not the usual one for the board.
        """
        position = board_as_text(board) if position is None else position
        attempt, verdict = self._judged(board, position.encode(), depth)
        player, ply, printed = board.to_move, board.pieces() + 1, attempt.printed()
        fault = None
        if verdict.fault is not None:
            fault = Fault(verdict.fault, player, ply, verdict.detail, position, _output_shown(attempt), printed)
        return Answer(
            verdict.column,
            fault,
            tuple(Note(kind, player, ply) for kind in verdict.notes),
            attempt.ran.cpu_seconds,
            attempt.ran.seconds,
            printed,
        )

    def _judged(self, board: Board, data: bytes, depth: int | None) -> tuple[Attempt, Verdict]:
        """What the program did, and what that is worth."""

        def judged() -> tuple[tuple[Attempt, Verdict], bool]:
            attempt = self._attempt(data, board.to_move, depth)
            verdict = _verdict(board, attempt)
            return (attempt, verdict), verdict.fault is None or attempt.had_room

        return _with_room(judged)

    def attempt(self, data: bytes | None, player: int, depth: int | None = None) -> Attempt:
        """Run the program on a file with these bytes, or on none; what it should make of it is not judged here."""

        def attempted() -> tuple[Attempt, bool]:
            attempt = self._attempt(data, player, depth)
            return attempt, attempt.had_room

        return _with_room(attempted)

    def _attempt(self, data: bytes | None, player: int, depth: int | None) -> Attempt:
        words = self._filled(player, self.entrant.depth if depth is None else depth)
        with ExitStack() as stack:
            uses_disk = self.isolation.method != BUBBLEWRAP
            if uses_disk and not has_room():
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            folder = stack.enter_context(scratch_folder()) if uses_disk else ""
            limits = self.entrant.limits
            folder = stack.enter_context(box := self._sandbox(words, folder)).folder
            try:
                bring(self._belongings, folder)
            except (FileNotFoundError, PermissionError) as error:
                nothing = sandbox.Ran(127, None, 0.0, 0.0, None, b"", b"", 0, 0)
                return Attempt(nothing, None, ("cannot start", f"a file of the program cannot be read: {error}"))
            identity = None if data is None else _write_input(os.path.join(folder, INPUT), data)
            if self._ahead:
                self._next = words, self._sandbox(words, "").start()
            ran = box.run()
            problem = _problem(ran, limits)
            output, wrong = _read_output(os.path.join(folder, OUTPUT), identity)
            others = () if output is not None else self._others(folder)
            # While its folder is still there: a program that fills the disk is named itself.
            room = not uses_disk or ran.stopped == "disk" or has_room()
            return Attempt(ran, output, problem or wrong, others, room)

    def _sandbox(self, words: list[str], folder: str) -> sandbox.Sandbox:
        """A sandbox for a command: the one that was started ahead, if it is for the same one."""
        ready, self._next = self._next, None
        if ready is not None:
            if ready[0] == words:
                return ready[1]
            ready[1].close()
        return sandbox.Sandbox(words, folder, self._environment, self.entrant.limits, self.isolation, self._view)

    def _others(self, folder: str) -> tuple[str, ...]:
        """What is in the folder that was not there before."""
        before = {INPUT, *(each.name for each in self._belongings)}
        try:
            return tuple(sorted(name for name in os.listdir(folder) if name not in before)[:MOST_OTHERS])
        except OSError:  # it has removed the folder, or locked it
            return ()

    def _filled(self, player: int, depth: int) -> list[str]:
        """The words of the command with the places filled in."""
        places = dict(zip(PLACES, (INPUT, OUTPUT, str(depth), str(player), self.game), strict=True))
        words = []
        for word in self._words:
            for place, value in places.items():
                word = word.replace(place, value)
            words.append(word)
        return words


def isolation_of(*entrants: Entrant) -> str:
    """The isolation of external programs on this machine, for results; "" if there is none of them."""
    return ", ".join(sorted({isolation_for(each.limits.isolation).name for each in entrants if each.command}))


def is_confined(entrant: Entrant) -> bool:
    """Whether the program of an entrant runs in namespaces of its own, out of which it reaches no other process."""
    return isolation_for(entrant.limits.isolation).method == BUBBLEWRAP


def _with_room(attempt: Callable[[], tuple[T, bool]]) -> T:
    """The result of an attempt that is good, or that there was room for. A full disk is not a fault of the program."""
    problem = ""
    for pause in (*PAUSES, None):
        try:
            found, good = attempt()
            if good:
                return found
            number = errno.ENOSPC
        except OSError as error:
            if error.errno is None:  # this process is about to exit
                raise
            number, problem = error.errno, f"a program cannot be run: {reason(error)}"
            if number not in PASSING:
                break
        if number in (errno.ENOSPC, errno.EDQUOT):
            problem = f"there is no room left in {shown_path(tempfile.gettempdir())}, where programs are run"
        if pause is not None:
            time.sleep(pause)
    raise CannotSave(problem)


def _environment(entrant: Entrant) -> dict[str, str]:
    """What a program needs of this process's environment, and the entrant's own.

    Java takes a 64th of the machine's memory at its start, which may be over the limit.
    """
    environment = {name: value for name, value in os.environ.items() if name in INHERITED or name.startswith("LC_")}
    environment |= dict(entrant.environment)
    allowed = entrant.limits.memory
    if (memory() or 0) // 64 > allowed // 4:
        environment.setdefault("JDK_JAVA_OPTIONS", f"-Xms16m -Xmx{allowed >> 21}m")
    return environment


def _write_input(path: str, data: bytes) -> tuple[int, int]:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        os.write(descriptor, data)
        status = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    return status.st_dev, status.st_ino


def _problem(ran: sandbox.Ran, limits: Limits) -> tuple[str, str] | None:
    """A fault that shows before the output is read."""
    if ran.start_error is not None:
        return "cannot start", ran.start_error
    match ran.stopped:
        case "printed":
            return "printed too much", f"it printed {limits.printed:,} bytes or more"
        case "time":
            return "time-out", f"it had not ended after {limits.seconds:g} s"
        case "cpu":
            return "CPU time-out", f"it used {ran.cpu_seconds:.2f} s of CPU time, over {limits.cpu_seconds:g} s"
        case "memory":
            return "out of memory", f"its processes used over {limits.memory:,} bytes of memory together"
        case "processes":
            return "too many processes", f"it had over {limits.processes:,} processes and threads"
        case "disk":
            return "wrote too much", f"it wrote over {limits.disk:,} bytes, or made over {sandbox.MOST_FILES:,} files"
    return None


def _read_output(path: str, input_identity: tuple[int, int] | None) -> tuple[bytes | None, tuple[str, str] | None]:
    """What is in the output file, and what is wrong with the file as such."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None, None
    except OSError:
        try:
            return None, ("not a file", f"{OUTPUT} is {_what_is(os.lstat(path).st_mode)}")
        except OSError:  # the folder itself cannot be looked into any more
            return None, None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return None, ("not a file", f"{OUTPUT} is {_what_is(status.st_mode)}")
        data = os.read(descriptor, LARGEST)
    finally:
        os.close(descriptor)
    if status.st_nlink != 1 or (status.st_dev, status.st_ino) == input_identity:
        return data, ("not a file", f"{OUTPUT} is another name of {INPUT} or of some other file")
    if status.st_size > LARGEST:
        return data, ("output too large", f"{OUTPUT} has {status.st_size:,} bytes, over {LARGEST:,}")
    return data, None


def _what_is(mode: int) -> str:
    kinds = {
        stat.S_IFLNK: "a symbolic link",
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFREG: "a file that must not be read",
    }
    return kinds.get(stat.S_IFMT(mode), "a device")


def _verdict(board: Board, attempt: Attempt) -> Verdict:
    """The column, or the fault and what is wrong; and the notes."""
    ran = attempt.ran
    if attempt.problem is not None:
        return Verdict(None, *attempt.problem)
    ended = attempt.ending()
    if attempt.output is None:
        if ended:
            return Verdict(None, _crash(ran), ended)
        others = f", but there is {', '.join(map(shown, attempt.others))}" if attempt.others else ""
        return Verdict(None, "no output", f"there is no {OUTPUT}{others}")
    verdict = judge(board, attempt.output)
    if verdict.column is None:
        fault = _crash(ran) if ended and verdict.fault == "malformed output" else verdict.fault
        return Verdict(None, fault, f"{verdict.detail}; {ended}" if ended else verdict.detail)
    notes = list(verdict.notes)
    if ended:
        notes.append("exit code" if ran.signal is None else "signal")
    if ran.printed_bytes > PRINTED_MUCH:
        notes.append("printed much")
    if ran.left_running:
        notes.append("left processes running")
    return replace(verdict, notes=tuple(notes))


def _crash(ran: sandbox.Ran) -> str:
    """Which fault a crash is."""
    no_memory = any(words in part for words in NO_MEMORY for part in (ran.printed, ran.printed_last))
    return "out of memory" if no_memory else "crash"


def _output_shown(attempt: Attempt) -> str:
    return (attempt.output or b"")[:OUTPUT_KEPT].decode("utf-8", "replace")
