"""Formatting and parsing of numbers, sizes and times."""

from __future__ import annotations

from .errors import quote

JSON_VERSION = 1  # `version` in every JSON object that the program prints: see docs/reference/json.md
NO_VALUE = "–"  # the text of a missing number
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def is_number(text: str) -> bool:
    """Whether a text is a non-negative integer of less than 19 digits."""
    return text.isascii() and text.isdigit() and len(text) < 19


def parse_bytes(text: str) -> int:
    """Parse a size such as 512M, in bytes."""
    digits, unit = (text[:-1], UNITS[text[-1:].upper()]) if text[-1:].upper() in UNITS else (text, 1)
    if not is_number(digits):
        raise ValueError(f"{quote(text)} is not an amount of memory: use a number with K, M or G, such as 512M")
    return int(digits) * unit


def parse_seconds(text: str | float) -> float:
    """Parse a positive time in seconds."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < 1e9:
        raise ValueError(f"{quote(str(text))} is not a time: use a number of seconds over 0, such as 2.5")
    return seconds


def plural(number: int, one: str, several: str = "") -> str:
    """Format a count with its noun: `1 move`, `3 moves`; `several` is an irregular plural, as in `2 plies`."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def format_minus(number: str) -> str:
    """Format a signed number with a true minus sign; zero has no sign."""
    return number.replace("-", "−") if number.strip("+-0.") else number.lstrip("+-")


def format_cpu_time(seconds: float | None) -> str:
    """Format a CPU time with two or three digits and its unit."""
    if seconds is None:
        return NO_VALUE
    if seconds < 0.001:
        return f"{1e6 * seconds:.0f} µs"
    if seconds < 1:
        return f"{1000 * seconds:.{0 if seconds >= 0.1 else 1 if seconds >= 0.01 else 2}f} ms"
    return f"{seconds:.{2 if seconds < 10 else 1 if seconds < 100 else 0}f} s"
