"""Numbers as the report writes them."""

from __future__ import annotations

NOTHING = "–"


def seconds_text(seconds: float) -> str:
    """Seconds to the thousandth, as tables of this assignment have them, or finer if that would show nothing."""
    return f"{seconds:,.3f}" if seconds >= 0.01 or not seconds else f"{seconds:.6f}"


def count_text(number: float | None) -> str:
    """A large number without its fraction."""
    return NOTHING if number is None else f"{number:,.0f}"


def factor_text(number: float | None) -> str:
    """A ratio, a branching factor, or points a move."""
    return NOTHING if number is None else f"{number:,.2f}"


def times_text(number: int, what: str) -> str:
    """So many of something: `1 move`, `3 moves`."""
    return f"{number:,} {what}{'s' * (number != 1)}"


def listed(names: list[str]) -> str:
    """Names in a sentence."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""
