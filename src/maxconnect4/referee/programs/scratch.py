"""Folders that are thrown away with whatever a program has put there."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager, suppress
from threading import RLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOM = 1 << 20  # bytes
PREFIX = "maxconnect4-"  # of the names of the folders

_in_use: set[str] = set()
_lock = RLock()  # as a signal may come while it is held
_closed = False


@contextmanager
def scratch_folder() -> Iterator[str]:
    """A fresh folder of one's own, which is gone afterwards."""
    with _lock:
        if _closed:
            raise InterruptedError("this process is about to exit")
        folder = tempfile.mkdtemp(prefix=_prefix(os.getpid()))
        _in_use.add(folder)
    try:
        yield folder
    finally:
        throw_away(folder)
        _in_use.discard(folder)


def _prefix(process: int) -> str:
    return f"{PREFIX}{process}-"


def has_room() -> bool:
    """Whether the disk that the folders are on has room for what a program may write."""
    try:
        disk = os.statvfs(tempfile.gettempdir())
    except OSError:
        return True
    return disk.f_bavail * disk.f_frsize >= ROOM and (disk.f_favail > 0 or disk.f_files == 0)


def throw_away_those_of(process: int) -> None:
    """Remove all folders of another process, which has been killed."""
    with suppress(OSError):
        for name in os.listdir(tempfile.gettempdir()):
            if name.startswith(_prefix(process)):
                throw_away(os.path.join(tempfile.gettempdir(), name))


def throw_all_away() -> None:
    """Remove all folders that are in use, and let none be made: for a process that is about to exit."""
    global _closed
    with _lock:
        _closed = True
        for folder in list(_in_use):
            aside = f"{folder}-thrown-away"  # so that nobody can put anything there any more
            throw_away(aside if _tried(os.rename, folder, aside) else folder)


def throw_away(folder: str) -> None:
    """Remove a folder and what is in it, as far as the system lets one. It never raises and follows no links.

    What lies deeper is moved up step by step, so that no path gets too long however deep the folders are nested.
    """
    try:
        os.chmod(folder, 0o700)
        number = 0
        while folders := _without_files(folder):
            removed = 0
            for inner in folders:
                for deeper in _without_files(inner):
                    number += 1
                    _tried(os.rename, deeper, os.path.join(folder, f"maxconnect4-moved-{number}"))
                removed += _tried(os.rmdir, inner)
            if not removed:
                return
        os.rmdir(folder)
    except OSError:
        return


def _without_files(folder: str) -> list[str]:
    """Remove what is no folder, and make the folders in it ours to change: their paths."""
    with os.scandir(folder) as entries:
        found = list(entries)
    folders = []
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            _tried(os.chmod, entry.path, 0o700)
            folders.append(entry.path)
        else:
            _tried(os.unlink, entry.path)
    return folders


def _tried(act: Callable[..., None], *words: str | int) -> bool:
    try:
        act(*words)
    except OSError:
        return False
    return True
