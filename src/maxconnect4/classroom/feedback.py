"""Pages of a class: the feedback for each student, and the overview with distributions for the teacher."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ..documents import Table, bullets, code_span, escape, html_page
from ..files import make_folder, read_bytes, write_atomic
from ..formatting import NO_VALUE, format_cpu_time, plural
from ..referee.conformance import FAILED, MINIMAX, MOVES, NOTED, PASSED, ConformanceReport
from ..referee.move_validation import NOTES
from ..referee.search_checks import MinimaxResult
from ..referee.shared_mistakes import HEADS, HINT, mistakes_of_reports, shared_mistakes, shared_mistakes_rows
from ..safe_text import lines, one_line
from .checking import with_command
from .class_file import LARGEST, LOG, CheckSettings, ClassFolder
from .grading import Grade, Rubric, Score, days_text, grade, gradebook_csv
from .results import CheckOutcome, ClassResults

FEEDBACK = "feedback"  # the folder of the pages

MARKS = {PASSED: "ok", NOTED: "note", FAILED: "failed"}
#: Advice for faults: see `FAULTS`.
ADVICE = {
    "cannot start": "Check that the program starts with the command above in an empty folder with your files.",
    "time-out": "Check that every loop ends, also at depth 0 and on a full board, and that nothing waits for input.",
    "CPU time-out": "Make the search faster: alpha-beta pruning, moves from the centre first, and a faster evaluation.",
    "printed too much": "Print only the board, the points and the move; remove debug output from the search.",
    "crash": "Run the program with the input file of the check, and read the error message. Check indices at the edges "
    "of the board, and moves in full columns.",
    "out of memory": "Do not store the whole search tree: undo moves, or copy one board for each depth.",
    "too many processes": "Do not start processes or threads without limit.",
    "wrote too much": "Write only the output file.",
    "no output": "Write the position to the file that the third argument names, also if the program ends early.",
    "not a file": "Write a regular file under the name of the third argument.",
    "output too large": "Write the position once, and overwrite the file instead of appending to it.",
    "malformed output": "Write six lines of seven digits, the top row first, then a line with the next player.",
    "unchanged board": "Make a move whenever the board has an empty cell, also at the largest depth.",
    "changed board": "Change only one cell: undo the moves of the search before you write the board.",
    "illegal move": "Let the piece fall to the lowest empty cell, use the colour of the player in the last line of the "
    "input, and make one move.",
}

MINIMAX_ADVICE = (
    "Near the end of the game minimax sees every line of play, so that its move is perfect. Check the sign of the "
    "values, which player maximises at each ply, the number of plies, the value of a full board, and that moves are "
    "undone."
)


def grade_class(folder: ClassFolder, results: ClassResults, rubric: Rubric) -> list[Grade]:
    """The grades of all students, by name."""
    checks = results.checks()
    students = sorted(folder.students, key=lambda each: (each.name.casefold(), each.id))
    nothing = "", CheckOutcome(None, "not checked")
    return [grade(with_command(each, results), checks.get(each.id, nothing)[1], rubric) for each in students]


def save_grades(folder: ClassFolder, grades: Sequence[Grade]) -> None:
    """Write the gradebook, the feedback of each student and the overview into the folder of the class."""
    title, settings = folder.settings.title, folder.settings.check
    make_folder(folder.path(FEEDBACK))
    for each in grades:
        log = folder.path(each.student.folder, LOG)
        text = read_bytes(log, "log", LARGEST).decode("utf-8", "replace") if os.path.exists(log) else ""
        name = f"{os.path.basename(each.student.folder)}.html"
        write_atomic(folder.path(FEEDBACK, name), feedback_page(each, title, settings, text).encode())
    write_atomic(folder.path("gradebook.csv"), gradebook_csv(grades).encode())
    write_atomic(folder.path("overview.html"), overview_page(grades, title).encode())


def feedback_page(grade: Grade, title: str, settings: CheckSettings, log: str = "") -> str:
    """The feedback for a student, as a self-contained HTML page."""
    return html_page(feedback_markdown(grade, title, settings, log), {})


def feedback_markdown(grade: Grade, title: str, settings: CheckSettings, log: str = "") -> str:
    """The feedback for a student: points, results of the checks, how to reproduce them, and what to fix."""
    student, report = grade.student, grade.outcome.report
    parts = [f"# {escape(f'{title}: {student.name or student.id}')}", _summary(grade), "## Points", _points(grade)]
    if report is None:
        parts += ["## What happened", escape(_sentence(grade.outcome.problem or "The program was not checked"))]
        if log.strip():
            parts += ["The log of the build:", _fence(log)]
        return "\n\n".join(parts)
    to_fix = [*(escape(_sentence(one_line(remark, 500))) for remark in report.remarks), *_to_fix(report)]
    parts += ["## What to fix", *to_fix] if to_fix else []
    parts += ["## What was tried", _checks_table(grade)]
    measured = _measured(report)
    if measured:
        parts += ["## Strength and speed", *measured]
    if notes := report.notes():
        kinds = [f"**{escape(kind)}**, {plural(count, 'time')}: {escape(NOTES[kind])}" for kind, count in notes.items()]
        parts += ["## Notes", bullets(kinds)]
    parts += ["## Reproduce it", *_reproduction(grade, settings)]
    return "\n\n".join(parts)


def _summary(grade: Grade) -> str:
    late = f" after {grade.penalty:.4g} points of late penalty" if grade.penalty else ""
    return f"**{grade.points:g} of {grade.most:g} points**{late}."


def _points(grade: Grade) -> str:
    rows = [(each.name, f"{each.points:.4g}", f"{each.most:.4g}", one_line(each.remark)) for each in grade.scores]
    if grade.penalty:
        rows.append(("Late penalty", f"-{grade.penalty:.4g}", "", f"{days_text(grade.student.days_late)} late"))
    return Table(
        "", ("criterion", "points", "of", "remark"), tuple(rows), frozenset({"criterion", "remark"})
    ).markdown()


def _to_fix(report: ConformanceReport) -> list[str]:
    """Each failed check, and each counterexample, with evidence and advice; alike ones are described once."""
    parts: list[str] = []
    described: set[tuple[str | None, str]] = set()
    also: list[str] = []
    for each in report.checks:
        if each.result != FAILED and each.counterexample is None:
            continue
        alike = each.fault, each.printed[:200]
        if (each.fault and alike in described) or each.detail.startswith("skipped"):
            also.append(each.name)
            continue
        described.add(alike)
        where = "" if each.group == MOVES else f"{each.group}, "
        parts.append(f"**{escape(_sentence(where + each.name))}** {escape(_sentence(one_line(each.detail, 500)))}")
        parts += [escape(_sentence(one_line(remark, 500))) for remark in each.remarks]
        if each.counterexample is not None:
            parts.append(escape(f"For example at {each.counterexample}."))
        if each.printed.strip():
            parts += ["The program printed:", _fence(each.printed)]
        if each.input is not None:
            depth = "" if each.depth is None else f", for depth {each.depth}"
            parts += [f"The input file{depth}:", _fence(each.input)]
        if each.fault in ADVICE:
            parts.append(escape(ADVICE[each.fault]))
        elif each.group == MINIMAX and escape(MINIMAX_ADVICE) not in parts:
            parts.append(escape(MINIMAX_ADVICE))
    if also:
        parts.append(f"These checks failed for the same reason, or were skipped: {escape('; '.join(also))}.")
    return parts


def _checks_table(grade: Grade) -> str:
    report = grade.outcome.report
    assert report is not None
    worth = {id(check): (points, most) for score in grade.scores for check, points, most in score.checks}
    rows = []
    for each in report.checks:
        points, most = worth.get(id(each), (0.0, 0.0))
        shown = f"{points:.3g} of {most:.3g}" if most else NO_VALUE
        rows.append((each.name, each.group, MARKS[each.result], shown, one_line(each.detail, 300)))
    heads = ("check", "group", "result", "points", "what happened")
    return Table("", heads, tuple(rows), frozenset({"check", "group", "result", "what happened"})).markdown()


def _measured(report: ConformanceReport) -> list[str]:
    parts = []
    if report.strength is not None:
        regret = report.strength.regret
        parts.append(
            f"{regret.perfect_share:.0%} of the moves in {len(report.strength.regrets)} positions are perfect. The "
            f"mean regret is {regret.mean:.2f}, the worst {regret.worst}: the regret is the value of the best move "
            "minus the value of the move played, in points at the end of the game with perfect play."
        )
    if report.minimax:
        rows = tuple(
            (str(each.depth), f"{each.perfect} of {each.tried}", f"{each.share:.0%}") for each in report.minimax
        )
        parts.append(Table("Perfect moves near the end of the game", ("depth", "moves", "share"), rows).markdown())
    if report.games is not None and report.games.played:
        parts.append(escape(f"Against {report.games.opponent}: {report.games.summary_text()}."))
    if report.speeds:
        rows = tuple((str(each.depth), format_cpu_time(each.cpu_seconds), each.fault or "") for each in report.speeds)
        table = Table("CPU time of a move from the empty board", ("depth", "CPU time", "fault"), rows)
        parts.append(table.markdown())
    return parts


def _reproduction(grade: Grade, settings: CheckSettings) -> list[str]:
    command = shlex.join(["maxconnect4", "check", grade.student.command, "--folder", "."])
    options = f" --depth {settings.depth} --deepest {settings.deepest} --positions {settings.positions}"
    options += f" --seconds {settings.seconds:g} --memory {settings.memory}"
    if settings.games:
        options += f" --against random --games {settings.games}"
    if settings.game != "max":
        options += f" --game {settings.game}"
    build = [f"Build the program in your folder: {code_span(grade.student.build)}"] if grade.student.build else []
    steps = [
        *build,
        f"Run it on a position file: {code_span(grade.student.command)}, with the names of the files and the depth.",
        f"Repeat all checks: {code_span(command + options)}",
    ]
    return ["\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))]


def _sentence(text: str) -> str:
    text = text.strip().rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


def _fence(text: str) -> str:
    text = lines(text.rstrip("\n"), 4000)
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}text\n{text}\n{fence}"


# The overview


def overview_page(grades: Sequence[Grade], title: str) -> str:
    """The overview of a class for the teacher: the grades of all students, and distributions."""
    return html_page(overview_markdown(grades, title), {})


def overview_markdown(grades: Sequence[Grade], title: str) -> str:
    """The overview of a class: students, distributions, and the checks that fail most."""
    ranked = sorted(grades, key=lambda each: (-each.points, each.student.name.casefold()))
    values = sorted(each.points for each in grades)
    runs = sum(each.outcome.report is not None for each in grades)
    passing = sum(each.passed for each in grades)
    parts = [f"# {escape(title)}"]
    if values:
        middle = (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2
        parts.append(
            f"{plural(len(values), 'student')}: {runs} with a program that runs, {passing} with legal moves only. Mean "
            f"{sum(values) / len(values):.1f}, median {middle:.4g} of {grades[0].most:g} points."
        )
    parts += ["## Grades", _distribution("points", [each.points / each.most * 100 for each in grades], TENTHS, " %")]
    parts += ["## Students", _students_table(ranked)]
    remarks = [f"**{escape(each.student.name)}**: {escape('; '.join(each.remarks))}" for each in ranked if each.remarks]
    parts += ["## Remarks", bullets(remarks)] if remarks else []
    parts += ["## Criteria", _criteria_table(ranked)]
    failed = Counter(
        f"{check.group}: {check.name}"
        for each in grades
        if each.outcome.report
        for check in each.outcome.report.checks
        if check.result == FAILED
    )
    if failed:
        rows = tuple((name, str(count), _bar(count, len(grades))) for name, count in failed.most_common())
        parts += ["## Failed checks", Table("", ("check", "students", ""), rows, frozenset({"check", ""})).markdown()]
    shares = [
        sum(each.perfect for each in found) / sum(each.tried for each in found) * 100 for found in _minimax(grades)
    ]
    if shares:
        parts += ["## Correct minimax", _distribution("perfect moves", shares, MINIMAX_SHARES, " %")]
    regrets = [each.outcome.report.strength.regret.mean for each in grades if _has_strength(each)]  # type: ignore[union-attr]
    if regrets:
        parts += ["## Strength", _distribution("mean regret", regrets, (0.1, 0.25, 0.5, 1.0, 1.5, 2.0))]
    mistakes = mistakes_of_reports((each.student.name, each.outcome.report) for each in grades if each.outcome.report)
    if pairs := shared_mistakes(mistakes):
        parts += ["## Shared mistakes", HINT, Table("", HEADS, tuple(shared_mistakes_rows(pairs))).markdown()]
    languages = Counter(each.student.language or "none" for each in grades)
    rows = tuple((name, str(count), _bar(count, len(grades))) for name, count in languages.most_common())
    parts += ["## Languages", Table("", ("language", "students", ""), rows, frozenset({"language", ""})).markdown()]
    return "\n\n".join(parts)


TENTHS = (10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0)
BAR = 30  # characters of the longest bar


HUNDRED = 100.0  # percent: there are no larger shares
MINIMAX_SHARES = (50.0, 60.0, 70.0, 80.0, 90.0, HUNDRED)


def _minimax(grades: Iterable[Grade]) -> list[tuple[MinimaxResult, ...]]:
    return [each.outcome.report.minimax for each in grades if each.outcome.report and each.outcome.report.minimax]


def _has_strength(grade: Grade) -> bool:
    return grade.outcome.report is not None and grade.outcome.report.strength is not None


def _distribution(what: str, values: Sequence[float], edges: Sequence[float], unit: str = "") -> str:
    """The number of values in each interval. An interval includes its lower edge."""
    counts = [0] * (len(edges) + 1)
    for value in values:
        counts[sum(value >= edge for edge in edges)] += 1
    names = [f"under {edges[0]:g}{unit}", *(f"{low:g} to {high:g}{unit}" for low, high in pairwise(edges))]
    names.append(f"{edges[-1]:g}{unit}" + " and more" * (edges[-1] != HUNDRED))
    rows = tuple((name, str(count), _bar(count, max(counts))) for name, count in zip(names, counts, strict=True))
    return Table("", (what, "students", ""), rows, frozenset({what, ""})).markdown()


def _bar(count: int, most: int) -> str:
    return "█" * round(BAR * count / max(most, 1))


def _students_table(grades: Iterable[Grade]) -> str:
    rows = []
    for each in grades:
        report = each.outcome.report
        regret = f"{report.strength.regret.mean:.2f}" if report and report.strength else NO_VALUE
        cpu = NO_VALUE
        if report and (measured := [speed for speed in report.speeds if speed.fault is None]):
            cpu = f"{format_cpu_time(measured[-1].cpu_seconds)} at depth {measured[-1].depth}"
        failed = "no program" if report is None else str(report.count(FAILED))
        late = f"{each.student.days_late:g}" if each.student.days_late else ""
        student = each.student.name, each.student.id, f"{each.points:g}", each.student.language or NO_VALUE
        rows.append((*student, failed, regret, cpu, late))
    heads = ("student", "ID", "points", "language", "failed checks", "mean regret", "CPU time", "days late")
    return Table("", heads, tuple(rows), frozenset({"student", "ID", "language"})).markdown()


def _criteria_table(grades: Sequence[Grade]) -> str:
    rows = []
    for scores in zip(*(each.scores for each in grades), strict=True):
        first: Score = scores[0]
        mean = sum(each.points for each in scores) / len(scores)
        full = sum(each.points >= each.most - 1e-9 for each in scores)
        none = sum(each.points == 0 for each in scores)
        rows.append((first.name, f"{first.most:g}", f"{mean:.1f}", str(full), str(none)))
    heads = ("criterion", "points", "mean", "students with all points", "students with none")
    return Table("", heads, tuple(rows), frozenset({"criterion"})).markdown()
