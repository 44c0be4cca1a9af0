"""Work for many processes of this machine: nothing is lost, nothing is left behind. test_cluster has the other kind."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import multiprocessing.resource_tracker
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import jobs
import pytest
from jobs import Sum
from terminal import PROGRAM
from waiting import until

from maxconnect4.errors import BadFile, FloatingPiece, MaxConnect4Error, WorkersCrashed
from maxconnect4.workers import InvalidMessage, JobFailed, Task, WorkerJob, decoded_error, encoded_error
from maxconnect4.workers.local import LocalWorkers

ADD = WorkerJob(jobs.add, 100)


def sums(count: int, each: int = 3) -> list[Task[Any]]:
    return [Task(f"sum-{n}", tuple(Sum(n, second) for second in range(each))) for n in range(count)]


def items(tasks: list[Task[Any]]) -> list[Sum]:
    return [item for task in tasks for item in task.items]


def in_order(found: list[Sum]) -> list[Sum]:
    return sorted(found, key=lambda item: (item.first, item.second))


def processes() -> list[int]:
    return [child.pid or 0 for child in multiprocessing.active_children()]


def is_gone(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] == "Z"
    except OSError:
        return True


# What is done


def test_each_item_is_done_once() -> None:
    tasks = sums(5)
    done = [each for some in LocalWorkers(ADD, 2).run(tasks) for each in some]
    assert in_order([each.item for each in done]) == items(tasks)
    assert all(each.result.value == each.item.first + each.item.second + 100 for each in done)
    assert os.getpid() not in {each.result.process for each in done}
    assert processes() == []


def test_no_tasks_and_tasks_without_items_are_no_work() -> None:
    assert list(LocalWorkers(ADD, 2).run([])) == []
    assert list(LocalWorkers(ADD, 2).run([Task("nothing", ())])) == []


def test_a_worker_is_prepared_once() -> None:
    job = WorkerJob(jobs.add_if_prepared, set_up=jobs.prepare)
    done = [each for some in LocalWorkers(job, 2).run(sums(6)) for each in some]
    assert len(done) == 18
    assert all(each.result == each.item.first + each.item.second for each in done)


def test_a_task_is_requested_when_a_process_is_free() -> None:
    known = 0

    def tasks() -> Iterator[Task[Any]]:
        for number, task in enumerate(sums(20, each=1)):
            if known >= 4:
                return
            assert number < known + 2
            yield task

    for some in LocalWorkers(ADD, 2).run(tasks()):
        known += len(some)
    assert 4 <= known <= 5


# What goes wrong


def test_a_worker_that_is_killed_loses_nothing_and_is_cleaned_up() -> None:
    jobs.cleaned_up.clear()
    tasks, killed = sums(15), []
    work = LocalWorkers(WorkerJob(jobs.add_slowly, 0.02, clean_up=jobs.clean_up), 2).run(tasks)
    found = [each.item for each in next(work)]
    for _ in range(2):
        killed.append(next(each for each in processes() if each not in killed))
        os.kill(killed[-1], signal.SIGKILL)
        until(lambda: is_gone(killed[-1]))
        found += [each.item for each in next(work)]
    found += [each.item for some in work for each in some]
    assert in_order(found) == items(tasks)
    assert set(jobs.cleaned_up[:2]) == set(killed)  # both may be noticed at once


#: Some die so soon that nobody can tell them their task.
DIED = "^(4 workers in a row have died: check the memory of this machine|no worker can be started: broken pipe)$"


def test_workers_that_always_die_are_not_replaced_for_ever() -> None:
    multiprocessing.resource_tracker.ensure_running()  # with the true executable
    multiprocessing.set_executable("/bin/false")
    try:
        with pytest.raises(WorkersCrashed, match=DIED):
            list(LocalWorkers(ADD, 1).run(sums(1)))
    finally:
        multiprocessing.set_executable(sys.executable)


def test_an_item_that_every_worker_dies_of_does_not_keep_the_others_from_being_done() -> None:
    tasks = [Task("deadly", ("death", "after it")), *(Task(f"fine-{n}", (f"fine {n}",)) for n in range(5))]
    found: list[str] = []
    with pytest.raises(WorkersCrashed):
        found.extend(each.item for some in LocalWorkers(WorkerJob(jobs.fail), 2).run(tasks) for each in some)
    assert sorted(found) == [f"fine {n}" for n in range(5)]


def test_a_worker_that_is_stopped_is_replaced_in_seconds() -> None:
    tasks = sums(6)
    work = LocalWorkers(WorkerJob(jobs.add_slowly, 0.2, clean_up=jobs.clean_up), 2).run(tasks)
    found = [each.item for each in next(work)]
    jobs.cleaned_up.clear()
    stopped, start = processes()[0], time.monotonic()
    os.kill(stopped, signal.SIGSTOP)
    found += [each.item for some in work for each in some]
    assert in_order(found) == items(tasks)
    assert jobs.cleaned_up[0] == stopped  # the others end, or are killed, when all is done
    assert time.monotonic() - start < 30  # two seconds, and the other items, on a machine that is idle


def test_an_item_that_stops_its_workers_is_given_up() -> None:
    job = WorkerJob(jobs.fail, give_up=jobs.give_up)
    done = [each for some in LocalWorkers(job, 1).run([Task("t", ("stop", "fine"))]) for each in some]
    assert [(each.item, each.result) for each in done] == [("stop", "['about to stop'] * 2"), ("fine", "fine")]


def test_a_result_of_another_type_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LocalWorkers, "MAX_CRASHES", 1)
    with pytest.raises(WorkersCrashed):
        list(LocalWorkers(WorkerJob(jobs.fail), 1).run([Task("t", ("another type",))]))


def test_data_from_a_worker_are_never_unpickled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("unpickled")

    monkeypatch.setattr(pickle, "loads", refuse)
    monkeypatch.setattr(multiprocessing.connection, "_ForkingPickler", None)
    done = [each for some in LocalWorkers(ADD, 1).run(sums(1)) for each in some]
    assert len(done) == 3


def test_no_program_of_a_worker_inherits_its_connection(tmp_path: Path) -> None:
    done = [each for some in LocalWorkers(WorkerJob(jobs.descriptors), 1).run([Task("t", ("ls",))]) for each in some]
    assert [each.result for each in done] == [[0, 1, 2]]


def test_errors_travel_by_their_names() -> None:
    for error in (BadFile("diary.txt is not a book"), FloatingPiece(3, 4), JobFailed("so it is")):
        again = decoded_error(encoded_error(error))
        assert (type(again), again.args) == (type(error), error.args)
    for text in (b'["OSError", ["no"]]', b'["BadFile", [[]]]', b"[" * 10_000, b"{}", b"\xff", b'["FloatingPiece", []]'):
        with pytest.raises(InvalidMessage):
            decoded_error(text)


def test_an_expected_error_is_raised_as_it_is() -> None:
    with pytest.raises(BadFile, match="^diary.txt is not a book$"):
        list(LocalWorkers(WorkerJob(jobs.fail), 1).run([Task("t", ("expected",))]))
    with pytest.raises(MaxConnect4Error, match="^the piece in column 3, row 4 floats above an empty cell$"):
        list(LocalWorkers(WorkerJob(jobs.fail), 1).run([Task("t", ("expected, with a place",))]))
    assert processes() == []


@pytest.mark.parametrize(
    ("item", "words"),
    [("operating system", "FileNotFoundError: nothing there"), ("exit", "SystemExit: 7"), ("result", "module")],
)
def test_an_unexpected_error_comes_with_its_traceback_and_after_what_is_done(item: str, words: str) -> None:
    work = LocalWorkers(WorkerJob(jobs.fail), 1).run([Task("t", ("fine", item, "never"))])
    found: list[str] = []
    with pytest.raises(JobFailed, match=f"(?s)^a worker failed:\nTraceback .*{words}"):
        found.extend(each.item for some in work for each in some)
    assert found == ["fine"]


@pytest.mark.parametrize(
    ("job", "words"),
    [
        (WorkerJob(jobs.add, set_up=jobs.fail_to_prepare), "nobody is prepared for this"),
        (WorkerJob(jobs.missing("jobs")), "no attribute 'nowhere'"),
        (WorkerJob(jobs.missing("no_such_module")), "no_such_module"),
    ],
)
def test_a_worker_that_cannot_start_is_not_counted_as_killed(job: WorkerJob[Any, Any], words: str) -> None:
    with pytest.raises(JobFailed, match=words):
        list(LocalWorkers(job, 1).run(sums(1)))


def test_a_function_that_workers_could_not_import_is_refused() -> None:
    def local(item: int) -> int:
        return item

    for function in (local, lambda item: item, jobs.missing("__main__")):
        with pytest.raises(ValueError, match="^workers cannot import "):
            WorkerJob(function)


# The end


def test_leaving_the_work_ends_the_workers() -> None:
    work = LocalWorkers(WorkerJob(jobs.add_slowly, 0.02), 2).run(sums(50))
    while len(processes()) < 2:
        next(work)
    work.close()
    assert processes() == []


PROGRAMS = WorkerJob(jobs.start_program, set_up=jobs.prepare, shut_down=jobs.end_programs, clean_up=jobs.clean_up)
COORDINATOR = """
import sys
from maxconnect4.workers.local import LocalWorkers
from maxconnect4.workers import WorkerJob, Task
if __name__ == "__main__":
    sys.path.append(sys.argv[1])
    import jobs
    job = WorkerJob(jobs.start_program, set_up=jobs.prepare, shut_down=jobs.end_programs)
    for some in LocalWorkers(job, 2).run([Task("a", (sys.argv[2],)), Task("b", (sys.argv[2],))]):
        pass
