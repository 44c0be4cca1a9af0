"""Work on a Dask cluster: a real scheduler and real workers, some of which do not live long."""

from __future__ import annotations

import random
import signal
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any

import jobs
import pytest
from dask_cluster import WITHOUT_PROGRAM, DaskCluster
from jobs import Sum
from positions import random_board
from waiting import until

from maxconnect4 import CannotSolve, MaxConnect4Error, Solver, __version__
from maxconnect4.book_builder import cluster_solvers, solve_job
from maxconnect4.errors import ClusterUnavailable, WorkersCrashed
from maxconnect4.position_keys import board_from_key, key_of
from maxconnect4.workers import Done, JobFailed, Task, WorkerJob, encode
from maxconnect4.workers import dask as module
from maxconnect4.workers.dask import ClusterWorkers, _Batch

ADD = WorkerJob(jobs.add, 100)
ADD_SLOWLY = WorkerJob(jobs.add_slowly, 0.02)

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module", autouse=True)
def _dask() -> None:
    """Import Dask before anything is timed, but only in the xdist workers that run these tests."""
    import distributed  # noqa: F401


def tasks(plies: int, count: int, each: int = 16) -> list[Task[Any]]:
    rng = random.Random(plies)
    keys: set[int] = set()
    while len(keys) < count * each:
        keys.add(key_of(random_board(rng, plies)))
    in_order = sorted(keys)
    return [Task(f"test-{plies}-{n}", tuple(in_order[n * each : (n + 1) * each])) for n in range(count)]


def sums(count: int, each: int = 16) -> list[Task[Any]]:
    return [Task(f"sum-{n}-of-{count}", tuple(Sum(n, second) for second in range(each))) for n in range(count)]


def in_order(done: list[Done[Any, Any]]) -> list[Sum]:
    return sorted((each.item for each in done), key=lambda item: (item.first, item.second))


def check(solved: list[Done[Any, Any]], chosen: list[Task[Any]]) -> None:
    assert sorted(each.item for each in solved) == sorted(key for task in chosen for key in task.items)
    solver = Solver(16 << 20, threads=1)
    for key, each in solved:
        assert each.key == key
        assert each.value == solver.analyse(board_from_key(each.key), only_value=True).value
        assert each.nodes >= 0 <= each.cpu_seconds


@pytest.mark.parametrize("allowed_failures", [pytest.param(3, marks=pytest.mark.long), 0])
def test_a_worker_killed_in_the_middle_loses_nothing(tmp_path: Path, allowed_failures: int) -> None:
    """With 0 Dask gives the task up at once, as it otherwise does with its fourth worker; then we hand it in anew."""
    chosen = sums(8)
    allowed = str(allowed_failures)
    with DaskCluster(tmp_path, 2, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES=allowed) as cluster:
        with cluster.client() as client:
            adding = ClusterWorkers(cluster.address, ADD_SLOWLY).run(chosen)
            added = next(adding)
            cluster.workers[0].send_signal(signal.SIGSTOP)  # so that it is still at it when it is killed
            assert all(client.processing().values())
            cluster.workers[0].kill()
        for more in adding:
            added += more
        assert cluster.workers[0].poll() == -signal.SIGKILL
        assert cluster.workers[1].poll() is None
        log = (tmp_path / "scheduler0.log").read_text()
        assert ("marked as failed because" in log) == (allowed_failures == 0)
    assert in_order(added) == [item for task in chosen for item in task.items]
    assert all(each.result.value == each.item.first + each.item.second for each in added)


def test_results_arrive_before_their_task_ends(cluster: DaskCluster) -> None:
    (task,) = sums(1, each=100)
    adding = ClusterWorkers(cluster.address, ADD_SLOWLY).run([task])
    first = next(adding)
    assert 0 < len(first) < 100
    assert in_order([*first, *(each for more in adding for each in more)]) == list(task.items)


def test_all_is_solved_if_the_scheduler_is_to_know_few_tasks_at_a_time(cluster: DaskCluster) -> None:
    chosen = tasks(20, 12, each=4)
    workers = ClusterWorkers(cluster.address, solve_job(16 << 20), max_submitted=2)
    check([each for solved in workers.run(iter(chosen)) for each in solved], chosen)


def test_a_task_under_a_name_that_stands_for_less_is_completed(cluster: DaskCluster) -> None:
    (task,) = tasks(20, 1)
    with cluster.client() as client:
        work = encode((solve_job(16 << 20).names, [0, 1, 2], task.items[:3]))
        before = client.submit(module._remote(), task.name, work, __version__, key=task.name)
        before.result(timeout=60)
        check([each for solved in cluster_solvers(cluster.address).run([task]) for each in solved], [task])


