"""How a match or a tournament stands, as text and as JSON."""

from __future__ import annotations

from ...amounts import how_many, time_in_words
from ...referee.standings import cross_table, pairs
from ...referee.statistics.elo import match_elo
from ...referee.statistics.pentanomial import pair_counts
from .text_table import aligned, fit, leave_out, short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ...referee.games import Result
    from ...referee.standings import Standing
    from ...referee.statistics.intervals import Interval
    from ...referee.tournament import Tournament

LEAST_WANTED = ("points", "CPU", "margin", "drawn", "regret", "Elo", "lost", "won", "games", "by", "faults")
MOST_CROSSED = 16  # players whose cross table a terminal can show


def head_and_rows(table: list[Standing], width: int | None = None) -> tuple[list[str], list[list[str]]]:
    """The standings as cells of text. What nobody has is left out, and what does not fit into a width."""
    head = ["", "player", "games", "won", "drawn", "lost", "score", "points", "Elo", "margin", "CPU"]
    rows = [
        [
            str(each.rank),
            short(each.name),
            *map(str, (each.games, each.wins, each.draws, each.losses)),
            f"{each.score:g}",
            f"{each.points_for}-{each.points_against}",
            "" if each.rating is None else f"{each.rating.elo:+z.0f} ± {each.rating.bar:.0f}",
            _interval(each.margin),
            "" if each.cpu is None else time_in_words(each.cpu),
        ]
        for each in table
    ]
    if all(each.points_for is None for each in table):
        leave_out("points", head, rows)
    if any(each.regret is not None for each in table):
        head.append("regret")
        for row, each in zip(rows, table, strict=True):
            row.append("" if each.regret is None else f"{each.regret:.3f}")
    if any(each.faults for each in table):
        head.append("faults")
        for row, each in zip(rows, table, strict=True):
            row.append(str(sum(each.faults.values()) or ""))
    if any(each.merit for each in table):
        head.insert(2, "by")
        for row, each in zip(rows, table, strict=True):
            row.insert(2, each.merit)
    fit(head, rows, LEAST_WANTED, width)
    return head, rows


def standings_text(table: list[Standing], width: int | None) -> str:
    """The standings, a line for each player."""
    return aligned(*head_and_rows(table, width), left=1)


def cross_table_text(results: list[Result], names: Sequence[str]) -> str | None:
    """Who scored how much against whom, if there are few enough to show it."""
    if len(names) > MOST_CROSSED:
        return f"The cross table of {len(names)} players is in the report."
    if len(names) == 2:
        return None
    met = cross_table(results, names)
    rows = []
    for number, one in enumerate(names, start=1):
        cells = [
            "-" if one == other else f"{met[one, other].score:g}" if met[one, other].games else "" for other in names
        ]
        rows.append([str(number), short(one), *cells])
    return aligned(["", "against", *map(str, range(1, len(names) + 1))], rows, left=1)


def match_text(results: list[Result], names: Sequence[str]) -> str:
    """How much stronger the first of two players is."""
    found = match_elo(pair_counts(pairs(results, names[0])))
    if not found.pairs:
        return "No pair of games is complete yet."
    words = f"{names[0]} against {names[1]}, {how_many(found.pairs, 'pair')} of games: score {found.score:.1%}"
    ends = [
        f"{words} {end:+z.0f}" for words, end in (("at least", found.low), ("at most", found.high)) if end is not None
    ]
    if found.elo is None:
        elo = f", Elo {' and '.join(ends)} (95 %)" if ends else ", too few pairs to say more"
    elif found.low is not None and found.high is not None:
        elo = f", Elo {found.elo:+z.0f} (95 %: {found.low:+z.0f} to {found.high:+z.0f})"
    else:
        elo = f", Elo {found.elo:+z.0f}, from too few pairs to say how sure that is"
    return f"{words}{elo}, stronger with a probability of {found.superiority:.1%}."


def faults_text(table: list[Standing]) -> str:
    """Faults and notes by kind, a line for each player that has some."""
    lines = []
    for each in table:
        for what, found in (("fault", each.faults), ("note", each.notes)):
            if found:
                kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(found.items()))
                lines.append(f"{short(each.name)}, {what}s: {kinds}")
    return "\n".join(lines)


def as_facts(tournament: Tournament, table: list[Standing], results: list[Result]) -> dict[str, Any]:
    """How it stands, as JSON has it."""
    from dataclasses import asdict

    from ...referee.tournament import sequential_test

    names = tournament.names
    met = cross_table(results, names)
    test = sequential_test(tournament, {result.game.number: result for result in results})
    return {
        "title": tournament.title,
        "game": tournament.rules.game,
        "format": tournament.format,
        "games": len(results),
        "match": asdict(match_elo(pair_counts(pairs(results, names[0])))) if len(names) == 2 else None,
        "sprt": None if test is None else {"pairs": test.games // 2, **asdict(test.outcome)},
        "standings": [asdict(each) for each in table],
        "cross_table": [
            {"player": one, "opponent": other, **asdict(meeting)}
            for (one, other), meeting in met.items()
            if meeting.games
        ],
    }


def _interval(interval: Interval) -> str:
    if interval.mean is None:
        return ""
    if interval.low is None or interval.high is None:
        return f"{interval.mean:+z.2f}"
    return f"{interval.mean:+z.2f} ± {interval.high - interval.mean:.2f}"
