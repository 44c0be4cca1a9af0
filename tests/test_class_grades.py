"""`class check` and `class grade`: changed programs are checked, and a rubric makes points and pages of the results."""

from __future__ import annotations

import csv
import re
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from class_archives import HONEST, fast_settings
from terminal import maxconnect4

from maxconnect4.classroom.class_file import CheckSettings, Student
from maxconnect4.classroom.feedback import ADVICE, feedback_markdown, overview_markdown
from maxconnect4.classroom.grading import Grade, Rubric, grade, gradebook_csv, read_rubric, unmatched
from maxconnect4.classroom.intake import default_rubric
from maxconnect4.classroom.results import CheckOutcome, ClassResults
from maxconnect4.errors import BadFile
from maxconnect4.referee.conformance import (
    FAILED,
    MOVES,
    NOTED,
    PASSED,
    ROBUSTNESS,
    BaselineResult,
    CheckResult,
    ConformanceReport,
    Strength,
)
from maxconnect4.referee.isolation import isolation_for
from maxconnect4.referee.move_validation import FAULTS
from maxconnect4.referee.players import PlayerSpec
from maxconnect4.referee.search_checks import Counterexample, MinimaxResult, Speed

EXAMPLE = Counterexample("4444", "0000000\n", 1, 2, 2, 3, 5, (None, None, -1, None, 2, None, None), "35", "53")
CHECKS = (
    CheckResult("Legal moves", "first", PASSED, "column 4"),
    CheckResult("Legal moves", "second", FAILED, "crash: | *it* ended", "<b>Segmentation fault</b>", "crash"),
    CheckResult("Robustness", "depth 0", NOTED, "it wrote nothing"),
    CheckResult("Robustness", "a full board", PASSED, "it wrote nothing"),
    CheckResult(
        "Correct minimax",
        "at depth 2",
        FAILED,
        "10 of 20",
        remarks=("an off-by-one",),
        input="0000000\n",
        counterexample=EXAMPLE,
        share=0.25,
    ),
    CheckResult("Correct minimax", "at depth 4", PASSED, "20 of 20", weight=3),
)
REPORT = ConformanceReport(
    PlayerSpec("ada", command=("./ada", "{in}", "{out}")),
    CHECKS,
    (Speed(2, 0.5), Speed(4, 2.5), Speed(6, 9.0, "time-out")),
    Strength((0, 0, 1, 3)),
    1.0,
    BaselineResult("ada", "random", 8, 1, 1, 30, 10, 0),
    minimax=(MinimaxResult(2, 20, 10, 12, 8, 0.4, 0), MinimaxResult(4, 20, 20, 20, 8, 0.4, 0)),
)
ADA = Student(id="123", name="=ada", folder="students/ada", command="./ada one-move {in} {out} {depth}")


def rubric(**settings: Any) -> Rubric:
    return msgspec.convert(settings, Rubric)


def criterion(measure: str, *bands: dict[str, float], depth: int | None = None) -> dict[str, Any]:
    return {"name": measure, "measure": measure, "bands": list(bands), "depth": depth}


def graded(student: Student = ADA, **settings: Any) -> Grade:
    return grade(student, CheckOutcome(REPORT), rubric(**settings))


# Points


def test_a_group_shares_its_points_and_a_named_check_has_its_own() -> None:
    found = graded(checks={"Legal moves": 10, "Robustness": 4, "depth 0": 2}, note=0.5)
    assert [(each.name, each.points, each.most) for each in found.scores] == [
        ("Legal moves", 5, 10),
        ("Robustness", 4, 4),
        ("depth 0", 1, 2),
    ]
    assert (found.points, found.most) == (10, 16)
    assert not found.passed


def test_checks_have_weights_and_a_share_of_their_points() -> None:
    (found,) = graded(checks={"Correct minimax": 16}).scores
    assert found.points == 13
    assert [(points, most) for _, points, most in found.checks] == [(1, 4), (12, 12)]


@pytest.mark.parametrize(
    ("measure", "bands", "depth", "points"),
    [
        ("regret", ({"at_most": 0.5, "points": 9}, {"at_most": 1, "points": 5}), None, 5),
        ("regret", ({"at_most": 0.5, "points": 9},), None, 0),
        ("perfect_share", ({"at_least": 0.9, "points": 9}, {"at_least": 0.5, "points": 4}), None, 4),
        ("minimax_share", ({"at_least": 0.75, "points": 9},), None, 9),
        ("minimax_share", ({"at_least": 0.75, "points": 9},), 2, 0),
        ("growth", ({"at_most": 5, "points": 9},), None, 0),
        ("wins", ({"at_least": 0.8, "points": 3},), None, 3),
        ("cpu_seconds", ({"at_most": 1, "points": 9}, {"at_most": 5, "points": 7}), 4, 7),
        ("cpu_seconds", ({"at_most": 99, "points": 9},), 6, 0),
        ("cpu_seconds", ({"at_most": 99, "points": 9},), 8, 0),
    ],
)
def test_the_first_band_that_contains_the_value_has_the_points(
    measure: str, bands: tuple[dict[str, float], ...], depth: int | None, points: float
) -> None:
    found = graded(criterion=[criterion(measure, *bands, depth=depth)])
    assert (found.points, found.most) == (points, bands[0]["points"])


