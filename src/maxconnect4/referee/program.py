"""An external program as a player: it reads a position from a file and writes the position after its move."""

from __future__ import annotations

import errno
import os
import re
import signal
import stat
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TypeVar

from ..board import Board
from ..errors import CannotSave, error_reason, quote, quote_path
from ..position_file import LARGEST, board_as_text
from ..system import memory
from . import sandbox
from .isolation import BUBBLEWRAP, isolation_for
from .limits import ResourceLimits
from .move_validation import Fault, MoveResult, MoveValidation, Note, validate_move
from .players import PLACEHOLDERS, PlayerSpec
from .program_files import (
    COPY,
    file_access,
    find_program_files,
    has_disk_space,
    place_files,
    remove_all_folders,
    remove_folders_of,
    scratch_folder,
)
from .python2 import python2_source
from .sandbox import truncate

T = TypeVar("T")

# Names in the working directory, not absolute paths: some programs store a file name in a short buffer.
INPUT, OUTPUT = "input.txt", "output.txt"
POSITION = re.compile(rb"^(?:[012]{7}[ \t\r]*\n){6}", re.MULTILINE)  # printed by a program
MAX_STORED_OUTPUT = 2_000  # bytes of evidence
PRINTED_MUCH = 100_000  # bytes
MAX_OTHER_FILES = 3  # in a message
MAX_FILES_SEEN = 500  # of a folder, for this message
RETRY_DELAYS = (0.2, 1.0, 5.0)  # seconds after which disk space or memory may be available again
TRANSIENT_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EAGAIN, errno.ENOMEM)
INHERITED_VARIABLES = ("PATH", "LANG", "LANGUAGE", "TZ", "JAVA_HOME", "JDK_JAVA_OPTIONS", "PYENV_VERSION")  # and LC_...
OUT_OF_MEMORY_MESSAGES = (  # of Python, C++, Java and the system
    b"MemoryError",  # Java has an OutOfMemoryError
    b"std::bad_alloc",
    b"There is insufficient memory for the Java Runtime",
    b"Cannot allocate memory",
)


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """The result of running a program on a file."""

    ran: sandbox.RunResult
    output: bytes | None  # the beginning of the output file; None if there is no such file
    problem: tuple[str, str] | None = None  # a fault that is found without parsing the output, and its detail
    #: New and changed files, with their beginnings, if there is no output file.
    other_files: tuple[tuple[str, bytes], ...] = ()
    had_space: bool = True  # whether the disk had free space: otherwise no problem is a fault of the program

    def ending(self) -> str:
        """The signal or the exit status of a program that did not end normally; "" if it did."""
        if self.ran.signal is not None:
            try:
                name = signal.Signals(self.ran.signal).name
            except ValueError:
                name = str(self.ran.signal)
            return f"it was killed by signal {name}"
        return f"it ended with exit status {self.ran.exit_code}" if self.ran.exit_code else ""

    def printed(self) -> str:
        """The first and the last lines of its standard output and standard error."""
        return truncate(self.ran.printed, self.ran.printed_last, self.ran.printed_bytes)


def set_up() -> None:
    """Prepare a worker process that only runs programs."""
    sandbox.become_subreaper()
    place = os.path.abspath(os.environ.get("TMPDIR") or "/tmp")
    if os.path.isdir(place) and os.access(place, os.W_OK | os.X_OK):
        tempfile.tempdir = place  # tempfile would test it with a file, which remains if this process is killed


def shut_down() -> None:
    """Kill all running programs and remove their folders, before this worker exits."""
    sandbox.kill_programs()
    remove_all_folders()


def clean_up(process: int) -> None:
    """Kill the orphans of a killed worker and remove its folders."""
    sandbox.kill_orphans()
    remove_folders_of(process)


