"""Clients of the engine: one in this process, and one with a process, as tools have."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from typing import Self

from maxconnect4.engine.session import Session

TIMEOUT = 30.0  # seconds: far more than any answer takes


class OutputReader:
    """A reader of the output of an engine, line by line."""

    def __init__(self) -> None:
        self._lines: queue.Queue[str] = queue.Queue()

    def read_until(self, first_word: str) -> list[str]:
        """The output up to the line that begins with a word."""
        lines: list[str] = []
        while not lines or lines[-1].split()[0] != first_word:
            lines.append(self._lines.get(timeout=TIMEOUT))
        return lines


class EngineSession(OutputReader):
    """A session in this process, and its output."""

    def __init__(self, game: str = "classic") -> None:
        super().__init__()
        self.session = Session(self._lines.put, game)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.session.close()

    def send(self, *lines: str) -> None:
        for line in lines:
            assert self.session.handle(line)

    def ask(self, *lines: str, until: str = "bestmove") -> list[str]:
        self.send(*lines)
        return self.read_until(until)

    def unread(self) -> list[str]:
        """All output that has not been read yet."""
        lines: list[str] = []
        while not self._lines.empty():
            lines.append(self._lines.get())
        return lines


class EngineProcess(OutputReader):
    """The program itself, with pipes."""

    def __init__(self, *words: str) -> None:
        super().__init__()
        command = [sys.executable, "-m", "maxconnect4", "engine", *words]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in iter(self.process.stdout.readline, b""):
            self._lines.put(line.decode().rstrip("\n"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    def send(self, *lines: str | bytes) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write((line if isinstance(line, bytes) else line.encode()) + b"\n")

    def end_of_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()


def parse_info(line: str) -> dict[str, str]:
    """The fields of an info line: `score` as two words, `pv` as all that are left."""
    words = line.split()
    assert words[0] == "info", line
    found, rest = {}, iter(words[1:])
    for word in rest:
        if word == "score":
            found[word] = f"{next(rest)} {next(rest)}"
        elif word in ("pv", "string"):
            found[word] = " ".join(rest)
        else:
            found[word] = next(rest)
    return found
