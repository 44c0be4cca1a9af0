"""The sub-commands of `class`: take in, check, grade and pair the programs of a class, and make an autograder.

The docstring of each class is the help of its sub-command.
"""

from __future__ import annotations

import os
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager

from ..classroom.autograder import autograde, autograder_zip
from ..classroom.checking import check_class
from ..classroom.class_file import (
    CLASS_FILE,
    HEAD,
    LARGEST,
    RESULTS_FILE,
    RUBRIC_FILE,
    TOURNAMENT_FILE,
    ClassFolder,
    Student,
    tournament_text,
)
from ..classroom.feedback import grade_class, save_grades
from ..classroom.grading import Rubric, players_of, read_rubric, unmatched
from ..classroom.intake import Intake, default_rubric, intake
from ..classroom.results import CheckOutcome, ClassResults
from ..classroom.submissions import parse_time
from ..errors import BadSetup, quote, quote_path
from ..files import read_text, write_atomic
from ..formatting import parse_bytes, plural
from ..referee import report
from ..referee.config import read_tournament
from ..referee.conformance import FAILED, NOTED
from ..referee.isolation import AUTO, BUBBLEWRAP, isolation_for
from ..referee.sandbox import become_subreaper, exit_on_signals
from ..referee.store import ResultStore
from ..system import processors
from . import games, options
from .output import table_text
from .progress import ProgressBar
from .terminal import Screen, print_error, program

FOLDER = "class"

SUMMARIES = {
    "intake": "unpack and build the submissions",
    "check": "check the programs of all students",
    "grade": "grade with a rubric: gradebook, feedback and overview",
    "tournament": "play a tournament of the programs that make legal moves",
    "run": "all of this: intake, check, tournament and grade",
    "autograder": "make a Gradescope autograder with the same check and rubric",
    "autograde": "grade one submission in the folders of Gradescope",
}

HELP = """usage: maxconnect4 class COMMAND ...

Take in the submissions of a class, check and grade the programs, and play a
tournament. All files are in one folder, by default 'class'.

{commands}

Examples:
  maxconnect4 class intake submissions.zip    unpack and build the submissions
  maxconnect4 class check                     check the programs of all students
  maxconnect4 class grade                     gradebook, feedback and overview
  maxconnect4 class tournament                tournament with a report
  maxconnect4 class run submissions.zip       all of this
  maxconnect4 class autograder                the same for single submissions

'maxconnect4 class COMMAND --help' describes a command."""


def _add_folder(parser: ArgumentParser) -> None:
    parser.add_argument("--folder", default=FOLDER, metavar="FOLDER", help=f"folder of the class (default: {FOLDER})")


def _add_running(parser: ArgumentParser, what: str) -> None:
    processes = options.number("a number of processes", 1, 1024)
    options.add_number(parser, "--processes", processes, f"number of parallel {what} (default: number of processors)")
    options.add_isolation(parser)


def _add_intake(parser: ArgumentParser) -> None:
    parser.add_argument("source", metavar="SOURCE", help="archive or folder of the submissions")
    _add_folder(parser)
    parser.add_argument(
        "--due",
        type=_due,
        metavar="TIME",
        help="due time in UTC, or with an offset such as +02:00, to compute the late days if the export has submission "
        "times",
    )
    parser.add_argument(
        "--max-size", type=parse_bytes, metavar="BYTES", help="limit on an unpacked submission (default: 200M)"
    )


def _start(args: Namespace) -> None:
    """Report the isolation, and prepare this process for workers that run programs."""
    if args.isolation == AUTO and sys.stderr is not None:
        print(isolation_for(AUTO), file=sys.stderr, flush=True)
        if isolation_for(AUTO).method == BUBBLEWRAP:
            args.isolation = BUBBLEWRAP  # the same, and a tournament does not report it again
    become_subreaper()


def _due(text: str) -> object:
    time = parse_time(text)
    if time is None:
        raise ValueError(f"{quote(text)} is not a time: use one such as '2026-11-01 23:59' in UTC")
    return time


