"""What a program printed, abridged: its beginning and its end, as the reason of a crash comes last."""

from __future__ import annotations

import os

FIRST_BYTES, LAST_BYTES = 2_500, 1_500
FIRST_LINES, LAST_LINES = 25, 15


def ends_of(descriptor: int, size: int) -> tuple[bytes, bytes]:
    """The beginning and the end of what a file holds; all of it is the beginning if it is short."""
    if size <= FIRST_BYTES + LAST_BYTES:
        return os.pread(descriptor, size, 0) if size else b"", b""
    return os.pread(descriptor, FIRST_BYTES, 0), os.pread(descriptor, LAST_BYTES, size - LAST_BYTES)


def abridged(beginning: bytes, end: bytes, size: int) -> str:
    """One text of both, in whole lines if they are not too long, with a line between them that says what is missing."""
    first, last = beginning.splitlines(keepends=True), end.splitlines(keepends=True)
    if end:
        first, last = _without_cut_line(first, -1), _without_cut_line(last, 0)
    elif len(first) > FIRST_LINES + LAST_LINES:
        last = first
    else:
        return beginning.decode("utf-8", "replace")
    head, tail = b"".join(first[:FIRST_LINES]), b"".join(last[-LAST_LINES:])
    left_out = f"[... {size - len(head) - len(tail):,} bytes left out ...]\n"
    if not head.endswith(b"\n"):
        left_out = f"\n{left_out}"
    return head.decode("utf-8", "replace") + left_out + tail.decode("utf-8", "replace")


def _without_cut_line(lines: list[bytes], cut: int) -> list[bytes]:
    """The lines but for the one that may not be whole, unless that is most of them."""
    whole = lines[:-1] if cut else lines[1:]
    return whole if sum(map(len, whole)) > len(lines[cut]) else lines
