"""Amounts as people write and read them. What is none raises a ValueError that says so."""

from __future__ import annotations

from .errors import shown

NOTHING = "–"  # what stands where there is no number
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def is_number(text: str) -> bool:
    """Whether a text is a number from 0 up, of a length that makes sense."""
    return text.isascii() and text.isdigit() and len(text) < 19


def bytes_from(text: str) -> int:
    """A number of bytes from a text such as 512M."""
    digits, unit = (text[:-1], UNITS[text[-1:].upper()]) if text[-1:].upper() in UNITS else (text, 1)
    if not is_number(digits):
        raise ValueError(f"{shown(text)} is not an amount of memory, such as 512M, with K, M or G for the unit")
    return int(digits) * unit


def seconds_from(text: str | float) -> float:
    """A time that one can wait."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < 1e9:
        raise ValueError(f"{shown(str(text))} is not a number of seconds")
    return seconds


def how_many(number: int, one: str, several: str = "") -> str:
    """So many of something: `1 move`, `3 moves`; `several` is for what has no s, such as `2 plies`."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def with_minus(number: str) -> str:
    """A number with its sign as one should print it: nothing has none, and a minus is as wide as a plus."""
    return number.replace("-", "−") if number.strip("+-0.") else number.lstrip("+-")


def time_in_words(seconds: float | None) -> str:
    """A CPU time with two or three digits and its unit."""
    if seconds is None:
        return NOTHING
    if seconds < 0.001:
        return f"{1e6 * seconds:.0f} µs"
    if seconds < 1:
        return f"{1000 * seconds:.{0 if seconds >= 0.1 else 1 if seconds >= 0.01 else 2}f} ms"
    return f"{seconds:.{2 if seconds < 10 else 1 if seconds < 100 else 0}f} s"
