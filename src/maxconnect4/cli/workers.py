"""The arguments of the commands that have many processes at work: on this machine, or on a Dask cluster."""

from __future__ import annotations

from .arguments import add_number, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from .parsing import Arguments, PlainParser


def add_workers(parser: ArgumentParser | PlainParser, things: str) -> None:
    """Who does the work."""
    processes = number("a number of processes", 1, 1024)
    add_number(parser, "--processes", processes, f"how many {things} at once (default: the number of processors)")
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help=f"of a Dask cluster, whose workers do the {things}: see docs/cluster.md"
    )


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    if args.scheduler is not None and args.processes is not None:
        return "give --processes or --scheduler, not both"
    return None
