"""Isolation of external programs: what a program can see and reach, and the commands that arrange it.

Three methods, in order of strength:

- bubblewrap: own user, PID, IPC, network and mount namespaces. The program sees a read-only system, its own files, and
  three private folders of limited size. It cannot see, signal or outlive anything.
- landlock: the program can read the system and its own files, and write to its folder; it has no network.
- none: no restriction of files, network and processes.

Resource limits apply with each of them. A cgroup, where cgroup v2 is writable, makes those on memory and processes
exact.
"""

from __future__ import annotations

import ctypes
import math
import os
import shutil
import socket
import stat
import subprocess
import sys
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path

from ...errors import NoIsolation
from ..limits import Limits
from .cgroup import parent_cgroup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

AUTO, BUBBLEWRAP, LANDLOCK, NONE = "auto", "bubblewrap", "landlock", "none"
ISOLATIONS = (AUTO, BUBBLEWRAP, NONE)  # what a user may ask for

PACKAGE = Path(__file__).parents[2]
LAUNCHER = str(PACKAGE / "_launch")
FOLDER = "/run/maxconnect4"  # the working directory inside bubblewrap, and beside it the launcher
LAUNCHER_INSIDE = "/run/maxconnect4-launch"
BWRAP = shutil.which("bwrap", path=f"{os.environ.get('PATH', '')}:/usr/bin:/usr/local/bin") or "bwrap"
SOCKET = 3  # descriptor of the launcher's socket
FILES = 256  # that a process may have open
FIRST_UID = 0x7000_0000  # of the users that programs of a referee that is root become: no account has such a number

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store")
#: Configuration of the C library and of interpreters; no accounts, keys or names of machines. Every mount takes time.
CONFIGURATION = ("alternatives", "ld.so.cache", "ld-musl-*.path", "java-*", "java", "mono", "ssl/openssl.cnf")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
PROBE_SECONDS = 10.0
MOST_CHECKED = 2_000  # files of a program whose permissions are looked at
LANDLOCK_VERSION = 444, 0, 0, 1  # the system call that returns the version of Landlock


@dataclass(frozen=True, slots=True)
class View:
    """The files of a program: what it may read besides the system, less what is hidden from it there."""

    readable: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    own: tuple[str, ...] = ()  # those of the readable ones that are not an installation


@dataclass(frozen=True, slots=True)
class Isolation:
    """A method and its details on this machine."""

    method: str
    cgroup: str | None = None  # folder in which cgroups can be made
    because: str = ""  # why it is not a stronger one

    @property
    def name(self) -> str:
        """The short form for results: the method, with the cgroup if there is one."""
        return f"{self.method} + cgroup v2" if self.cgroup else self.method

    def __str__(self) -> str:
        """One line: what is used, and what that does not protect."""
        limits = "limits by cgroup v2" if self.cgroup else "limits by rlimits and polling"
        text = {
            BUBBLEWRAP: f"bubblewrap ({limits}). Programs have no network and see only the system and their own files; "
            "a flaw of the kernel is not covered.",
            LANDLOCK: f"Landlock and seccomp ({limits}). Programs have no network and cannot read or write other "
            "files, but they share /proc, the process list and the disk with you.",
            NONE: f"none ({limits}). Programs run as you: they can read and change your files, use the network and "
            "signal your processes.",
        }[self.method]
        return f"Isolation: {text}{f' {self.because}' if self.because else ''}"


@cache
def isolation_for(wanted: str) -> Isolation:
    """The strongest isolation of this machine, or the one that is asked for.

    Raises:
        NoIsolation: "bubblewrap" is asked for and does not work here.
    """
    cgroup = parent_cgroup()
    if wanted == NONE:
        return Isolation(NONE, cgroup)
    problem = _problem_with_bubblewrap()
    if problem is None:
        return Isolation(BUBBLEWRAP, cgroup)
    if wanted == BUBBLEWRAP:
        raise NoIsolation(f"bubblewrap cannot be used: {problem}")
    install = f"Not bubblewrap: {problem}."
    return Isolation(LANDLOCK if _has_landlock() else NONE, cgroup, install)


def launcher(path: str, words: Sequence[str], limits: Limits, options: Iterable[str]) -> list[str]:
    """The command that sets the limits and becomes the program."""
    return [
        *(path, str(SOCKET)),
        *("--cpu", str(math.ceil(limits.cpu_seconds))),
        *("--data", str(limits.memory)),
        *("--file-size", str(limits.printed)),
        *("--files", str(FILES)),
        *options,
        *("--", *words),
    ]


def bubblewrap_command(words: Sequence[str], limits: Limits, view: View) -> tuple[list[str], int | None]:
    """The command that runs a program in namespaces of its own, and the user that it becomes, if that is another."""
    # A referee that is root needs no user namespace: programs run under an unused user ID.
    uid = FIRST_UID + os.getpid() if os.geteuid() == 0 and _is_public(view) else None
    options = ["--init", "yes", "--directory", FOLDER, "--filter", "yes", "--processes"]
    # The launcher counts where it is the same user.
    options += [str(limits.processes + 1)] if uid is None else [str(limits.processes), "--uid", str(uid)]
    hidden = tuple(filter(os.path.exists, view.hidden))  # now, as the journal of a database comes and goes
    namespaces = _namespaces(replace(view, hidden=hidden), limits.disk, uid is None)
    return [*namespaces, *launcher(LAUNCHER_INSIDE, words, limits, options)], uid