class TakeIn:
    """Unpack and build the submissions of a class, and list all problems.

    The source is the export of Canvas, Moodle or Gradescope, as a zip archive or unpacked, or a folder or an archive
    with a folder, an archive or a source file for each student, such as ada-12345.zip. Programs are compiled from their
    sources, in isolation and without a network; committed binaries are not used.

    The folder of the class gets class.toml with the settings and the command of each student, rubric.toml, and a folder
    with source, program and log.txt for each student. Edit the two files freely. With a later export, the same command
    adds new students and replaces only changed submissions.

    Examples:
      maxconnect4 class intake submissions.zip
      maxconnect4 class intake submissions.zip --due '2026-11-01 23:59'
      maxconnect4 class intake folder-with-zips --folder autumn
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        _add_intake(parser)
        _add_running(parser, "builds")

    def run(self, args: Namespace, screen: Screen) -> int:
        _start(args)
        _take_in(args, screen)
        return 0


def _take_in(args: Namespace, screen: Screen) -> None:
    with ProgressBar(None) as bar:
        found = intake(
            args.source,
            args.folder,
            due=args.due,
            isolation=args.isolation,
            processes=args.processes or processors(),
            size=args.max_size,
            progress=lambda done, total, step: bar.update(done, step, total),
        )
    screen.print(_intake_text(found, args.folder))


def _intake_text(found: Intake, folder: str) -> str:
    parts = []
    if found.students:
        rows = [[each.id, each.name, each.language or "–", each.command or "no program"] for each in found.students]
        parts.append(table_text(["ID", "student", "language", "command"], rows, left=[0, 1, 2, 3]))
    names = {each.id: each.name for each in found.students}
    problems = [
        f"  {names.get(student, student)}: {problem}" if student else f"  {problem}"
        for student, several in sorted(found.problems.items())
        for problem in several
    ]
    if problems:
        parts.append("\n".join(["Problems", *problems]))
    without = sum(not each.command for each in found.students)
    counts = (
        f"{plural(len(found.new), 'new submission')}, {len(found.changed)} changed, {len(found.unchanged)} unchanged"
    )
    missing = f"; {without} without a program" if without else ""
    option = "" if folder == FOLDER else f" --folder {shlex.quote(folder)}"
    parts.append(
        f"{counts}{missing}. Settings and commands are in {quote_path(folder)}/class.toml. To check them:\n"
        f"  {program()} class check{option}"
    )
    return "\n\n".join(parts)


class Check:
    """Check the programs of all students, or of some, in parallel.

    Each program is checked as by 'maxconnect4 check', with the settings of class.toml. The results are stored in
    class.sqlite: the same command resumes after Ctrl-C, and checks only programs that are new or changed. A program is
    changed if its submission, its command in class.toml or the settings are different. If you changed a file in the
    folder 'source' of a student, the program is built first.

    Examples:
      maxconnect4 class check
      maxconnect4 class check ada bob
      maxconnect4 class check --restart --processes 4
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("students", nargs="*", metavar="STUDENT", help="ID or name (default: all students)")
        _add_folder(parser)
        options.add_restart(parser, "check unchanged programs again")
        _add_running(parser, "checks")

    def run(self, args: Namespace, screen: Screen) -> int:
        _start(args)
        with _opened(args) as (folder, results):
            students = folder.chosen(args.students)
            if args.restart:
                results.clear_checks([each.id for each in students])
            count = _check(folder, students, results, args)
            screen.print(_check_text(students, results))
            screen.print(
                f"\n{plural(count, 'program')} checked, {len(students) - count} unchanged or without a program."
            )
        return 0


@contextmanager
def _opened(args: Namespace) -> Iterator[tuple[ClassFolder, ClassResults]]:
    folder = ClassFolder(args.folder)
    with ClassResults(folder.path(RESULTS_FILE)) as results:
        yield folder, results


def _check(folder: ClassFolder, students: list[Student], results: ClassResults, args: Namespace) -> int:
    try:
        with ProgressBar(None, ticking=True) as bar:
            return check_class(
                folder,
                students,
                results,
                isolation=args.isolation,
                processes=args.processes or processors(),
                progress=lambda done, total, step: bar.update(done, step, total),
            )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"the results are in {results.name}; the same command resumes") from None


