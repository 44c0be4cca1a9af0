"""Talking to the engine: in this process, or as a tool does, with a process of its own."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from typing import Self

from maxconnect4.engine.session import Session

PATIENCE = 30.0  # seconds: far more than any answer takes


class Listener:
    """Somebody who hears what is said, line by line."""

    def __init__(self) -> None:
        self._lines: queue.Queue[str] = queue.Queue()

    def hear(self, first_word: str) -> list[str]:
        """What is said, up to the line that begins with a word."""
        heard: list[str] = []
        while not heard or heard[-1].split()[0] != first_word:
            heard.append(self._lines.get(timeout=PATIENCE))
        return heard


class Conversation(Listener):
    """A session, and what it has said."""

    def __init__(self, game: str = "classic") -> None:
        super().__init__()
        self.session = Session(self._lines.put, game)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.session.close()

    def say(self, *lines: str) -> None:
        for line in lines:
            assert self.session.obey(line)

    def ask(self, *lines: str, until: str = "bestmove") -> list[str]:
        self.say(*lines)
        return self.hear(until)

    def silence(self) -> list[str]:
        """All that has been said and not been heard yet."""
        heard: list[str] = []
        while not self._lines.empty():
            heard.append(self._lines.get())
        return heard


class Process(Listener):
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


def facts(line: str) -> dict[str, str]:
    """The words of an info line: `score` as two words, `pv` as all that are left."""
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
