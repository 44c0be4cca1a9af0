"""Games of `match` and `tournament`: their options, playing them, and the display of standings and results."""

from __future__ import annotations

import shlex
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Generator, Iterable
from dataclasses import replace
from functools import partial

from rich.console import Group
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ..board import GAMES, Board, result_text
from ..errors import BadSetup, quote_path
from ..files import make_folder
from ..formatting import format_cpu_time, plural
from ..players import SearchingPlayer
from ..referee import report
from ..referee.game import GameResult, GameSetup, play
from ..referee.match import TournamentProgress, TournamentRun
from ..referee.match_statistics import Interval
from ..referee.move_validation import MoveResult
from ..referee.program import Program
from ..referee.sandbox import become_subreaper, exit_on_signals
from ..referee.standings import Standing
from ..referee.store import ResultStore
from ..referee.tournament import ADJUDICATE, Tournament, TournamentResult
from ..system import processors
from ..workers import Done, Item, Output, Task, WorkerJob, Workers
from ..workers.dask import ClusterWorkers
from ..workers.local import LocalWorkers
from . import options
from .output import drop_columns, rich_table, table_text, truncate_name
from .progress import LiveDisplay, duration_text
from .terminal import EndOfInput, Keyboard, MovePrompt, Screen, in_terminal, program, terminal_width


