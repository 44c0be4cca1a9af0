"""Isolation of external programs: access to files, processes and the network, and the commands that restrict it.

The methods, strongest first:

- bubblewrap: separate user, PID, IPC, network and mount namespaces. The program has a read-only system, its own files
  and three private folders of limited size. It cannot see or signal other processes, and no process outlives the run.
- landlock: the program can read the system and its own files, and write to its folder. It has no network.
- none: no restriction of files, network and processes.

Resource limits apply to all three. A cgroup makes the limits on memory and processes exact if cgroup v2 is writable.
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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path

from ..errors import IsolationUnavailable
from .limits import ResourceLimits, parent_cgroup

AUTO, BUBBLEWRAP, LANDLOCK, NONE = "auto", "bubblewrap", "landlock", "none"
ISOLATIONS = (AUTO, BUBBLEWRAP, NONE)  # the values of the option

PACKAGE = Path(__file__).parents[1]
LAUNCHER = str(PACKAGE / "_launch")
FOLDER = "/run/maxconnect4"  # the working directory inside bubblewrap
LAUNCHER_INSIDE = "/run/maxconnect4-launch"  # the path of the launcher inside bubblewrap
BWRAP = shutil.which("bwrap", path=f"{os.environ.get('PATH', '')}:/usr/bin:/usr/local/bin") or "bwrap"
SOCKET = 3  # descriptor of the launcher's socket
MAX_OPEN_FILES = 256  # of a process
FIRST_UID = 0x7000_0000  # of the user IDs of programs if the referee is root; accounts have lower ones

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store")
#: Configuration of the C library and of interpreters, without accounts, keys and host names. Every mount takes time.
CONFIGURATION = ("alternatives", "ld.so.cache", "ld-musl-*.path", "java-*", "java", "mono", "ssl/openssl.cnf")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
PROBE_SECONDS = 10.0
MAX_CHECKED_FILES = 2_000  # files of a program whose permissions are checked
LANDLOCK_VERSION = 444, 0, 0, 1  # the system call that returns the version of Landlock


@dataclass(frozen=True, slots=True)
class FileAccess:
    """Files and folders that a program may read in addition to the system, and those in them that are hidden."""

    readable: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    own: tuple[str, ...] = ()  # readable paths outside installations


@dataclass(frozen=True, slots=True)
class Isolation:
    """An isolation method and its details on this machine."""

    method: str
    cgroup: str | None = None  # folder in which cgroups can be created
    reason: str = ""  # the reason for not using a stronger method

    @property
    def name(self) -> str:
        """The short form for results: the method, and "cgroup v2" if cgroups are used."""
        return f"{self.method} + cgroup v2" if self.cgroup else self.method

    def __str__(self) -> str:
        """The method and the scope of its protection, in one line."""
        limits = "limits by cgroup v2" if self.cgroup else "limits by rlimits and polling"
        text = {
            BUBBLEWRAP: f"bubblewrap ({limits}). Programs have no network access and can read only the system and "
            "their own files. Kernel vulnerabilities are not covered.",
            LANDLOCK: f"Landlock and seccomp ({limits}). Programs have no network access and can read only the system "
            "and their own files, but they share /proc, the process list and the disk with you.",
            NONE: f"none ({limits}). Programs run with your permissions: they can read and change your files, use the "
            "network and signal your processes.",
        }[self.method]
        return f"Isolation: {text}{f' {self.reason}' if self.reason else ''}"


@cache
def isolation_for(wanted: str) -> Isolation:
    """The isolation on this machine for a value of the option. "auto" is the strongest available method.

    Raises:
        IsolationUnavailable: "bubblewrap" does not work on this machine.
    """
    cgroup = parent_cgroup()
    if wanted == NONE:
        return Isolation(NONE, cgroup)
    problem = _problem_with_bubblewrap()
    if problem is None:
        return Isolation(BUBBLEWRAP, cgroup)
    if wanted == BUBBLEWRAP:
        raise IsolationUnavailable(f"bubblewrap is not available: {problem}")
    return Isolation(LANDLOCK if _has_landlock() else NONE, cgroup, f"bubblewrap is not available: {problem}.")


def launcher_command(path: str, words: Sequence[str], limits: ResourceLimits, options: Iterable[str]) -> list[str]:
    """The command line of the launcher, which sets the limits and then executes the program."""
    return [
        *(path, str(SOCKET)),
        *("--cpu", str(math.ceil(limits.cpu_seconds))),
        *("--data", str(limits.memory)),
        *("--file-size", str(limits.printed)),
        *("--files", str(MAX_OPEN_FILES)),
        *options,
        *("--", *words),
    ]


def bubblewrap_command(
    words: Sequence[str], limits: ResourceLimits, access: FileAccess
) -> tuple[list[str], int | None]:
    """The command that runs a program in separate namespaces, and the user ID of the program if it is another one."""
    # A referee that is root needs no user namespace: programs run under an unused user ID.
    uid = FIRST_UID + os.getpid() if os.geteuid() == 0 and _is_public(access) else None
    options = ["--init", "yes", "--directory", FOLDER, "--filter", "yes", "--processes"]
    # The limit counts the processes of a user, which include the launcher unless the program has its own user ID.
    options += [str(limits.processes + 1)] if uid is None else [str(limits.processes), "--uid", str(uid)]
    hidden = tuple(filter(os.path.exists, access.hidden))  # for each run: the journal of a database is temporary
    namespaces = _namespaces(replace(access, hidden=hidden), limits.disk, uid is None)
    return [*namespaces, *launcher_command(LAUNCHER_INSIDE, words, limits, options)], uid


@lru_cache(maxsize=256)
def _namespaces(access: FileAccess, disk: int, with_users: bool) -> tuple[str, ...]:
    """The arguments of bubblewrap before the command. Hidden paths must exist."""
    user = ["--unshare-user"] if with_users else ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    readable = _outermost(access)
    # bubblewrap creates the missing parents of a file without access for other users.
    parents = {parent for path in (*readable, *_configuration()) for parent in map(str, Path(path).parents)} - {"/"}
    mounts = {parent: ["--perms", "0755", "--dir", parent] for parent in parents}
    mounts |= {path: _system_mount(path) for path in SYSTEM}
    mounts |= {path: ["--ro-bind-try", path, path] for path in _configuration()}
    visible = (*SYSTEM, *access.readable)
    hidden = [path for path in access.hidden if any(contains(each, path) for each in visible)]
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
        *(
            word for path in sorted(mounts, key=len) for word in mounts[path]
        ),  # a longer path is mounted over a shorter one
        *(word for path in (*folders, "/dev", "/") for word in ("--remount-ro", path)),
        "--",
    )


def landlock_command(words: Sequence[str], limits: ResourceLimits, access: FileAccess, folder: str) -> list[str]:
    """The command that runs a program with Landlock: it can read its files and the system, and write to its folder."""
    options = ["--directory", folder, "--filter", "yes", "--drop-capabilities", "yes"]
    for path in (folder, *DEVICES):
        options += ["--write", path]
    return launcher_command(LAUNCHER, words, limits, [*options, *_rules(access)])


@lru_cache(maxsize=64)
def _rules(access: FileAccess) -> tuple[str, ...]:
    readable = ("/proc", "/sys/devices/system/cpu", "/sys/fs/cgroup", *_configuration(), *SYSTEM, *access.readable)
    return tuple(word for path in readable for rule in _landlock_rules(path, access.hidden) for word in rule)


def plain_command(words: Sequence[str], limits: ResourceLimits, folder: str) -> list[str]:
    """The command that runs a program with resource limits only."""
    return launcher_command(LAUNCHER, words, limits, ["--directory", folder])


def _outermost(access: FileAccess) -> list[str]:
    """The readable paths without those inside another one, unless a hidden folder is between the two."""

    def is_inside(path: str, other: str) -> bool:
        between = (each for each in access.hidden if contains(other, each) and contains(each, path))
        return path != other and contains(other, path) and not any(between)

    return [path for path in access.readable if not any(is_inside(path, other) for other in access.readable)]


def _system_mount(path: str) -> list[str]:
    if os.path.islink(path):
        return ["--symlink", os.readlink(path), path]
    return ["--ro-bind", path, path] if os.path.isdir(path) and os.listdir(path) else []


@cache
def _configuration() -> list[str]:
    return [str(path) for pattern in CONFIGURATION for path in Path("/etc").glob(pattern)]


def contains(folder: str, path: str) -> bool:
    """Whether a path is the folder itself or inside it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


