"""The report that the assignment requires, ready to hand in: a Markdown document with a program's measurements."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ..documents import Table, bullets, code_span, escape, picture, safe_markdown
from ..errors import BadSetup
from ..evaluation_descriptions import EVALUATION_TEXTS
from ..levels import LEVELS
from ..referee.conformance import BaselineResult
from ..referee.players import BuiltInSpec, parse_built_in
from ..safe_text import lines, one_line
from .summary import DepthResult, DepthSeries, MeasurementSummary
from .tables import (
    UNITS,
    comparison_tables,
    depth_columns,
    describe_fault,
    describe_games,
    describe_positions,
    format_depth,
    format_seconds,
    join_words,
    notes,
    table_from_columns,
)

__all__ = ["report_markdown", "split_series"]

_SEARCH = """
The program uses depth-limited minimax. The depth is the number of plies in the search, including its own move. At the
depth limit, the evaluation estimates the value for the player to move at the root: this player's moves maximise the
value, the opponent's moves minimise it. Alpha-beta pruning, move ordering and the transposition table reduce the time
and do not change the chosen move. If several moves have the best value, the program plays the one nearest the
centre, and the left one of two at the same distance. At depth 0 it plays the legal column nearest the centre without a
search.
"""

_ENDS = {
    "max": """
The game ends when the board is full, so all leaves of a search have the same number of pieces. If the depth reaches
the end of the game, the value is the exact final margin with every evaluation, and the move is perfect.
""",
    "classic": """
A four ends the game and is a win or a loss with every evaluation. An earlier win has a larger value. The evaluation was
designed for Max-Connect4, in which the game ends when the board is full, and is used without changes.
""",
}

#: The description of the search by game.
SEARCH = {game: _SEARCH + end for game, end in _ENDS.items()}

PERFECT = """
The player `perfect` needs no evaluation: it solves the position, with the opening book or by a search to the end of the
game, and plays a move with the best value. Its regret is 0.
"""

RANDOM = """
The player `random` has no evaluation: it chooses each column that is not full with the same probability.
"""

TIME = """
It searches to depth 1, 2 and so on until its time limit for the move, {seconds:g} s of wall-clock time, and plays the
move of the deepest finished search.
"""

LEVEL = """
The player `level:{number}` is level {number} of {last}, *{name}*. It {description}
"""


def description(player: BuiltInSpec, game: str = "max") -> str:
    """Describe the evaluation function or the strategy of a built-in player in Markdown."""
    if player.kind == "perfect":
        return PERFECT
    if player.kind == "random":
        return RANDOM
    if player.kind == "level":
        level = LEVELS[game][player.level - 1]
        last, described = len(LEVELS[game]), level.description[:1].lower() + level.description[1:]
        return LEVEL.format(number=level.number, last=last, name=level.name, description=described)
    if player.kind == "time":
        return EVALUATION_TEXTS[player.evaluation] + TIME.format(seconds=player.seconds)
    return EVALUATION_TEXTS[player.evaluation]


def searches(player: BuiltInSpec) -> bool:
    """Whether the player uses depth-limited search: see `SEARCH`."""
    return player.kind in ("depth", "time")


#: The stored settings of a built-in player, such as depth,eval=lines or level:4,seed=7 (search only).
BUILT_IN = re.compile(r"(perfect|level|depth|time|random)(?:[:,](\S*))?(?: \(.*\))?")
#: The folder in a stored command, which is private.
FOLDER = re.compile(r"""\A(depth=[0-9]+ )?folder=(?:'[^']*'|"[^"]*"|[^\s'"])+ """)
#: Patterns for the arguments of a command, and the languages that they imply. The first match counts.
LANGUAGES = (
    (r".*\.py|python[0-9.]*|pypy[0-9.]*", "Python"),
    (r".*\.jar|java", "Java"),
    (r".*\.[cm]?js|node", "JavaScript"),
    (r".*\.ts|deno|ts-node", "TypeScript"),
    (r".*\.exe|mono|dotnet", "a language of .NET"),
    (r".*\.rb|ruby[0-9.]*", "Ruby"),
    (r".*\.pl|perl[0-9.]*", "Perl"),
    (r".*\.lua|lua[0-9.]*|luajit", "Lua"),
    (r".*\.php|php[0-9.]*", "PHP"),
    (r".*\.sh|sh|bash", "the shell"),
)


