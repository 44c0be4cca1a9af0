"""The argparse parser of every command, with help from docstrings and errors on one line, and completion in shells.

A separate module, because argparse takes more start-up time than a move at depth 1.
"""

from __future__ import annotations

from argparse import Action, ArgumentError, ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping
from inspect import cleandoc
from re import fullmatch
from textwrap import wrap
from typing import Any, NoReturn

from ..errors import did_you_mean, quote
from . import COMMANDS, GROUPS, command_module
from .terminal import print_error, program

EXAMPLES = "Examples:"
UNKNOWN = "unrecognized arguments"  # the message of argparse
MISSING = "the following arguments are required"
NO_VALUE = r"expected (one|[0-9]+) arguments?"
IGNORED = "ignored explicit argument"
OPTION_VALUES = {"--depth": "[0-9]+", "--sizes": "[0-9x,]+", "--count": "[0-9]+"}  # options whose names users forget


class CommandParser(ArgumentParser):
    """An argparse parser whose errors are one line, with a suggestion where one word is close."""

    def error(self, message: str) -> NoReturn:
        message = message.removeprefix("argument ")
        kind, _, words = message.partition(": ")
        typed = self.prog.replace("maxconnect4", program(), 1)
        if kind == UNKNOWN:
            message = _unknown(words, self._actions, typed)
        elif kind == MISSING:
            several = ", " in words
            message = f"argument{'s' * several} {words.replace(', ', ' and ')} {'are' if several else 'is'} missing"
            message += f": use '{typed} {' '.join(_words(self._actions))}'"
        elif few := fullmatch(NO_VALUE, words):
            values = "a value" if few[1] == "one" else f"{few[1]} values"
            message = f"{kind.replace('/', ' or ')} needs {values}: {self._with_value(kind)}"
        elif words.startswith(IGNORED):
            message = f"{kind.replace('/', ' or ')} takes no value: use it alone"
        print_error(f"{message} (see {typed} --help)", self.prog)
        raise SystemExit(2)

    def _with_value(self, option: str) -> str:
        action = self._option_string_actions[option.partition("/")[0]]
        return self._get_formatter()._format_action_invocation(action)

    def _get_value(self, action: Action, arg_string: str) -> Any:
        """A value by the type of its argument, whose ValueError has the message for the user."""
        try:
            return super()._get_value(action, arg_string) if action.type is None else action.type(arg_string)  # type: ignore[operator]
        except ValueError as error:
            raise ArgumentError(action, str(error)) from None

    def _check_value(self, action: Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            choices = [str(choice) for choice in action.choices]
            advice = did_you_mean(str(value), choices) or f"choose {', '.join(choices[:-1])} or {choices[-1]}"
            raise ArgumentError(action, f"{quote(str(value))} is not one of its values: {advice}")


class ParagraphHelpFormatter(RawDescriptionHelpFormatter):
    """Wraps the paragraphs of the description and leaves the examples as they are."""

    def _format_action_invocation(self, action: Action) -> str:
        """The metavariable once after all names of an option, in Python 3.11 and 3.12 as well."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        values = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {values}"

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.startswith(EXAMPLES):
            return text
        return "\n\n".join("\n".join(self._split_lines(part, width)) for part in text.split("\n\n"))

    def _split_lines(self, text: str, width: int) -> list[str]:
        """The lines of a paragraph. A line never ends within a word such as --no-pruning."""
        return wrap(" ".join(text.split()), width, break_on_hyphens=False)


def command_parser(program: str, docstring: str | None) -> CommandParser:
    """The parser of a command, whose docstring is the help: a description, then `Examples:`.

    With -OO Python has no docstrings: the help then lists the arguments only.
    """
    description, _, examples = cleandoc(docstring or "").partition(EXAMPLES)
    return CommandParser(
        prog=program,
        description=description,
        epilog=f"{EXAMPLES}{examples}" if examples else None,
        formatter_class=ParagraphHelpFormatter,
        allow_abbrev=False,
    )


def _words(actions: list[Action]) -> list[str]:
    names = ((str(action.metavar or action.dest), action.nargs) for action in actions if not action.option_strings)
    return [f"[{name}]" if nargs in ("?", "*") else name for name, nargs in names]


def _unknown(words: str, actions: list[Action], command: str) -> str:
    """The error for unrecognized arguments: an unknown option, or an argument too many."""
    option = next((word.partition("=")[0] for word in words.split() if word.startswith("-")), None)
    options = [name for action in actions for name in action.option_strings]
    if option is None:
        name = next((name for name, kind in OPTION_VALUES.items() if name in options and fullmatch(kind, words)), None)
        advice = f": did you mean {name} {words}?" if name else ""
        known = _words(actions)
        if not name:
            advice = f": use '{' '.join((command, *known))}'" + ", and quote an argument with spaces" * bool(known)
        return f"unexpected argument {quote(words)}{advice}"
    if option.strip("-") in (action.dest for action in actions if not action.option_strings):
        return f"there is no option {option}: the {option.strip('-')} is a word without dashes"
    advice = did_you_mean(option, options)
    return f"there is no option {quote(option)}" + (f": {advice}" if advice else "")


# Completion in shells

SHELLS = ("bash", "zsh")


def completion_script(shell: str) -> str:
    """The script, made by shtab, that completes the commands, their options and the names of files in a shell."""
    import shtab

    parser = ArgumentParser("maxconnect4")
    parser.add_argument("--version", "-V", action="store_true", help="print the version")
    parser.add_argument("--print-completion", choices=SHELLS, help="print a completion script for a shell")
    _add_commands(parser, COMMANDS, command_module)
    script: str = shtab.complete(parser, shell)
    return script


def _add_commands(parser: ArgumentParser, summaries: Mapping[str, str], command: Callable[[str], Any]) -> None:
    commands = parser.add_subparsers()
    for name, summary in summaries.items():
        of_command, module = commands.add_parser(name, help=summary), command(name)
        if name in GROUPS:
            _add_commands(of_command, module.SUMMARIES, module.COMMANDS.__getitem__)
        else:
            module.add_arguments(of_command)
            _complete_files(of_command)


def _complete_files(parser: ArgumentParser) -> None:
    """Complete the names of files for options that take one, and for words without a type of their own."""
    import shtab

    for action in parser._actions:
        if action.metavar == "FOLDER":
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif "|" in str(action.metavar):
            action.choices = str(action.metavar).split("|")
        elif action.metavar in ("FILE", "BASE") or not (action.option_strings or action.type or action.choices):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
