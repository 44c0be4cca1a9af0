"""The report of a match or a tournament as one self-contained HTML page."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from html import escape
from itertools import groupby

from ...documents import csp_hash, fill_template, read_resource
from ...formatting import NO_VALUE, format_cpu_time, format_minus
from ...safe_text import in_html
from ..game import PlayedGame
from ..match_statistics import Rating
from ..shared_mistakes import HEADS, HINT, shared_mistakes_rows
from ..standings import Standing
from . import plots
from .data import FIELDS, Event, FaultEntry, ReportData, report_data


def about_list(data: ReportData) -> str:
    """The settings of the event as an HTML list."""
    items = [f"<div><dt>{escape(label)}</dt><dd>{escape(value)}</dd></div>" for label, value in data.about]
    return f'<dl class="about">{"".join(items)}</dl>'


def players_list(data: ReportData) -> str:
    """The settings or the command of each player as an HTML list."""
    items = [f"<dt>{escape(name)}</dt><dd><code>{escape(settings)}</code></dd>" for name, settings in data.players]
    return f'<dl class="players">{"".join(items)}</dl>'


def standings_table(data: ReportData) -> str:
    """The standings as an HTML table. Columns without any value, such as ratings, are omitted."""
    standings = data.standings
    ranked = any(standing.merit for standing in standings)
    heads = ["Rank", "Player", *["By"] * ranked, "Score", "Games", "Won", "Drawn", "Lost"]
    with_points = any(standing.points_for is not None for standing in standings)
    heads += ["Points"] * with_points + ["Margin"]
    rated = any(standing.rating is not None for standing in standings)
    reviewed = any(standing.regret is not None for standing in standings)
    heads += ["Elo"] * rated + ["CPU"] + ["Regret"] * reviewed + ["Faults", "Notes"]
    rows = []
    for name, standing in zip(data.names, standings, strict=True):
        cells = [
            _number_cell(standing.rank),
            f'<th scope="row">{escape(name)}</th>',
            *[f"<td>{escape(standing.merit)}</td>"] * ranked,
            _number_cell(standing.score, f"<strong>{standing.score:g}</strong>"),
            *(_number_cell(number) for number in (standing.games, standing.wins, standing.draws, standing.losses)),
            *[_points_cell(standing)] * with_points,
            _number_cell(standing.margin.mean, _with_error(standing.margin.mean, standing.margin.half, "+z.2f")),
            *[_rating_cell(standing.rating)] * rated,
            _number_cell(standing.cpu_seconds, format_cpu_time(standing.cpu_seconds)),
            *[_number_cell(standing.regret, _with_error(standing.regret, None, ".2f"))] * reviewed,
            _number_cell(sum(standing.faults.values()), _kinds(standing.faults)),
            _number_cell(sum(standing.notes.values()), _kinds(standing.notes)),
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return _table('class="sortable" id="standings-table"', heads, rows)


def cross_table_html(data: ReportData) -> str:
    """The cross table in HTML. Scores above and below half are marked."""
    names, standings, cross = data.names, data.standings, data.cross
    numbers = range(len(names))
    head = "".join(f'<th scope="col" title="{escape(names[number])}">{number + 1}</th>' for number in numbers)
    rows = []
    for number in numbers:
        cells = "".join(_cross_cell(number, other, cross[number].get(other)) for other in numbers)
        name = f'<th scope="row"><span class="place">{number + 1}</span> {escape(names[number])}</th>'
        rows.append(f"<tr>{name}{cells}<td class=sum>{standings[number].score:g}</td></tr>")
    top = f'<thead><tr><th scope="col">Player</th>{head}<th scope="col">Sum</th></tr></thead>'
    return f'<table id="cross-table" class="cross">{top}<tbody>{"".join(rows)}</tbody></table>'


def _cross_cell(number: int, other: int, met: tuple[float, int] | None) -> str:
    if number == other:
        return "<td class=self>×</td>"
    if met is None:
        return "<td></td>"
    score, games = met
    kind = " class=above" if 2 * score > games else " class=below" if 2 * score < games else ""
    return f"<td{kind}>{score:g}<small>/{games}</small></td>"


def faults_list(data: ReportData) -> str:
    """The faults of each player by kind in HTML: their number, and the first ones with their evidence."""
    if not data.faults:
        return "<p>No faults.</p>"
    parts = []
    for player, faults in groupby(data.faults, key=lambda fault: fault.player):
        of_player = list(faults)
        counts = ", ".join(f"{count} × {escape(kind)}" for kind, count in Counter(f.kind for f in of_player).items())
        parts.append(f'<details class="faulty"><summary><b>{escape(data.names[player])}</b>: {counts}</summary>')
        for kind, alike in groupby(of_player, key=lambda fault: fault.kind):
            parts.append(_faults_alike(data.names, kind, list(alike)))
        parts.append("</details>")
    return "".join(parts)


def _faults_alike(names: list[str], kind: str, alike: list[FaultEntry]) -> str:
    items = [_fault(names, fault) for fault in alike if fault.shown]
    rest = list(dict.fromkeys(fault.game for fault in alike if not fault.shown))
    if rest:
        links = " ".join(f'<a href="#game-{game}">{game}</a>' for game in rest[:200])
        more = f" and {len(rest) - 200} more" if len(rest) > 200 else ""
        items.append(f"<p>Also in game {links}{more}.</p>")
    return f"<h3>{escape(kind)} <small>× {len(alike)}</small></h3>{''.join(items)}"


def _fault(names: list[str], fault: FaultEntry) -> str:
    where = f'<a href="#game-{fault.game}">game {fault.game}</a>, ply {fault.ply}'
    against = f"as {fault.colour} against {escape(names[fault.opponent])}"
    texts = [f"<figure><figcaption>{label}</figcaption>{_text(text)}</figure>" for label, text in fault.evidence]
    evidence = f"<details><summary>Evidence</summary><div class=evidence>{''.join(texts)}</div></details>" * bool(texts)
    mark = f"fault-{fault.game}-{fault.ply}"
    detail = f"<p>{escape(fault.detail)} <small>({where}, {against})</small></p>"
    return f'<div class="fault" id="{mark}">{detail}{evidence}</div>'


def _text(text: str) -> str:
    return f"<pre>{escape(text)}</pre>" if text.strip() else "<pre>(blank)</pre>"


def notes_table(data: ReportData) -> str:
    """The number of notes on each player by kind, as an HTML table."""
    kinds = sorted({kind for standing in data.standings for kind in standing.notes})
    if not kinds:
        return "<p>No notes.</p>"
    rows = []
    for name, standing in zip(data.names, data.standings, strict=True):
        if standing.notes:
            cells = (_number_cell(standing.notes.get(kind, 0), f"{standing.notes.get(kind, '')}") for kind in kinds)
            rows.append(f'<tr><th scope="row">{escape(name)}</th>{"".join(cells)}</tr>')
    return _table('class="sortable"', ["Player", *map(in_html, kinds)], rows)


def shared_mistakes_section(data: ReportData) -> str:
    """The section with the pairs of programs that share mistakes; empty without two programs or a review."""
    if data.mistakes is None:
        return ""
    rows = []
    for first, *cells in shared_mistakes_rows(data.mistakes):
        numbers = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        rows.append(f'<tr><th scope="row">{escape(first)}</th>{numbers}</tr>')
    table = _table('id="mistakes-table"', HEADS, rows) if rows else "<p>No such pair.</p>"
    region = f'<div class="scroll" tabindex="0" role="region" aria-label="Shared mistakes">{table}</div>'
    return (
        f'<section id="mistakes">\n<h2>Shared mistakes</h2>\n<p class="hint">{escape(HINT)}</p>\n{region}\n</section>'
    )


def _table(attributes: str, heads: Iterable[str], rows: Iterable[str]) -> str:
    head = "".join(f'<th scope="col">{word}</th>' for word in heads)
    return f"<table {attributes}><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _points_cell(standing: Standing) -> str:
    mine, theirs = standing.points_for or 0, standing.points_against or 0
    return _number_cell(mine - theirs, f"{mine}–{theirs}")


def _rating_cell(rating: Rating | None) -> str:
    if rating is None:
        return _number_cell(None, NO_VALUE)
    return _number_cell(rating.elo, _with_error(rating.elo, rating.bar, "+z.0f"))


def _with_error(number: float | None, error: float | None, form: str) -> str:
    if number is None:
        return NO_VALUE
    return format_minus(f"{number:{form}}") + (
        f" <small>±{error:{form.lstrip('+')}}</small>" if error is not None else ""
    )


def _kinds(counts: dict[str, int]) -> str:
    total = sum(counts.values())
    parts: Iterable[str] = (f"{count} × {in_html(kind)}" for kind, count in sorted(counts.items()))
    return f'<span title="{", ".join(parts)}">{total}</span>' if total else "0"


def _number_cell(value: float | None, text: str | None = None) -> str:
    plain = "" if value is None else f"{value:.6g}"
    return f'<td data-v="{plain}">{plain if text is None else text}</td>'


#: The modules of the script, each after its dependencies. The board is that of the page of `play`.
BOARD = ("web/static/translations.js", "web/static/elements.js", "web/static/board_drawing.js")
SCRIPTS = ("game_viewer.js", "tables.js", "main.js")
BOARD_STYLE = "web/static/board.css"

_file = partial(read_resource, __package__)
_shared = partial(read_resource, "maxconnect4")

COLUMNS_NOTE = {
    "max": "The margin is the mean of pairs of games with colours swapped. CPU time and regret are means per move.",
    "classic": (
        "The margin of a win is the number of the winner's moves from the winning one to the full board: 1 for a win "
        "with the last move, more for an earlier one. The table has the mean of pairs of games with colours swapped. "
        "CPU time and regret, in the same unit as the margin, are means per move."
    ),
}
RANKING_NOTE = (
    ' "By" is the criterion of the ranking: in a Swiss tournament the match points and, in brackets, the sum of those '
    "of all opponents; in a knock-out the round that the player reached."
)


def html_report(event: Event, standings: Sequence[Standing], results: Sequence[PlayedGame]) -> str:
    """Render the page. Its texts are escaped, and its content security policy allows only its own script and style."""
    data = report_data(event, standings, results)
    style = f"{_shared(BOARD_STYLE)}\n{_file('page.css')}"
    script = _bundle([*map(_shared, BOARD), *map(_file, SCRIPTS)])
    policy = (
        f"default-src 'none'; style-src {csp_hash(style)}; script-src {csp_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {
        "policy": policy,
        "style": style,
        "title": escape(data.title),
        "about": about_list(data),
        "standings": standings_table(data),
        "columns_note": COLUMNS_NOTE[event.game],
        "ranking_note": RANKING_NOTE if any(standing.merit for standing in standings) else "",
        "ratings": _ratings(data),
        "cross": cross_table_html(data),
        "times": plots.time_plots(data),
        "faults": faults_list(data),
        "notes": notes_table(data),
        "mistakes": shared_mistakes_section(data),
        "players": players_list(data),
        "data": _script_data(data),
        "script": script,
    }
    return fill_template(_file("page.html"), parts)


def _bundle(modules: list[str]) -> str:
    return re.sub(r"^import .*\n|^export (?=class |const |function )", "", "\n".join(modules), flags=re.MULTILINE)


def _ratings(data: ReportData) -> str:
    plot = plots.rating_plot(data)
    region = f'<div class="sideways" tabindex="0" role="region" aria-label="Ratings">{plot}</div>'
    cut = any(standing.rating and standing.rating.bar > plots.LONGEST_BAR for standing in data.standings)
    hint = '<p class="hint">Error bars without end marks are truncated.</p>' * cut
    return f"<h3>Ratings</h3>{region}{hint}" if plot else ""


def _script_data(data: ReportData) -> str:
    """The data of the script, as JSON that cannot close its script element."""
    values = {"game": data.game, "fields": FIELDS, "names": data.names, "games": data.games}
    return json.dumps(values, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
