"""Files of an external program: those copied or linked into its folder for a move, and those it may read."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import RLock

from ..errors import BadSetup, error_reason, quote_path
from .isolation import PACKAGE, SYSTEM, FileAccess, contains
from .players import PLACEHOLDERS, PlayerSpec

MAX_COPIED_FILE = 256 << 10  # bytes: files up to this size are copied, which protects the originals
MAX_COPIED_FOLDER = 1 << 20  # bytes: folders up to this size are copied
MAX_COPIED_ENTRIES = 100  # of a copied folder
MAX_ENTRIES = 1_000  # of the folder of a program
IMPLIED_SUFFIXES = (".class", ".py")  # omitted in `java Main` and `python3 -m main`

#: Interpreters that wrapper scripts start: every program can read their installations.
INTERPRETERS = ("python3", "python", "java", "node", "ruby", "perl", "lua", "php", "mono", "dotnet", "bash", "sh")
BIN = ("bin", "sbin", "shims")  # subfolders of an installation that contain its programs

COPY, FOLDER, LINK = "copy", "folder", "link"


@dataclass(frozen=True, slots=True)
class ProgramFile:
    """An entry of the folder of a program."""

    name: str  # the path relative to that folder
    path: str
    how: str  # COPY, FOLDER or LINK


def find_program_files(player: PlayerSpec, without: Iterable[str]) -> tuple[list[ProgramFile], tuple[str, ...]]:
    """Find the files to place in the working directory for each move, and the command with paths that are valid there.

    The files are the whole folder of the player if `whole_folder` is set. Otherwise they are links to the files that
    the command names: through a link, Python finds the modules in the folder of a script.
    """
    taken = {name.casefold() for name in without}
    named, words = _named(player)
    whole = player.whole_folder or named is None
    try:
        names = os.listdir(player.folder) if whole else sorted(named or ())
    except OSError as error:
        raise BadSetup(f"{player.name}: {quote_path(player.folder)} cannot be read: {error_reason(error)}") from None
    if len(names) > MAX_ENTRIES:
        raise BadSetup(
            f"{player.name}: {quote_path(player.folder)} has {len(names):,} entries: the limit is {MAX_ENTRIES:,}"
        )
    paths = [(name, os.path.join(player.folder, name)) for name in names if name.casefold() not in taken]
    if not whole:
        return [ProgramFile(name, path, LINK) for name, path in paths], words
    found: list[ProgramFile] = []
    for name, path in paths:
        copies = _copies(name, path, os.path.realpath(player.folder))
        found += [ProgramFile(name, path, LINK)] if copies is None else copies
    return found, words


def place_files(program_files: Iterable[ProgramFile], folder: str) -> None:
    """Copy or link program files into a folder. A file that has been removed in the meantime is skipped."""
    for each in program_files:
        place = os.path.join(folder, each.name)
        if each.how == COPY:
            if os.path.exists(each.path):
                _copy(each.path, place)
        elif each.how == FOLDER:
            os.mkdir(place)
        else:
            os.symlink(each.path, place)


def file_access(
    player: PlayerSpec, words: Sequence[str], files: Iterable[ProgramFile], hidden: Iterable[str]
) -> FileAccess:
    """The files that an isolated program can read: its own ones and the installations of its command and interpreter.

    This package is hidden unless the command is maxconnect4 itself.
    """
    own = {file.path for file in files if file.how == LINK}
    readable = {path for file in own for path in _with_neighbours(file)}
    for word in words:
        for part in re.split("[:=]", word):
            if os.path.isabs(part) and os.path.exists(part):
                own.add(os.path.normpath(part))
                readable.update(_with_neighbours(os.path.normpath(part)))
    search_path = dict(player.environment).get("PATH", os.environ.get("PATH"))
    program = shutil.which(os.path.join(player.folder, words[0]) if os.sep in words[0] else words[0], path=search_path)
    if program is not None and not (player.whole_folder and contains(player.folder, program)):
        readable.update(_installation(program))
    interpreter = program and _interpreter_of(program, search_path)
    if interpreter:
        readable.update(_installation(interpreter))
    readable.update(path for name in (sys.executable, *INTERPRETERS) for path in _installation_of(name, search_path))
    runs_maxconnect4 = program == os.path.join(os.path.dirname(sys.executable), "maxconnect4")
    runs_maxconnect4 = runs_maxconnect4 or tuple(words[1:3]) == ("-m", "maxconnect4")
    concealed = {os.path.realpath(path) for path in hidden} - {os.path.realpath(path) for path in own_files([player])}
    visible = {path for path in readable if not any(contains(system, path) for system in SYSTEM)}
    if not runs_maxconnect4:
        concealed |= {
            str(PACKAGE),
            *(path for folder in (*visible, "/usr", "/usr/local") for path in _installed_copies(folder)),
        }
    installed = {os.path.normpath(path) for path in (program, sys.executable) if path}
    return FileAccess(tuple(sorted(visible)), tuple(sorted(concealed - visible)), tuple(sorted(own - installed)))


def own_files(players: Iterable[PlayerSpec]) -> Iterator[str]:
    """The folders and files of external programs, which are hidden from the other programs."""
    for each in players:
        if each.whole_folder:
            yield each.folder
        elif each.command:
            named = _named(each)[0] or ()
            yield from (os.path.join(each.folder, name) for name in named)
            yield from (word for word in each.command if _is_own_file(word))


NOT_SOURCES = frozenset({"__pycache__", ".git", ".DS_Store"})
LARGEST_PROGRAM = 10_000  # files that a fingerprint includes


def fingerprint(player: PlayerSpec) -> str:
    """A hash of a player: its settings, and the files of its program with their contents.

    Without a folder of the player, the files are those that the command names, and those with the same suffix next to
    them. Limits and the place of the folder are not part of it.
    """
    settings = [player.built_in, player.command, player.depth, player.whole_folder, player.environment]
    found = hashlib.sha256(repr(settings).encode())
    if player.command:
        for name, path in sorted(_fingerprinted(player)):
            found.update(f"\n{name}\n".encode("utf-8", "surrogateescape"))
            with suppress(OSError), open(path, "rb") as file:
                found.update(hashlib.file_digest(file, "sha256").digest())
    return found.hexdigest()


def _fingerprinted(player: PlayerSpec) -> set[tuple[str, str]]:
    """The names and paths of the files of a program."""
    named = _named(player)[0]
    whole = player.whole_folder or named is None
    places = {player.folder} if whole else {os.path.join(player.folder, name) for name in named or ()}
    places.update(word for word in player.command if _is_own_file(word))
    found = set()
    for place in places:
        if os.path.isfile(place):
            folder, kind = os.path.dirname(place), os.path.splitext(place)[1]
            found.add((os.path.basename(place), place))
            if kind and not _is_broad(folder):
                found |= {(name, os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith(kind)}
        for above, folders, names in os.walk(place):
            folders[:] = [name for name in folders if name not in NOT_SOURCES]
            for name in names:
                path = os.path.join(above, name)
                if name not in NOT_SOURCES and not name.endswith(".pyc") and os.path.isfile(path):
                    found.add((os.path.relpath(path, place), path))
            if len(found) > LARGEST_PROGRAM:
                raise BadSetup(f"{player.name}: {quote_path(place)} has more than {LARGEST_PROGRAM:,} files")
    return found


def _is_own_file(word: str) -> bool:
    """Whether an argument of a command is a file of the player, and not an interpreter."""
    is_elsewhere = any(contains(folder, word) for folder in (*SYSTEM, str(PACKAGE)))
    name = os.path.basename(word).rstrip("0123456789.")
    return os.path.isabs(word) and not is_elsewhere and name not in INTERPRETERS and os.path.isfile(word)


def _with_neighbours(path: str) -> Iterator[str]:
    """A folder itself; for a file its folder, which may contain its modules.

    For a file in a home folder or a temporary folder, only the files with the same suffix.
    """
    folder, kind = os.path.dirname(path), os.path.splitext(path)[1]
    if os.path.isdir(path) or contains(str(PACKAGE), path):
        yield path
    elif not _is_broad(folder):
        yield folder
    else:
        yield path
        with os.scandir(folder) as entries:
            yield from (entry.path for entry in entries if kind and entry.name.endswith(kind) and entry.is_file())


def _is_broad(folder: str) -> bool:
    """Whether a folder contains a home folder or is shared by many programs."""
    home = os.path.expanduser("~")
    return contains(folder, home) or folder in (tempfile.gettempdir(), "/tmp", "/var/tmp", os.path.join(home, ".local"))


def _installation(program: str) -> Iterator[str]:
    """The installation folders of a program and of each link to it."""
    for _ in range(40):  # the maximum number of links that Linux follows
        folder = os.path.dirname(program)
        above = os.path.dirname(folder)
        if os.path.basename(folder) in BIN and not _is_broad(above):
            yield above
        elif not _is_broad(folder):
            yield folder
        else:
            yield program
        if not os.path.islink(program):
            return
        program = os.path.normpath(os.path.join(folder, os.readlink(program)))


@cache
def _installation_of(name: str, search_path: str | None) -> tuple[str, ...]:
    program = shutil.which(name, path=search_path)
    return () if program is None else tuple(_installation(program))


@cache
def _installed_copies(folder: str) -> tuple[str, ...]:
    """The installed copies of this package for every Python in a folder."""
    patterns = ("lib/python3*/*-packages", "versions/*/lib/python3*/site-packages", "envs/*/lib/python3*/site-packages")
    return tuple(str(path) for pattern in patterns for path in Path(folder).glob(f"{pattern}/{PACKAGE.name}"))


def _interpreter_of(program: str, search_path: str | None) -> str | None:
    """The interpreter of a script that begins with a line like #!/usr/bin/env python3."""
    try:
        with open(program, "rb") as file:
            words = file.readline(256).decode("latin-1").split()
    except OSError:
        return None
    if len(words) < 2 or os.path.basename(words[0].removeprefix("#!")) != "env" or os.sep in words[-1]:
        return None
    return shutil.which(words[-1], path=search_path)


