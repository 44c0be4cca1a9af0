"""What the report says, in the order of the assignment."""

from __future__ import annotations

from ...writing.documents.blocks import Document, Heading, Items, Pairs, Paragraph, Section, Span, paragraph, plain
from ...writing.documents.prose import blocks_of
from ...writing.safe_text import lines, one_line
from ..showing.sentences import listed, notes, set_in_words
from .descriptions import SEARCH, description, searches
from .strength import games_section, strength_section
from .subjects import subjects_of
from .times import times_section

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ...writing.documents.blocks import Block, Line
    from ..summary import Measured, Series
    from .subjects import Subject

LONGEST = 100_000  # letters of what somebody wrote about a program
LABELS = {
    "machine": "Machine",
    "date": "Date",
    "version": "maxconnect4",
    "command": "To do it again",
    "limit": "Limit",
}
TITLES = {"max": "Max-Connect4", "classic": "Classic four in a row"}
UNSAID = ("players", "sets", "states", "counts", "opponents")  # facts that stand elsewhere
CPU_TIME = (
    "CPU time is the time that processors spent on a move, user and system, of the program and of all processes that "
    "it started. Unlike the time by the clock, which stands beside it, it hardly depends on what else the machine does."
)


def report_of(measured: Measured, *, author: str = "", about: str = "", published: Sequence[str] = ()) -> Document:
    """The report. `about` is what somebody wrote of the evaluation; `published` names the dashed lines of the plot."""
    subjects = subjects_of(measured)
    limit = (measured.facts or {}).get("limit")
    times, strengths = split(measured)
    sections = [
        _program(subjects),
        _method(measured),
        _evaluation(subjects, about, measured.game),
        times_section(times, limit, published),
        strength_section(strengths, measured.game),
        games_section(measured.games),
        _faults(measured),
    ]
    names = listed([one_line(subject.name) for subject in subjects])
    return Document(
        f"{TITLES[measured.game]}: {names}", one_line(author), tuple(each for each in sections if each is not None)
    )


def split(measured: Measured) -> tuple[list[Series], list[Series]]:
    """The series that show CPU time by depth, and those that show strength."""
    strengths = [each for each in measured.series if _shows_strength(each)]
    return [each for each in measured.series if each not in strengths], strengths


def _shows_strength(series: Series) -> bool:
    if any(row.regret is not None for row in series.rows):
        return True
    return series.count > 1 and all(row.cpu_seconds is None for row in series.rows)


def _program(subjects: Sequence[Subject]) -> Section:
    pairs: list[tuple[str, Line]] = []
    for subject in subjects:
        name = one_line(subject.name)
        pairs.append(("Program", plain(name)))
        if subject.how:
            label = "Command" if subject.built_in is None else "Built in"
            pairs.append((label, (Span(one_line(subject.how, 1000), "code"),)))
        if subject.language:
            pairs.append(("Language", plain(subject.language)))
    return Section("program", f"The program{'s' * (len(subjects) > 1)}", (Pairs(tuple(pairs)),))


def _method(measured: Measured) -> Section:
    facts = dict(measured.facts or {})
    pairs = [(label, _fact(name, facts.pop(name))) for name, label in LABELS.items() if facts.get(name) is not None]
    for name, value in facts.items():
        if name not in UNSAID and value is not None:
            pairs.append((one_line(name.replace("_", " ").capitalize()), _fact(name, value)))
    positions = dict.fromkeys(set_in_words(each) for each in measured.series)
    if positions:
        pairs.append(("Positions", plain("; ".join(positions))))
    blocks: tuple[Block, ...] = (Pairs(tuple(pairs)), paragraph(CPU_TIME))
    return Section("method", "How it was measured", blocks)


def _fact(name: str, value: Any) -> Line:
    if name == "command":
        return (Span(one_line(str(value), 2000), "code"),)
    if name == "limit" and isinstance(value, int | float):
        return plain(f"{value:g} s of CPU time: the first depth at which a move takes longer is the last")
    if isinstance(value, dict):
        return plain(one_line("; ".join(f"{key}: {each}" for key, each in value.items()), 1000))
    return plain(one_line(str(value), 1000))


def _evaluation(subjects: Sequence[Subject], about: str, game: str) -> Section:
    blocks: list[Block] = list(blocks_of(lines(about, LONGEST))) if about.strip() else []
    for subject in subjects:
        if subject.built_in is None and about.strip():
            continue
        top = 3
        if len(subjects) > 1 or blocks:
            blocks.append(Heading(3, plain(one_line(subject.name))))
            top = 4
        blocks += _missing(subject) if subject.built_in is None else blocks_of(description(subject.built_in, game), top)
    if any(subject.built_in is not None and searches(subject.built_in) for subject in subjects):
        blocks += [Heading(3, plain("The search")), *blocks_of(SEARCH[game])]
    return Section("evaluation", "The evaluation function", tuple(blocks))


def _missing(subject: Subject) -> list[Block]:
    asked = (
        f"To be written by the author of {one_line(subject.name)}: what the evaluation function computes for a "
        "position at the depth limit and for a full board; why that is a good guess of how the game ends; what else "
        "was tried. "
        "Write it into a file, as plain text or Markdown, and make the report with "
    )
    return [Paragraph((Span(asked), Span("--about FILE", "code"), Span(".")), missing=True)]


def _faults(measured: Measured) -> Section:
    found: list[Line] = []
    for series in measured.series:
        where = f"{one_line(series.player)} on {set_in_words(series)}"
        found += [plain(f"{where}. {note}") for note in notes(series)]
    for games in measured.games:
        if games.faults:
            against = f"{one_line(games.player)} against {one_line(games.opponent)}"
            found.append(plain(f"{against}. It lost {games.faults} of {games.played} games by a fault."))
    blocks: tuple[Block, ...] = (Items(tuple(found)),) if found else (paragraph("Every move was a legal one."),)
    return Section("faults", "Faults and notes", blocks)
