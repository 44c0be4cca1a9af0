"""The report of a program, ready to hand in: what `report` does with a player, or with what was measured of one."""

from __future__ import annotations

import os

from ...errors import BadFile, shown_path
from ...measuring.report import report_of, split
from ...measuring.results import Measurements
from ...measuring.summarising import measured as summarised
from ...reading import read_text
from ...saving import check_writable
from ...writing.documents import as_markdown, as_page
from ..output import STANDARD_OUTPUT, Output, clash
from .files import files_of
from .subjects import MEASURED, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...measuring.showing.published import PublishedTable
    from ...measuring.summary import Measured
    from ..parsing import Arguments
    from ..terminal.screen import Screen

MOST_BYTES = 100_000  # of what is written about a program


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    if args.output is not None and (args.html is not None or args.markdown is not None):
        return "give --output, or --html and --markdown, not both"
    if args.html == args.markdown == STANDARD_OUTPUT:
        return "--html - and --markdown - both want standard output: choose one"
    files = files_of(args)
    return clash([*files.written, files.measured], [args.about])


def run(args: Arguments, screen: Screen) -> int:
    """Measure what is to be measured, and write the report."""
    about = "" if args.about is None else read_about(args.about)
    files = files_of(args)
    for path in files.written:
        check_writable(path)
    if kind_of(args.results) == MEASURED:
        with Measurements(args.results, read_only=True) as file, file.as_written():
            write(summarised(file), about, args, screen)
    else:
        from .measured_now import measured_now

        talk = write(measured_now(args), about, args, screen)
        talk.say(f"What was measured is kept in {shown_path(files.measured)}.")
    return 0


def write(measured: Measured, about: str, args: Arguments, screen: Screen) -> Screen:
    """Write all that is asked for: where there is something more to be said."""
    from ...measuring.showing.published import AS_PUBLISHED, published_tables

    if not measured.series and not measured.games:
        raise BadFile(f"{shown_path(args.results)}: nothing is measured yet")
    files = files_of(args)
    output = Output(screen, (files.html, files.markdown))
    beside_others = measured.game == "max" and any(each.positions in AS_PUBLISHED for each in measured.series)
    published = published_tables() if beside_others else ()
    report = report_of(measured, author=args.author or "", about=about, published=[each.name for each in published])
    pictures = drawn(measured, published) if files.html or files.pictures else {}
    beside = {name: path for name, path in files.pictures.items() if name in pictures}
    for name, path in beside.items():
        output.put(path, pictures[name])
    if files.html is not None:
        output.put(files.html, as_page(report, pictures))
    if files.markdown is not None:
        names = {name: os.path.basename(path) for name, path in beside.items()}
        output.put(files.markdown, as_markdown(report, names))
    return output.talk


def drawn(measured: Measured, published: Sequence[PublishedTable] = ()) -> dict[str, bytes]:
    """The pictures of the report, as SVG, by their names: those that there is something to draw for."""
    from ...measuring.showing import plots

    times, strengths = split(measured)
    pictures = {}
    if any(row.cpu_seconds for each in times for row in each.rows):
        pictures["cpu"] = plots.cpu_by_depth(times, published)
    if any(row.regret for each in strengths for row in each.rows):
        pictures["regret_by_cpu"] = plots.regret_by_cpu(strengths, game=measured.game)
    if any(row.regret and row.depth is not None for each in strengths for row in each.rows):
        pictures["regret_by_depth"] = plots.regret_by_depth(strengths, game=measured.game)
    return pictures


def read_about(path: str) -> str:
    """What somebody wrote about a program: a text that is not too long."""
    text = read_text(path, "description", MOST_BYTES)
    if not text.strip():
        raise BadFile(f"{shown_path(path)} is empty: it should say what the evaluation function is")
    return text
