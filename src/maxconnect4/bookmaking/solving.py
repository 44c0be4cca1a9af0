"""Solving the positions of a book: what a worker does with one, and the workers to be had for it."""

from __future__ import annotations

from typing import NamedTuple

from ..keys import board_of
from ..resources import processors
from ..solver import Solver, default_memory
from ..work.tasks import Job

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..work.cluster import ClusterWorkers
    from ..work.local import LocalWorkers

CLUSTER_MEMORY = 256 << 20  # of one worker's table, unless another size is asked for


class Solved(NamedTuple):
    """A position that has been solved, and what that took."""

    key: int
    value: int
    nodes: int
    cpu_seconds: float


_solver: Solver | None = None  # of this process: its table stays warm from task to task


def solve_position(key: int, memory: int, game: str = "max") -> Solved:
    """Solve one position, with this process's solver."""
    global _solver
    if _solver is None or _solver.memory != memory:
        _solver = Solver(memory, threads=1, book=False)
    analysis = _solver.analyse(board_of(key, game), only_value=True)
    return Solved(key, analysis.value, analysis.nodes, analysis.cpu_seconds)


def solving(memory: int, game: str = "max") -> Job:
    """What workers are to do: solve positions, each worker with a table of so many bytes at the most."""
    return Job(f"{__name__}:{solve_position.__name__}", (memory, game))


def workers_here(processes: int | None = None, memory: int | None = None, game: str = "max") -> LocalWorkers:
    """Solvers on this machine. `memory` is the most that all their tables may take together, in bytes."""
    from ..work.local import LocalWorkers

    processes = processes or processors()
    return LocalWorkers(solving((default_memory() if memory is None else memory) // processes, game), processes)


def workers_of_cluster(address: str, memory: int | None = None, game: str = "max") -> ClusterWorkers:
    """Solvers on the cluster of a scheduler. `memory` is the most that each one's table may take, in bytes."""
    from ..work.cluster import ClusterWorkers

    return ClusterWorkers(address, solving(CLUSTER_MEMORY if memory is None else memory, game))