def test_no_tasks_are_no_work(cluster: DaskCluster) -> None:
    assert list(cluster_solvers(cluster.address).run([])) == []


def test_closing_stops_the_work(cluster: DaskCluster) -> None:
    adding = ClusterWorkers(cluster.address, ADD_SLOWLY).run(sums(12))
    next(adding)
    adding.close()
    with cluster.client() as client:
        end = time.monotonic() + 30
        while client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)):
            assert time.monotonic() < end
            time.sleep(0.05)


def test_an_error_of_a_worker_is_one_line(cluster: DaskCluster) -> None:
    with pytest.raises(CannotSolve, match="^a table of -1 bytes is negative$"):
        list(cluster_solvers(cluster.address, memory=-1).run(tasks(20, 2)))
    with pytest.raises(
        ClusterUnavailable, match=f"^a worker failed: install maxconnect4 {__version__} there: .+Error: .+$"
    ):
        list(ClusterWorkers(cluster.address, WorkerJob(jobs.missing("no_such_module"))).run(tasks(20, 1)))


def test_an_unexpected_error_comes_with_its_traceback(cluster: DaskCluster) -> None:
    with pytest.raises(JobFailed, match="(?s)^a worker failed:\nTraceback .*Error: nothing there"):
        list(ClusterWorkers(cluster.address, WorkerJob(jobs.fail)).run([Task("test-failure", ("operating system",))]))
    with pytest.raises(JobFailed, match="(?s)^a worker failed:\nTraceback .*Expected `int`"):
        list(cluster_solvers(cluster.address).run([Task("test-no-key", (None,))]))  # type: ignore[arg-type]


def test_the_scheduler_needs_neither_the_program_nor_the_types_of_items_and_results(cluster: DaskCluster) -> None:
    names = ("maxconnect4", "jobs")
    with cluster.client() as client:
        assert client.run_on_scheduler(lambda: [sys.modules[name] for name in names]) == [None, None]
    chosen = [Task("one", (Sum(1, 2),)), Task("three", (Sum(3, 4), Sum(5, 6), Sum(7, 8)))]
    job = WorkerJob(jobs.add, 100, set_up=jobs.prepare)
    done = [each for some in ClusterWorkers(cluster.address, job).run(chosen) for each in some]
    assert sorted(each.result.value for each in done) == [103, 107, 111, 115]
    assert all(each.result.value == each.item.first + each.item.second + 100 for each in done)


