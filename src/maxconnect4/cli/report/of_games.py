"""The report of a match or a tournament, from its file of results: what `report` does with such a file."""

from __future__ import annotations

import os

from ...errors import BadFile, shown_path
from ...referee import report
from ...referee.results import Results
from ...saving import check_writable
from ..output import STANDARD_OUTPUT, Output, clash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ...referee.games import Result
    from ...referee.report.event import Event
    from ...referee.standings import Standing
    from ..parsing import Arguments
    from ..terminal.screen import Screen

FILES = ("html", "csv", "games-csv", "jsonl", "pgn")


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    return clash([*_asked(args).values(), args.transcripts], [args.results])


def run(args: Arguments, screen: Screen) -> int:
    """Read the results, and write what is asked for."""
    asked = _asked(args)
    if not os.path.exists(args.results):
        raise BadFile(f"{shown_path(args.results)}: there is no such file, and no such player")
    if os.path.isdir(args.results):
        raise BadFile(f"{shown_path(args.results)} is a folder, not a file of results")
    name, ending = os.path.splitext(args.results)
    if ending == ".toml":
        played = shown_path(f"{name}.sqlite")
        raise BadFile(f"{shown_path(args.results)} is not a file of results: 'tournament' keeps them in {played}")
    output = Output(screen, asked.values())
    for path in asked.values():
        if path != STANDARD_OUTPUT:
            check_writable(path)
    with Results(args.results, read_only=True) as file, file.as_written():
        _write(*report.read(file), asked, args.transcripts, output)
    return 0


def _write(
    event: Event,
    table: list[Standing],
    results: list[Result],
    asked: dict[str, str],
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
    for name, path in asked.items():
        output.put(path, texts[name]())
    if transcripts is not None:
        paths = report.save_transcripts(transcripts, event, table, results)
        output.talk.say(f"{shown_path(transcripts)} has a text for each of {len(paths)} players.")


def _asked(args: Arguments) -> dict[str, str]:
    """The files that the command line asks for, by what goes into them."""
    given = {name: getattr(args, name.replace("-", "_")) for name in FILES}
    asked = {name: path for name, path in given.items() if path is not None}
    if not asked and args.transcripts is None:
        asked["html"] = f"{os.path.splitext(args.results)[0]}.html"
    return asked
