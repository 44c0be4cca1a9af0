"""The command line: finds the module of a command, parses its arguments and runs it.

The module of a command has `add_arguments(parser)`, which declares its arguments with argparse, `run(args, screen)`,
which returns the exit status, and its help as docstring. It may have `check_arguments(args)`, which raises UsageError
if arguments contradict each other. The module is imported when the command is given.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

from .. import __version__
from ..errors import (
    BadFile,
    BadPosition,
    BadSetup,
    MaxConnect4Error,
    NotEnoughPositions,
    did_you_mean,
    error_reason,
    quote,
)
from .fast_parser import PlainParser
from .terminal import Screen, print_error, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping
    from typing import Any, Protocol

    class Command(Protocol):
        """The module of a command, or a sub-command."""

        __doc__: str | None

        def add_arguments(self, parser: ArgumentParser) -> None:
            """Declare the arguments."""

        def run(self, args: Namespace, screen: Screen) -> int:
            """Run the command and return the exit status."""


DONE, FAILURE, USAGE, BAD_POSITION, NOT_CONFORMING, INTERRUPTED = 0, 1, 2, 3, 4, 130

COMMANDS = {
    "play": "play, analyse and review in the browser",
    "interactive": "play against the computer in the terminal",
    "one-move": "make one move from a file to a file",
    "levels": "the computer's levels and their strength",
    "analyse": "exact value of every column of a position",
    "review": "regret of every move of a game",
    "tree": "search tree of a position, as text or SVG",
    "check": "check an external program: legal moves, speed, strength",
    "class": "a whole class, from the submissions to the grades",
    "match": "play a match between two players or programs",
    "tournament": "play a tournament in one of four formats",
    "measure": "CPU time and strength of players by depth",
    "positions": "generate positions with exact scores",
    "puzzles": "generate puzzles: positions with one best column",
    "report": "report on a match, a tournament or a program",
    "book": "opening book: look up, build, verify",
    "engine": "UCI or UGI engine for other programs",
    "solve-sizes": "solve the empty board of every size",
    "bench": "search a fixed list of positions and count the nodes",
}
ALIASES = {"analyze": "analyse"}
COMPLETION = "--print-completion"
HELP_WORDS = ("--help", "-h", "help")
GROUPS = ("book", "class")  # commands with sub-commands
MODULES = {"class": "classroom"}  # of a command whose name is a keyword of Python

SHORT_HELP = """Max-Connect4: Connect Four played until the board is full, where every four is a
point. To get started:

  maxconnect4 play             play, analyse and review in the browser
  maxconnect4 interactive      play in the terminal
  maxconnect4 analyse 4453     value of every column after these moves
  maxconnect4 review 44535     regret of every move of a game

  maxconnect4 --help           all commands, with examples"""

HELP = """usage: maxconnect4 COMMAND ...

Play Max-Connect4: Connect Four played until the board is full, where every four
is a point.

{commands}

Examples:
  maxconnect4 play                                play in the browser
  maxconnect4 interactive                         play in the terminal, you first
    maxconnect4 interactive 44 computer-next 8      continue after two moves, at depth 8
  maxconnect4 one-move input1.txt output.txt 8    make one move from a file to a file
  maxconnect4 one-move 44535 output.txt 8         make one move after these moves
  maxconnect4 analyse 4453                        value of every column
  maxconnect4 review 44535 --plot game.png        regret of every move
  maxconnect4 tree 4453 --depth 2 -o tree.svg     search tree of minimax
  maxconnect4 match depth:4 "python3 mine.py"     match with your own program
  maxconnect4 measure "python3 mine.py"           its CPU time by depth

'maxconnect4 COMMAND --help' describes a command. --version prints the version,
and --print-completion SHELL a completion script for bash or zsh."""


class UsageError(Exception):
    """Arguments that contradict each other."""


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit status."""
    screen = Screen(sys.stdout)
    return screen.close(_exit_status(sys.argv[1:] if argv is None else argv, screen))


def _exit_status(words: list[str], screen: Screen) -> int:
    """Run one command; an error is one line on standard error."""
    try:
        return _run(words, screen)
    except MaxConnect4Error as error:
        print_error(str(error))
        if isinstance(error, BadSetup | NotEnoughPositions):
            return USAGE
        return BAD_POSITION if isinstance(error, BadPosition | BadFile) else FAILURE
    except KeyboardInterrupt as interruption:
        print_error("; ".join(("interrupted", *map(str, interruption.args))))
        return INTERRUPTED
    except MemoryError:
        print_error("there is not enough memory")
        return FAILURE
    except (OSError, RuntimeError) as error:
        message = os_error_message(error)
        if message is None:
            raise
        print_error(message)
        return FAILURE