@dataclass(frozen=True, slots=True)
class ReportedPlayer:
    """A player of the report."""

    name: str
    command: str  # the command, or the settings of a built-in player
    built_in: BuiltInSpec | None = None
    language: str = ""  # "" if unknown


def reported_players(summary: MeasurementSummary) -> list[ReportedPlayer]:
    """The players of the report, in their order."""
    names = dict.fromkeys([*(each.player for each in summary.series), *(each.player for each in summary.games)])
    return [_reported_player(name, summary.metadata.players.get(name, "")) for name in names]


def _reported_player(name: str, command: str) -> ReportedPlayer:
    built_in = _built_in(command)
    command = FOLDER.sub(r"\1", command)
    return ReportedPlayer(name, command, built_in, "" if built_in else _language(command))


def _built_in(command: str) -> BuiltInSpec | None:
    """The settings of a built-in player; None for an external program, or a player that no longer exists."""
    match = BUILT_IN.fullmatch(command)
    if match is None:
        return None
    kind = match[1]
    settings = {key: value for key, _, value in (part.rpartition("=") for part in (match[2] or "").split(","))}
    if kind == "depth":
        settings[""] = settings.get("", "") or "0"  # measured at every depth
    try:
        return parse_built_in(
            f"{kind}:{','.join(f'{key}={value}' if key else value for key, value in settings.items())}"
        )
    except BadSetup:
        return None


def _language(command: str) -> str:
    words = [word.rpartition("/")[2].strip("'\"") for word in command.split() if "=" not in word]
    for pattern, language in LANGUAGES:
        if any(re.fullmatch(pattern, word) for word in words[:3]):
            return language
    return ""


OVER = "over the limit"
FACTOR_AFTER = "wall s"


def comparison_markdown(series: Sequence[DepthSeries], game: str = "max") -> list[str]:
    """The tables that compare the players, for each position set."""
    tables = []
    for _, together in groupby(series, key=lambda each: each.positions):
        of_a_set = list(together)
        for table in comparison_tables(of_a_set, game):
            caption = f"{table.caption}, on {describe_positions(of_a_set[0])}"
            heads = (_capital(table.heads[0]), *table.heads[1:])
            tables.append(replace(table, caption=caption, heads=heads).markdown())
    return tables


def table_with_remarks(series: DepthSeries, limit: float | None, caption: str) -> str:
    """The table of a depth series. A depth at which a move exceeds the limit is highlighted."""
    columns: dict[str, list[str]] = {}
    for title, cells in depth_columns(series).items():
        columns[title] = cells
        if title == FACTOR_AFTER and has_factors(series):
            columns["factor"] = ["" if factor is None else f"{factor:,.2f}" for factor in _factors(series)]
    columns.pop("faults", None)
    if len({row.runs for row in series.rows}) > 1:
        columns["runs"] = [str(row.runs) for row in series.rows]
    marked = frozenset(place for place, row in enumerate(series.rows) if over_limit(row, limit))
    remarks = [_remarks(row, limit) for row in series.rows]
    if any(remarks):
        columns["remark"] = remarks
    table = table_from_columns({_capital(title): cells for title, cells in columns.items()}, caption)
    return replace(table, text_columns=frozenset(["Remark"]), highlighted=marked).markdown()


def over_limit(row: DepthResult, limit: float | None) -> bool:
    """Whether a move exceeds the limit, which ends the table."""
    return limit is not None and row.cpu_seconds is not None and row.cpu_seconds.high > limit


def has_factors(series: DepthSeries) -> bool:
    """Whether two consecutive depths have times."""
    return any(factor is not None for factor in _factors(series))


def _factors(series: DepthSeries) -> list[float | None]:
    return [None, *map(_factor, series.rows, series.rows[1:])][: len(series.rows)]


