"""The arguments of the commands that run other people's programs: the depth they are told, and what they may use."""

from __future__ import annotations

import sys

from ..referee.entrants import DEPTH
from ..referee.limits import Limits
from ..referee.programs.isolation import AUTO, ISOLATIONS, isolation_for
from .arguments import add_number, bytes_from, number, seconds_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterable

    from ..referee.entrants import Entrant
    from .parsing import Arguments, PlainParser

DEEPEST = 1000


def add_depth(parser: ArgumentParser | PlainParser) -> None:
    """The depth that programs are told."""
    add_number(
        parser,
        "--depth",
        number("a number of plies", 0, DEEPEST),
        f"what {{depth}} stands for (default: {DEPTH})",
        DEPTH,
    )


def add_seconds(parser: ArgumentParser | PlainParser) -> None:
    """How long a move may take."""
    parser.add_argument(
        "--seconds",
        type=seconds_from,
        default=Limits().seconds,
        metavar="SECONDS",
        help=f"the most for a move, by the clock and of CPU time (default: {Limits().seconds:g})",
    )


def add_memory(parser: ArgumentParser | PlainParser) -> None:
    """How much memory a program may take."""
    parser.add_argument(
        "--memory",
        type=bytes_from,
        default=Limits().memory,
        metavar="BYTES",
        help="memory limit of a program with all its processes, such as 512M (default: 2G)",
    )


def add_isolation(parser: ArgumentParser | PlainParser) -> None:
    """How programs are kept apart from the rest of the machine."""
    parser.add_argument(
        "--isolation",
        choices=ISOLATIONS,
        default=AUTO,
        help="isolation of external programs: the strongest that works here, bubblewrap, or none (default: auto)",
    )


def limits_as_told(args: Arguments) -> Limits:
    """What a program may use, by the arguments of the command line."""
    return Limits(args.seconds, args.seconds, args.memory, isolation=args.isolation)


def report_isolation(entrants: Iterable[Entrant], scheduler: str | None = None) -> None:
    """Print one line on standard error with the isolation of external programs, where it was chosen for the user."""
    if sys.stderr is None or not any(each.command and each.limits.isolation == AUTO for each in entrants):
        return
    where = "the strongest of each worker's machine; the results record which."
    print(f"Isolation: {where}" if scheduler else isolation_for(AUTO), file=sys.stderr, flush=True)
