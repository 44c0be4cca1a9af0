"""What came of checking a program, for other programs: as JSON, and as Gradescope takes it."""

from __future__ import annotations

import json
from dataclasses import asdict

from ...referee.faults import NOTES
from ...referee.programs.isolation import isolation_for
from ...referee.trials import FAILED, PASSED
from .words import MARKS, games_in_words, in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...referee.checking import Report
    from ...referee.opposing import Games
    from ...referee.trials import Check


def as_json(report: Report) -> str:
    """All of it, as one line of JSON."""
    return json.dumps(
        {
            "name": report.entrant.name,
            "game": report.game,
            "command": list(report.entrant.command),
            "depth": report.entrant.depth,
            "isolation": isolation_for(report.entrant.limits.isolation).name,
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
    return None if games is None else {**asdict(games), "played": games.played, "consistent": games.consistent}


def for_gradescope(report: Report) -> str:
    """The results.json of its autograder: a point for each check, a note counting as a pass, and one for strength."""
    tests = []
    for each in report.checks:
        notes = [f"{kind}: {NOTES[kind]}" for kind in dict.fromkeys(each.notes)]
        output = "\n".join([f"{MARKS[each.result]}: {each.detail}", *notes, each.printed]).strip()
        tests.append(_gradescope_test(f"{each.group}: {each.name}", each.result != FAILED, output))
    if report.games is not None:
        name = f"Strength: beats {report.games.opponent} consistently"
        tests.append(_gradescope_test(name, report.games.consistent, games_in_words(report.games)))
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
