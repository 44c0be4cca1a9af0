"""A parser for well-formed command lines of one-move, without the start-up time of argparse.

argparse alone takes longer than everything else between the start of Python and a move at depth 1. A command line that
asks for help or has an error goes to argparse, with the same declarations: see parser.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class PlainArguments:
    """The values of the arguments, by name."""


class PlainParser:
    """The part of argparse that a well-formed line needs: words, `--name value`, `--name=value`, `--flag`, `--`."""

    def __init__(self) -> None:
        self.words: dict[str, dict[str, Any]] = {}
        self.options: dict[str, dict[str, Any]] = {}

    def add_argument(self, name: str, **details: Any) -> None:
        """Declare an argument, as with argparse."""
        (self.options if name.startswith("--") else self.words)[name] = details

    def parse(self, words: list[str]) -> Any:
        """The values, or None if the line needs argparse."""
        try:
            return self._parse(words)
        except (KeyError, StopIteration, ValueError):
            return None

    def _parse(self, words: list[str]) -> PlainArguments:
        given: dict[str, Any] = {}
        rest = iter(words)
        free = iter(self.words.items())
        options_end = False
        for word in rest:
            if word == "--" and not options_end:
                options_end = True
            elif word.startswith("-") and word != "-" and not options_end:
                name, equals, value = word.partition("=")
                details = self.options[name]
                if details.get("action") == "store_true":
                    if equals:
                        raise ValueError(word)
                    given[name] = True
                    continue
                if not equals:
                    value = next(rest)
                    if value.startswith("-"):
                        raise ValueError(value)
                given[name] = _value(details, value)
            else:
                name, details = next(free)
                given[name] = _value(details, word)
        arguments = PlainArguments()
        for name, details in (self.words | self.options).items():
            if name not in given and name in self.words and details.get("nargs") != "?":
                raise ValueError(f"no {name}")
            absent = details.get("default", False if details.get("action") == "store_true" else None)
            setattr(arguments, name.strip("-").replace("-", "_"), given.get(name, absent))
        return arguments


def _value(details: dict[str, Any], given: str) -> Any:
    value = details["type"](given) if "type" in details else given
    if "choices" in details and value not in details["choices"]:
        raise ValueError(value)
    return value
