"""The sandbox of one run of an external program: resource limits, isolation, and removal of every process.

The launcher (core/launch.cpp) starts first, inside bubblewrap if that is used, and waits. The referee then places the
program's files in its folder, and signals the launcher to execute the program.
"""

from __future__ import annotations

import errno
import fcntl
import math
import os
import select
import signal
import socket
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from resource import struct_rusage
from types import TracebackType
from typing import Self

from .isolation import (
    BUBBLEWRAP,
    FOLDER,
    LANDLOCK,
    SOCKET,
    FileAccess,
    Isolation,
    bubblewrap_command,
    landlock_command,
    plain_command,
)
from .limits import Cgroup, ProcessTree, ResourceLimits, children_of, waiting_seconds

FIRST_BYTES, LAST_BYTES = 2_500, 1_500
FIRST_LINES, LAST_LINES = 25, 15


def read_ends(descriptor: int, size: int) -> tuple[bytes, bytes]:
    """Read the beginning and the end of a file. The end is empty if the beginning is the whole file."""
    if size <= FIRST_BYTES + LAST_BYTES:
        return os.pread(descriptor, size, 0) if size else b"", b""
    return os.pread(descriptor, FIRST_BYTES, 0), os.pread(descriptor, LAST_BYTES, size - LAST_BYTES)


def truncate(beginning: bytes, end: bytes, size: int) -> str:
    """Join the beginning and the end of a file, in whole lines if possible, with the number of omitted bytes."""
    first, last = beginning.splitlines(keepends=True), end.splitlines(keepends=True)
    if end:
        first, last = _without_cut_line(first, -1), _without_cut_line(last, 0)
    elif len(first) > FIRST_LINES + LAST_LINES:
        last = first
    else:
        return beginning.decode("utf-8", "replace")
    head, tail = b"".join(first[:FIRST_LINES]), b"".join(last[-LAST_LINES:])
    omitted = f"[... {size - len(head) - len(tail):,} bytes omitted ...]\n"
    if not head.endswith(b"\n"):
        omitted = f"\n{omitted}"
    return head.decode("utf-8", "replace") + omitted + tail.decode("utf-8", "replace")


def _without_cut_line(lines: list[bytes], cut: int) -> list[bytes]:
    """The lines without the one that may be incomplete, unless that one is most of the text."""
    whole = lines[:-1] if cut else lines[1:]
    return whole if sum(map(len, whole)) > len(lines[cut]) else lines


CPU_GRACE = 1.0  # seconds of CPU time beyond the limit before all processes are killed; RLIMIT_CPU may act earlier
KILL_TIMEOUT = 5.0  # seconds to wait for killed processes
START_TIMEOUT = 30.0  # seconds for bubblewrap and the launcher on a busy machine
DISK_INTERVAL = 0.1  # seconds between two measurements of a folder
MAX_FILES = 10_000  # files that a program may create
LOWEST_DESCRIPTOR = 10  # of the referee's files: programs use lower ones
PR_SET_CHILD_SUBREAPER = 36  # from linux/prctl.h
STOP_SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
SOCKET_TYPE = (
    socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
)  # macOS lacks the former, which reports its end
PRIVATE_FOLDERS = (FOLDER, "/tmp", "/dev/shm")  # inside bubblewrap

