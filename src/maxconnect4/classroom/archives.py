"""Safe unpacking of zip and tar archives: no path outside the folder, no links, and limits on size and number."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO

from ..errors import BadFile, error_reason, quote, quote_path

ZIP, TAR = (".zip",), (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
#: Archives that no module of Python reads.
UNREADABLE = (".rar", ".7z")
MAX_NESTED = 3  # archives inside each other
MAX_NAME_BYTES = 200
MAX_PARTS = 30  # folders of a path
CHUNK = 1 << 16

#: Files and folders of operating systems, editors and tools, which are never part of a program.
JUNK = frozenset(
    {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", ".git", ".svn", ".idea", ".vscode", ".vs", ".gradle"}
    | {"__pycache__", "node_modules", ".venv", "venv", ".mypy_cache", ".pytest_cache", ".ipynb_checkpoints"}
)


#: Errors of the disk of the class, not of a submission.
DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)


class BadArchive(BadFile):
    """An archive that cannot be unpacked: damaged, encrypted, or larger than a limit."""


@dataclass(slots=True)
class UnpackLimits:
    """What is left of the limits of a submission, or of a whole archive."""

    size: int = 200 << 20  # bytes
    count: int = 5_000  # files and folders

    def take(self, size: int = 0, count: int = 0) -> None:
        """Subtract. Raises BadArchive if the limit is exceeded."""
        self.size -= size
        self.count -= count
        if self.size < 0:
            raise BadArchive("it is larger than the limit when it is unpacked")
        if self.count < 0:
            raise BadArchive("it has more files than the limit")


@dataclass(slots=True)
class Unpacked:
    """The result of unpacking: what was left out, and why."""

    problems: list[str] = field(default_factory=list)


def is_archive(name: str) -> bool:
    """Whether a name is that of an archive that can be unpacked."""
    return name.lower().endswith((*ZIP, *TAR))


def without_suffix(name: str) -> str:
    """The name of an archive or a file without its suffix."""
    suffix = next((each for each in (*TAR, *ZIP) if name.lower().endswith(each)), os.path.splitext(name)[1])
    return name[: len(name) - len(suffix)] if suffix else name


def unpack(path: str, folder: str, limits: UnpackLimits, result: Unpacked) -> None:
    """Unpack an archive into an existing folder.

    Raises:
        BadArchive: It is not a valid archive, is encrypted, or exceeds a limit. A part of it may be unpacked.
    """
    try:
        if zipfile.is_zipfile(path):
            _unpack_zip(path, folder, limits, result)
        elif tarfile.is_tarfile(path):
            _unpack_tar(path, folder, limits, result)
        else:
            raise BadArchive("it is not a valid archive")
    except BadArchive as error:
        raise BadArchive(f"{quote_path(os.path.basename(path))} cannot be unpacked: {error}") from None
    except (OSError, ValueError, RuntimeError, NotImplementedError, EOFError, ArithmeticError, LookupError) as error:
        if isinstance(error, OSError) and error.errno in DISK_ERRORS:
            raise
        raise BadArchive(f"{quote_path(os.path.basename(path))} cannot be unpacked: {error_reason(error)}") from None
    except (zipfile.BadZipFile, tarfile.TarError) as error:
        raise BadArchive(f"{quote_path(os.path.basename(path))} cannot be unpacked: {error_reason(error)}") from None
    except Exception as error:  # zlib.error and lzma.LZMAError, which have no common base class
        if type(error).__name__ not in ("error", "LZMAError"):
            raise
        raise BadArchive(f"{quote_path(os.path.basename(path))} is damaged") from None


def _unpack_zip(path: str, folder: str, limits: UnpackLimits, result: Unpacked) -> None:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if member.flag_bits & 1:
                raise BadArchive("it is encrypted")
            kind = stat.S_IFMT(member.external_attr >> 16)
            is_folder = member.is_dir() or kind == stat.S_IFDIR
            is_link = kind not in (0, stat.S_IFREG, stat.S_IFDIR)
            place = _place(folder, member.filename, is_link, limits, result)
            if place is not None:
                _store(place, None if is_folder else partial(archive.open, member), limits, result)


def _unpack_tar(path: str, folder: str, limits: UnpackLimits, result: Unpacked) -> None:
    with tarfile.open(path) as archive:
        for member in archive:
            is_link = not (member.isreg() or member.isdir())
            place = _place(folder, member.name, is_link, limits, result)
            if place is not None:
                _store(place, None if member.isdir() else partial(archive.extractfile, member), limits, result)


def _place(folder: str, name: str, is_link: bool, limits: UnpackLimits, result: Unpacked) -> str | None:
    """The path of a member in the folder; None for a member that is left out."""
    limits.take(count=1)
    parts = [part for part in re.split(r"[/\\]", name) if part not in ("", ".")]
    if not parts or JUNK.intersection(parts):
        return None
    problem = None
    if name.startswith(("/", "\\")) or os.pardir in parts or re.match("[A-Za-z]:", name):
        problem = "its path leads out of the folder"
    elif is_link:
        problem = "it is a link or a device"
    elif len(parts) > MAX_PARTS or any(len(part.encode("utf-8", "replace")) > MAX_NAME_BYTES for part in parts):
        problem = "its path is too long"
    elif not name.isprintable():
        problem = "its name has control characters"
    if problem is not None:
        result.problems.append(f"{quote(name)} is left out: {problem}")
        return None
    return os.path.join(folder, *parts)


def _store(place: str, source: Callable[[], IO[bytes] | None] | None, limits: UnpackLimits, result: Unpacked) -> None:
    """Create a folder, or a file from the source. An existing file is never replaced."""
    try:
        os.makedirs(place if source is None else os.path.dirname(place), 0o755, exist_ok=True)
        if source is None:
            return
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
    except (FileExistsError, NotADirectoryError):
        result.problems.append(f"{quote(os.path.basename(place))} is left out: the archive has this name twice")
        return
    with open(descriptor, "wb") as target, source() or open(os.devnull, "rb") as content:
        while chunk := content.read(CHUNK):
            limits.take(len(chunk))
            target.write(chunk)


def unpack_nested(folder: str, limits: UnpackLimits, result: Unpacked, depth: int = MAX_NESTED) -> None:
    """Unpack the archives in a folder in place, each into a folder with its name, and archives inside them."""
    for path in [path for path in _files(folder) if is_archive(path) or path.lower().endswith(UNREADABLE)]:
        name = os.path.relpath(path, folder)
        if not is_archive(path):
            result.problems.append(f"{quote(name)} cannot be unpacked: ask for a zip archive")
            continue
        if not depth:
            result.problems.append(f"{quote(name)} is not unpacked: it is inside {MAX_NESTED} other archives")
            continue
        place = without_suffix(path)
        while os.path.lexists(place):
            place += "_"
        os.mkdir(place, 0o755)
        try:
            unpack(path, place, limits, result)
        except BadArchive as error:
            result.problems.append(str(error))
        os.unlink(path)
        unpack_nested(place, limits, result, depth - 1)


def copy_tree(source: str, target: str, limits: UnpackLimits, result: Unpacked, junk: frozenset[str] = JUNK) -> None:
    """Copy the regular files of a folder. Links and special files are left out and reported, junk is just left out."""
    for place, folders, names in os.walk(source):
        folders[:] = sorted(name for name in folders if name not in junk)
        inside = os.path.join(target, os.path.relpath(place, source))
        os.makedirs(inside, 0o755, exist_ok=True)
        for name in sorted({*names, *folders} - junk):
            path = os.path.join(place, name)
            limits.take(count=1)
            mode = os.lstat(path).st_mode
            if stat.S_ISREG(mode):
                limits.take(os.lstat(path).st_size)
                copy_file(path, os.path.join(inside, name))
            elif not stat.S_ISDIR(mode):
                result.problems.append(f"{quote(os.path.relpath(path, source))} is left out: it is a link or a device")


def copy_file(source: str, target: str) -> None:
    """Copy a regular file with its time and with the permission to execute it."""
    descriptor = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(descriptor, "rb") as content, open(target, "xb") as copy:
        status = os.fstat(descriptor)
        shutil.copyfileobj(content, copy)
        copy.flush()
        os.fchmod(copy.fileno(), 0o755 if status.st_mode & 0o100 else 0o644)
        os.utime(copy.fileno(), ns=(status.st_mtime_ns, status.st_mtime_ns))


def fingerprint(folder: str) -> str:
    """A hash of the names, contents and permissions of all files in a folder."""
    found = hashlib.sha256()
    for path in _files(folder):
        name = os.fsencode(os.path.relpath(path, folder))
        content = hashlib.sha256(Path(path).read_bytes()).digest()
        found.update(b"%d %b %d %b" % (len(name), name, os.access(path, os.X_OK), content))
    return found.hexdigest()


def _files(folder: str) -> Iterator[str]:
    """All files of a folder in a fixed order, without links."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(place, name)
            if stat.S_ISREG(os.lstat(path).st_mode):
                yield path
