"""Measure players: CPU time, nodes and regret of their moves by depth.

A player is a command that makes one move from a file to a file, as for match, or a built-in player: depth (the search
of maxconnect4, at every depth), depth:eval=lines, perfect, level:4, time:0.5 or random. A player with a fixed depth,
such as depth:6, or depth=4 before a command, is measured at that depth only. CPU time is the user and system time of
all processes of a move, including start-up. The built-in players depth and perfect run as 'maxconnect4 one-move', and
the others in this process.

By default, a player moves on the empty board, at every depth from 1 up to the first at which a move takes more than a
minute. Each measurement is stored immediately: the same command resumes after Ctrl-C, and prints the tables again when
everything is measured.

Examples:
  maxconnect4 measure "python3 mine.py"
  maxconnect4 measure "python3 mine.py" depth depth:eval=table --limit 10 --plot times.png
  maxconnect4 measure depth "java -cp jacob maxconnect4 one-move {in} {out} {depth}" --depths 0-12 --markdown times.md
  maxconnect4 measure "python3 mine.py" depth --positions exact --depths 1-4 --regret-plot regret.svg
  maxconnect4 measure depth "python3 mine.py --rules={game}" --game classic --limit 10
  maxconnect4 measure "name=ada folder=ada python3 main.py" --positions samples --against random --csv ada.csv
"""

from __future__ import annotations

import os
import re
import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import replace
from zlib import crc32

from ..benchmark.players import parse_players, refuse_to_overwrite
from ..benchmark.positions import parse_position_sets
from ..benchmark.runner import Plan
from ..benchmark.store import Measurements
from ..benchmark.summary import DepthSeries, MeasurementSummary, summarise
from ..benchmark.tables import (
    AS_PUBLISHED,
    Block,
    Heading,
    PublishedTable,
    published_tables,
    read_published,
    summary_blocks,
)
from ..documents import Table
from ..errors import BadSetup, quote
from ..files import check_writable
from ..formatting import parse_seconds
from ..referee.conformance import BASELINE_GAMES
from ..referee.limits import ResourceLimits
from ..referee.players import PlayerSpec, parse_player
from ..referee.sandbox import become_subreaper, exit_on_signals
from ..safe_text import slug
from . import INTERRUPTED, NOT_CONFORMING, UsageError
from .options import (
    MAX_PROGRAM_DEPTH,
    add_game,
    add_isolation,
    add_number,
    add_program_memory,
    add_restart,
    number,
    seed_from,
)
from .output import (
    STANDARD_OUTPUT,
    Output,
    add_plot,
    check_distinct,
    check_plot,
    drop_columns,
    plot_format,
    table_text,
    table_width,
    truncate_name,
)
from .progress import CPU_LIMIT, GIVE_UP_FACTOR, NOTHING_NEW, measure_with_progress
from .terminal import Screen, print_error, program, terminal_width

COLUMNS_TO_DROP = ("worst", "perfect", "range", "branching", "faults", "wall s", "nodes", "nodes/s", "column")


def measured_text(summary: MeasurementSummary, width: int | None = None) -> str:
    """The tables of each position set, without the columns that do not fit the width."""
    return "\n\n".join(_block(block, width) for block in summary_blocks(summary))


def _block(block: Block, width: int | None) -> str:
    match block:
        case Heading(_, text):
            return f"{text}:"
        case tuple():
            return "\n".join(block)
        case Table(caption):
            return "\n\n".join([f"{caption}:", *_side_by_side(block, width)]) if caption else _fitting(block, width)
    return block


def _fitting(table: Table, width: int | None) -> str:
    """The table of one player, without its least important columns if it is too wide."""
    head, rows = list(table.heads), [list(row) for row in table.rows]
    return table_text(*drop_columns(head, rows, COLUMNS_TO_DROP, width))


def _side_by_side(table: Table, width: int | None) -> list[str]:
    """The table of several players, split into several tables if it is too wide."""
    head, rows = [truncate_name(title) for title in table.heads], [list(row) for row in table.rows]
    tables = []
    first = 1
    while first < len(head):
        last = first + 1
        while last < len(head) and (width is None or table_width(*_part(head, rows, first, last + 1)) <= width):
            last += 1
        tables.append(table_text(*_part(head, rows, first, last)))
        first = last
    return tables


def _part(head: list[str], rows: list[list[str]], first: int, last: int) -> tuple[list[str], list[list[str]]]:
    return [head[0], *head[first:last]], [[row[0], *row[first:last]] for row in rows]