def _factor(before: DepthResult, row: DepthResult) -> float | None:
    if before.depth is None or row.depth != before.depth + 1:
        return None
    if before.cpu_seconds is None or row.cpu_seconds is None or not before.cpu_seconds.median:
        return None
    return row.cpu_seconds.median / before.cpu_seconds.median


def _remarks(row: DepthResult, limit: float | None) -> str:
    return "; ".join(part for part in (OVER * over_limit(row, limit), one_line(describe_fault(row), 600)) if part)


def _capital(title: str) -> str:
    return title[:1].upper() + title[1:]


def times_section(
    series: Sequence[DepthSeries], limit: float | None, published: Sequence[str], pictures: Mapping[str, str]
) -> str:
    """The section on CPU time: a comparison of all players, a table for each player and position set, and the plot."""
    if not series:
        return ""
    blocks = [escape(_how_to_read(series)), *comparison_markdown(series)]
    for each in series:
        caption = f"CPU time of {one_line(each.player)} by depth, on {describe_positions(each)}"
        blocks += [escape(_times_text(each, limit)), table_with_remarks(each, limit, caption)]
    if "cpu" in pictures:
        dashed = f" Dashed, for comparison: {join_words([one_line(name) for name in published])}." if published else ""
        described = " ".join(_describe_times(each) for each in series)
        caption = f"CPU time of a move by depth, on a logarithmic axis.{dashed}"
        blocks.append(picture(pictures["cpu"], caption, f"Plot of the CPU time by depth. {described}"))
    if any(row.branching is not None for each in series for row in each.rows):
        blocks.append(
            "The branching factor is the number b for which a full tree with b moves in every position has the "
            "measured number of nodes. Without pruning it would be 7 as long as no column is full."
        )
    return _section("CPU time by depth", *blocks)


def _how_to_read(series: Sequence[DepthSeries]) -> str:
    sentences = ["CPU time and wall-clock time are in seconds."]
    runs = sorted({row.runs for each in series for row in each.rows})
    if runs and runs[-1] > 1:
        how_many = runs[-1] if len(runs) == 1 else "the"
        sentences.append(f"A time is the median of {how_many} runs, and the range is from the fastest to the slowest.")
    if any(map(has_factors, series)):
        sentences.append("The factor is the ratio of the CPU time to that of the depth before.")
    return " ".join(sentences)


def _times_text(series: DepthSeries, limit: float | None) -> str:
    """Describe the first depth over the limit, and the depths without a time."""
    sentences = []
    where = f"{one_line(series.player)} on {describe_positions(series)}"
    last = next((row for row in series.rows if over_limit(row, limit)), None)
    if last is not None and last.cpu_seconds is not None:
        took = f"{'median ' if last.runs > 1 else ''}{format_seconds(last.cpu_seconds.median)} s"
        first = f"depth {last.depth} is the first at which a move takes" if last.depth is not None else "a move takes"
        sentences.append(f"{where}: {first} more than {limit:g} s of CPU time ({took}).")
    elif series.ended:
        sentences.append(f"{where}: the measurement ended, as {one_line(series.ended, 500)}.")
    gaps = [format_depth(row.depth) for row in series.rows if row.cpu_seconds is None]
    if gaps:
        sentences.append(f"There is no time for depth {join_words(gaps)}, for the reason in the remark.")
    if series.count > 1:
        sentences.append("Times and nodes are means over the positions.")
    return " ".join(sentences)


def _describe_times(series: DepthSeries) -> str:
    timed = [(row, row.cpu_seconds.median) for row in series.rows if row.cpu_seconds is not None]
    if not timed:
        return f"{one_line(series.player)} has no times."
    ends = [timed[0], timed[-1]][: len(timed)]
    times = ", ".join(f"{format_seconds(seconds)} s {_at_depth(row)}" for row, seconds in ends)
    return f"{one_line(series.player)}: {times}."


def _at_depth(row: DepthResult) -> str:
    return "at its own depth" if row.depth is None else f"at depth {row.depth}"


