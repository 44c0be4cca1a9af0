"""What was measured in sentences, which stand beside its tables."""

from __future__ import annotations

from statistics import median

from ...amounts import how_many
from ...writing.safe_text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...referee.opposing import Games
    from ..summary import Measured, Row, Series

SETS = {
    "empty": "the empty board",
    "sample 1": "the first sample of the assignment, the empty board",
    "sample 2": "the second sample of the assignment",
}
#: So deep no search takes as long as one of a few plies, if it looks at its depth.
SURELY_DEEP = 20
MUCH_THE_SAME = 1.5  # times as long
LAST = 3  # depths whose median is taken for the time of the deepest one: a busy machine makes any of them longer


def notes(series: Series) -> list[str]:
    """Why a move is missing, why there is no deeper search, and what else one should know: a sentence for each."""
    said = []
    for row in series.rows:
        if remarked := remark(row):
            where = "At a depth of its own" if row.depth is None else f"Depth {row.depth}"
            said.append(f"{where}: {_sentence(remarked)}")
    if series.ended:
        said.append(f"No deeper search was tried: {_sentence(series.ended)}")
    if heedless := _heedless(series):
        said.append(heedless)
    return [one_line(each, 600) for each in said]


def remark(row: Row) -> str:
    """What went wrong at a depth."""
    if not row.faults:
        return row.reason
    failed = f"{how_many(row.faults, 'move')} failed"
    if not row.reason:
        return failed
    return row.reason if row.cpu_seconds is None else f"{failed}; the first: {row.reason}"


def _heedless(series: Series) -> str:
    """That a program seems not to look at the depth, which it is then asked for up to the end of the game."""
    timed = [
        (row.depth, row.cpu_seconds.median)
        for row in series.rows
        if row.depth and row.cpu_seconds is not None and row.nodes is None
    ]
    if not timed or timed[-1][0] < SURELY_DEEP:
        return ""
    deep = median(seconds for _, seconds in timed[-LAST:])
    if deep > MUCH_THE_SAME * median(seconds for _, seconds in timed):
        return ""
    first = next(depth for depth, seconds in timed if deep <= MUCH_THE_SAME * seconds)
    same = f"CPU time is much the same from depth {first} to depth {timed[-1][0]}"
    return f"{same}: does the program look at the depth that it is given?"


def games_in_words(games: Games) -> str:
    """What came of the games, in a sentence, and whether that is what beating consistently means."""
    depth = "" if games.depth is None else f" at depth {games.depth}"
    players = f"{one_line(games.player)}{depth} against {one_line(games.opponent)}"
    return f"{players}: {games.in_words()}: {games.verdict()}."


def how_it_was_measured(measured: Measured) -> str:
    """The machine and the day in a sentence, as far as they are known."""
    facts = measured.facts or {}
    said = ["in the classic game"] if measured.game == "classic" else []
    if facts.get("machine"):
        said.append(f"on {facts['machine']}")
    if facts.get("date"):
        said.append(str(facts["date"]))
    if facts.get("version"):
        said.append(f"maxconnect4 {facts['version']}")
    return one_line(f"Measured {', '.join(said)}.", 500) if said else ""


def set_in_words(series: Series) -> str:
    """The positions of a series."""
    if series.positions in SETS:
        return SETS[series.positions]
    if series.count == 1:
        return f"the position {one_line(series.positions)}"
    return f"the {series.count:,} positions of the set {one_line(series.positions)}"


def of_the_positions(series: Series) -> str:
    """What a row is about, if that is not one position."""
    if series.count == 1:
        return ""
    return f"Times and nodes are those of a move, the mean over {series.count:,} positions."


def listed(names: Sequence[str]) -> str:
    """Names in a sentence."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."