class Program:
    """A player's command, run for each move in a new folder that is removed afterwards.

    Args:
        spec: The player: its command, folder, limits and environment.
        game: The value of {game}, "max" or "classic". The input file has the same format for both games.
        hidden: Files and folders that the program must not read, such as those of other players.
        ahead: Whether to start the sandbox of the next move in advance. It requires a call of `close` at the end.
    """

    def __init__(self, spec: PlayerSpec, game: str = "max", hidden: Iterable[str] = (), *, ahead: bool = False) -> None:
        self.player = spec
        self.game = game
        self.isolation = isolation_for(spec.limits.isolation)
        self._program_files, self._words = find_program_files(spec, without=(INPUT, OUTPUT))
        #: The file of the program that is for Python 2, if any: see `python2_source`.
        self.python2 = python2_source(spec)
        if self.python2 is not None and self.python2.interpreter is not None:
            self._words = (self.python2.interpreter, *self._words[1:])
        self._environment = _environment(spec)
        self._access = file_access(spec, self._words, self._program_files, hidden)
        self._ahead = ahead and self.isolation.method == BUBBLEWRAP
        self._next: tuple[list[str], sandbox.Sandbox] | None = None  # a command and the sandbox that is started for it

    def close(self) -> None:
        """Close the sandbox that was started in advance, if there is one."""
        if self._next is not None:
            self._next[1].close()
            self._next = None

    def move(self, board: Board, *, position: str | None = None, depth: int | None = None) -> MoveResult:
        """Run the program to get its move. The board does not change.

        `position` is the text of the input file, by default the position file of the board.
        """
        position = board_as_text(board) if position is None else position
        run, validation = self._validated_run(board, position.encode(), depth)
        player, ply, printed = board.to_move, board.pieces() + 1, run.printed()
        fault = None
        if validation.fault is not None:
            detail = validation.detail
            if self.python2 is not None and self.python2.interpreter is None:
                detail = f"{detail}; {self.python2}"
            output = (run.output or b"")[:MAX_STORED_OUTPUT].decode("utf-8", "replace")
            fault = Fault(validation.fault, player, ply, detail, position, output, printed)
        return MoveResult(
            validation.column,
            fault,
            tuple(Note(kind, player, ply) for kind in validation.notes),
            run.ran.cpu_seconds,
            run.ran.seconds,
            printed,
        )

    def _validated_run(self, board: Board, data: bytes, depth: int | None) -> tuple[ProgramRun, MoveValidation]:
        def validated() -> tuple[tuple[ProgramRun, MoveValidation], bool]:
            run = self._run(data, board.to_move, depth)
            validation = _validate(board, run)
            return (run, validation), validation.fault is None or run.had_space

        return _with_disk_space(validated)

    def run(self, data: bytes | None, player: int, depth: int | None = None) -> ProgramRun:
        """Run the program on an input file with these bytes, or without one. The output is not validated."""

        def attempt() -> tuple[ProgramRun, bool]:
            run = self._run(data, player, depth)
            return run, run.had_space

        return _with_disk_space(attempt)

    def _run(self, data: bytes | None, player: int, depth: int | None) -> ProgramRun:
        words = self._fill_placeholders(player, self.player.depth if depth is None else depth)
        with ExitStack() as stack:
            uses_disk = self.isolation.method != BUBBLEWRAP
            if uses_disk and not has_disk_space():
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            folder = stack.enter_context(scratch_folder()) if uses_disk else ""
            limits = self.player.limits
            folder = stack.enter_context(box := self._sandbox(words, folder)).folder
            try:
                place_files(self._program_files, folder)
            except (FileNotFoundError, PermissionError) as error:
                nothing = sandbox.RunResult(127, None, 0.0, 0.0, None, b"", b"", 0, 0)
                return ProgramRun(nothing, None, ("cannot start", f"a file of the program cannot be read: {error}"))
            identity = None if data is None else _write_input(os.path.join(folder, INPUT), data)
            if self._ahead:
                self._next = words, self._sandbox(words, "").start()
            ran = box.run()
            problem = _problem(ran, limits)
            output, wrong = _read_output(os.path.join(folder, OUTPUT), identity)
            other_files = () if output is not None else self._other_files(folder, data)
            # Checked before the folder is removed. A program that fills the disk itself commits a fault.
            had_space = not uses_disk or ran.exceeded == "disk" or has_disk_space()
            return ProgramRun(ran, output, problem or wrong, other_files, had_space)

    def _sandbox(self, words: list[str], folder: str) -> sandbox.Sandbox:
        ready, self._next = self._next, None
        if ready is not None:
            if ready[0] == words:
                return ready[1]
            ready[1].close()
        return sandbox.Sandbox(words, folder, self._environment, self.player.limits, self.isolation, self._access)

    def _other_files(self, folder: str, data: bytes | None) -> tuple[tuple[str, bytes], ...]:
        """New and changed files: the program may have written its position under another name."""
        placed = {each.name: each for each in self._program_files}
        found: list[tuple[str, bytes]] = []
        seen = 0
        for place, folders, names in os.walk(folder):
            folders[:] = sorted(name for name in folders if not os.path.islink(os.path.join(place, name)))
            for name in sorted(names):
                path = os.path.join(place, name)
                relative = os.path.relpath(path, folder)
                beginning = _beginning(path)
                own = placed.get(relative)
                is_placed = own is not None and (own.how != COPY or beginning == _beginning(own.path))
                if beginning is not None and not is_placed and (relative, beginning) != (INPUT, data):
                    found.append((relative, beginning))
                seen += 1
                if len(found) == MAX_OTHER_FILES or seen == MAX_FILES_SEEN:
                    return tuple(found)
        return tuple(found)

    def _fill_placeholders(self, player: int, depth: int) -> list[str]:
        values = dict(zip(PLACEHOLDERS, (INPUT, OUTPUT, str(depth), str(player), self.game), strict=True))
        words = []
        for word in self._words:
            for place, value in values.items():
                word = word.replace(place, value)
            words.append(word)
        return words


