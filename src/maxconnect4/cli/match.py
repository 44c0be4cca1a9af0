"""Play a match between two players: each opening is played twice, with colours swapped.

A player is built in (perfect, level:4, depth:6, depth:8,eval=lines, time:0.5, random, random:seed=7 or human) or a
command that makes one move from a file to a file. The placeholders of a command are {in}, {out} and {depth}; 'one-move
{in} {out} {depth}' is appended to a command without placeholders. Settings can precede the command: name=ada, depth=4,
folder=ada, and environment variables. Every move of a command runs in a new folder, with a time limit, and is
validated. An agent file for Kaggle's ConnectX, kaggle:FILE, runs in the same way.

Each game is stored when it ends. You can stop the match at any moment: the same command resumes it.

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

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from zlib import crc32

from ..errors import quote
from ..referee.game import LOSE, ON_FAULT, Rules
from ..referee.match import match_between
from ..referee.openings import openings_from
from ..referee.tournament import SprtHypotheses, Tournament
from ..safe_text import slug
from . import UsageError, games, options
from .terminal import Screen

OPENINGS = "random:plies=4,count=20"
#: In the text that the name of a results file is derived from: a match of an older version continues in its file.
OLD_WORDS = (
    ("players=(", "entrants=("),
    ("PlayerSpec(", "Entrant("),
    ("BuiltInSpec(", "BuiltIn("),
    ("ResourceLimits(", "Limits("),
    ("SprtHypotheses(", "Hypotheses("),
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("first", metavar="A", help="a player")
    parser.add_argument("second", metavar="B", help="the other player")
    games.add_games(parser, OPENINGS, "max", "1")
    options.add_depth(parser)
    options.add_seconds(parser)
    options.add_program_memory(parser)
    options.add_isolation(parser)
    parser.add_argument(
        "--on-fault",
        choices=ON_FAULT,
        default=LOSE,
        help="effect of a fault: the player loses, a random move replaces it, or the game is void (default: lose)",
    )
    parser.add_argument(
        "--sprt",
        nargs=2,
        type=_elo,
        metavar=("elo0=E", "elo1=E"),
        help="stop when a sequential probability ratio test decides whether A is better than B by elo0 or by elo1",
    )
    parser.add_argument(
        "--alpha", type=_share, default=0.05, metavar="P", help="error rate of the test if elo0 is true (default: 0.05)"
    )
    parser.add_argument(
        "--beta", type=_share, default=0.05, metavar="P", help="error rate of the test if elo1 is true (default: 0.05)"
    )
    parser.add_argument("--results", metavar="FILE", help="results file (default: named after the players)")
    games.add_running(parser)


def check_arguments(args: Namespace) -> None:
    if args.sprt is not None:
        elos = dict(args.sprt)
        if len(elos) < 2 or not elos["elo0"] < elos["elo1"]:
            raise UsageError("--sprt: give both bounds, elo0= below elo1=, such as elo0=0 elo1=10")
    options.check_workers(args)


def run(args: Namespace, screen: Screen) -> int:
    match = _match(args)
    path = args.results or file_name(match)
    return games.play_tournament(match, path, args, screen)


def _match(args: Namespace) -> Tournament:
    game = args.game or "max"
    seed = 1 if args.seed is None else args.seed
    return match_between(
        args.first,
        args.second,
        openings_from(args.openings or OPENINGS, seed, game),
        Rules(args.on_fault, games.adjudicate_at(args) or 0, seed, game),
        depth=args.depth,
        limits=options.limits_from_args(args),
        test=None if args.sprt is None else SprtHypotheses(**dict(args.sprt), alpha=args.alpha, beta=args.beta),
    )


def file_name(match: Tournament) -> str:
    """A name that is the same for the same match, and for no other."""
    names = [slug(name, "player") for name in match.names]
    game = "" if match.rules.game == "max" else f"{match.rules.game}-"
    # In older versions, both limits on the time of a move were the same.
    limits = [replace(each.limits, seconds=each.limits.cpu_seconds) for each in match.players]
    players = (replace(each, limits=limit) for each, limit in zip(match.players, limits, strict=True))
    text = repr(replace(match, players=tuple(players)))
    for new, old in OLD_WORDS:
        text = text.replace(new, old)
    return f"{'-vs-'.join(names)}-{game}{crc32(text.encode()):08x}.sqlite"


# The arguments


def _elo(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        elo = float(value)
    except ValueError:
        elo = 1e9
    if name not in ("elo0", "elo1") or not abs(elo) < 10_000:
        raise ValueError(
            f"{quote(text)} is not a bound of the test: use elo0= and elo1= with numbers, such as elo0=0 elo1=10"
        )
    return name, elo


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share < 0.5:
        raise ValueError(f"{quote(text)} is not an error rate: use a probability over 0 and under 0.5")
    return share
