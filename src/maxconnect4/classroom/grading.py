"""Grades of a class: the points of a rubric for the results of the checks, and the gradebook."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

from ..errors import BadFile, quote, quote_path
from ..files import read_text
from ..formatting import plural
from ..referee.conformance import FAILED, MINIMAX, MOVES, NOTED, CheckResult, ConformanceReport
from ..safe_text import csv_table
from .checking import with_command
from .class_file import LARGEST, ClassFolder, Student, parse_toml
from .results import CheckOutcome, ClassResults

Points = Annotated[float, msgspec.Meta(ge=0, le=10_000)]


def _cpu_seconds(report: ConformanceReport, depth: int | None) -> float | None:
    found = (each.cpu_seconds for each in report.speeds if each.depth == depth and each.fault is None)
    return next(found, None)


def _wins(report: ConformanceReport, _: int | None) -> float | None:
    return report.games.wins / report.games.played if report.games and report.games.played else None


def _minimax_share(report: ConformanceReport, depth: int | None) -> float | None:
    found = [each for each in report.minimax if depth in (None, each.depth)]
    return sum(each.perfect for each in found) / sum(each.tried for each in found) if found else None


def _growth(report: ConformanceReport, _: int | None) -> float | None:
    return report.pruning.growth if report.pruning else None


#: The measured values of a report by name: the value, which is None if it was not measured, and its text.
MEASURES: dict[str, tuple[Callable[[ConformanceReport, int | None], float | None], str]] = {
    "regret": (lambda report, _: report.strength.regret.mean if report.strength else None, "mean regret {:.2f}"),
    "perfect_share": (
        lambda report, _: report.strength.regret.perfect_share if report.strength else None,
        "{:.0%} of the moves are perfect",
    ),
    "cpu_seconds": (_cpu_seconds, "{:.2f} s of CPU time"),
    "wins": (_wins, "{:.0%} of the games won"),
    "minimax_share": (_minimax_share, "{:.0%} of the moves are those of minimax"),
    "growth": (_growth, "the CPU time grows by a factor of {:.1f} per ply"),
}


class Band(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The points for values up to `at_most` or from `at_least`."""

    points: Points
    at_most: float | None = None
    at_least: float | None = None

    def contains(self, value: float) -> bool:
        """Whether a value belongs to the band."""
        above = self.at_least is None or value >= self.at_least
        return above and (self.at_most is None or value <= self.at_most)


class Criterion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A [[criterion]] table: points for a measured value, those of the first band that contains it."""

    name: str
    measure: str
    depth: int | None = None  # of a measure that has one
    bands: Annotated[list[Band], msgspec.Meta(min_length=1)]


class LatePenalty(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The [late] table: the penalty for each late day."""

    percent_per_day: Annotated[float, msgspec.Meta(ge=0, le=100)] = 0
    most_days: Points | None = None


