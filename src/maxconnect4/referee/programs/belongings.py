"""The files that a program finds beside it when it makes a move."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...errors import BadEntrant, reason, shown_path
from ..entrants import PLACES
from .isolation import PACKAGE, SYSTEM, View, contains

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..entrants import Entrant

COPIED = 256 << 10  # bytes: smaller files are copied, so that a program does not change its own
COPIED_FOLDER = 1 << 20  # bytes, and so are smaller folders
MOST_COPIED = 100  # entries of such a folder
MOST = 1_000  # entries of the folder of a program
BY_NAME = (".class", ".py")  # what `java Main` and `python3 -m main` leave out of a name


#: What wrapper scripts start: their installations can be read by every program.
INTERPRETERS = ("python3", "python", "java", "node", "ruby", "perl", "lua", "php", "mono", "dotnet", "bash", "sh")
BIN = ("bin", "sbin", "shims")  # folders whose parent is the installation of the programs in them

COPY, FOLDER, LINK = "copy", "folder", "link"


@dataclass(frozen=True, slots=True)
class Belonging:
    """An entry of the folder of a program."""

    name: str  # its path from there
    path: str
    how: str  # COPY, FOLDER or LINK


def belongings_of(entrant: Entrant, without: Iterable[str]) -> tuple[list[Belonging], tuple[str, ...]]:
    """What is brought for each move, but for some names, and the command with its words as they hold elsewhere.

    That is the whole folder if the entrant says so. Otherwise it is what the words of the command name: links to it
    all, as Python finds the modules beside a script only through a link.
    """
    taken = {name.casefold() for name in without}
    named, words = _named(entrant)
    whole = entrant.whole_folder or named is None
    try:
        names = os.listdir(entrant.folder) if whole else sorted(named or ())
    except OSError as error:
        raise BadEntrant(f"{entrant.name}: {shown_path(entrant.folder)} cannot be read: {reason(error)}") from None
    if len(names) > MOST:
        raise BadEntrant(f"{entrant.name}: {shown_path(entrant.folder)} has {len(names):,} entries, over {MOST:,}")
    paths = [(name, os.path.join(entrant.folder, name)) for name in names if name.casefold() not in taken]
    if not whole:
        return [Belonging(name, path, LINK) for name, path in paths], words
    found: list[Belonging] = []
    for name, path in paths:
        copies = _copies(name, path, os.path.realpath(entrant.folder))
        found += [Belonging(name, path, LINK)] if copies is None else copies
    return found, words


def bring(belongings: Iterable[Belonging], folder: str) -> None:
    """Put what belongs to a program into a folder; but not what has gone meanwhile, such as somebody's passing file."""
    for each in belongings:
        place = os.path.join(folder, each.name)
        if each.how == COPY:
            if os.path.exists(each.path):
                _copy(each.path, place)
        elif each.how == FOLDER:
            os.mkdir(place)
        else:
            os.symlink(each.path, place)


def view_of(entrant: Entrant, words: Sequence[str], files: Iterable[Belonging], hidden: Iterable[str]) -> View:
    """What a program can read where it is isolated: its own files, and what its command and interpreter need.

    Our own package is hidden from it, unless the command is this very program.
    """
    own = {file.path for file in files if file.how == LINK}
    readable = {path for file in own for path in _with_neighbours(file)}
    for word in words:
        for part in re.split("[:=]", word):
            if os.path.isabs(part) and os.path.exists(part):
                own.add(os.path.normpath(part))
                readable.update(_with_neighbours(os.path.normpath(part)))
    search_path = dict(entrant.environment).get("PATH", os.environ.get("PATH"))
    program = shutil.which(os.path.join(entrant.folder, words[0]) if os.sep in words[0] else words[0], path=search_path)
    if program is not None and not (entrant.whole_folder and contains(entrant.folder, program)):
        readable.update(_installation(program))
    interpreter = program and _interpreter_of(program, search_path)
    if interpreter:
        readable.update(_installation(interpreter))
    readable.update(path for name in (sys.executable, *INTERPRETERS) for path in _installation_of(name, search_path))
    is_ours = program == os.path.join(os.path.dirname(sys.executable), "maxconnect4")
    is_ours = is_ours or tuple(words[1:3]) == ("-m", "maxconnect4")
    concealed = {os.path.realpath(path) for path in hidden} - {os.path.realpath(path) for path in files_of([entrant])}
    visible = {path for path in readable if not any(contains(system, path) for system in SYSTEM)}
    if not is_ours:
        concealed |= {
            str(PACKAGE),
            *(path for folder in (*visible, "/usr", "/usr/local") for path in _copies_of_ours(folder)),
        }
    installed = {os.path.normpath(path) for path in (program, sys.executable) if path}
    return View(tuple(sorted(visible)), tuple(sorted(concealed - visible)), tuple(sorted(own - installed)))