@lru_cache(maxsize=64)
def _is_public(access: FileAccess) -> bool:
    """Whether the permissions of a program's files let every user read them, those of parent folders aside."""
    inside = (
        os.path.join(place, name) for own in access.own for place, _, names in os.walk(own) for name in (".", *names)
    )
    try:
        modes = [os.stat(path).st_mode for path in (*access.readable, *access.own, *islice(inside, MAX_CHECKED_FILES))]
    except OSError:
        return False
    return all(mode & 0o5 == 0o5 if stat.S_ISDIR(mode) else mode & 0o4 for mode in modes)


def _landlock_rules(path: str, hidden: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The Landlock rules for a folder without its hidden paths: a rule for each entry that contains none of them."""
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
        if not os.path.islink(part):  # a rule for a link would apply to its target
            yield from _landlock_rules(part, inside)


def _problem_with_bubblewrap() -> str | None:
    """The reason why bubblewrap does not work on this machine; None if it works."""
    if sys.platform != "linux":
        return "it needs Linux"
    if not os.path.isabs(BWRAP):
        return "it is not installed (on Debian: apt install bubblewrap)"
    command, _ = bubblewrap_command(["true"], ResourceLimits(), FileAccess())
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
    return " ".join(printed.split()) or "it fails to start"


def _has_landlock() -> bool:
    if sys.platform != "linux":
        return False
    version: int = ctypes.CDLL(None, use_errno=True).syscall(*LANDLOCK_VERSION)
    return version >= 1
