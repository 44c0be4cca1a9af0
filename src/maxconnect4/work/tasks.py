"""What is to be done, and by whom: a job names a function, a task has the things that it is called with."""

from __future__ import annotations

import pickle
import traceback
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import NamedTuple, Protocol

from ..errors import MaxConnect4Error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from typing import Any


class Job(NamedTuple):
    """What workers do with each item. Functions are named, such as "maxconnect4.bookmaking.solving:solve_position"."""

    function: str  # is called as function(item, *settings), one item at a time
    settings: tuple[Any, ...] = ()
    prepare: str = ""  # is called once in each worker, before the first item
    #: Is called in a worker that is to end, whatever the function is at in another thread, and right before it is
    #: gone: nothing that the function has started should be left then, and nothing more be started.
    end: str = ""
    #: Is called in the coordinator with the process number of a worker that could not call `end`: it was killed.
    bury: str = ""
    #: Is called in the coordinator with an item at which workers die, and gives the result to go on with. Without it
    #: such an item ends the work.
    give_up: str = ""


class Task(NamedTuple):
    """Items that one worker does one after another. The name is its own among all that is done at the time.

    Items can be hashed and pickled, and no two of a task are equal.
    """

    name: str
    items: tuple[Any, ...]


class Done(NamedTuple):
    """An item, and what the function made of it, which can be pickled."""

    item: Any
    result: Any


class Workers(Protocol):
    """Several processes that do the same job at once."""

    def run(self, tasks: Iterable[Task]) -> Generator[list[Done]]:
        """Do all tasks, in any order, and give each item soon after it is done.

        If a worker dies, others take up what is left of its task. Closing the iterator stops the work. What the
        function raises is raised here, and stops the work as well: errors of the MaxConnect4Error family as they are,
        any other as JobFailed.
        """


class JobFailed(Exception):
    """A worker met an error that nobody expects. The message has its traceback."""


@cache
def named(function: str) -> Callable[..., Any]:
    """A function by its name."""
    module, _, name = function.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found


@cache
def prepare_once(prepare: str) -> None:
    """Call what a job wants to have called first, unless this process has done so."""
    if prepare:
        named(prepare)()


def pickled_result(job: Job, item: Any) -> bytes:
    """Do one item. What goes wrong is raised in a form that can be sent, too."""
    with errors_that_travel():
        return pickle.dumps(named(job.function)(item, *job.settings))


@contextmanager
def errors_that_travel() -> Iterator[None]:
    """See to it that whatever is raised within can be pickled, as our own errors can: see `Workers.run`."""
    try:
        yield
    except MaxConnect4Error:
        raise
    except (Exception, SystemExit):
        raise JobFailed(f"a worker has failed:\n{traceback.format_exc().rstrip()}") from None