def isolation_of(*players: PlayerSpec) -> str:
    """The isolation of the external programs among these players, for results; "" if there are none."""
    return ", ".join(sorted({isolation_for(each.limits.isolation).name for each in players if each.command}))


def is_confined(spec: PlayerSpec) -> bool:
    """Whether a player's program runs in separate namespaces, where it cannot signal any other process."""
    return isolation_for(spec.limits.isolation).method == BUBBLEWRAP


def _with_disk_space(run: Callable[[], tuple[T, bool]]) -> T:
    """Retry while disk or memory are full, which is not the program's fault. `run` also returns its success."""
    problem = ""
    for pause in (*RETRY_DELAYS, None):
        try:
            found, good = run()
            if good:
                return found
            number = errno.ENOSPC
        except OSError as error:
            if error.errno is None:  # this process is about to exit
                raise
            number, problem = error.errno, f"a program cannot be run: {error_reason(error)}"
            if number not in TRANSIENT_ERRORS:
                break
        if number in (errno.ENOSPC, errno.EDQUOT):
            problem = (
                f"no space left in {quote_path(tempfile.gettempdir())}, where programs run: "
                "free some space, or set TMPDIR to another folder"
            )
        if pause is not None:
            time.sleep(pause)
    raise CannotSave(problem)


def _environment(spec: PlayerSpec) -> dict[str, str]:
    """The inherited variables of the environment and those of the player.

    Java allocates a 64th of the machine's memory at its start, which may exceed the limit.
    """
    environment = {
        name: value for name, value in os.environ.items() if name in INHERITED_VARIABLES or name.startswith("LC_")
    }
    environment |= dict(spec.environment)
    allowed = spec.limits.memory
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


