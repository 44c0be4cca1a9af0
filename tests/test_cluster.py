"""A book's positions on a Dask cluster: a real scheduler and real workers, some of which do not live long."""

from __future__ import annotations

import random
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from dask_cluster import DaskCluster
from positions import random_board

from maxconnect4 import CannotSolve, MaxConnect4Error, Solver, __version__
from maxconnect4.bookmaking import cluster as module
from maxconnect4.bookmaking.cluster import ClusterWorkers
from maxconnect4.bookmaking.workers import Solved, Task
from maxconnect4.errors import NoCluster
from maxconnect4.keys import board_of, key_of

pytestmark = pytest.mark.timeout(120)


def tasks(plies: int, count: int, each: int = 16) -> list[Task]:
    rng = random.Random(plies)
    keys: set[int] = set()
    while len(keys) < count * each:
        keys.add(key_of(random_board(rng, plies)))
    in_order = sorted(keys)
    return [Task(f"test-{plies}-{n}", tuple(in_order[n * each : (n + 1) * each])) for n in range(count)]


def check(solved: list[Solved], chosen: list[Task]) -> None:
    assert sorted(each.key for each in solved) == sorted(key for task in chosen for key in task.keys)
    solver = Solver(16 << 20, threads=1)
    for each in solved:
        assert each.value == solver.analyse(board_of(each.key), only_value=True).value
        assert each.nodes >= 0 <= each.cpu_seconds


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    with DaskCluster(tmp_path_factory.mktemp("dask"), workers=1) as running:
        yield running


@pytest.mark.parametrize("allowed_failures", [3, 0])
def test_a_worker_killed_in_the_middle_loses_nothing(tmp_path: Path, allowed_failures: int) -> None:
    """With 0 Dask gives the task up at once, as it otherwise does with its fourth worker; then we hand it in anew."""
    chosen = tasks(14, 8)
    allowed = str(allowed_failures)
    with DaskCluster(tmp_path, 2, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES=allowed) as cluster:
        with cluster.client() as client:
            solving = ClusterWorkers(cluster.address).solve(chosen)
            solved = next(solving)
            cluster.workers[0].send_signal(signal.SIGSTOP)  # so that it is still at it when it is killed
            assert all(client.processing().values())
            cluster.workers[0].kill()
        for more in solving:
            solved += more
        assert cluster.workers[0].poll() == -signal.SIGKILL
        assert cluster.workers[1].poll() is None
        log = (tmp_path / "scheduler0.log").read_text()
        assert ("marked as failed because" in log) == (allowed_failures == 0)
    check(solved, chosen)


def test_positions_come_while_their_task_goes_on(cluster: DaskCluster) -> None:
    (task,) = tasks(8, 1, each=48)
    solving = ClusterWorkers(cluster.address).solve([task])
    first = next(solving)
    assert 0 < len(first) < 48
    rest = [each for more in solving for each in more]
    assert sorted(each.key for each in first + rest) == list(task.keys)


def test_all_is_solved_if_the_scheduler_is_to_know_few_tasks_at_a_time(cluster: DaskCluster) -> None:
    chosen = tasks(20, 12, each=4)
    workers = ClusterWorkers(cluster.address)
    workers.MOST_AT_WORK = 2
    check([each for solved in workers.solve(iter(chosen)) for each in solved], chosen)


def test_a_task_under_a_name_that_stands_for_less_is_completed(cluster: DaskCluster) -> None:
    (task,) = tasks(20, 1)
    with cluster.client() as client:
        before = client.submit(module.solve_batch, task.keys[:3], module.MEMORY, __version__, key=task.name)
        before.result(timeout=60)
        check([each for solved in ClusterWorkers(cluster.address).solve([task]) for each in solved], [task])


def test_no_tasks_are_no_work(cluster: DaskCluster) -> None:
    assert list(ClusterWorkers(cluster.address).solve([])) == []


def test_closing_stops_the_work(cluster: DaskCluster) -> None:
    solving = ClusterWorkers(cluster.address).solve(tasks(12, 12))
    next(solving)
    solving.close()  # type: ignore[attr-defined]
    with cluster.client() as client:
        end = time.monotonic() + 30
        while client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)):
            assert time.monotonic() < end
            time.sleep(0.05)