class Rubric(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of rubric.toml."""

    checks: dict[str, Points] = {}  # by the name of a check or a group of checks
    note: Annotated[float, msgspec.Meta(ge=0, le=1)] = 1.0  # share of the points of a check with a note
    criterion: list[Criterion] = []
    late: LatePenalty = LatePenalty()
    rounding: Literal[0, 1, 2] = 1  # decimals of the grade

    @property
    def most(self) -> float:
        """The maximum of the points."""
        return sum(self.checks.values()) + sum(max(band.points for band in each.bands) for each in self.criterion)


def read_rubric(path: str) -> Rubric:
    """Read a rubric. Raises BadFile for a file that is not valid."""
    rubric = parse_toml(read_text(path, "rubric", LARGEST), path, Rubric)
    for each in rubric.criterion:
        if each.measure not in MEASURES:
            choices = ", ".join(MEASURES)
            raise BadFile(f"{quote_path(path)}: measure: {quote(each.measure)} is not valid: choose {choices}")
    if not rubric.most:
        raise BadFile(f"{quote_path(path)} gives no points: add points to [checks] or a [[criterion]]")
    return rubric


@dataclass(frozen=True, slots=True)
class Score:
    """The points of one line of the rubric."""

    name: str
    points: float
    most: float
    remark: str
    checks: tuple[tuple[CheckResult, float, float], ...] = ()  # each check with its points and their maximum


@dataclass(frozen=True, slots=True)
class Grade:
    """The grade of a student."""

    student: Student
    outcome: CheckOutcome
    scores: tuple[Score, ...]
    most: float
    penalty: float  # points for late days
    points: float  # the grade, rounded
    remarks: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether the program runs and makes only legal moves, as a tournament requires."""
        report = self.outcome.report
        return report is not None and plays(report)


def plays(report: ConformanceReport) -> bool:
    """Whether no check of legal moves failed."""
    return all(each.result != FAILED for each in report.checks if each.group == MOVES)


def players_of(folder: ClassFolder, results: ClassResults) -> list[Student]:
    """The students whose programs run and make only legal moves, with their commands."""
    checks = results.checks()
    found = [(each, checks[each.id][1].report) for each in folder.students if each.id in checks]
    return [with_command(each, results) for each, report in found if report is not None and plays(report)]


def grade(student: Student, outcome: CheckOutcome, rubric: Rubric) -> Grade:
    """Grade the outcome of a check."""
    report = outcome.report
    scores = [_check_score(name, most, report, rubric) for name, most in rubric.checks.items()]
    scores += [_criterion_score(each, report) for each in rubric.criterion]
    total = math.fsum(each.points for each in scores)
    late, days = rubric.late, student.days_late
    penalty = min(total, total * late.percent_per_day / 100 * days)
    if late.most_days is not None and days > late.most_days:
        penalty = total
    remarks = [outcome.problem] if outcome.problem else []
    if report is not None:
        remarks += [*report.remarks, *_failures(report)]
    if penalty:
        remarks.append(f"{days_text(days)} late: {penalty:.4g} points less")
    points = round(total - penalty, rubric.rounding)
    return Grade(student, outcome, tuple(scores), rubric.most, penalty, points, tuple(remarks))


def _failures(report: ConformanceReport) -> list[str]:
    """The failed checks in words; those with the same fault together."""
    failed: dict[str, list[CheckResult]] = {}
    for each in report.checks:
        if each.result == FAILED:
            alike = MINIMAX if each.group == MINIMAX else each.name
            key = each.fault or ("skipped" if each.detail.startswith("skipped") else alike)
            failed.setdefault(key, []).append(each)
    return [
        ("" if len(several) == 1 else f"{len(several)} checks failed, the first ")
        + "; ".join([f"{several[0].name}: {several[0].detail}", *several[0].remarks])
        for key, several in failed.items()
        if key != "skipped" or len(failed) == 1
    ]


def days_text(days: float) -> str:
    """A number of days, which may have a fraction."""
    return f"{days:g} day{'' if days == 1 else 's'}"


def _check_score(name: str, most: float, report: ConformanceReport | None, rubric: Rubric) -> Score:
    """The points of a check, or of a group, without its checks that the rubric names."""
    if report is None:
        return Score(name, 0.0, most, "not checked")
    several = [each for each in report.checks if each.name == name]
    several = several or [each for each in report.checks if each.group == name and each.name not in rubric.checks]
    if not several:
        return Score(name, 0.0, most, "no check has this name")
    total = sum(each.weight for each in several)
    rows = tuple(
        (each, _earned(each, rubric) * most * each.weight / total, most * each.weight / total) for each in several
    )
    ok = sum(each.result != FAILED for each in several)
    remark = several[0].detail if len(several) == 1 else f"{ok} of {plural(len(several), 'check')} passed"
    return Score(name, math.fsum(points for _, points, _ in rows), most, remark, rows)


def _earned(check: CheckResult, rubric: Rubric) -> float:
    """The share of its points that a check earns: its own, if it has one, or by its result."""
    return rubric.note if check.result == NOTED and check.share is None else check.earned


def _criterion_score(criterion: Criterion, report: ConformanceReport | None) -> Score:
    most = max(band.points for band in criterion.bands)
    value_of, text = MEASURES[criterion.measure]
    value = None if report is None else value_of(report, criterion.depth)
    if value is None:
        return Score(criterion.name, 0.0, most, "not checked" if report is None else "no value was measured")
    points = next((band.points for band in criterion.bands if band.contains(value)), 0.0)
    return Score(criterion.name, points, most, text.format(value))


def unmatched(rubric: Rubric, reports: Iterable[ConformanceReport]) -> list[str]:
    """The names in the rubric that are not those of a check or a group in any report."""
    known = {name for report in reports for each in report.checks for name in (each.name, each.group)}
    return [name for name in rubric.checks if known and name not in known]


def gradebook_csv(grades: Iterable[Grade]) -> str:
    """The gradebook: a line for each student with the ID, the grade, the points of each line of the rubric."""
    several = sorted(grades, key=lambda each: (each.student.name.casefold(), each.student.id))
    names = [score.name for score in several[0].scores] if several else []
    heads = ["ID", "student", "grade", "out of", *names, "days late", "late penalty", "language", "remarks"]
    rows = [
        [
            *(each.student.id, each.student.name, each.points, each.most),
            *(round(score.points, 2) for score in each.scores),
            *(each.student.days_late, round(each.penalty, 2), each.student.language, "; ".join(each.remarks)),
        ]
        for each in several
    ]
    return csv_table(heads, rows)
