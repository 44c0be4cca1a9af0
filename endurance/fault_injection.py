"""Hostile environments for a command: each is set up for one case, and removed after it."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from commands import Command

UNKNOWN_USER = 54_321  # without an entry in the user database
PIPE, CLOSED = "a pipe", "closed"
DISK_SIZE = 24 << 20  # bytes of a small disk, enough for all files of a case
FAKE_CLOCK = str(next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), ""))  # the library of faketime


@dataclass
class Case:
    """One command about to be run: where and how. The environment changes this."""

    command: Command
    pristine: Path  # all files that it may want to read
    pristine_home: Path
    place: Path  # of this case alone
    environment: dict[str, str] = field(default_factory=dict)
    before: list[str] = field(default_factory=list)  # words before those of the program
    words: list[str] = field(default_factory=list)
    stdin: str = PIPE
    stdout: str = PIPE
    stderr: str = PIPE
    columns: int | None = None  # of the terminal that it is in, if it is in one
    limits: dict[int, int] = field(default_factory=dict)
    ignored: tuple[signal.Signals, ...] = ()
    reads: int | None = None  # the bytes of output that the reader takes before it closes the pipe
    during: Callable[[subprocess.Popen[bytes]], None] | None = None
    may_fail: bool = True  # with a one-line reason
    signal: signal.Signals | None = None  # that may end it
    extra_files: tuple[str, ...] = ()  # other files in the folder
    works_afterwards: bool = False  # the same command has to work in the same folder, once the fault is removed

    def __post_init__(self) -> None:
        self.words = list(self.command.words)
        self.folder = self.place / "here"
        self.home = self.place / "home"
        self.scratch = self.place / "scratch"
        for folder in (self.folder, self.home, self.scratch):
            folder.mkdir()
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "TMPDIR": str(self.scratch),
            "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",  # where files are short, Python 3.11 leaves half of what it has compiled
        }
        self.lay_out()

    def lay_out(self) -> None:
        """Put the files where the command runs."""
        shutil.copytree(self.pristine, self.folder, dirs_exist_ok=True)
        shutil.copytree(self.pristine_home, self.home, dirs_exist_ok=True)

    def move_to(self, name: bytes) -> None:
        """Have all happen in a folder of this name."""
        new = self.place / os.fsdecode(name)
        self.folder.rename(new)
        self.folder = new


Environment = Callable[[Case], AbstractContextManager[Any]]


@contextmanager
def changed(case: Case, fine: bool = False, remove: str = "", **changes: Any) -> Iterator[None]:
    """Only something of the case itself is other than usual; what it does not have is of the environment."""
    for name, value in changes.items():
        if hasattr(case, name):
            setattr(case, name, value)
        else:
            case.environment[name] = value
    if remove:
        del case.environment[remove]
    case.may_fail = not fine
    yield


def setting(**changes: Any) -> Environment:
    return lambda case: changed(case, **changes)


# Disks


@contextmanager
def disk(folder: Path, size: int) -> Iterator[None]:
    """A disk of its own at a folder."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(folder: Path, but: int = 0) -> None:
    """Fill a disk up to a number of free bytes."""
    with (folder / ".filling").open("wb", buffering=0) as file:
        try:
            while file.write(bytes(1 << 16)):
                pass
        except OSError:
            pass
        file.truncate(max(0, os.fstat(file.fileno()).st_size - but))


@contextmanager
def full_disk(case: Case, where: str = "folder", but: int = 0) -> Iterator[None]:
    folder: Path = getattr(case, where)
    with disk(folder, DISK_SIZE):
        case.lay_out()
        fill(folder, but)
        case.works_afterwards = True
        yield


@contextmanager
def read_only(case: Case, where: str = "folder") -> Iterator[None]:
    folder: Path = getattr(case, where)
    subprocess.run(["mount", "--bind", folder, folder], check=True)
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def removed_folder(case: Case) -> Iterator[None]:
    """The folder that it runs in is removed before it begins."""
    case.before = ["sh", "-c", 'rm -r "$PWD"; exec "$@"', "sh"]
    yield


@contextmanager
def home_unset(case: Case) -> Iterator[None]:
    """HOME is unset: only the system knows the home, and no games are stored there."""
    with changed(case, fine=True, remove="HOME", XDG_DATA_HOME=str(case.home)):
        yield


@contextmanager
def named(case: Case, name: bytes, **changes: Any) -> Iterator[None]:
    case.move_to(name)
    with changed(case, **changes):
        yield


# Users and limits


@contextmanager
def unknown_user(case: Case, owns: bool = True, processes: int | None = None, **changes: Any) -> Iterator[None]:
    """A user without an entry in the user database, with permission to read all files, such as those of Python."""
    user = str(UNKNOWN_USER)
    case.before = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups"]
    case.before += ["--inh-caps", "+dac_read_search", "--ambient-caps", "+dac_read_search"]
    if processes is not None:
        case.before += ["prlimit", f"--nproc={processes}"]
    case.place.chmod(0o755)
    for folder in (case.folder, case.home, case.scratch):
        if owns or folder == case.scratch:
            for path in (folder, *folder.rglob("*")):
                os.chown(path, UNKNOWN_USER, UNKNOWN_USER)
    with changed(case, **changes):
        yield


