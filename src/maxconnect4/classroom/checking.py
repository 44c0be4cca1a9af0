"""Checks of a class: the conformance check of every student, in parallel; unchanged programs are not checked again."""

from __future__ import annotations

import hashlib
import os
from contextlib import closing
from typing import NamedTuple

import msgspec

from .. import __version__
from ..errors import BadSetup
from ..referee import program
from ..referee.conformance import baseline_games, check
from ..referee.isolation import isolation_for
from ..referee.players import PlayerSpec
from ..workers import Task, WorkerJob
from ..workers.local import LocalWorkers
from .archives import fingerprint
from .class_file import PROGRAM, SOURCE, CheckSettings, ClassFolder, Student, player_of
from .intake import Progress, build_all, build_task, store_build
from .results import CheckOutcome, ClassResults


class CheckTask(NamedTuple):
    """The check of a student."""

    student: str  # the ID
    player: PlayerSpec
    settings: CheckSettings


def check_program(task: CheckTask) -> CheckOutcome:
    """Run all conformance checks of a program."""
    settings, player = task.settings, task.player
    games = baseline_games(player, games=settings.games, game=settings.game) if settings.games else []
    report = check(player, deepest=settings.deepest, positions=settings.positions, setups=games, game=settings.game)
    return CheckOutcome(report, isolation=isolation_for(player.limits.isolation).name)


def _given_up(task: CheckTask, _: list[str]) -> CheckOutcome:
    return CheckOutcome(None, "the process that ran the check was killed repeatedly")


CHECKING: WorkerJob[CheckTask, CheckOutcome] = WorkerJob(
    check_program, set_up=program.set_up, shut_down=program.shut_down, clean_up=program.clean_up, give_up=_given_up
)


def check_class(
    folder: ClassFolder,
    students: list[Student],
    results: ClassResults,
    *,
    isolation: str,
    processes: int,
    progress: Progress,
) -> int:
    """Check the students whose program, command or settings differ from the last check. Returns their number.

    Sources or a build that were changed in the folder of the class are built first.
    """
    _build_changed(folder, students, results, isolation, processes, progress)
    students = [with_command(each, results) for each in students]
    built = results.submissions()
    known = results.checks()
    tasks: dict[str, CheckTask] = {}
    prints: dict[str, str] = {}
    for each in students:
        prints[each.id] = check_fingerprint(folder, each)
        if each.id in known and known[each.id][0] == prints[each.id]:
            continue
        try:
            player = player_of(each, folder.folder, folder.settings.check, isolation)
        except BadSetup as error:
            problems = "; ".join(built[each.id].problems) if each.id in built and not each.command else ""
            outcome = CheckOutcome(None, problems or str(error))
            results.put_check(each.id, prints[each.id], outcome)
        else:
            tasks[each.id] = CheckTask(each.id, player, folder.settings.check)
    jobs = (Task(f"check-{number}", (task,)) for number, task in enumerate(tasks.values()))
    done = 0
    with closing(LocalWorkers(CHECKING, processes).run(jobs)) as running:
        progress(0, len(tasks), f"0 of {len(tasks)} students checked")
        for finished in running:
            for one in finished:
                done += 1
                results.put_check(one.item.student, prints[one.item.student], one.result)
                progress(done, len(tasks), f"{done} of {len(tasks)} students checked")
    return len(tasks)


def _build_changed(
    folder: ClassFolder,
    students: list[Student],
    results: ClassResults,
    isolation: str,
    processes: int,
    progress: Progress,
) -> None:
    stored = results.submissions()
    prints = {each.id: fingerprint(folder.path(each.folder, SOURCE)) for each in students}
    tasks, by_id = [], {each.id: each for each in students}
    for each in students:
        before = stored.get(each.id)
        is_built = os.path.isdir(folder.path(each.folder, PROGRAM)) or not (each.build or each.command)
        if before is None or (before.fingerprint, before.build) != (prints[each.id], each.build) or not is_built:
            tasks.append(build_task(folder.folder, each, isolation, as_stored=bool(each.build or each.command)))
    for student, built in build_all(tasks, processes, progress):
        built = built._replace(build=by_id[student].build or built.build)
        submitted = stored[student].submitted if student in stored else ""
        store_build(folder.folder, by_id[student], built, (submitted, prints[student]), built.problems, results)


def with_command(student: Student, results: ClassResults) -> Student:
    """The student with the command of the last build if class.toml has none."""
    stored = None if student.command else results.submissions().get(student.id)
    return student if stored is None else msgspec.structs.replace(student, command=stored.command)


def check_fingerprint(folder: ClassFolder, student: Student) -> str:
    """A hash of what a check depends on: the program, its command and environment, the settings and the version."""
    settings = msgspec.to_builtins(folder.settings.check), student.command, sorted(student.environment.items())
    found = hashlib.sha256(msgspec.json.encode([__version__, *settings]))
    found.update(fingerprint(folder.path(student.folder, PROGRAM)).encode())
    return found.hexdigest()
