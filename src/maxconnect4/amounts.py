"""Amounts that people write: of memory, of time. What is none raises a ValueError that says so."""

from __future__ import annotations

from .errors import shown

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