def _check_text(students: list[Student], results: ClassResults) -> str:
    stored, rows = results.checks(), []
    for each in sorted(students, key=lambda each: each.name.casefold()):
        outcome = stored[each.id][1] if each.id in stored else CheckOutcome(None, "not checked")
        report = outcome.report
        if report is None:
            rows.append([each.name, each.id, outcome.problem, "", "", ""])
            continue
        regret = f"{report.strength.regret.mean:.2f}" if report.strength else ""
        perfect = f"{report.strength.regret.perfect_share:.0%}" if report.strength else ""
        counts = f"{report.count(FAILED)} failed, {report.count(NOTED)} notes"
        wins = f"{report.games.wins} of {report.games.played}" if report.games else ""
        rows.append([each.name, each.id, f"{counts} of {len(report.checks)}", regret, perfect, wins])
    return table_text(["student", "ID", "checks", "regret", "perfect", "wins"], rows, left=[0, 1, 2])


class GradeClass:
    """Grade the programs of all students with a rubric, and write gradebook, feedback and overview.

    Programs that are new or changed are checked first. The rubric gives points for checks or groups of checks, and for
    bands of strength, CPU time and wins, and subtracts points for late days. The command writes gradebook.csv with the
    ID of each student, feedback/NAME.html for each student, and overview.html into the folder of the class, and
    replaces earlier ones.

    Examples:
      maxconnect4 class grade
      maxconnect4 class grade --rubric strict.toml
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        _add_folder(parser)
        parser.add_argument("--rubric", metavar="FILE", help="rubric (default: rubric.toml in the folder of the class)")
        _add_running(parser, "checks")

    def run(self, args: Namespace, screen: Screen) -> int:
        _start(args)
        with _opened(args) as (folder, results):
            rubric = read_rubric(args.rubric or folder.path(RUBRIC_FILE))
            _check(folder, folder.students, results, args)
            _grade(folder, results, rubric, screen)
        return 0


def _grade(folder: ClassFolder, results: ClassResults, rubric: Rubric, screen: Screen) -> None:
    grades = grade_class(folder, results, rubric)
    names = unmatched(rubric, (each.outcome.report for each in grades if each.outcome.report))
    for name in names:
        print_error(f"the rubric gives points for {quote(name)}, but no check has this name")
    save_grades(folder, grades)
    rows = [[each.student.name, each.student.id, f"{each.points:g}", "; ".join(each.remarks)[:70]] for each in grades]
    screen.print(table_text(["student", "ID", "points", "remarks"], rows, left=[0, 1, 3]))
    place = quote_path(folder.folder)
    screen.print(
        f"\nGrades of {plural(len(grades), 'student')}, out of {rubric.most:g} points, are in {place}/gradebook.csv, "
        f"{place}/overview.html and {place}/feedback."
    )


class PlayTournament:
    """Play a tournament of the programs that run and make only legal moves, and write its report.

    Programs that are new or changed are checked first. The folder of the class gets tournament.toml, with the settings
    of [tournament] in class.toml, tournament.sqlite with the games, and tournament.html, the report. After Ctrl-C the
    same command resumes the tournament.

    Examples:
      maxconnect4 class tournament
      maxconnect4 class tournament --review --transcripts transcripts
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        _add_folder(parser)
        options.add_isolation(parser)
        games.add_running(parser)

    def check_arguments(self, args: Namespace) -> None:
        options.check_workers(args)

    def run(self, args: Namespace, screen: Screen) -> int:
        _start(args)
        with _opened(args) as (folder, results):
            _check(folder, folder.students, results, args)
            _play(folder, results, args, screen)
        return 0


