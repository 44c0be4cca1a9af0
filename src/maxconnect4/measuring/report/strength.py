"""How good the moves are: regret, and games against a weak opponent, as sections of the report."""

from __future__ import annotations

from ...writing.documents.blocks import Picture, Section, Table, paragraph
from ...writing.safe_text import one_line
from ..showing.cells import UNITS, depth_text
from ..showing.sentences import games_in_words, listed, set_in_words
from .tables import compared, table_with_remarks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...referee.opposing import Games
    from ...writing.documents.blocks import Block
    from ..summary import Series

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


def strength_section(series: Sequence[Series], game: str = "max") -> Section | None:
    """What moves give away in a game, by depth and by CPU time."""
    if not series:
        return None
    blocks: list[Block] = [paragraph(REGRET[game]), *compared(series, game)]
    for each in series:
        caption = f"Regret of {one_line(each.player)} by depth, on {set_in_words(each)}"
        blocks += [paragraph(_in_words(each, game)), table_with_remarks(each, None, caption)]
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
            *[depth_text(each.depth)] * deep,
            *map(str, (each.played, each.wins, each.draws, each.losses)),
            *map(str, ((each.points, each.opponent_points) if scored else ())),
            str(each.faults),
        )
        for each in games
    )
    opponents = listed(names)
    verdicts = " ".join(map(games_in_words, games))
    caption = f"Games against {opponents}, in turn as red and as green"
    table = Table(caption, heads, rows, frozenset(["Player", "Opponent"]))
    return Section("games", f"Games against {opponents}", (paragraph(verdicts), table))


def _in_words(series: Series, game: str) -> str:
    text = f"{one_line(series.player)} on {set_in_words(series)}, whose exact values are known"
    known = [(row.regret.mean, row) for row in series.rows if row.regret is not None]
    if known:
        mean, best = min(known, key=lambda pair: pair[0])
        at = "" if best.depth is None else f" at depth {best.depth}"
        text += f": it gives away {mean:.3f} {'points' if game == 'max' else 'of the score'} a move{at}"
        text += ", where it is strongest" if [each for each, _ in known].count(mean) < len(known) else ""
    text += f". No deeper search was tried: {one_line(series.ended, 500)}." if series.ended else "."
    return text


def _described(series: Series) -> str:
    known = [
        f"{row.regret.mean:.3f}{'' if row.depth is None else f' at depth {row.depth}'}"
        for row in series.rows
        if row.regret is not None
    ]
    return f"{one_line(series.player)}: {listed(known)}." if known else f"{one_line(series.player)} has made no move."
