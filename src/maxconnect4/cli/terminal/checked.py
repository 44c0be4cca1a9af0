"""What came of checking a program: in words, as JSON, and for Gradescope."""

from __future__ import annotations

import re

from ...referee.faults import COSMETIC, NOTES
from ...referee.programs import scratch
from ...referee.trials import FAILED, MOVES, NOTED, PASSED, ROBUSTNESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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
        lines += ["", _games_in_words(report.games)]
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


def _games_in_words(games: Games) -> str:
    return f"Against {games.opponent}: {games.in_words()}: {games.verdict()}."


def _plain(text: str) -> str:
    """A text without anything that a terminal might act on."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def as_json(report: Report) -> str:
    """All of it, as one line of JSON."""
    import json

    return json.dumps(
        {
            "name": report.entrant.name,
            "game": report.game,
            "command": list(report.entrant.command),
            "depth": report.entrant.depth,
            "passed": report.passed,
            "checks": [_check_facts(each) for each in report.checks],
            "notes": report.notes(),
            "speed": [
                {"depth": speed.depth, "cpu_seconds": round(speed.cpu_seconds, 4), "fault": speed.fault}
                for speed in report.speeds
            ],
            "strength": _strength_facts(report),
            "games": _games_facts(report.games),
            "seconds": round(report.seconds, 3),
        }
    )


def _check_facts(each: Check) -> dict[str, Any]:
    names = ("group", "name", "result", "detail", "fault", "printed")
    return {**{name: getattr(each, name) for name in names}, "notes": list(dict.fromkeys(each.notes))}


def _strength_facts(report: Report) -> dict[str, Any] | None:
    if report.strength is None:
        return None
    strength = report.strength
    return {
        "positions": len(strength.given_away),
        "given_away": sum(strength.given_away),
        "mean": round(strength.mean, 4),
        "worst": max(strength.given_away),
        "perfect_share": round(strength.perfect_share, 4),
        "kept_share": None if strength.kept_share is None else round(strength.kept_share, 4),
    }


def _games_facts(games: Games | None) -> dict[str, Any] | None:
    from dataclasses import asdict

    return None if games is None else {**asdict(games), "played": games.played, "consistent": games.consistent}


def for_gradescope(report: Report) -> str:
    """The results.json of its autograder: a point for each check, a note counting as a pass, and one for strength."""
    import json

    tests = []
    for each in report.checks:
        notes = [f"{kind}: {NOTES[kind]}" for kind in dict.fromkeys(each.notes)]
        output = "\n".join([f"{MARKS[each.result]}: {each.detail}", *notes, each.printed]).strip()
        tests.append(_gradescope_test(f"{each.group}: {each.name}", each.result != FAILED, output))
    if report.games is not None:
        name = f"Strength: beats {report.games.opponent} consistently"
        tests.append(_gradescope_test(name, report.games.consistent, _games_in_words(report.games)))
    results = {
        "score": sum(test["score"] for test in tests),
        "execution_time": round(report.seconds),
        "output": in_words(report),
        "output_format": "text",
        "tests": tests,
    }
    return json.dumps(results, indent=1) + "\n"


def _gradescope_test(name: str, passed: bool, output: str) -> dict[str, Any]:
    return {
        "name": name,
        "score": 1.0 if passed else 0.0,
        "max_score": 1.0,
        "status": PASSED if passed else FAILED,
        "output": output,
        "output_format": "text",
    }
