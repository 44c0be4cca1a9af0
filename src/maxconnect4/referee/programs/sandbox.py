"""Run one command of a foreign program: within its limits, by itself, and with nothing of it left running.

This keeps programs with mistakes from harming a match. It does not keep out one that means harm: it runs as the same
user, and can reach all that the user can.
"""

from __future__ import annotations

import fcntl
import math
import os
import select
import signal
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass

from .abridging import ends_of
from .cpu_time import SeenTime, children_of
from .ulimit import orders_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from resource import struct_rusage

    from ..limits import Limits

GRACE_SECONDS = 1.0  # of CPU time that all processes may use beyond the limit before they are ended: see `ulimit`
ENDING_SECONDS = 5.0  # how long to wait for what has been killed
PR_SET_CHILD_SUBREAPER = 36  # from linux/prctl.h
NAME = "maxconnect4-start"  # what the shell calls itself in its messages
ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
CANNOT_START = (126, 127)  # the exit codes of a shell that cannot run a command

_lock = threading.RLock()
_running: set[int] = set()  # the programs of all threads; each leads a session and a group of its own
_adopting = False
_closed = False


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of running a command. Either `exit_code` or `signal` is there."""

    exit_code: int | None
    signal: int | None
    cpu_seconds: float  # of all its processes: see `run`
    seconds: float
    stopped: str | None  # the limit that it went beyond: "time", "cpu" or "printed"
    printed: bytes  # the beginning, or all if it is short, of standard output and standard error together
    printed_last: bytes  # the end, if the beginning is not all
    printed_bytes: int  # in all
    left_running: int  # processes that were still there when it ended by itself; known only after `adopt_orphans`

    @property
    def could_not_start(self) -> bool:
        """Whether there was no running it at all, so that what is printed is the reason."""
        return self.exit_code in CANNOT_START and self.printed.startswith(NAME.encode())


def run(words: Sequence[str], folder: str, environment: Mapping[str, str], limits: Limits) -> Ran:
    """Run a command in a folder to its end, or to the limits, and end all that it has started.

    Its CPU time is the user and system time of all its processes and threads, and of the shell that sets the limits. On
    Linux, after `adopt_orphans`, it is exact if each process is waited for or outlives its parent. The system forgets
    what children of a process that ignores SIGCHLD have used. Then what was seen counts, if it is more: the last 0.02 s
    of each process may be missing (more, if there are dozens), and so may processes that are over as soon as that.
    When programs run side by side in threads, a process that has left both its parent and its session may be counted
    with the wrong one.
    """
    with tempfile.TemporaryFile(buffering=0) as printed:
        out = printed.fileno()
        fcntl.fcntl(out, fcntl.F_SETFL, os.O_APPEND)  # a program that opens /dev/stderr anew would write over the rest
        start = time.monotonic()
        left, orphans_cpu = 0, 0.0
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # until what is started can be ended
        try:
            pid = _start(words, folder, environment, limits, out)
            try:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
                seen = SeenTime(pid)
                stopped, reaped = _watch(pid, start + limits.seconds, out, limits, seen)
                seconds = time.monotonic() - start
                if seen.looks:
                    _look(seen)
                if stopped is None:
                    left, orphans_cpu = _end_orphans(pid)
                _end_group(pid)  # before it is reaped, as until then no other group can have its number
                status, usage = reaped or os.wait4(pid, 0)[1:]
                orphans_cpu += _end_orphans(pid)[1]
            except BaseException:  # such as Ctrl-C
                _end_group(pid)
                with suppress(ChildProcessError):
                    os.wait4(pid, 0)
                _end_orphans(pid)
                raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        size = os.fstat(out).st_size
        beginning, end = ends_of(out, size)
    code = os.waitstatus_to_exitcode(status)
    cpu = max(_cpu(usage) + orphans_cpu, seen.seconds)  # neither is ever too much
    if size >= limits.printed:
        stopped = "printed"
    elif stopped is None and (code == -signal.SIGXCPU or cpu > limits.cpu_seconds):
        stopped = "cpu"
    return Ran(
        exit_code=code if code >= 0 else None,
        signal=-code if code < 0 else None,
        cpu_seconds=cpu,
        seconds=seconds,
        stopped=stopped,
        printed=beginning,
        printed_last=end,
        printed_bytes=size,
        left_running=left,
    )


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


# Starting


def _start(words: Sequence[str], folder: str, environment: Mapping[str, str], limits: Limits, out: int) -> int:
    """Start the shell that sets the limits and then becomes the program, so that not a step is taken without them."""
    script = f'cd "$1" || exit 126; shift; {orders_for(limits)}; exec "$@"'
    with _lock:
        if _closed:
            raise InterruptedError("this process is about to exit")
        pid = os.posix_spawn(
            "/bin/sh",
            ("sh", "-c", script, NAME, folder, *words),
            environment,
            file_actions=(
                (os.POSIX_SPAWN_DUP2, out, 1),
                (os.POSIX_SPAWN_DUP2, out, 2),
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),  # last, as `out` may be 0
            ),
            setsid=True,
            setsigmask=(),
            setsigdef=(signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGQUIT),  # Python ignores the first two
        )
        _running.add(pid)
        return pid


# Waiting


def _watch(
    pid: int, deadline: float, out: int, limits: Limits, seen: SeenTime
) -> tuple[str | None, tuple[int, struct_rusage] | None]:
    """Wait for the end or a limit: which limit, and what wait4 says if the program had to be reaped to know."""
    if sys.platform == "linux":
        try:
            descriptor = os.pidfd_open(pid)
        except OSError:
            pass  # an old kernel, or something that is like Linux
        else:
            try:
                return _watch_descriptor(descriptor, deadline, out, limits, seen), None
            finally:
                os.close(descriptor)
    pause = 0.001
    while True:
        ended, status, usage = os.wait4(pid, os.WNOHANG)
        if ended:
            return None, (status, usage)
        reason = _limit_reached(deadline, out, limits, seen)
        if reason is not None:
            return reason, None
        time.sleep(pause)
        pause = min(2 * pause, 0.02)


def _watch_descriptor(descriptor: int, deadline: float, out: int, limits: Limits, seen: SeenTime) -> str | None:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    while True:
        left = min(max(0.0, deadline - time.monotonic()), seen.pause)
        if poll.poll(math.ceil(left * 1000)):
            return None
        reason = _limit_reached(deadline, out, limits, seen)
        if reason is not None:
            return reason


def _limit_reached(deadline: float, out: int, limits: Limits, seen: SeenTime) -> str | None:
    if os.fstat(out).st_size >= limits.printed:  # many programs do not notice that writing fails
        return "printed"
    if sys.platform == "linux":
        _look(seen)
        if seen.seconds > limits.cpu_seconds + GRACE_SECONDS:
            return "cpu"
    return "time" if time.monotonic() >= deadline else None


def _look(seen: SeenTime) -> None:
    """See what all processes of a program use, those that it has left behind included if they are surely its own."""
    with _lock:
        seen.look(_orphans(seen.leader) if _adopting and _running == {seen.leader} else ())


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