def _play(folder: ClassFolder, results: ClassResults, args: Namespace, screen: Screen) -> None:
    entered = players_of(folder, results)
    out = len(folder.students) - len(entered)
    if len(entered) < 2:
        raise BadSetup(f"{plural(len(entered), 'program')} with legal moves only: a tournament needs at least two")
    path = folder.path(TOURNAMENT_FILE)
    write_atomic(path, tournament_text(folder.settings, entered).encode())
    tournament = games.with_isolation(read_tournament(path), args.isolation)
    base = os.path.splitext(path)[0]
    games.play_tournament(tournament, f"{base}.sqlite", args, screen)
    with ResultStore(f"{base}.sqlite", read_only=True) as file, file.stored_values():
        write_atomic(f"{base}.html", report.html_report(*report.read_results(file)).encode())
    if not args.json:
        without = f" {plural(out, 'student')} without legal moves did not enter." if out else ""
        screen.print(f"\nThe report of the tournament is {quote_path(base)}.html.{without}")


class RunAll:
    """Take in the submissions of a class, check them, play the tournament and grade them: all other commands in one.

    After Ctrl-C the same command resumes.

    Examples:
      maxconnect4 class run submissions.zip
      maxconnect4 class run submissions.zip --folder autumn --due '2026-11-01 23:59'
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        _add_intake(parser)
        options.add_isolation(parser)
        games.add_running(parser)

    def check_arguments(self, args: Namespace) -> None:
        options.check_workers(args)

    def run(self, args: Namespace, screen: Screen) -> int:
        _start(args)
        quiet = Screen(None) if args.json else screen
        _take_in(args, quiet)
        with _opened(args) as (folder, results):
            rubric = read_rubric(folder.path(RUBRIC_FILE))
            _check(folder, folder.students, results, args)
            quiet.print()
            if len(players_of(folder, results)) > 1:
                _play(folder, results, args, screen)
            else:
                print_error("fewer than two programs make legal moves: there is no tournament")
            quiet.print()
            _grade(folder, results, rubric, quiet)
        return 0


class MakeAutograder:
    """Make the zip archive of a Gradescope autograder, with the check and the rubric of the class.

    The autograder takes in a submission as 'class intake', checks it with the settings of class.toml and gives points
    by rubric.toml; without these files it has the default ones. The archive also has a Containerfile. The image
    installs maxconnect4 from the package index, or from the file of --wheel.

    Examples:
      maxconnect4 class autograder
      maxconnect4 class autograder --wheel dist/maxconnect4.whl -o grader.zip
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        _add_folder(parser)
        parser.add_argument("--rubric", metavar="FILE", help="rubric (default: rubric.toml in the folder of the class)")
        parser.add_argument("--wheel", metavar="FILE", help="wheel of maxconnect4 for the system of the image")
        parser.add_argument(
            "-o", "--output", default="autograder.zip", metavar="FILE", help="archive (default: autograder.zip)"
        )

    def run(self, args: Namespace, screen: Screen) -> int:
        has_class = os.path.exists(os.path.join(args.folder, CLASS_FILE))
        folder = ClassFolder(args.folder) if has_class or args.folder != FOLDER else None
        rubric: str | None = args.rubric
        if rubric is None and folder is not None:
            rubric = folder.path(RUBRIC_FILE)
        if rubric is not None:
            read_rubric(rubric)
        text = default_rubric() if rubric is None else read_text(rubric, "rubric", LARGEST)
        write_atomic(args.output, autograder_zip(HEAD if folder is None else folder.text, text, args.wheel))
        screen.print(f"{quote_path(args.output)} is written: upload it as the autograder of a programming assignment.")
        return 0


class Autograde:
    """Grade one submission in the folders of Gradescope, and write results/results.json: a step of the autograder.

    The root has the folders source, with class.toml and rubric.toml, submission and results. Late days are computed
    from submission_metadata.json, if it exists.

    Examples:
      maxconnect4 class autograde /autograder
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("root", metavar="ROOT", help="folder with source, submission and results")
        options.add_isolation(parser)

    def run(self, args: Namespace, screen: Screen) -> int:
        _start(args)
        exit_on_signals()
        found = autograde(args.root, args.isolation)
        screen.print(f"{found.points:g} of {found.most:g} points")
        return 0


COMMANDS = {
    "intake": TakeIn(),
    "check": Check(),
    "grade": GradeClass(),
    "tournament": PlayTournament(),
    "run": RunAll(),
    "autograder": MakeAutograder(),
    "autograde": Autograde(),
}
