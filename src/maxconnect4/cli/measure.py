"""Measure players: CPU time, nodes and the points that moves give away, depth after depth.

A player is as in a match: a command that makes one move from a file to a file, with {in}, {out} and {depth} where these
go (without any it gets the words 'one-move {in} {out} {depth}' at its end), or built in: depth (the search of this
program, at every depth), depth:eval=lines, perfect, level:4, time:0.5, random. One with a depth of its own, such as
depth:6 or depth=4 before a command, is measured at that alone. CPU time is user and system time of all processes of a
move, start-up included, built-in players too (depth and perfect run as 'maxconnect4 one-move'; the others think here).

Without options: the empty board, every depth from 1 up to and including the first that takes over a minute. What is
measured is kept at once: after Ctrl-C the same command goes on, and one that is done only prints the tables again.

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
from dataclasses import replace
from zlib import crc32

from ..errors import BadEntrant, BadFile, shown
from ..measuring.contenders import contenders_from
from ..measuring.positions.sets import sets_from
from ..measuring.program_files import spare
from ..measuring.results import Measurements
from ..measuring.running import Plan
from ..measuring.showing.published import AS_PUBLISHED, published_tables, read_published
from ..measuring.summarising import measured
from ..referee.entrants import entrant_from
from ..referee.limits import Limits
from ..referee.opposing import GAMES
from ..referee.programs.sandbox import adopt_orphans, end_with_signals
from ..saving import check_writable
from ..writing.file_names import plain_name
from . import INTERRUPTED, NOT_CONFORMING
from .arguments import add_game, add_number, number, refusal, seconds_from, seed_from
from .measuring import GIVE_UP, LIMIT, NOTHING_NEW, measure_showing
from .output import STANDARD_OUTPUT, Output, add_plot, clash, kind_of_picture, plot_contradiction
from .programs import DEEPEST, add_isolation, add_memory
from .terminal.measured_table import measured_text
from .terminal.screen import complain, terminal_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable

    from ..measuring.showing.published import PublishedTable
    from ..measuring.summary import Measured, Series
    from ..referee.entrants import Entrant
    from .parsing import Arguments, PlainParser
    from .terminal.screen import Screen

GAME_DEPTH = 4


def add_arguments(parser: ArgumentParser | PlainParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("players", nargs="*", metavar="PLAYER", help="who is measured (default: depth)")
    add_game(parser)
    parser.add_argument(
        "--positions",
        default="empty",
        metavar="WHICH",
        help="empty (the default), samples (the two of the assignment), exact (276 with exact scores), a file that "
        "'maxconnect4 positions' wrote, a position file, or a move string; several with commas between them",
    )
    parser.add_argument(
        "--depths", type=_depths, default=(1, None), metavar="A-B", help="such as 0-12, 8, or 4- (default: 1-)"
    )
    parser.add_argument(
        "--limit",
        type=seconds_from,
        default=LIMIT,
        metavar="SECONDS",
        help="no deeper search is tried after a move that took more CPU time than this (default: 60)",
    )
    parser.add_argument(
        "--give-up",
        type=seconds_from,
        metavar="SECONDS",
        help="end a move after this time (default: 10 times the limit)",
    )
    add_number(
        parser,
        "--runs",
        number("a number of runs", 1, 1000),
        "of each move (default: 3, or 1 if there are more than 10 positions)",
    )
    add_memory(parser)
    add_isolation(parser)
    parser.add_argument(
        "--search-only", action="store_true", help="leave out the start of built-in players: they think in this process"
    )
    parser.add_argument("--against", metavar="PLAYER", help="play games against somebody, too, such as random")
    add_number(parser, "--games", number("a number of games", 1, 10_000), "how many, in both colours (default: 20)")
    add_number(
        parser, "--game-depth", number("a number of plies", 0, DEEPEST), "at which depth they are played (default: 4)"
    )
    add_number(parser, "--seed", seed_from, "of all that is left to chance (default: 1)", 1)
    parser.add_argument("--results", metavar="FILE", help="what is measured is kept here (default: a name of its own)")
    parser.add_argument("--anew", action="store_true", help="forget what was measured before, and begin again")
    parser.add_argument("--json", action="store_true", help="print one line of JSON instead of the tables")
    parser.add_argument("--markdown", metavar="FILE", help="write the tables as Markdown; - is standard output")
    parser.add_argument("--csv", metavar="FILE", help="write a row for each player and depth; - is standard output")
    add_plot(parser, "CPU time by depth")
    add_plot(parser, "points given away by CPU time", "--regret-plot")
    parser.add_argument(
        "--published",
        metavar="FILE",
        help="a table to draw beside, depth and seconds on each line; none for none (default: one that was published "
        "with a program in Java)",
    )


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    for name in ("--plot", "--regret-plot"):
        if wrong := plot_contradiction(args, name):
            return wrong
    for name in ("games", "game_depth"):
        if args.against is None and getattr(args, name) is not None:
            return f"--{name.replace('_', '-')} is for games: say --against whom, too"
    if (args.json, args.markdown == STANDARD_OUTPUT, args.csv == STANDARD_OUTPUT).count(True) > 1:
        return "--json, --markdown - and --csv - all want standard output: choose one"
    return clash(_written(args), [args.results, args.published, *args.positions.split(",")])


def _written(args: Arguments) -> list[str]:
    """The files that are asked for."""
    paths = (args.markdown, args.csv, args.plot, args.regret_plot)
    return [path for path in paths if path not in (None, STANDARD_OUTPUT)]


def run(args: Arguments, screen: Screen) -> int:
    """Measure what is not measured yet, and show all of it."""
    for path in _written(args):
        check_writable(path)
    plan = plan_from(args)
    for contender in plan.contenders:
        spare(contender.entrant, [*_written(args), *([args.results] if args.results else [])])
    if args.regret_plot is not None and not any(each.has_scores for each in plan.sets):
        raise BadFile("--regret-plot needs positions with exact scores: --positions exact, for example")
    published = _published(args)
    adopt_orphans()
    end_with_signals()
    with Measurements(args.results or file_name(plan)) as file:
        if args.anew:
            file.forget()
        code = 0
        try:
            if not measure_showing(plan, file):
                complain(NOTHING_NEW)
        except KeyboardInterrupt:
            complain(f"interrupted; what was measured is kept in {file.name}, and the same command goes on")
            code = INTERRUPTED
        names, sets = [each.name for each in plan.contenders], [each.name for each in plan.sets]
        found = measured(file, names, sets, range(plan.first, (plan.last or DEEPEST) + 1))
        _show(found, published, args, screen, file.name)
    return code or (NOT_CONFORMING if any(map(_never_moved, found.series)) else 0)


def _never_moved(series: Series) -> bool:
    return all(row.cpu_seconds is None and row.faults for row in series.rows)


def plan_from(args: Arguments) -> Plan:
    """What the command line asks for."""
    give_up = args.give_up or GIVE_UP * args.limit
    limits = Limits(give_up, give_up, args.memory, isolation=args.isolation)
    first, last = args.depths
    return Plan(
        tuple(contenders_from(args.players or ["depth"], limits, args.search_only, args.game)),
        tuple(sets_from(args.positions, args.game)),
        first,
        last,
        args.limit,
        args.runs,
        None if args.against is None else _opponent(args.against, limits, args.game),
        GAMES if args.games is None else args.games,
        GAME_DEPTH if args.game_depth is None else args.game_depth,
        args.seed,
        args.game,
    )


def _opponent(text: str, limits: Limits, game: str) -> Entrant:
    own = replace(Limits(), isolation=limits.isolation)
    if (opponent := entrant_from(text, limits=own, game=game)).is_human:
        raise BadEntrant("a human cannot be measured against: nobody is asked for moves here")
    return opponent


def file_name(plan: Plan) -> str:
    """A name that is the same for the same players and positions, but not for a program that has changed."""
    names = [plain_name(each.name, "player") for each in plan.contenders]
    who = [(each.name, each.description, each.state) for each in plan.contenders]
    what = [(each.name, each.fingerprint) for each in plan.sets]
    game = "" if plan.game == "max" else f"{plan.game}-"
    return f"measured-{'-'.join(names)[:60]}-{game}{crc32(repr((who, what)).encode()):08x}.sqlite"


# What is shown


def _show(found: Measured, published: list[PublishedTable], args: Arguments, screen: Screen, kept: str) -> None:
    """The tables, and the files that were asked for."""
    from ..measuring.showing import tables

    texts: dict[str, Callable[[], str]] = {
        "markdown": lambda: tables.markdown(found),
        "csv": lambda: tables.as_csv(found),
    }
    output = Output(screen, (STANDARD_OUTPUT if args.json else None, args.markdown, args.csv))
    if args.json:
        import json

        screen.say(json.dumps(tables.as_facts(found)))
    elif output.talk is screen:
        screen.say(measured_text(found, terminal_width()))
    for name, text in texts.items():
        path = getattr(args, name)
        if path is not None:
            output.put(path, text())
    _draw(found, published, args, output)
    output.talk.say(f"\nWhat was measured is kept in {kept}. For a page of it: maxconnect4 report {shlex.quote(kept)}")


def _draw(found: Measured, published: list[PublishedTable], args: Arguments, output: Output) -> None:
    if args.plot is None and args.regret_plot is None:
        return
    from ..measuring.showing import plots

    machine = found.facts["machine"] if found.facts else ""
    by_set = found.by_positions()

    def draw(path: str, positions: str, drawn: bytes) -> None:
        output.put(path if len(by_set) == 1 else _name_for(path, positions), drawn)

    for positions, series in by_set.items():
        beside = published if positions in AS_PUBLISHED and found.game == "max" else []
        if args.plot is not None:
            kind = kind_of_picture(args.plot)
            draw(args.plot, positions, plots.cpu_by_depth(series, beside, kind, machine))
        if args.regret_plot is not None and any(row.regret for each in series for row in each.rows):
            kind = kind_of_picture(args.regret_plot)
            draw(args.regret_plot, positions, plots.regret_by_cpu(series, kind, machine, found.game))


def _name_for(path: str, positions: str) -> str:
    """The name of the picture of one set of several: times-sample-1.png."""
    base, ending = os.path.splitext(path)
    return f"{base}-{plain_name(positions, 'positions')}{ending}"


def _published(args: Arguments) -> list[PublishedTable]:
    if args.published is None:
        return list(published_tables())
    return [] if args.published == "none" else [read_published(args.published)]


# The arguments


def _depths(text: str) -> tuple[int, int | None]:
    match = re.fullmatch(r"([0-9]{1,3})(-([0-9]{1,3})?)?", text)
    if match is None:
        raise refusal(f"{shown(text)} is no range of depths, such as 0-12, 8 or 4-")
    first = int(match[1])
    last = first if match[2] is None else None if match[3] is None else int(match[3])
    if last is not None and last < first:
        raise refusal(f"{shown(text)}: the first depth is over the last")
    return first, last
