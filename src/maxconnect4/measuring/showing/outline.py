"""All that was measured in the order in which it is told, whatever it is written on."""

from __future__ import annotations

from ...writing.documents.blocks import Heading, Items, paragraph, plain
from ...writing.safe_text import one_line
from .cells import columns_of, side_by_side, table_of
from .sentences import games_in_words, how_it_was_measured, notes, of_the_positions, set_in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...writing.documents.blocks import Block
    from ..summary import Measured, Series

NOTHING = "Nothing was measured."


def outline(measured: Measured) -> list[Block]:
    """A part for each set of positions: all players side by side, then each by itself. Then the games, and where."""
    blocks: list[Block] = []
    for series in measured.by_positions().values():
        blocks.append(Heading(2, plain(f"On {set_in_words(series[0])}")))
        if about := of_the_positions(series[0]):
            blocks.append(paragraph(about))
        blocks += side_by_side(series, measured.game)
        for each in series:
            blocks += _player(each)
    if measured.games:
        blocks.append(Heading(2, plain("Games")))
        blocks.append(Items(tuple(plain(games_in_words(games)) for games in measured.games)))
    if how := how_it_was_measured(measured):
        blocks.append(paragraph(how))
    return blocks or [paragraph(NOTHING)]


def _player(series: Series) -> list[Block]:
    blocks: list[Block] = [Heading(3, plain(one_line(series.player)))]
    blocks.append(table_of(columns_of(series)) if series.rows else paragraph(NOTHING))
    if said := notes(series):
        blocks.append(Items(tuple(map(plain, said))))
    return blocks
