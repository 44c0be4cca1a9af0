"""How good the moves are: regret, and games against a weak opponent, as sections of the report."""

from __future__ import annotations

from ...writing.documents.blocks import Picture, Section, Table, paragraph
from ...writing.safe_text import one_line
from ..showing.cells import UNITS, set_in_words
from .figures import NOTHING, listed, seconds_text, times_text
from .times import depth_text, remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...writing.documents.blocks import Block
    from ..summary import Games, Row, Series

REGRET = {
    "max": (
        "The regret of a move is the number of points by which the final margin becomes worse than with the best move, "
        "if both sides play perfectly from there on: 0 is a perfect move."
    ),
    "classic": (
        "The score of a position is 0 for a draw, n for a win with the n-th last piece that the winner has for a full "
        "board, and -n for such a loss. The regret of a move is how far the score becomes worse than with the best "
        "move, if both sides play perfectly from there on: 0 is a perfect move."
    ),
}
REASONABLE = (
    "The assignment calls an evaluation function reasonable if with it the program consistently beats a random player."
)


def strength_section(series: Sequence[Series], game: str = "max") -> Section | None:
    """What moves give away in a game, by depth and by CPU time."""
    if not series:
        return None
    blocks: list[Block] = [paragraph(REGRET[game])]
    for each in series:
        blocks += [paragraph(_in_words(each, game)), _table(each)]
    described = " ".join(_described(each) for each in series)
    blocks += [
        Picture(
            "regret_by_cpu",
            "Mean regret of a move against its CPU time: lower is stronger, further left is faster.",
            f"Plot of the mean regret against the CPU time. {described}",
        ),
        Picture("regret_by_depth", "Mean regret of a move by depth.", f"Plot of the mean regret by depth. {described}"),
    ]
    return Section("strength", f"Strength: {UNITS[game]} given away", tuple(blocks))


def games_section(games: Sequence[Games]) -> Section | None:
    """Games against an opponent that is known to be weak."""
    if not games:
        return None
    names = list(dict.fromkeys(one_line(each.opponent) for each in games))
    several = len(names) > 1
    deep = any(each.depth is not None for each in games)
    scored = any(each.points is not None for each in games)
    points = ("Points", "Opponent's points") if scored else ()
    counts = ("Games", "Won", "Drawn", "Lost", *points, "Lost by a fault")
    heads = ("Player", *["Opponent"] * several, *["Depth"] * deep, *counts)
    rows = tuple(
        (
            *(one_line(each.player), *[one_line(each.opponent)] * several),
            *["its own" if each.depth is None else str(each.depth)] * deep,
            *map(str, (each.played, each.wins, each.draws, each.losses)),
            *map(str, ((each.points, each.opponent_points) if scored else ())),
            str(each.faults),
        )
        for each in games
    )
    opponents = listed(names)
    verdicts = " ".join([REASONABLE, *map(_verdict, games)])
    caption = f"Games against {opponents}, in turn as red and as green"
    table = Table(caption, heads, rows, frozenset(["Player", "Opponent"]))
    return Section("games", f"Games against {opponents}", (paragraph(verdicts), table))


def _verdict(games: Games) -> str:
    name, opponent = one_line(games.player), one_line(games.opponent)
    if not games.played:
        return f"{name} has played no game against {opponent}."
    at = "" if games.depth is None else f" at depth {games.depth}"
    won = f"{name}{at} won {games.wins} of {times_text(games.played, 'game')} against {opponent}"
    by = "" if games.points is None else f", by {games.points} points to {games.opponent_points} in all"
    if games.consistent:
        return f"{won}{by}: it beats it consistently."
    return f"{won}{by}: that is fewer than nine of ten, so it does not beat it consistently."


def _table(series: Series) -> Table:
    faulty = any(map(remark, series.rows))
    heads = ("Depth", "Mean regret", "Standard error", "Perfect moves", "Worst move", "Moves", "CPU time (s)")
    rows = tuple((*_cells(row), *[remark(row)] * faulty) for row in series.rows)
    caption = f"Regret of {one_line(series.player)} by depth, on {set_in_words(series)}"
    return Table(caption, (*heads, *["Remark"] * faulty), rows, frozenset(["Remark"]))


def _cells(row: Row) -> list[str]:
    regret = row.regret
    numbers = [NOTHING] * 5
    if regret is not None:
        numbers = [f"{regret.mean:.3f}", f"{regret.error:.3f}", f"{100 * regret.perfect_share:.1f} %"]
        numbers += [str(regret.worst), f"{regret.moves:,}"]
    return [depth_text(row), *numbers, NOTHING if row.cpu_seconds is None else seconds_text(row.cpu_seconds.median)]


def _in_words(series: Series, game: str) -> str:
    text = f"{one_line(series.player)} on {set_in_words(series)}, whose exact values are known"
    known = [(row.regret.mean, row) for row in series.rows if row.regret is not None]
    if known:
        mean, best = min(known, key=lambda pair: pair[0])
        at = "" if best.depth is None else f" at depth {best.depth}"
        text += f": it gives away {mean:.3f} {'points' if game == 'max' else 'of the score'} a move{at}"
        text += ", where it is strongest" if [each for each, _ in known].count(mean) < len(known) else ""
    text += f". Nothing deeper was tried: {one_line(series.ended, 500)}." if series.ended else "."
    return text


def _described(series: Series) -> str:
    known = [
        f"{row.regret.mean:.3f}{'' if row.depth is None else f' at depth {row.depth}'}"
        for row in series.rows
        if row.regret is not None
    ]
    return f"{one_line(series.player)}: {listed(known)}." if known else f"{one_line(series.player)} has made no move."
