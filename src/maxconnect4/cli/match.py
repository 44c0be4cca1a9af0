"""Play a match between two players, from several openings, each with both colours.

A player is built in: perfect, level:4, depth:6, depth:8,eval=lines, time:0.5, random, random:seed=7 or human; or it is
a command that makes one move from a file to a file, with {in}, {out} and {depth} where these go (a command without any
gets the words 'one-move {in} {out} {depth}' at its end). Settings may stand before it: name=ada, depth=4, folder=ada,
and variables of the environment. Every move of a command runs in a fresh folder, under a time limit, and is checked. An
agent file for Kaggle's ConnectX, kaggle:FILE, is run in the same way.

Each game is kept as it ends. The match can be stopped at any moment: the same command goes on from there.

Examples:
  maxconnect4 match depth:4 depth:6
  maxconnect4 match level:7 perfect --game classic
  maxconnect4 match kaggle:submission.py level:6 --game classic
  maxconnect4 match level:5 level:4 --openings random:count=100
  maxconnect4 match perfect "java -cp jacob maxconnect4 one-move {in} {out} {depth}" --depth 8
  maxconnect4 match "name=ada folder=ada python3 main.py" random --openings random:plies=6,count=50
  maxconnect4 match depth:5 depth:5,eval=lines --openings random:plies=6,count=1000 --sprt elo0=0 elo1=10
"""

from __future__ import annotations

from zlib import crc32

from ..errors import shown
from ..referee.matches import match_between
from ..referee.openings import openings_from
from ..referee.playing import LOSE, ON_FAULT, Rules
from ..referee.sequential import Hypotheses
from ..writing.file_names import plain_name
from . import programs, refereeing, workers
from .arguments import refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..referee.tournament import Tournament
    from .parsing import Arguments, PlainParser
    from .terminal.screen import Screen

OPENINGS = "random:plies=4,count=20"


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("first", metavar="A", help="a player")
    parser.add_argument("second", metavar="B", help="the other player")
    refereeing.add_games(parser, OPENINGS, "max", "1")
    programs.add_depth(parser)
    programs.add_seconds(parser)
    programs.add_memory(parser)
    programs.add_isolation(parser)
    parser.add_argument(
        "--on-fault",
        choices=ON_FAULT,
        default=LOSE,
        help="what a fault does: lose the game (the default), replace the move by a random one, or make the game void",
    )
    parser.add_argument(
        "--sprt",
        nargs=2,
        type=_elo,
        metavar=("elo0=E", "elo1=E"),
        help="stop as soon as a sequential test decides whether A is better than B by elo0 or by elo1",
    )
    parser.add_argument(
        "--alpha", type=_share, default=0.05, metavar="P", help="how often the test may be wrong on elo0"
    )
    parser.add_argument("--beta", type=_share, default=0.05, metavar="P", help="and on elo1 (default of both: 0.05)")
    parser.add_argument("--results", metavar="FILE", help="where the games are kept (default: named after the players)")
    refereeing.add_running(parser)


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    if args.sprt is not None:
        elos = dict(args.sprt)
        if len(elos) < 2 or not elos["elo0"] < elos["elo1"]:
            return "--sprt: give elo0=... and elo1=..., the first below the second"
    return workers.contradiction(args)


def run(args: Arguments, screen: Screen) -> int:
    """Set the match up and play it."""
    match = _match(args)
    path = args.results or _file_name(match)
    return refereeing.run(match, path, args, screen)


def _match(args: Arguments) -> Tournament:
    game = args.game or "max"
    seed = 1 if args.seed is None else args.seed
    return match_between(
        args.first,
        args.second,
        openings_from(args.openings or OPENINGS, seed, game),
        Rules(args.on_fault, refereeing.adjudicate_at(args) or 0, seed, game),
        depth=args.depth,
        limits=programs.limits_as_told(args),
        test=None if args.sprt is None else Hypotheses(**dict(args.sprt), alpha=args.alpha, beta=args.beta),
    )


def _file_name(match: Tournament) -> str:
    """A name that is the same for the same match, and for no other."""
    names = [plain_name(name, "player") for name in match.names]
    game = "" if match.rules.game == "max" else f"{match.rules.game}-"
    return f"{'-vs-'.join(names)}-{game}{crc32(repr(match).encode()):08x}.sqlite"


# The arguments


def _elo(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        elo = float(value)
    except ValueError:
        elo = 1e9
    if name not in ("elo0", "elo1") or not abs(elo) < 10_000:
        raise refusal(f"{shown(text)} is not elo0=... or elo1=..., with a number")
    return name, elo


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share < 0.5:
        raise refusal(f"{shown(text)} is not a probability, over 0 and under 0.5")
    return share