def _problem(ran: sandbox.RunResult, limits: ResourceLimits) -> tuple[str, str] | None:
    """The fault that follows from the run itself, if any, and its detail."""
    if ran.start_error is not None:
        return "cannot start", ran.start_error
    match ran.exceeded:
        case "printed":
            return "printed too much", f"it printed {limits.printed:,} bytes or more"
        case "time":
            waited = f", of which it waited {ran.waited:.1f} s for a processor" if ran.waited >= 0.1 else ""
            return "time-out", (
                f"it was still running after {ran.seconds:.1f} s of wall-clock time{waited}, with "
                f"{ran.cpu_seconds:.2f} s of CPU time: the limits are {limits.seconds:g} s and {limits.cpu_seconds:g} s"
            )
        case "cpu":
            return "CPU time-out", (
                f"it used {ran.cpu_seconds:.2f} s of CPU time in {ran.seconds:.1f} s of wall-clock time: the limit is "
                f"{limits.cpu_seconds:g} s of CPU time"
            )
        case "memory":
            return "out of memory", f"its processes used more than {limits.memory:,} bytes of memory together"
        case "processes":
            return "too many processes", f"it had more than {limits.processes:,} processes and threads"
        case "disk":
            return "wrote too much", f"it wrote more than {limits.disk:,} bytes or {sandbox.MAX_FILES:,} files"
    return None


def _read_output(path: str, input_identity: tuple[int, int] | None) -> tuple[bytes | None, tuple[str, str] | None]:
    """Read the output file. Returns its beginning, and the fault of a file that is not a valid regular file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None, None
    except OSError:
        try:
            return None, ("not a file", f"{OUTPUT} is {_file_kind(os.lstat(path).st_mode)}")
        except OSError:  # the folder is no longer readable
            return None, None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return None, ("not a file", f"{OUTPUT} is {_file_kind(status.st_mode)}")
        data = os.read(descriptor, LARGEST)
    finally:
        os.close(descriptor)
    if status.st_nlink != 1 or (status.st_dev, status.st_ino) == input_identity:
        return data, ("not a file", f"{OUTPUT} is a link to {INPUT} or to another file")
    if status.st_size > LARGEST:
        return data, ("output too large", f"{OUTPUT} has {status.st_size:,} bytes: the limit is {LARGEST:,}")
    return data, None


def _beginning(path: str) -> bytes | None:
    """The beginning of a regular file; None for anything else, or if it cannot be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return os.read(descriptor, LARGEST) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
    finally:
        os.close(descriptor)


def _file_kind(mode: int) -> str:
    kinds = {
        stat.S_IFLNK: "a symbolic link",
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFREG: "a file without read permission",
    }
    return kinds.get(stat.S_IFMT(mode), "a device")


def _validate(board: Board, run: ProgramRun) -> MoveValidation:
    """Validate a run and its output: the column, or the fault; and the notes."""
    ran = run.ran
    if run.problem is not None:
        return MoveValidation(None, *run.problem)
    ended = run.ending()
    if run.output is None:
        others = _describe_others(board, run)
        if ended:
            return MoveValidation(None, _crash(ran), f"{ended}; {others}" if others else ended)
        return MoveValidation(None, "no output", f"it did not write {OUTPUT}" + (f", but {others}" if others else ""))
    validation = validate_move(board, run.output)
    if validation.column is None:
        fault = _crash(ran) if ended and validation.fault == "malformed output" else validation.fault
        return MoveValidation(None, fault, f"{validation.detail}; {ended}" if ended else validation.detail)
    notes = list(validation.notes)
    if ended:
        notes.append("exit code" if ran.signal is None else "signal")
    if ran.printed_bytes > PRINTED_MUCH:
        notes.append("printed much")
    if ran.left_running:
        notes.append("left processes running")
    return replace(validation, notes=tuple(notes))


def _describe_others(board: Board, run: ProgramRun) -> str:
    """The files that a program wrote instead of its output file, and whether one of them has a legal move."""
    names = []
    for name, data in run.other_files:
        column = validate_move(board, data).column
        verb = "changed " if name == INPUT else ""
        names.append(f"{verb}{quote(name)}" + (f" with a legal move in column {column}" if column else ""))
    if names:
        return f"it wrote {', '.join(names)}"
    for block in reversed(POSITION.findall(run.ran.printed)):
        column = validate_move(board, block).column
        if column is not None:
            return f"it printed the position after column {column}"
    return ""


def _crash(ran: sandbox.RunResult) -> str:
    no_memory = any(words in part for words in OUT_OF_MEMORY_MESSAGES for part in (ran.printed, ran.printed_last))
    return "out of memory" if no_memory else "crash"
