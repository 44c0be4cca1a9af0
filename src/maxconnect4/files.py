"""Reading and atomic writing of the user's files."""

from __future__ import annotations

import os
import stat

from .errors import BadFile, CannotSave, NoSuchFile, error_reason, quote_path, write_error_reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO


def write_atomic(path: str, data: bytes) -> None:
    """Write a file atomically: readers never get a part of it, and a failure leaves the old file unchanged."""
    try:
        old = _status(path)
        if path.startswith("/dev/") or (old is not None and not stat.S_ISREG(old.st_mode)):
            with open(path, "wb") as device:  # a pipe or a device cannot be replaced
                device.write(data)
        else:
            _replace(os.path.realpath(path), data, old)  # replaces the target of a link, not the link
    except (OSError, ValueError) as error:
        raise CannotSave(f"{quote_path(path)} cannot be written: {write_error_reason(path, error)}") from None


def check_writable(path: str) -> None:
    """Raise CannotSave if a file cannot be written. Call it before the computation of the file's contents."""
    problem = "" if path else "its name is empty"
    try:
        if os.path.isdir(path):
            problem = "it is a folder"
        elif path and (os.path.isfile(path) or not os.path.exists(path)):
            temporary = _temporary_name(os.path.realpath(path))
            os.close(_new_file(temporary))
            os.unlink(temporary)
    except (OSError, ValueError) as error:
        problem = write_error_reason(path, error)
    if problem:
        raise CannotSave(f"{quote_path(path)} cannot be written: {problem}")


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _replace(path: str, data: bytes, old: os.stat_result | None) -> None:
    if old is not None:
        os.close(os.open(path, os.O_WRONLY))  # raises for a read-only file
    temporary = _temporary_name(path)
    descriptor = _unnamed_file(os.path.dirname(path))
    has_name = descriptor is None
    if descriptor is None:
        descriptor = _new_file(temporary)
    try:
        with open(descriptor, "wb") as file:
            if old is not None:
                os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
            file.write(data)
            file.flush()
            os.fsync(descriptor)
            if not has_name:  # with src_dir_fd, Python follows the link to the file
                os.link(f"/proc/self/fd/{descriptor}", temporary, src_dir_fd=descriptor)
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def _temporary_name(path: str) -> str:
    return os.path.join(os.path.dirname(path), f".maxconnect4-{os.urandom(8).hex()}.new")


def _new_file(name: str) -> int:
    return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)


def _unnamed_file(folder: str) -> int | None:
    """Create an unnamed file, which vanishes if this process is killed; None if the file system cannot."""
    if not hasattr(os, "O_TMPFILE") or not os.path.exists("/proc/self/fd"):
        return None
    try:
        return os.open(folder, os.O_WRONLY | os.O_TMPFILE, 0o666)
    except OSError:  # not supported, or an error that also occurs for a named file
        return None


def make_folder(folder: str, mode: int = 0o777) -> None:
    """Create a folder unless it exists."""
    try:
        os.makedirs(folder, mode, exist_ok=True)
    except (OSError, ValueError) as error:
        raise CannotSave(f"{quote_path(folder)} cannot be created: {error_reason(error)}") from None


MAX_LINE_BYTES = 1 << 24


def open_regular(path: str, kind: str) -> BinaryIO:
    """Open a regular file for reading; `kind` is its kind in messages. A pipe, which could block, is rejected."""
    name = quote_path(path)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:
        raise NoSuchFile(f"{name}: there is no such {kind}") from None
    except (OSError, ValueError) as error:
        raise BadFile(f"{name} cannot be read: {error_reason(error)}") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise BadFile(f"{name} cannot be read: it is not a regular file")
    return open(descriptor, "rb")


def lines_of(file: BinaryIO, longest: int, name: str) -> Iterator[bytes]:
    """Yield each line as soon as it arrives, truncated to `longest` bytes. Raises BadFile beyond MAX_LINE_BYTES."""
    try:
        while line := file.readline(longest):
            yield line
            length = len(line)
            while len(line) == longest and not line.endswith(b"\n"):
                line = file.readline(longest)
                length += len(line)
                if length > MAX_LINE_BYTES:
                    raise BadFile(f"{name} has a line of more than {MAX_LINE_BYTES:,} bytes")
    except BadFile:
        raise
    except OSError as error:
        raise BadFile(f"{name} cannot be read: {error_reason(error)}") from None


def read_text(path: str, kind: str, max_bytes: int) -> str:
    """Read a UTF-8 file, with or without a byte order mark; `kind` is its kind in messages."""
    try:
        return read_bytes(path, kind, max_bytes).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadFile(f"{quote_path(path)} is not UTF-8 text") from None


def read_bytes(path: str, kind: str, max_bytes: int) -> bytes:
    """Read a regular file; `kind` is its kind in messages. Raises BadFile for more than `max_bytes`."""
    with open_regular(path, kind) as file:
        try:
            data = file.read(max_bytes + 1)
        except OSError as error:  # such as a disk error
            raise BadFile(f"{quote_path(path)} cannot be read: {error_reason(error)}") from None
    if len(data) > max_bytes:
        raise BadFile(f"{quote_path(path)} is too large for a {kind}: more than {max_bytes:,} bytes")
    return data
