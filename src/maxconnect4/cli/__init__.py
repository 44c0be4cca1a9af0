"""The command line. A command's module is imported when the command is given, and not before."""

from __future__ import annotations

import sys
from importlib import import_module

from .. import __version__
from ..errors import BadEntrant, BadFile, BadPosition, MaxConnect4Error, NotEnough, did_you_mean, shown
from .parsing import Arguments, PlainParser
from .terminal.screen import Screen, complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from typing import Any, Protocol

    class Command(Protocol):
        """What the module of each command has."""

        __doc__: str | None

        def add_arguments(self, parser: ArgumentParser | PlainParser) -> None:
            """Declare what the command takes."""

        def contradiction(self, args: Arguments) -> str | None:
            """What is wrong with the arguments taken together, if anything is."""

        def run(self, args: Arguments, screen: Screen) -> int:
            """Do the work and return the exit code."""


DONE, FAILURE, USAGE, BAD_POSITION, NOT_CONFORMING, INTERRUPTED = 0, 1, 2, 3, 4, 130

COMMANDS = {
    "play": ("play", "play, analyse and review in the browser"),
    "interactive": ("interactive", "play against the computer in the terminal"),
    "one-move": ("one_move", "make one move from a file to a file"),
    "analyse": ("analyse", "solve a position: what each column comes to with perfect play"),
    "review": ("review", "what each move of a game gave away"),
    "tree": ("tree", "the search tree of a position, in words or drawn"),
    "check": ("check", "check somebody's program: legal moves, speed, strength"),
    "match": ("match", "play a match between two players or programs"),
    "tournament": ("tournament", "play a tournament of many, in any of four formats"),
    "measure": ("measure", "CPU time and strength of players by depth, in tables and plots"),
    "positions": ("positions", "make a set of positions with the exact score of every column"),
    "report": ("report", "a page of a match, a tournament, or a program to hand in"),
    "book": ("book", "the opening book: look up, build, verify"),
    "engine": ("engine", "speak UCI or UGI, as an engine for other people's programs"),
    "solve-sizes": ("solve_sizes", "solve the empty board of every size"),
    "bench": ("bench", "search a fixed list of positions and count the nodes"),
}
ALIASES = {"analyze": "analyse"}
ASKS_FOR_HELP = ("--help", "-h", "help")
GROUPS = ("book",)  # commands that have commands of their own

FIRST = """Max-Connect4: Connect Four that goes on until the board is full, and where every
four is a point. To begin with:

  maxconnect4 play             play, analyse and review in the browser
  maxconnect4 interactive      play here, in the terminal
  maxconnect4 analyse 4453     what each column comes to after these moves
  maxconnect4 review 44535     what each move of a game gave away

  maxconnect4 --help           all commands, with examples"""

HELP = """usage: maxconnect4 COMMAND ...

Play Max-Connect4: Connect Four that goes on until the board is full, and where
every four is a point.

{commands}

Examples:
  maxconnect4 play                                play in the browser
  maxconnect4 interactive                         in the terminal, you first
  maxconnect4 interactive 44 computer-next 8      after two moves, 8 plies ahead
  maxconnect4 one-move input1.txt output.txt 8    a move from a file to a file
  maxconnect4 one-move 44535 output.txt 8         the same after these moves
  maxconnect4 analyse 4453                        what each column comes to
  maxconnect4 review 44535 --plot game.png        what each move gave away
  maxconnect4 tree 4453 --depth 2 -o tree.svg     what minimax looks at, and why
  maxconnect4 match depth:4 "python3 mine.py"     a match with your own program
  maxconnect4 measure "python3 mine.py"           its CPU time by depth

'maxconnect4 COMMAND --help' tells more; --version prints the version."""


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    screen = Screen(sys.stdout)
    try:
        code = _run(sys.argv[1:] if argv is None else argv, screen)
    except MaxConnect4Error as error:
        complain(str(error))
        code = BAD_POSITION if isinstance(error, BadPosition | BadFile) else FAILURE
        code = USAGE if isinstance(error, BadEntrant | NotEnough) else code
    except KeyboardInterrupt as interruption:
        complain("; ".join(("interrupted", *map(str, interruption.args))))
        code = INTERRUPTED
    except MemoryError:
        complain("there is not enough memory")
        code = FAILURE
    except (OSError, RuntimeError) as error:
        from .mishaps import mishap

        words = mishap(error)
        if words is None:
            raise
        complain(words)
        code = FAILURE
    return screen.close(code)


def _run(words: list[str], screen: Screen) -> int:
    if not words:
        Screen(sys.stderr).say(FIRST)
        return USAGE
    if words[0] in ("--version", "-V", "version"):
        screen.say(f"maxconnect4 {__version__}")
        return DONE
    name, rest, found = _find(words, __name__, "", COMMANDS, HELP, screen)
    if isinstance(found, int):
        return found
    if name in GROUPS:
        name, rest, found = _find(rest, found.__name__, f"{name} ", found.COMMANDS, found.HELP, screen)
        if isinstance(found, int):
            return found
    return _obey(name, rest, found, screen)


def _find(
    words: list[str], package: str, group: str, commands: dict[str, tuple[str, str]], text: str, screen: Screen
) -> tuple[str, list[str], Any]:
    """The command that the first word names, the words after it, and its module; or an exit code, if that was all."""
    if len(words) > 1 and words[0] in ASKS_FOR_HELP:
        words = [*words[1:], "--help"]
    name = ALIASES.get(words[0], words[0]) if words else "--help"
    if name in ASKS_FOR_HELP:
        text = text.format(commands="\n".join(f"  {name:<13}{summary}" for name, (_, summary) in commands.items()))
        (screen if words else Screen(sys.stderr)).say(text)
        return group + name, [], DONE if words else USAGE
    if name not in commands:
        kind, known = "command", [*commands, *ALIASES]
        if name.startswith("-"):
            kind, known = "option", ["--help", "--version"]
        advice = did_you_mean(name, known) or f"the commands are {', '.join(commands)}"
        complain(f"there is no {kind} {shown(group + name)}: {advice} (see maxconnect4 {group}--help)")
        return group + name, [], USAGE
    return group + name, words[1:], import_module(f"{package}.{commands[name][0]}")


def _obey(name: str, words: list[str], command: Command, screen: Screen) -> int:
    """Read the words of a command, and run it."""
    plain = PlainParser()
    command.add_arguments(plain)
    args = plain.parse(words)
    if args is None or command.contradiction(args) is not None:
        from .full_parsing import full_parser

        parser = full_parser(name, command.__doc__)
        command.add_arguments(parser)
        if "--help" in words or "-h" in words:
            screen.say(parser.format_help(), end="")
            return DONE
        try:
            args = parser.parse_intermixed_args(words, Arguments())
            message = command.contradiction(args)
            if message is not None:
                parser.error(message)
        except SystemExit:  # it has said what is wrong
            return USAGE
    return command.run(args, screen)
