"""What was measured as cells of text, for tables of any kind, and what stands under them as sentences."""

from __future__ import annotations

import math

from ...writing.safe_text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ..summary import Games, Measured, Row, Series, Spread

OWN_DEPTH = "own"
UNITS = {"max": "points", "classic": "score"}  # what moves give away
NO_MOVE = "-"
ALWAYS = ("depth", "CPU s")
SETS = {
    "empty": "the empty board",
    "sample 1": "the first sample of the assignment, the empty board",
    "sample 2": "the second sample of the assignment",
}


def by_positions(series: Iterable[Series]) -> dict[str, list[Series]]:
    """The series of each set of positions, in the order in which they come."""
    found: dict[str, list[Series]] = {}
    for each in series:
        found.setdefault(each.positions, []).append(each)
    return found


def comparisons(series: Sequence[Series], game: str = "max") -> dict[str, tuple[list[str], list[list[str]]]]:
    """Several players by depth, side by side: their CPU times, and if known what their moves gave away."""
    tables = {"CPU seconds for a move, by depth": _side_by_side(series, "CPU s")}
    if any(row.regret is not None for each in series for row in each.rows):
        tables[f"{UNITS[game].capitalize()} given away per move (regret), by depth"] = _side_by_side(series, "regret")
    return tables


def _side_by_side(series: Sequence[Series], title: str) -> tuple[list[str], list[list[str]]]:
    """A column of each player. What was not tried is empty."""
    found = [{row.depth: COLUMNS[title](row) or NO_MOVE for row in each.rows} for each in series]
    depths = sorted({depth for each in found for depth in each}, key=lambda depth: (depth is None, depth))
    return (
        ["depth", *(each.player for each in series)],
        [[_depth(depth), *(each.get(depth, "") for each in found)] for depth in depths],
    )


def head_and_rows(series: Series) -> tuple[list[str], list[list[str]]]:
    """A player by depth. A column is there if there is anything in it."""
    columns = {title: [text(row) for row in series.rows] for title, text in COLUMNS.items()}
    head = [title for title, cells in columns.items() if title in ALWAYS or any(cells)]
    return head, [list(row) for row in zip(*(columns[title] for title in head), strict=True)]


def notes(series: Series) -> list[str]:
    """Why a move is missing, and why there is no deeper search: a sentence for each."""
    said = []
    for row in series.rows:
        if row.reason or row.faults:
            where = "At a depth of its own" if row.depth is None else f"Depth {row.depth}"
            reason = row.reason or "there was no move"
            if row.cpu_seconds is not None:
                reason = f"{_count(row.faults, 'move')} failed; the first: {reason}"
            said.append(f"{where}: {_sentence(reason)}")
    if series.ended:
        said.append(f"No deeper search was tried: {_sentence(series.ended)}")
    return said


def games_in_words(games: Games) -> str:
    """What came of the games, in a sentence, and whether that is what beating consistently means."""
    depth = "" if games.depth is None else f" at depth {games.depth}"
    return f"{games.player}{depth} against {games.opponent}: {games.in_words()}: {games.verdict()}."


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
    return f"Measured {', '.join(said)}." if said else ""


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


def seconds_in_digits(seconds: float) -> str:
    """A time in seconds with three digits that count, such as 0.0312, 1.96 and 183."""
    if not seconds or not math.isfinite(seconds):
        return f"{seconds:g}"
    rounded = float(f"{seconds:.3g}")
    decimals = max(0, 2 - math.floor(math.log10(abs(rounded))))
    return f"{seconds:,.{decimals}f}"


def _middle(spread: Spread | None) -> str:
    return NO_MOVE if spread is None else seconds_in_digits(spread.median)


def _depth(depth: int | None) -> str:
    return OWN_DEPTH if depth is None else str(depth)


def _range(row: Row) -> str:
    taken = row.cpu_seconds
    if taken is None or row.runs < 2:
        return ""
    return f"{seconds_in_digits(taken.low)} to {seconds_in_digits(taken.high)}"


def _rate(row: Row) -> str:
    return "" if row.nodes_per_second is None else f"{float(f'{row.nodes_per_second:.3g}'):,.0f}"


#: The titles of the columns, and what stands in them.
COLUMNS: dict[str, Callable[[Row], str]] = {
    "depth": lambda row: _depth(row.depth),
    "CPU s": lambda row: _middle(row.cpu_seconds),
    "low to high": _range,
    "wall s": lambda row: "" if row.seconds is None else seconds_in_digits(row.seconds.median),
    "move": lambda row: ", ".join(map(str, row.columns)),
    "nodes": lambda row: "" if row.nodes is None else f"{row.nodes:,.0f}",
    "nodes/s": _rate,
    "branching": lambda row: "" if row.branching is None else f"{row.branching:.2f}",
    "regret": lambda row: "" if row.regret is None else f"{row.regret.mean:.3f} ± {row.regret.error:.3f}",
    "perfect": lambda row: "" if row.regret is None else f"{100 * row.regret.perfect_share:.1f} %",
    "worst": lambda row: "" if row.regret is None else str(row.regret.worst),
    "faults": lambda row: str(row.faults or ""),
}


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