def _run(words: list[str], screen: Screen) -> int:
    if not words:
        Screen(sys.stderr).print(_wrapped(SHORT_HELP.replace("  maxconnect4 ", f"  {program()} ")))
        return USAGE
    if words[0] in ("--version", "-V", "version"):
        screen.print(f"maxconnect4 {__version__}")
        return DONE
    if words[0].partition("=")[0] == COMPLETION:
        return _print_completion(words, screen)
    found = _find_command(words, "", COMMANDS, HELP, screen)
    if isinstance(found, int):
        return found
    name, words = found
    command = command_module(name)
    if name in GROUPS:
        found = _find_command(words, f"{name} ", command.SUMMARIES, command.HELP, screen)
        if isinstance(found, int):
            return found
        command = command.COMMANDS[found[0]]
        name, words = f"{name} {found[0]}", found[1]
    return _run_command(name, words, command, screen)


def command_module(name: str) -> Any:
    """The module of a command."""
    module = f"{__name__}.{MODULES.get(name, name).replace('-', '_')}"
    if name == "one-move":  # imports no module that takes long
        return import_module(module)
    from .progress import ctrl_c_deferred

    with ctrl_c_deferred():  # an exception within an import can crash a module in C
        return import_module(module)


def _find_command(
    words: list[str], group: str, summaries: Mapping[str, str], text: str, screen: Screen
) -> tuple[str, list[str]] | int:
    """The name of the command and the words after it; or an exit status, after help or an error was printed."""
    if len(words) > 1 and words[0] in HELP_WORDS:
        words = [*words[1:], "--help"]
    name = ALIASES.get(words[0], words[0]) if words else "--help"
    if name in HELP_WORDS:
        (screen if words else Screen(sys.stderr)).print(_wrapped(text, summaries))
        return DONE if words else USAGE
    if name not in summaries:
        kind, names = "command", [*summaries, *ALIASES]
        if name.startswith("-"):
            kind, names = "option", ["--help", "--version", COMPLETION]
        advice = did_you_mean(name, names) or f"the commands are {', '.join(summaries)}"
        print_error(f"there is no {kind} {quote(group + name)}: {advice} (see {program()} {group}--help)")
        return USAGE
    return name, words[1:]


def _wrapped(text: str, summaries: Mapping[str, str] | None = None) -> str:
    """A help text whose paragraphs and list of commands fit the terminal, as argparse wraps them."""
    from shutil import get_terminal_size
    from textwrap import fill

    width = max(get_terminal_size().columns - 2, 20)
    parts = [
        part if "\n  " in f"\n{part}" else fill(part, width, break_on_hyphens=False) for part in text.split("\n\n")
    ]
    indent = " " * 15
    lines = [fill(f"  {name:<13}{what}", width, subsequent_indent=indent) for name, what in (summaries or {}).items()]
    return "\n\n".join(parts).format(commands="\n".join(lines))


def _print_completion(words: list[str], screen: Screen) -> int:
    from .parser import SHELLS, completion_script

    shell = " ".join(words).removeprefix(COMPLETION)[1:]
    if shell not in SHELLS:
        given = f", not {quote(shell)}" if shell else ""
        print_error(f"{COMPLETION} takes a shell, {' or '.join(SHELLS)}{given}")
        return USAGE
    screen.print(completion_script(shell), end="")
    return DONE


def _run_command(name: str, words: list[str], command: Command, screen: Screen) -> int:
    args = _fast_arguments(words, command) if name == "one-move" else None
    if args is None:
        from .parser import command_parser
        from .progress import ctrl_c_deferred

        parser = command_parser(f"maxconnect4 {name}", command.__doc__)
        command.add_arguments(parser)
        if "--help" in words or "-h" in words:
            screen.print(parser.format_help(), end="")
            return DONE
        try:
            with ctrl_c_deferred():  # argparse would raise AttributeError instead
                args = parser.parse_args(words) if "--" in words else parser.parse_intermixed_args(words)
        except SystemExit:  # after the error was printed
            return USAGE
    if hasattr(command, "check_arguments"):
        try:
            command.check_arguments(args)
        except UsageError as error:
            print_error(f"{error} (see {program()} {name} --help)", f"maxconnect4 {name}")
            return USAGE
    return command.run(args, screen)


def _fast_arguments(words: list[str], command: Command) -> Namespace | None:
    """The arguments of a well-formed line, without argparse; None for any other line."""
    parser = PlainParser()
    command.add_arguments(parser)  # type: ignore[arg-type]
    args: Namespace | None = parser.parse(words)
    return args


def os_error_message(error: OSError | RuntimeError) -> str | None:
    """The message for a system that has run out of resources; None for any other error, which is a bug."""
    if isinstance(error, OSError):
        import errno  # on errors only: start-up does without

        files, memory = {errno.EMFILE, errno.ENFILE}, {errno.ENOMEM, errno.EAGAIN}  # EAGAIN: processes and threads
        if error.errno in files | memory | {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS}:
            return f"the system is out of resources: {error_reason(error)}"
        return None if error.errno != errno.ENOENT or _has_working_directory() else "the working directory is gone"
    return f"the system is out of resources: {error}" if str(error) == "can't start new thread" else None


def _has_working_directory() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return False
    return True
