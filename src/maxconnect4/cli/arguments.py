"""The arguments that several commands share: how the computer chooses."""

from __future__ import annotations

from ..board import GAMES, Board
from ..search import EVALUATIONS, Choice, choose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, ArgumentTypeError

    from .parsing import Arguments, PlainParser

PERFECT = 10_000  # deeper than any board
DEFAULT_DEPTH = {"max": 8, "classic": 5}
DEFAULT_EVALUATION = {"max": "best", "classic": "windows"}


def add_computer(parser: ArgumentParser | PlainParser) -> None:
    """The depth as the last positional argument, and the options."""
    parser.add_argument(
        "depth",
        nargs="?",
        type=_depth,
        help="plies to look ahead, the computer's own move being the first; 'perfect' looks to the end of the game "
        "(default: 8, in the classic game 5)",
    )
    parser.add_argument(
        "--game", choices=GAMES, default="max", help="max (the default), or classic: the first four wins"
    )
    parser.add_argument(
        "--time",
        type=_seconds,
        metavar="SECONDS",
        help="look ever further ahead for so long (wall clock), instead of a depth",
    )
    parser.add_argument(
        "--eval",
        choices=EVALUATIONS,
        metavar="NAME",
        help=f"what a position at the depth limit is worth: {', '.join(EVALUATIONS)} "
        "(default: best, in the classic game windows)",
    )


def contradiction(args: Arguments) -> str | None:
    """What is wrong with these arguments taken together, if anything is."""
    if args.depth is not None and args.time is not None:
        return "give a depth or --time, not both"
    return None


def choose_as_told(board: Board, args: Arguments, scores: bool = False) -> Choice:
    """The computer's choice, by the arguments of the command line."""
    evaluation = args.eval or DEFAULT_EVALUATION[board.game]
    if args.time is not None:
        return choose(board, seconds=args.time, evaluation=evaluation, scores=scores)
    depth = DEFAULT_DEPTH[board.game] if args.depth is None else args.depth
    return choose(board, depth, evaluation=evaluation, scores=scores)


def describe(choice: Choice) -> str:
    """How long a choice took, and what for."""
    plies = f"{choice.depth} pl{'y' if choice.depth == 1 else 'ies'} ahead"
    nodes = f"{choice.nodes:,} node{'s' * (choice.nodes != 1)}"
    return f"CPU time of the search: {choice.cpu_seconds:.3f} s, {plies}, {nodes}."


def _depth(text: str) -> int:
    if text == "perfect":
        return PERFECT
    if text.isascii() and text.isdigit():
        return min(int(text.lstrip("0")[:6] or 0), PERFECT)
    raise _refusal(f"{text[:40]!a} is not a number of plies, from 0 up, or 'perfect'")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < 1e9:
        raise _refusal(f"{text[:40]!a} is not a number of seconds")
    return seconds


def _refusal(message: str) -> ArgumentTypeError:
    from argparse import ArgumentTypeError

    return ArgumentTypeError(message)