# Time


@contextmanager
def clock(case: Case, how: str) -> Iterator[None]:
    """The wall clock is wrong; the clock that only counts stays as it is, as it does on a machine."""
    with changed(case, fine=True, FAKETIME=how, LD_PRELOAD=FAKE_CLOCK, DONT_FAKE_MONOTONIC="1"):
        yield


@contextmanager
def jumping_clock(case: Case) -> Iterator[None]:
    """The wall clock jumps by a year, to and fro, every tenth of a second."""
    stamp, fresh = case.place / "stamp", case.place / "stamp.new"
    stamp.write_text("+0")

    def jump(process: subprocess.Popen[bytes]) -> None:
        while process.poll() is None:
            for offset in ("+31536000", "-31536000"):
                fresh.write_text(offset)
                fresh.replace(stamp)
                time.sleep(0.1)

    case.environment |= {"FAKETIME_TIMESTAMP_FILE": str(stamp), "FAKETIME_NO_CACHE": "1"}
    with changed(case, fine=True, during=jump, LD_PRELOAD=FAKE_CLOCK, DONT_FAKE_MONOTONIC="1"):
        yield


# Signals, and others who are at the same files


@contextmanager
def signalled(case: Case, number: signal.Signals, seconds: float, **changes: Any) -> Iterator[None]:
    def send(process: subprocess.Popen[bytes]) -> None:
        time.sleep(seconds)
        if process.poll() is None:
            process.send_signal(number)

    with changed(case, during=send, signal=number, works_afterwards=True, **changes):
        yield


@contextmanager
def locked(case: Case) -> Iterator[None]:
    """Another process is in the middle of writing every SQLite file for a while."""
    databases = []
    for path in case.folder.glob("*.sqlite"):
        database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        database.execute("BEGIN EXCLUSIVE")
        databases.append(database)

    def unlock(process: subprocess.Popen[bytes]) -> None:
        time.sleep(2)
        for database in databases:
            database.execute("ROLLBACK")

    case.during = unlock
    case.may_fail = False
    yield
    for database in databases:
        database.close()


@contextmanager
def shadowing_modules(case: Case) -> Iterator[None]:
    """Files in the folder have names of modules that the program needs."""
    case.extra_files = ("random.py", "json.py", "numpy.py", "signal.py", "matplotlib.py", "sqlite3.py", "tempfile.py")
    for name in case.extra_files:
        (case.folder / name).write_text("raise SystemExit('the wrong module')\n")
    case.may_fail = False
    yield


@contextmanager
def broken_matplotlib_settings(case: Case) -> Iterator[None]:
    """The folder has a settings file of matplotlib."""
    path = case.folder / "matplotlibrc"
    path.write_text("backend: nonsense\nfont.family: No Such Font\nsavefig.format: pdf\ntext.usetex: True\nfoo: 1\n")
    case.extra_files = (path.name,)
    case.may_fail = False
    yield


DO_NOT_BLOCK = "import os, sys; os.set_blocking(1, False); os.execvp(sys.argv[1], sys.argv[1:])"
LATIN = b"caf\xe9 \xff\xfe"
NOT_UTF8 = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def for_root() -> dict[str, Environment]:
    """Those that only root can set up, by name."""
    return {
        "full disk here": lambda case: full_disk(case),
        "4 KB left here": lambda case: full_disk(case, but=4 << 10),
        "20 KB left here": lambda case: full_disk(case, but=20 << 10),
        "1 MB left here": lambda case: full_disk(case, but=1 << 20),
        "read-only folder": lambda case: read_only(case),
        "read-only home": lambda case: read_only(case, "home"),
        "full home": lambda case: full_disk(case, "home"),
        "full TMPDIR": lambda case: full_disk(case, "scratch"),
        "20 KB left in TMPDIR": lambda case: full_disk(case, "scratch", 20 << 10),
        "read-only TMPDIR": lambda case: read_only(case, "scratch"),
        "unknown user": lambda case: unknown_user(case, fine=True),
        "unknown user without HOME": lambda case: unknown_user(case, remove="HOME"),
        "unknown user in others' folders": lambda case: unknown_user(case, owns=False),
        "1 process": lambda case: unknown_user(case, processes=1),
        "4 processes": lambda case: unknown_user(case, processes=4),
    }


