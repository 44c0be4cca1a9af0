"""Intake of submissions: unpack them into the folder of a class, build them, and describe them in class.toml."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from importlib.resources import files

from ..errors import BadFile, BadSetup, CannotSave, NoSuchFile, error_reason, quote_path
from ..files import make_folder, write_atomic
from ..referee import program
from ..referee.isolation import SYSTEM, contains
from ..workers import Task, WorkerJob
from ..workers.local import LocalWorkers
from . import archives, submissions
from .archives import BadArchive, Unpacked, UnpackLimits, fingerprint
from .building import Build, BuildTask, build
from .class_file import (
    CLASS_FILE,
    HEAD,
    LOG,
    PROGRAM,
    RESULTS_FILE,
    RUBRIC_FILE,
    SOURCE,
    STUDENTS,
    ClassFolder,
    Student,
    save_class_file,
    student_table,
    with_tables,
)
from .languages import source_folder
from .results import ClassResults, StoredSubmission

ALL_LIMITS = UnpackLimits(8 << 30, 500_000)  # of the archive of a class

Progress = Callable[[int, int, str], None]


def _given_up(task: BuildTask, _: list[str]) -> Build:
    return Build("", task.build, "", "", ("the build ended its worker process repeatedly",))


BUILDING: WorkerJob[BuildTask, Build] = WorkerJob(
    build, set_up=program.set_up, shut_down=program.shut_down, clean_up=program.clean_up, give_up=_given_up
)


@dataclass(slots=True)
class Intake:
    """The result of an intake: the students by kind of change, and all problems."""

    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    students: list[Student] = field(default_factory=list)  # new and changed ones
    problems: dict[str, list[str]] = field(default_factory=dict)  # by name of the student; "" for no student


def intake(
    source: str,
    folder: str,
    *,
    due: datetime | None = None,
    isolation: str = "auto",
    processes: int = 1,
    size: int | None = None,
    progress: Progress | None = None,
) -> Intake:
    """Unpack the submissions of an archive or a folder into the folder of a class, and build the new ones.

    Args:
        source: The export of a learning platform, or a folder or an archive with an entry for each student.
        folder: The folder of the class, which is created or updated.
        due: The due time: the number of late days is computed where the platform has the time of a submission.
        isolation: The isolation of compilers.
        processes: The number of builds at once.
        size: The limit on the unpacked size of a submission, in bytes.
        progress: Called with the number of completed steps, the total, and the next step.

    Raises:
        BadFile: The source cannot be read, or has no submissions.
        BadSetup: Isolated programs could read the folder of the class.
    """
    if not os.path.exists(source):
        raise NoSuchFile(f"{quote_path(source)}: there is no such file or folder")
    if os.path.isdir(source) and os.path.isfile(os.path.join(source, CLASS_FILE)):
        raise BadFile(f"{quote_path(source)} is the folder of a class: name the archive or folder of its submissions")
    place = os.path.realpath(folder)
    if system := next((each for each in SYSTEM if contains(each, place)), None):
        raise BadSetup(f"{quote_path(folder)} is in {system}, which every program can read: choose another folder")
    make_folder(folder, 0o700)
    make_folder(os.path.join(folder, STUDENTS))
    known = ClassFolder(folder) if os.path.exists(os.path.join(folder, CLASS_FILE)) else None
    with ClassResults(os.path.join(folder, RESULTS_FILE)) as results:
        try:
            with tempfile.TemporaryDirectory(prefix=".intake-", dir=folder, ignore_cleanup_errors=True) as staging:
                return _Intake(folder, known, results, staging, replace_size(size)).run(
                    source, due, isolation, processes, progress or (lambda done, total, step: None)
                )
        except BadArchive:
            raise
        except OSError as error:
            if isinstance(error, BadFile | CannotSave) or error.errno is None:
                raise
            raise CannotSave(f"{quote_path(folder)} cannot be written: {error_reason(error)}") from None


def replace_size(size: int | None) -> UnpackLimits:
    """The limits of a submission, with another size."""
    return UnpackLimits() if size is None else replace(UnpackLimits(), size=size)


class _Intake:
    def __init__(
        self, folder: str, known: ClassFolder | None, results: ClassResults, staging: str, limits: UnpackLimits
    ) -> None:
        self.folder = folder
        self.text = HEAD if known is None else known.text
        self.students = {} if known is None else {each.id: each for each in known.settings.student}
        self.results = results
        self.staging = staging
        self.limits = limits
        self.report = Intake()

    def run(self, source: str, due: datetime | None, isolation: str, processes: int, progress: Progress) -> Intake:
        if not os.path.isdir(source):
            progress(0, 1, f"unpacking {os.path.basename(source)}")
            folder = os.path.join(self.staging, "all")
            os.mkdir(folder)
            unpacked = Unpacked()
            archives.unpack(source, folder, replace(ALL_LIMITS), unpacked)
            self._note("", unpacked.problems)
            source = folder
        found, others = submissions.find_submissions(source)
        self._note("", others)
        if not found:
            raise BadFile(f"{quote_path(source)} has no submissions: 'maxconnect4 class intake --help' lists the forms")
        stored = self.results.submissions()
        names = submissions.distinct_names(
            (each for each in found if each.id not in self.students),
            (os.path.basename(each.folder) for each in self.students.values()),
        )
        tasks: dict[str, BuildTask] = {}
        prints: dict[str, str] = {}
        for number, each in enumerate(found):
            progress(number, 2 * len(found), each.name)
            student = self._student(each, names, due)
            earlier = stored.get(each.id) if each.id in self.students else None
            found_print = self._place(each, student, earlier)
            if found_print is None:
                self.report.unchanged.append(each.id)
                continue
            prints[each.id] = found_print
            (self.report.new if each.id not in self.students else self.report.changed).append(each.id)
            keeps = earlier is not None and (student.build, student.command) != (earlier.build, earlier.command)
            tasks[each.id] = build_task(self.folder, student, isolation, as_stored=keeps)
            self.students[each.id] = student
        for student_id, built in build_all(tasks.values(), processes, progress, len(found)):
            self._finish(self.students[student_id], built, prints[student_id])
        self.report.students.sort(key=lambda each: (each.name.casefold(), each.id))
        tables = {each.id: student_table(each, self.report.problems.get(each.id, [])) for each in self.report.students}
        save_class_file(self.folder, with_tables(self.text, tables))
        rubric = os.path.join(self.folder, RUBRIC_FILE)
        if not os.path.exists(rubric):
            write_atomic(rubric, default_rubric().encode())
        return self.report

    def _note(self, student: str, problems: Iterable[str]) -> None:
        noted = self.report.problems.setdefault(student, [])
        noted += [each for each in problems if each not in noted]
        if not noted:
            del self.report.problems[student]

    def _student(self, each: submissions.Submission, names: dict[str, str], due: datetime | None) -> Student:
        student = self.students.get(each.id)
        if student is None:
            student = Student(id=each.id, name=each.name, folder=f"{STUDENTS}/{names[each.id]}")
        if late := submissions.days_late(each.submitted, due):
            student.days_late = late
        elif each.late and not student.days_late:
            student.days_late = 1
            each.problems.append("it is late: the number of days is unknown, so days_late is 1")
        return student

    def _place(self, each: submissions.Submission, student: Student, earlier: StoredSubmission | None) -> str | None:
        """Unpack a submission, and replace the sources of the student. Returns their fingerprint.

        Returns None if it is the same submission as before, whose sources the teacher may have changed.
        """
        staged = os.path.join(self.staging, "one")
        os.mkdir(staged)
        unpacked, limits = Unpacked(each.problems), replace(self.limits)
        try:
            submissions.collect(each, staged, limits, unpacked)
            archives.unpack_nested(staged, limits, unpacked)
        except (OSError, RecursionError) as error:
            if isinstance(error, OSError) and error.errno in archives.DISK_ERRORS:
                raise
            unpacked.problems.append(f"a part of the submission is left out: {error_reason(error)}")
        self._note(each.id, unpacked.problems)
        source = os.path.join(self.folder, student.folder, SOURCE)
        found = fingerprint(staged)
        if earlier is not None and earlier.submitted == found and os.path.isdir(source):
            shutil.rmtree(staged)
            return None
        shutil.rmtree(source, ignore_errors=True)
        os.makedirs(os.path.dirname(source), 0o755, exist_ok=True)
        os.rename(staged, source)
        os.chmod(source, 0o755)
        return found

    def _finish(self, student: Student, built: Build, found: str) -> None:
        student.language, student.build = built.language, built.build
        student.command = built.command
        self._note(student.id, built.problems)
        self.report.students.append(student)
        problems = tuple(self.report.problems.get(student.id, ()))
        store_build(self.folder, student, built, (found, found), problems, self.results)


def build_task(folder: str, student: Student, isolation: str, *, as_stored: bool) -> BuildTask:
    """The build of a student's sources, with the commands of class.toml or with detected ones."""
    place = os.path.join(folder, student.folder)
    commands = (student.build, student.command) if as_stored else ("", "")
    source = source_folder(os.path.join(place, SOURCE))
    return BuildTask(student.id, source, os.path.join(place, PROGRAM), isolation, *commands)