@pytest.mark.parametrize(
    ("days", "points", "penalty"), [(0, 10, 0), (1, 8, 2), (1.5, 7, 3), (4, 2, 8), (4.5, 0, 10), (9, 0, 10)]
)
def test_late_days_take_points(days: float, points: float, penalty: float) -> None:
    student = Student(id="1", folder="x", days_late=days)
    late = {"percent_per_day": 20, "most_days": 4}
    found = graded(student, criterion=[criterion("regret", {"points": 10})], late=late)
    assert (found.points, found.penalty) == (points, penalty)


def test_a_student_without_a_program_has_no_points() -> None:
    found = grade(ADA, CheckOutcome(None, "there is no program"), rubric(checks={"Legal moves": 10}))
    assert (found.points, found.most, found.passed) == (0, 10, False)
    assert found.remarks == ("there is no program",)


def test_the_rubric_that_comes_with_the_program_has_100_points(tmp_path: Path) -> None:
    (tmp_path / "rubric.toml").write_text(default_rubric())
    found = read_rubric(str(tmp_path / "rubric.toml"))
    assert found.most == 100
    assert unmatched(found, [REPORT]) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[checks]\nx = -1\n",
        "[checks]\nx = 'many'\n",
        "unknown = 1\n[checks]\nx = 1\n",
        "[[criterion]]\nname = 'x'\nmeasure = 'beauty'\nbands = [{points = 1}]\n",
        "[[criterion]]\nname = 'x'\nmeasure = 'regret'\nbands = []\n",
        "[checks\n",
        "[late]\npercent_per_day = 120\n[checks]\nx = 1\n",
    ],
)
def test_rubrics_that_are_not_valid_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "rubric.toml"
    path.write_text(text)
    with pytest.raises(BadFile, match=r"rubric\.toml"):
        read_rubric(str(path))


# Files


def test_the_gradebook_has_the_id_and_no_formulas() -> None:
    rows = list(csv.DictReader(gradebook_csv([graded(checks={"Legal moves": 10})]).splitlines()))
    assert (rows[0]["ID"], rows[0]["student"], rows[0]["grade"], rows[0]["Legal moves"]) == (
        "123",
        "'=ada",
        "5.0",
        "5.0",
    )


def test_the_feedback_has_the_points_the_evidence_and_the_advice() -> None:
    text = feedback_markdown(graded(checks={"Legal moves": 10}), "Class", CheckSettings())
    assert "**5 of 10 points**" in text
    assert "<b>Segmentation fault</b>" in re.findall(r"```text\n(.*?)```", text, re.DOTALL)[0]
    assert str(EXAMPLE).split(":")[0] in text
    assert "An off-by-one." in text
    assert ADVICE["crash"].split(",")[0] in text
    assert "maxconnect4 check './ada one-move {in} {out} {depth}' --folder ." in text
    assert "crash: \\| \\*it\\* ended" in text


def test_the_advice_is_for_faults() -> None:
    assert ADVICE.keys() <= FAULTS.keys()


def test_the_overview_counts_students_and_failed_checks() -> None:
    late = Student(id="9", name="late", folder="x", days_late=1)
    several = [
        graded(checks={"Legal moves": 10}),
        grade(late, CheckOutcome(None, "no program"), rubric(checks={"Legal moves": 10})),
    ]
    text = overview_markdown(several, "Class")
    assert "| Legal moves: second | 1 |" in text
    assert "| 50 to 60 % | 1 |" in text
    assert "| under 10 % | 1 |" in text
    assert "**late**: no program" in text


# The commands