def files_of(entrants: Iterable[Entrant]) -> Iterator[str]:
    """The folders and files of external programs, which are not for other programs to read."""
    for each in entrants:
        if each.whole_folder:
            yield each.folder
        elif each.command:
            named = _named(each)[0] or ()
            yield from (os.path.join(each.folder, name) for name in named)
            yield from (word for word in each.command if _is_own_file(word))


def _is_own_file(word: str) -> bool:
    """Whether a word of a command is a file that belongs to the player, and is not an interpreter."""
    is_elsewhere = any(contains(folder, word) for folder in (*SYSTEM, str(PACKAGE)))
    name = os.path.basename(word).rstrip("0123456789.")
    return os.path.isabs(word) and not is_elsewhere and name not in INTERPRETERS and os.path.isfile(word)


def _with_neighbours(path: str) -> Iterator[str]:
    """A folder; or a file and what lies beside it, as a program finds its modules there.

    Where that would be somebody's whole home, it is the files of the same kind.
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
    """Whether a folder holds far more than a program."""
    home = os.path.expanduser("~")
    return contains(folder, home) or folder in (tempfile.gettempdir(), "/tmp", "/var/tmp", os.path.join(home, ".local"))


def _installation(program: str) -> Iterator[str]:
    """The folders that a program was installed into, of each link on the way to it."""
    for _ in range(40):  # as many links as the system follows
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
def _copies_of_ours(folder: str) -> tuple[str, ...]:
    """Where this package is installed for the Python, or the several ones, of a folder."""
    patterns = ("lib/python3*/*-packages", "versions/*/lib/python3*/site-packages", "envs/*/lib/python3*/site-packages")
    return tuple(str(path) for pattern in patterns for path in Path(folder).glob(f"{pattern}/{PACKAGE.name}"))


def _interpreter_of(program: str, search_path: str | None) -> str | None:
    """What runs a script that begins with #!/usr/bin/env python3. Any other path may be chosen to be read."""
    try:
        with open(program, "rb") as file:
            words = file.readline(256).decode("latin-1").split()
    except OSError:
        return None
    if len(words) < 2 or os.path.basename(words[0].removeprefix("#!")) != "env" or os.sep in words[-1]:
        return None
    return shutil.which(words[-1], path=search_path)


def _named(entrant: Entrant) -> tuple[set[str] | None, tuple[str, ...]]:
    """Which entries of the folder the words name, or None for all; and the words, with `../x` made absolute."""
    named: set[str] = set()
    whole = False
    words = []
    for word in entrant.command:
        parts = re.split("([:=])", word)  # a class path, or --file=name
        for index, part in enumerate(parts):
            if part in ("", ":", "=") or os.path.isabs(part) or any(place in part for place in PLACES):
                continue
            path = os.path.normpath(part)
            first = path.split(os.sep)[0]
            if path == os.curdir:
                whole = True
            elif first == os.pardir:
                if os.path.exists(os.path.join(entrant.folder, path)):
                    parts[index] = os.path.normpath(os.path.join(entrant.folder, path))
            elif os.path.lexists(os.path.join(entrant.folder, first)):
                named.add(first)
            elif any(os.path.exists(os.path.join(entrant.folder, path + ending)) for ending in BY_NAME):
                whole = True
        words.append("".join(parts))
    return None if whole else named, tuple(words)


def _copies(name: str, path: str, folder: str) -> list[Belonging] | None:
    """A small file, or a small folder and all that is in it; None for what is not small, or is something else.

    Links that lead out of the program's folder are left out: the referee can read more than a program may.
    """
    found, entries, size = list[Belonging](), [(name, path)], 0
    while entries:
        name, path = entries.pop()
        if os.path.islink(path) and not contains(folder, os.path.realpath(path)):
            continue
        try:
            status = os.stat(path)
            if stat.S_ISDIR(status.st_mode) and not os.path.islink(path):
                entries += [(os.path.join(name, each), os.path.join(path, each)) for each in os.listdir(path)]
            elif not stat.S_ISREG(status.st_mode) or status.st_size > COPIED:
                return None
        except OSError:
            return None
        is_folder = stat.S_ISDIR(status.st_mode)
        found.append(Belonging(name, path, FOLDER if is_folder else COPY))
        size += 0 if is_folder else status.st_size
        if len(found) + len(entries) > MOST_COPIED or size > COPIED_FOLDER:
            return None
    return found


def _copy(path: str, place: str) -> None:
    source = os.open(os.path.realpath(path), os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    try:
        status = os.fstat(source)
        data = os.read(source, COPIED)
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
