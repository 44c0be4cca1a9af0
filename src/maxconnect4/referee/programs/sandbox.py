"""One run of an external program: within its limits, isolated, and with nothing of it left running.

The launcher (core/launch.cpp) starts first, inside bubblewrap where that is used, and waits. The referee then puts the
program's files into its folder and lets the launcher become the program.
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
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from .abridging import ends_of
from .cgroup import Cgroup
from .isolation import BUBBLEWRAP, FOLDER, LANDLOCK, SOCKET, bubblewrap_command, landlock_command, plain_command
from .process_tree import ProcessTree, children_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from resource import struct_rusage
    from types import TracebackType
    from typing import Self

    from ..limits import Limits
    from .isolation import Isolation, View

GRACE_SECONDS = 1.0  # of CPU time beyond the limit until all processes are killed: RLIMIT_CPU may come first
ENDING_SECONDS = 5.0  # to wait for what has been killed
START_SECONDS = 30.0  # for bubblewrap and the launcher, on a machine that is busy
DISK_INTERVAL = 0.1  # seconds between two looks at the size of a folder
MOST_FILES = 10_000  # that a program may make
LOWEST_DESCRIPTOR = 10  # of ours, so that none is one of the program's
PR_SET_CHILD_SUBREAPER = 36  # from linux/prctl.h
ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
MESSAGES = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM  # which does not show an end
PRIVATE_FOLDERS = (FOLDER, "/tmp", "/dev/shm")  # inside bubblewrap

_lock = threading.RLock()
_running: set[int] = set()  # the programs of all threads; each leads a session and a process group of its own
_adopting = False
_closed = False


@dataclass(frozen=True, slots=True)
class Ran:
    """The result of running a command. Either `exit_code` or `signal` is there."""

    exit_code: int | None
    signal: int | None
    cpu_seconds: float  # of all its processes: see `Sandbox.run`
    seconds: float
    stopped: str | None  # the limit that it exceeded: "time", "cpu", "memory", "processes", "disk" or "printed"
    printed: bytes  # the beginning, or all if it is short, of standard output and standard error together
    printed_last: bytes  # the end, if the beginning is not all
    printed_bytes: int  # in all
    left_running: int  # processes that were still there when it ended by itself; known only after `adopt_orphans`
    start_error: str | None = None  # why it could not be started


class Sandbox:
    """One run of a command. Enter it, put files into `folder`, call `run` once, and read files from `folder`.

    It may be started before it is entered; then it has to be closed if it never is.

    Args:
        words: The command.
        folder: Where it runs; with bubblewrap it has a private one instead.
        environment: Its whole environment, to which HOME and TMPDIR are added.
    """

    def __init__(
        self,
        words: Sequence[str],
        folder: str,
        environment: Mapping[str, str],
        limits: Limits,
        isolation: Isolation,
        view: View,
    ) -> None:
        self.folder = folder
        self._limits = limits
        self._isolation = isolation
        self._uid: int | None = None
        self._is_private = isolation.method == BUBBLEWRAP
        if self._is_private:
            self._command, self._uid = bubblewrap_command(words, limits, view)
            inside = FOLDER
        elif isolation.method == LANDLOCK:
            self._command, inside = landlock_command(words, limits, view, folder), folder
        else:
            self._command, inside = plain_command(words, limits, folder), folder
        self._environment = {"HOME": inside, "TMPDIR": inside, **environment}
        self._exit = ExitStack()
        self._cgroup: Cgroup | None = None
        self._private: list[int] = []  # descriptors of the private folders
        self._pid = 0

    def start(self) -> Self:
        """Start what the program runs in, which takes some time, without waiting for it: `with` does that."""
        with ExitStack() as stack:
            self._output = _descriptor(_output_file(), stack)
            fcntl.fcntl(self._output, fcntl.F_SETFL, os.O_APPEND)  # or one that opens /dev/stderr again writes over it
            ours, theirs = socket.socketpair(socket.AF_UNIX, MESSAGES)
            self._socket = stack.enter_context(socket.socket(fileno=_raised(ours.detach())))
            before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # until what is started can be ended
            try:
                self._start(_raised(theirs.detach()))
                stack.callback(self._clean_up)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
            self._exit = stack.pop_all()
        return self

    def close(self) -> None:
        """Kill what runs, and close what is open."""
        self._exit.close()

    def __enter__(self) -> Self:
        if not self._pid:
            self.start()
        with ExitStack() as stack:
            stack.callback(self.close)
            self._await_launcher()
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

    def run(self) -> Ran:
        """Run the command to its end, or to the limits, and kill everything that it has started.

        CPU time is the user and system time of all its processes and threads. On Linux, with bubblewrap or after
        `adopt_orphans`, it is exact if each process is waited for or outlives its parent. The system forgets what
        children of a process that ignores SIGCHLD have used: then what was sampled counts, if it is more. When programs
        run side by side in threads without bubblewrap, a process that has left both its parent and its session may be
        counted with the wrong one.
        """
        limits, tree, pid = self._limits, self._tree, self._pid
        self._hand_over_files()
        start = time.monotonic()
        left, orphans_cpu = 0, 0.0
        with suppress(OSError):  # it has died, as the next message says
            self._socket.send(b"g")
        stopped, reaped = self._watch(start + limits.seconds)
        seconds = time.monotonic() - start
        if tree.samples > 1:
            self._sample()
        if stopped is None:
            left, orphans_cpu = _end_orphans(pid)
        _end_group(pid)  # before it is reaped, as until then no other group can have its number
        status, usage = reaped or os.wait4(pid, 0)[1:]
        orphans_cpu += _end_orphans(pid)[1]
        self._pid = 0
        cpu = max(_cpu(usage) + orphans_cpu, tree.cpu_seconds) - self._overhead[0]  # neither is ever too much
        start_error = None
        for word, text in self._messages():
            if word == "failed":
                start_error = text
            elif stopped is None:
                status, left, microseconds = map(int, text.split())
                cpu = max(microseconds / 1_000_000, tree.cpu_seconds - self._overhead[0] - _cpu(usage))
        if self._cgroup is not None:
            cpu = max(cpu, self._cgroup.cpu_seconds())
            if self._cgroup.was_out_of_memory():
                stopped = "memory"
        size = os.fstat(self._output).st_size
        beginning, end = ends_of(self._output, size)
        code = os.waitstatus_to_exitcode(status)
        if size >= limits.printed:
            stopped = "printed"
        elif stopped is None and (code == -signal.SIGXCPU or cpu > limits.cpu_seconds):
            stopped = "cpu"
        return Ran(
            exit_code=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            cpu_seconds=max(0.0, cpu),
            seconds=seconds,
            stopped=stopped,
            printed=beginning,
            printed_last=end,
            printed_bytes=size,
            left_running=left,
            start_error=start_error,
        )

    # Starting

    def _start(self, theirs: int) -> None:
        """Start the launcher, which takes no step of the program before it is told to."""
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
        finally:
            os.close(theirs)

    def _await_launcher(self) -> None:
        """Wait until the limits can be set and the folder is there. Raises OSError if that fails, whoever plays."""
        self._socket.settimeout(START_SECONDS)
        try:
            message = self._socket.recv(512)
        except TimeoutError:
            message = b"failed start: no answer"
        if message != b"ready":
            printed = os.pread(self._output, 500, 0).decode("utf-8", "replace")
            words = " ".join(f"{message.decode('utf-8', 'replace')} {printed}".split())
            raise OSError(errno.EAGAIN, f"the sandbox does not start: {words}")

    def _open_private_folders(self, tree: ProcessTree, stack: ExitStack) -> None:
        inside = next((pid for pid in tree.processes if pid != tree.leader), tree.leader)
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
        for path in PRIVATE_FOLDERS:
            self._private.append(_descriptor(os.open(f"/proc/{inside}/root{path}", flags), stack))
        self.folder = f"/proc/self/fd/{self._private[0]}"

    def _hand_over_files(self) -> None:
        """Give the files in a private folder to the user that the program becomes."""
        if self._uid is None:
            return
        os.chown(self.folder, self._uid, self._uid)
        for place, folders, files in os.walk(self.folder):
            for name in (*folders, *files):
                os.chown(os.path.join(place, name), self._uid, self._uid, follow_symlinks=False)

    # Waiting

    def _watch(self, deadline: float) -> tuple[str | None, tuple[int, struct_rusage] | None]:
        """Wait for the end or a limit: which limit, and the result of wait4 if the program had to be reaped to know."""
        if sys.platform == "linux":
            try:
                descriptor = os.pidfd_open(self._pid)
            except OSError:
                pass  # an old kernel, or something that is like Linux
            else:
                try:
                    return self._watch_descriptor(descriptor, deadline), None
                finally:
                    os.close(descriptor)
        pause = 0.001
        while True:
            ended, status, usage = os.wait4(self._pid, os.WNOHANG)
            if ended:
                return None, (status, usage)
            reason = self._exceeded(deadline)
            if reason is not None:
                return reason, None
            time.sleep(pause)
            pause = min(2 * pause, 0.02)

    def _watch_descriptor(self, descriptor: int, deadline: float) -> str | None:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        while True:
            left = min(max(0.0, deadline - time.monotonic()), self._tree.interval)
            if poll.poll(math.ceil(left * 1000)):
                return None
            reason = self._exceeded(deadline)
            if reason is not None:
                return reason

    def _exceeded(self, deadline: float) -> str | None:
        """The limit that the program has exceeded, if any."""
        limits, tree = self._limits, self._tree
        if os.fstat(self._output).st_size >= limits.printed:  # many programs do not notice that writing fails
            return "printed"
        if sys.platform == "linux":
            self._sample()
            cpu, tasks = self._overhead
            if tree.cpu_seconds - cpu > limits.cpu_seconds + GRACE_SECONDS:
                return "cpu"
            if tree.tasks - tasks * self._is_private > limits.processes:
                return "processes"
            if tree.resident > limits.memory and tree.memory() > limits.memory:
                return "memory"
            if tree.written > limits.disk:
                return "disk"
        if time.monotonic() >= deadline:
            return "time"
        return "disk" if self._is_disk_exceeded() else None

    _next_disk_check = 0.0

    def _is_disk_exceeded(self) -> bool:
        """Whether too much is in the folders. The size of private ones has a limit of its own."""
        if self._is_private:
            usage = map(os.fstatvfs, self._private)
            return sum(folder.f_files - folder.f_ffree for folder in usage) > MOST_FILES
        if time.monotonic() < self._next_disk_check:
            return False
        self._next_disk_check = time.monotonic() + DISK_INTERVAL
        return _is_larger(self.folder, self._limits.disk)

    def _sample(self) -> None:
        """Sample all processes of the program, those that it has left behind included if they are surely its own."""
        with _lock:
            leader = self._tree.leader
            self._tree.sample(_orphans(leader) if _adopting and _running == {leader} else ())

    # Ending

    def _messages(self) -> list[tuple[str, str]]:
        """What the launcher has sent, now that it has ended: pairs of a word and a text."""
        self._socket.setblocking(False)
        messages = []
        with suppress(OSError):
            while message := self._socket.recv(512):
                word, _, text = message.decode("utf-8", "replace").partition(" ")
                messages.append((word, text))
        return messages

    def _clean_up(self) -> None:
        """Kill what still runs, after an error such as Ctrl-C."""
        if self._pid:
            _end_group(self._pid)
            with suppress(ChildProcessError):
                os.wait4(self._pid, 0)
            _end_orphans(self._pid)


def _output_file() -> int:
    """A file for what a program prints: in memory, so that a full disk does not matter, if the system can do that."""
    if sys.platform == "linux":
        return os.memfd_create("maxconnect4-output")
    with tempfile.TemporaryFile(buffering=0) as file:
        return os.dup(file.fileno())


def _raised(descriptor: int) -> int:
    """The same open file under a number that no program uses."""
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, LOWEST_DESCRIPTOR)
    finally:
        os.close(descriptor)


def _descriptor(descriptor: int, stack: ExitStack) -> int:
    raised = _raised(descriptor)
    stack.callback(os.close, raised)
    return raised


def _is_larger(folder: str, most: int) -> bool:
    """Whether the files in a folder, and in those in it, take more bytes than `most`, or are too many."""
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
                if size > most or count > MOST_FILES:
                    return True
    return False


def adopt_orphans(wanted: bool = True) -> None:
    """Have what programs leave behind become children of this process, so that it is found and ended after each run.

    Without this, a process that has left its program's group is out of reach. Only Linux has it. Children that this
    process has started itself are left alone, as those of multiprocessing are, unless they have a session of their own.

    Everywhere it undoes what whoever started us may have left: where SIGCHLD is ignored, nobody hears how a child ends.
    """
    global _adopting
    if signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if sys.platform == "linux" and os.path.exists(f"/proc/self/task/{os.getpid()}/children"):
        import ctypes

        done = ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, int(wanted)) == 0
        _adopting = wanted and done


def end_with_signals() -> None:
    """Have SIGTERM and SIGHUP raise SystemExit, so that what runs is ended and its folder thrown away before."""

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)


def end_orphans() -> None:
    """End what processes of ours that were killed have left behind, if this process adopts orphans."""
    _end_orphans()


def kill_running() -> None:
    """End every program that runs now, from any thread, and start no more: for a process that is about to exit."""
    global _closed
    with _lock:
        _closed = True
        for pid in list(_running):
            _end_group(pid)
        _end_orphans()


# Ending


def _end_group(pid: int) -> None:
    with _lock:
        if pid in _running:
            _running.discard(pid)
            with suppress(ProcessLookupError, PermissionError):  # macOS says the latter of one that has ended
                os.killpg(pid, signal.SIGKILL)


def _end_orphans(leader: int | None = None) -> tuple[int, float]:
    """End what the program of a leader has left behind: how many processes were still running, and the CPU time of all.

    When a process dies its children become ours before it can be reaped, so that nothing is left when there are no
    orphans to be seen.
    """
    left, cpu, deadline = 0, 0.0, time.monotonic() + ENDING_SECONDS
    with _lock:
        while _adopting and (orphans := _orphans(leader)) and time.monotonic() < deadline:
            for pid in orphans:
                was_running, more = _end_orphan(pid, deadline)
                left += was_running
                cpu += more
    return left, cpu


def _orphans(leader: int | None) -> list[int]:
    """The children of this process that are in another session than its own, but for programs that run.

    Every program starts a session, and nothing can go back to the old one.
    """
    ours = {os.getsid(0), *_running} - {leader}
    orphans = []
    for child in children_of("self"):
        with suppress(ProcessLookupError):  # another thread has reaped it
            if child != leader and os.getsid(child) not in ours:
                orphans.append(child)
    return orphans


def _end_orphan(pid: int, deadline: float) -> tuple[bool, float]:
    """Kill a process and wait for it: whether it was still running, and its CPU time."""
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
        pass  # it is somebody else's, or has been reaped
    return was_running, 0.0


def _cpu(usage: struct_rusage) -> float:
    return usage.ru_utime + usage.ru_stime
