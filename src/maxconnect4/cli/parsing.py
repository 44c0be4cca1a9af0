"""Reading the words of a command line.

argparse alone costs more time than everything else between the start of Python and a move at depth 1. So a line without
options, `one-move input1.txt output.txt 8` as the assignment has it, is read by PlainParser from the same declarations;
whatever has options, asks for help or is wrong goes to argparse.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable
    from typing import Any, NoReturn


class Arguments:
    """The values of a command's arguments, by name."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the command has no argument {name}")


class PlainParser:
    """The part of argparse that a line without options needs."""

    def __init__(self) -> None:
        self.positionals: list[tuple[str, dict[str, Any]]] = []
        self.values = Arguments()

    def add_argument(self, name: str, **details: Any) -> None:
        """Declare an argument, as with argparse."""
        if name.startswith("-"):
            absent = False if details.get("action") == "store_true" else None
            setattr(self.values, name.strip("-").replace("-", "_"), details.get("default", absent))
        else:
            self.positionals.append((name, details))

    def parse(self, words: list[str]) -> Arguments | None:
        """The values, or None if the words need argparse."""
        if len(words) > len(self.positionals) or any(word.startswith("-") and word != "-" for word in words):
            return None
        for number, (name, details) in enumerate(self.positionals):
            if number < len(words):
                read: Callable[[str], object] = details.get("type", str)
                try:
                    value = read(words[number])
                except Exception:  # argparse will meet the same, and has the words for it
                    return None
                if value not in details.get("choices", (value,)):
                    return None
            elif details.get("nargs") == "?":
                value = details.get("default")
            else:
                return None
            setattr(self.values, name, value)
        return self.values


def full_parser(name: str, docstring: str) -> ArgumentParser:
    """An argparse parser for a command, whose docstring is the help: what it does, then `Examples:`."""
    import os
    import sys
    from argparse import ArgumentParser, RawDescriptionHelpFormatter

    class Formatter(RawDescriptionHelpFormatter):
        def __init__(self, prog: str) -> None:
            try:
                width = os.get_terminal_size().columns
            except OSError:
                width = 100
            super().__init__(prog, width=min(width, 120) - 2)

    class OneLineErrors(ArgumentParser):
        def error(self, message: str) -> NoReturn:
            print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
            raise SystemExit(2)

    description, _, examples = docstring.partition("Examples:")
    return OneLineErrors(
        prog=f"maxconnect4 {name}",
        description=description,
        epilog=f"Examples:{examples}",
        formatter_class=Formatter,
        allow_abbrev=False,
    )
