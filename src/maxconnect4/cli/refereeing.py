"""What match and tournament share: their options, and how it all is run and told."""

from __future__ import annotations

import shlex
from functools import partial

from ..amounts import how_many
from ..board import GAMES
from ..errors import BadEntrant, shown_path
from ..referee import report
from ..referee.programs.program import Program
from ..referee.programs.sandbox import adopt_orphans, end_with_signals
from ..referee.results import Results
from ..referee.running import Run
from ..referee.tournament import ADJUDICATE, counted, standings_of
from ..resources import processors
from ..saving import make_folder
from ..work.local import LocalWorkers
from . import programs, workers
from .arguments import add_number, number, seed_from
from .terminal.keyboard import EndOfInput
from .terminal.person import WorkersHere
from .terminal.scoreboard import Scoreboard
from .terminal.screen import terminal_width
from .terminal.standings_table import as_facts, cross_table_text, faults_text, match_text, standings_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from ..referee.running import Progress
    from ..referee.tournament import Tournament
    from ..work.tasks import Job, Workers
    from .parsing import Arguments, PlainParser
    from .terminal.screen import Screen

MOST_AT_WORK = 500  # games that a cluster knows of: a match may be decided before all of them are needed


def add_games(parser: ArgumentParser | PlainParser, openings: str, game: str, seed: str) -> None:
    """Which games are played, and what is taken if the command line does not say."""
    parser.add_argument("--game", choices=GAMES, help=f"max, or classic: the first four wins (default: {game})")
    parser.add_argument(
        "--openings",
        metavar="WHICH",
        help=f"a file with a move string on each line, or random:plies=4,count=20,seed=1 (default: {openings})",
    )
    parser.add_argument(
        "--adjudicate", action="store_true", help=f"stop at {ADJUDICATE} empty cells: the solver plays on"
    )
    add_number(
        parser,
        "--adjudicate-at",
        number("a number of empty cells", 0, 42),
        "the same with another number of empty cells",
    )
    add_number(parser, "--seed", seed_from, f"of all that is left to chance (default: {seed})")


def add_running(parser: ArgumentParser | PlainParser) -> None:
    """How the games are run, and what becomes of the results."""
    workers.add_workers(parser, "games")
    parser.add_argument(
        "--review", action="store_true", help="have the solver find what each move gave away, when all is played"
    )
    parser.add_argument("--transcripts", metavar="FOLDER", help="write a text file with its games for each player")
    parser.add_argument("--json", action="store_true", help="print one line of JSON instead of the tables")


def adjudicate_at(args: Arguments) -> int | None:
    """With how many empty cells the solver plays on, if the command line says so."""
    cells: int | None = args.adjudicate_at
    return ADJUDICATE if args.adjudicate and cells is None else cells


def run(tournament: Tournament, path: str, args: Arguments, screen: Screen) -> int:
    """Play what is not played yet, review it if asked to, and tell how it stands."""
    has_human = any(entrant.is_human for entrant in tournament.entrants)
    if has_human and args.scheduler is not None:
        raise BadEntrant("a human plays on this machine: do without --scheduler")
    if args.transcripts is not None:
        make_folder(args.transcripts)
    if args.scheduler is None:
        for entrant in tournament.entrants:
            if entrant.command:
                Program(entrant)  # what is wrong with its folder shows here
    adopt_orphans()  # of workers that are killed
    if has_human:
        end_with_signals()  # programs then run in this process
    with Results(path) as file:
        run = Run(tournament, file)
        programs.report_isolation(tournament.entrants, args.scheduler)
        try:
            with Scoreboard(tournament, quiet=has_human) as scoreboard:
                run.play((lambda _: WorkersHere(screen)) if has_human else partial(_workers, args), scoreboard.show)
                if args.review:
                    run.review(partial(_workers, args), scoreboard.show)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"{_kept(run.now)} kept in {file.name}, and the same command goes on") from None
        except EndOfInput as end:
            screen.say(f"{end} {_kept(run.now).capitalize()} kept in {file.name}, and the same command goes on.")
            return 0
        _tell(run, args, screen)
        if args.transcripts is not None:
            texts = report.save_transcripts(args.transcripts, *report.read(run.file))
            if not args.json:
                screen.say(f"{shown_path(args.transcripts)} has a text for each of {len(texts)} players.")
    return 0


def _kept(now: Progress) -> str:
    games = len(now.results)
    return f"{how_many(games, 'game')} {'is' if games == 1 else 'are'}"


def _workers(args: Arguments, job: Job) -> Workers:
    if args.scheduler is None:
        return LocalWorkers(job, args.processes or processors())
    from ..work.cluster import ClusterWorkers

    return ClusterWorkers(args.scheduler, job, MOST_AT_WORK)


# What is told in the end


def _tell(run: Run, args: Arguments, screen: Screen) -> None:
    tournament = run.tournament
    results = counted(tournament, run.now.results)
    table = standings_of(tournament, results)
    if args.json:
        import json

        screen.say(json.dumps(as_facts(tournament, table, results)))
        return
    parts = [standings_text(table, terminal_width()), cross_table_text(results, [each.name for each in table])]
    if len(tournament.entrants) == 2:
        parts.append(match_text(results, tournament.names))
    if run.test is not None:
        parts.append(f"SPRT of {run.test}.")
    parts.append(faults_text(table))
    command = f"maxconnect4 report {shlex.quote(run.file.name)}"
    parts.append(f"The results are in {run.file.name}. For a page of them:\n  {command}")
    screen.say("\n\n".join(part for part in parts if part))