def build_all(
    tasks: Iterable[BuildTask], processes: int, progress: Progress, done: int = 0
) -> Iterable[tuple[str, Build]]:
    """Build programs in parallel, and yield the ID of each student with the result."""
    several = list(tasks)
    jobs = (Task(f"build-{number}", (task,)) for number, task in enumerate(several))
    total = 2 * done or len(several)
    count = total - len(several)
    with closing(LocalWorkers(BUILDING, processes).run(jobs)) as running:
        progress(count, total, "building")
        for finished in running:
            for each in finished:
                count += 1
                progress(count, total, f"built {os.path.basename(os.path.dirname(each.item.program))}")
                yield each.item.student, each.result


def store_build(
    folder: str,
    student: Student,
    built: Build,
    prints: tuple[str, str],
    problems: tuple[str, ...],
    results: ClassResults,
) -> None:
    """Write the log of a build, and store what was built, with the fingerprints of the submission and the sources."""
    text = "".join(f"{line}\n" for line in problems) + built.log
    place = os.path.join(folder, student.folder)
    write_atomic(os.path.join(place, LOG), text.encode("utf-8", "replace"))
    results.put_submission(StoredSubmission(student.id, *prints, built.language, built.build, built.command, problems))


def default_rubric() -> str:
    """The text of the rubric that comes with the program."""
    return files(__package__).joinpath(RUBRIC_FILE).read_text(encoding="utf-8")
