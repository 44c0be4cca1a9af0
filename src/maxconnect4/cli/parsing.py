"""Reading the words of a command line.

argparse alone costs more time than everything else between the start of Python and a move at depth 1. So a line that is
well formed is read by PlainParser, from the same declarations; one that asks for help or is wrong goes to argparse: see
full_parsing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Arguments:
    """The values of a command's arguments, by name."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the command has no argument {name}")


class PlainParser:
    """What a well-formed line needs of argparse: words, `--name value`, `--name=value`, `--flag`, `-n value`, `--`."""

    def __init__(self) -> None:
        self.words: dict[str, dict[str, Any]] = {}
        self.options: dict[str, dict[str, Any]] = {}
        self.short: dict[str, str] = {}

    def add_argument(self, *names: str, **details: Any) -> None:
        """Declare an argument, as with argparse; a short name stands before the long one."""
        name = names[-1]
        (self.options if name.startswith("--") else self.words)[name] = details
        self.short |= dict.fromkeys(names[:-1], name)

    def parse(self, words: list[str]) -> Arguments | None:
        """The values, or None if the line needs argparse."""
        try:
            return self._read(words)
        except Exception:  # whatever it is, argparse meets it too, and has the words for it
            return None

    def _read(self, words: list[str]) -> Arguments:
        given: dict[str, Any] = {}
        rest = iter(words)
        free = iter(self.words.items())
        options_end = False
        for word in rest:
            if word == "--" and not options_end:
                options_end = True
            elif word.startswith("-") and word != "-" and not options_end:
                name, equals, value = self.short.get(word, word).partition("=")
                details = self.options[name]
                if "nargs" in details:
                    raise ValueError(name)
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
                if details.get("nargs") in ("+", "*"):
                    raise ValueError(name)
                given[name] = _value(details, word)
        arguments = Arguments()
        for name, details in (self.words | self.options).items():
            if name not in given and name in self.words and details.get("nargs") != "?":
                raise ValueError(f"no {name}")
            absent = details.get("default", False if details.get("action") == "store_true" else None)
            setattr(arguments, name.strip("-").replace("-", "_"), given.get(name, absent))
        return arguments


def _value(details: dict[str, Any], given: Any) -> Any:
    value = details["type"](given) if "type" in details else given
    if "choices" in details and value not in details["choices"]:
        raise ValueError(value)
    return value
