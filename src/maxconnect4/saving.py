"""Writing files whole or not at all, and making folders for them."""

from __future__ import annotations

import os
import stat

from .errors import CannotSave, reason, shown_path, why_not_written


def save_whole(path: str, data: bytes) -> None:
    """Write a file in one step: a reader never sees half of it, and a failure leaves the old one."""
    try:
        old = _status(path)
        if path.startswith("/dev/") or (old is not None and not stat.S_ISREG(old.st_mode)):
            with open(path, "wb") as device:  # a pipe or a device cannot be replaced, only written to
                device.write(data)
        else:
            _replace(os.path.realpath(path), data, old)  # a link stays a link
    except (OSError, ValueError) as error:
        raise CannotSave(f"{shown_path(path)} cannot be written: {why_not_written(path, error)}") from None


def check_writable(path: str) -> None:
    """Refuse a path that can already be seen not to be writable, before any work is spent on what goes there."""
    problem = "" if path else "it has no name"
    try:
        if os.path.isdir(path):
            problem = "it is a folder"
        elif path and (os.path.isfile(path) or not os.path.exists(path)):
            fresh = _fresh_name_beside(os.path.realpath(path))
            os.close(_new_file(fresh))
            os.unlink(fresh)
    except (OSError, ValueError) as error:
        problem = why_not_written(path, error)
    if problem:
        raise CannotSave(f"{shown_path(path)} cannot be written: {problem}")


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _replace(path: str, data: bytes, old: os.stat_result | None) -> None:
    if old is not None:
        os.close(os.open(path, os.O_WRONLY))  # a file that must not be written must not be replaced either
    fresh = _fresh_name_beside(path)
    descriptor = _nameless_file(os.path.dirname(path))
    has_name = descriptor is None
    if descriptor is None:
        descriptor = _new_file(fresh)
    try:
        with open(descriptor, "wb") as file:
            if old is not None:
                os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
            file.write(data)
            file.flush()
            os.fsync(descriptor)
            if not has_name:  # with a folder, which does not matter here, Python has the link followed to the file
                os.link(f"/proc/self/fd/{descriptor}", fresh, src_dir_fd=descriptor)
        os.replace(fresh, path)
    except BaseException:
        if os.path.exists(fresh):
            os.unlink(fresh)
        raise


def _fresh_name_beside(path: str) -> str:
    """A name that nobody else has, in the same folder."""
    return os.path.join(os.path.dirname(path), f".maxconnect4-{os.urandom(8).hex()}.new")


def _new_file(name: str) -> int:
    return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)


def _nameless_file(folder: str) -> int | None:
    """A file that is gone if this process is killed before it has a name; only Linux has it, and not on every disk."""
    if not hasattr(os, "O_TMPFILE") or not os.path.exists("/proc/self/fd"):
        return None
    try:
        return os.open(folder, os.O_WRONLY | os.O_TMPFILE, 0o666)
    except OSError:  # a file with a name tells what is wrong, if anything is
        return None


def make_folder(folder: str, mode: int = 0o777) -> None:
    """Make a folder, unless it is there."""
    try:
        os.makedirs(folder, mode, exist_ok=True)
    except (OSError, ValueError) as error:
        raise CannotSave(f"{shown_path(folder)} cannot be made: {reason(error)}") from None
