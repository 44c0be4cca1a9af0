"""Command lines that ask for help or are wrong: argparse reads them, and is made to say clearly what is wrong."""

from __future__ import annotations

from argparse import ArgumentError, ArgumentParser, HelpFormatter, RawDescriptionHelpFormatter
from re import fullmatch

from ..errors import did_you_mean, shown
from .terminal.screen import complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Action
    from typing import Any, NoReturn

EXAMPLES = "Examples:"
UNKNOWN = "unrecognized arguments"  # what argparse says
MISSING = "the following arguments are required"
NO_VALUE = r"expected (one|[0-9]+) arguments?"
IGNORED = "ignored explicit argument"
MEANT = {"--depth": "[0-9]+", "--sizes": "[0-9x,]+", "--count": "[0-9]+"}  # options that are forgotten before a word


class OneLineErrors(ArgumentParser):
    """Says what is wrong in one line, and what was meant if it can tell."""

    def error(self, message: str) -> NoReturn:
        """Complain and end."""
        message = message.removeprefix("argument ")
        kind, _, words = message.partition(": ")
        if kind == UNKNOWN:
            message = _unknown(words, self._actions)
        elif kind == MISSING:
            message = f"{words.replace(', ', ' and ')} {'are' if ', ' in words else 'is'} missing"
        elif few := fullmatch(NO_VALUE, words):
            values = "a value" if few[1] == "one" else f"{few[1]} values"
            message = f"{kind.replace('/', ' or ')} needs {values} after it"
        elif words.startswith(IGNORED):
            message = f"{kind.replace('/', ' or ')} takes no value"
        complain(f"{message} (see {self.prog} --help)", self.prog)
        raise SystemExit(2)

    def _check_value(self, action: Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            choices = [str(choice) for choice in action.choices]
            advice = did_you_mean(str(value), choices) or f"choose {', '.join(choices[:-1])} or {choices[-1]}"
            raise ArgumentError(action, f"there is no {shown(str(value))}: {advice}")


class Paragraphs(RawDescriptionHelpFormatter):
    """Fills the paragraphs of the description, and leaves the examples as they are."""

    def _format_action_invocation(self, action: Action) -> str:
        """The metavariable once after all names of an option, in Python 3.11 and 3.12 as well."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        values = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {values}"

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.startswith(EXAMPLES):
            return text
        return "\n\n".join(HelpFormatter._fill_text(self, part, width, indent) for part in text.split("\n\n"))


def full_parser(name: str, docstring: str | None) -> ArgumentParser:
    """An argparse parser for a command, whose docstring is the help: what it does, then `Examples:`.

    Python can be told to leave docstrings out (-OO): the help then has the arguments alone.
    """
    description, _, examples = (docstring or "").partition(EXAMPLES)
    return OneLineErrors(
        prog=f"maxconnect4 {name}",
        description=description,
        epilog=f"{EXAMPLES}{examples}" if examples else None,
        formatter_class=Paragraphs,
        allow_abbrev=False,
    )


def _unknown(words: str, actions: list[Action]) -> str:
    """What is wrong with the words that argparse has no use for: an option that is none, or a word too many."""
    option = next((word.partition("=")[0] for word in words.split() if word.startswith("-")), None)
    options = [name for action in actions for name in action.option_strings]
    if option is None:
        name = next((name for name, kind in MEANT.items() if name in options and fullmatch(kind, words)), None)
        advice = f": did you mean {name} {words}?" if name else ""
        if not name and not all(action.option_strings for action in actions):
            advice = ": one word with blanks in it goes in quotes"
        return f"{shown(words)} is too much{advice}"
    if option.strip("-") in (action.dest for action in actions if not action.option_strings):
        return f"there is no option {option}: the {option.strip('-')} is a word without dashes"
    advice = did_you_mean(option, options)
    return f"there is no option {shown(option)}" + (f": {advice}" if advice else "")
