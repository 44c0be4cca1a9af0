"""What is to be done, and by whom: a job names a function, a task has the things that it is called with.

Items and results travel between processes as JSON, and are validated against the annotations of the function when they
arrive: the process that sends a result may have run an external program, and is not trusted with more than that.
"""

from __future__ import annotations

import json
import os
import traceback
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, Protocol

import msgspec

from ..errors import MaxConnect4Error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator


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
    #: Is called in the coordinator with an item at which workers die, and what each of them had last announced. It
    #: returns the result to continue with. Without it such an item ends the work.
    give_up: str = ""


class Task(NamedTuple):
    """Items that one worker does one after another. The name is its own among all that is done at the time.

    Items can be hashed, and no two of a task are equal.
    """

    name: str
    items: tuple[Any, ...]


class Done(NamedTuple):
    """An item, and the result of the function."""

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


# What travels


class Garbled(Exception):
    """A message that is not what the function's annotations say."""


def encode(value: Any) -> bytes:
    """A value of dataclasses, named tuples and plain values as JSON, lone surrogates included."""
    return json.dumps(msgspec.to_builtins(value)).encode()


def decode(data: bytes, kind: Any) -> Any:
    """The value of a type that was encoded. Raises Garbled if it is something else."""
    try:
        return msgspec.convert(json.loads(data), kind)
    except (ValueError, RecursionError) as error:
        raise Garbled(str(error)) from None


@cache
def item_type(function: str) -> Any:
    """The type of the items of a job's function: its first parameter's."""
    found = named(function)
    return _annotation(found, next(iter(found.__annotations__)))


@cache
def result_type(function: str) -> Any:
    """The type of the results of a job's function."""
    return _annotation(named(function), "return")


def _annotation(function: Callable[..., Any], name: str) -> Any:
    annotation = function.__annotations__[name]
    return eval(annotation, function.__globals__) if isinstance(annotation, str) else annotation


def encoded_result(job: Job, item: Any) -> bytes:
    """Do one item. What goes wrong is raised in a form that can be sent."""
    with errors_that_travel():
        return encode(named(job.function)(item, *job.settings))


def encoded_error(error: MaxConnect4Error | JobFailed) -> bytes:
    """An error as JSON."""
    return encode((type(error).__name__, error.args))


def decoded_error(data: bytes) -> Exception:
    """The error that was encoded: one of ours, by its name, whatever that is."""
    name, words = decode(data, tuple[str, tuple[str | int | float | None, ...]])
    kinds: list[type[Exception]] = [MaxConnect4Error, JobFailed]
    for kind in kinds:
        kinds += kind.__subclasses__()
    try:
        return next(kind for kind in kinds if kind.__name__ == name)(*words)
    except (StopIteration, TypeError, ValueError) as error:
        raise Garbled(str(error)) from None


announce: Callable[[str], None] = lambda text: None  # noqa: E731
"""Tells the coordinator what is about to happen, in case this process does not survive it. Set by the workers."""


def make_descriptors_private() -> None:
    """Make every descriptor non-inheritable, so that no external program gets a connection to the coordinator."""
    with suppress(OSError):
        for name in os.listdir("/dev/fd"):
            if int(name) > 2:
                with suppress(OSError):  # that of the listing itself
                    os.set_inheritable(int(name), False)


@contextmanager
def errors_that_travel() -> Iterator[None]:
    """See to it that whatever is raised within is an error of ours: see `Workers.run`."""
    try:
        yield
    except MaxConnect4Error:
        raise
    except (Exception, SystemExit):
        raise JobFailed(f"a worker has failed:\n{traceback.format_exc().rstrip()}") from None
