"""Make a report: of a program, ready to hand in; or of a match or a tournament, from its file of results.

Of a player, which is a command or built in as in a match: it is measured (CPU time by depth from the empty board, up to
and including the first depth over the limit; the points that its moves give away; 20 games against random), and a page,
a text in Markdown and its pictures are written, with what --about says of the evaluation function. What was measured is
kept beside them: the same command goes on after Ctrl-C, --anew begins again, and the file can be reported again.

Of a file of results, without an option: one HTML page beside the file, with the standings, the cross table, plots,
every game to step through and the faults with their evidence. It needs no network, so it can be sent or put anywhere. A
tournament that is still being played can be reported, too. With options: what they name, and nothing else; - is
standard output.

Examples:
  maxconnect4 report "python3 mine.py" --about evaluation.md --author "Ada Lovelace" -o report
  maxconnect4 report report.sqlite --about evaluation.md --author "Ada Lovelace"
  maxconnect4 report depth:eval=lines --limit 10
  maxconnect4 report class.sqlite
  maxconnect4 report class.sqlite --html standings.html --csv standings.csv
  maxconnect4 report class.sqlite --transcripts for-students
  maxconnect4 report match.sqlite --jsonl games.jsonl --pgn games.pgn --games-csv games.csv
"""

from __future__ import annotations

import os

from ...referee.programs.isolation import ISOLATIONS
from ..arguments import add_number, number, seconds_from
from .subjects import GAMES, MEASURED, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from typing import Protocol

    from ..parsing import Arguments, PlainParser
    from ..terminal.screen import Screen

    class Report(Protocol):
        """What the module of each kind of report has."""

        def contradiction(self, args: Arguments) -> str | None:
            """What is wrong with the arguments taken together, if anything is."""

        def run(self, args: Arguments, screen: Screen) -> int:
            """Do the work and return the exit code."""


#: Files, and what goes into them. Only a page can be made of all that can be reported.
FILES = {
    "html": "a page with everything (default: RESULTS with .html at its end, if no option is given)",
    "csv": "of games: the standings as a table",
    "games-csv": "of games: a row for each",
    "jsonl": "of games: a line of JSON for each, with all that is known of it",
    "pgn": "of games: all in the manner of chess's PGN",
}
OF_GAMES = ("csv", "games-csv", "jsonl", "pgn", "transcripts")
OF_PLAYERS = ("limit", "deepest", "positions", "games", "anew")  # that are still to be measured
OF_PROGRAMS = ("output", "markdown", "about", "author", *OF_PLAYERS)


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "results",
        metavar="results-or-player",
        help="the file of results that match, tournament or measure wrote; or a player to measure",
    )
    for name, what in FILES.items():
        parser.add_argument(f"--{name}", metavar="FILE", help=what)
    parser.add_argument(
        "--transcripts", metavar="FOLDER", help="of games: a text file for each player, with its faults"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="BASE",
        help="of a program: BASE.html, BASE.md and the pictures BASE-....svg (default: the player's name)",
    )
    parser.add_argument(
        "--markdown", metavar="FILE", help="of a program: the text, with its pictures beside it; - has no pictures"
    )
    parser.add_argument(
        "--about", metavar="FILE", help="of a program: what its evaluation function is, as plain text or Markdown"
    )
    parser.add_argument("--author", metavar="NAME", help="of a program: who wrote it")
    parser.add_argument(
        "--limit",
        type=seconds_from,
        metavar="SECONDS",
        help="of a player: no deeper search is tried after a move that took more CPU time (default: 60)",
    )
    add_number(
        parser,
        "--deepest",
        number("a number of plies", 0, 1000),
        "of a player: no deeper search is tried (default: up to the limit)",
    )
    parser.add_argument(
        "--positions",
        metavar="WHICH",
        help="of a player: what shows its strength, at depths 1 to 4: a file that 'maxconnect4 positions' wrote "
        "(default: exact, 276 positions that come with the program)",
    )
    add_number(parser, "--games", number("a number of games", 0, 10_000), "of a player: against random (default: 20)")
    parser.add_argument(
        "--isolation",
        choices=ISOLATIONS,
        help="of a program: the strongest isolation that works here, bubblewrap, or none (default: auto)",
    )
    parser.add_argument(
        "--anew", action="store_true", help="of a player: forget what was measured before, and begin again"
    )


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    kind = kind_of(args.results)
    others = OF_PROGRAMS if kind == GAMES else (*OF_GAMES, *OF_PLAYERS) if kind == MEASURED else OF_GAMES
    wrong = next((name for name in others if getattr(args, name.replace("-", "_")) not in (None, False)), None)
    if wrong is not None and (kind != GAMES or os.path.exists(args.results)):
        what = "games" if wrong in OF_GAMES else "a player to measure" if wrong in OF_PLAYERS else "a program"
        return f"--{wrong} is for a report of {what}"
    return _report_of(args).contradiction(args)


def run(args: Arguments, screen: Screen) -> int:
    """Make the report of whatever it is."""
    return _report_of(args).run(args, screen)


def _report_of(args: Arguments) -> Report:
    if kind_of(args.results) == GAMES:
        from . import of_games

        return of_games
    from . import of_program

    return of_program
