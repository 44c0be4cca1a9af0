"""Check a program that makes moves from a file to a file: are they legal, what do they cost, how good are they?

The command is one word, in quotes. A command without a place for a file gets the words of the assignment at its end,
one-move {in} {out} {depth}; one with places, such as {in}, {out}, {depth}, {player} and {game}, is run as it is. The
program runs in a fresh folder for every move, which is thrown away, with links to what the command names; --folder
brings all files of a folder. Words such as NAME=value before the command are variables of its environment.

ok is what should be; note is what a match puts up with, or what it does not bring about; FAIL is what loses games, or
hangs, or was not tried because of that, and the exit code then is 4. How a good move is written, such as its line ends,
does not count, and is told once at the end.

--against also plays whole games, each colour in turn, against a player that is known to be weak. To beat it
consistently is to win nine games of ten; a program that does not is told so, and fails only if it loses by a fault.

Examples:
  maxconnect4 check ./program
  maxconnect4 check 'java MaxConnect4' --folder ada --depth 8
  maxconnect4 check 'python3 player.py --rules={game}' --game classic
  maxconnect4 check 'python3 player.py {in} {out} {depth}' --positions 100
  maxconnect4 check ./program --gradescope results/results.json --against random
"""

from __future__ import annotations

import shlex

from ...errors import BadEntrant, shown
from ...referee.checking import check
from ...referee.entrants import entrant_from
from ...referee.opposing import GAMES, SEED, games_against
from ...referee.programs import sandbox
from ...saving import check_writable
from .. import NOT_CONFORMING, arguments, programs
from ..output import STANDARD_OUTPUT, Output
from ..terminal.display import Bar
from .facts import as_json, for_gradescope
from .words import in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..parsing import Arguments, PlainParser
    from ..terminal.screen import Screen

DEEPEST, MOST_POSITIONS, MOST_GAMES = 42, 10_000, 10_000


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("program", metavar="command", help="the program and its words, in quotes")
    programs.add_depth(parser)
    arguments.add_game(parser)
    parser.add_argument("--folder", metavar="FOLDER", help="where the program is: it finds all files of the folder")
    programs.add_seconds(parser)
    programs.add_memory(parser)
    programs.add_isolation(parser)
    arguments.add_number(
        parser,
        "--deepest",
        arguments.number("a number of plies", 0, DEEPEST),
        "measure the CPU time at depths 1, 2, 4 and so on up to this one, as long as a move takes at most 5 s "
        "(default: 8)",
        8,
    )
    arguments.add_number(
        parser,
        "--positions",
        arguments.number("a number of positions", 0, MOST_POSITIONS),
        "how many positions in the middle of the game show what its moves give away (default: 40)",
        40,
    )
    parser.add_argument("--against", metavar="PLAYER", help="play games, too, with a player as in a match: random, say")
    arguments.add_number(
        parser,
        "--games",
        arguments.number("a number of games", 1, MOST_GAMES),
        f"how many, in both colours (default: {GAMES})",
    )
    arguments.add_number(parser, "--seed", arguments.seed_from, f"of the chance in these games (default: {SEED})")
    parser.add_argument("--json", action="store_true", help="print one line of JSON instead of the report")
    parser.add_argument("--gradescope", metavar="FILE", help="write the results as Gradescope's autograder takes them")


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    for name in ("games", "seed"):
        if args.against is None and getattr(args, name) is not None:
            return f"--{name} is for games: say --against whom, too"
    return None


def run(args: Arguments, screen: Screen) -> int:
    """Try the program on everything, and say what came of it."""
    text = args.program if args.folder is None else f"folder={shlex.quote(args.folder)} {args.program}"
    limits = programs.limits_as_told(args)
    entrant = entrant_from(text, args.depth, limits, args.game)
    if entrant.built_in is not None:
        raise BadEntrant(f"{shown(args.program)} is a player of our own: only the command of a program can be checked")
    fixtures = []
    if args.against is not None:
        opponent = entrant_from(args.against, args.depth, limits, args.game)
        seed = SEED if args.seed is None else args.seed
        fixtures = games_against(entrant, opponent, args.games or GAMES, seed, args.game)
    if args.gradescope is not None:
        check_writable(args.gradescope)
    programs.report_isolation([entrant])
    sandbox.adopt_orphans()
    sandbox.end_with_signals()
    with Bar(None) as bar:
        report = check(
            entrant,
            deepest=args.deepest,
            positions=args.positions,
            fixtures=fixtures,
            progress=lambda done, total, what: bar.show(done, what, total),
            game=args.game,
        )
    if args.json:
        screen.say(as_json(report))
    else:
        screen.say(in_words(report))
    if args.gradescope is not None:
        output = Output(screen, [STANDARD_OUTPUT] if args.json else [])
        output.put(args.gradescope, for_gradescope(report))
    return 0 if report.passed else NOT_CONFORMING