REGRET = {
    "max": (
        "The regret of a move is the final margin after the best move minus the final margin after the move played, in "
        "points and with perfect play of both players from then on. A perfect move has a regret of 0."
    ),
    "classic": (
        "The score of a position is 0 for a draw, n for a win with the winner's n-th last piece on a full board, and "
        "-n for such a loss. The regret of a move is the score after the best move minus the score after the move "
        "played, with perfect play of both players from then on. A perfect move has a regret of 0."
    ),
}


def strength_section(series: Sequence[DepthSeries], pictures: Mapping[str, str], game: str = "max") -> str:
    """The section on strength: the regret of moves by depth and by CPU time."""
    if not series:
        return ""
    blocks = [REGRET[game], *comparison_markdown(series, game)]
    for each in series:
        caption = f"Regret of {one_line(each.player)} by depth, on {describe_positions(each)}"
        blocks += [escape(_strength_text(each, game)), table_with_remarks(each, None, caption)]
    described = " ".join(_describe_strength(each) for each in series)
    if "regret_by_cpu" in pictures:
        caption = "Mean regret of a move by its CPU time: lower is stronger, further left is faster."
        description = f"Plot of the mean regret by CPU time. {described}"
        blocks.append(picture(pictures["regret_by_cpu"], caption, description))
    if "regret_by_depth" in pictures:
        description = f"Plot of the mean regret by depth. {described}"
        blocks.append(picture(pictures["regret_by_depth"], "Mean regret of a move by depth.", description))
    return _section("Strength: regret", *blocks)


def games_section(games: Sequence[BaselineResult]) -> str:
    """The section on games against a weak opponent."""
    if not games:
        return ""
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
            *[format_depth(each.depth)] * deep,
            *map(str, (each.played, each.wins, each.draws, each.losses)),
            *map(str, ((each.points, each.opponent_points) if scored else ())),
            str(each.faults),
        )
        for each in games
    )
    opponents = join_words(names)
    verdicts = " ".join(map(describe_games, games))
    caption = f"Games against {opponents}, alternating as red and as green"
    table = Table(caption, heads, rows, text_columns=frozenset(["Player", "Opponent"]))
    return _section(f"Games against {opponents}", escape(verdicts), table.markdown())


def _strength_text(series: DepthSeries, game: str) -> str:
    text = f"{one_line(series.player)} on {describe_positions(series)} with known exact values"
    known = [(row.regret.mean, row) for row in series.rows if row.regret is not None]
    if known:
        mean, best = min(known, key=lambda pair: pair[0])
        at = "" if best.depth is None else f" at depth {best.depth}"
        text += f": its mean regret is {mean:.3f} {UNITS[game]}{at}"
        text += ", its best depth" if [each for each, _ in known].count(mean) < len(known) else ""
    text += f". The measurement ended, as {one_line(series.ended, 500)}." if series.ended else "."
    return text


def _describe_strength(series: DepthSeries) -> str:
    known = [
        f"{row.regret.mean:.3f}{'' if row.depth is None else f' at depth {row.depth}'}"
        for row in series.rows
        if row.regret is not None
    ]
    return (
        f"{one_line(series.player)}: {join_words(known)}." if known else f"{one_line(series.player)} has made no move."
    )


LONGEST = 100_000  # characters of the description of an evaluation function
TITLES = {"max": "Max-Connect4", "classic": "Classic four in a row"}
CPU_TIME = (
    "CPU time is the user and system time of the program and of all processes that it started for a move. Unlike the "
    "wall-clock time, it hardly depends on the load of the machine."
)


def report_markdown(
    summary: MeasurementSummary,
    *,
    author: str = "",
    about: str = "",
    published: Sequence[str] = (),
    pictures: Mapping[str, str] | None = None,
) -> str:
    """Format the report as Markdown.

    Args:
        summary: The measurements.
        author: The author of the program.
        about: The author's description of the evaluation function, in Markdown.
        published: The names of the published tables in the plot of CPU time.
        pictures: The addresses of the plots `cpu`, `regret_by_cpu` and `regret_by_depth`; missing ones are omitted.
    """
    players = reported_players(summary)
    limit = summary.metadata.limit
    times, strengths = split_series(summary)
    names = join_words([one_line(player.name) for player in players])
    blocks = [
        f"# {escape(f'{TITLES[summary.game]}: {names}')}",
        escape(one_line(author)),
        _program(players),
        _method(summary),
        _evaluation(players, about, summary.game),
        times_section(times, limit, published, pictures or {}),
        strength_section(strengths, pictures or {}, summary.game),
        games_section(summary.games),
        _faults(summary),
    ]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _section(title: str, *blocks: str) -> str:
    return "\n\n".join(filter(None, [f"## {escape(title)}", *blocks]))


