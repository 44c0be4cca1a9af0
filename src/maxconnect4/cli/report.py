"""Write a report on a program, ready to hand in, or on a match or a tournament from its results file.

Report on a program: for a command, or a built-in player as for match, report measures the CPU time by depth from the
empty board, the regret, and 20 games against random. It writes an HTML page, a Markdown file and plots, with your
description of the evaluation from --about. The measurements are stored next to the report: the same command resumes
after Ctrl-C, and --restart deletes them first. To write the report again without measuring, pass the file of the
measurements instead of the player.

Report on a results file: one HTML page next to the file, with the standings, the cross table, plots, a viewer for every
game, and the faults with their evidence. It loads nothing from the network. The tournament need not be finished. If
options name files, only these files are written; - is standard output.

Below, 'games:' marks options for the results of a match or a tournament, and 'program:' options for a program.

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
import shlex
import shutil
import struct
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..benchmark.players import parse_players, refuse_to_overwrite
from ..benchmark.positions import parse_position_set
from ..benchmark.report import report_markdown, split_series
from ..benchmark.runner import Plan
from ..benchmark.store import Measurements
from ..benchmark.summary import MeasurementSummary, summarise
from ..benchmark.tables import PublishedTable
from ..documents import html_page
from ..errors import BadFile, quote_path
from ..files import check_writable, open_regular, read_text
from ..formatting import parse_seconds
from ..plots import load_matplotlib
from ..referee import report
from ..referee.conformance import BASELINE_GAMES
from ..referee.game import PlayedGame
from ..referee.isolation import AUTO, ISOLATIONS
from ..referee.limits import ResourceLimits
from ..referee.players import BUILT_IN, parse_player
from ..referee.report.data import Event
from ..referee.sandbox import become_subreaper, exit_on_signals
from ..referee.standings import Standing
from ..referee.store import ResultStore
from ..safe_text import file_names
from . import UsageError
from .options import add_number, add_restart, number
from .output import STANDARD_OUTPUT, Output, check_distinct
from .progress import CPU_LIMIT, GIVE_UP_FACTOR, NOTHING_NEW, measure_with_progress
from .terminal import Screen, print_error, program

GAMES, MEASURED, PLAYER = "games", "measured", "player"
MAGIC = b"SQLite format 3\0"
APPLICATION_ID = 68  # offset of its four bytes in the header of the file


def report_kind(word: str) -> str:
    """The kind of an argument: a file of games or measurements, or a player. Errors are those of games."""
    if os.path.isfile(word):
        return _kind_of_file(word)
    if os.path.exists(word):
        return GAMES
    try:
        words = shlex.split(word)
    except ValueError:  # the parser of the command reports it
        return PLAYER
    is_command = len(words) > 1 or BUILT_IN.fullmatch(word) or (words and shutil.which(words[0]))
    return PLAYER if is_command else GAMES


def _kind_of_file(path: str) -> str:
    try:
        with open_regular(path, "file") as file:
            head = file.read(100)
    except BadFile:  # executables may be unreadable
        head = b""
    if head.startswith(MAGIC) and len(head) == 100:
        (number,) = struct.unpack_from(">I", head, APPLICATION_ID)
        return MEASURED if number == Measurements.FORMAT else GAMES
    return PLAYER if os.access(path, os.X_OK) else GAMES


PICTURES = ("cpu", "regret_by_cpu", "regret_by_depth")


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """Output paths; None for files that are not requested, - for standard output."""

    html: str | None
    markdown: str | None
    pictures: dict[str, str]  # beside the Markdown text, by name
    database: str  # of the measurements

    @property
    def written(self) -> list[str]:
        """All output files but the database."""
        return [path for path in (self.html, self.markdown, *self.pictures.values()) if path not in (None, "-")]

    @property
    def has_plots(self) -> bool:
        return bool(self.html or self.pictures)


def report_files(args: Namespace) -> ReportFiles:
    """The files of the command line: all of them without --html and --markdown."""
    base = _base(args) if args.output is None else _given_base(args)
    database = args.results if report_kind(args.results) == MEASURED else f"{base}.sqlite"
    if args.html is None and args.markdown is None:
        return ReportFiles(f"{base}.html", f"{base}.md", _pictures(f"{base}.md"), database)
    return ReportFiles(args.html, args.markdown, _pictures(args.markdown), database)


def _pictures(text: str | None) -> dict[str, str]:
    if text is None or text == "-":
        return {}
    base = os.path.splitext(text)[0]
    return {name: f"{base}-{name.replace('_', '-')}.svg" for name in PICTURES}


def _given_base(args: Namespace) -> str:
    """The base of --output, without the suffix of one of the files, and within an existing folder."""
    output: str = args.output
    if os.path.isdir(output) or output.endswith(os.sep):
        return os.path.join(output, os.path.basename(_base(args)))
    base, ending = os.path.splitext(output)
    return base if ending in (".html", ".md") else output


def _base(args: Namespace) -> str:
    """The database without its suffix, or the name of the player as a file name."""
    results: str = args.results
    if report_kind(results) == MEASURED:
        return os.path.splitext(results)[0]
    (player,) = parse_players([results], ResourceLimits())
    return os.path.splitext(file_names([player.name])[player.name])[0]


def command_line(args: Namespace) -> str:
    """The command line that repeats the measurement."""
    words = ["maxconnect4", "report", args.results]
    for name in ("limit", "deepest", "positions", "games", "about", "author", "output", "html", "markdown"):
        value = getattr(args, name)
        words += [] if value is None else [f"--{name}", value if isinstance(value, str) else f"{value:g}"]
    return shlex.join(words)


EXACT = "exact"
DEEPEST_STRENGTH = 4  # the set has hundreds of positions


def measure_player(args: Namespace) -> MeasurementSummary:
    plans = benchmark_plans(args)
    for player in plans[0].players:
        refuse_to_overwrite(player.spec, [*report_files(args).written, report_files(args).database])
    become_subreaper()
    exit_on_signals()
    with Measurements(report_files(args).database) as file:
        if args.restart:
            file.clear()
        try:
            new = [measure_with_progress(plan, file) for plan in plans]
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"the measurements are in {file.name}; repeat the command to resume") from None
        if not any(new):
            print_error(NOTHING_NEW)
        file.put_metadata({"command": command_line(args)})
        return summarise(file)


def benchmark_plans(args: Namespace) -> list[Plan]:
    """CPU time from the empty board, then regret and games against random."""
    limit = CPU_LIMIT if args.limit is None else args.limit
    limits = ResourceLimits(GIVE_UP_FACTOR * limit, GIVE_UP_FACTOR * limit, isolation=args.isolation or AUTO)
    players = tuple(parse_players([args.results], limits))
    positions = parse_position_set(args.positions or EXACT)
    if not positions.has_scores:
        raise BadFile(f"{quote_path(args.positions)} has no exact scores: generate a set with '{program()} positions'")
    deepest = DEEPEST_STRENGTH if args.deepest is None else min(args.deepest, DEEPEST_STRENGTH)
    games = BASELINE_GAMES if args.games is None else args.games
    opponent = parse_player("random") if games else None
    return [
        Plan(players, (parse_position_set("empty"),), last=args.deepest, limit=limit),
        Plan(players, (positions,), last=deepest, limit=limit, opponent=opponent, games=games),
    ]


MAX_DESCRIPTION_BYTES = 100_000  # of a description


def _check_program_arguments(args: Namespace) -> None:
    if args.output is not None and (args.html is not None or args.markdown is not None):
        raise UsageError("give --output, or --html and --markdown, not both")
    if args.html == args.markdown == STANDARD_OUTPUT:
        raise UsageError("--html - and --markdown - both use standard output: choose one of them")
    files = report_files(args)
    check_distinct([*files.written, files.database], [args.about])


def _run_program(args: Namespace, screen: Screen) -> int:
    about = "" if args.about is None else read_description(args.about)
    files = report_files(args)
    for path in files.written:
        check_writable(path)
    if files.has_plots:
        load_matplotlib()  # before the measurement
    if report_kind(args.results) == MEASURED:
        with Measurements(args.results, read_only=True) as file, file.stored_values():
            write(summarise(file), about, args, screen)
    else:
        messages = write(measure_player(args), about, args, screen)
        messages.print(f"The measurements are in {quote_path(files.database)}.")
    return 0


def write(summary: MeasurementSummary, about: str, args: Namespace, screen: Screen) -> Screen:
    """Write the requested files, and return the screen for further messages."""
    from ..benchmark.tables import AS_PUBLISHED, published_tables

    if not summary.series and not summary.games:
        raise BadFile(f"{quote_path(args.results)}: nothing is measured yet")
    files = report_files(args)
    output = Output(screen, (files.html, files.markdown))
    beside_others = summary.game == "max" and any(each.positions in AS_PUBLISHED for each in summary.series)
    published = published_tables() if beside_others else ()
    pictures = draw_plots(summary, published) if files.has_plots else {}
    beside = {name: path for name, path in files.pictures.items() if name in pictures}

    def markdown(addresses: dict[str, str]) -> str:
        names = [each.name for each in published]
        return report_markdown(summary, author=args.author or "", about=about, published=names, pictures=addresses)

    for name, path in beside.items():
        output.write(path, pictures[name])
    if files.html is not None:
        output.write(files.html, html_page(markdown({name: name for name in pictures}), pictures))
    if files.markdown is not None:
        output.write(files.markdown, markdown({name: os.path.basename(path) for name, path in beside.items()}))
    return output.messages


def draw_plots(summary: MeasurementSummary, published: Sequence[PublishedTable] = ()) -> dict[str, bytes]:
    """The plots of the report that have data, as SVG by name."""
    from ..benchmark import plots

    times, strengths = split_series(summary)
    pictures = {}
    if any(row.cpu_seconds for each in times for row in each.rows):
        pictures["cpu"] = plots.cpu_by_depth(times, published)
    if any(row.regret for each in strengths for row in each.rows):
        pictures["regret_by_cpu"] = plots.regret_by_cpu(strengths, game=summary.game)
    if any(row.regret and row.depth is not None for each in strengths for row in each.rows):
        pictures["regret_by_depth"] = plots.regret_by_depth(strengths, game=summary.game)
    return pictures


def read_description(path: str) -> str:
    text = read_text(path, "description", MAX_DESCRIPTION_BYTES)
    if not text.strip():
        raise BadFile(f"{quote_path(path)} is empty: it should describe the evaluation function")
    return text


GAME_FILES = ("html", "csv", "games-csv", "jsonl", "pgn")


def _run_games(args: Namespace, screen: Screen) -> int:
    requested = _requested_files(args)
    if not os.path.exists(args.results):
        raise BadFile(f"{quote_path(args.results)}: there is no such file, and no such player")
    if os.path.isdir(args.results):
        raise BadFile(f"{quote_path(args.results)} is a folder, not a results file")
    name, ending = os.path.splitext(args.results)
    if ending == ".toml":
        result = quote_path(f"{name}.sqlite")
        raise BadFile(f"{quote_path(args.results)} is not a results file: 'tournament' stores the results in {result}")
    output = Output(screen, requested.values())
    for path in requested.values():
        if path != STANDARD_OUTPUT:
            check_writable(path)
    with ResultStore(args.results, read_only=True) as file, file.stored_values():
        _write(*report.read_results(file), requested, args.transcripts, output)
    return 0


def _write(
    event: Event,
    table: list[Standing],
    results: list[PlayedGame],
    requested: dict[str, str],
    transcripts: str | None,
    output: Output,
) -> None:
    texts: dict[str, Callable[[], str]] = {
        "html": lambda: report.html_report(event, table, results),
        "csv": lambda: report.standings_csv(table),
        "games-csv": lambda: report.games_csv(results, event.game),
        "jsonl": lambda: report.games_jsonl(results, event.game),
        "pgn": lambda: report.games_pgn(event, results),
    }
    for name, path in requested.items():
        output.write(path, texts[name]())
    if transcripts is not None:
        paths = report.save_transcripts(transcripts, event, table, results)
        output.messages.print(f"{quote_path(transcripts)} has a text file for each of {len(paths)} players.")


def _requested_files(args: Namespace) -> dict[str, str]:
    given = {name: getattr(args, name.replace("-", "_")) for name in GAME_FILES}
    requested = {name: path for name, path in given.items() if path is not None}
    if not requested and args.transcripts is None:
        requested["html"] = f"{os.path.splitext(args.results)[0]}.html"
    return requested


#: Options for files. All kinds of reports have a page.
FILE_HELP = {
    "html": "HTML page (default: RESULTS.html, if no option is given)",
    "csv": "games: standings as CSV",
    "games-csv": "games: all games as CSV",
    "jsonl": "games: all games as JSON Lines, with every detail",
    "pgn": "games: all games in the style of chess PGN",
}
GAME_OPTIONS = ("csv", "games-csv", "jsonl", "pgn", "transcripts")
MEASURE_OPTIONS = ("limit", "deepest", "positions", "games", "restart")  # that are not measured yet
PROGRAM_OPTIONS = ("output", "markdown", "about", "author", *MEASURE_OPTIONS)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "results",
        metavar="results-or-player",
        help="results file of match, tournament or measure, or a player to measure",
    )
    for name, what in FILE_HELP.items():
        parser.add_argument(f"--{name}", metavar="FILE", help=what)
    parser.add_argument(
        "--transcripts", metavar="FOLDER", help="games: a text file for each player, with its games and faults"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="BASE",
        help="program: write BASE.html, BASE.md and the plots BASE-*.svg (default: the name of the player)",
    )
    parser.add_argument(
        "--markdown", metavar="FILE", help="program: Markdown file, with its plots next to it; without plots for -"
    )
    parser.add_argument(
        "--about", metavar="FILE", help="program: description of its evaluation, as plain text or Markdown"
    )
    parser.add_argument("--author", metavar="NAME", help="program: its author")
    parser.add_argument(
        "--limit",
        type=parse_seconds,
        metavar="SECONDS",
        help="program: CPU time of a move above which no deeper search is measured (default: 60)",
    )
    add_number(
        parser, "--deepest", number("a number of plies", 0, 1000), "program: largest depth (default: up to --limit)"
    )
    parser.add_argument(
        "--positions",
        metavar="WHICH",
        help="program: positions to measure the regret on at depths 1 to 4, a file of 'maxconnect4 positions' "
        "(default: exact, the 276 included positions)",
    )
    add_number(
        parser,
        "--games",
        number("a number of games", 0, 10_000),
        "program: number of games against random (default: 20)",
    )
    parser.add_argument(
        "--isolation",
        choices=ISOLATIONS,
        help="program: isolation method, auto (the strongest available), bubblewrap or none (default: auto)",
    )
    add_restart(parser, "program: delete earlier measurements first")


def check_arguments(args: Namespace) -> None:
    kind = report_kind(args.results)
    others = (
        PROGRAM_OPTIONS if kind == GAMES else (*GAME_OPTIONS, *MEASURE_OPTIONS) if kind == MEASURED else GAME_OPTIONS
    )
    wrong = next((name for name in others if getattr(args, name.replace("-", "_")) not in (None, False)), None)
    if wrong is not None and (kind != GAMES or os.path.exists(args.results)):
        what = "games" if wrong in GAME_OPTIONS else "a player to measure" if wrong in MEASURE_OPTIONS else "a program"
        raise UsageError(f"--{wrong} is for a report of {what}: leave it out")
    if kind == GAMES:
        check_distinct([*_requested_files(args).values(), args.transcripts], [args.results])
    else:
        _check_program_arguments(args)


def run(args: Namespace, screen: Screen) -> int:
    return (_run_games if report_kind(args.results) == GAMES else _run_program)(args, screen)
