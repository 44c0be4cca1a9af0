"""The arguments of the commands that run other people's programs: the depth they are told, and what they may use."""

from __future__ import annotations

from ..referee.entrants import DEPTH
from ..referee.limits import Limits
from .arguments import add_number, bytes_from, number, seconds_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

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
        help="the most for the data of each process, such as 512M (default: 2G)",
    )


def limits_as_told(args: Arguments) -> Limits:
    """What a program may use, by the arguments of the command line."""
    return Limits(args.seconds, args.seconds, args.memory)