"""


def programs(folder: Path) -> list[list[int]]:
    """The programs that workers have started, each with its worker."""
    return [[int(word) for word in note.name.split() if word.isdigit()] for note in folder.glob("program*")]


def test_processes_of_a_worker_end_with_the_job(tmp_path: Path) -> None:
    jobs.cleaned_up.clear()

    def tasks() -> Iterator[Task[Any]]:
        for number in range(2):
            yield Task(f"{number}", (str(tmp_path),))
        until(lambda: len(programs(tmp_path)) == 2)
        raise InterruptedError  # as good as any end, while two of three workers are at work

    with pytest.raises(InterruptedError):
        list(LocalWorkers(PROGRAMS, 3).run(tasks()))
    assert processes() == []
    assert len(programs(tmp_path)) == 2
    assert all(is_gone(process) for both in programs(tmp_path) for process in both)
    assert jobs.cleaned_up == []


@pytest.mark.parametrize(
    ("ending", "to_all"),
    [
        (signal.SIGKILL, False),
        pytest.param(signal.SIGTERM, False, marks=pytest.mark.long),
        pytest.param(signal.SIGHUP, True, marks=pytest.mark.long),  # to all, as a terminal or a batch system does
        (signal.SIGTERM, True),
        (signal.SIGINT, True),
    ],
)
def test_processes_of_a_worker_end_with_the_coordinator(tmp_path: Path, ending: signal.Signals, to_all: bool) -> None:
    script = tmp_path / "coordinator.py"
    script.write_text(COORDINATOR)
    command = [sys.executable, str(script), str(Path(__file__).parent), str(tmp_path)]
    with subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL) as coordinator:
        until(lambda: len(programs(tmp_path)) == 2)
        if to_all:
            os.killpg(coordinator.pid, ending)
        else:
            coordinator.send_signal(ending)
    for program, worker in programs(tmp_path):
        until(partial(is_gone, worker), "a worker has outlived the coordinator")
        until(partial(is_gone, program), "a program has outlived its worker")


def test_work_interrupted_by_the_end_of_a_worker_is_repeated(tmp_path: Path) -> None:
    job = WorkerJob(jobs.start_program, shut_down=jobs.end_programs_slowly)
    done: list[object] = []
    work = LocalWorkers(job, 1).run([Task("program", (str(tmp_path),))])
    running = threading.Thread(target=lambda: done.extend(work))
    running.start()
    until(lambda: programs(tmp_path))
    ((first, worker),) = programs(tmp_path)
    os.kill(worker, signal.SIGTERM)
    until(lambda: len(programs(tmp_path)) == 2)
    assert done == []
    assert is_gone(first)
    ((second, _),) = (both for both in programs(tmp_path) if both[0] != first)
    os.kill(second, signal.SIGKILL)  # the program ends by itself, as it were
    running.join(30)
    assert len(done) == 1


def test_a_worker_that_does_not_end_is_killed_and_cleaned_up() -> None:
    jobs.cleaned_up.clear()
    job = WorkerJob(jobs.add_slowly, 0.02, shut_down=jobs.end_never, clean_up=jobs.clean_up)
    work = LocalWorkers(job, 1).run(sums(5))
    next(work)
    (worker,) = processes()
    work.close()
    assert processes() == []
    assert jobs.cleaned_up == [worker]


def test_workers_that_die_before_they_begin_are_not_taken_for_a_bad_item(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import os, sys\nif any('spawn_main' in word for word in sys.orig_argv):\n    os._exit(1)\n"
    )
    words = [PROGRAM, "match", "random", "depth:1", "--openings", "random:count=1", "--results", str(tmp_path / "r")]
    path = f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 1
    assert re.fullmatch("maxconnect4: [45] workers in a row have died: .*\n", done.stderr)  # two may die at once
