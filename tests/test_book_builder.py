"""Building a book on this machine: nothing is lost and nothing is solved twice, however it ends."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import time
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from book_states import middling_positions, quick_positions, slow_positions, unfinished_book
from dask_cluster import DaskCluster
from positions import random_board
from terminal import PROGRAM, Terminal, maxconnect4
from waiting import have_ended, until

from maxconnect4 import BadFile, CannotSave, CannotSolve, Solver, board_from_moves
from maxconnect4.book import Book, shipped_book
from maxconnect4.book_builder import (
    STATES,
    BookState,
    LayerProgress,
    LayerShare,
    SolvedPosition,
    derive_values,
    local_solvers,
    solve_layer,
)
from maxconnect4.position_keys import board_from_key, key_of, layers, plies_from_key
from maxconnect4.referee.limits import children_of
from maxconnect4.workers import Done, Task, Workers

LONG = pytest.mark.long
ENDINGS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def late_tasks(count: int, seed: int = 1) -> list[Task[int]]:
    """Tasks of three positions that take some ten milliseconds each."""
    rng = random.Random(seed)
    keys = [key_of(random_board(rng, 16)) for _ in range(3 * count)]
    return [Task(f"late-{number}", tuple(keys[3 * number : 3 * number + 3])) for number in range(count)]


def rows(path: Path) -> dict[int, tuple[int, ...]]:
    """What is in a state, read past our own code. A reader undoes what a build that was killed has left half done."""
    with closing(sqlite3.connect(f"file:{path}?mode=rw", uri=True, timeout=60)) as database:
        return {row[0]: row[1:] for row in database.execute("SELECT * FROM solved")}


class Recording:
    """Workers, and the positions that they were given."""

    def __init__(self, workers: Workers[int, SolvedPosition]) -> None:
        self.workers = workers
        self.asked: list[int] = []

    def run(self, tasks: Iterable[Task[int]]) -> Generator[list[Done[int, SolvedPosition]]]:
        tasks = list(tasks)
        self.asked += [key for task in tasks for key in task.items]
        return self.workers.run(tasks)


class Cribbing:
    """Workers that have the values at hand."""

    def __init__(self, values: Mapping[int, int]) -> None:
        self.values = values

    def run(self, tasks: Iterable[Task[int]]) -> Generator[list[Done[int, SolvedPosition]]]:
        for task in tasks:
            yield [Done(key, SolvedPosition(key, self.values[key], 1, 0.001)) for key in task.items]


# The layers


@pytest.mark.parametrize(
    ("game", "plies"), [("classic", 5), ("max", 5), pytest.param("max", shipped_book().plies, marks=LONG)]
)
def test_the_upper_layers_follow_from_the_deepest(game: str, plies: int) -> None:
    values = {key: value for key, value in shipped_book(game) if plies_from_key(key) <= plies}
    deepest = {key: value for key, value in values.items() if plies_from_key(key) == plies}
    assert derive_values(plies, deepest, game) == values


def test_the_parts_of_a_layer_are_all_of_it_and_the_names_do_not_depend_on_what_is_done() -> None:
    *_, layer = layers(5)
    for parts in (1, 2, 3, 7):
        tasks = [task for number in range(1, parts + 1) for task in LayerShare(number, parts).tasks(5, layer, {})]
        assert [key for task in tasks for key in task.items] == layer
    everything = {task.name: task.items for task in LayerShare().tasks(5, layer, {})}
    done = dict.fromkeys(random.Random(1).sample(layer, len(layer) // 2), 0)
    for task in LayerShare().tasks(5, layer, done):
        assert task.items == tuple(key for key in everything[task.name] if key not in done)


@pytest.mark.parametrize("game", ["classic", pytest.param("max", marks=LONG)])
def test_only_what_is_missing_is_solved_and_every_value_is_right(tmp_path: Path, game: str) -> None:
    build = unfinished_book(game)
    missing = quick_positions()[::10][:8] if game == "classic" else build.sample(8, seed=1)
    build.store(tmp_path / "s", missing)
    workers, seen = Recording(local_solvers(2, 64 << 20, game)), list[tuple[int, int]]()
    with STATES[game](str(tmp_path / "s")) as state:

        def note(now: LayerProgress) -> None:
            assert now.positions == len(build.deepest)
            seen.append((now.done_before + now.done, now.to_do - now.done))

        solve_layer(build.plies, state, workers, progress=note)
        assert sorted(workers.asked) == sorted(missing)
        assert state.values() == build.deepest
        assert all(done == len(build.deepest) - left for done, left in seen)
        assert (seen[0][1], seen[-1][1]) == (8, 0)
        assert seen == sorted(seen)
        solve_layer(build.plies, state, workers)
        assert len(workers.asked) == 8


# Workers on this machine


def test_workers_solve_each_position_once() -> None:
    tasks, solver = late_tasks(5), Solver(64 << 20, threads=1)
    solved = [each.result for some in local_solvers(2, 64 << 20).run(tasks) for each in some]
    assert sorted(each.key for each in solved) == sorted(key for task in tasks for key in task.items)
    for each in solved:
        assert each.value == solver.analyse(board_from_key(each.key), only_value=True).value
        assert each.nodes > 0


def test_an_error_of_a_worker_is_reported() -> None:
    with pytest.raises(CannotSolve, match="a table of 1 bytes is too small"):
        list(local_solvers(1, 1).run(late_tasks(1)))


# The whole command, ended in every way


@pytest.mark.parametrize(
    ("game", "ending"),
    [
        ("classic", signal.SIGKILL),
        ("classic", signal.SIGINT),
        pytest.param("classic", signal.SIGTERM, marks=LONG),
        pytest.param("classic", signal.SIGHUP, marks=LONG),
        *(pytest.param("max", ending, marks=LONG) for ending in ENDINGS),
    ],
)
def test_a_build_that_is_ended_resumes_with_nothing_lost_or_solved_twice(
    tmp_path: Path, game: str, ending: signal.Signals
) -> None:
    state, unfinished = tmp_path / "book.sqlite", unfinished_book(game)
    if game == "classic":
        missing = [*quick_positions()[::7], *slow_positions()]
    else:
        missing = unfinished.sample(14, seed=int(ending))
    unfinished.store(state, missing)
    before, every = len(unfinished.deepest) - len(missing), len(unfinished.deepest)
    command = [PROGRAM, *unfinished.command, "--memory", "128M", "--processes", "2"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as build:
        until(lambda: build.poll() is not None or _count_rows(state) >= before + 2)
        children = children_of(build.pid)
        build.send_signal(ending)
        _, errors = build.communicate(timeout=60)
    assert build.returncode == (130 if ending == signal.SIGINT else -ending)
    if ending == signal.SIGINT:
        words = "interrupted; solved positions are stored in book.sqlite; repeat the command to resume the build"
        assert errors == f"maxconnect4: {words}\n"
    kept = rows(state)
    assert before + 2 <= len(kept) < every
    assert have_ended(children, within=60), "workers have outlived the coordinator"
    # The positions that were solved are not given to a worker again, and their rows stay as they are.
    workers = Recording(Cribbing(unfinished.deepest))
    with STATES[game](str(state)) as again:
        solve_layer(unfinished.plies, again, workers)
    assert sorted(workers.asked) == sorted(set(missing) - set(kept))
    after = rows(state)
    assert {key: after[key] for key in kept} == kept
    done = maxconnect4(*unfinished.command, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert dict(Book(str(tmp_path / "opening.book"))) == dict(unfinished.book)


def _count_rows(state: Path) -> int:
    with closing(sqlite3.connect(f"file:{state}?mode=rw", uri=True, timeout=60)) as database:
        return int(database.execute("SELECT count(*) FROM solved").fetchone()[0])


@pytest.mark.parametrize("moment", [0.0, pytest.param(0.05, marks=LONG), pytest.param(0.2, marks=LONG)])
def test_ctrl_c_while_the_workers_start_is_one_line(tmp_path: Path, moment: float) -> None:
    """A terminal sends it to all of them."""
    unfinished = unfinished_book("classic")
    unfinished.store(tmp_path / "book.sqlite", [*quick_positions(), *slow_positions()])
    command = [PROGRAM, *unfinished.command, "--processes", "2"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True) as build:
        until(lambda: children_of(build.pid))
        time.sleep(moment)
        os.killpg(build.pid, signal.SIGINT)
        _, errors = build.communicate(timeout=60)
    assert build.returncode == 130
    assert errors.count("\n") == 1, errors


@LONG
@pytest.mark.parametrize("game", ["classic", "max"])
def test_the_same_command_builds_on_a_cluster_and_a_worker_that_is_killed_loses_nothing(
    tmp_path: Path, game: str
) -> None:
    state, unfinished = tmp_path / "book.sqlite", unfinished_book(game)
    if game == "classic":
        missing = [*quick_positions()[::20], *middling_positions()[::20]]
    else:
        missing = unfinished.sample(32, seed=1)
    unfinished.store(state, missing)
    with DaskCluster(tmp_path, workers=2) as cluster:
        cluster.client().close()  # both workers are there
        command = [PROGRAM, *unfinished.command, "--scheduler", cluster.address]
        with subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as build:
            before = len(unfinished.deepest) - len(missing)
            until(lambda: build.poll() is not None or _count_rows(state) > before)
            cluster.workers[0].kill()
            words, errors = build.communicate(timeout=120)
    assert build.returncode == 0, errors
    assert words == f"opening.book has all {len(unfinished.book):,} positions up to {unfinished.plies} plies.\n"
    assert dict(Book(str(tmp_path / "opening.book"))) == dict(unfinished.book)


def test_a_scheduler_out_of_reach_is_one_line_and_nothing_is_begun(tmp_path: Path) -> None:
    done = maxconnect4("book", "build", "--scheduler", "tcp://127.0.0.1:1", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    words = "the scheduler at tcp://127.0.0.1:1 cannot be reached: connection refused"
    assert done.stderr == f"maxconnect4: {words}\n"
    assert list(tmp_path.iterdir()) == []


def test_a_terminal_shows_a_bar_with_an_estimate(tmp_path: Path) -> None:
    unfinished = unfinished_book("classic")
    unfinished.store(tmp_path / "book.sqlite", [*quick_positions()[::20], middling_positions()[0]])
    terminal = Terminal(*unfinished.command, "--memory", "64M", "--processes", "1", cwd=tmp_path)
    terminal.wait_for(f" of {len(unfinished.deepest):,} positions")
    terminal.wait_for("/s, about ")
    terminal.wait_for("opening.book has all")
    assert terminal.close() == 0


# The state


def test_a_state_is_used_by_one_build_at_a_time(tmp_path: Path) -> None:
    with BookState(str(tmp_path / "s")), pytest.raises(CannotSave, match="s is in use by another process"):
        BookState(str(tmp_path / "s"))
    BookState(str(tmp_path / "s")).__exit__(None, None, None)


def test_a_file_that_is_not_a_state_is_refused_and_unchanged(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a diary, long enough to be mistaken for something else\n" * 20)
    with sqlite3.connect(tmp_path / "other") as database:
        database.execute("CREATE TABLE friends (name TEXT)")
    database.close()
    for name in ("text", "other"):
        before = (tmp_path / name).read_bytes()
        with pytest.raises(BadFile, match=f"{name} is not the state of a book"):
            BookState(str(tmp_path / name))
        assert (tmp_path / name).read_bytes() == before
    with pytest.raises(CannotSave, match="cannot be written: there is no folder"):
        BookState(str(tmp_path / "no" / "folder"))
    with BookState(str(tmp_path / "s")) as state:
        state._database.execute("PRAGMA user_version = 2")
    with pytest.raises(BadFile, match="is the state of a book of version 2; this program reads version 1"):
        BookState(str(tmp_path / "s"))


def test_a_state_without_a_column_is_refused_with_a_message(tmp_path: Path) -> None:
    path = str(tmp_path / "s")
    with BookState(path) as state:
        state._database.execute("ALTER TABLE solved DROP COLUMN nodes")
    with pytest.raises(BadFile, match="s is damaged: "):
        BookState(path, read_only=True)


def test_two_values_for_one_position_are_not_both_believed(tmp_path: Path) -> None:
    key = layers(1).__next__()[0]
    with BookState(str(tmp_path / "s")) as state:
        assert state.add([SolvedPosition(key, 0, 5, 0.25)]) == 1
        assert state.add([SolvedPosition(key, 0, 9, 0.5)]) == 0
        assert list(state.solved()) == [SolvedPosition(key, 0, 5, 0.25)]
        other = key_of(board_from_moves("44"))
        with pytest.raises(BadFile, match="has the value 0 for '': the new value is 1"):
            state.add([SolvedPosition(other, 3, 1, 0.0), SolvedPosition(key, 1, 1, 0.0)])
        assert state.values() == {key: 0}
