"""The games as text in the manner of chess's Portable Game Notation: tags, then the columns in pairs."""

from __future__ import annotations

import re
from textwrap import wrap

from ...board import GREEN, NAMES, RED
from ...writing.safe_text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..games import Result
    from .event import Event

WIDTH = 80
RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1", None: "*"}


def games_pgn(event: Event, results: Iterable[Result]) -> str:
    """All games, a blank line between them. What the solver played on follows the moves, behind a comment."""
    return "\n".join(_game(event, result) for result in results)


def _game(event: Event, result: Result) -> str:
    game, played = result.game, result.played
    red_cpu, green_cpu = (sum(result.of_player(player, played.cpu)) for player in (RED, GREEN))
    tags = {
        "Event": event.title,
        "Date": _date(event.when),
        "Round": f"{game.round}",
        "Game": f"{game.number}",
        "Red": game.red,
        "Green": game.green,
        "Variant": event.game,
        "Result": RESULTS[played.score],
        "Points": f"{played.points[0]}-{played.points[1]}",
        "Opening": game.opening,
        "Termination": played.ending,
        "RedCPU": f"{red_cpu:.3f}",
        "GreenCPU": f"{green_cpu:.3f}",
    }
    if event.game == "classic":
        del tags["Points"]
    head = "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in tags.items())
    return (
        head + "\n" + "\n".join(wrap(_movetext(result), WIDTH, break_long_words=False, break_on_hyphens=False)) + "\n"
    )


def _movetext(result: Result) -> str:
    played = result.played
    words = []
    for index, column in enumerate(played.moves + played.line):
        if index == len(played.moves):
            words.append("{adjudicated: the solver plays on}")
        if index % 2 == 0:
            words.append(f"{index // 2 + 1}.")
        words.append(column)
    for fault in played.faults:
        words.append(f"{{{NAMES[fault.player]}: {_comment(fault.kind)}: {_comment(fault.detail)}}}")
    return " ".join([*words, RESULTS[played.score]])


def _date(when: str) -> str:
    found = re.match(r"(\d{4})-(\d\d)-(\d\d)", when)
    return ".".join(found.groups()) if found else "????.??.??"


def _quoted(text: str) -> str:
    return one_line(text).replace("\\", "\\\\").replace('"', '\\"')


def _comment(text: str) -> str:
    return one_line(text).replace("{", "(").replace("}", ")")
