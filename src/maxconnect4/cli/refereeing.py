"""What match and tournament share: their options, what a terminal shows meanwhile, and how it all is run and told."""

from __future__ import annotations

import shutil
import sys
import time
from functools import partial

from ..board import NAMES
from ..errors import BadEntrant, shown
from ..referee import report
from ..referee.playing import play
from ..referee.report.transcripts import make_folder
from ..referee.results import Results
from ..referee.sandbox import adopt_orphans, end_with_signals
from ..referee.tournament import ADJUDICATE, Run, counted, standings_of
from ..solver import default_threads
from ..work.local import LocalWorkers
from ..work.tasks import Done
from .arguments import whole_number
from .display import duration, in_terminal, show_the_cursor_again_when_ended
from .keyboard import EndOfInput, Keyboard
from .screen import complain
from .standings_table import (
    as_facts,
    cross_table_text,
    faults_text,
    head_and_rows,
    match_text,
    standings_text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Generator, Iterable
    from types import TracebackType
    from typing import Self

    from rich.console import Console
    from rich.live import Live

    from ..board import Board
    from ..referee.program import Answer
    from ..referee.tournament import Progress, Tournament
    from ..work.tasks import Job, Task, Workers
    from .parsing import Arguments, PlainParser
    from .screen import Screen

INTERRUPTED = 130
MOST_AT_WORK = 500  # games that a cluster knows of: a match may be decided before all of them are needed
LINE_EVERY = 60  # seconds, where there is no terminal


def add_games(parser: ArgumentParser | PlainParser, openings: str) -> None:
    """Which games are played."""
    parser.add_argument(
        "--openings",
        metavar="WHICH",
        help=f"a file with a move string on each line, or random:plies=4,count=20,seed=1 (default: {openings})",
    )
    parser.add_argument(
        "--adjudicate", action="store_true", help=f"stop at {ADJUDICATE} empty cells: the solver plays on"
    )
    parser.add_argument(
        "--adjudicate-at", type=_cells, metavar="CELLS", help="the same with another number of empty cells"
    )
    parser.add_argument("--seed", type=_seed, metavar="N", help="of all that is left to chance (default: 1)")


def add_running(parser: ArgumentParser | PlainParser) -> None:
    """How the games are run, and what becomes of the results."""
    parser.add_argument(
        "--concurrency", type=_concurrency, metavar="N", help="games at a time (default: the number of processors)"
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster, whose workers play the games")
    parser.add_argument(
        "--review", action="store_true", help="have the solver find what each move gave away, when all is played"
    )
    parser.add_argument("--transcripts", metavar="FOLDER", help="write a text file with its games for each player")
    parser.add_argument("--json", action="store_true", help="print one line of JSON instead of the tables")


def adjudicate_at(args: Arguments) -> int | None:
    """With how many empty cells the solver plays on, if the command line says so."""
    cells: int | None = args.adjudicate_at
    return ADJUDICATE if args.adjudicate and cells is None else cells


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    if args.scheduler is not None and args.concurrency is not None:
        return "give --concurrency or --scheduler, not both"
    return None


def run(tournament: Tournament, path: str, args: Arguments, screen: Screen) -> int:
    """Play what is not played yet, review it if asked to, and tell how it stands."""
    has_human = any(entrant.is_human for entrant in tournament.entrants)
    if has_human and args.scheduler is not None:
        raise BadEntrant("a human plays on this machine: do without --scheduler")
    if args.transcripts is not None:
        make_folder(args.transcripts)
    adopt_orphans()  # of workers that are killed
    if has_human:
        end_with_signals()  # programs then run in this process
    with Results(path) as file:
        run = Run(tournament, file)
        try:
            with Scoreboard(tournament, quiet=has_human) as scoreboard:
                run.play(partial(_here, screen) if has_human else partial(_workers, args), scoreboard.show)
                if args.review:
                    run.review(partial(_workers, args), scoreboard.show)
        except KeyboardInterrupt:
            complain(f"interrupted; {_kept(run.now)} kept in {file.name}, and the same command goes on")
            return INTERRUPTED
        except EndOfInput as end:
            screen.say(f"{end} {_kept(run.now).capitalize()} kept in {file.name}, and the same command goes on.")
            return 0
        _tell(run, args, screen)
        if args.transcripts is not None:
            report.save_transcripts(args.transcripts, *report.read(run.file))
    return 0


def _kept(now: Progress) -> str:
    games = len(now.results)
    return f"{games:,} game{'s' * (games != 1)} {'is' if games == 1 else 'are'}"


def _workers(args: Arguments, job: Job) -> Workers:
    if args.scheduler is None:
        return LocalWorkers(job, args.concurrency or default_threads())
    from ..work.cluster import ClusterWorkers

    return ClusterWorkers(args.scheduler, job, MOST_AT_WORK)


# A person as a player


class _Here:
    """Plays the games one after another in this process, where a person can be asked."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.keyboard = Keyboard(sys.stdin, screen)

    def run(self, tasks: Iterable[Task]) -> Generator[list[Done]]:
        """Play all games: see `Workers`."""
        for task in tasks:
            for fixture in task.items:
                game = fixture.game
                self.screen.say(f"\nGame {game.number}: {game.red} is red, {game.green} is green.\n")
                played = play(fixture, self._ask)
                if played.faults:
                    self.screen.say(f"{played.faults[-1].kind}: {played.faults[-1].detail}")
                self.screen.show(played.board())
                yield [Done(fixture, played)]

    def _ask(self, board: Board) -> Answer:
        from ..referee.program import Answer

        start = time.monotonic()
        self.screen.show(board)
        while True:
            answer = self.keyboard.ask(f"Your move, {NAMES[board.to_move]}: ")
            if answer.lower() in ("q", "quit", "exit"):
                raise EndOfInput("Bye.")
            if answer.isascii() and answer.isdigit() and len(answer) < 3 and int(answer) in board.columns():
                return Answer(int(answer), None, (), 0.0, time.monotonic() - start)
            self.screen.say(f"{shown(answer)} is none of the columns {', '.join(map(str, board.columns()))}, nor q.")
            self.keyboard.count_failure()


def _here(screen: Screen, _: Job) -> Workers:
    return _Here(screen)


# What is shown meanwhile


class Scoreboard:
    """The standings and a bar, in a terminal; elsewhere a line now and then."""

    MOST_ROWS = 20

    def __init__(self, tournament: Tournament, quiet: bool) -> None:
        self.tournament = tournament
        self.quiet = quiet
        self._start = time.monotonic()
        self._first: int | None = None
        self._next = 0.0 if in_terminal() else self._start + LINE_EVERY
        self._live: Live | None = None
        self._console: Console | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, now: Progress) -> None:
        """Show how far it is, now and then."""
        if self._first is None:
            self._first = len(now.results)
        moment = time.monotonic()
        if self.quiet or moment < self._next:
            return
        if not in_terminal():
            complain(self._words(now))
            self._next = moment + LINE_EVERY
            return
        self._draw(now)
        self._next = time.monotonic() + min(max(0.25, 10 * (time.monotonic() - moment)), 2.0)

    def _words(self, now: Progress) -> str:
        if now.to_review:
            return f"{now.reviewed:,} of {now.to_review:,} games reviewed"
        done = len(now.results)
        text = f"{done:,} of {now.scheduled:,} games"
        fresh = done - (self._first or 0)
        if fresh:
            left = (time.monotonic() - self._start) / fresh * (now.scheduled - done)
            text += f", about {duration(left)} left"
        return text

    def _draw(self, now: Progress) -> None:
        from rich.console import Console, Group
        from rich.live import Live
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        self._console = self._console or Console(stderr=True)
        head, rows = head_and_rows(
            standings_of(self.tournament, counted(self.tournament, now.results)), width=self._console.width
        )
        table = Table(box=None, pad_edge=False)
        for number, title in enumerate(head):
            table.add_column(title, justify="left" if number == 1 else "right", no_wrap=True)
        for row in rows[: self.MOST_ROWS]:
            table.add_row(*map(Text, row))
        if len(rows) > self.MOST_ROWS:
            table.add_row("", f"and {len(rows) - self.MOST_ROWS} more")
        done, total = (now.reviewed, now.to_review) if now.to_review else (len(now.results), now.scheduled)
        bar = Table.grid(padding=(0, 1))
        bar.add_row(ProgressBar(max(total, 1), done, width=40), Text(self._words(now)))
        if self._live is None:
            self._live = Live(
                console=self._console,
                auto_refresh=False,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start()
            show_the_cursor_again_when_ended()
        self._live.update(Group(table, bar), refresh=True)


# What is told in the end


def _width() -> int | None:
    """What fits into a line of the terminal, if there is one."""
    return shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else None


def _tell(run: Run, args: Arguments, screen: Screen) -> None:
    tournament = run.tournament
    results = counted(tournament, run.now.results)
    table = standings_of(tournament, results)
    if args.json:
        import json

        screen.say(json.dumps(as_facts(tournament, table, results)))
        return
    parts = [standings_text(table, _width()), cross_table_text(results, [each.name for each in table])]
    if len(tournament.entrants) == 2:
        parts.append(match_text(results, tournament.names))
    if run.test is not None:
        parts.append(f"SPRT of {run.test}.")
    parts.append(faults_text(table))
    parts.append(f"The results are in {run.file.name}; 'maxconnect4 report {run.file.name}' makes a page of them.")
    screen.say("\n\n".join(part for part in parts if part))


def _concurrency(text: str) -> int:
    return whole_number(text, 1, 1024, "games at a time")


def _cells(text: str) -> int:
    return whole_number(text, 0, 42, "empty cells")


def _seed(text: str) -> int:
    return whole_number(text, 0, 10**9 - 1, "a seed")
