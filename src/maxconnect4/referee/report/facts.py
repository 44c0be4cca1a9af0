"""What the page shows, as plain values: names are safe to show, numbers are rounded, games are rows."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, TypedDict

from ...board import NAMES
from ...writing.safe_text import lines, one_line
from ..standings import cross_table
from .event import how_it_plays
from .times import times_by_ply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..games import Fault, Note, Result
    from ..standings import Standing
    from .event import Event
    from .times import Times

#: What a game's row holds. The script of the page reads the games by these names.
FIELDS = (
    *("number", "round", "pair", "red", "green", "opening", "moves", "line", "ending", "score", "points"),
    *("cpu", "regret", "faults", "notes"),
)
SHOWN_ALIKE = 3  # faults of one kind by one player that are shown with their evidence
LONGEST_EVIDENCE = 5_000  # letters: what a program printed is kept in less, and its end matters
EVIDENCE = 1_500_000  # letters of evidence in all, so that the page stays small whatever the programs print


class FaultFacts(TypedDict):
    """A fault, with its evidence if there is room for it."""

    game: int
    player: int  # in the order of the standings
    colour: str
    opponent: int
    kind: str
    ply: int
    detail: str
    evidence: list[tuple[str, str]]  # what it is, and the text
    shown: bool


class Facts(TypedDict):
    """All that the page shows. Players are numbers: their places in the standings, from 0."""

    title: str
    variant: str  # which of the two games it is
    about: list[tuple[str, str]]
    names: list[str]
    entrants: list[tuple[str, str]]  # names, and how they play
    standings: list[Standing]
    cross: list[dict[int, tuple[float, int]]]  # for each player, the score against each other, and the games
    times: list[Times]
    games: list[list[Any]]  # rows of FIELDS
    faults: list[FaultFacts]


def facts_of(event: Event, standings: Sequence[Standing], results: Sequence[Result]) -> Facts:
    """Everything that the page shows."""
    places = {standing.name: place for place, standing in enumerate(standings)}
    return Facts(
        title=one_line(event.title),
        variant=event.game,
        about=[(one_line(label), one_line(value, 1000)) for label, value in event.words()],
        names=[one_line(standing.name) for standing in standings],
        entrants=[(one_line(entrant.name), one_line(how_it_plays(entrant), 1000)) for entrant in event.entrants],
        standings=list(standings),
        cross=_cross(places, results),
        times=times_by_ply(places, results),
        games=[_row(places, result) for result in results],
        faults=_faults(places, results),
    )


def _row(places: dict[str, int], result: Result) -> list[Any]:
    game, played = result.game, result.played
    return [
        *(game.number, game.round, game.pair, places[game.red], places[game.green]),
        *(len(game.opening), played.moves, played.line, played.ending, played.score, played.points),
        [_three_digits(1000 * seconds) for seconds in played.cpu],  # milliseconds take the fewest letters
        result.given_away(),
        _grouped(played.faults),
        _grouped(played.notes),
    ]


def _grouped(remarks: Iterable[Fault | Note]) -> list[tuple[str, int, list[int], str]]:
    """Those of one kind by one player as one, with all plies and the first detail: there may be one a move."""
    groups: dict[tuple[str, int], list[Fault | Note]] = {}
    for remark in remarks:
        groups.setdefault((remark.kind, remark.player), []).append(remark)
    return [
        (one_line(kind), player, [remark.ply for remark in alike], one_line(getattr(alike[0], "detail", "")))
        for (kind, player), alike in groups.items()
    ]


def _three_digits(number: float) -> float:
    if number <= 0 or not math.isfinite(number):
        return 0
    rounded = round(number, 2 - math.floor(math.log10(number)))
    return int(rounded) if rounded >= 100 else rounded


def _cross(places: dict[str, int], results: Sequence[Result]) -> list[dict[int, tuple[float, int]]]:
    table: list[dict[int, tuple[float, int]]] = [{} for _ in places]
    for (one, other), meeting in cross_table(results, list(places)).items():
        if meeting.games:
            table[places[one]][places[other]] = meeting.score, meeting.games
    return table


def _faults(places: dict[str, int], results: Iterable[Result]) -> list[FaultFacts]:
    alike: Counter[tuple[str, str]] = Counter()
    room = EVIDENCE
    found = []
    for result in results:
        for fault in result.played.faults:
            name = result.game.name(fault.player)
            alike[name, fault.kind] += 1
            evidence = _evidence(fault) if room > 0 and alike[name, fault.kind] <= SHOWN_ALIKE else None
            room -= sum(len(text) for _, text in evidence or ())
            found.append(
                FaultFacts(
                    game=result.game.number,
                    player=places[name],
                    colour=NAMES[fault.player],
                    opponent=places[result.game.opponent(name)],
                    kind=one_line(fault.kind),
                    ply=fault.ply,
                    detail=one_line(fault.detail),
                    evidence=evidence or [],
                    shown=evidence is not None,
                )
            )
    return sorted(found, key=lambda fault: (fault["player"], fault["kind"], fault["game"]))


def _evidence(fault: Fault) -> list[tuple[str, str]]:
    named = (("what it got", fault.input), ("what it wrote", fault.output), ("what it printed", fault.printed))
    return [(label, lines(text, LONGEST_EVIDENCE)) for label, text in named if text]
