"""A Gradescope autograder for the class: its zip archive, and the grade of one submission in Gradescope's folders."""

from __future__ import annotations

import io
import json
import os
import tempfile
import time
import zipfile
from importlib.resources import files
from typing import Any

import msgspec

from .. import __version__
from ..errors import BadFile, BadSetup, CannotSave, error_reason, quote_path
from ..files import make_folder, read_bytes, write_atomic
from ..referee.conformance import FAILED, PASSED
from ..safe_text import lines
from . import archives
from .archives import BadArchive, Unpacked, UnpackLimits
from .building import build
from .checking import CheckTask, check_program
from .class_file import CLASS_FILE, LARGEST, RUBRIC_FILE, SOURCE, ClassFolder, Student, head_of, player_of
from .grading import Grade, Score, grade, read_rubric
from .intake import build_task
from .results import CheckOutcome
from .submissions import Submission, collect, days_late, parse_time

FILES, EXECUTABLE = ("setup.sh", "run_autograder", "Containerfile"), ("setup.sh", "run_autograder")
TIME = (2026, 1, 1, 0, 0, 0)  # of the files in the archive, which is the same at each run
METADATA = "submission_metadata.json"
LARGEST_WHEEL = 100 << 20  # bytes


def autograder_zip(class_text: str, rubric_text: str, wheel: str | None = None) -> bytes:
    """The archive to upload to Gradescope: its scripts, the settings of the check, the rubric, and a Containerfile.

    Args:
        class_text: The text of class.toml, of which the students are left out.
        rubric_text: The text of rubric.toml.
        wheel: A wheel of maxconnect4 to install instead of the published version.
    """
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:

        def add(name: str, data: bytes) -> None:
            member = zipfile.ZipInfo(name, TIME)
            member.external_attr = (0o100755 if name in EXECUTABLE else 0o100644) << 16
            archive.writestr(member, data, zipfile.ZIP_DEFLATED)

        requirement = f"maxconnect4=={__version__}" if wheel is None else "./*.whl"
        for name in FILES:
            text = files(__package__).joinpath("autograder_files", name).read_text(encoding="utf-8")
            add(name, text.replace("{{requirement}}", requirement).encode())
        add(CLASS_FILE, head_of(class_text).encode())
        add(RUBRIC_FILE, rubric_text.encode())
        if wheel is not None:
            add(os.path.basename(wheel), read_bytes(wheel, "wheel", LARGEST_WHEEL))
    return target.getvalue()


def autograde(root: str, isolation: str = "auto") -> Grade:
    """Grade the submission in the folders of Gradescope, and write results/results.json.

    Args:
        root: The folder with `source`, `submission` and `results`, on Gradescope /autograder.
        isolation: The isolation of compilers and of the program.

    Raises:
        BadFile: The settings or the rubric of the autograder are not valid. There are no results then.
    """
    start = time.monotonic()
    settings = ClassFolder(os.path.join(root, "source"))
    rubric = read_rubric(settings.path(RUBRIC_FILE))
    with tempfile.TemporaryDirectory(prefix="maxconnect4-class-") as folder:
        student = _student(root)
        problems, log = _build(os.path.join(root, "submission"), folder, student, isolation)
        try:
            player = player_of(student, folder, settings.settings.check, isolation)
        except BadSetup as error:
            outcome = CheckOutcome(None, "; ".join(problems) or str(error))
        else:
            outcome = check_program(CheckTask(student.id, player, settings.settings.check))
        found = grade(student, outcome, rubric)
        results = gradescope_results(found, problems, log, time.monotonic() - start)
    make_folder(os.path.join(root, "results"))
    write_atomic(os.path.join(root, "results", "results.json"), (json.dumps(results, indent=1) + "\n").encode())
    return found


def _student(root: str) -> Student:
    """The student, with the late days according to Gradescope's metadata."""
    student = Student(id="submission", name="submission", folder="submission")
    path = os.path.join(root, METADATA)
    if not os.path.exists(path):
        return student
    try:
        metadata: dict[str, Any] = msgspec.json.decode(read_bytes(path, "metadata", LARGEST), type=dict[str, Any])
        user = (metadata.get("users") or [{}])[0]
        student.name = str(user.get("name") or student.name)
        due = (user.get("assignment") or metadata.get("assignment") or {}).get("due_date")
        student.days_late = days_late(parse_time(str(metadata.get("created_at"))), parse_time(str(due)))
    except (AttributeError, IndexError, KeyError, TypeError, msgspec.MsgspecError):
        raise BadFile(f"{quote_path(path)} is not the metadata of a submission") from None
    return student


def _build(submission: str, folder: str, student: Student, isolation: str) -> tuple[list[str], str]:
    """Unpack and build the submission. Returns all problems and the log."""
    source = os.path.join(folder, student.folder, SOURCE)
    os.makedirs(source, 0o755)
    unpacked, limits = Unpacked(), UnpackLimits()
    try:
        if os.path.isdir(submission):
            collect(Submission(student.id, student.name, "", [(submission, "")]), source, limits, unpacked)
        archives.unpack_nested(source, limits, unpacked)
    except (BadArchive, RecursionError) as error:
        unpacked.problems.append(f"a part of the submission is left out: {error_reason(error)}")
    except OSError as error:
        raise CannotSave(f"the submission cannot be unpacked: {error_reason(error)}") from None
    built = build(build_task(folder, student, isolation, as_stored=False))
    student.language, student.build, student.command = built.language, built.build, built.command
    return [*unpacked.problems, *built.problems], built.log


def gradescope_results(found: Grade, problems: list[str], log: str, seconds: float) -> dict[str, Any]:
    """The content of Gradescope's results.json: a test for each check, and one for each criterion of the rubric."""
    tests = [test for score in found.scores for test in _tests(score)]
    text = [f"Language: {found.student.language or 'unknown'}"]
    if found.student.command:
        text.append(f"Command: {found.student.command}")
    text += [f"Problem: {problem}" for problem in problems]
    if found.outcome.isolation:
        text.append(f"Isolation: {found.outcome.isolation}")
    if found.penalty:
        text.append(f"Late penalty: {found.penalty:.4g} points for {found.student.days_late:g} days")
    if log.strip() and found.outcome.report is None:
        text += ["", lines(log, 10_000)]
    return {
        "score": found.points,
        "execution_time": round(seconds),
        "output": "\n".join(text),
        "output_format": "text",
        "tests": tests,
    }


def _tests(score: Score) -> list[dict[str, Any]]:
    if not score.checks:
        return [_test(score.name, score.points, score.most, score.points > 0, score.remark)]
    tests = []
    for check, points, most in score.checks:
        example = "" if check.counterexample is None else f"For example at {check.counterexample}."
        shown = "" if check.input is None else f"Input file, depth {check.depth}:\n{check.input}"
        evidence = check.detail, *check.remarks, example, lines(check.printed, 4000), shown
        output = "\n".join(each for each in evidence if each)
        tests.append(_test(f"{check.group}: {check.name}", points, most, check.result != FAILED, output))
    return tests


def _test(name: str, points: float, most: float, passed: bool, output: str) -> dict[str, Any]:
    return {
        "name": name,
        "score": round(points, 4),
        "max_score": round(most, 4),
        "status": PASSED if passed else FAILED,
        "output": output,
        "output_format": "text",
    }