_lock = threading.RLock()
_running: set[int] = set()  # the programs of all threads; each leads its own session and process group
_unreaped: set[int] = set()  # programs until their own thread has waited for them: another one must not
_adopting = False
_closed = False


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of running a command. Exactly one of `exit_code` and `signal` is set."""

    exit_code: int | None
    signal: int | None
    cpu_seconds: float  # of all processes: see `Sandbox.run`
    seconds: float  # wall-clock time
    exceeded: str | None  # the exceeded limit: "time", "cpu", "memory", "processes", "disk" or "printed"
    printed: bytes  # the beginning of standard output and standard error together, or all of it if it is short
    printed_last: bytes  # the end; empty if `printed` is everything
    printed_bytes: int  # total size
    left_running: int  # processes still running at a normal end; counted only after `become_subreaper`
    start_error: str | None = None  # the reason why the command could not be started
    waited: float = 0.0  # wall-clock time in which it waited for a processor; only after exceeding the time limit


class Sandbox:
    """One run of a command. Enter the context, place files in `folder`, call `run` once, and read files from `folder`.

    `start` may be called before entering the context. A sandbox that is started but never entered must be closed.

    Args:
        words: The command.
        folder: The working directory. With bubblewrap, a private folder replaces it.
        environment: The whole environment, to which HOME and TMPDIR are added.
    """

    def __init__(
        self,
        words: Sequence[str],
        folder: str,
        environment: Mapping[str, str],
        limits: ResourceLimits,
        isolation: Isolation,
        access: FileAccess,
    ) -> None:
        self.folder = folder
        self._limits = limits
        self._isolation = isolation
        self._uid: int | None = None
        self._is_private = isolation.method == BUBBLEWRAP
        if self._is_private:
            self._command, self._uid = bubblewrap_command(words, limits, access)
            inside = FOLDER
        elif isolation.method == LANDLOCK:
            self._command, inside = landlock_command(words, limits, access, folder), folder
        else:
            self._command, inside = plain_command(words, limits, folder), folder
        self._environment = {"HOME": inside, "TMPDIR": inside, **environment}
        self._exit = ExitStack()
        self._cgroup: Cgroup | None = None
        self._private: list[int] = []  # descriptors of the private folders
        self._pid = 0

    def start(self) -> Self:
        """Start bubblewrap and the launcher in the background. Entering the context waits for them."""
        with ExitStack() as stack:
            self._output = _descriptor(_output_file(), stack)
            fcntl.fcntl(
                self._output, fcntl.F_SETFL, os.O_APPEND
            )  # without it, opening /dev/stderr again overwrites the output
            ours, theirs = socket.socketpair(socket.AF_UNIX, SOCKET_TYPE)
            self._socket = stack.enter_context(socket.socket(fileno=_high_descriptor(ours.detach())))
            before = signal.pthread_sigmask(
                signal.SIG_BLOCK, STOP_SIGNALS
            )  # until the new process is recorded and can be killed
            try:
                self._start(_high_descriptor(theirs.detach()))
                stack.callback(self._clean_up)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
            self._exit = stack.pop_all()
        return self

    def close(self) -> None:
        """Kill the running processes and close all files."""
        self._exit.close()

    def __enter__(self) -> Self:
        if not self._pid:
            self.start()
        with ExitStack() as stack:
            stack.callback(self.close)
            self._wait_for_launcher()
            tree = self._tree = ProcessTree(self._pid, self._limits.processes + 10)
            tree.sample()
            if self._isolation.cgroup is not None:
                self._cgroup = Cgroup(self._isolation.cgroup, self._limits, len(tree.processes))
                stack.callback(self._cgroup.remove)
                self._cgroup.add(tree.processes)
            if self._is_private:
                self._open_private_folders(tree, stack)
            self._overhead = (tree.cpu_seconds, tree.tasks)
            self._inside = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._inside.close()

    def run(self) -> RunResult:
        """Run the command until it ends or exceeds a limit, and kill all processes that it has started.

        CPU time is the user and system time of all its processes and threads. On Linux, with bubblewrap or after
        `become_subreaper`, it is exact if each process is waited for or outlives its parent; children of a process that
        ignores SIGCHLD are missing. If several threads run programs without bubblewrap, a process that has left both
        its parent and its session may be counted with the wrong program.
        """
        limits, tree, pid = self._limits, self._tree, self._pid
        self._change_owner()
        start = time.monotonic()
        left, orphans_cpu = 0, 0.0
        with suppress(OSError):  # the launcher has died, which its exit status shows
            self._socket.send(b"g")
        self._start_time, self._waited = start, 0.0
        exceeded, reaped = self._watch()
        seconds = time.monotonic() - start
        if exceeded is None:
            left, orphans_cpu = _kill_orphans(pid)
        _kill_group(pid)  # before it is reaped: until then no other group can have its ID
        status, usage = reaped or os.wait4(pid, 0)[1:]
        _unreaped.discard(pid)
        orphans_cpu += _kill_orphans(pid)[1]
        self._pid = 0
        cpu = _cpu(usage) + orphans_cpu - self._overhead[0]
        if exceeded == "cpu":
            cpu = max(cpu, tree.cpu_seconds - self._overhead[0])
        start_error = None
        for word, text in self._messages():
            if word == "failed":
                start_error = text
            elif exceeded is None:
                status, left, microseconds = map(int, text.split())
                cpu = microseconds / 1_000_000
        if self._cgroup is not None:
            cpu = max(cpu, self._cgroup.cpu_seconds())
            if self._cgroup.was_out_of_memory():
                exceeded = "memory"
        size = os.fstat(self._output).st_size
        beginning, end = read_ends(self._output, size)
        code = os.waitstatus_to_exitcode(status)
        if size >= limits.printed:
            exceeded = "printed"
        elif exceeded is None and (code == -signal.SIGXCPU or cpu > limits.cpu_seconds):
            exceeded = "cpu"
        return RunResult(
            exit_code=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            cpu_seconds=max(0.0, cpu),
            seconds=seconds,
            exceeded=exceeded,
            printed=beginning,
            printed_last=end,
            printed_bytes=size,
            left_running=left,
            start_error=start_error,
            waited=self._waited if exceeded == "time" else 0.0,
        )

    # Starting

    def _start(self, theirs: int) -> None:
        """Start the launcher, which waits for a message before it executes the program."""
        command = self._command
        try:
            with _lock:
                if _closed:
                    raise InterruptedError("this process is about to exit")
                self._pid = os.posix_spawn(
                    command[0],
                    command,
                    self._environment,
                    file_actions=(
                        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                        (os.POSIX_SPAWN_DUP2, self._output, 1),
                        (os.POSIX_SPAWN_DUP2, self._output, 2),
                        (os.POSIX_SPAWN_DUP2, theirs, SOCKET),
                    ),
                    setsid=True,
                    setsigmask=(),
                    setsigdef=(signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGQUIT),  # ignored by Python
                )
                _running.add(self._pid)
                _unreaped.add(self._pid)
        finally:
            os.close(theirs)

    def _wait_for_launcher(self) -> None:
        """Wait until the launcher is ready. Raises OSError, as a failure is not a fault of the program."""
        self._socket.settimeout(START_TIMEOUT)
        try:
            message = self._socket.recv(512)
        except TimeoutError:
            message = b"failed start: no answer"
        if message != b"ready":
            printed = os.pread(self._output, 500, 0).decode("utf-8", "replace")
            words = " ".join(f"{message.decode('utf-8', 'replace')} {printed}".split())
            raise OSError(errno.EAGAIN, f"the sandbox failed to start: {words}")

    def _open_private_folders(self, tree: ProcessTree, stack: ExitStack) -> None:
        inside = next((pid for pid in tree.processes if pid != tree.leader), tree.leader)
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
        for path in PRIVATE_FOLDERS:
            self._private.append(_descriptor(os.open(f"/proc/{inside}/root{path}", flags), stack))
        self.folder = f"/proc/self/fd/{self._private[0]}"

    def _change_owner(self) -> None:
        """Make the user of the program the owner of the files in its private folder."""
        if self._uid is None:
            return
        os.chown(self.folder, self._uid, self._uid)
        for place, folders, files in os.walk(self.folder):
            for name in (*folders, *files):
                os.chown(os.path.join(place, name), self._uid, self._uid, follow_symlinks=False)

    # Waiting

    def _watch(self) -> tuple[str | None, tuple[int, struct_rusage] | None]:
        """Wait for the end or a limit. Returns the exceeded limit, and the result of wait4 if that detected the end."""
        if sys.platform == "linux":
            try:
                descriptor = os.pidfd_open(self._pid)
            except OSError:
                pass  # an old kernel, or an emulation of Linux
            else:
                try:
                    return self._watch_descriptor(descriptor), None
                finally:
                    os.close(descriptor)
        pause = 0.001
        while True:
            ended, status, usage = os.wait4(self._pid, os.WNOHANG)
            if ended:
                return None, (status, usage)
            reason = self._exceeded_limit()
            if reason is not None:
                return reason, None
            time.sleep(pause)
            pause = min(2 * pause, 0.02)

    def _watch_descriptor(self, descriptor: int) -> str | None:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        while True:
            left = min(max(0.001, self._time_left()), self._tree.interval)
            if poll.poll(math.ceil(left * 1000)):
                return None
            reason = self._exceeded_limit()
            if reason is not None:
                return reason

    def _time_left(self) -> float:
        """The remaining wall-clock time, without the time in which the program waited for a processor."""
        elapsed = time.monotonic() - self._start_time
        if elapsed >= self._limits.seconds:
            self._waited = max(self._waited, waiting_seconds(self._tree.processes, elapsed))
        return self._limits.seconds - (elapsed - self._waited)

    def _exceeded_limit(self) -> str | None:
        """The limit that the program has exceeded, if any."""
        limits, tree = self._limits, self._tree
        if os.fstat(self._output).st_size >= limits.printed:  # many programs ignore errors in writing
            return "printed"
        if sys.platform == "linux":
            self._sample()
            cpu, tasks = self._overhead
            if tree.cpu_seconds - cpu > limits.cpu_seconds + CPU_GRACE:
                return "cpu"
            if tree.tasks - tasks * self._is_private > limits.processes:
                return "processes"
            if tree.resident > limits.memory and tree.memory() > limits.memory:
                return "memory"
            if tree.written > limits.disk:
                return "disk"
        if self._time_left() <= 0:
            return "time"
        return "disk" if self._is_disk_exceeded() else None

    _next_disk_check = 0.0

    def _is_disk_exceeded(self) -> bool:
        """Whether the folders contain too many files or bytes. Private folders have a fixed size in bytes."""
        if self._is_private:
            usage = map(os.fstatvfs, self._private)
            return sum(folder.f_files - folder.f_ffree for folder in usage) > MAX_FILES
        if time.monotonic() < self._next_disk_check:
            return False
        self._next_disk_check = time.monotonic() + DISK_INTERVAL
        return _is_larger(self.folder, self._limits.disk)

    def _sample(self) -> None:
        """Sample all processes of the program, including orphans if no other program can have started them."""
        with _lock:
            leader = self._tree.leader
            self._tree.sample(_orphans(leader) if _adopting and _running == {leader} else ())

    # Ending

    def _messages(self) -> list[tuple[str, str]]:
        """The messages that the launcher sent before it ended: pairs of a word and a text."""
        self._socket.setblocking(False)
        messages = []
        with suppress(OSError):
            while message := self._socket.recv(512):
                word, _, text = message.decode("utf-8", "replace").partition(" ")
                messages.append((word, text))
        return messages

    def _clean_up(self) -> None:
        if self._pid:
            _kill_group(self._pid)
            with suppress(ChildProcessError):
                os.wait4(self._pid, 0)
            _unreaped.discard(self._pid)
            _kill_orphans(self._pid)


def _output_file() -> int:
    """Create a file for the output of a program: in memory on Linux, so that a full disk has no effect."""
    if sys.platform == "linux":
        return os.memfd_create("maxconnect4-output")
    with tempfile.TemporaryFile(buffering=0) as file:
        return os.dup(file.fileno())


def _high_descriptor(descriptor: int) -> int:
    """Move an open file to a descriptor that programs do not use."""
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, LOWEST_DESCRIPTOR)
    finally:
        os.close(descriptor)


def _descriptor(descriptor: int, stack: ExitStack) -> int:
    raised = _high_descriptor(descriptor)
    stack.callback(os.close, raised)
    return raised


def _is_larger(folder: str, most: int) -> bool:
    """Whether a folder and its subfolders have more than `most` bytes or more than MAX_FILES entries."""
    size, count, folders = 0, 0, [folder]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                count += 1
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    size += 512 * status.st_blocks
                    if stat.S_ISDIR(status.st_mode):
                        folders.append(entry.path)
                if size > most or count > MAX_FILES:
                    return True
    return False


def become_subreaper(wanted: bool = True) -> None:
    """Make this process a child subreaper (Linux only), so that it adopts orphans of programs and kills them.

    Otherwise, a process that leaves the process group of its program cannot be found. Children that this process has
    started itself, such as those of multiprocessing, are not killed unless they have their own session.

    On every system, SIGCHLD is reset: if the parent process has set it to be ignored, wait4 would fail.
    """
    global _adopting
    if signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if sys.platform == "linux" and os.path.exists(f"/proc/self/task/{os.getpid()}/children"):
        import ctypes

        done = ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, int(wanted)) == 0
        _adopting = wanted and done


def exit_on_signals() -> None:
    """Raise SystemExit on SIGTERM and SIGHUP, so that programs are killed and folders removed before the exit."""

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)


def kill_orphans() -> None:
    """Kill the orphans of killed workers, if this process is a subreaper."""
    _kill_orphans()


def kill_programs() -> None:
    """Kill the running programs of all threads and refuse to start new ones, before this process exits."""
    global _closed
    with _lock:
        _closed = True
        for pid in list(_running):
            _kill_group(pid)
        _unreaped.clear()  # other threads no longer wait for them
        _kill_orphans()


# Ending


def _kill_group(pid: int) -> None:
    with _lock:
        if pid in _running:
            _running.discard(pid)
            with suppress(ProcessLookupError, PermissionError):  # macOS raises the latter for an ended group
                os.killpg(pid, signal.SIGKILL)


def _kill_orphans(leader: int | None = None) -> tuple[int, float]:
    """Kill and reap the orphans of a program. Returns the number that were still running, and the CPU time of all.

    The children of a process become children of this one before that process can be reaped. So all processes of the
    program have ended once this process has no orphans.
    """
    left, cpu, deadline = 0, 0.0, time.monotonic() + KILL_TIMEOUT
    with _lock:
        while _adopting and (orphans := _orphans(leader)) and time.monotonic() < deadline:
            for pid in orphans:
                was_running, more = _kill_orphan(pid, deadline)
                left += was_running
                cpu += more
    return left, cpu


def _orphans(leader: int | None) -> list[int]:
    """The children of this process in other sessions, without running programs.

    Every program starts a session, and its processes cannot return to the session of this process.
    """
    ours = {os.getsid(0), *_unreaped} - {leader}
    orphans = []
    for child in children_of("self"):
        with suppress(ProcessLookupError):  # another thread has reaped it
            if child != leader and os.getsid(child) not in ours:
                orphans.append(child)
    return orphans


def _kill_orphan(pid: int, deadline: float) -> tuple[bool, float]:
    """Kill a process and wait for it. Returns whether it was still running, and its CPU time."""
    was_running, pause = False, 0.0001
    try:
        while time.monotonic() < deadline:
            ended, _, usage = os.wait4(pid, os.WNOHANG)
            if ended:
                return was_running, _cpu(usage)
            if was_running:
                time.sleep(pause)
                pause = min(2 * pause, 0.01)
            else:
                os.kill(pid, signal.SIGKILL)
                was_running = True
    except OSError:
        pass  # another thread has reaped it
    return was_running, 0.0


def _cpu(usage: struct_rusage) -> float:
    return usage.ru_utime + usage.ru_stime