@lru_cache(maxsize=256)
def _namespaces(view: View, disk: int, with_users: bool) -> tuple[str, ...]:
    """The words of bubblewrap before the command. What is hidden has to be there."""
    user = ["--unshare-user"] if with_users else ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    readable = _outermost(view)
    mounts = {parent: ["--perms", "0755", "--dir", parent] for path in readable for parent in _parents(path)}
    mounts |= {path: _system_mount(path) for path in SYSTEM}
    mounts |= {path: ["--ro-bind-try", path, path] for path in _configuration()}
    visible = (*SYSTEM, *view.readable)
    hidden = [path for path in view.hidden if any(contains(each, path) for each in visible)]
    folders = [path for path in hidden if os.path.isdir(path)]
    mounts |= {path: ["--ro-bind", "/dev/null", path] for path in hidden if path not in folders}
    mounts |= {path: ["--perms", "0555", "--tmpfs", path] for path in folders}
    mounts |= {path: ["--ro-bind", path, path] for path in readable}
    half, quarter = str(disk // 2), str(disk // 4)
    return (
        *(BWRAP, "--die-with-parent", "--new-session", "--as-pid-1", *user),
        *("--unshare-pid", "--unshare-ipc", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
        *("--proc", "/proc", "--dev", "/dev"),
        *("--size", half, "--tmpfs", FOLDER, "--ro-bind", LAUNCHER, LAUNCHER_INSIDE),
        *("--perms", "1777", "--size", quarter, "--tmpfs", "/tmp"),
        *("--perms", "1777", "--size", quarter, "--tmpfs", "/dev/shm"),
        *(word for path in sorted(mounts, key=len) for word in mounts[path]),  # the deeper one is on top
        *(word for path in (*folders, "/dev", "/") for word in ("--remount-ro", path)),
        "--",
    )


def landlock_command(words: Sequence[str], limits: Limits, view: View, folder: str) -> list[str]:
    """The command that runs a program which can read its files and the system alone, and write to its folder."""
    options = ["--directory", folder, "--filter", "yes", "--drop-capabilities", "yes"]
    for path in (folder, *DEVICES):
        options += ["--write", path]
    return launcher(LAUNCHER, words, limits, [*options, *_rules(view)])


@lru_cache(maxsize=64)
def _rules(view: View) -> tuple[str, ...]:
    readable = ("/proc", "/sys/devices/system/cpu", "/sys/fs/cgroup", *_configuration(), *SYSTEM, *view.readable)
    return tuple(word for path in readable for rule in _without(path, view.hidden) for word in rule)


def plain_command(words: Sequence[str], limits: Limits, folder: str) -> list[str]:
    """The command that runs a program with resource limits only."""
    return launcher(LAUNCHER, words, limits, ["--directory", folder])


def _outermost(view: View) -> list[str]:
    """The readable paths without those inside another one, unless something hidden lies between the two."""

    def is_inside(path: str, other: str) -> bool:
        between = (each for each in view.hidden if contains(other, each) and contains(each, path))
        return path != other and contains(other, path) and not any(between)

    return [path for path in view.readable if not any(is_inside(path, other) for other in view.readable)]


def _parents(path: str) -> list[str]:
    return [str(parent) for parent in Path(path).parents if parent != parent.parent]


def _system_mount(path: str) -> list[str]:
    if os.path.islink(path):
        return ["--symlink", os.readlink(path), path]
    return ["--ro-bind", path, path] if os.path.isdir(path) and os.listdir(path) else []


@cache
def _configuration() -> list[str]:
    return [str(path) for pattern in CONFIGURATION for path in Path("/etc").glob(pattern)]


def contains(folder: str, path: str) -> bool:
    """Whether a path is a folder or in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


@lru_cache(maxsize=64)
def _is_public(view: View) -> bool:
    """Whether every user of the machine could read the files of a program, once there."""
    inside = (
        os.path.join(place, name) for own in view.own for place, _, names in os.walk(own) for name in (".", *names)
    )
    try:
        modes = [os.stat(path).st_mode for path in (*view.readable, *view.own, *islice(inside, MOST_CHECKED))]
    except OSError:
        return False
    return all(mode & 0o5 == 0o5 if stat.S_ISDIR(mode) else mode & 0o4 for mode in modes)


def _without(path: str, hidden: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The Landlock rules for a folder less what is hidden in it: everything beside the way to that."""
    inside = [each for each in hidden if contains(path, each)]
    if path in inside:
        return
    if not inside:
        yield "--read", path
        return
    yield "--list", path
    try:
        names = os.listdir(path)
    except OSError:
        return
    for name in names:
        part = os.path.join(path, name)
        if not os.path.islink(part):  # the rules are for what a link leads to
            yield from _without(part, inside)


def _problem_with_bubblewrap() -> str | None:
    """Why bubblewrap does not work here; None if it does."""
    if sys.platform != "linux":
        return "it needs Linux"
    if not os.path.isabs(BWRAP):
        return "it is not installed (Debian: apt install bubblewrap)"
    command, _ = bubblewrap_command(["true"], Limits(), View())
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        ours.settimeout(PROBE_SECONDS)
        os.set_inheritable(theirs.fileno(), True)
        command[command.index("--") + 2] = str(theirs.fileno())
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            close_fds=False,
            text=True,
        ) as process:
            theirs.close()
            try:
                if ours.recv(16) == b"ready":
                    return None
            except OSError:
                pass
            finally:
                process.kill()
            printed = process.stdout.read() if process.stdout else ""
    return " ".join(printed.split()) or "it does not start"


def _has_landlock() -> bool:
    if sys.platform != "linux":
        return False
    version: int = ctypes.CDLL(None, use_errno=True).syscall(*LANDLOCK_VERSION)
    return version >= 1