def _named(player: PlayerSpec) -> tuple[set[str] | None, tuple[str, ...]]:
    """The entries of the folder that the command names, or None for all; and the command with `../x` made absolute."""
    named: set[str] = set()
    whole = False
    words = []
    for word in player.command:
        parts = re.split("([:=])", word)  # a class path, or --file=name
        for index, part in enumerate(parts):
            if part in ("", ":", "=") or os.path.isabs(part) or any(place in part for place in PLACEHOLDERS):
                continue
            path = os.path.normpath(part)
            first = path.split(os.sep)[0]
            if path == os.curdir:
                whole = True
            elif first == os.pardir:
                if os.path.exists(os.path.join(player.folder, path)):
                    parts[index] = os.path.normpath(os.path.join(player.folder, path))
            elif os.path.lexists(os.path.join(player.folder, first)):
                named.add(first)
            elif any(os.path.exists(os.path.join(player.folder, path + ending)) for ending in IMPLIED_SUFFIXES):
                whole = True
        words.append("".join(parts))
    return None if whole else named, tuple(words)


def _copies(name: str, path: str, folder: str) -> list[ProgramFile] | None:
    """The copies for a small file or a small folder with its contents; None for anything else.

    Links to targets outside the program's folder are omitted, as the referee can read more files than the program.
    """
    found, entries, size = list[ProgramFile](), [(name, path)], 0
    while entries:
        name, path = entries.pop()
        if os.path.islink(path) and not contains(folder, os.path.realpath(path)):
            continue
        try:
            status = os.stat(path)
            if stat.S_ISDIR(status.st_mode) and not os.path.islink(path):
                entries += [(os.path.join(name, each), os.path.join(path, each)) for each in os.listdir(path)]
            elif not stat.S_ISREG(status.st_mode) or status.st_size > MAX_COPIED_FILE:
                return None
        except OSError:
            return None
        is_folder = stat.S_ISDIR(status.st_mode)
        found.append(ProgramFile(name, path, FOLDER if is_folder else COPY))
        size += 0 if is_folder else status.st_size
        if len(found) + len(entries) > MAX_COPIED_ENTRIES or size > MAX_COPIED_FOLDER:
            return None
    return found


