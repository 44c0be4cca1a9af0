"""The tables of the page as HTML. They can be read without the script, which only lets one sort and filter."""

from __future__ import annotations

from collections import Counter
from html import escape
from itertools import groupby

from ...amounts import NOTHING, time_in_words, with_minus
from ...writing.safe_text import in_html

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..standings import Standing
    from ..statistics.ratings import Rating
    from .facts import Facts, FaultFacts


def about_list(facts: Facts) -> str:
    """The event in words."""
    items = [f"<div><dt>{escape(label)}</dt><dd>{escape(value)}</dd></div>" for label, value in facts["about"]]
    return f'<dl class="about">{"".join(items)}</dl>'


def entrants_list(facts: Facts) -> str:
    """How each player plays."""
    items = [f"<dt>{escape(name)}</dt><dd><code>{escape(how)}</code></dd>" for name, how in facts["entrants"]]
    return f'<dl class="entrants">{"".join(items)}</dl>'


def standings_table(facts: Facts) -> str:
    """A row for each player. What nobody has, such as a rating, gets no column."""
    standings = facts["standings"]
    ranked = any(standing.merit for standing in standings)
    heads = ["Rank", "Player", *["By"] * ranked, "Score", "Games", "Won", "Drawn", "Lost"]
    with_points = any(standing.points_for is not None for standing in standings)
    heads += ["Points"] * with_points + ["Margin"]
    rated = any(standing.rating is not None for standing in standings)
    reviewed = any(standing.regret is not None for standing in standings)
    heads += ["Elo"] * rated + ["CPU"] + ["Regret"] * reviewed + ["Faults", "Notes"]
    rows = []
    for name, standing in zip(facts["names"], standings, strict=True):
        cells = [
            _number(standing.rank),
            f'<th scope="row">{escape(name)}</th>',
            *[f"<td>{escape(standing.merit)}</td>"] * ranked,
            _number(standing.score, f"<strong>{standing.score:g}</strong>"),
            *(_number(number) for number in (standing.games, standing.wins, standing.draws, standing.losses)),
            *[_points(standing)] * with_points,
            _number(standing.margin.mean, _with_error(standing.margin.mean, standing.margin.half, "+z.2f")),
            *[_rating(standing.rating)] * rated,
            _number(standing.cpu, time_in_words(standing.cpu)),
            *[_number(standing.regret, _with_error(standing.regret, None, ".2f"))] * reviewed,
            _number(sum(standing.faults.values()), _kinds(standing.faults)),
            _number(sum(standing.notes.values()), _kinds(standing.notes)),
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return _table('class="sortable" id="standings-table"', heads, rows)


def cross_table(facts: Facts) -> str:
    """The score of each player against each other. A better score than half is marked, and so is a worse one."""
    names, standings, cross = facts["names"], facts["standings"], facts["cross"]
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


def faults_list(facts: Facts) -> str:
    """The faults of each player by kind: how many, and the first of them with the evidence."""
    if not facts["faults"]:
        return "<p>There was no fault.</p>"
    parts = []
    for player, faults in groupby(facts["faults"], key=lambda fault: fault["player"]):
        of_player = list(faults)
        counts = ", ".join(f"{count} × {escape(kind)}" for kind, count in Counter(f["kind"] for f in of_player).items())
        parts.append(f'<details class="faulty"><summary><b>{escape(facts["names"][player])}</b>: {counts}</summary>')
        for kind, alike in groupby(of_player, key=lambda fault: fault["kind"]):
            parts.append(_faults_alike(facts["names"], kind, list(alike)))
        parts.append("</details>")
    return "".join(parts)


def _faults_alike(names: list[str], kind: str, alike: list[FaultFacts]) -> str:
    items = [_fault(names, fault) for fault in alike if fault["shown"]]
    rest = list(dict.fromkeys(fault["game"] for fault in alike if not fault["shown"]))
    if rest:
        links = " ".join(f'<a href="#game-{game}">{game}</a>' for game in rest[:200])
        more = f" and {len(rest) - 200} more" if len(rest) > 200 else ""
        items.append(f"<p>Likewise in game {links}{more}.</p>")
    return f"<h3>{escape(kind)} <small>× {len(alike)}</small></h3>{''.join(items)}"


def _fault(names: list[str], fault: FaultFacts) -> str:
    where = f'<a href="#game-{fault["game"]}">game {fault["game"]}</a>, ply {fault["ply"]}'
    against = f"as {fault['colour']} against {escape(names[fault['opponent']])}"
    texts = [f"<figure><figcaption>{label}</figcaption>{_text(text)}</figure>" for label, text in fault["evidence"]]
    evidence = f"<details><summary>Evidence</summary><div class=evidence>{''.join(texts)}</div></details>" * bool(texts)
    mark = f"fault-{fault['game']}-{fault['ply']}"
    told = f"<p>{escape(fault['detail'])} <small>({where}, {against})</small></p>"
    return f'<div class="fault" id="{mark}">{told}{evidence}</div>'


def _text(text: str) -> str:
    return f"<pre>{escape(text)}</pre>" if text.strip() else "<pre>(blank)</pre>"


def notes_table(facts: Facts) -> str:
    """How often each player did something otherwise than the assignment says, by kind."""
    kinds = sorted({kind for standing in facts["standings"] for kind in standing.notes})
    if not kinds:
        return "<p>There is nothing to note.</p>"
    rows = []
    for name, standing in zip(facts["names"], facts["standings"], strict=True):
        if standing.notes:
            cells = (_number(standing.notes.get(kind, 0), f"{standing.notes.get(kind, '')}") for kind in kinds)
            rows.append(f'<tr><th scope="row">{escape(name)}</th>{"".join(cells)}</tr>')
    return _table('class="sortable"', ["Player", *map(in_html, kinds)], rows)


def _table(settings: str, heads: Iterable[str], rows: Iterable[str]) -> str:
    head = "".join(f'<th scope="col">{word}</th>' for word in heads)
    return f"<table {settings}><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _points(standing: Standing) -> str:
    mine, theirs = standing.points_for or 0, standing.points_against or 0
    return _number(mine - theirs, f"{mine}–{theirs}")


def _rating(rating: Rating | None) -> str:
    if rating is None:
        return _number(None, NOTHING)
    return _number(rating.elo, _with_error(rating.elo, rating.bar, "+z.0f"))


def _with_error(number: float | None, error: float | None, form: str) -> str:
    if number is None:
        return NOTHING
    return with_minus(f"{number:{form}}") + (
        f" <small>±{error:{form.lstrip('+')}}</small>" if error is not None else ""
    )


def _kinds(counts: dict[str, int]) -> str:
    total = sum(counts.values())
    parts: Iterable[str] = (f"{count} × {in_html(kind)}" for kind, count in sorted(counts.items()))
    return f'<span title="{", ".join(parts)}">{total}</span>' if total else "0"


def _number(value: float | None, text: str | None = None) -> str:
    """A cell to sort by its value."""
    plain = "" if value is None else f"{value:.6g}"
    return f'<td data-v="{plain}">{plain if text is None else text}</td>'
