"""Measure what isolation costs a move, and how soon a run recovers from a worker that is killed or stopped.

Writes benchmarks/isolation.json. Takes a minute; `make bench-isolation` runs it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import statistics
import sys
import tempfile
import time
from pathlib import Path

from measurement import begin, keep, progress

from maxconnect4.board import Board
from maxconnect4.referee import program, sandbox
from maxconnect4.referee.game import GameSetup, Rules, ScheduledGame, play
from maxconnect4.referee.isolation import BUBBLEWRAP, LANDLOCK, NONE, Isolation, isolation_for
from maxconnect4.referee.limits import ResourceLimits
from maxconnect4.referee.players import PlayerSpec, player_spec
from maxconnect4.workers import Task, WorkerJob
from maxconnect4.workers.local import LocalWorkers

GAMES = 10  # of each method, in turn
ITEM_SECONDS = 0.2
RECOVERIES = 5

#: A program that plays the first column that is not full.
PLAYER = """
import sys
rows = open(sys.argv[2]).read().split()
player = rows.pop()
column = next(column for column in range(7) if rows[0][column] == "0")
row = max(row for row in range(6) if rows[row][column] == "0")
rows[row] = rows[row][:column] + player + rows[row][column + 1 :]
open(sys.argv[3], "w").write("\\n".join([*rows, str(3 - int(player)), ""]))
"""


def main() -> None:
    begin()
    sandbox.become_subreaper()
    results = {
        "strongest": isolation_for("auto").name,
        **moves(),
        "recovery": {
            name: recovery(number) for name, number in (("killed", signal.SIGKILL), ("stopped", signal.SIGSTOP))
        },
    }
    keep("isolation", "bench-isolation", results)


def moves() -> dict[str, dict[str, float]]:
    """Milliseconds of wall-clock time a move: in games between two programs, and of single moves. Medians.

    In a game the sandbox of the next move is started while the other program is at its move.
    """
    methods = [NONE, LANDLOCK, *([BUBBLEWRAP] if isolation_for("auto").method == BUBBLEWRAP else [])]
    in_games: dict[str, list[float]] = {method: [] for method in methods}
    single: dict[str, list[float]] = {method: [] for method in methods}
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        Path(folder, "player.py").write_text(PLAYER)
        for number in range(GAMES):
            progress(f"game {number + 1} of {GAMES} with each isolation")
            for method in methods:
                in_games[method].append(game(method, folder))
                single[method] += moves_of_one(method, folder)
    return {
        name: {method: round(1000 * statistics.median(seconds), 2) for method, seconds in found.items()}
        for name, found in (("in_games", in_games), ("single", single))
    }


def game(method: str, folder: str) -> float:
    """Seconds a move."""
    one, other = player(method, folder), player(method, folder)
    start = time.monotonic()
    played = play(GameSetup(ScheduledGame(1, 1, 1, "a", "b", ""), one, other, Rules()))
    seconds = time.monotonic() - start
    if played.faults or len(played.moves) != 42:
        raise SystemExit(f"the programs did not make their moves: {played}")
    return seconds / len(played.moves)


def moves_of_one(method: str, folder: str) -> list[float]:
    """Seconds of each of some moves."""
    alone = program.Program(player(method, folder))
    found = []
    for _ in range(20):
        start = time.monotonic()
        if alone.move(Board()).column != 1:
            raise SystemExit("the program did not make its move")
        found.append(time.monotonic() - start)
    return found


def player(method: str, folder: str) -> PlayerSpec:
    words = [os.path.realpath(sys.executable), "-S", "-E", "player.py", "one-move", "{in}", "{out}", "{depth}"]
    program.isolation_for = lambda wanted: Isolation(method)  # type: ignore[attr-defined, assignment]
    return player_spec(words, name="player", folder=folder, limits=ResourceLimits())


def recovery(number: signal.Signals) -> float:
    """Seconds from a signal to the only worker until its item is done by another, the most of several times."""
    import measure_isolation  # workers import it by this name

    found = []
    for trial in range(RECOVERIES):
        progress(f"recovery from {number.name}, {trial + 1} of {RECOVERIES}")
        work = LocalWorkers(WorkerJob(measure_isolation.rest), 1).run([Task("rest", tuple(range(20)))])
        next(work)
        (worker,) = multiprocessing.active_children()
        start = time.monotonic()
        os.kill(worker.pid or 0, number)
        next(work)  # which another worker has done
        found.append(time.monotonic() - start - ITEM_SECONDS)
        work.close()
    return round(max(found), 2)


def rest(item: int) -> int:
    time.sleep(ITEM_SECONDS)
    return item


if __name__ == "__main__":
    main()