GAME_DEPTH = 4


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("players", nargs="*", metavar="PLAYER", help="player to measure (default: depth)")
    add_game(parser)
    parser.add_argument(
        "--positions",
        default="empty",
        metavar="WHICH",
        help="empty, samples (two positions of the assignment), exact (276 positions), a file of "
        "'maxconnect4 positions', a position file, or a move string; or several separated by commas (default: empty)",
    )
    parser.add_argument(
        "--depths",
        type=_depths,
        default=(1, None),
        metavar="A-B",
        help="range of depths, such as 0-12, 8, or 4- (default: 1-)",
    )
    parser.add_argument(
        "--limit",
        type=parse_seconds,
        default=CPU_LIMIT,
        metavar="SECONDS",
        help="CPU time of a move above which no deeper search is measured (default: 60)",
    )
    parser.add_argument(
        "--give-up", type=parse_seconds, metavar="SECONDS", help="time limit of a move (default: 10 times --limit)"
    )
    add_number(
        parser,
        "--runs",
        number("a number of runs", 1, 1000),
        "runs of each move (default: 3, or 1 with more than 10 positions)",
    )
    add_program_memory(parser)
    add_isolation(parser)
    parser.add_argument(
        "--search-only", action="store_true", help="run built-in players in this process, without start-up"
    )
    parser.add_argument("--against", metavar="PLAYER", help="also play games against this player, such as random")
    add_number(
        parser,
        "--games",
        number("a number of games", 1, 10_000),
        "number of these games, with alternating colours (default: 20)",
    )
    add_number(
        parser,
        "--game-depth",
        number("a number of plies", 0, MAX_PROGRAM_DEPTH),
        "search depth in these games (default: 4)",
    )
    add_number(parser, "--seed", seed_from, "random seed (default: 1)", 1)
    parser.add_argument("--results", metavar="FILE", help="file of the measurements (default: named after the players)")
    add_restart(parser, "delete earlier measurements first")
    parser.add_argument("--json", action="store_true", help="print one line of JSON instead of the tables")
    parser.add_argument("--markdown", metavar="FILE", help="write the tables as Markdown; - is standard output")
    parser.add_argument("--csv", metavar="FILE", help="write a row for each player and depth; - is standard output")
    add_plot(parser, "CPU time by depth")
    add_plot(parser, "regret by CPU time", "--regret-plot")
    parser.add_argument(
        "--published",
        metavar="FILE",
        help="times to compare with in the plot, with depth and seconds on each line, or none (default: the published "
        "times of a program in Java)",
    )


def check_arguments(args: Namespace) -> None:
    for name in ("--plot", "--regret-plot"):
        check_plot(args, name)
    for name in ("games", "game_depth"):
        if args.against is None and getattr(args, name) is not None:
            option = name.replace("_", "-")
            raise UsageError(f"--{option} is for games against a player: add --against PLAYER")
    if (args.json, args.markdown == STANDARD_OUTPUT, args.csv == STANDARD_OUTPUT).count(True) > 1:
        raise UsageError("--json, --markdown - and --csv - all use standard output: choose one of them")
    check_distinct(_written(args), [args.results, args.published, *args.positions.split(",")])


def _written(args: Namespace) -> list[str]:
    paths = (args.markdown, args.csv, args.plot, args.regret_plot)
    return [path for path in paths if path not in (None, STANDARD_OUTPUT)]


def run(args: Namespace, screen: Screen) -> int:
    """Measure what the database does not have, and print all of it."""
    for path in _written(args):
        check_writable(path)
    plan = plan_from(args)
    for player in plan.players:
        refuse_to_overwrite(player.spec, [*_written(args), *([args.results] if args.results else [])])
    if args.regret_plot is not None and not any(each.has_scores for each in plan.sets):
        raise BadSetup("--regret-plot needs positions with exact scores: add --positions exact, for example")
    published = _published(args)
    become_subreaper()
    exit_on_signals()
    with Measurements(args.results or file_name(plan)) as file:
        if args.restart:
            file.clear()
        code = 0
        try:
            if not measure_with_progress(plan, file):
                print_error(NOTHING_NEW)
        except KeyboardInterrupt:
            print_error(f"interrupted; the measurements are in {file.name}; repeat the command to resume")
            code = INTERRUPTED
        names, sets = [each.name for each in plan.players], [each.name for each in plan.sets]
        summary = summarise(file, names, sets, range(plan.first, (plan.last or MAX_PROGRAM_DEPTH) + 1))
        _show(summary, published, args, screen, file.name)
    return code or (NOT_CONFORMING if any(map(_never_moved, summary.series)) else 0)