def _copy(path: str, place: str) -> None:
    source = os.open(os.path.realpath(path), os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    try:
        status = os.fstat(source)
        data = os.read(source, MAX_COPIED_FILE)
    finally:
        os.close(source)
    mode = stat.S_IMODE(status.st_mode) | stat.S_IRUSR
    copy = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        if os.write(copy, data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.utime(copy, ns=(status.st_atime_ns, status.st_mtime_ns))
    finally:
        os.close(copy)


# Scratch folders

MIN_FREE_SPACE = 1 << 20  # bytes
PREFIX = "maxconnect4-"  # of the names of the folders

_in_use: set[str] = set()
_lock = RLock()  # reentrant, as a signal handler may need it while it is held
_closed = False


@contextmanager
def scratch_folder() -> Iterator[str]:
    """Create a temporary folder, which is removed on exit."""
    with _lock:
        if _closed:
            raise InterruptedError("this process is about to exit")
        folder = tempfile.mkdtemp(prefix=_prefix(os.getpid()))
        _in_use.add(folder)
    try:
        yield folder
    finally:
        remove_folder(folder)
        _in_use.discard(folder)


def _prefix(process: int) -> str:
    return f"{PREFIX}{process}-"


def has_disk_space() -> bool:
    """Whether the disk of the temporary folder has space for the files of a program."""
    try:
        disk = os.statvfs(tempfile.gettempdir())
    except OSError:
        return True
    return disk.f_bavail * disk.f_frsize >= MIN_FREE_SPACE and (disk.f_favail > 0 or disk.f_files == 0)


def remove_folders_of(process: int) -> None:
    """Remove all scratch folders of another process, which has been killed."""
    with suppress(OSError):
        for name in os.listdir(tempfile.gettempdir()):
            if name.startswith(_prefix(process)):
                remove_folder(os.path.join(tempfile.gettempdir(), name))


def remove_all_folders() -> None:
    """Remove all scratch folders in use and refuse new ones, before this process exits."""
    global _closed
    with _lock:
        _closed = True
        for folder in list(_in_use):
            aside = f"{folder}-removed"  # other threads cannot write to the new name
            try:
                os.rename(folder, aside)
            except OSError:
                aside = folder
            remove_folder(aside)


def remove_folder(folder: str) -> None:
    """Remove a folder and its contents as far as the system permits. It never raises and follows no links."""
    with suppress(OSError, RecursionError):
        os.chmod(folder, 0o700)
        for place, names, _ in os.walk(folder):
            for name in names:
                path = os.path.join(place, name)
                if not os.path.islink(path):
                    with suppress(OSError):
                        os.chmod(path, 0o700)
        shutil.rmtree(folder, ignore_errors=True)
