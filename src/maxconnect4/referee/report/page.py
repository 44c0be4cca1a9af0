"""The report as one HTML file, which asks for nothing from the network."""

from __future__ import annotations

import json
from functools import partial
from html import escape

from ...writing.pages import allowed, file_of, filled
from . import plots, tables
from .facts import FIELDS, facts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..games import Result
    from ..standings import Standing
    from .event import Event
    from .facts import Facts

#: The scripts, which are joined in this order: each uses only those before it.
SCRIPTS = ("elements.js", "board.js", "tables.js", "viewer.js", "games.js", "main.js")

_file = partial(file_of, __package__)

MEASURES = {
    "max": (
        "The margin is that of pairs of games with colours swapped; CPU time and regret, the points given away, are "
        "those of a move."
    ),
    "classic": (
        "A win counts the winner's drops from the one that made the four to the full board: 1 for the very last, and "
        "more the sooner it comes. The margin is that of pairs of games with colours swapped; CPU time and "
        "regret, what is given away, which counts alike, are those of a move."
    ),
}
RANKED = (
    ' "By" is what ranks the players: of a Swiss tournament the points of their encounters, and in brackets those of '
    "all whom they met; of a knock-out how far they came."
)


def html_report(event: Event, standings: Sequence[Standing], results: Sequence[Result]) -> str:
    """The page. What programs and people wrote is escaped; only our own script and style, by their hashes, may run."""
    facts = facts_of(event, standings, results)
    style = _file("page.css")
    script = "\n".join(_file(name) for name in SCRIPTS)
    policy = (
        f"default-src 'none'; style-src {allowed(style)}; script-src {allowed(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {
        "policy": policy,
        "style": style,
        "title": escape(facts["title"]),
        "about": tables.about_list(facts),
        "standings": tables.standings_table(facts),
        "measures": MEASURES[event.game],
        "ranked": RANKED if any(standing.merit for standing in standings) else "",
        "ratings": _ratings(facts),
        "cross": tables.cross_table(facts),
        "times": plots.time_plots(facts),
        "faults": tables.faults_list(facts),
        "notes": tables.notes_table(facts),
        "entrants": tables.entrants_list(facts),
        "data": _data(facts),
        "script": script,
    }
    return filled(_file("page.html"), parts)


def _ratings(facts: Facts) -> str:
    plot = plots.rating_plot(facts)
    region = f'<div class="sideways" tabindex="0" role="region" aria-label="Ratings">{plot}</div>'
    cut = any(standing.rating and standing.rating.bar > plots.LONGEST_BAR for standing in facts["standings"])
    hint = '<p class="hint">A line without ends goes on further.</p>' * cut
    return f"<h3>Ratings</h3>{region}{hint}" if plot else ""


def _data(facts: Facts) -> str:
    """What the script needs, as JSON in which nothing can end the element that holds it."""
    data = {"variant": facts["variant"], "fields": FIELDS, "names": facts["names"], "games": facts["games"]}
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