def _never_moved(series: DepthSeries) -> bool:
    return all(row.cpu_seconds is None and row.faults for row in series.rows)


def plan_from(args: Namespace) -> Plan:
    give_up = args.give_up or GIVE_UP_FACTOR * args.limit
    limits = ResourceLimits(give_up, give_up, args.memory, isolation=args.isolation)
    first, last = args.depths
    return Plan(
        tuple(parse_players(args.players or ["depth"], limits, args.search_only, args.game)),
        tuple(parse_position_sets(args.positions, args.game)),
        first,
        last,
        args.limit,
        args.runs,
        None if args.against is None else _opponent(args.against, limits, args.game),
        BASELINE_GAMES if args.games is None else args.games,
        GAME_DEPTH if args.game_depth is None else args.game_depth,
        args.seed,
        args.game,
    )


def _opponent(text: str, limits: ResourceLimits, game: str) -> PlayerSpec:
    own = replace(ResourceLimits(), isolation=limits.isolation)
    if (opponent := parse_player(text, limits=own, game=game)).is_human:
        raise BadSetup("human cannot be the opponent of a measurement: choose another player for --against")
    return opponent


def file_name(plan: Plan) -> str:
    """A file name that depends on players, positions and the files of the programs."""
    names = [slug(each.name, "player") for each in plan.players]
    who = [(each.name, each.description, each.fingerprint) for each in plan.players]
    what = [(each.name, each.fingerprint) for each in plan.sets]
    game = "" if plan.game == "max" else f"{plan.game}-"
    return f"measured-{'-'.join(names)[:60]}-{game}{crc32(repr((who, what)).encode()):08x}.sqlite"


# Output


def _show(
    summary: MeasurementSummary, published: list[PublishedTable], args: Namespace, screen: Screen, database: str
) -> None:
    from ..benchmark import tables

    texts: dict[str, Callable[[], str]] = {
        "markdown": lambda: tables.to_markdown(summary),
        "csv": lambda: tables.to_csv(summary),
    }
    output = Output(screen, (STANDARD_OUTPUT if args.json else None, args.markdown, args.csv))
    if args.json:
        screen.print_json(tables.to_dict(summary))
    elif output.messages is screen:
        screen.print(measured_text(summary, terminal_width()))
    for name, text in texts.items():
        path = getattr(args, name)
        if path is not None:
            output.write(path, text())
    _draw(summary, published, args, output)
    output.messages.print(
        f"\nThe measurements are in {database}. To write a report: {program()} report {shlex.quote(database)}"
    )


def _draw(summary: MeasurementSummary, published: list[PublishedTable], args: Namespace, output: Output) -> None:
    if args.plot is None and args.regret_plot is None:
        return
    from ..benchmark import plots

    machine = summary.metadata.machine
    by_set = summary.by_positions()

    def draw(path: str, positions: str, drawn: bytes) -> None:
        output.write(path if len(by_set) == 1 else _name_for(path, positions), drawn)

    for positions, series in by_set.items():
        beside = published if positions in AS_PUBLISHED and summary.game == "max" else []
        if args.plot is not None:
            kind = plot_format(args.plot)
            draw(args.plot, positions, plots.cpu_by_depth(series, beside, kind, machine))
        if args.regret_plot is not None and any(row.regret for each in series for row in each.rows):
            kind = plot_format(args.regret_plot)
            draw(args.regret_plot, positions, plots.regret_by_cpu(series, kind, machine, summary.game))


def _name_for(path: str, positions: str) -> str:
    """The path of the plot of one position set, such as times-sample-1.png."""
    base, ending = os.path.splitext(path)
    return f"{base}-{slug(positions, 'positions')}{ending}"


def _published(args: Namespace) -> list[PublishedTable]:
    if args.published is None:
        return list(published_tables())
    return [] if args.published == "none" else [read_published(args.published)]


# The arguments


def _depths(text: str) -> tuple[int, int | None]:
    match = re.fullmatch(r"([0-9]{1,3})(-([0-9]{1,3})?)?", text)
    if match is None:
        raise ValueError(f"{quote(text)} is not a range of depths: use one such as 0-12, 8 or 4-")
    first = int(match[1])
    last = first if match[2] is None else None if match[3] is None else int(match[3])
    if last is not None and last < first:
        raise ValueError(f"{quote(text)} is not a range of depths: the first is larger than the last")
    return first, last
