"""Building a book: its deepest layer is solved, position by position, and the others are derived from it."""

from __future__ import annotations

import time
from typing import NamedTuple

from ..keys import best_of, layers, plies_of
from ..work.tasks import Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..work.tasks import Workers
    from .solving import Solved
    from .state import State

BATCH = 32  # positions of a task: some seconds of work


class Part(NamedTuple):
    """The share of the layer that one build is to solve: number `number` of `parts`."""

    number: int = 1
    parts: int = 1

    def tasks(self, plies: int, layer: list[int], done: Mapping[int, int]) -> list[Task]:
        """The batches of a layer that still have something to solve: neighbours, under a name that never changes."""
        tasks = []
        for number, start in enumerate(range(0, len(layer), BATCH)):
            if number * self.parts // -(-len(layer) // BATCH) == self.number - 1:
                keys = tuple(key for key in layer[start : start + BATCH] if key not in done)
                if keys:
                    tasks.append(Task(f"maxconnect4-book-{plies}-{number:06}", keys))
        return tasks


def solve_layer(
    plies: int,
    state: State,
    workers: Workers,
    part: Part | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> int:
    """Solve all positions with so many pieces that the state does not have yet. It may be ended at any moment.

    Returns how many are still not solved, as they are in other parts.
    """
    *_, layer = layers(plies, state.game)
    known = state.values()
    tasks = (part or Part()).tasks(plies, layer, known)
    now = Progress(len(layer), sum(key in known for key in layer), sum(len(task.items) for task in tasks))
    if progress is not None:
        progress(now)
    for done in workers.run(tasks) if tasks else ():
        solved = [each.result for each in done]
        state.add(solved)
        now.add(solved)
        if progress is not None:
            progress(now)
    return now.positions - now.done_before - now.done


class Progress:
    """How far the layer is, and how fast it goes."""

    def __init__(self, positions: int, done_before: int, to_do: int) -> None:
        #: All positions of the layer.
        self.positions = positions
        #: Those that were solved before this run.
        self.done_before = done_before
        #: Those that this run has to solve.
        self.to_do = to_do
        #: Those that it has solved.
        self.done = 0
        self.cpu_seconds = 0.0
        self._start = time.monotonic()

    def add(self, solved: list[Solved]) -> None:
        """Count positions that have been solved."""
        self.done += len(solved)
        self.cpu_seconds += sum(each.cpu_seconds for each in solved)

    @property
    def per_second(self) -> float:
        """Positions by the clock."""
        return self.done / max(time.monotonic() - self._start, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """An estimate from the speed so far; None if there is none yet."""
        return (self.to_do - self.done) / self.per_second if self.done else None


def all_values(plies: int, deepest: Mapping[int, int], game: str = "max") -> dict[int, int]:
    """The value of every position up to so many plies, from those of the deepest layer."""
    *upper, last = layers(plies, game)
    values = {key: deepest[key] for key in last}
    for done, layer in reversed(list(enumerate(upper))):
        for key in layer:
            values[key] = best_of(key, done, values, game)
    return values


def effort(plies: int, state: State) -> dict[str, int | float]:
    """What the deepest layer took: how a book says that it was made."""
    layer = [each for each in state.solved() if plies_of(each.key) == plies]
    solved = [each for each in layer if each.cpu_seconds]
    return {
        "solved": len(solved),
        "taken_over": len(layer) - len(solved),
        "nodes": sum(each.nodes for each in solved),
        "cpu_seconds": round(sum(each.cpu_seconds for each in solved), 3),
    }
