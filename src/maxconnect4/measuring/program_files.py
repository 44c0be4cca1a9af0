"""Whether the files of a program are still those that were measured."""

from __future__ import annotations

import hashlib
import os

from ..errors import BadEntrant, shown, shown_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..referee.entrants import Entrant

READ_WHOLE = 1 << 20  # bytes: of larger files, such as an interpreter, the size and the time have to do
MOST = 2_000  # files that are looked at
#: What people keep beside a program and what comes of measuring it.
NO_PARTS = (".sqlite", ".sqlite-journal", ".html", ".md", ".svg", ".png", ".csv", ".tsv", ".txt", ".json", ".pyc")


def state_of(entrant: Entrant) -> str:
    """A few letters that change when the program does: "" for a player that is built in.

    Looked at are the files and folders that the command names, the files of the same kind beside them, such as other
    modules of a Python program, and the whole folder of a program that has one.
    """
    if entrant.built_in is not None:
        return ""
    digest = hashlib.sha256()
    for path in sorted(set(_parts(entrant)))[:MOST]:
        digest.update(f"{path}\0".encode(errors="surrogateescape") + _content(path))
    return digest.hexdigest()[:16]


def spare(entrant: Entrant, written: Iterable[str]) -> None:
    """Refuse to write over a file that the command names, such as the program itself."""
    named = {os.path.realpath(os.path.join(entrant.folder, word)) for word in entrant.command}
    for path in written:
        if os.path.realpath(path) in named:
            raise BadEntrant(f"{shown_path(path)} is a file of {shown(entrant.name)}: write to another one")


def _parts(entrant: Entrant) -> Iterator[str]:
    if entrant.whole_folder:
        yield from _within(entrant.folder)
    for word in entrant.command:
        path = os.path.join(entrant.folder, word)
        if os.path.isdir(path) and word.strip("./"):
            yield from _within(path)
        elif os.path.isfile(path):
            yield path
            kind = os.path.splitext(path)[1]
            if kind and kind not in NO_PARTS:
                yield from (each for each in _entries(os.path.dirname(path)) if each.endswith(kind))


def _within(folder: str) -> Iterator[str]:
    """The files of a folder and of those in it, but for those that make no program."""
    for place, folders, _ in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "__pycache__"))]
        yield from (path for path in _entries(place) if not path.endswith(NO_PARTS))


def _entries(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        yield from (each.path for each in entries if each.is_file() and not each.name.startswith("."))


def _content(path: str) -> bytes:
    try:
        status = os.stat(path)
        if status.st_size > READ_WHOLE:
            return f"{status.st_size} {status.st_mtime_ns}".encode()
        with open(path, "rb") as file:
            return file.read()
    except OSError:  # it has just gone, or may be run but not read
        return b""