def split_series(summary: MeasurementSummary) -> tuple[list[DepthSeries], list[DepthSeries]]:
    """Split the series into those for the section on CPU time and those for the section on strength."""
    strengths = [each for each in summary.series if _shows_strength(each)]
    return [each for each in summary.series if each not in strengths], strengths


def _shows_strength(series: DepthSeries) -> bool:
    if any(row.regret is not None for row in series.rows):
        return True
    return series.count > 1 and all(row.cpu_seconds is None for row in series.rows)


def _program(players: Sequence[ReportedPlayer]) -> str:
    items: list[str] = []
    for player in players:
        items.append(f"Program: {escape(one_line(player.name))}")
        if player.command:
            label = "Command" if player.built_in is None else "Built in"
            items.append(f"{label}: {code_span(one_line(player.command, 1000))}")
        if player.language:
            items.append(f"Language: {escape(player.language)}")
    return _section(f"The program{'s' * (len(players) > 1)}", bullets(items))


def _method(summary: MeasurementSummary) -> str:
    metadata = summary.metadata
    pairs = [
        ("Machine", escape(one_line(metadata.machine, 1000))),
        ("Date", escape(one_line(metadata.date))),
        ("maxconnect4", escape(one_line(metadata.version))),
        ("Command to repeat it", metadata.command and code_span(one_line(metadata.command, 2000))),
        ("Limit", _limit_text(metadata.limit)),
        ("Game", metadata.game if metadata.game != "max" else ""),
        ("Isolation", escape(one_line(", ".join(metadata.isolation), 1000))),
    ]
    positions = dict.fromkeys(describe_positions(each) for each in summary.series)
    if positions:
        pairs.append(("Positions", escape("; ".join(positions))))
    items = [f"{label}: {value}" for label, value in pairs if value]
    return _section("Method of measurement", bullets(items), CPU_TIME)


def _limit_text(limit: float | None) -> str:
    if limit is None:
        return ""
    return f"{limit:g} s of CPU time per move; the first depth above it is the last"


def _evaluation(players: Sequence[ReportedPlayer], about: str, game: str) -> str:
    blocks = [safe_markdown(lines(about, LONGEST))] if about.strip() else []
    for player in players:
        if player.built_in is None and about.strip():
            continue
        if len(players) > 1 or blocks:
            blocks.append(f"### {escape(one_line(player.name))}")
        if player.built_in is None:
            blocks.append(NO_DESCRIPTION.format(name=escape(one_line(player.name))))
        else:
            blocks.append(description(player.built_in, game).strip("\n"))
    if any(player.built_in is not None and searches(player.built_in) for player in players):
        blocks += ["### The search", SEARCH[game].strip("\n")]
    return _section("The evaluation function", *blocks)


NO_DESCRIPTION = (
    "> To be written by the author of {name}: the computation of the evaluation function for a position at the depth "
    "limit and for a full board, the reason why it estimates the result of the game well, and the alternatives that "
    "were tried. Write it to a file, as plain text or Markdown, and create the report with `--about FILE`."
)


def _faults(summary: MeasurementSummary) -> str:
    found: list[str] = []
    for series in summary.series:
        where = f"{one_line(series.player)} on {describe_positions(series)}"
        found += [f"{where}. {note}" for note in notes(series)]
    for games in summary.games:
        if games.faults:
            against = f"{one_line(games.player)} against {one_line(games.opponent)}"
            found.append(f"{against}. The player lost {games.faults} of {games.played} games by a fault.")
    return _section("Faults and notes", bullets([*map(escape, found)]) or "All moves are legal.")
