"""What came of checking a program, in words."""

from __future__ import annotations

import re

from ...referee.faults import COSMETIC, NOTES
from ...referee.programs import scratch
from ...referee.trials import FAILED, MOVES, NOTED, PASSED, ROBUSTNESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...referee.checking import Report
    from ...referee.opposing import Games
    from ...referee.trials import Check

MARKS = {PASSED: "ok", NOTED: "note", FAILED: "FAIL"}
LINES_SHOWN = 6  # the last of what a program printed when it failed
#: What differs from one failure to the next that is the same: the folder, an address, seconds.
VARYING = re.compile(rf"{scratch.PREFIX}[\w-]+|0x[0-9a-fA-F]+|\d+\.\d+")


def in_words(report: Report) -> str:
    """All of it, in lines."""
    entrant = report.entrant
    game = "" if report.game == "max" else ", in the classic game"
    lines = [f"{entrant.name}: {_plain(entrant.command_line)}{game}"]
    told: dict[str, str] = {}
    for group in (MOVES, ROBUSTNESS):
        lines += ["", group]
        for each in report.checks:
            if each.group == group:
                lines += _check_in_words(each, told)
    notes = report.notes()
    if notes:
        lines += ["", "Notes", *(f"  {kind}, {_times(count)}: {NOTES[kind]}" for kind, count in notes.items())]
    if report.speeds:
        lines += ["", "CPU time of a move from the empty board"]
        for speed in report.speeds:
            lines.append(f"  depth {speed.depth:>2}  {speed.cpu_seconds:7.2f} s  {speed.fault or ''}".rstrip())
    if report.strength is not None:
        lines += ["", _strength_in_words(report)]
    if report.games is not None and report.games.played:
        lines += ["", games_in_words(report.games)]
    failed, noted = report.count(FAILED), report.count(NOTED)
    lines += ["", f"{failed} of {len(report.checks)} checks failed, {noted} marked note."]
    return "\n".join(lines)


def _check_in_words(each: Check, told: dict[str, str]) -> list[str]:
    """The lines on a check; what has been `told` of a failure, with the name of its check, is not told again."""
    marked = [kind for kind in dict.fromkeys(each.notes) if kind not in COSMETIC]
    detail = _plain(each.detail) + (f" ({', '.join(marked)})" if marked else "")
    evidence: list[str] = []
    if each.result == FAILED:
        printed = [line for line in each.printed.splitlines() if line.strip()]
        evidence = [f"        | {_plain(line)}" for line in printed[-LINES_SHOWN:]]
        alike = VARYING.sub("", "\n".join(evidence))
        all_alike = VARYING.sub("", "\n".join([detail, *evidence]))
        kind, colon, _ = detail.partition(": ")
        if all_alike in told and colon:
            name = told[all_alike]
            detail = f"{kind}: the same" + ("" if name == next(reversed(told.values())) else f" as {name}")
        if alike in told:
            evidence = []
        told.setdefault(alike, each.name)
        told.setdefault(all_alike, each.name)
    return [f"  {MARKS[each.result]:<4}  {each.name}: {detail}", *evidence]


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _strength_in_words(report: Report) -> str:
    assert report.strength is not None
    strength = report.strength
    where = f"over {len(strength.given_away)} positions, {max(strength.given_away)} at the most"
    share = f"{strength.perfect_share:.0%} of the moves were perfect"
    if strength.kept_share is not None:
        kept = f"{strength.kept_share:.0%} kept the result"
        return f"Against perfect play {share} and {kept}; it gave away {strength.mean:.2f} a move {where}."
    return f"Against perfect play it gave away {strength.mean:.2f} points a move {where}; {share}."


def games_in_words(games: Games) -> str:
    """How whole games went."""
    return f"Against {games.opponent}: {games.in_words()}: {games.verdict()}."


def _plain(text: str) -> str:
    """A text without anything that a terminal might act on."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
