"""The report of a match or a tournament, from its file of results: what `report` does with such a file."""

from __future__ import annotations

import os
import sys

from ..errors import BadFile, shown_path
from ..referee import report
from ..referee.results import Results
from ..saving import check_writable, save_whole
from .terminal.screen import Screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..referee.games import Result
    from ..referee.report.event import Event
    from ..referee.standings import Standing
    from .parsing import Arguments

FILES = ("html", "csv", "games-csv", "jsonl", "pgn")


def contradiction(args: Arguments) -> str | None:
    """What is wrong with the arguments taken together, if anything is."""
    asked = [path for path in (*_asked(args).values(), args.transcripts) if path is not None]
    places = [os.path.realpath(path) for path in (args.results, *asked)]
    twice = next((path for path, place in zip(asked, places[1:], strict=True) if places.count(place) > 1), None)
    return None if twice is None else f"{shown_path(twice)} cannot be two things at once"


def run(args: Arguments, screen: Screen) -> int:
    """Read the results, and write what is asked for."""
    asked = _asked(args)
    if not os.path.exists(args.results):
        raise BadFile(f"{shown_path(args.results)}: there is no such file, and no such player")
    talk = Screen(sys.stderr) if "-" in asked.values() else screen
    for path in asked.values():
        if path != "-":
            check_writable(path)
    with Results(args.results, read_only=True) as file, file.as_written():
        _write(*report.read(file), asked, args.transcripts, screen, talk)
    return 0


def _write(
    event: Event,
    table: list[Standing],
    results: list[Result],
    asked: dict[str, str],
    transcripts: str | None,
    screen: Screen,
    talk: Screen,
) -> None:
    texts: dict[str, Callable[[], str]] = {
        "html": lambda: report.html_report(event, table, results),
        "csv": lambda: report.standings_csv(table),
        "games-csv": lambda: report.games_csv(results, event.game),
        "jsonl": lambda: report.games_jsonl(results, event.game),
        "pgn": lambda: report.games_pgn(event, results),
    }
    for name, path in asked.items():
        if path == "-":
            screen.say(texts[name](), end="")
        else:
            save_whole(path, texts[name]().encode())
            talk.say(f"{shown_path(path)} is written.")
    if transcripts is not None:
        paths = report.save_transcripts(transcripts, event, table, results)
        talk.say(f"{shown_path(transcripts)} has a text for each of {len(paths)} players.")


def _asked(args: Arguments) -> dict[str, str]:
    """The files that the command line asks for, by what goes into them."""
    given = {name: getattr(args, name.replace("-", "_")) for name in FILES}
    asked = {name: path for name, path in given.items() if path is not None}
    if not asked and args.transcripts is None:
        asked["html"] = f"{os.path.splitext(args.results)[0]}.html"
    return asked