class TerminalWorkers:
    """Workers that play the games one after another in this process, where a user enters moves at the terminal."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.keyboard = Keyboard(sys.stdin, screen)

    def run(self, tasks: Iterable[Task[GameSetup]]) -> Generator[list[Done[GameSetup, GameResult]]]:
        """Play all games: see `Workers`."""
        for task in tasks:
            for setup in task.items:
                game = setup.game
                self.screen.print(f"\nGame {game.number}: {game.red} is red, {game.green} is green.\n")
                prompt = MovePrompt(self.keyboard, self.screen, SearchingPlayer(), len(game.opening))
                played = play(setup, partial(self._ask, prompt))
                if played.faults:
                    self.screen.print(f"{played.faults[-1].kind}: {played.faults[-1].detail}")
                board = played.board(setup.rules.game)
                self.screen.print_board(board)
                if board.is_over():
                    self.screen.print(result_text(board))
                yield [Done(setup, played)]

    def _ask(self, prompt: MovePrompt, board: Board) -> MoveResult | None:
        self.screen.print_board(board)
        column = prompt.ask(board)
        return None if column is None else MoveResult(column, None, (), 0.0)


MAX_SUBMITTED = 500  # games that a cluster gets at once: a match may be decided before all of them are needed


def add_games(parser: ArgumentParser, openings: str, game: str, seed: str) -> None:
    """Options of the games: game, openings, adjudication and random seed, with the text of their defaults."""
    parser.add_argument("--game", choices=GAMES, help=f"max, or classic: the first four wins (default: {game})")
    parser.add_argument(
        "--openings",
        metavar="WHICH",
        help=f"a file with a move string on each line, or random:plies=4,count=20,seed=1 (default: {openings})",
    )
    parser.add_argument(
        "--adjudicate", action="store_true", help=f"end a game at {ADJUDICATE} empty cells with its exact value"
    )
    cells = options.number("a number of empty cells", 0, 42)
    options.add_number(parser, "--adjudicate-at", cells, "end a game at N empty cells with its exact value")
    options.add_number(parser, "--seed", options.seed_from, f"random seed (default: {seed})")


def add_running(parser: ArgumentParser) -> None:
    """Options of the run: workers, review, transcripts and JSON."""
    options.add_workers(parser, "games")
    parser.add_argument(
        "--review", action="store_true", help="compute the regret of every move with the solver, after the games"
    )
    parser.add_argument("--transcripts", metavar="FOLDER", help="write a text file for each player, with its games")
    options.add_json(parser, "tables")


def adjudicate_at(args: Namespace) -> int | None:
    """The number of empty cells at which a game is adjudicated, if the command line has one."""
    cells: int | None = args.adjudicate_at
    return ADJUDICATE if args.adjudicate and cells is None else cells


def with_isolation(tournament: Tournament, isolation: str) -> Tournament:
    """The tournament with an isolation of its programs."""
    players = (replace(each, limits=replace(each.limits, isolation=isolation)) for each in tournament.players)
    return replace(tournament, players=tuple(players))


def play_tournament(tournament: Tournament, path: str, args: Namespace, screen: Screen) -> int:
    """Play the games that are missing, review them if requested, and print the results."""
    has_human = any(player.is_human for player in tournament.players)
    if has_human and args.scheduler is not None:
        raise BadSetup("a human plays in this terminal: leave out --scheduler")
    if args.transcripts is not None:
        make_folder(args.transcripts)
    if args.scheduler is None:
        for player in tournament.players:
            if player.command:
                Program(player)  # validates its folder
    become_subreaper()  # of workers that are killed
    if has_human:
        exit_on_signals()  # programs then run in this process
    with ResultStore(path) as file:
        run = TournamentRun(tournament, file)
        for line in run.changes.lines():
            print(line, file=sys.stderr, flush=True)
        options.report_isolation(tournament.players, args.scheduler)
        try:
            with StandingsDisplay(tournament, quiet=has_human) as display:
                run.play((lambda _: TerminalWorkers(screen)) if has_human else partial(_workers, args), display.update)
                if args.review:
                    run.review(partial(_workers, args), display.update)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"{_stored(run.now)} stored in {file.name}; repeat the command to resume") from None
        except EndOfInput as end:
            screen.print(f"{end} {_stored(run.now).capitalize()} stored in {file.name}; repeat the command to resume.")
            return 0
        _print_results(run, args, screen)
        if args.transcripts is not None:
            texts = report.save_transcripts(args.transcripts, *report.read_results(run.file))
            if not args.json:
                screen.print(f"{quote_path(args.transcripts)} has a text file for each of {len(texts)} players.")
    return 0


def _stored(now: TournamentProgress) -> str:
    games = len(now.results)
    return f"{plural(games, 'game')} {'is' if games == 1 else 'are'}"


def _workers(args: Namespace, job: WorkerJob[Item, Output]) -> Workers[Item, Output]:
    if args.scheduler is None:
        return LocalWorkers(job, args.processes or processors())
    return ClusterWorkers(args.scheduler, job, MAX_SUBMITTED)


# Results


def _print_results(run: TournamentRun, args: Namespace, screen: Screen) -> None:
    result = TournamentResult.of(run.tournament, run.now.results)
    if args.json:
        screen.print_json(result.to_dict())
        return
    table = result.standings
    parts = [standings_text(table, terminal_width()), cross_table_text(result)]
    if len(run.tournament.players) == 2:
        parts.append(match_text(result))
    if result.test is not None:
        parts.append(f"SPRT of {result.test}.")
    parts.append(faults_text(table))
    command = f"{program()} report {shlex.quote(run.file.name)}"
    parts.append(f"The results are in {run.file.name}. To make a report:\n  {command}")
    screen.print("\n\n".join(part for part in parts if part))


# Standings

COLUMNS_TO_DROP = ("points", "CPU", "margin", "drawn", "regret", "Elo", "lost", "won", "games", "by", "faults")
OPTIONAL_COLUMNS = ("by", "points", "regret", "faults")  # without them if they are empty
MAX_CROSS_TABLE_PLAYERS = 16  # players whose cross table a terminal can show


def standings_cells(table: list[Standing], width: int | None = None) -> tuple[list[str], list[list[str]]]:
    """Head and rows of the standings, without columns that are empty and those that do not fit into the width."""
    columns = {
        "": [str(each.rank) for each in table],
        "player": [truncate_name(each.name) for each in table],
        "by": [each.merit for each in table],
        "games": [str(each.games) for each in table],
        "won": [str(each.wins) for each in table],
        "drawn": [str(each.draws) for each in table],
        "lost": [str(each.losses) for each in table],
        "score": [f"{each.score:g}" for each in table],
        "points": ["" if each.points_for is None else f"{each.points_for}-{each.points_against}" for each in table],
        "Elo": ["" if each.rating is None else f"{each.rating.elo:+z.0f} ± {each.rating.bar:.0f}" for each in table],
        "margin": [_interval(each.margin) for each in table],
        "CPU": ["" if each.cpu_seconds is None else format_cpu_time(each.cpu_seconds) for each in table],
        "regret": ["" if each.regret is None else f"{each.regret:.3f}" for each in table],
        "faults": [str(sum(each.faults.values()) or "") for each in table],
    }
    shown = {title: cells for title, cells in columns.items() if title not in OPTIONAL_COLUMNS or any(cells)}
    rows = [list(row) for row in zip(*shown.values(), strict=True)]
    return drop_columns(list(shown), rows, COLUMNS_TO_DROP, width)


def standings_text(table: list[Standing], width: int | None) -> str:
    """The standings, a line for each player."""
    return table_text(*standings_cells(table, width), left=[1])


def cross_table_text(result: TournamentResult) -> str | None:
    """The score of every player against every other; None for two players, whose match has its own text."""
    names, met = [each.name for each in result.standings], result.cross_table
    if len(names) > MAX_CROSS_TABLE_PLAYERS:
        return f"The cross table of {len(names)} players is in the report."
    if len(names) == 2:
        return None
    rows = []
    for number, one in enumerate(names, start=1):
        cells = [
            "-" if one == other else f"{met[one, other].score:g}" if met[one, other].games else "" for other in names
        ]
        rows.append([str(number), truncate_name(one), *cells])
    return table_text(["", "against", *map(str, range(1, len(names) + 1))], rows, left=[1])


def match_text(result: TournamentResult) -> str:
    """The difference in strength between two players."""
    names, estimate = result.tournament.names, result.elo
    if not estimate.pairs:
        return "No pair of games is complete yet."
    text = f"{names[0]} against {names[1]}, {plural(estimate.pairs, 'pair')} of games: score {estimate.score:.1%}"
    ends = [
        f"{bound} {end:+z.0f}"
        for bound, end in (("at least", estimate.low), ("at most", estimate.high))
        if end is not None
    ]
    if estimate.elo is None:
        elo = f", Elo {' and '.join(ends)} (95 %)" if ends else ", too few pairs for an estimate"
    elif estimate.low is not None and estimate.high is not None:
        elo = f", Elo {estimate.elo:+z.0f} (95 %: {estimate.low:+z.0f} to {estimate.high:+z.0f})"
    else:
        elo = f", Elo {estimate.elo:+z.0f}, from too few pairs for an interval"
    return f"{text}{elo}, stronger with a probability of {estimate.superiority:.1%}."


def faults_text(table: list[Standing]) -> str:
    """Faults and notes by kind, a line for each player that has some."""
    lines = []
    for each in table:
        for what, counts in (("fault", each.faults), ("note", each.notes)):
            if counts:
                kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(counts.items()))
                lines.append(f"{truncate_name(each.name)}, {what}s: {kinds}")
    return "\n".join(lines)


def _interval(interval: Interval) -> str:
    if interval.mean is None:
        return ""
    if interval.low is None or interval.high is None:
        return f"{interval.mean:+z.2f}"
    return f"{interval.mean:+z.2f} ± {interval.high - interval.mean:.2f}"


class StandingsDisplay(LiveDisplay):
    """The standings and a bar, in a terminal; elsewhere lines with the number of games."""

    def __init__(self, tournament: Tournament, quiet: bool) -> None:
        super().__init__()
        self.tournament = tournament
        self.quiet = quiet
        self._start = time.monotonic()
        self._first: int | None = None
        self._next = 0.0

    def update(self, now: TournamentProgress) -> None:
        """Show the progress; the standings are drawn at most a few times a second."""
        if self._first is None:
            self._first = len(now.results)
        moment = time.monotonic()
        if self.quiet or moment < self._next:
            return
        self.show(self._games_text(now), lambda: self._drawing(now))
        if in_terminal():
            self._next = time.monotonic() + min(max(0.25, 10 * (time.monotonic() - moment)), 2.0)

    def _games_text(self, now: TournamentProgress) -> str:
        if now.to_review:
            return f"{now.reviewed:,} of {now.to_review:,} games reviewed"
        done = len(now.results)
        text = f"{done:,} of {now.scheduled:,} games"
        fresh = done - (self._first or 0)
        if fresh:
            left = (time.monotonic() - self._start) / fresh * (now.scheduled - done)
            text += f" (about {duration_text(left)} left)"
        return text

    def _drawing(self, now: TournamentProgress) -> Group:
        width, height = self.size()
        most = max(height - 4, 1)  # and a head, a line for the others, the bar, and one that stays free
        head, rows = standings_cells(TournamentResult.of(self.tournament, now.results).standings, width)
        table = rich_table(head, rows[:most], left=[1])
        if len(rows) > most:
            table.add_row("", f"and {len(rows) - most} more")
        done, total = (now.reviewed, now.to_review) if now.to_review else (len(now.results), now.scheduled)
        bar = Table.grid(padding=(0, 1))
        bar.add_row(ProgressBar(max(total, 1), done, width=40), Text(self._games_text(now)))
        return Group(table, bar)