@pytest.fixture(scope="module")
def taken_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class with a short check: a program without faults, one that crashes, and one that does not compile."""
    tmp_path = tmp_path_factory.mktemp("taken-in")
    export = tmp_path / "export"
    export.mkdir()
    (export / "ada-111.sh").write_text(HONEST)
    (export / "bob-222.sh").write_text("exit 1\n")
    (export / "cem.py").write_text("def broken(:\n")
    done = maxconnect4("class", "intake", "export", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    fast_settings(tmp_path / "class")
    return tmp_path


@pytest.fixture
def folder(taken_in: Path, tmp_path: Path) -> Path:
    """A copy of the class."""
    shutil.copytree(taken_in, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_only_new_and_changed_programs_are_checked(folder: Path) -> None:
    first = maxconnect4("class", "check", cwd=folder)
    assert first.returncode == 0, first.stderr
    assert "2 programs checked" in first.stdout
    assert "0 programs checked" in maxconnect4("class", "check", cwd=folder).stdout
    path = folder / "class" / "students" / "bob-222" / "source" / "bob-222.sh"
    path.write_text(HONEST)
    assert "1 program checked" in maxconnect4("class", "check", cwd=folder).stdout
    assert "1 program checked" in maxconnect4("class", "check", "ada", "--restart", cwd=folder).stdout
    with ClassResults(str(folder / "class" / "class.sqlite"), read_only=True) as results:
        found = {student: outcome for student, (_, outcome) in results.checks().items()}
    reports = {student: each.report for student, each in found.items()}
    assert reports["cem"] is None
    assert found["cem"].problem
    for student in ("111", "222"):
        report = reports[student]
        assert report is not None
        assert not [each for each in report.checks if each.result == FAILED and each.group in (MOVES, ROBUSTNESS)]
        assert report.strength is not None


def test_a_class_is_graded_with_the_ids_of_its_students(folder: Path) -> None:
    done = maxconnect4("class", "grade", cwd=folder)
    assert done.returncode == 0, done.stderr
    with (folder / "class" / "gradebook.csv").open() as file:
        rows = {row["ID"]: row for row in csv.DictReader(file)}
    assert {key: row["student"] for key, row in rows.items()} == {"111": "ada", "222": "bob", "cem": "cem"}
    assert (rows["111"]["Legal moves"], rows["111"]["Robustness"], rows["111"]["out of"]) == ("35.0", "10.0", "100.0")
    assert rows["222"]["grade"] == rows["cem"]["grade"] == "0.0"
    pages = folder / "class" / "feedback"
    assert sorted(path.name for path in pages.iterdir()) == ["ada-111.html", "bob-222.html", "cem.html"]
    assert "SyntaxError" in (pages / "cem.html").read_text()
    assert (folder / "class" / "overview.html").read_text().count("<h1") == 1
    (folder / "class" / "rubric.toml").write_text("[checks]\n'Legal moves' = 7\n'No such check' = 3\n")
    again = maxconnect4("class", "grade", cwd=folder)
    assert "No such check" in again.stderr
    with (folder / "class" / "gradebook.csv").open() as file:
        assert [row["grade"] for row in csv.DictReader(file)] == ["7.0", "0.0", "0.0"]


def test_files_of_a_class_that_are_not_valid_are_refused(folder: Path) -> None:
    path = folder / "class" / "class.toml"
    text = path.read_text()
    for wrong in (
        text.replace('id = "111"', 'id = "222"'),
        text.replace("seconds = 30", "seconds = 0"),
        text.replace('"max"', '"chess"'),
        text.replace("students/ada-111", "../ada"),
        f"{text}\nunknown = 1\n",
        "[[student]\n",
    ):
        path.write_text(wrong)
        done = maxconnect4("class", "check", cwd=folder)
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr.count("\n") == 1
        assert "class.toml" in done.stderr
    path.write_text(text)
    for words in (("check", "nobody"), ("check", "--folder", "nowhere"), ("grade", "--rubric", "nowhere")):
        done = maxconnect4("class", *words, cwd=folder)
        assert done.returncode in (2, 3)
        assert done.stderr.count("\n") == 1


def test_a_submission_reads_neither_others_nor_the_results(folder: Path) -> None:
    """A program that writes what it sees into the position file would commit a fault."""
    places = [
        folder / "class",
        folder / "class" / "class.sqlite",
        folder / "class" / "students" / "ada-111" / "program",
    ]
    tests = " ".join(f'[ -r "{place}" ] && exit 1;' for place in places)
    path = folder / "class" / "students" / "bob-222" / "source" / "bob-222.sh"
    path.write_text(f"{tests} [ -e ../../../class.toml ] && exit 1\n{HONEST}")
    is_isolated = isolation_for("auto").method != "none"
    for words, can_read in (((), not is_isolated), (("--restart", "--isolation", "none"), True)):
        done = maxconnect4("class", "check", "bob", *words, cwd=folder)
        with ClassResults(str(folder / "class" / "class.sqlite"), read_only=True) as results:
            report = results.checks()["222"][1].report
        assert report is not None, done.stdout
        failed = [each for each in report.checks if each.result == FAILED and each.group == MOVES]
        assert bool(failed) == can_read
