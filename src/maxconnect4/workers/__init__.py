"""Jobs for worker processes, on this machine (`workers.local`) or on a Dask cluster (`workers.dask`).

A job is a typed function call: mypy checks the types of its arguments, items and results. Processes exchange the name
of the function and JSON, which each side validates by the function's annotations. They unpickle no data.
"""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, TypeVarTuple

import msgspec

from ..errors import MaxConnect4Error

Item = TypeVar("Item")
Output = TypeVar("Output")
Arguments = TypeVarTuple("Arguments")


class JobNames(NamedTuple):
    """The form of a job that workers receive, with names such as "maxconnect4.book_builder:solve_position"."""

    function: str
    arguments: tuple[Any, ...]
    set_up: str
    shut_down: str


class WorkerJob(Generic[Item, Output]):
    """A function to call with each item, and the functions that set it up and clean up.

    Args:
        function: Called in a worker as function(item, *arguments), one item at a time.
        set_up: Called once in each worker, before its first item.
        shut_down: Called in a worker before its exit, even while the function runs in another thread. It ends the
            processes that the function has started, and prevents it from starting more.
        clean_up: Called in the coordinator with the process ID of a worker that was killed before `shut_down`.
        give_up: Called in the coordinator with an item at which workers die repeatedly, and the last announcement of
            each worker. It returns the result of the item. By default, such an item raises WorkersCrashed.

    Raises:
        ValueError: Workers cannot import a function by its name, as it is local or belongs to the main script.
    """

    def __init__(
        self,
        function: Callable[[Item, *Arguments], Output],
        *arguments: *Arguments,
        set_up: Callable[[], None] | None = None,
        shut_down: Callable[[], None] | None = None,
        clean_up: Callable[[int], None] | None = None,
        give_up: Callable[[Item, list[str]], Output] | None = None,
    ) -> None:
        self.names = JobNames(_name(function), arguments, _name(set_up), _name(shut_down))
        self.clean_up = clean_up
        self.give_up = give_up
        self._function = function

    @property
    def result_type(self) -> Any:
        """The annotated type of the results."""
        return result_type(self._function)


class Task(NamedTuple, Generic[Item]):
    """Items that one worker processes in sequence. The name is unique among the running tasks.

    The items are hashable and distinct.
    """

    name: str
    items: tuple[Item, ...]


class Done(NamedTuple, Generic[Item, Output]):
    """An item and its result."""

    item: Item
    result: Output


class Workers(Protocol[Item, Output]):
    """Worker processes that run the same job in parallel."""

    def run(self, tasks: Iterable[Task[Item]]) -> Generator[list[Done[Item, Output]]]:
        """Run all tasks, in any order, and yield each item with its result as soon as possible.

        If a worker dies, other workers run the rest of its task. Closing the iterator stops the work.

        Raises:
            MaxConnect4Error: The function raised it.
            JobFailed: The function raised another exception.
        """


class JobFailed(Exception):
    """An unexpected exception in a worker. The message contains its traceback."""


announce: Callable[[str], None] = lambda text: None  # noqa: E731
"""Send a text to the coordinator, which passes it to `give_up` if this process dies. Set by the workers."""


# Functions by name


def _name(function: Callable[..., Any] | None) -> str:
    if function is None:
        return ""
    if function.__module__ == "__main__" or not function.__qualname__.isidentifier():
        raise ValueError(f"workers cannot import {function.__module__}.{function.__qualname__}")
    return f"{function.__module__}:{function.__qualname__}"


@cache
def import_function(name: str) -> Callable[..., Any]:
    """Import a function by a name such as "maxconnect4.book_builder:solve_position"."""
    module, _, attribute = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), attribute)
    return found


@cache
def call_once(name: str) -> None:
    """Call a function by its name at the first call in this process. An empty name has no effect."""
    if name:
        import_function(name)()


@cache
def item_type(function: Callable[..., Any]) -> Any:
    """The annotated type of a function's first parameter."""
    return _annotation(function, next(iter(function.__annotations__)))


@cache
def result_type(function: Callable[..., Any]) -> Any:
    """The annotated type of a function's result."""
    return _annotation(function, "return")


def _annotation(function: Callable[..., Any], name: str) -> Any:
    annotation = function.__annotations__[name]
    return eval(annotation, function.__globals__) if isinstance(annotation, str) else annotation


# Messages


class InvalidMessage(Exception):
    """A message does not match the annotations of the function."""


def encode(value: Any) -> bytes:
    """Encode dataclasses, named tuples and plain values as JSON. Lone surrogates are preserved."""
    return json.dumps(msgspec.to_builtins(value)).encode()


def decode(data: bytes, kind: Any) -> Any:
    """Decode a value of a type. Raises InvalidMessage for a value of another type."""
    try:
        return msgspec.convert(json.loads(data), kind)
    except (ValueError, RecursionError) as error:
        raise InvalidMessage(str(error)) from None


def encoded_result(job: JobNames, item: Any) -> bytes:
    """Call the job's function with an item and encode the result. For its exceptions see `sendable_errors`."""
    with sendable_errors():
        return encode(import_function(job.function)(item, *job.arguments))


def encoded_error(error: MaxConnect4Error | JobFailed) -> bytes:
    """Encode an error as the name of its class and its arguments."""
    return encode((type(error).__name__, error.args))


def decoded_error(data: bytes) -> Exception:
    """Decode an error of this package. Raises InvalidMessage for any other."""
    name, arguments = decode(data, tuple[str, tuple[str | int | float | None, ...]])
    kinds: list[type[Exception]] = [MaxConnect4Error, JobFailed]
    for kind in kinds:
        kinds += kind.__subclasses__()
    try:
        return next(kind for kind in kinds if kind.__name__ == name)(*arguments)
    except (StopIteration, TypeError, ValueError) as error:
        raise InvalidMessage(str(error)) from None


@contextmanager
def sendable_errors() -> Iterator[None]:
    """Raise a MaxConnect4Error unchanged, and any other error as JobFailed."""
    try:
        yield
    except MaxConnect4Error:
        raise
    except (Exception, SystemExit):
        raise JobFailed(f"a worker failed:\n{traceback.format_exc().rstrip()}") from None


def make_descriptors_private() -> None:
    """Make every descriptor non-inheritable, so that external programs inherit no connection to the coordinator."""
    with suppress(OSError):
        for name in os.listdir("/dev/fd"):
            if int(name) > 2:
                with suppress(OSError):  # the descriptor of the listing itself
                    os.set_inheritable(int(name), False)
