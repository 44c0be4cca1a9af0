"""Running the program as a user does: in this process, or with real processes, pipes and terminals."""

from __future__ import annotations

import codecs
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from maxconnect4 import board_from_moves
from maxconnect4.board import result_text
from maxconnect4.cli import main, progress
from maxconnect4.referee import sandbox

PROGRAM = str(Path(sys.executable).parent / "maxconnect4")
progress.LINE_SECONDS = 600.0  # a busy machine makes short runs long
RED_WINS, GREEN_WINS = (result_text(board_from_moves(moves, "classic")) for moves in ("1212121", "12121232"))


def maxconnect4(
    *words: str | Path,
    input: str = "",  # noqa: A002
    cwd: Path | str | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, in this process. Standard error is without the line on isolation."""
    with ExitStack() as stack:
        stack.enter_context(chdir(cwd or "."))
        stack.enter_context(_environment(os.environ if env is None else env))
        stack.enter_context(_signal_handlers())
        stack.callback(sandbox.become_subreaper, sandbox._adopting)  # a command that runs programs adopts orphans
        stdin, stdout, stderr = (stack.enter_context(TemporaryFile("w+", encoding="utf-8")) for _ in range(3))
        stdin.write(input)
        stdin.seek(0)
        stderr.reconfigure(errors="backslashreplace")
        for descriptor, (name, stream) in enumerate((("stdin", stdin), ("stdout", stdout), ("stderr", stderr))):
            stack.enter_context(_standard_stream(descriptor, name, stream))
        status = main([*map(str, words)])
        for stream in (stdout, stderr):
            stream.seek(0)
        return _completed(subprocess.CompletedProcess(words, status, stdout.read(), stderr.read()))


def maxconnect4_process(*words: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, in a process of its own: for tests of pipes, signals, start-up and limits."""
    options.setdefault("input", "")
    options.setdefault("timeout", 60)
    if "stdout" not in options:
        options["capture_output"] = True
    done = _completed(subprocess.run([PROGRAM, *map(str, words)], text=True, **options))
    if done.stderr:
        done.stderr = without_progress(done.stderr)
    return done


def _completed(done: subprocess.CompletedProcess[str]) -> subprocess.CompletedProcess[str]:
    if done.stderr:
        done.stderr = re.sub("^Isolation: .*\n", "", done.stderr)
    return done


def without_progress(errors: str) -> str:
    """Standard error without the lines of progress, which a run prints that takes long on a busy machine."""
    return re.sub(r"^.*, \d+ (s|min|h)\n", "", errors, flags=re.MULTILINE)


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    before, wanted = dict(os.environ), {"COLUMNS": "80", **variables}
    os.environ.clear()
    os.environ.update(wanted)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def _signal_handlers() -> Iterator[None]:
    """The handlers that a command sets are valid until it ends."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _standard_stream(descriptor: int, name: str, stream: IO[str]) -> Iterator[None]:
    """Have a stream be a standard stream of this process and of the processes that it starts."""
    before, copy = getattr(sys, name), os.dup(descriptor)
    os.dup2(stream.fileno(), descriptor)
    setattr(sys, name, stream)
    try:
        yield
    finally:
        setattr(sys, name, before)
        os.dup2(copy, descriptor)
        os.close(copy)


def interrupted(*words: str | Path, after: str, cwd: Path | None = None) -> tuple[int, str]:
    """The exit code and standard error of a command that gets Ctrl-C soon after it has printed a text."""
    command = [PROGRAM, *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for line in process.stdout:
            if after in line:
                break
        else:
            raise AssertionError(process.stderr.read())
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        return process.wait(60), process.stderr.read()


@contextmanager
def no_reader() -> Iterator[int]:
    """A pipe to write to, at whose other end there is nobody any more."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        yield writer
    finally:
        os.close(writer)


class Terminal:
    """A command in a pseudo-terminal: type, and read what is on the screen."""

    def __init__(self, *words: str | Path, cwd: Path | None = None, **environment: str) -> None:
        self.screen = ""
        self._letters = codecs.getincrementaldecoder("utf-8")()  # a letter of several bytes may come in two parts
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            if cwd is not None:
                os.chdir(cwd)
            os.environ.update({"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}, **environment)
            os.execv(PROGRAM, [PROGRAM, *map(str, words)])

    def type(self, text: str) -> None:
        os.write(self.descriptor, text.encode())

    def wait_for(self, text: str, seconds: float = 60) -> str:
        """What has come up to and including a text."""
        end = time.monotonic() + seconds
        while text not in self.screen:
            assert time.monotonic() < end, f"no {text!r} in:\n{self.screen}"
            assert self._read() or text in self.screen, f"no {text!r} in:\n{self.screen}"
        before, _, self.screen = self.screen.partition(text)
        return before + text

    def close(self) -> int:
        """Wait for the end, and return the exit code."""
        end = time.monotonic() + 30
        while time.monotonic() < end and self._read():
            pass
        os.close(self.descriptor)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def _read(self) -> bool:
        """Take what there is on the screen, if that comes soon; whether the program is still there."""
        if select.select([self.descriptor], [], [], 0.1)[0]:
            try:
                self.screen += self._letters.decode(os.read(self.descriptor, 65536))
            except OSError:  # it has gone
                return False
        return True
