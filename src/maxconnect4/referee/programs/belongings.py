"""The files that a program finds beside it when it makes a move."""

from __future__ import annotations

import errno
import os
import re
import stat
from dataclasses import dataclass

from ...errors import BadEntrant, reason, shown_path
from ..entrants import PLACES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..entrants import Entrant

COPIED = 256 << 10  # bytes: smaller files are copied, so that a program does not change its own
COPIED_FOLDER = 1 << 20  # bytes, and so are smaller folders
MOST_COPIED = 100  # entries of such a folder
MOST = 1_000  # entries of the folder of a program
BY_NAME = (".class", ".py")  # what `java Main` and `python3 -m main` leave out of a name


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
    paths = ((name, os.path.join(entrant.folder, name)) for name in names if name.casefold() not in taken)
    if not whole:
        return [Belonging(name, path, LINK) for name, path in paths], words
    return [each for name, path in paths for each in _copies(name, path) or [Belonging(name, path, LINK)]], words


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


def _copies(name: str, path: str) -> list[Belonging] | None:
    """A small file, or a small folder and all that is in it; None for what is not small, or is something else."""
    found, entries, size = list[Belonging](), [(name, path)], 0
    while entries:
        name, path = entries.pop()
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
    source = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
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