def test_an_error_of_a_worker_is_one_line(cluster: DaskCluster) -> None:
    with pytest.raises(CannotSolve, match="^a table of -1 bytes is negative$"):
        list(ClusterWorkers(cluster.address, memory=-1).solve(tasks(20, 2)))
    with pytest.raises(
        NoCluster, match=f"^a worker failed, is maxconnect4 {__version__} installed there\\? .+Error: .+$"
    ):
        list(ClusterWorkers(cluster.address).solve([Task("test-no-key", (None,))]))  # type: ignore[arg-type]


def test_a_worker_of_another_version_is_refused(cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "__version__", "0.0.1")
    with pytest.raises(
        NoCluster, match=f"^the worker at tcp://.* has maxconnect4 {__version__}, and here it is 0.0.1$"
    ):
        list(ClusterWorkers(cluster.address).solve(tasks(20, 1)))


def test_a_worker_without_the_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['maxconnect4'] = None")
    with DaskCluster(tmp_path) as cluster:
        cluster.add_worker(PYTHONPATH=str(tmp_path))
        with pytest.raises(
            NoCluster, match="^a worker failed, is maxconnect4 .* installed there\\? ImportError: .*, at tcp://"
        ):
            list(ClusterWorkers(cluster.address).solve(tasks(20, 1)))


def test_a_task_that_every_worker_dies_of_ends_the_build(tmp_path: Path) -> None:
    deadly = tmp_path / "maxconnect4" / "bookmaking"
    deadly.mkdir(parents=True)
    for file in (deadly.parent / "__init__.py", deadly / "__init__.py"):
        file.touch()
    (deadly / "cluster.py").write_text("import os; os._exit(1)")
    with DaskCluster(tmp_path, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0") as cluster:
        for _ in range(3):
            cluster.add_worker(PYTHONPATH=str(tmp_path))
        with pytest.raises(
            CannotSolve, match="^every worker that takes up test-20-0.* dies: is there enough memory\\?$"
        ):
            list(ClusterWorkers(cluster.address).solve(tasks(20, 1)))


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_scheduler_that_goes_away_is_one_line(tmp_path: Path, how: signal.Signals) -> None:
    with DaskCluster(tmp_path) as cluster:
        solving = ClusterWorkers(cluster.address).solve(tasks(20, 2))
        threading.Timer(1, cluster.scheduler.send_signal, [how]).start()
        with pytest.raises(NoCluster, match=f"^the scheduler at {cluster.address} has gone away$"):
            next(solving)  # there are no workers: it waits


def test_the_address_of_a_worker_is_not_that_of_a_scheduler(cluster: DaskCluster) -> None:
    with cluster.client() as client:
        (address,) = client.processing()
    with pytest.raises(NoCluster, match="^no Dask scheduler answers at "):
        ClusterWorkers(address)


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0" * 100])
def test_what_is_not_a_scheduler_is_refused(answer: bytes) -> None:
    start = time.monotonic()
    with socket.create_server(("127.0.0.1", 0)) as server:
        answering = threading.Thread(target=answer_all, args=(server, answer), daemon=True)
        answering.start()
        port = server.getsockname()[1]
        with pytest.raises(NoCluster, match=f"^no Dask scheduler answers at tcp://127.0.0.1:{port}$"):
            ClusterWorkers(f"tcp://127.0.0.1:{port}")
        server.shutdown(socket.SHUT_RDWR)
        answering.join(10)
    assert time.monotonic() - start < 10


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
    with pytest.raises(NoCluster, match=words):
        ClusterWorkers(f"tcp://127.0.0.1:{port}")
    assert time.monotonic() - start < 5
    with pytest.raises(NoCluster, match="^the scheduler at tcp://a{70}:1 cannot be reached: "):
        ClusterWorkers(f"tcp://{'a' * 70}:1")


ADDRESSES = (
    "127.0.0.1:8786 tcp://node7 tcp://:1 tcp://node7:99999 tls://node7:1 tcp://node7:1/x tcp://[::1:9 tcp://\x1b:1"
)


@pytest.mark.parametrize("address", ["", *ADDRESSES.split()])
def test_an_address_of_another_form_is_refused(address: str) -> None:
    with pytest.raises(NoCluster, match="^'.*' is not the address of a scheduler, such as tcp://node7:8786$"):
        ClusterWorkers(address)


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MaxConnect4Error, match=r"pip install 'maxconnect4\[cluster\]'$"):
        ClusterWorkers("tcp://127.0.0.1:1")