def test_two_runs_with_names_of_their_own_do_not_take_each_others_results(cluster: DaskCluster) -> None:
    items = tuple(Sum(1, second) for second in range(40))
    runs = [ClusterWorkers(cluster.address, WorkerJob(jobs.add_slowly, 0.03)), ClusterWorkers(cluster.address, ADD)]
    found: list[list[int]] = [[], []]

    def run(number: int) -> None:
        for some in runs[number].run([Task(f"run-{number}", items)]):
            found[number] += [each.result.value for each in some]

    threads = [threading.Thread(target=run, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(found[0]) == list(range(1, 41))
    assert sorted(found[1]) == list(range(101, 141))


@pytest.mark.long
def test_processes_of_a_worker_end_with_it(tmp_path: Path) -> None:
    with DaskCluster(tmp_path, workers=1) as cluster:
        job = WorkerJob(jobs.start_program, False, shut_down=jobs.end_programs)
        list(ClusterWorkers(cluster.address, job).run([Task("program", (str(tmp_path),))]))
        (note,) = tmp_path.glob("program*")
        program = Path("/proc", note.name.split()[1])
        assert program.exists()
        cluster.workers[0].send_signal(signal.SIGTERM)
        assert cluster.workers[0].wait(60) == 0
        assert not program.exists()


def test_a_worker_of_another_version_is_refused(cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "__version__", "0.0.1")
    with pytest.raises(
        ClusterUnavailable, match=f"^the worker at tcp://.* has maxconnect4 {__version__}, this machine has 0.0.1$"
    ):
        list(cluster_solvers(cluster.address).run(tasks(20, 1)))


@pytest.mark.long  # where a module is missing in the worker, the same is said: see the errors above
def test_a_worker_without_the_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_PROGRAM)
    with DaskCluster(tmp_path) as cluster:
        cluster.add_worker(PYTHONPATH=str(tmp_path))
        with pytest.raises(
            ClusterUnavailable, match="^a worker failed: install maxconnect4 .* there: ImportError: .*, at tcp://"
        ):
            list(cluster_solvers(cluster.address).run(tasks(20, 1)))


@pytest.mark.parametrize("tries", [1, pytest.param(_Batch.MAX_TRIES, marks=pytest.mark.long)])
def test_a_task_that_every_worker_dies_of_ends_the_build(
    tmp_path: Path, tries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Batch, "MAX_TRIES", tries)
    deadly = tmp_path / "maxconnect4" / "workers"
    deadly.mkdir(parents=True)
    for file in (deadly.parent / "__init__.py", deadly / "__init__.py"):
        file.touch()
    (deadly / "dask.py").write_text("import os; os._exit(1)")
    with DaskCluster(tmp_path, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0") as cluster:
        for _ in range(tries):
            cluster.add_worker(PYTHONPATH=str(tmp_path))
        with pytest.raises(
            WorkersCrashed, match="^every worker that runs test-20-0.* dies: check the memory of the workers$"
        ):
            list(cluster_solvers(cluster.address).run(tasks(20, 1)))


@pytest.mark.parametrize("how", [pytest.param(signal.SIGTERM, marks=pytest.mark.long), signal.SIGKILL])
def test_a_scheduler_that_goes_away_is_one_line(tmp_path: Path, how: signal.Signals) -> None:
    with DaskCluster(tmp_path) as cluster:
        solving = cluster_solvers(cluster.address).run(tasks(20, 2))
        ending = threading.Thread(target=_end_when_there_is_work, args=(cluster, how))
        ending.start()
        with pytest.raises(ClusterUnavailable, match=f"^the connection to the scheduler at {cluster.address} is lost$"):
            next(solving)  # there are no workers: it waits
        ending.join()


def _end_when_there_is_work(cluster: DaskCluster, how: signal.Signals) -> None:
    from distributed import Client

    with Client(cluster.address, timeout=60, set_as_default=False) as client:
        until(lambda: client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)))
        cluster.scheduler.send_signal(how)


def test_the_address_of_a_worker_is_not_that_of_a_scheduler(cluster: DaskCluster) -> None:
    with cluster.client() as client:
        (address,) = client.processing()
    with pytest.raises(ClusterUnavailable, match="^there is no Dask scheduler at "):
        cluster_solvers(address)


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0" * 100])
def test_an_invalid_scheduler_is_refused(answer: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ClusterWorkers, "CONNECT_SECONDS", 1.0)
    start = time.monotonic()
    with socket.create_server(("127.0.0.1", 0)) as server:
        answering = threading.Thread(target=answer_all, args=(server, answer), daemon=True)
        answering.start()
        port = server.getsockname()[1]
        with pytest.raises(ClusterUnavailable, match=f"^there is no Dask scheduler at tcp://127.0.0.1:{port}$"):
            cluster_solvers(f"tcp://127.0.0.1:{port}")
        server.shutdown(socket.SHUT_RDWR)
        answering.join(60)
    assert time.monotonic() - start < 30


def answer_all(server: socket.socket, answer: bytes) -> None:
    callers = []
    try:
        while True:
            callers.append(server.accept()[0])
            callers[-1].sendall(answer)
    except OSError:
        for caller in callers:
            caller.close()


def test_a_scheduler_out_of_reach_is_refused_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    start = time.monotonic()
    words = f"^the scheduler at tcp://127.0.0.1:{port} cannot be reached: connection refused$"
    with pytest.raises(ClusterUnavailable, match=words):
        cluster_solvers(f"tcp://127.0.0.1:{port}")
    assert time.monotonic() - start < 30
    with pytest.raises(ClusterUnavailable, match="^the scheduler at tcp://a{70}:1 cannot be reached: "):
        cluster_solvers(f"tcp://{'a' * 70}:1")


ADDRESSES = (
    "127.0.0.1:8786 tcp://node7 tcp://:1 tcp://node7:99999 tls://node7:1 tcp://node7:1/x tcp://[::1:9 tcp://\x1b:1"
)


@pytest.mark.parametrize("address", ["", *ADDRESSES.split()])
def test_an_address_of_another_form_is_refused(address: str) -> None:
    with pytest.raises(
        ClusterUnavailable, match="^'.*' is not an address of a scheduler: use the form tcp://node7:8786$"
    ):
        cluster_solvers(address)


def test_without_dask_the_error_names_the_package_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MaxConnect4Error, match=r"pip install 'maxconnect4\[cluster\]'$"):
        cluster_solvers("tcp://127.0.0.1:1")