def for_every_user() -> dict[str, Environment]:
    """The others."""
    found: dict[str, Environment] = {
        "usual": setting(fine=True),
        # Folders
        "no TMPDIR": setting(TMPDIR="/nonexistent/scratch"),
        "folder gone": removed_folder,
        "HOME unset": home_unset,
        "HOME nowhere": setting(HOME="/proc/nonexistent"),
        "HOME a file": setting(HOME="/etc/passwd"),
        # Streams
        "stdin closed": setting(stdin=CLOSED),
        "stdout closed": setting(stdout=CLOSED),
        "stderr closed": setting(stderr=CLOSED),
        "all closed": setting(stdin=CLOSED, stdout=CLOSED, stderr=CLOSED),
        "stdin /dev/null": setting(stdin=os.devnull),
        "stdout /dev/null": setting(fine=True, stdout=os.devnull),
        "stdout full": setting(stdout="/dev/full"),
        "stderr full": setting(stderr="/dev/full"),
        "both full": setting(stdout="/dev/full", stderr="/dev/full"),
        "stdout does not block": setting(before=[sys.executable, "-c", DO_NOT_BLOCK]),
        "reader leaves at once": setting(reads=0),
        "reader leaves after a line": setting(reads=20),
        # Terminals
        "terminal": setting(fine=True, columns=80, TERM="xterm-256color"),
        "20 columns": setting(fine=True, columns=20, TERM="xterm-256color"),
        "1 column": setting(fine=True, columns=1, TERM="xterm-256color"),
        "TERM unset": setting(fine=True, columns=80),
        "TERM dumb": setting(fine=True, columns=80, TERM="dumb"),
        "TERM nonsense": setting(fine=True, columns=80, TERM="no-such-terminal"),
        "terminal in ASCII": setting(fine=True, columns=80, TERM="xterm", **NOT_UTF8),
        "COLUMNS nonsense": setting(fine=True, columns=80, TERM="xterm", COLUMNS="many", LINES="-1"),
        # Languages
        "LC_ALL=C": setting(fine=True, LC_ALL="C"),
        "LC_ALL=POSIX, no UTF-8": setting(fine=True, **NOT_UTF8),
        "PYTHONIOENCODING=ascii": setting(fine=True, PYTHONIOENCODING="ascii"),
        "PYTHONIOENCODING=latin-1": setting(fine=True, PYTHONIOENCODING="latin-1"),
        "no such locale": setting(fine=True, LC_ALL="xx_YY.UTF-8"),
        # Names
        "folder with blanks": lambda case: named(case, b" a b  c ", fine=True),
        "folder with a newline": lambda case: named(case, b"a\nb", fine=True),
        "folder not in UTF-8": lambda case: named(case, LATIN, fine=True),
        "folder not in UTF-8, no UTF-8": lambda case: named(case, LATIN, fine=True, **NOT_UTF8),
        "folder with signs": lambda case: named(case, b"#?%20&'\"$(x);*", fine=True),
        "folder of 255 bytes": lambda case: named(case, b"n" * 255, fine=True),
        # Limits
        "100 MB of addresses": setting(limits={resource.RLIMIT_AS: 100 << 20}),
        "300 MB of addresses": setting(limits={resource.RLIMIT_AS: 300 << 20}),
        "1 GB of addresses": setting(limits={resource.RLIMIT_AS: 1 << 30}),
        "10 descriptors": setting(limits={resource.RLIMIT_NOFILE: 10}),
        "20 descriptors": setting(limits={resource.RLIMIT_NOFILE: 20}),
        "files of 8 KB": setting(limits={resource.RLIMIT_FSIZE: 8 << 10}, works_afterwards=True),
        "one processor": setting(fine=True, before=["taskset", "-c", "0"]),
        "umask 777": setting(before=["sh", "-c", 'umask 777; exec "$@"', "sh"]),
        # Signals
        "SIGCHLD ignored": setting(fine=True, ignored=(signal.SIGCHLD,)),
        "SIGINT ignored": setting(fine=True, ignored=(signal.SIGINT, signal.SIGHUP)),
        "SQLite files locked": locked,
        # Python
        "PYTHONOPTIMIZE=2": setting(fine=True, PYTHONOPTIMIZE="2"),
        "PYTHONDEVMODE": setting(fine=True, PYTHONDEVMODE="1", PYTHONWARNINGS="error"),
        "modules in the folder": shadowing_modules,
        "matplotlibrc in the folder": broken_matplotlib_settings,
        "MPLBACKEND nonsense": setting(fine=True, MPLBACKEND="nonsense"),
        "proxies": setting(fine=True, http_proxy="http://127.0.0.1:9", https_proxy="http://127.0.0.1:9"),
    }
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        for seconds in (0.2, 1.0):
            found[f"{number.name} after {seconds} s"] = partial(signalled, number=number, seconds=seconds)
    found["SIGPIPE"] = lambda case: signalled(case, signal.SIGPIPE, 0.3, fine=True)
    return found


def of_the_clock() -> dict[str, Environment]:
    """Wrong clocks, for commands that run no programs: faketime also changes their CPU time."""
    return {
        "clock in 1970": partial(clock, how="@1970-01-02 00:00:00"),
        "clock in 2106": partial(clock, how="@2106-03-01 00:00:00"),
        "clock a thousand times too fast": partial(clock, how="+0 x1000"),
        "clock jumps": jumping_clock,
    }
